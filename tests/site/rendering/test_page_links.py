"""The links at the end of pages: to their source, and for feedback."""

import re
from html import unescape
from pathlib import Path

import pytest

from devportal.errors import InvalidSettings
from devportal.project.setting_kinds import AddressTemplate
from devportal.site.rendering.page_links import PageLinks
from tests.site.building import built_project, write_project

EDIT = "https://git.example.com/docs/edit/main/{path}"
FEEDBACK = "https://git.example.com/docs/issues/new?title={title}&body={url}"
LINKS = PageLinks(
    edit_url=EDIT,
    feedback_url=FEEDBACK,
    site_url="https://parcels.example/docs/",
    docs="docs",
    contract="api/openapi.yaml",
)


def test_a_page_written_by_hand_leads_to_its_file() -> None:
    """Values are percent-encoded: titles come from anybody."""
    links = LINKS.of_hand_written_page("guides/a b.md", "What's new? & <b>")

    assert links["edit"] == "https://git.example.com/docs/edit/main/docs/guides/a%20b.md"
    assert links["feedback"] == (
        "https://git.example.com/docs/issues/new?title=What%27s%20new%3F%20%26%20%3Cb%3E"
        "&body=https%3A%2F%2Fparcels.example%2Fdocs%2Fguides%2Fa%2520b%2F"
    )


def test_a_page_of_the_reference_leads_to_the_contract() -> None:
    """Pages of records or entries come from many files."""
    assert LINKS.of_generated_page("reference/orders/create.md", "Create")["edit"].endswith(
        "/api/openapi.yaml"
    )
    assert LINKS.of_generated_page("changelog/index.md", "Changelog")["edit"] == ""
    assert LINKS.of_generated_page("changelog/index.md", "Changelog")["feedback"]


def test_a_site_without_an_address_names_the_path() -> None:
    """The address of a page is then known below the site's root alone."""
    links = PageLinks(feedback_url="mailto:docs@example.com?subject={url}")

    assert links.of_generated_page("reference/index.md", "API") == {
        "edit": "",
        "feedback": "mailto:docs@example.com?subject=%2Freference%2F",
    }


@pytest.mark.parametrize("address", ["", None, EDIT, "https://a.example/{path}?plain=1#{title}"])
def test_an_address_with_placeholders_is_accepted(address: str | None) -> None:
    """As it is written."""
    assert AddressTemplate(needed="{path}").check(address) == (address or "")


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("https://a.example/{file}", "'{file}'"),
        ("https://a.example/{path", "'{path'"),
        ("https://a.example/edit", "not an address for each page"),
        ("javascript:alert(1)//{path}", "not an address"),
        ("docs/{path}", "not an address"),
        (3, "3 is not an address"),
    ],
)
def test_another_address_is_refused(address: object, problem: str) -> None:
    """The message quotes what is wrong, and shows how it is written."""
    with pytest.raises(InvalidSettings, match=re.escape(problem)):
        AddressTemplate(needed="{path}").check(address)


def links_of(page: Path) -> list[str]:
    """Return the addresses at the end of a page."""
    line = re.search(r"<p class=\"?dp-page-links.*?</p>", page.read_text(encoding="utf-8"), re.DOTALL)
    return [unescape(item) for item in re.findall(r'href="?([^"\s>]+)', line[0])] if line else []


def test_pages_of_a_site_end_with_the_links(tmp_path: Path) -> None:
    """Pages written by hand and generated ones, but not the home page."""
    config = write_project(tmp_path, plugin={"edit_url": EDIT, "feedback_url": FEEDBACK})
    (tmp_path / "docs" / "guide.md").write_text("# A & B\n", encoding="utf-8")
    site = tmp_path / "site"

    built_project(config, site)

    edit, feedback = links_of(site / "guide" / "index.html")
    assert (edit, feedback) == (
        EDIT.format(path="docs/guide.md"),
        FEEDBACK.format(title="A%20%26%20B", url="%2Fguide%2F"),
    )
    edit, feedback = links_of(site / "reference" / "parcels" / "get-parcel" / "index.html")
    assert edit == EDIT.format(path="openapi.yaml")
    assert "title=Find%20a%20parcel" in feedback
    assert links_of(site / "index.html") == []
    assert "dp-page-links" not in (site / "guide.md").read_text(encoding="utf-8")


def test_pages_have_no_such_links_by_default(tmp_path: Path) -> None:
    """Nobody is led to anybody's form."""
    site = tmp_path / "site"
    built_project(write_project(tmp_path), site)

    assert "dp-page-links" not in (site / "reference" / "index.html").read_text(encoding="utf-8")


def test_another_address_changes_pages_that_were_written_before(tmp_path: Path) -> None:
    """Pages are kept from the last build while they are the same."""
    site = tmp_path / "site"
    page = site / "reference" / "parcels" / "get-parcel" / "index.html"
    built_project(write_project(tmp_path, plugin={"edit_url": EDIT}), site)
    before = links_of(page)
    built_project(write_project(tmp_path, plugin={"edit_url": "https://b.example/{path}"}), site)

    assert (before, links_of(page)) == (
        [EDIT.format(path="openapi.yaml")],
        ["https://b.example/openapi.yaml"],
    )
