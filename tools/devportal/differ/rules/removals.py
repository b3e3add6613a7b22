"""Rules of removed parts with a known sunset, which replace the other rules of removal."""

from collections.abc import Iterator

from devportal.differ.pairs.lifecycle import Removal
from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict
from devportal.translation import gettext_noop

_B, _L = Verdict.BREAKING, Verdict.LIFECYCLE


def _removed_before_sunset(removal: Removal) -> Iterator[FoundChange]:
    if removal.has_known_sunset and not removal.is_due:
        yield _removal_change(removal)


def _removed_after_sunset(removal: Removal) -> Iterator[FoundChange]:
    if removal.is_due:
        yield _removal_change(removal)


def _removal_change(removal: Removal) -> FoundChange:
    life = removal.lifecycle
    return FoundChange(
        old=removal.name,
        at=removal.at,
        old_location=life.location,
        names={"sunset": life.sunset},
        stability=life.stability,
    )


REMOVAL_RULES: tuple[Rule[Removal], ...] = (
    Rule(
        id="removed.before-sunset",
        area=Area.LIFECYCLE,
        action=Action.REMOVED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("%(old)s is removed before its sunset, %(sunset)s"),
        find=_removed_before_sunset,
        waiver="what is added has no sunset yet",
    ),
    Rule(
        id="removed.after-sunset",
        area=Area.LIFECYCLE,
        action=Action.REMOVED,
        to_provider=_L,
        to_consumer=_L,
        says=gettext_noop("%(old)s is removed after its sunset, %(sunset)s"),
        find=_removed_after_sunset,
        waiver="what is added has no sunset yet",
    ),
)
