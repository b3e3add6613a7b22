"""Language tags, directions, and the marks of texts in HTML."""

import pytest

from devportal.language import (
    UnknownLanguage,
    direction_of,
    in_language,
    is_english,
    mark_blocks,
    mark_texts,
    read_language,
)
from devportal.markup import render_markdown


@pytest.mark.parametrize(
    ("written", "tag"),
    [
        ("ja", "ja"),
        ("EN", "en"),
        ("pt-br", "pt-BR"),
        ("zh-hant-tw", "zh-Hant-TW"),
        ("es-419", "es-419"),
        ("yue-HK", "yue-HK"),
        ("de-1996", "de-1996"),
        ("sl-rozaj-biske", "sl-rozaj-biske"),
        ("en-GB-u-ca-gregory-x-own", "en-GB-u-ca-gregory-x-own"),
    ],
)
def test_language_tag(written: str, tag: str) -> None:
    """Every form of RFC 5646 that names a language, in its usual case."""
    assert read_language(written) == tag


@pytest.mark.parametrize(
    "written",
    ["", "e", "jp", "cn", "english", "pt_BR", "en-", "x-own", "en GB", " en", "ja\n", 7, None, ["ja"]],
)
def test_wrong_language_tag(written: object) -> None:
    """Countries, names in English, locales of POSIX, and what is not text."""
    with pytest.raises(UnknownLanguage):
        read_language(written)


def test_country_in_place_of_a_language() -> None:
    """Who writes the country is told the language that is probably meant."""
    with pytest.raises(UnknownLanguage, match="did you mean 'ja'"):
        read_language("jp")


@pytest.mark.parametrize(
    ("language", "direction"),
    [
        ("en", "ltr"),
        ("ar", "rtl"),
        ("ar-EG", "rtl"),
        ("he", "rtl"),
        ("fa", "rtl"),
        ("ckb", "rtl"),
        ("ar-Latn", "ltr"),
        ("az-Arab", "rtl"),
        ("pa-PK", "rtl"),
        ("pa", "ltr"),
        ("ku-IQ", "rtl"),
        ("ja", "ltr"),
    ],
)
def test_direction(language: str, direction: str) -> None:
    """The script decides, whether it is named or follows from language and region."""
    assert direction_of(language) == direction


@pytest.mark.parametrize(
    ("language", "is_own"), [("en", True), ("en-GB", True), ("enm", False), ("ar", False)]
)
def test_english(language: str, is_own: bool) -> None:  # noqa: FBT001 - a case
    """Every English is the language of the toolkit's own words, and nothing that only begins so."""
    assert is_english(language) is is_own


MARKED = '<p>By <bdi dir="auto">{0}</bdi>: <b dir="auto">{0}</b></p><pre dir="ltr">x</pre>'


@pytest.mark.parametrize(
    ("word", "language", "shown"),
    [
        ("plain", "en", "<p>By plain: <b>plain</b></p><pre>x</pre>"),
        ("naïve…", "en-GB", "<p>By naïve…: <b>naïve…</b></p><pre>x</pre>"),
        ("荷物", "en", MARKED.format("荷物")),
        ("a\u202eb", "en", MARKED.format("a\u202eb")),
        ("plain", "tr", MARKED.format("plain").replace(' dir="auto"', ' lang="tr" dir="auto"')),
    ],
)
def test_marks_of_a_page(word: str, language: str, shown: str) -> None:
    """The language if it is not English, the direction if letters are not Latin, else nothing."""
    assert mark_texts(MARKED.format(word), language) == shown


def test_text_that_looks_like_a_mark_is_left_alone() -> None:
    """No escaped text holds what ends a marked tag."""
    html = render_markdown(
        '`<p dir="auto">` and <a href="https://a.example" title="x dir=&quot;auto&quot;>">y</a>'
    )

    assert mark_texts(html, "ja") == html


def test_blocks_are_marked_where_nothing_is_around_them() -> None:
    """Each block at any depth that has no attributes; words within a line have none."""
    html = mark_blocks(render_markdown("One *two*\n\n- three\n\n> four"))

    assert html.count(' dir="auto">') == html.count("<p>".replace(">", " ")) + html.count(
        "<ul "
    ) + html.count("<blockquote ")
    assert "<em>two</em>" in html


def test_authors_mark_phrases() -> None:
    """Language and direction of HTML survive in a description, if they are such; `auto` is ours."""
    html = render_markdown('<span lang="fr" dir="rtl">a</span> <span lang="a b" dir="auto">b</span>')

    assert html == '<p><span lang="fr" dir="rtl">a</span> <span>b</span></p>\n'


def test_twin_names_its_language() -> None:
    """Below the title, unless it is English."""
    assert in_language("# T\n\nText\n", "ja") == "# T\n\nLanguage: ja\n\nText\n"
    assert in_language("# T\n", "en-GB") == "# T\n"
