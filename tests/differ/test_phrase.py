"""Texts of the differ are English, and know how another language says them."""

import pickle
from pathlib import Path

from devportal.differ.phrase import (
    and_phrase,
    clauses_phrase,
    compose,
    list_phrase,
    or_phrase,
    phrase,
    phrase_from_json,
    phrase_in_context,
    phrase_to_json,
    shown_text,
)
from devportal.translation import ENGLISH, interface_of
from devportal.translation.catalogues import Catalogue, find_catalogue, load_interface
from devportal.translation.messages import find_message

PARTS = phrase(
    "the %(place)s parameter %(name)s is removed",
    place=phrase_in_context("the … parameter", "query"),
    name="a",
)


def test_a_phrase_is_the_english_text() -> None:
    """Whatever compares, writes or hashes it needs not know that it is more."""
    assert PARTS == "the query parameter a is removed"
    assert hash(PARTS) == hash("the query parameter a is removed")
    assert phrase("100 % of it") == "100 % of it"


def test_joined_phrases() -> None:
    """No items are an empty text, and one is itself."""
    assert [join(("a", "b", "c")) for join in (list_phrase, clauses_phrase, and_phrase, or_phrase)] == [
        "a, b, c", "a; b; c", "a, b and c", "a, b or c",
    ]  # fmt: skip
    assert and_phrase(()) == ""
    assert or_phrase(["a"]) == "a"


def test_a_copy_knows_as_much() -> None:
    """From another process, and from a cache."""
    german = load_interface(find_catalogue("de"))
    copies = (pickle.loads(pickle.dumps(PARTS)), phrase_from_json(phrase_to_json(PARTS)))  # noqa: S301 - ours

    assert copies == (PARTS, PARTS)
    with interface_of(german):
        assert {shown_text(copy_).text for copy_ in copies} == {"der Query-Parameter a wurde entfernt"}
    assert phrase_from_json(phrase_to_json("plain")) == "plain"


def test_a_sentence_is_never_half_translated(tmp_path: Path) -> None:
    """If a language lacks the sentence or a part of it, the whole is in English and marked as such."""
    path = tmp_path / "sv.po"
    path.write_text('msgid "%(what)s is gone"\nmsgstr "%(what)s är borta"\n', encoding="utf-8")
    known = phrase("%(what)s is gone", what='"a"')
    half = phrase("%(what)s is gone", what=phrase("the whole"))
    with interface_of(load_interface(Catalogue(language="sv", files=(path,)))):
        assert shown_text(known) == ('"a" är borta', False)
        assert shown_text(half) == ("the whole is gone", True)
        assert shown_text("anything") == ("anything", True)
        assert shown_text("") == ("", False)
        assert find_message("%(what)s was there") is None


def test_a_list_in_the_language() -> None:
    """Punctuation is of the language, and what is only put together needs no message."""
    listed = list_phrase(("a", "b", "c"))

    assert listed == "a, b, c"
    with interface_of(load_interface(find_catalogue("ja"))):
        assert shown_text(listed).text == "a、b、c"
        assert shown_text(compose('"%(text)s"', text=listed)).text == '"a、b、c"'
    with interface_of(ENGLISH):
        assert shown_text(listed) == ("a, b, c", False)
