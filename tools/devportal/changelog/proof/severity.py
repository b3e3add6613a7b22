"""How grave impacts and verdicts are beside each other, and what a release with them has to be called."""

from collections.abc import Iterable
from enum import IntEnum

from devportal.changelog.entries.entry import Impact
from devportal.contract.semantic_version import Version
from devportal.differ import Change, Verdict

PINNED_VERDICTS = frozenset({Verdict.BREAKING, Verdict.RISKY})
"""Verdicts that only a selector with their fingerprint covers: a wide one would cover what comes later."""

_RANKS = {
    Impact.BREAKING: 4,
    Impact.RISKY: 3,
    Impact.DEPRECATION: 2,
    Impact.ADDITIVE: 1,
    Impact.FIX: 1,
    Impact.DOCS: 0,
}
_LEAST_IMPACTS = {
    Verdict.BREAKING: Impact.BREAKING,
    Verdict.RISKY: Impact.RISKY,
    Verdict.LIFECYCLE: Impact.DEPRECATION,
    Verdict.COMPATIBLE: Impact.ADDITIVE,
    Verdict.DOCUMENTATION: Impact.DOCS,
}
_WITHDRAWAL_RULES = frozenset({"deprecated.unset", "sunset.dropped"})
"""Rules of lifecycle after which nobody has to plan anything."""
_REMOVED_AFTER_SUNSET = "removed.after-sunset"
_VERSION_RULES = "doc.version."


class VersionBump(IntEnum):
    """The number of a semantic version that has to rise, the least first."""

    PATCH = 0
    MINOR = 1
    MAJOR = 2


def least_impact(change: Change) -> Impact:
    """Return the least impact that an entry may have that tells a change."""
    is_taken_back = change.verdict is Verdict.LIFECYCLE and change.rule in _WITHDRAWAL_RULES
    return Impact.ADDITIVE if is_taken_back else _LEAST_IMPACTS[change.verdict]


def advised_impact(change: Change) -> Impact:
    """Return the impact to give to an entry that tells a change: what is gone is no deprecation any more."""
    return Impact.RISKY if change.rule == _REMOVED_AFTER_SUNSET else least_impact(change)


def is_at_least(impact: Impact, least: Impact) -> bool:
    """Say whether an impact is as grave as another, or graver."""
    return _RANKS[impact] >= _RANKS[least]


def highest_impact(impacts: Iterable[Impact]) -> Impact:
    """Return the gravest impact, that of words where there is none."""
    return max(impacts, key=lambda impact: _RANKS[impact], default=Impact.DOCS)


def is_version_change(change: Change) -> bool:
    """Say whether a change is of the version itself, which releases check by their own rules."""
    return change.rule.startswith(_VERSION_RULES)


def needs_entry(change: Change) -> bool:
    """Say whether a change needs an entry: each does but those of words."""
    return change.verdict is not Verdict.DOCUMENTATION and not is_version_change(change)


def required_bump(changes: Iterable[Change]) -> VersionBump:
    """Return which number has to rise with changes (docs/decisions/0037)."""
    verdicts = {change.verdict for change in changes if not is_version_change(change)}
    if Verdict.BREAKING in verdicts:
        return VersionBump.MAJOR
    return VersionBump.MINOR if verdicts - {Verdict.DOCUMENTATION} else VersionBump.PATCH


def least_version(old: Version, rise: VersionBump) -> Version:
    """Return the least version that announces changes; below 1.0.0 the second number tells what breaks."""
    if rise is VersionBump.MAJOR and old.major > 0:
        return Version(major=old.major + 1, minor=0, patch=0)
    if rise is VersionBump.PATCH:
        return Version(major=old.major, minor=old.minor, patch=old.patch + 1)
    return Version(major=old.major, minor=old.minor + 1, patch=0)
