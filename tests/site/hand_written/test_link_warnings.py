"""Warnings about broken links: where the link is, and where its page is now."""

from pathlib import Path

import pytest

from devportal.site.hand_written.link_warnings import locate_link_warnings

PAGES = ("index.md", "guides/start.md", "reference/parcels/find-parcels.md")
REDIRECTS = {
    "reference/parcels/list-parcels/": "reference/parcels/find-parcels/",
    "reference/parcels/body/": "reference/parcels/find-parcels/#body",
    "reference/gone/": "reference/nowhere/",
}


def located_warnings(docs: Path, *messages: str) -> list[str]:
    """Return the messages as they are printed."""
    return list(
        locate_link_warnings(
            messages,
            docs=docs,
            name=lambda path: f"docs/{path.relative_to(docs).as_posix()}",
            pages=PAGES,
            redirects=REDIRECTS,
        )
    )


def warning(link: str, problem: str = "but the target is not found among documentation files.") -> str:
    """Return what MkDocs logs about a link in the guide."""
    return f"Doc file 'guides/start.md' contains a link '{link}', {problem}"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Return a folder of pages with one guide."""
    (tmp_path / "guides").mkdir()
    text = "---\ntitle: Start\n---\n\n[A](no.md) and `no.md`, [again](no.md)\n\n[b]: ../x.md#y\n"
    (tmp_path / "guides" / "start.md").write_text(text, encoding="utf-8")
    return tmp_path


def test_each_link_has_its_place(docs: Path) -> None:
    """Also one that is there twice, and that of a reference definition."""
    first, again, last = located_warnings(docs, warning("no.md"), warning("no.md"), warning("../x.md#y"))

    assert first == f"docs/guides/start.md:5:5: {warning('no.md')}"
    assert again == f"docs/guides/start.md:5:33: {warning('no.md')}"
    assert last.startswith("docs/guides/start.md:7:6: ")


def test_link_that_is_not_in_the_file_has_the_file_alone(docs: Path) -> None:
    """An insert, a macro or a template wrote it."""
    assert located_warnings(docs, warning("other.md")) == [f"docs/guides/start.md: {warning('other.md')}"]


@pytest.mark.parametrize(
    ("link", "moved"),
    [
        ("../reference/parcels/list-parcels.md", "../reference/parcels/find-parcels.md"),
        ("../reference/parcels/list-parcels.md#try", "../reference/parcels/find-parcels.md#try"),
        ("../reference/parcels/body.md#old", "../reference/parcels/find-parcels.md#body"),
    ],
)
def test_page_that_moved_is_named_as_it_has_to_be_linked(docs: Path, link: str, moved: str) -> None:
    """With the anchor of the link, or that of the redirect."""
    (message,) = located_warnings(docs, warning(link))

    assert message.endswith(f"\n  help: write {moved!r}: that page moved")


@pytest.mark.parametrize("link", ["../reference/gone.md", "../../outside.md", "#here", "/reference/"])
def test_link_without_a_page_now_has_no_advice(docs: Path, link: str) -> None:
    """Nobody knows what was meant."""
    (message,) = located_warnings(docs, warning(link))

    assert "help:" not in message


def test_other_messages_stay_as_they_are(docs: Path) -> None:
    """Those about pages that others generate, too."""
    messages = ["A plugin warns.", "Doc file 'made.md' contains a link 'x.md', but it is not there."]

    assert located_warnings(docs, *messages) == messages
