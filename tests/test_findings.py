"""Findings: their text, their order, and which of them make a check fail."""

import pytest

from devportal.errors import Place
from devportal.findings import (
    Finding,
    Level,
    describe_findings,
    group_by_cause,
    has_errors,
    in_order,
    join_errors,
)


def _finding(*, line: int = 1, rule: str = "r", level: Level = Level.ERROR, advice: str = "") -> Finding:
    place = Place(file="a.yaml", line=line, column=1)
    return Finding(rule=rule, level=level, place=place, message="it is wrong", help=advice)


def test_a_finding_is_written_as_compilers_do() -> None:
    """Place, level, message and rule in one line, and what to do in the next."""
    written = str(_finding(line=3, advice="fix it"))

    assert written == "a.yaml:3:1: error: it is wrong [r]\n  help: fix it"


def test_the_same_advice_for_findings_in_a_row_comes_once() -> None:
    """After the last of them, where a terminal ends."""
    advices = ("a", "a", "b", "", "", "a")
    findings = [_finding(line=line, advice=advice) for line, advice in enumerate(advices, 1)]

    texts = [text.partition("[r]")[2] for text in describe_findings(findings)]

    assert texts == ["", "\n  help: a", "\n  help: b", "", "", "\n  help: a"]


def test_findings_can_be_the_message_of_one_error() -> None:
    """Whoever prints it writes `error:` before it, so it does not begin with a level."""
    message = join_errors([_finding(line=1, advice="a"), _finding(line=2)])

    assert message == "a.yaml:1:1: it is wrong\n  help: a\nerror: a.yaml:2:1: it is wrong"


def test_findings_come_by_place_then_rule_and_once() -> None:
    """The order does not depend on who found what first, and nothing is said twice."""
    late, early, other = _finding(line=10), _finding(line=9), _finding(line=9, rule="q")

    ordered = in_order([late, early, other, late, _finding(line=9)])

    assert ordered == (other, early, late)


@pytest.mark.parametrize(
    ("levels", "fails"),
    [((), False), ((Level.NOTE, Level.WARNING), False), ((Level.WARNING, Level.ERROR), True)],
)
def test_only_errors_fail_a_check(levels: tuple[Level, ...], *, fails: bool) -> None:
    """Warnings and notes are told and let through."""
    found = has_errors(_finding(level=level) for level in levels)

    assert found is fails


def test_one_cause_in_many_places_is_one_finding_with_a_count_and_the_first_places() -> None:
    """Findings of a file that differ in their line alone are one; other files and messages stay apart."""
    places = [("a", 4, "m"), ("a", 1, "m"), ("a", 2, "m"), ("a", 3, "m"), ("a", 9, "n"), ("b", 1, "m")]
    found = [
        Finding(rule="r", level=Level.ERROR, place=Place(file=file, line=line, column=1), message=message)
        for file, line, message in places
    ]

    first, *others = group_by_cause(found)

    assert str(first) == "a:1:1: error: m [r]\n  4 places, also a:2:1, a:3:1 and 1 more"
    assert [(finding.place.file, finding.message, finding.other_places) for finding in others] == [
        ("a", "n", ()),
        ("b", "m", ()),
    ]


def test_one_cause_in_many_files_can_be_one_finding() -> None:
    """At its first place, with those in other files."""
    found = [
        Finding(rule="r", level=Level.ERROR, place=Place(file=name, line=1, column=1), message="m")
        for name in ("b", "a")
    ]

    (joined,) = group_by_cause(found, across_files=True)

    assert (joined.place.file, [place.file for place in joined.other_places]) == ("a", ["b"])
    assert len(group_by_cause(found)) == 2
