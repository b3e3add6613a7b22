"""The signature playground for every reader: private, by keyboard, heard, without scripts or WebCrypto."""

from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.measuring import shift_of
from tests.browser.test_accessibility import violations
from tests.browser.test_layout import overflow
from tests.browser.views import PHONE, SMALL, WIDE, Scheme, schemes_in_turn
from tests.browser.watching import note_requests, open_and_settle, watch

from .playground import GUIDE, causes, choose, field, verdict

pytestmark = pytest.mark.browser

MINE = "whsec_kB3cY7dW1eXv5fUz9gTa0hSb4iRc8jQd"


def test_nothing_leaves_the_page(context: BrowserContext, page: Page, origin: str) -> None:
    """No request but for scripts of the site, no storage, no cookie, no address with what was typed."""
    watched = watch(page, origin)
    asked = note_requests(page)
    stored = page.evaluate("JSON.stringify(localStorage) + JSON.stringify(sessionStorage)")
    choose(page, "other")
    expect(causes(page)).to_be_visible()
    field(page, "Secrets, one per line").fill(MINE)
    page.get_by_role("button", name="Sign with these secrets").click()
    expect(verdict(page)).to_have_text("Genuine")

    assert watched.complaints == []
    assert {url.rpartition("/")[0] for url in asked} == {f"{origin}/portal/assets/signature"}
    assert page.evaluate("JSON.stringify(localStorage) + JSON.stringify(sessionStorage)") == stored
    assert context.cookies() == []
    assert page.url == f"{origin}/{GUIDE}"


@pytest.mark.parametrize("way", ["back", "reload"])
def test_secrets_are_gone_when_the_reader_comes_back(way: str, page: Page, origin: str) -> None:
    """Whether the browser kept the page in memory or loads it anew, it starts with the example again."""
    field(page, "Secrets, one per line").fill(MINE)
    field(page, "Other secrets to try").fill(MINE)
    if way == "back":
        page.goto(f"{origin}/portal/guides/webhooks/")
        page.go_back()
    else:
        page.reload()
    expect(verdict(page)).to_have_text("Genuine")

    assert MINE not in field(page, "Secrets, one per line").input_value()
    assert field(page, "Other secrets to try").input_value() == ""


def test_fields_are_emptied_when_the_page_is_left(page: Page) -> None:
    """A page that the browser keeps in memory keeps no secret, and nothing that was made with one."""
    field(page, "Secrets, one per line").fill(MINE)
    expect(verdict(page)).to_have_text("Rejected: no signature matches")
    expect(page.locator("[data-part=expected] > li")).to_have_count(1)

    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")

    expect(page.locator("[data-part=expected] > li")).to_have_count(0)
    values = page.locator(".signature :is(input:not([type=file]), textarea)").evaluate_all(
        "(all) => all.map((one) => one.value).join(' ')"
    )
    assert "whsec_" not in values
    assert "v1," not in page.locator(".signature__result").inner_text()


def test_result_is_read_aloud_once_typing_rests(page: Page) -> None:
    """The verdict and the cause, once, and not with each key."""
    told = page.locator(".signature output")
    choose(page, "newline")

    expect(told).to_have_text(
        "Rejected: no signature matches. The signature was made with the body with a line break added or "
        "removed at its end."
    )
    expect(told).to_have_attribute("aria-live", "polite")


def test_everything_is_reached_with_the_keyboard(page: Page) -> None:
    """In the order in which it is read, each with a visible focus."""
    field(page, "Try a case").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    reached = []
    for _ in range(15):
        reached.append(
            page.evaluate(
                """() => {
                  const one = document.activeElement;
                  const shown = one.type === "file" ? one.parentElement : one;
                  const name = one.labels?.[0]?.textContent.trim() || one.textContent.trim().slice(0, 30);
                  return getComputedStyle(shown).outlineStyle === "none" ? `${name} without focus` : name;
                }"""
            )
        )
        page.keyboard.press("Tab")

    assert [item.partition(",")[0] for item in reached] == [
        "Try a case", "Body", "Open a file", "webhook-id", "webhook-timestamp", "webhook-signature",
        "Secrets", "Other secrets to try", "Clock", "Tolerance", "Sign with these secrets",
        "Set clock to now", "New secret", "Clear", "Signed content: 312 bytes",
    ]  # fmt: skip


@pytest.mark.parametrize(("preset", "scheme"), schemes_in_turn("crlf", "character", "rotated"))
def test_playground_has_no_barrier(preset: str, scheme: Scheme, browser: Browser, origin: str) -> None:
    """In each state with parts of its own, with what is signed unfolded; on phones, where it fits."""
    with browser.new_context(viewport=PHONE, color_scheme=scheme, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(f"{origin}/{GUIDE}")
        expect(verdict(page)).to_have_text("Genuine")
        choose(page, preset)
        expect(page.locator("[data-part=why] > p").first).to_be_visible()
        page.locator(".signature summary").click()

        found = violations(page)

        assert found == []
        assert [overflow(page, viewport) for viewport in (PHONE, SMALL)] == ["", ""]


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_nothing_jumps_while_the_page_loads(viewport: Any, browser: Browser, origin: str) -> None:
    """The place of the playground is kept free until its script has run, also above what was linked to."""
    with browser.new_context(viewport=viewport) as context:
        page = context.new_page()
        open_and_settle(page, f"{origin}/{GUIDE}#what-is-signed")

        expect(verdict(page)).to_have_text("Genuine")
        assert shift_of(page) < 0.01


def test_without_scripts_the_page_says_so(browser: Browser, origin: str) -> None:
    """The scheme and the command are there, and a sentence in the place of the playground."""
    with browser.new_context(viewport=WIDE, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{origin}/{GUIDE}")

        expect(page.locator(".signature")).to_contain_text("The playground needs JavaScript.")
        expect(page.locator("textarea")).to_have_count(0)
        expect(page.get_by_text("openssl dgst -sha256").first).to_be_visible()
        assert page.locator(".signature").evaluate("(one) => one.offsetHeight") < 200


def test_without_webcrypto_the_page_says_why(context: BrowserContext, origin: str) -> None:
    """As on a page that comes over plain HTTP from another machine."""
    page = context.new_page()
    watched = watch(page, origin)
    page.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })")
    open_and_settle(page, f"{origin}/{GUIDE}")

    expect(page.locator(".tool__wrong")).to_contain_text("needs WebCrypto")
    expect(page.locator(".tool__wrong")).to_contain_text("HTTPS")
    expect(page.locator("textarea")).to_have_count(0)
    assert watched.complaints == []
