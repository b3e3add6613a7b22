"""Rules of schemas for the properties of objects: come, gone, renamed, required or not any more."""

from collections.abc import Iterator

from devportal.contract import ABSENT, Stability
from devportal.differ import fields
from devportal.differ.describing import described
from devportal.differ.forms import Member
from devportal.differ.lives import removal_of
from devportal.differ.normal import Forms
from devportal.differ.openness import refuses_unknown
from devportal.differ.pair import SchemaPair
from devportal.differ.policy import UnknownInput
from devportal.differ.rule import Action, Hit
from devportal.differ.rules.rows import narrowing, of_objects, row, widening
from devportal.differ.verdict import Verdict
from devportal.differ.wording import shown

_B, _R, _C = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE
_UNKNOWN_REASON = "readers may refuse what the object did not list"
CLOSED_REASON = "the object refuses what it does not list"


def member_hit(
    pair: SchemaPair,
    old: Member | None,
    new: Member | None,
    *,
    verdict: Verdict | None = None,
    reason: str = "",
    hint: str = "",
) -> Hit:
    """Return the hit of a property that one side has, or both."""
    one = new or old
    assert one is not None  # noqa: S101 - a property is on one side at least
    before = old.schemas[-1] if old is not None and old.schemas else None
    after = new.schemas[-1] if new is not None and new.schemas else None
    return Hit(
        old=_described(pair.old_forms, old) if old is not None else ABSENT,
        new=_described(pair.new_forms, new) if new is not None else ABSENT,
        at=fields.member(one.name),
        keyword="properties",
        old_location=before.location if before is not None else None,
        new_location=after.location if after is not None else None,
        verdict=verdict,
        reason=reason,
        hint=hint,
        names={"name": shown(one.name), "former": shown(old.name if old is not None else one.name)},
        stability=before.stability if before is not None else None,
    )


def _described(forms: Forms, member: Member) -> str:
    return described(forms, member.schemas) if member.schemas else "anything"


def _added_optional(pair: SchemaPair) -> Iterator[Hit]:
    for member in pair.properties.added:
        if member.is_required:
            continue
        is_new = not pair.is_sent and refuses_unknown(pair.old)
        reason = _UNKNOWN_REASON if is_new else ""
        yield member_hit(pair, None, member, verdict=_R if is_new else None, reason=reason)


def _added_required(pair: SchemaPair) -> Iterator[Hit]:
    for member in pair.properties.added:
        if member.is_required:
            hint = "make it optional, or give the operation a new version" if pair.is_sent else ""
            yield member_hit(pair, None, member, hint=hint)
    if pair.is_sent:
        for name, member in pair.new_permitted.items():
            if member.is_required and member.is_read_only and name not in pair.old_permitted:
                yield member_hit(pair, None, member, verdict=_C, reason="it is read-only, so nobody sends it")


def is_unwelcome(pair: SchemaPair) -> bool:
    """Say whether who still sends a property that is gone is turned away."""
    return refuses_unknown(pair.new) or pair.policy.unknown_input is UnknownInput.REJECTED


def _removed(pair: SchemaPair) -> Iterator[Member]:
    """Yield the properties that are gone, those apart whose sunset tells how bad that is."""
    return (one for one in pair.properties.removed if not removal_of(pair, one).is_told)


def _removed_from_request(pair: SchemaPair) -> Iterator[Hit]:
    is_unwelcome_now = is_unwelcome(pair)
    for member in _removed(pair) if pair.is_sent else ():
        yield member_hit(
            pair,
            member,
            None,
            verdict=_B if is_unwelcome_now else None,
            reason=CLOSED_REASON
            if is_unwelcome_now
            else "whoever still sends it is not told that it counts no more",
            hint="deprecate it with a sunset date before it goes",
        )


def _removed_required(pair: SchemaPair) -> Iterator[Hit]:
    for member in _removed(pair) if not pair.is_sent else ():
        if member.is_required:
            hint = "keep sending it, and deprecate it with a sunset date first"
            yield member_hit(pair, member, None, hint=hint)


def _removed_optional(pair: SchemaPair) -> Iterator[Hit]:
    for member in _removed(pair) if not pair.is_sent else ():
        if not member.is_required:
            yield member_hit(
                pair,
                member,
                None,
                verdict=pair.policy.response_optional_removed,
                hint="deprecate it with a sunset date before it goes",
            )


def _renamed(pair: SchemaPair) -> Iterator[Hit]:
    for old, new in pair.properties.renamed:
        hint = f"accept or send both {shown(old.name)} and {shown(new.name)} for a time"
        yield member_hit(pair, old, new, hint=hint)


def _became_required(pair: SchemaPair) -> Iterator[Hit]:
    for name, new in pair.new_members.items():
        old = pair.old_members.get(name)
        if new.is_required and new.schemas and old is not None and not old.is_required:
            yield _requirement_hit(pair, name, is_required=True)


def _became_optional(pair: SchemaPair) -> Iterator[Hit]:
    for name, old in pair.old_members.items():
        new = pair.new_members.get(name)
        is_dropped = new is None and not old.schemas and name not in pair.new_permitted
        if old.is_required and (is_dropped or (new is not None and not new.is_required)):
            yield _requirement_hit(pair, name, is_required=False)


def _undeclared(pair: SchemaPair) -> Iterator[Hit]:
    for name, new in pair.new_members.items():
        old = pair.old_permitted.get(name)
        if new.is_required and not new.schemas and not (old is not None and old.is_required):
            yield _requirement_hit(pair, name, is_required=True)


def _requirement_hit(pair: SchemaPair, name: str, *, is_required: bool) -> Hit:
    words = ("optional", "required") if is_required else ("required", "optional")
    return Hit(
        old=words[0],
        new=words[1],
        at=fields.member(name),
        keyword="required",
        names={"name": shown(name)},
        stability=_stability(pair, name),
    )


def _stability(pair: SchemaPair, name: str) -> Stability | None:
    member = pair.old_permitted.get(name)
    return member.schemas[-1].stability if member is not None and member.schemas else None


PROPERTY_RULES = (
    row(
        "schema.property.added.optional",
        Action.ADDED,
        (_C, _C),
        "the optional property {name} is added",
        of_objects(_added_optional),
        mirror="schema.property.removed.optional",
        waiver="who reads may miss a property that is gone, and nobody has to send one that is new",
    ),
    narrowing(
        "schema.property.added.required",
        "the required property {name} is added",
        of_objects(_added_required),
        mirror="schema.property.removed.required",
        action=Action.ADDED,
        waiver="what is sent without need is judged by schema.property.removed",
    ),
    row(
        "schema.property.removed",
        Action.REMOVED,
        (_R, None),
        "the property {name} is removed",
        of_objects(_removed_from_request),
        mirror="schema.property.added.optional",
        waiver="what callers still send may be ignored, but what is new in an answer harms nobody",
    ),
    row(
        "schema.property.removed.required",
        Action.REMOVED,
        (None, _B),
        "the required property {name} is removed",
        of_objects(_removed_required),
        mirror="schema.property.added.required",
        waiver="what is sent without need is judged by schema.property.removed",
    ),
    row(
        "schema.property.removed.optional",
        Action.REMOVED,
        (None, _R),
        "the optional property {name} is removed",
        of_objects(_removed_optional),
        mirror="schema.property.added.optional",
        waiver="who reads may miss a property that is gone, and nobody has to send one that is new",
    ),
    row(
        "schema.property.renamed",
        Action.CHANGED,
        (_B, _B),
        "the property {former} is now called {name}",
        of_objects(_renamed),
    ),
    narrowing(
        "schema.property.became-required",
        "the property {name} is required from now on",
        of_objects(_became_required),
        mirror="schema.property.became-optional",
    ),
    widening(
        "schema.property.became-optional",
        "the property {name} is no longer required",
        of_objects(_became_optional),
        mirror="schema.property.became-required",
    ),
    narrowing(
        "schema.required.undeclared",
        "the property {name}, which no schema describes, is required from now on",
        of_objects(_undeclared),
        mirror="schema.property.became-optional",
    ),
)
