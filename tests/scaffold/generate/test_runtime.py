"""The two programs that lie in a tree: the extension, and what finishes a site."""

import json
from pathlib import Path

import pytest
from markdown import Markdown

from devportal.scaffold.generate.runtime import devportal_pages, finish

BODY = '<h1 id="a">A &amp; *b*</h1>\n\n<p><a href="../x/">x</a></p>\n\n<pre>1\n\n2</pre>\n'
HEADINGS = [{"level": 2, "id": "c", "name": "C", "html": "C", "data-toc-label": "", "children": []}]


@pytest.fixture
def bodies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a ü").mkdir()
    (tmp_path / "a ü" / "b.html").write_text(BODY, encoding="utf-8")
    (tmp_path / "a ü" / "b.json").write_text(json.dumps(HEADINGS), encoding="utf-8")
    monkeypatch.setattr(devportal_pages, "BODIES", tmp_path)
    return tmp_path


@pytest.mark.usefixtures("bodies")
def test_a_body_stays_as_it_is() -> None:
    """Python-Markdown reads nothing of it, and has its headings."""
    parser = Markdown(extensions=["toc", "attr_list", "md_in_html", devportal_pages.makeExtension()])

    html = parser.convert("<!-- devportal-body a%20%C3%BC/b.md 00ff -->")

    assert html == BODY.strip()
    assert parser.toc_tokens == HEADINGS


@pytest.mark.parametrize("ending", ["md", "markdown", "mdown", "mkdn", "mkd"])
def test_pages_of_every_ending_have_their_bodies(ending: str, bodies: Path) -> None:
    """Those that MkDocs knows; a dot in a name is none of them."""
    (bodies / "v1.2.html").write_text(BODY, encoding="utf-8")
    (bodies / "v1.2.json").write_text("[]", encoding="utf-8")
    parser = Markdown(extensions=[devportal_pages.makeExtension()])

    assert parser.convert(f"<!-- devportal-body v1.2.{ending} 0 -->") == BODY.strip()
    assert devportal_pages.body_of(f"a/v1.2.{ending}") == "a/v1.2"


@pytest.mark.usefixtures("bodies")
def test_other_pages_are_markdown() -> None:
    """Also with a parser that rendered a body before."""
    parser = Markdown(extensions=["toc", devportal_pages.makeExtension()])
    parser.convert("<!-- devportal-body a%20%C3%BC/b.md 00ff -->")

    html = parser.reset().convert("# One\n\n*two*")

    assert html == '<h1 id="one">One</h1>\n<p><em>two</em></p>'
    assert [toc_token["id"] for toc_token in parser.toc_tokens] == ["one"]


@pytest.mark.usefixtures("bodies")
def test_a_body_that_is_missing_ends_the_build() -> None:
    """A page without what it should say is no page."""
    with pytest.raises(FileNotFoundError):
        Markdown(extensions=[devportal_pages.makeExtension()]).convert("<!-- devportal-body c.md 0 -->")


@pytest.mark.parametrize(
    ("link", "moved"),
    [
        ("../y/", "y/"),
        ("../../y/?q#z", "../y/?q#z"),
        ("../", "./"),
        ("./", "b/"),
        ("z/", "b/z/"),
        ("feed.rss", "b/feed.rss"),
        *((same, same) for same in ("#x", "", "?q", "/root/", "//host/", "https://e.example/", "mailto:a@b")),
    ],
)
def test_links_start_at_the_source(link: str, moved: str) -> None:
    """For Zensical, which adds the way from the source to the page: both together lead where the link led."""
    html = (
        f"<p>href=\"../text\" <a class='x' href=\"{link}\">a</a> <img src='{link}' alt=\"href='../x'\"></p>"
    )
    wanted = (
        f"<p>href=\"../text\" <a class='x' href=\"{moved}\">a</a> <img src='{moved}' alt=\"href='../x'\"></p>"
    )

    assert devportal_pages.from_source(html, "a/b.md") == wanted
    assert devportal_pages.from_source(html, "a/b.mkd") == wanted
    assert devportal_pages.from_source(html, "a/index.md") == html


def test_a_site_is_finished(tmp_path: Path) -> None:
    """Files are copied, icons become files, and pages name the address that counts."""
    tree, site = tmp_path / "tree", tmp_path / "site"
    for folder in (tree / "beside/.well-known", site / "assets/stylesheets/classic", site / "old"):
        folder.mkdir(parents=True)
    (tree / "beside/.well-known/api-catalog").write_text("{}", encoding="utf-8")
    (tree / "canonical.json").write_text('{"old/index.html": "https://x.example/a?b&c"}', encoding="utf-8")
    page = '<head><link rel="canonical" href="https://x.example/old/"></head>'
    (site / "old/index.html").write_text(page, encoding="utf-8")
    css = (
        "a{mask:url('data:image/svg+xml;charset=utf-8,%3Csvg/%3E')}b{mask:url(data:image/svg+xml,%3Csvg/%3E)}"
    )
    (site / "assets/stylesheets/classic/main.css").write_text(css, encoding="utf-8")

    finish.finish(site, tree)

    (icon,) = (site / "assets/devportal/icons").iterdir()
    place = f"url(../../devportal/icons/{icon.name})"
    finished = (site / "assets/stylesheets/classic/main.css").read_text(encoding="utf-8")
    assert (site / ".well-known/api-catalog").read_text(encoding="utf-8") == "{}"
    assert icon.read_text(encoding="utf-8") == "<svg/>"
    assert finished == f"a{{mask:{place}}}b{{mask:{place}}}"
    assert 'href="https://x.example/a?b&amp;c"' in (site / "old/index.html").read_text(encoding="utf-8")
