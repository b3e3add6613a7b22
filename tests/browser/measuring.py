"""What a browser measures while it loads a page."""

from playwright.sync_api import Page

from .views import Resource

_RESOURCES = """() => ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type))
  .map(({ name, encodedBodySize }) => [name, encodedBodySize])"""
_SHIFT = """() => new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) sum += one.value;
  }).observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => setTimeout(() => resolve(sum)));
})"""


def resources_of(page: Page) -> tuple[Resource, ...]:
    """Return what a page was loaded with, the page itself first."""
    return tuple(Resource(url=url, size_bytes=size) for url, size in page.evaluate(_RESOURCES))


def shift_of(page: Page) -> float:
    """Return by how much what was there has moved without anybody having done anything."""
    return float(page.evaluate(_SHIFT))
