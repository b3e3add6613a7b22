"""The facts of a draft: what they say, in which order, and that nobody but its author sees them."""

from pathlib import Path

import pytest

from devportal.changelog.entries.facts import facts_block, has_facts, with_facts, without_facts
from devportal.changelog.releases.manifest import entry_digest
from devportal.differ import Change
from tests.changelog.history import Shelf, contract, put, with_shorter_text, with_weight
from tests.changelog.samples import MIGRATION, entry

SCHEMA = ("components", "schemas", "Parcel", "properties")
BLOCK = "<!-- facts -->\n\n```diff\n@@ old @@\n```\n\n<!-- /facts -->"


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """One release."""
    return Shelf(tmp_path, contract("1.0.0"))


def mixed_changes(shelf: Shelf) -> tuple[Change, ...]:
    """Return changes of several operations, schemas and verdicts."""
    data = put(
        with_shorter_text(with_weight(contract("2.0.0"))),
        "paths",
        "/parcels",
        "get",
        "deprecated",
        value=True,
    )
    return shelf.unreleased_step(data).step.changes_needing_entry


def test_facts_say_what_was_and_is(shelf: Shelf) -> None:
    """Each change is a line of words, and a line for the value on each side that has one."""
    changes = shelf.unreleased_step(with_shorter_text(contract("2.0.0"))).step.changes_needing_entry

    assert facts_block(changes).split("\n") == [
        "<!-- facts -->",
        "",
        "```diff",
        "@@ schema NewParcel, to: maxLength is set to 5 @@",
        "+ 5",
        "```",
        "",
        "<!-- /facts -->",
    ]


def test_facts_leave_out_what_the_sentence_says(tmp_path: Path) -> None:
    """Whether null is allowed, a part is required, or a bound is exclusive is said in words."""
    weight = ("components", "schemas", "Parcel", "properties", "weight")
    before = put(contract("1.0.0"), *weight, value={"type": "number", "minimum": 0})
    after = put(contract("2.0.0"), *weight, value={"type": ["number", "null"], "exclusiveMinimum": 0})
    step = Shelf(tmp_path, before).unreleased_step(after).step

    lines = facts_block(step.changes_needing_entry).split("\n")

    assert not {"- true", "+ true", "- false", "+ false"} & set(lines)
    assert "+ 0 (exclusive)" in lines


def test_facts_stand_in_one_order(shelf: Shelf) -> None:
    """However the changes come, the gravest are first, and the bytes are the same."""
    changes = mixed_changes(shelf)

    made = facts_block(changes)

    heads = [line for line in made.split("\n") if line.startswith("@@ ")]
    assert len(heads) == len(changes) > 2
    assert facts_block(reversed(changes)) == made
    assert "maxLength" in heads[0]


def test_facts_of_a_rename_name_both_properties(shelf: Shelf) -> None:
    """The removal and the addition stay apart, and each says what the property may be called instead."""
    data = put(contract("2.0.0"), *SCHEMA, value={"id": {"type": "string"}, "states": {"type": "string"}})

    lines = facts_block(shelf.unreleased_step(data).step.changes_needing_entry).split("\n")

    heads = [line for line in lines if line.startswith("@@ ") and "possibly renamed" in line]
    assert ['possibly renamed to "states"' in line for line in heads] == [True, False]
    assert ['possibly renamed from "state"' in line for line in heads] == [False, True]


def test_facts_are_brought_up_to_date(shelf: Shelf) -> None:
    """What stands around them stays, byte for byte."""
    changes = mixed_changes(shelf)

    made = with_facts(f"Before.\r\n{BLOCK}  after\n", changes)

    assert made.replace("\r\n", "\n") == f"Before.\n{facts_block(changes)}  after\n"
    assert made.startswith("Before.\r\n<!-- facts -->\n\n```diff\n@@ ")
    assert with_facts(made, changes) == made


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_facts_have_the_line_breaks_of_their_file(shelf: Shelf, ending: str) -> None:
    """A file from another system stays one, and facts that are right are not written again."""
    changes = mixed_changes(shelf)
    text = f"Before.\n{facts_block(changes)}\nAfter.".replace("\n", ending)

    assert with_facts(text, changes) == text
    assert with_facts(f"Before.{ending}<!-- facts --><!-- /facts -->{ending}After.", changes) == text


def test_text_without_facts_gets_none(shelf: Shelf) -> None:
    """Where somebody removed them they stay removed."""
    assert with_facts("Words.", mixed_changes(shelf)) == "Words."
    assert (has_facts("Words."), has_facts(BLOCK), has_facts("<!-- facts -->")) == (False, True, False)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"A thing.\n\n{BLOCK}\n", "A thing."),
        (f"{BLOCK}\n\nA thing.", "A thing."),
        (f"One.\n\n{BLOCK}\n\nTwo.", "One.\n\nTwo."),
        (BLOCK, ""),
        ("    code\n", "    code\n"),
    ],
)
def test_readers_are_told_the_prose_alone(text: str, left: str) -> None:
    """The facts are cut out without a trace."""
    assert without_facts(text) == left


def test_facts_are_no_part_of_an_entry() -> None:
    """The page shows the changes of the contract itself, and to bring facts up to date corrects nothing."""
    drafted = entry(MIGRATION.replace("A thing.", f"A thing.\n\n{BLOCK}"))

    assert [section.text for section in drafted.sections] == [
        section.text for section in entry(MIGRATION).sections
    ]
    assert entry_digest(drafted) == entry_digest(entry(MIGRATION))
