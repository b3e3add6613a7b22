"""A reader follows the link for feedback, or a script of the site takes over."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.site.building import built_project, write_project

from .serving import serving
from .test_accessibility import violations

pytestmark = pytest.mark.browser

SCRIPT = """\
document.addEventListener("x-feedback", (event) => {
  if (location.hash !== "#form") return;
  event.preventDefault();
  document.body.dataset.feedback = JSON.stringify(event.detail);
});
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a site whose feedback goes to a page of its own."""
    folder = tmp_path_factory.mktemp("feedback")
    config = write_project(
        folder,
        plugin={"feedback_url": "http://127.0.0.1:1/form?about={title}"},
        extra_javascript=["feedback.js"],
    )
    (folder / "docs" / "feedback.js").write_text(SCRIPT, encoding="utf-8")
    built_project(config, folder / "site")
    with serving(folder / "site") as address:
        yield f"{address}/reference/parcels/get-parcel/"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with browser.new_context() as context:
        yield context.new_page()


def test_the_link_leads_to_the_address(page: Page, site: str) -> None:
    """Where no script takes over."""
    page.goto(site)
    link = page.get_by_role("link", name="Give feedback on this page")

    with page.expect_request("http://127.0.0.1:1/form?about=Find%20a%20parcel"):
        link.click()


def test_a_script_takes_over(page: Page, site: str) -> None:
    """It reads which page the feedback is about, and the reader stays on the page."""
    page.goto(f"{site}#form")

    page.get_by_role("link", name="Give feedback on this page").click()

    page.wait_for_selector("[data-feedback]", state="attached")
    detail = json.loads(page.evaluate("document.body.dataset.feedback"))
    assert detail == {"url": f"{site}#form", "title": "Find a parcel"}
    assert page.url == f"{site}#form"
    assert violations(page) == []
