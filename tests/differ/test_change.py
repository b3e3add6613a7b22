"""A change is named by its fingerprint, and has its place in the list."""

from dataclasses import replace
from typing import Any

import pytest

from devportal.contract import ABSENT
from devportal.differ.change import Change, Subject, SubjectKind, change_sort_key
from devportal.differ.rule import Action, Area, Direction, Verdict

SEND = Subject(kind=SubjectKind.OPERATION, name="POST /v1/messages")
CHANGE = Change(
    rule="schema.type.changed",
    area=Area.SCHEMA,
    action=Action.CHANGED,
    verdict=Verdict.RISKY,
    direction=Direction.TO_PROVIDER,
    subject=SEND,
    field="request.to",
    old="string",
    new="integer",
    old_location=None,
    new_location=None,
    message="the type is changed",
)


@pytest.mark.parametrize(
    "other",
    [
        {"rule": "schema.type.narrowed"},
        {"direction": Direction.TO_CONSUMER},
        {"direction": None},
        {"subject": Subject(kind=SubjectKind.EVENT, name=SEND.name)},
        {"subject": Subject(kind=SubjectKind.OPERATION, name="GET /v1/messages")},
        {"subject": replace(SEND, section="schemas")},
        {"field": "request.from"},
        {"old": "number"},
        {"old": ABSENT},
        {"old": "integer", "new": "string"},
        {"essence": "0123"},
    ],
    ids=str,
)
def test_a_fingerprint_names_rule_place_direction_and_values(other: dict[str, Any]) -> None:
    """A change that differs in one of them is another change, which nobody has accepted yet."""
    assert replace(CHANGE, **other).fingerprint != CHANGE.fingerprint


@pytest.mark.parametrize(
    "other", [{"message": "another type"}, {"hint": "send a number"}, {"verdict": Verdict.BREAKING}], ids=str
)
def test_a_fingerprint_leaves_wording_and_verdict_open(other: dict[str, Any]) -> None:
    """What was accepted stays so when it is worded or judged anew."""
    assert replace(CHANGE, **other).fingerprint == CHANGE.fingerprint


def test_a_fingerprint_is_the_one_that_entries_hold() -> None:
    """Entries of a changelog pin it: it has 16 digits, and is the same in each run and version."""
    assert CHANGE.fingerprint == "b9dc5217091126af"


def test_changes_are_listed_by_gravity_then_by_place() -> None:
    """The order is that of verdict, subject, field, rule and direction, so that lists do not jump about."""
    ordered = [
        replace(CHANGE, verdict=Verdict.BREAKING, field="request.z"),
        replace(
            CHANGE, subject=Subject(kind=SubjectKind.OPERATION, name="GET /v1/messages"), field="request.z"
        ),
        replace(CHANGE, field="request.a", rule="z"),
        replace(CHANGE, direction=None),
        replace(CHANGE, direction=Direction.TO_CONSUMER),
        CHANGE,
        replace(CHANGE, rule="schema.z", direction=None),
        replace(CHANGE, verdict=Verdict.COMPATIBLE, field="request.a"),
        replace(CHANGE, verdict=Verdict.LIFECYCLE, field="request.a"),
        replace(CHANGE, verdict=Verdict.DOCUMENTATION, field="request.a"),
    ]
    jumbled = ordered[::-1]

    assert sorted(jumbled, key=change_sort_key) == ordered


@pytest.mark.parametrize(
    ("subject", "told"),
    [
        (Subject(kind=SubjectKind.DOCUMENT), "the contract"),
        (SEND, "POST /v1/messages"),
        (Subject(kind=SubjectKind.EVENT, name="message.sent"), "message.sent"),
        (Subject(kind=SubjectKind.COMPONENT, name="Message", section="schemas"), "schema Message"),
        (Subject(kind=SubjectKind.COMPONENT, name="Message", section="x-parts"), "x-parts Message"),
    ],
)
def test_a_subject_reads_as_people_call_it(subject: Subject, told: str) -> None:
    """A component is named with its kind, an operation or event as it is."""
    assert str(subject) == told
