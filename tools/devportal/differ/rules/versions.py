"""Rules of the contract's own version, which has to fit the other changes."""

from collections.abc import Iterator
from dataclasses import dataclass

from devportal.contract.semantic_version import read_version
from devportal.differ.phrase import phrase
from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict
from devportal.translation import gettext_noop

_R = Verdict.RISKY


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionPair:
    """The versions of both contracts as written, and whether anything between them is breaking."""

    old: str
    new: str
    is_breaking: bool


def _version_unchanged(pair: VersionPair) -> Iterator[FoundChange]:
    old, new = read_version(pair.old), read_version(pair.new)
    if pair.is_breaking and old is not None and old == new:
        yield FoundChange(old=pair.old, new=pair.new, hint=phrase("raise the major version"))


def _version_decreased(pair: VersionPair) -> Iterator[FoundChange]:
    old, new = read_version(pair.old), read_version(pair.new)
    if old is not None and new is not None and new < old:
        yield FoundChange(old=pair.old, new=pair.new)


def _major_step_missing(pair: VersionPair) -> Iterator[FoundChange]:
    old, new = read_version(pair.old), read_version(pair.new)
    if not pair.is_breaking or old is None or new is None:
        return
    if new > old and not old.is_major_step_to(new):
        yield FoundChange(
            old=pair.old, new=pair.new, hint=phrase("raise the major version; below 1.0.0 the minor one")
        )


VERSION_RULES: tuple[Rule[VersionPair], ...] = (
    Rule(
        id="doc.version.unchanged",
        area=Area.DOCUMENT,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("there is a breaking change, but the version is still %(old)s"),
        find=_version_unchanged,
    ),
    Rule(
        id="doc.version.decreased",
        area=Area.DOCUMENT,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("the version %(new)s is lower than %(old)s"),
        find=_version_decreased,
        waiver="a version that rises is what every release does",
    ),
    Rule(
        id="doc.version.major-missing",
        area=Area.DOCUMENT,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("there is a breaking change, but %(new)s after %(old)s is not a major version"),
        find=_major_step_missing,
        waiver="whether something breaks depends on which contract is the older one",
    ),
)
"""They look at what all other rules found, so they are tried last."""
