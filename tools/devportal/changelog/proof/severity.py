"""The severity of impacts and verdicts, and the version that a release with them needs."""

from collections.abc import Iterable
from enum import IntEnum, StrEnum

from devportal.changelog.entries.entry import Entry, Impact
from devportal.contract.semantic_version import Version
from devportal.differ import Change, Verdict
from devportal.translation import gettext, gettext_noop, ngettext, ngettext_noop

PINNED_VERDICTS = frozenset({Verdict.BREAKING, Verdict.RISKY})
"""Verdicts that only a selector with a fingerprint covers: a wide one would also cover later changes."""

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
"""Lifecycle rules that take an announcement back: nobody has to act on them."""
_REMOVED_AFTER_SUNSET = "removed.after-sunset"
_VERSION_RULES = "doc.version."


class Severity(StrEnum):
    """What a change means for readers, the most severe first: an impact, with breaking changes in beta set apart.

    No file has this value: it is derived from the contract (docs/decisions/0057).
    """

    BREAKING = "breaking"
    BREAKING_BETA = "breaking-beta"
    RISKY = "risky"
    DEPRECATION = "deprecation"
    ADDITIVE = "additive"
    FIX = "fix"
    DOCS = "docs"

    @property
    def label(self) -> str:
        """Return the word that people read."""
        return gettext("Breaking: beta") if self is Severity.BREAKING_BETA else Impact(self).label

    @property
    def meaning(self) -> str:
        """Return what it means for code, in one or two sentences."""
        return gettext(_BREAKING_BETA_MEANING) if self is Severity.BREAKING_BETA else Impact(self).meaning

    def count_text(self, number: int) -> str:
        """Return a number of changes with this severity: `3 breaking`."""
        return ngettext(*_COUNTS[self], number)

    @property
    def position(self) -> int:
        """Return where it stands in lists: 0 for the most severe."""
        return _SEVERITIES.index(self)


_SEVERITIES = tuple(Severity)
_COUNTS = {
    Severity.BREAKING: ngettext_noop("%(number)s breaking", "%(number)s breaking"),
    Severity.BREAKING_BETA: ngettext_noop("%(number)s breaking: beta", "%(number)s breaking: beta"),
    Severity.RISKY: ngettext_noop("%(number)s risky", "%(number)s risky"),
    Severity.DEPRECATION: ngettext_noop("%(number)s deprecation", "%(number)s deprecation"),
    Severity.ADDITIVE: ngettext_noop("%(number)s additive", "%(number)s additive"),
    Severity.FIX: ngettext_noop("%(number)s fix", "%(number)s fix"),
    Severity.DOCS: ngettext_noop("%(number)s documentation", "%(number)s documentation"),
}
_BREAKING_BETA_MEANING = gettext_noop(
    "Code that uses a part in beta stops working until you change it. Such a change does not need a new major "
    "version."
)


def change_severity(change: Change) -> Severity:
    """Return what a change means for readers."""
    is_in_beta = change.softened_from is Verdict.BREAKING and change.witness_search is None
    is_softened = change.verdict is Verdict.RISKY and is_in_beta
    return Severity.BREAKING_BETA if is_softened else Severity(advised_impact(change))


def entry_severity(entry: Entry, changes: Iterable[Change]) -> Severity:
    """Return how severe an entry is for readers; it covers the `changes`.

    An entry says itself that it is risky. If it covers a change that breaks code in beta, it is `BREAKING_BETA`.
    """
    breaks_beta = any(change_severity(change) is Severity.BREAKING_BETA for change in changes)
    is_breaking_beta = entry.impact is Impact.RISKY and breaks_beta
    return Severity.BREAKING_BETA if is_breaking_beta else Severity(entry.impact)


class VersionBump(IntEnum):
    """The part of a semantic version that has to rise, the least significant first."""

    PATCH = 0
    MINOR = 1
    MAJOR = 2


def least_impact(change: Change) -> Impact:
    """Return the lowest impact that an entry needs to cover a change."""
    is_taken_back = change.verdict is Verdict.LIFECYCLE and change.rule in _WITHDRAWAL_RULES
    return Impact.ADDITIVE if is_taken_back else _LEAST_IMPACTS[change.verdict]


def advised_impact(change: Change) -> Impact:
    """Return the impact to suggest for an entry of a change: for a removal after its sunset it is risky."""
    return Impact.RISKY if change.rule == _REMOVED_AFTER_SUNSET else least_impact(change)


def is_at_least(impact: Impact, least: Impact) -> bool:
    """Return whether an impact is at least as severe as another."""
    return _RANKS[impact] >= _RANKS[least]


def highest_impact(impacts: Iterable[Impact]) -> Impact:
    """Return the most severe impact; `docs` if there is none."""
    return max(impacts, key=lambda impact: _RANKS[impact], default=Impact.DOCS)


def is_version_change(change: Change) -> bool:
    """Return whether a change is of the version itself, which releases check by their own rules."""
    return change.rule.startswith(_VERSION_RULES)


def needs_entry(change: Change) -> bool:
    """Return whether a change needs an entry: all do but changes of documentation and of the version."""
    return change.verdict is not Verdict.DOCUMENTATION and not is_version_change(change)


def required_bump(changes: Iterable[Change]) -> VersionBump:
    """Return which number has to rise with changes (docs/decisions/0037)."""
    verdicts = {change.verdict for change in changes if not is_version_change(change)}
    if Verdict.BREAKING in verdicts:
        return VersionBump.MAJOR
    return VersionBump.MINOR if verdicts - {Verdict.DOCUMENTATION} else VersionBump.PATCH


def least_version(old: Version, rise: VersionBump) -> Version:
    """Return the lowest version for changes; below 1.0.0 a breaking change raises the second number."""
    if rise is VersionBump.MAJOR and old.major > 0:
        return Version(major=old.major + 1, minor=0, patch=0)
    if rise is VersionBump.PATCH:
        return Version(major=old.major, minor=old.minor, patch=old.patch + 1)
    return Version(major=old.major, minor=old.minor + 1, patch=0)
