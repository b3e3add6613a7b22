"""What a browser measures while it loads a page."""

from playwright.sync_api import Page

from .views import Resource

FROZEN_TASKS = 15
"""What holds up a page for so many of `task_ms` has frozen it: about half a second on a desktop."""
_RESOURCES = """() => ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type))
  .map(({ name, encodedBodySize }) => [name, encodedBodySize])"""
_SHIFT = """() => new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) sum += one.value;
  }).observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => setTimeout(() => resolve(sum)));
})"""
_TASK = """() => {
  const start = performance.now();
  const numbers = Array.from({ length: 200_000 }, (_, number) => number / 7);
  if (JSON.parse(JSON.stringify(numbers)).length !== numbers.length) throw new Error("cut");
  return performance.now() - start;
}"""


def resources_of(page: Page) -> tuple[Resource, ...]:
    """Return what a page was loaded with, the page itself first."""
    return tuple(Resource(url=url, size_bytes=size) for url, size in page.evaluate(_RESOURCES))


def shift_of(page: Page) -> float:
    """Return by how much what was there has moved without anybody having done anything."""
    return float(page.evaluate(_SHIFT))


def task_ms(page: Page) -> float:
    """Return how long a fixed task takes in a page just now, in milliseconds: the worst of three.

    What has to be quick is compared with it, as a machine may be slow, or busy with other tests.
    """
    return max(float(page.evaluate(_TASK)) for _ in range(3))
