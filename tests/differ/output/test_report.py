"""Reports: what counts, what fails, and where a change is."""

from dataclasses import replace

import pytest

from devportal.differ import Verdict
from devportal.differ.output.result import file_of

from .comparing import diff_between, small_diff, with_operations


def test_counts_leave_out_what_is_accepted() -> None:
    """One of the two breaking changes is accepted."""
    report = small_diff()

    assert dict(report.counts())[Verdict.BREAKING] == 1
    assert report.accepted == 1
    assert len(report.comparison.of(Verdict.BREAKING)) == 2


@pytest.mark.parametrize(
    ("fail_on", "fails"),
    [(None, False), (Verdict.BREAKING, False), (Verdict.COMPATIBLE, True), (Verdict.DOCUMENTATION, True)],
)
def test_fails_from_a_verdict_on(*, fail_on: Verdict | None, fails: bool) -> None:
    """A longer text that clients may send is compatible."""
    report = diff_between(with_operations(1, 10), with_operations(1, 20), fail_on=fail_on)

    assert report.fails is fails


def test_nothing_fails_where_nothing_has_changed() -> None:
    """Not even on words."""
    assert not diff_between({}, {}, fail_on=Verdict.DOCUMENTATION).fails


def test_forge_is_shown_the_new_contract_under_its_own_names() -> None:
    """What is gone stands at the nearest part that is left; what has no name there keeps the one it has."""
    report = small_diff()
    places = {
        change.rule: str(replace(report.sides, paths={"new.yaml": "api/new.yaml"}).forge_place(change))
        for change in report.comparison.changes
    }

    assert places["schema.max-length.lowered"] == "api/new.yaml:63:9"
    assert places["operation.removed"] == "api/new.yaml:32:3"
    assert places["doc.version.major-missing"] == "api/new.yaml:2:24"
    assert str(report.sides.forge_place(report.comparison.changes[0])).startswith("new.yaml:")


def test_place_is_that_in_the_new_contract_or_else_in_the_old_one() -> None:
    """What is gone stands in the old contract."""
    report = small_diff()
    places = {change.rule: str(report.sides.place(change)) for change in report.comparison.changes}

    assert places["schema.max-length.lowered"] == "new.yaml:63:9"
    assert places["operation.removed"] == "old.yaml:57:5"
    assert places["doc.version.major-missing"] == "new.yaml:2:24"
    assert file_of(report.sides.new) == "new.yaml"
