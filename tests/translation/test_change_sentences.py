"""What the differ says of a change is in the language of a page, as a whole, and in English for everything else."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from devportal.changelog.pages.differences import value_text
from devportal.changelog.proof.change_json import changes_from_json, changes_to_json
from devportal.changelog.proof.suggestions import as_sentence
from devportal.differ import Change, compare, read_policy
from devportal.differ.phrase import Phrase, phrase, shown_text
from devportal.differ.rule import ONE_SIDED, one_sided_message
from devportal.differ.rules.all_rules import EVERY_RULE
from devportal.translation import ENGLISH, Interface, interface_of
from devportal.translation.catalogues import (
    TEMPLATE,
    Catalogue,
    find_catalogue,
    load_interface,
    read_catalogue,
    shipped_languages,
)
from devportal.translation.extraction import catalogue_text, keys_of
from tests.differ.change_cases import FILES, ChangeCase, api_of, change_cases
from tests.differ.test_cases import TODAY
from tests.translation.escaped_words import LANGUAGE

_PLACEHOLDER = re.compile(r"%\(\w+\)s")
_WORD = re.compile(r"[A-Za-z]{2,}")
_TERMS = frozenset(
    (
        *("array", "boolean", "integer", "null", "number", "object", "string"),
        *("alpha", "beta", "draft", "stable"),
        *("simple", "form", "matrix", "label", "spacedelimited", "pipedelimited", "deepobject"),
        *("true", "false", "exclusive", "operation", "maximum", "minimum"),
        *("application", "octet", "stream"),
    )
)
"""Words of the standards that stand for what a contract leaves out."""


@pytest.fixture(scope="module")
def wordless(tmp_path_factory: pytest.TempPathFactory) -> Interface:
    """A language whose messages are a letter and their values, so that all other words are of the contracts."""
    catalogue = read_catalogue(TEMPLATE)
    for message in catalogue:
        texts = [message.id] if isinstance(message.id, str) else [*message.id]
        made = [" ".join(("ы", *_PLACEHOLDER.findall(text))) for text in texts]
        if message.id:
            message.string = made[0] if isinstance(message.id, str) else tuple(made)
    path = tmp_path_factory.mktemp("language") / f"{LANGUAGE}.po"
    path.write_bytes(catalogue_text(catalogue))
    return load_interface(Catalogue(language=LANGUAGE, files=(path,)))


def changes_of(case: ChangeCase) -> tuple[Change, ...]:
    """Return what is found between the two contracts of a case."""
    policy = read_policy(case.policy)
    return compare(api_of(case.old), api_of(case.new), policy, today=TODAY).changes


def english_words(case: ChangeCase, change: Change) -> list[str]:
    """Return the words of the sentence and the hint of a change that are English, and not of the contracts."""
    shown = [shown_text(text) for text in (change.message, change.hint)]
    values = [value_text(item) or "" for item in (change.old, change.new) if isinstance(item, Phrase)]
    known = _TERMS.union(_WORD.findall(f"{case.old} {case.new}".lower()))
    words = _WORD.findall(" ".join((*(text.text for text in shown), *values)))
    return [text.text for text in shown if text.is_english] + [
        word for word in words if word.lower() not in known
    ]


_FAST_SHARE = 10
"""One file of cases of so many is read in the fast tier."""


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(file, id=file.stem, marks=[pytest.mark.deep] if number % _FAST_SHARE else [])
        for number, file in enumerate(FILES)
    ],
)
def test_no_english_word_is_in_what_is_said_of_a_change(file: Path, wordless: Interface) -> None:
    """Sentences, reasons, hints and descriptions of values, of all cases that the differ is tested with."""
    cases = [(case, changes_of(case)) for case in change_cases(file)]
    with interface_of(wordless):
        found = {
            f"{change.rule}: {change.message} {change.hint}: {' '.join(words)}"
            for case, changes in cases
            for change in changes
            if (words := english_words(case, change))
        }

    assert sorted(found) == []


def test_every_rule_has_a_message() -> None:
    """Of those whose changes bring their own sentences, the rows only list these."""
    known = {key[1] for key in keys_of(read_catalogue(TEMPLATE))}

    assert {rule.id for rule in EVERY_RULE if rule.says not in known} == {
        "component.renamed",
        "schema.boolean.false",
    }


def test_a_keyword_or_default_that_came_or_went_has_a_message() -> None:
    """The sentence about two values is reworded, so no row has it."""
    about_two = {
        rule.says for rule in EVERY_RULE if re.match(r"\w+ is \w+ from|the default .*from", rule.says)
    }
    reworded = {one_sided_message(text, has_old=has_old) for text in about_two for has_old in (True, False)}

    assert reworded == set(ONE_SIDED)


def contract_with(count: int, note: Mapping[str, Any]) -> dict[str, Any]:
    """Return a contract of one operation with so many query parameters, and a body with one property."""
    schema = {"type": "object", "required": ["note"], "properties": {"note": note}}
    operation = {
        "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer"}}] * count,
        "requestBody": {"content": {"application/json": {"schema": schema}}},
        "responses": {"204": {"description": "Done."}},
    }
    return {"paths": {"/things": {"post": operation}}}


PAIR = ChangeCase(
    name="a parameter that is removed, and a shorter text",
    contracts={
        "old": contract_with(1, {"type": "string", "maxLength": 9}),
        "new": contract_with(0, {"type": "string", "maxLength": 5}),
    },
    versions={"old": "3.1.0", "new": "3.1.0"},
    policy={},
    expected=(),
)


def messages_of(changes: tuple[Change, ...]) -> dict[str, str]:
    """Return what is shown of changes, by their rules."""
    return {change.rule: shown_text(change.message).text for change in changes}


@pytest.mark.parametrize(
    ("language", "parameter", "length"),
    [
        ("de", "der Query-Parameter limit wurde entfernt", "maxLength wurde von 9 auf 5 gesenkt"),
        ("es", "se ha eliminado el parámetro de consulta limit", "maxLength baja de 9 a 5"),
        ("fr", "suppression du paramètre de requête limit", "maxLength est abaissé de 9 à 5"),
        ("ja", "クエリパラメータlimitが削除されました", "maxLengthが9から5に下がりました"),
    ],
)
def test_a_change_in_the_languages_that_there_are(language: str, parameter: str, length: str) -> None:
    """The order of words is that of the language; names and keywords stay."""
    with interface_of(load_interface(find_catalogue(language))):
        shown = messages_of(changes_of(PAIR))

    assert shown["param.removed"] == parameter
    assert shown["schema.max-length.lowered"] == length


def test_english_words_are_found(wordless: Interface) -> None:
    """A sentence past the catalogue turns the test of all cases red, and so does a piece of one."""
    change = next(change for change in changes_of(PAIR) if change.rule == "param.removed")
    past = replace(change, message="it vanished", hint="")
    half = replace(change, message=phrase("%(old)s is removed", old="a gadget"), hint="")
    with interface_of(wordless):
        assert english_words(PAIR, change) == []
        assert english_words(PAIR, past) == ["it vanished", "it", "vanished"]
        assert english_words(PAIR, half) == ["gadget"]


def test_outputs_and_fingerprints_do_not_depend_on_the_language() -> None:
    """What is accepted in one language is accepted in all, and programs read English."""
    english = changes_of(PAIR)
    with interface_of(load_interface(find_catalogue("de"))):
        german = changes_of(PAIR)

    assert german == english
    assert [change.fingerprint for change in german] == [item.fingerprint for item in english]
    assert "the query parameter limit is removed" in {f"{change.message}" for change in german}


def test_changes_from_the_cache_are_in_the_language_too() -> None:
    """The cache of comparisons is written once, for sites in all languages."""
    changes = changes_of(PAIR)
    kept = changes_from_json(changes_to_json(changes))

    assert kept == changes
    with interface_of(load_interface(find_catalogue("de"))):
        assert messages_of(kept) == messages_of(changes)
        assert messages_of(kept)["param.removed"] == "der Query-Parameter limit wurde entfernt"


@pytest.mark.parametrize(
    "language",
    [shipped_language for shipped_language in shipped_languages() if shipped_language != ENGLISH.language],
)
def test_no_sentence_begins_with_a_name(language: str) -> None:
    """A page writes its first letter as a capital; values from both contracts are in quotes, and stay."""
    says = {rule.says for rule in EVERY_RULE if not rule.says.startswith("%")}
    begins = re.compile(r"%\((?!old\)|new\)|kind\)|place\)|day\))|null\b")
    translations = load_interface(find_catalogue(language)).translations

    assert [text for other_text in says if begins.match(text := translations.gettext(other_text))] == []


def test_a_sentence_ends_as_the_language_has_it() -> None:
    """Unless it is in English, where there is no translation."""
    with interface_of(load_interface(find_catalogue("ja"))):
        assert as_sentence("削除されました") == "削除されました。"
        assert as_sentence("is removed", is_english=True) == "Is removed."
    assert as_sentence("is removed") == "Is removed."
