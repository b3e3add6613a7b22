"""Links in entries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.changelog.entries.body import (
    absolute_link,
    relative_link,
    resolve_in_site,
    rewrite_html_links,
)
from devportal.markup import render_markdown

SOURCE = "changelog/2026-03-05-a-thing.md"
SITE_URL = "https://portal.example/docs/"


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("../guides/start.md#first", "guides/start.md#first"),
        ("../errors/not-found/", "errors/not-found/index.md"),
        ("other.md", "changelog/other.md"),
        ("#timeline", f"{SOURCE}#timeline"),
        ("../a%20b.md", "a b.md"),
        ("/openapi.yaml", "openapi.yaml"),
        ("https://other.example/x.md", None),
        ("mailto:a@b.example", None),
        ("//other.example/", None),
        ("../../outside.md", None),
        ("?api=Messages", None),
        ("http://[broken", None),
    ],
)
def test_link_means_a_page_of_the_site_or_leaves_it(link: str, target: str | None) -> None:
    """Relative paths are read from the entry's file; the rest is left as it is."""
    assert resolve_in_site(link, source=SOURCE) == target


@pytest.mark.parametrize(
    ("link", "in_page", "in_feed"),
    [
        ("../guides/start.md#first", "../../guides/start/#first", f"{SITE_URL}guides/start/#first"),
        ("../errors/not-found/", "../../errors/not-found/", f"{SITE_URL}errors/not-found/"),
        ("#timeline", "#timeline", f"{SITE_URL}changelog/2026-03-05-a-thing/#timeline"),
        ("../logo.svg", "../../logo.svg", f"{SITE_URL}logo.svg"),
        (
            "https://other.example/?a=1&b=2",
            "https://other.example/?a=1&b=2",
            "https://other.example/?a=1&b=2",
        ),
    ],
)
def test_link_fits_the_page_and_the_feed(link: str, in_page: str, in_feed: str) -> None:
    """Pages link relatively, so that the site can move; feeds absolutely, because readers are elsewhere."""
    assert relative_link(link, source=SOURCE) == in_page
    assert absolute_link(link, source=SOURCE, site_url=SITE_URL) == in_feed


def test_link_of_a_card_fits_the_list() -> None:
    """A link that stands on a list's page starts from there."""
    page = "changelog/api/messages.md"

    assert relative_link("../guides/start.md", source=SOURCE, page=page) == "../../../guides/start/"


def test_only_links_change_in_html() -> None:
    """Text, code and other attributes that look like links stay as they are."""
    safe = render_markdown(
        '[a](x.md "t > href=\\"q\\"") `<a href="x.md">` <a title="b" href="x.md">b</a> [c](?a=1&b=2)'
    )

    changed = rewrite_html_links(safe, lambda link: f"<{link}>")

    assert changed.count('href="&lt;x.md&gt;"') == 2
    assert changed.count('href="&lt;?a=1&amp;b=2&gt;"') == 1
    assert '<code>&lt;a href="x.md"&gt;</code>' in changed


@given(st.text(max_size=200))
def test_changing_nothing_changes_nothing(text: str) -> None:
    """With each address left alone, sanitised HTML comes back to the letter."""
    safe = render_markdown(text)

    assert rewrite_html_links(safe, str) == safe
