"""The sites that are looked at, a server for them, and the browser."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Expect, Locator, expect, sync_playwright

from tests.own_site import read_own_site
from tests.site.building import DAY
from tests.waiting import PATIENCE_S

from .big_contract import PER_TAG, write_big_contract
from .late import make_late
from .serving import serving
from .views import WIDE
from .watching import PATIENCE_MS

ROOT = Path(__file__).parents[2]
CONTRACT = Path(__file__).parents[1] / "reference" / "contracts" / "rich-3.1.yaml"
PER_TAG_IN_FAST_TIER = 8
"""Enough for lists that continue on further pages, at half of the CPU time."""
_NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
"""What is looked for, in order: the shell has the same engine without windows, and opens a page in a third of
the CPU time.
"""
_QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")

expect.set_options(timeout=PATIENCE_MS)
_AWAITED: dict[str, Literal["attached", "visible"]] = {
    "to_be_visible": "visible",
    "to_be_focused": "attached",
    "to_contain_text": "attached",
    "to_have_attribute": "attached",
    "to_have_text": "attached",
    "to_have_value": "attached",
}
"""What is true of an element before an assertion about it can be."""


def _wait_before_assertions() -> None:
    """Have assertions about one element wait for it before they look at it.

    Each time that `expect` finds no such element, or a hidden one, Playwright describes the whole page for its
    message, though it looks again: https://github.com/microsoft/playwright/pull/41117. Waiting describes nothing.
    """
    make_assertions = Expect.__call__

    def make_patient_assertions(self: Expect, actual: Any, message: str | None = None) -> Any:
        assertions = make_assertions(self, actual, message)
        if isinstance(actual, Locator):
            for name, state in _AWAITED.items():
                setattr(assertions, name, _after_waiting(getattr(assertions, name), actual, state))
        return assertions

    setattr(Expect, "__call__", make_patient_assertions)  # noqa: B010 - mypy forbids to assign to a method


def _after_waiting(
    check: Callable[..., None], locator: Locator, state: Literal["attached", "visible"]
) -> Callable[..., None]:
    """Return a check of one element that waits for it."""

    def wait_and_check(*values: Any, **options: Any) -> None:
        __tracebackhide__ = True
        if not isinstance(next(iter(values), None), list):  # which is about several elements
            locator.wait_for(state=state, timeout=options.get("timeout"))
        check(*values, **options)

    return wait_and_check


_wait_before_assertions()


def build(*options: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "devportal", "build", *options],
        cwd=ROOT,
        env={**os.environ, "SOURCE_DATE_EPOCH": DAY},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def sites(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the site of this project in `portal`, one around a rich contract in `parcels`, and
    one around a contract of 1,200 operations, in the fast tier of 418, in `big`. It lies beside the folder as
    `big.json`.

    All are below the root of the server, as many a site is: a link that starts with a slash would break.
    """
    folder = _of_all_processes(tmp_path_factory) / "sites"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.is_dir():
            made = folder.with_suffix(".new")
            with ThreadPoolExecutor() as readers:
                portal = readers.submit(read_own_site)
                build("--contract", str(CONTRACT), "--site-dir", str(made / "parcels"))
                is_fast = "not deep" in request.config.option.markexpr
                per_tag = PER_TAG_IN_FAST_TIER if is_fast else PER_TAG
                big = write_big_contract(folder.with_name("big.json"), per_tag=per_tag)
                build("--contract", str(big), "--no-cache", "--site-dir", str(made / "big"))
                shutil.copytree(portal.result().site_dir, made / "portal")
            made.rename(folder)
    return folder


def _of_all_processes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that the processes of pytest-xdist share; without them, that of this one."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def origin(sites: Path) -> Iterator[str]:
    """Return the address of the server of all sites."""
    with serving(sites) as address:
        yield address


@pytest.fixture(scope="session")
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """Return the one browser of all tests; each test opens a context of its own."""
    path = next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None and not os.environ.get("CI"):
        pytest.skip("there is no Chromium here (install the Debian package 'chromium-headless-shell')")
    assert path is not None, "there is no Chromium, and CI is set"
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=list(_QUIET))
        _prepare_contexts(launched, is_late=request.config.getoption("--late"))
        yield launched
        launched.close()


def _prepare_contexts(browser: Browser, *, is_late: bool) -> None:
    """Have all contexts of a browser wait for pages and elements as long as `expect` does, not for 30 seconds; with
    `--late`, their pages are slow.
    """
    new_context = browser.new_context

    def new_prepared_context(**options: Any) -> BrowserContext:
        context = new_context(**options)
        context.set_default_timeout(PATIENCE_MS)
        if is_late:
            make_late(context)
        return context

    setattr(browser, "new_context", new_prepared_context)  # noqa: B010 - mypy forbids to assign to a method


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Yield a wide window without animations."""
    with browser.new_context(viewport=WIDE, reduced_motion="reduce") as opened:
        yield opened
