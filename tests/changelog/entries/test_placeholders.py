"""Placeholders of drafts: found whatever people did to them, and not in what people wrote."""

from datetime import date
from pathlib import Path

import pytest

from devportal.changelog import check_changelog, load_changelog
from devportal.changelog.entries.placeholders import (
    PROMPTS,
    is_proposed_title,
    placeholder_lines,
    proposed_title,
)
from devportal.findings import Finding
from tests.changelog.history import Shelf, contract, with_weight
from tests.changelog.samples import BODY, MIGRATION, entry

ROOT = Path(__file__).parents[3]
WHAT, WHO, MIGRATE = PROMPTS.values()


def findings(*texts: str) -> list[Finding]:
    """Return what is wrong with an entry whose sections have these texts."""
    body = MIGRATION
    for old, new in zip(("A thing.", "All.", "Move."), texts, strict=False):
        body = body.replace(old, new)
    return list(check_changelog([entry(body)], today=date(2026, 11, 21), apis={"Messages"}))


@pytest.mark.parametrize(
    "text",
    [
        f"WRITE: {WHAT}",
        WHAT,
        WHAT.upper(),
        WHAT.replace(",", "").rstrip("."),
        f"**{WHAT}**",
        f"> _{WHAT}_",
        f"- {WHAT}",
        f"SCHREIBEN: {WHAT}",
        f"TODO {WHAT}",
        f"Mine: {WHAT}",
        "What is different\nnow, and why,\nin one or two sentences.",
        "What's different now, and why, in one or two sentences?",
        "What is different now and why, in two sentences.",
        "What is new or different now, and why, in one or two short sentences.",
        "What is different now, and why.",
        "What is different now?",
        "What is different.",
        f"The limit is lower now.\n\n{WHAT}",
        f"The limit is lower now. {WHAT} Clients have to send less.",
    ],
)
def test_placeholder_is_found_in_whatever_form(text: str) -> None:
    """Its words are its marker: case, punctuation, emphasis and a few words do not matter."""
    (found,) = findings(text)

    assert found.rule == "changelog-prose"
    assert "`## What changed` still has a placeholder of the draft" in found.message
    assert found.help == "write what changed and why, in your own words"


@pytest.mark.parametrize(
    "texts",
    [
        ("A thing.", WHO),
        ("A thing.", "Who is affected and how can they find out?"),
        ("A thing.", "Who is affected."),
        ("A thing.", "All.", MIGRATE),
        ("A thing.", "All.", "what to change, step by step, with before and after."),
        ("A thing.", "who is affected, and how they can find out."),
        ("A thing.", "All.", "What you have to change, step by step, with before and after:"),
        ("A thing.", "All.", "Step by step, with before and after."),
        (WHO,),
    ],
)
def test_placeholders_of_all_sections_are_found(texts: tuple[str, ...]) -> None:
    """Those of other sections as well, if somebody moved them."""
    assert [finding.rule for finding in findings(*texts)] == ["changelog-prose"]


@pytest.mark.parametrize(
    "texts",
    [
        ("It is gone.", "All.", "Stop."),
        ("Now it works.", "Nobody.", "None."),
        ("It is different.", "Readers.", "Find out."),
        ("Different sentences.", "They are.", "Change readers."),
        ("What was optional is required now.", "Who sends notes.", "Change `a` to `b`."),
        ("The default is different now: 20, and not 50.", "Everyone who relied on the old one.", "Send 50."),
        (
            "A note is different now, because two clients sent texts in one or two languages.",
            "You are affected if you send notes. How you can find out: look for `note` in your code.",
            "Before: `a`. After: `b`. What to change in your code: the name, in each step.",
        ),
        ("It is gone.", "Who is affected and how:\n\n- all", "What to change, step by step:\n\n1. The name."),
        (
            "It is gone.",
            "All.",
            "This is what to change, step by step: the name.\n\nBefore and after:\n\n`a`",
        ),
        (
            "In one or two sentences: the field is called `b`.",
            "They who find `a` in their code are affected.",
            "Move step by step: first read both, with `b` before `a`.",
        ),
    ],
)
def test_honest_short_sentences_pass(texts: tuple[str, ...]) -> None:
    """What a person wrote may share words with a placeholder."""
    assert findings(*texts) == []


def test_line_of_the_placeholder_is_reported() -> None:
    """It is that of the file, below the facts too."""
    facts = "<!-- facts -->\n\n```diff\n@@ what is different now, and why @@\n```\n\n<!-- /facts -->"
    written = entry(BODY.replace("A thing.", f"A thing.\n\n{facts}\n\nWhat is different now,\nand why."))
    lines = str(BODY.replace("A thing.", f"A thing.\n\n{facts}\n\nWhat is different now,")).split("\n")

    (found,) = check_changelog([written], today=date(2026, 11, 21), apis={"Messages"})

    first = written.sections[0].first_line
    assert found.place.line == first + lines.index("What is different now,") - 1
    assert "'What is different now,'" in found.message


def test_published_entries_of_this_api_have_none() -> None:
    """Nothing in our own changelog is taken for a placeholder."""
    entries, _ = load_changelog(ROOT / "changelog", name="changelog")

    assert [item.id for item in entries if any(map(placeholder_lines, item.sections))] == []


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ('schema Parcel: the optional property "weight" is added', True),
        ("Schema Parcel - The optional property `weight` is added.", True),
        ('schema Parcel: the optional property "weight" is added, and 3 more', True),
        ("Parcel: the optional property weight is added", True),
        ("Parcels have a weight", False),
        ("The weight of a parcel is added as an optional property", False),
        ("Weight added", False),
    ],
)
def test_proposed_title_is_recognised(tmp_path: Path, title: str, *, expected: bool) -> None:
    """A title that a person wrote may name the same part."""
    changes = (
        Shelf(tmp_path, contract()).unreleased_step(with_weight(contract("1.1.0"))).step.changes_needing_entry
    )

    assert is_proposed_title(title, changes) is expected


def test_shortened_title_is_recognised(tmp_path: Path) -> None:
    """A draft cuts off what does not fit into a title."""
    changes = (
        Shelf(tmp_path, contract()).unreleased_step(with_weight(contract("1.1.0"))).step.changes_needing_entry
    )

    assert is_proposed_title("schema Parcel: the optional property…, and 2 more", changes)


def test_proposed_title_names_an_operation_once(tmp_path: Path) -> None:
    """The sentence of a removed operation begins with its name, which need not stand before it."""
    new = contract("1.1.0")
    ((path, methods),) = list(new["paths"].items())[:1]
    method = next(iter(methods))
    del new["paths"][path]
    changes = Shelf(tmp_path, contract()).unreleased_step(new).step.changes_needing_entry

    titles = [proposed_title(change) for change in changes if change.rule == "operation.removed"]

    assert f"{method.upper()} {path} is removed" in titles
