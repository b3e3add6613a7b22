"""How much a page makes a reader load, from an empty cache, packed as hosts pack it."""

from hashlib import shake_256
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from .measuring import resources_of
from .searching import search
from .serving import serving
from .views import WIDE, Resource, View
from .watching import open_and_settle

pytestmark = pytest.mark.browser

KIB = 1024
BUDGET = {
    "scripts": 25 * KIB,
    "styles": 60 * KIB,
    "fonts": 100 * KIB,
    "page": 30 * KIB,
    "everything": 220 * KIB,
    "requests": 22,
}
"""What each kind of page may take at most."""
HEAVIER = {
    "coverage/": {"page": 35 * KIB},
    "coverage/sms/": {"page": 35 * KIB},
    "toolkit/python-api/": {"page": 50 * KIB},
}
"""What some pages may take more."""
OPERATION = {"everything": 95 * KIB, "requests": 9}
NEXT_REQUESTS = 2
"""What another page of an operation may ask its host for, when it says what may be kept as the manual does."""
OPENED = 50_700
"""Scripts of a page with everything opened that it offers, in bytes."""
_KINDS = {".js": "scripts", ".css": "styles", ".woff2": "fonts", "/": "page"}


def weights(resources: tuple[Resource, ...]) -> dict[str, int]:
    """Return bytes by kind, and the number of requests.

    What page and worker both load counts once: hosts allow a cache, which the server of the tests does not.
    """
    found = dict.fromkeys(BUDGET, 0)
    for resource in dict.fromkeys(resources):
        path = urlsplit(resource.url).path
        kind = next((kind for ending, kind in _KINDS.items() if path.endswith(ending)), None)
        found["everything"] += resource.size_bytes
        found["requests"] += 1
        if kind:
            found[kind] += resource.size_bytes
    return found


def too_heavy(found: dict[str, int], budget: dict[str, int]) -> list[str]:
    """Say what is over a budget, and by how much."""
    return [f"{kind}: {found[kind]:,} of {most:,}" for kind, most in budget.items() if found[kind] > most]


def budget_problems(view: View) -> list[str]:
    """Return each budget that a page exceeds: of a kind of file, of all files, or of their number."""
    found = weights(view.resources)
    path = view.look.path.partition("/")[2]
    is_operation = view.page.locator(".dp-op").count() > 0
    budget = {**BUDGET, **(OPERATION if is_operation else {}), **HEAVIER.get(path, {})}
    nothing = [] if found["page"] > 0 else ["the page itself was not measured"]
    return [*nothing, *too_heavy(found, budget)]


def test_everything_opened_is_light(browser: Browser, origin: str) -> None:
    """Scripts that come when a reader searches, opens an operation and sends it, with those of the page."""
    with browser.new_context(viewport=WIDE) as context:
        page = context.new_page()
        open_and_settle(page, f"{origin}/portal/reference/messages/send-message/")
        before = weights(resources_of(page))["scripts"]
        search(page, "message")
        searched = weights(resources_of(page))["scripts"]
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Try it").first.click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_label("Code of the request")).to_contain_text("curl")
        opened = weights(resources_of(page))["scripts"]
        dialog.get_by_label("API_KEY").fill("token")
        dialog.get_by_role("button", name="Send").click()
        expect(
            dialog.locator("strong", has_text="The content security policy of this site blocks")
        ).to_be_visible()
        sent = weights(resources_of(page))["scripts"]

    assert before < searched < opened < sent, "the scripts come when they are asked for"
    assert sent <= OPENED, sent


def test_the_next_page_needs_little_more_than_itself(browser: Browser, sites: Path) -> None:
    """A second page of an operation, at a host that lets browsers keep what never changes."""
    with serving(sites, caches=True) as address, browser.new_context(viewport=WIDE) as context:
        page = context.new_page()
        open_and_settle(page, f"{address}/portal/reference/messages/send-message/")
        first = fetched_urls(page)
        open_and_settle(page, f"{address}/portal/reference/messages/list-messages/")
        following = fetched_urls(page)

    assert len(first) > len(following) > 0
    assert following[0].endswith("/list-messages/")
    assert len(following) <= NEXT_REQUESTS, following


def fetched_urls(page: Page) -> list[str]:
    """Return the addresses that a page has asked its host for: those that no cache answered."""
    entries: list[str] = page.evaluate(
        """() => ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type))
          .filter(({ transferSize }) => transferSize).map(({ name }) => name)"""
    )
    return entries


def noise_of(size: int) -> bytes:
    """Return bytes that cannot be packed."""
    return shake_256(b"noise").digest(size)


def test_weight_is_seen(browser: Browser, tmp_path: Path) -> None:
    """Each budget is told where it is passed, packed, and with what loads late."""
    (tmp_path / "index.html").write_text(
        '<!doctype html><title>Heavy</title><link rel="stylesheet" href="a.css"><script src="a.js"></script>'
        '<p style="font-family: a">x</p>' + "<i></i>" * 20_000,
        encoding="utf-8",
    )
    noise = noise_of(70 * KIB).hex()  # packs to half of it: what is counted came over the network
    (tmp_path / "a.css").write_text(f"@font-face {{ font-family: a; src: url(a.woff2) }} /* {noise} */")
    late = "for (let n = 0; n < 40; n += 1) fetch(`b${n}.json`).then((one) => one.text());"
    (tmp_path / "a.js").write_text(f"{late} // {noise}")
    (tmp_path / "a.woff2").write_bytes(noise_of(110 * KIB))

    with (
        serving(tmp_path, policy="default-src 'self' 'unsafe-inline'") as address,
        browser.new_context() as c,
    ):
        page = c.new_page()
        open_and_settle(page, address)
        found = weights(resources_of(page))

    assert [text.partition(":")[0] for text in too_heavy(found, BUDGET)] == [
        "scripts", "styles", "fonts", "everything", "requests",
    ]  # fmt: skip
    assert 70 * KIB < found["scripts"] < 90 * KIB
    assert too_heavy({"page": 30 * KIB + 1}, {"page": 30 * KIB}) == ["page: 30,721 of 30,720"]
