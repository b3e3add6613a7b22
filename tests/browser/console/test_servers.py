"""Servers that the contract does not name, and where readers get a token."""

import json

import pytest
from playwright.sync_api import Locator, Page, expect

from .conftest import Opened, answer, send
from .wayward import Wayward

pytestmark = pytest.mark.browser


def type_address(dialog: Locator, address: str) -> None:
    """Choose another server than those of the contract, by its address."""
    dialog.get_by_label("Server", exact=True).select_option(label="Other address…")
    dialog.get_by_label("Address", exact=True).fill(address)


def test_another_address_gets_the_request(open_console: Opened, page: Page, wayward: Wayward) -> None:
    """With its path, and the samples of the page and the code of the console follow."""
    address = f"http://127.0.0.1:{wayward.port}/staging"
    dialog = open_console("kept")

    type_address(dialog, address)
    send(dialog)

    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    assert wayward.last.path == "/staging/kept"
    expect(dialog.get_by_label("Code of the request")).to_contain_text(address)
    assert set(page.locator(".dp-base").all_text_contents()) == {address}


def test_another_address_is_remembered_without_anything_else(
    open_console: Opened, page: Page, wayward: Wayward
) -> None:
    """On the next page, in its samples too; a choice among the contract's servers replaces it."""
    address = f"http://127.0.0.1:{wayward.port}/staging"
    type_address(open_console("kept"), address)

    dialog = open_console("traced")

    assert set(page.locator(".dp-base").all_text_contents()) == {address}
    expect(dialog.get_by_label("Address", exact=True)).to_have_value(address)
    stored = page.evaluate("localStorage.getItem('devportal.server')")
    assert json.loads(stored) == {"url": address, "values": {}, "other": True}
    dialog.get_by_label("Server", exact=True).select_option(index=0)
    assert set(page.locator(".dp-base").all_text_contents()) == {f"http://127.0.0.1:{wayward.port}"}
    expect(dialog.get_by_label("Address", exact=True)).to_be_hidden()


@pytest.mark.parametrize(
    "text",
    ["", "nowhere", "ftp://127.0.0.1", "https://me:secret@api.example.com", "https://api.example.com?key=1"],
)
def test_what_is_no_address_is_neither_kept_nor_sent_to(
    text: str, open_console: Opened, page: Page, wayward: Wayward
) -> None:
    """The field says what to enter; an address with a secret in it never reaches the storage."""
    dialog = open_console("kept")
    before = len(wayward.arrived)
    dialog.get_by_label("Server", exact=True).select_option(label="Other address…")

    dialog.get_by_label("Address", exact=True).fill(text)
    send(dialog)

    expect(dialog.get_by_role("alert").get_by_text("Enter a server address")).to_be_visible()
    assert len(wayward.arrived) == before
    assert "other" not in (page.evaluate("localStorage.getItem('devportal.server')") or "")


def test_an_address_of_elsewhere_is_confirmed(open_console: Opened) -> None:
    """Only the own machine and hosts that call themselves a sandbox get a request at once."""
    dialog = open_console("kept")

    type_address(dialog, "https://api.example.com")
    send(dialog)

    expect(dialog.get_by_role("button", name="Send GET to api.example.com")).to_be_visible()


def test_a_policy_that_does_not_allow_the_address_is_explained(
    open_console: Opened, strict_site: str
) -> None:
    """With the line to add."""
    dialog = open_console("kept", strict_site)

    type_address(dialog, "http://127.0.0.1:9")
    send(dialog)

    expect(dialog.get_by_label("What to add")).to_have_text("connect-src 'self' http://127.0.0.1:9")


def test_a_reader_learns_where_tokens_come_from(open_console: Opened) -> None:
    """Beside the field, with a link to the page about authentication."""
    dialog = open_console("guarded")

    dialog.get_by_text("Where do I get a token?").click()

    link = dialog.get_by_role("link", name="How to get a token")
    expect(link).to_be_visible()
    assert link.evaluate("(one) => new URL(one.href).pathname") == "/reference/authentication/"
