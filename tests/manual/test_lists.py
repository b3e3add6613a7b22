"""The lists of settings, extensions and rules of the differ, each from its one source."""

import pytest

from devportal.contract.validate.extensions import EXTENSIONS, SHOWN_EXTENSIONS
from devportal.differ.rules.all_rules import EVERY_RULE
from devportal.manual.definitions import help_sentence, help_to_markdown
from devportal.manual.lists import contract_extensions, differ_rules, portal_settings
from devportal.markup.page import InsertProblem
from devportal.project.settings import setting_kinds

from .test_rules import EMPTY


@pytest.mark.parametrize("insert", [portal_settings, contract_extensions, differ_rules])
def test_the_lists_take_no_arguments(insert: object) -> None:
    """They are the whole."""
    assert callable(insert)
    assert isinstance(insert(EMPTY, ("some",)), InsertProblem)


def test_settings_have_words_type_and_default() -> None:
    """From the docstring below each, and from the option itself."""
    shown = portal_settings(EMPTY, ())

    assert isinstance(shown, str)
    assert (
        "### `feed` { #feed }\n\nWhether the changelog and the rates have feeds, which need `site_url`;"
        in shown
    )
    assert "`true` or `false`. Default: `true`.\n{ .dp-muted }" in shown
    sections = shown.split("### ")[1:]
    assert [section.split("`")[1] for section in sections] == list(setting_kinds())
    assert [
        section
        for section in sections
        if section.split("\n")[2].startswith(".") or not section.split("\n")[2]
    ] == []


def test_extensions_have_a_place_and_an_effect_and_stand_once() -> None:
    """With all their spellings."""
    shown = contract_extensions(EMPTY, ())
    names = [name for extension in EXTENSIONS for name in extension.names]

    assert isinstance(shown, str)
    assert len(names) == len(SHOWN_EXTENSIONS)
    assert [name for name in names if f"`{name}`" not in shown] == []
    assert all(extension.where and extension.effect.endswith(".") for extension in EXTENSIONS)


def test_rules_of_the_differ_have_their_verdicts_and_their_reasons() -> None:
    """Both directions, or one where they are the same; the mirror, and why it is judged otherwise."""
    shown = differ_rules(EMPTY, ())

    assert isinstance(shown, str)
    assert [rule.id for rule in EVERY_RULE if f"[`{rule.id}`](#" not in shown] == []
    assert [
        rule.id for rule in EVERY_RULE if rule.waiver and help_to_markdown(rule.waiver) not in shown
    ] == []
    one = shown.partition("[`schema.max-length.lowered`]")[2].partition("[`schema.")[0]
    assert "Sent: **breaking**. Received: compatible." in one


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("see --help, or 'a b'", "See `--help`, or `a b`."),
        ("the project's mkdocs.yml", "The project's `mkdocs.yml`."),
        ("`OLD: NEW` in MY_NAME", "`OLD: NEW` in `MY_NAME`."),
        ("operationId of {x} *y*", "OperationId of \\{x\\} \\*y\\*."),
        ("the SHA-256 of <old>", "The SHA-256 of `<old>`."),
        ("it ends.", "It ends."),
        ("", ""),
    ],
)
def test_help_texts_become_sentences(text: str, shown: str) -> None:
    """What is quoted is code, and nothing else is markup."""
    assert help_sentence(text) == shown
