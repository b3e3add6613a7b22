"""How grave changes and impacts are beside each other, and what version has to announce them."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from devportal.changelog import Impact
from devportal.changelog.proof.severity import (
    VersionBump,
    advised_impact,
    highest_impact,
    is_at_least,
    least_impact,
    least_version,
    needs_entry,
    required_bump,
)
from devportal.contract.semantic_version import Version
from devportal.differ import Change, Verdict
from tests.changelog.history import Shelf, contract, with_shorter_text


@pytest.fixture
def change(tmp_path: Path) -> Change:
    """A change that breaks."""
    (found,) = (
        item
        for item in Shelf(tmp_path, contract()).unreleased_step(with_shorter_text(contract())).step.changes
        if item.verdict is Verdict.BREAKING
    )
    return found


@pytest.mark.parametrize("rule", ["deprecated.unset", "sunset.dropped"])
def test_what_is_taken_back_is_told_as_an_addition(change: Change, rule: str) -> None:
    """Unless a policy calls it graver: the verdict comes first."""
    assert least_impact(replace(change, rule=rule, verdict=Verdict.LIFECYCLE)) is Impact.ADDITIVE
    assert least_impact(replace(change, rule=rule, verdict=Verdict.BREAKING)) is Impact.BREAKING
    assert least_impact(replace(change, rule=rule, verdict=Verdict.RISKY)) is Impact.RISKY


def test_what_is_announced_is_told_as_a_deprecation(change: Change) -> None:
    """What was announced and is gone is told as risky: nobody has time left."""
    announced = replace(change, rule="deprecated.set", verdict=Verdict.LIFECYCLE)
    gone = replace(change, rule="removed.after-sunset", verdict=Verdict.LIFECYCLE)

    assert least_impact(announced) is advised_impact(announced) is Impact.DEPRECATION
    assert least_impact(gone) is Impact.DEPRECATION
    assert advised_impact(gone) is Impact.RISKY


def test_impacts_are_in_the_order_of_their_gravity() -> None:
    """Each is as grave as itself, and as those below it; a fix weighs what an addition weighs."""
    order = (Impact.DOCS, Impact.ADDITIVE, Impact.DEPRECATION, Impact.RISKY, Impact.BREAKING)

    for milder, graver in pairwise(order):
        assert is_at_least(graver, milder)
        assert is_at_least(graver, graver)
        assert not is_at_least(milder, graver)
    assert is_at_least(Impact.FIX, Impact.ADDITIVE)
    assert is_at_least(Impact.ADDITIVE, Impact.FIX)
    assert highest_impact(order) is Impact.BREAKING
    assert highest_impact(()) is Impact.DOCS


@pytest.mark.parametrize(
    ("verdict", "rise"),
    [
        (Verdict.BREAKING, VersionBump.MAJOR),
        (Verdict.RISKY, VersionBump.MINOR),
        (Verdict.LIFECYCLE, VersionBump.MINOR),
        (Verdict.COMPATIBLE, VersionBump.MINOR),
        (Verdict.DOCUMENTATION, VersionBump.PATCH),
    ],
)
def test_a_verdict_says_which_number_rises(change: Change, verdict: Verdict, rise: VersionBump) -> None:
    """The gravest of several decides; that the version did not rise itself counts for nothing."""
    words = replace(change, verdict=Verdict.DOCUMENTATION)
    of_version = replace(change, rule="doc.version.unchanged", verdict=Verdict.BREAKING)

    assert required_bump((replace(change, verdict=verdict), words, of_version)) is rise
    assert needs_entry(replace(change, verdict=verdict)) is (verdict is not Verdict.DOCUMENTATION)
    assert not needs_entry(of_version)


@pytest.mark.parametrize(
    ("old", "rise", "least"),
    [
        ((1, 2, 3), VersionBump.MAJOR, (2, 0, 0)),
        ((1, 2, 3), VersionBump.MINOR, (1, 3, 0)),
        ((1, 2, 3), VersionBump.PATCH, (1, 2, 4)),
        ((0, 2, 3), VersionBump.MAJOR, (0, 3, 0)),
        ((0, 2, 3), VersionBump.PATCH, (0, 2, 4)),
    ],
)
def test_the_least_version_that_announces(
    old: tuple[int, int, int], rise: VersionBump, least: tuple[int, int, int]
) -> None:
    """Numbers below the one that rises begin anew; below 1.0.0 the second number tells what breaks."""
    assert least_version(version(*old), rise) == version(*least)


def version(major: int, minor: int, patch: int) -> Version:
    """Return a version of three numbers."""
    return Version(major=major, minor=minor, patch=patch)
