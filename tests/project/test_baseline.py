"""The baseline of a contract: what it accepts, what is new, and what no longer occurs."""

from datetime import date
from pathlib import Path

import pytest

from devportal.errors import InvalidSettings, Place
from devportal.findings import Finding, Level
from devportal.project.baseline import Baseline, baseline_text, read_baseline

DAY = date(2026, 12, 1)


def problem(message: str = "3 is no text", *, line: int = 4, level: Level = Level.ERROR) -> Finding:
    """Return a finding of the contract."""
    return Finding(
        rule="contract-example",
        level=level,
        place=Place(file="api/c.yaml", line=line, column=2),
        message=message,
    )


def baseline_of(*findings: Finding) -> Baseline:
    """Return the baseline that accepts these findings."""
    empty = Baseline(name="api/baseline.yaml")
    return Baseline(name=empty.name, problems=empty.accept(findings, day=DAY, reason="Later."))


def rules_and_levels(findings: tuple[Finding, ...]) -> list[tuple[str, str]]:
    """Return rule and level of each finding."""
    return [(finding.rule, str(finding.level)) for finding in findings]


def test_known_problems_become_one_note_wherever_their_lines_moved() -> None:
    """The file and the message identify a problem, not its line."""
    known = baseline_of(problem(), problem("4 is no text"))

    found = known.apply([problem(line=90), problem("4 is no text", line=91)])

    assert rules_and_levels(found) == [("baseline-known", "note")]
    assert "2 known problems accepted: 2 contract-example" in found[0].message


@pytest.mark.parametrize(
    "new",
    [
        problem("5 is no text"),
        Finding(rule="other", level=Level.ERROR, place=Place(file="api/c.yaml"), message="3 is no text"),
        Finding(
            rule="contract-example", level=Level.ERROR, place=Place(file="api/d.yaml"), message="3 is no text"
        ),
    ],
)
def test_another_message_rule_or_file_is_new(new: Finding) -> None:
    """It stays an error."""
    found = baseline_of(problem()).apply([problem(), new])

    assert new in found


def test_an_entry_accepts_one_problem() -> None:
    """A second example with the same mistake is a new problem."""
    second = problem(line=9)

    found = baseline_of(problem()).apply([problem(), second])

    assert rules_and_levels(found) == [("contract-example", "error"), ("baseline-known", "note")]


def test_an_entry_whose_problem_no_longer_occurs_is_a_warning() -> None:
    """It says where the problem was."""
    (found,) = baseline_of(problem()).apply([])

    assert (found.rule, found.level) == ("baseline-stale", Level.WARNING)
    assert "contract-example in c.yaml:4:2" in found.message


def test_warnings_are_neither_accepted_nor_hidden() -> None:
    """Only errors fail a check, so only they need an entry."""
    warning = problem(level=Level.WARNING)

    known = baseline_of(warning)

    assert known.problems == ()
    assert known.apply([warning]) == (warning,)


def test_accepting_again_keeps_day_and_reason_of_what_still_occurs() -> None:
    """New problems get the new day, and stale entries go."""
    before = baseline_of(problem(), problem("gone"))

    after = before.accept([problem(), problem("new")], day=date(2027, 1, 1), reason="Now.")

    assert [
        (known_problem.message, known_problem.accepted, known_problem.reason) for known_problem in after
    ] == [
        ("3 is no text", DAY, "Later."),
        ("new", date(2027, 1, 1), "Now."),
    ]


def test_a_written_baseline_reads_back(tmp_path: Path) -> None:
    """Every entry accepts what it did before."""
    path = tmp_path / "baseline.yaml"
    path.write_text(baseline_text(baseline_of(problem("\"x\": 'y' – ü")).problems), encoding="utf-8")

    read = read_baseline(path, name="api/baseline.yaml")

    assert rules_and_levels(read.apply([problem("\"x\": 'y' – ü")])) == [("baseline-known", "note")]
    assert read.problems[0].place == Place(file="api/baseline.yaml", line=5, column=5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("problems: [{rule: a}]", "the field 'place' is missing"),
        ("known: []", "'known' is not known here"),
        (
            "problems: [{rule: a, place: b, message: c, accepted: soon, reason: d}]",
            "is 'soon', which is not a valid date",
        ),
        ("problems: [{rule: a, place: b, message: c, accepted: '2026-12-01', reason: ''}]", "reason"),
    ],
)
def test_a_baseline_of_another_form_is_refused(text: str, message: str, tmp_path: Path) -> None:
    """With the place and the field."""
    path = tmp_path / "baseline.yaml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(InvalidSettings, match=message):
        read_baseline(path, name="baseline.yaml")
