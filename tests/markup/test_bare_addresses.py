"""Bare addresses in descriptions are links, on pages and in their twins."""

import pytest

from devportal.markup import item_markdown, plain_text, render_markdown, safe_markdown

_REL = 'rel="noopener noreferrer"'


@pytest.mark.parametrize(
    ("text", "address", "rest"),
    [
        ("https://e.com", "https://e.com", ""),
        ("https://e.com/a_b_c.", "https://e.com/a_b_c", "."),
        ("https://e.com/a(b)", "https://e.com/a(b)", ""),
        ("https://e.com/a), and", "https://e.com/a", "), and"),
        ("https://e.com/日本", "https://e.com/", "日本"),
        ("https://müller.com:80/?q=[1]!!", "https://müller.com:80/?q=[1]", "!!"),
    ],
)
def test_an_address_ends_before_the_punctuation_of_its_sentence(text: str, address: str, rest: str) -> None:
    """Brackets that an address opens belong to it, other marks at its end to the sentence."""
    assert render_markdown(text) == f'<p><a href="{address}" {_REL}>{address}</a>{rest}</p>\n'
    assert plain_text(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "See https://e.com/a?b=1&c=2, then",
        "**Note:** https://e.com/a",
        "- https://e.com/a",
        "| a |\n|---|\n| https://e.com/a |",
        "<p>see https://e.com/a</p>",
        "説明はhttps://e.com/aです。",
    ],
)
def test_addresses_are_linked_in_every_kind_of_text(text: str) -> None:
    """Paragraphs, lists, tables and HTML have links, and the twin has links that any reader follows."""
    assert render_markdown(text).count("<a href=") == 1
    assert safe_markdown(text).count("<https://e.com/a") == 1
    assert item_markdown(text, indent=2).count("<https://e.com/a") == 1


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("`https://e.com`", 0),
        ("```\nhttps://e.com\n```", 0),
        ("<code>https://e.com</code>", 0),
        ("[https://e.com](https://e.com)", 1),
        ("<https://e.com>", 1),
        ("<a href='https://e.com'>see https://e.com/a</a>", 1),
        ("https://{region}.e.com/v1, https://e.com/{id}, https://e.com/<id>", 0),
        ("http://localhost:3000, me@www.e.com, https://", 0),
    ],
)
def test_code_links_and_placeholders_are_left(text: str, links: int) -> None:
    """Code stays code, a link stays one, and what no browser could open stays text."""
    assert render_markdown(text).count("<a ") == links


def test_an_address_without_a_scheme_is_linked() -> None:
    """`www.` begins an address too."""
    assert render_markdown("www.e.com/a") == f'<p><a href="http://www.e.com/a" {_REL}>www.e.com/a</a></p>\n'


def test_quotes_in_an_address_stay_in_its_attribute() -> None:
    """An address cannot end the attribute that it stands in."""
    rendered = render_markdown("https://e.com/a'b&quot;onclick=x")

    assert rendered == f'<p><a href="https://e.com/a&#x27;b" {_REL}>https://e.com/a\'b</a>"onclick=x</p>\n'
