"""Drawings of a project in its pages: shapes and text, and nothing that a page could not carry safely."""

from pathlib import Path

import pytest

from devportal.markup.page import InsertProblem
from devportal.site.hand_written.pictures import read_picture

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"'


def picture(folder: Path, inside: str, *, words: str = "") -> str | InsertProblem:
    (folder / "one.svg").write_text(f"{HEAD}>\n  {inside}\n</svg>\n", encoding="utf-8")
    return read_picture(folder, "one.svg", words=words)


def test_a_drawing_keeps_its_colours_by_the_look_of_the_page(tmp_path: Path) -> None:
    """Its properties stay, and it takes no part in what a screen reader reads if nothing describes it."""
    assert picture(tmp_path, '<path d="M0 0h9" stroke="var(--dp-accent)"/>') == (
        '<svg viewBox="0 0 10 10" class="dp-picture" aria-hidden="true">'
        '<path d="M0 0h9" stroke="var(--dp-accent)" /></svg>'
    )


def test_a_drawing_that_says_something_has_a_name(tmp_path: Path) -> None:
    """As an image with an accessible name, whose text is escaped."""
    html = picture(tmp_path, "<text>a &amp; b</text>", words='To "you" & me')

    assert isinstance(html, str)
    assert 'role="img" aria-label="To &quot;you&quot; &amp; me"' in html
    assert "<text>a &amp; b</text>" in html


@pytest.mark.parametrize(
    ("inside", "named"),
    [
        ("<script>alert(1)</script>", "an element 'script'"),
        ("<style>path {}</style>", "an element 'style'"),
        ('<image href="x.png"/>', "an element 'image'"),
        ('<a href="x"><path d=""/></a>', "an element 'a'"),
        ('<h:div xmlns:h="http://www.w3.org/1999/xhtml"/>', "an element 'div'"),
        ('<path style="fill: red"/>', "an attribute 'style'"),
        ('<path onclick="x()"/>', "an attribute 'onclick'"),
        ('<path ONCLICK="x()"/>', "an attribute 'ONCLICK'"),
        ('<path id="p"/>', "an attribute 'id'"),
        ('<path fill="url(#p)"/>', "an attribute 'fill'"),
    ],
)
def test_what_no_drawing_needs_is_refused(tmp_path: Path, inside: str, named: str) -> None:
    """By name, so that its author finds it."""
    problem = picture(tmp_path, inside)

    assert isinstance(problem, InsertProblem)
    assert problem.message == f"the drawing 'one.svg' has {named}"


def test_a_file_that_is_no_drawing_is_refused(tmp_path: Path) -> None:
    """One that is not there, is no XML, is too large, or lies elsewhere."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "bad.svg").write_text("<svg", encoding="utf-8")
    (docs / "large.svg").write_text(f"{HEAD}>{' ' * 20_000}</svg>", encoding="utf-8")
    (docs / "one.png").write_bytes(b"")
    (tmp_path / "out.svg").write_text(f"{HEAD}/>", encoding="utf-8")

    problems = {
        name: read_picture(docs, name, words="")
        for name in ("no.svg", "bad.svg", "large.svg", "one.png", "../out.svg")
    }

    assert {
        name for name, problem in problems.items() if isinstance(problem, InsertProblem)
    } == problems.keys()
