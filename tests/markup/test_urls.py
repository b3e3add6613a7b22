"""Addresses of pages, and relative links between them."""

from urllib.parse import quote, unquote, urljoin, urlsplit

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from devportal.markup import href, twin_href, url_of
from devportal.markup.urls import href_from_twin

_SEGMENT = st.text(alphabet="ab-é ?%:{}'\"&.", min_size=1, max_size=6).filter(lambda text: text.strip("."))
_FOLDERS = st.lists(_SEGMENT.filter(lambda text: not text.endswith(".md")), max_size=3)


@st.composite
def _uris(draw: st.DrawFn) -> str:
    name = draw(st.one_of(st.just("index"), _SEGMENT))
    ending = draw(st.sampled_from([".md", ".md", ".json", ""]))
    return "/".join([*draw(_FOLDERS), name + ending])


@pytest.mark.parametrize(
    ("uri", "address"),
    [
        ("index.md", ""),
        ("a.md", "a/"),
        ("a/index.md", "a/"),
        ("a/b.md", "a/b/"),
        ("a/myindex.md", "a/myindex/"),
        ("feed.xml", "feed.xml"),
        ("a b/{c}.md", "a%20b/%7Bc%7D/"),
        ("index.json", "index.json"),
    ],
)
def test_pages_live_at_directory_addresses(uri: str, address: str) -> None:
    """A page is served at a folder, an index at the folder itself, a file as it is."""
    found = url_of(uri)

    assert found == address


@pytest.mark.parametrize(
    ("source", "target", "link"),
    [
        ("reference/messages/send.md", "errors/index.md#not-found", "../../../errors/#not-found"),
        ("index.md", "index.md", "./"),
        ("a.md", "index.md", "../"),
        ("a.md", "a.md", "./"),
        ("a.md", "a.md#x", "#x"),
        ("a/index.md", "a/b.md", "b/"),
        ("a.md", "feed.xml", "../feed.xml"),
        ("index.md", "a:b.md", "a%3Ab/"),
        ("a.md", "b.md#ä b", "../b/#%C3%A4%20b"),
    ],
)
def test_links_are_relative(source: str, target: str, link: str) -> None:
    """A link works wherever the site is put."""
    found = href(source, target)

    assert found == link


@given(source=_uris(), target=_uris(), anchor=_SEGMENT | st.just(""))
def test_a_link_resolves_to_the_address_of_its_target(source: str, target: str, anchor: str) -> None:
    """Resolving href against the source's address gives the target's, at any root."""
    assume(not url_of(source).startswith(url_of(target) + "/"))  # no name is both a file and a folder
    root = "https://example.com/docs/"
    written = f"{target}#{anchor}" if anchor else target

    resolved = urlsplit(urljoin(root + url_of(source), href(source, written)))

    assert resolved._replace(fragment="").geturl() == root + url_of(target)
    assert unquote(resolved.fragment) == anchor


@pytest.mark.parametrize(
    ("source", "target", "link"),
    [
        ("a/b.md", "c/index.md#d", "../c/index.md"),
        ("a/b.md", "a/c.md", "c.md"),
        ("a/b.md", "a/b.md#c", "b.md"),
        ("index.md", "a b.md", "a%20b.md"),
        ("a/b/c.md", "openapi.yaml", "../../openapi.yaml"),
    ],
)
def test_twins_link_to_twins(source: str, target: str, link: str) -> None:
    """They lie where the uris say, and have no anchors."""
    assert twin_href(source, target) == link


@given(_uris(), _uris())
def test_links_between_twins_resolve(source: str, target: str) -> None:
    """Resolving a link against the twin's own address gives that of the other twin."""
    root = "https://a.example/b/"

    found = urljoin(root + quote(source), twin_href(source, target))

    assert unquote(found) == root + target


@pytest.mark.parametrize(
    ("address", "in_twin"),
    [
        ("../../errors/lost/", "../errors/lost/"),
        ("../sibling/?a=b#c", "sibling/?a=b#c"),
        ("more.html", "page/more.html"),
        ("#part", "#part"),
        ("/root/", "/root/"),
        ("https://other.example/", "https://other.example/"),
        ("//[", "//["),
    ],
)
def test_an_address_of_a_page_fits_its_twin(address: str, in_twin: str) -> None:
    """A twin lies one folder above the address of its page; what is not relative stays."""
    assert href_from_twin("changelog/page.md", address) == in_twin
