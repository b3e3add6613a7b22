"""Rules of the headers that webhooks and callbacks come with: signatures, timestamps, ids of events."""

from collections.abc import Iterator

from devportal.contract import ABSENT, Parameter
from devportal.differ.located_changes import location_or_parent
from devportal.differ.pairs.parameter_pair import ParameterChange, ParameterChangeKind
from devportal.differ.phrase import phrase
from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict
from devportal.translation import gettext_noop

_B, _C = Verdict.BREAKING, Verdict.COMPATIBLE
_GONE = frozenset({ParameterChangeKind.REMOVED, ParameterChangeKind.RELOCATED})


def _header_removed(pair: ParameterChange) -> Iterator[FoundChange]:
    if pair.kind in _GONE and pair.old is not None:
        new_name = pair.new.name if pair.new is not None else pair.rename.new if pair.rename else ""
        hint = phrase("read %(name)s instead", name=new_name) if new_name else phrase("stop reading it")
        yield _event_header_change(pair, pair.old, hint=hint)


def _header_added(pair: ParameterChange) -> Iterator[FoundChange]:
    if pair.kind is ParameterChangeKind.ADDED and pair.new is not None:
        yield _event_header_change(pair, pair.new)


def _event_header_change(pair: ParameterChange, header: Parameter, *, hint: str = "") -> FoundChange:
    old, new = pair.old, pair.new
    outer = pair.operation
    return FoundChange(
        old=old.name if header is old else ABSENT,
        new=new.name if new is not None and header is new else ABSENT,
        old_location=location_or_parent(old.location, outer.old.location)
        if old is not None
        else outer.old.location,
        new_location=location_or_parent(new.location, outer.new.location)
        if new is not None
        else outer.new.location,
        reason=pair.rename_reason,
        hint=hint,
        names={"name": header.name},
    )


_WAIVER = "a header that comes may be ignored, one that goes is missed by who reads it"

EVENT_HEADER_RULES: tuple[Rule[ParameterChange], ...] = (
    Rule(
        id="webhook.header.removed",
        area=Area.WEBHOOK,
        action=Action.REMOVED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the header %(name)s of the event is removed"),
        find=_header_removed,
        mirror="webhook.header.added",
        waiver=_WAIVER,
    ),
    Rule(
        id="webhook.header.added",
        area=Area.WEBHOOK,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("the header %(name)s of the event is added"),
        find=_header_added,
        mirror="webhook.header.removed",
        waiver=_WAIVER,
    ),
)
