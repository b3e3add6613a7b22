"""What is wrong with a body as a whole, or could not be checked, is told before anything is sent."""

import json

import pytest
from playwright.sync_api import Locator, Page, expect

from .conftest import Opened, answer, send
from .wayward import Wayward

pytestmark = pytest.mark.browser


def send_notices(dialog: Locator) -> Locator:
    """Return the notices beside the Send button."""
    return dialog.locator(".dpc-notice")


def test_fault_of_a_whole_body_is_told(open_console: Opened, wayward: Wayward) -> None:
    """A body that fits no variant is not sent as if it were right; whoever means it can send it."""
    dialog = open_console("keyed")
    dialog.get_by_label("user").fill("")
    before = len(wayward.arrived)

    send(dialog)

    expect(send_notices(dialog)).to_contain_text("One field is invalid")
    expect(dialog.locator(".dpc-error:visible")).to_have_count(1)
    expect(dialog.get_by_label("user")).to_be_focused()
    assert len(wayward.arrived) == before
    dialog.get_by_label("user").fill("ada")
    expect(dialog.locator(".dpc-error:visible")).to_have_count(0)
    send(dialog)
    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
    assert json.loads(wayward.last.body) == {"user": "ada"}


@pytest.mark.parametrize(
    ("kind", "name"), [("application/json", "Body as JSON"), ("text/plain", "Body, text/plain")]
)
def test_missing_body_is_told(kind: str, name: str, open_console: Opened, wayward: Wayward) -> None:
    """Where the contract requires one."""
    dialog = open_console("put-thing")
    dialog.get_by_label("Media type").select_option(label=kind)
    if kind == "application/json":
        dialog.get_by_text("JSON", exact=True).click()
    before = len(wayward.arrived)

    dialog.get_by_label(name).fill("")
    send(dialog)

    expect(dialog.get_by_text("is required", exact=True)).to_be_visible()
    expect(dialog.get_by_label(name)).to_be_focused()
    assert len(wayward.arrived) == before


def test_check_that_fails_is_told(open_console: Opened, page: Page, wayward: Wayward) -> None:
    """It has found nothing, and that is no word of praise."""
    page.route("**/console/worker.js", lambda route: route.abort())
    dialog = open_console("put-thing")
    before = len(wayward.arrived)

    send(dialog)

    expect(send_notices(dialog)).to_contain_text(
        "The request could not be checked: the checker could not be loaded"
    )
    assert len(wayward.arrived) == before
    dialog.get_by_role("button", name="Send anyway").click()
    expect(answer(dialog).get_by_text("200 OK")).to_be_visible()
