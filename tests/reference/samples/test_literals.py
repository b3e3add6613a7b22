"""How the styles of a language write texts, words and values."""

from typing import Any

import pytest

from devportal.reference.samples import LANGUAGES
from devportal.reference.samples.literals import Literals
from devportal.reference.samples.request import Secret

QUOTED = {"open": '"', "close": '"', "escapes": {'"': '\\"'}}
SECRET = Secret(variable="KEY")


def literals(*words: dict[str, Any], **texts: list[dict[str, Any]]) -> Literals:
    """Return a language with these styles, whose texts are in double quotes unless something else is said."""
    return Literals(texts={"text": [QUOTED]} | texts, words=words)


@pytest.mark.parametrize(
    ("hidden", "text", "expected"),
    [
        ([["\\x", 2, ""], ["\\u", 4, ""]], "\x1f\u2028é", '"\\x1f\\u2028é"'),
        ([["\\u{", 0, "}"]], "\U000e0001", '"\\u{e0001}"'),
        ([["\\u", 4, ""]], "\U000e0001", '"\\udb40\\udc01"'),
    ],
)
def test_unprintable_character_has_the_first_escape_with_enough_digits(
    hidden: list[list[Any]], text: str, expected: str
) -> None:
    """Or is written as a surrogate pair."""
    assert literals(text=[{**QUOTED, "hidden": hidden}]).text(text) == expected


def test_text_has_the_first_style_that_fits() -> None:
    """Or the style of other texts."""
    lines = [{"visible": True, "has": "\n", "without": "'''", "open": "'''", "close": "'''"}]
    written = literals(lines=lines)

    assert written.text("a\nb", "lines") == "'''a\nb'''"
    assert [written.text(item, "lines") for item in ("a", "a\n'''", "a\n\0")] == [
        '"a"',
        "\"a\n'''\"",
        '"a\n\0"',
    ]


def test_words_have_the_first_way_that_all_their_texts_fit() -> None:
    """One with a condition on texts comes before one that can write every text."""
    inside = {"several": True, "open": "`", "close": "`", "style": "inside", "variable": "${}"}
    joined = {"join": " + ", "variable": "env({})", "variable_in_address": "quote(env({}))"}
    written = literals(inside, joined, inside=[{"without": "`"}])

    assert written.words((SECRET, "b"), "a") == "`a$KEYb`"
    assert written.words(("`", SECRET), "a") == '"a`" + env(KEY)'
    assert written.words((SECRET,)) == "env(KEY)"
    assert written.words(("",)) == '""'
    assert written.address(("`", SECRET)) == '"`" + quote(env(KEY))'


def test_variable_before_a_word_has_its_own_form() -> None:
    """It would run on otherwise."""
    written = literals({"variable": "${}", "variable_before_word": "${{}}"}, text=[{}])

    assert written.words((SECRET, "_b")) == "${KEY}_b"
    assert written.words((SECRET, "-b")) == "$KEY-b"


def test_language_without_a_style_for_values_writes_none() -> None:
    """A template that asks for one is wrong."""
    with pytest.raises(TypeError, match="no style for values"):
        literals({"variable": ""}).value(1)


def test_every_language_writes_every_text() -> None:
    """The last style of texts fits those that no other fits."""
    for language in LANGUAGES:
        for text in ("", "\0", "'\"`\n\\", "\U000e0001"):
            assert language.literals.text(text), language.name


def test_a_text_of_several_words_is_one_literal() -> None:
    """In the shell too, where two beside each other are one text."""
    (curl,) = (language for language in LANGUAGES if language.label == "curl")

    assert curl.literals.words(['"v1"'], "If-Match: ") == """'If-Match: "v1"'"""
