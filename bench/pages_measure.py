"""What a browser sees of a page: bytes, requests, elements, barriers, violations of a policy, text."""

import shutil
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from axe_playwright_python.base import AXE_SCRIPT
from bench.pages_target import Target
from playwright.sync_api import Browser, Error, Page, sync_playwright

_PHONE = {"width": 390, "height": 844}
_WIDE = {"width": 1440, "height": 900}
_PATIENCE_S = 60
_RULES = "{runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations']}"
_SHIFT = """() => new Promise((told) => {
  let sum = 0;
  const add = (one) => { sum += one.hadRecentInput ? 0 : one.value; };
  new PerformanceObserver((list) => list.getEntries().forEach(add))
    .observe({type: "layout-shift", buffered: true});
  setTimeout(() => told(sum), 300);
})"""
_TEXT = (
    "() => document.body.innerText + [...document.querySelectorAll('details')].map((one) => one.textContent)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A page as it was seen once. Bytes are those on the wire."""

    total_bytes: int
    script_bytes: int
    style_bytes: int
    requests: int
    outside: int
    """Requests to other hosts."""
    nodes: int
    shift: float
    """Cumulative layout shift."""
    barriers: Mapping[str, int]
    """Elements that break a rule of axe-core, by rule."""
    violations: int
    """Of the policy `default-src 'self'`."""
    is_read_without_scripts: bool
    text_s: float | None
    """Seconds until the fields of the operation are shown, or nothing if they never were."""


@contextmanager
def browser() -> Iterator[Browser]:
    """Start Chromium."""
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()


def measure_page(opened: Browser, address: str, strict: str, target: Target) -> Measured:
    """Return the measures of a page; `strict` is its address under the policy."""
    origin = urlsplit(address).netloc
    seen, asked = Counter[str](), Counter[str]()
    with opened.new_context(viewport=_WIDE) as context:  # type: ignore[arg-type]  # a size
        page = context.new_page()
        client = context.new_cdp_session(page)
        client.send("Network.enable")
        kinds: dict[str, str] = {}

        def on_response(event: dict[str, str]) -> None:
            kinds[event["requestId"]] = event["type"]

        def on_request(event: dict[str, dict[str, str]]) -> None:
            url = event["request"]["url"]
            if not url.startswith(("data:", "blob:")):
                asked["inside" if f"//{origin}/" in url else "outside"] += 1

        client.on("Network.responseReceived", on_response)
        client.on("Network.requestWillBeSent", on_request)
        client.on(
            "Network.loadingFinished",
            lambda event: seen.update({kinds.get(event["requestId"], ""): int(event["encodedDataLength"])}),
        )
        began = time.monotonic()
        page.goto(address, wait_until="commit")
        text_s = _until_text(page, target, began)
        _settle(page)
        nodes, shift = page.evaluate("document.querySelectorAll('*').length"), page.evaluate(_SHIFT)
        return Measured(
            total_bytes=sum(seen.values()),
            script_bytes=seen["Script"],
            style_bytes=seen["Stylesheet"],
            requests=sum(asked.values()),
            outside=asked["outside"],
            nodes=nodes,
            shift=shift,
            barriers=_barriers(page),
            violations=_violations(opened, strict),
            is_read_without_scripts=_is_read(opened, address, target),
            text_s=text_s,
        )


def _settle(page: Page) -> None:
    with suppress(Error):  # something never stops asking
        page.wait_for_load_state("networkidle", timeout=20_000)


def _until_text(page: Page, target: Target, began: float) -> float | None:
    while time.monotonic() - began < _PATIENCE_S:
        try:
            text = page.evaluate(_TEXT)
        except Error:
            continue  # the page is being replaced
        if all(word in text for word in target.words):
            return time.monotonic() - began
        time.sleep(0.05)
    return None


def _barriers(page: Page) -> Mapping[str, int]:
    page.evaluate(AXE_SCRIPT)
    found = page.evaluate(f"axe.run({_RULES})")
    return {violation["id"]: len(violation["nodes"]) for violation in found["violations"]}


def _violations(opened: Browser, strict: str) -> int:
    count = 0
    with opened.new_context(viewport=_PHONE) as context:  # type: ignore[arg-type]  # a size
        page = context.new_page()

        def note(text: str) -> None:
            nonlocal count
            count += "Content Security Policy" in text

        page.on("console", lambda message: note(message.text))
        page.goto(strict)
        _settle(page)
    return count


def _is_read(opened: Browser, address: str, target: Target) -> bool:
    with opened.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(address)
        text = page.locator("body").inner_text() + "".join(page.locator("details").all_text_contents())
    return all(word in text for word in target.words)
