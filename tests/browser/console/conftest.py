"""A site whose operations go to a server of the tests, and a console that is open."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.conftest import build
from tests.browser.serving import serving

from .wayward import Wayward, wayward_server

SECRET = "a-secret-of-the-reader"
PATIENCE_MS = 6000
"""So long the worker may check: with what it is given, it says that it begins, and later what it found."""
WORKER = """{
  const Plain = Worker;
  globalThis.Worker = class extends Plain {
    constructor(...asked) {
      super(...asked);
      this.addEventListener("message", ({ data: { made, fault } }) => {
        document.documentElement.dataset.worker = made || fault ? "rest" : "work";
      });
    }
  };
}"""
"""Marks the page with what its worker does, for `worker_at`."""

Opened = Callable[..., Locator]


@pytest.fixture(scope="session")
def wayward() -> Iterator[Wayward]:
    """Return the server that the operations go to."""
    with wayward_server() as server:
        yield server


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory, wayward: Wayward) -> Path:
    """Return the folder of the site."""
    made = tmp_path_factory.mktemp("console")
    text = Path(__file__).with_name("contract.yaml").read_text(encoding="utf-8")
    contract = made / "trials.yaml"
    contract.write_text(text.replace("PORT", str(wayward.port)), encoding="utf-8")
    build("--contract", str(contract), "--site-dir", str(made / "site"))
    return made / "site"


@pytest.fixture(scope="session")
def site(folder: Path, wayward: Wayward) -> Iterator[str]:
    """Return the address of the site, under a policy that lets it send to the server."""
    with serving(
        folder, f"default-src 'self'; connect-src 'self' http://127.0.0.1:{wayward.port}"
    ) as address:
        yield address


@pytest.fixture(scope="session")
def strict_site(folder: Path) -> Iterator[str]:
    """Return the address of the site under the strict policy."""
    with serving(folder) as address:
        yield address


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """Return a page of the reader."""
    return context.new_page()


@pytest.fixture
def open_console(page: Page, site: str) -> Opened:
    """Return a function that opens the console of an operation, by the name of its page."""

    def open_console(name: str, origin: str = "") -> Locator:
        page.goto(f"{origin or site}/reference/t/{name}/")
        page.get_by_role("button", name="Try it").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_be_visible()
        return dialog

    return open_console


def worker_at(page: Page, state: Literal["work", "rest"]) -> Locator:
    """Return what is there while the worker checks, or once it has."""
    return page.locator(f"html[data-worker={state}]")


def send(dialog: Locator) -> None:
    """Send the request of an open console."""
    dialog.get_by_role("button", name="Send", exact=True).click()


def answer(dialog: Locator) -> Locator:
    """Return the part of an open console that shows the answer."""
    return dialog.get_by_role("region", name="Response", exact=True)
