"""Rules of schemas for the properties of objects: added, removed, required or optional."""

from collections.abc import Iterator

from devportal.contract import ABSENT, Location, Schema, Stability
from devportal.differ import change
from devportal.differ.normalise.forms import (
    NormalProperty,
    NormalSchema,
    refuses_unlisted_properties,
)
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.normalise.unevaluated import undescribed_property_schemas
from devportal.differ.pairs.lifecycle import property_removal
from devportal.differ.phrase import phrase
from devportal.differ.policy import UnknownInput
from devportal.differ.rule import Action, FoundChange, Verdict, join_reasons, quote_value
from devportal.differ.rules.rows import narrowing_rule, only_for_objects, schema_rule, widening_rule
from devportal.differ.schemas.pair import SchemaPair
from devportal.differ.schemas.position import Side
from devportal.differ.schemas.property_moves import property_moves
from devportal.differ.schemas.schema_descriptions import describe_schema
from devportal.translation import gettext_noop

_B, _R, _C = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE
UNKNOWN_REASON = phrase("clients may reject it, because unlisted properties were not allowed")
_NARROWED_REASON = phrase("branches of the union allowed other values of it")
CLOSED_REASON = phrase("unlisted properties are rejected")


def property_change(
    pair: SchemaPair,
    old: NormalProperty | None,
    new: NormalProperty | None,
    *,
    verdict: Verdict | None = None,
    reason: str = "",
    hint: str = "",
    moved_to: str = "",
) -> FoundChange:
    """Return the change of a property that one side or both have; `moved_to` is where its value is now."""
    one = new or old
    assert one is not None  # noqa: S101 - a property is on one side at least
    if pair.is_question:
        return FoundChange(old=ABSENT, new=ABSENT, at=change.property_step(one.name), verdict=verdict)
    before = old.schemas[-1] if old is not None and old.schemas else None
    after = new.schemas[-1] if new is not None and new.schemas else None
    rename = pair.property_renames.of_names(old.name if old else "", new.name if new else "")
    new_name = quote_value(rename.new) if rename is not None else moved_to
    if rename is not None:
        reason = join_reasons(rename.reason(is_removed=new is None), reason)
    elif moved_to:
        reason = join_reasons(phrase("possibly moved to %(name)s", name=new_name), reason)
    if new_name:
        hint = (
            phrase("send %(name)s instead", name=new_name)
            if pair.is_sent
            else phrase("read %(name)s instead", name=new_name)
        )
    return FoundChange(
        old=_describe_property(pair.old_forms, old) if old is not None else ABSENT,
        new=_describe_property(pair.new_forms, new) if new is not None else ABSENT,
        at=change.property_step(one.name),
        keyword="properties",
        old_location=before.location if before is not None else None,
        new_location=after.location if after is not None else None,
        verdict=verdict,
        reason=reason,
        hint=hint,
        names={"name": quote_value(one.name)},
        stability=before.stability if before is not None else None,
    )


def _describe_property(forms: SchemaNormaliser, member: NormalProperty) -> str:
    return describe_schema(forms, member.schemas) if member.schemas else "anything"


def _optional_property_added(pair: SchemaPair) -> Iterator[FoundChange]:
    for member in pair.properties.added:
        if member.is_required:
            continue
        verdict, reason = None, ""
        if not pair.is_sent and refuses_unlisted_properties(pair.old):
            verdict, reason = _R, UNKNOWN_REASON
        elif pair.is_sent and _is_wider_in_a_branch(pair, member):
            verdict, reason = _B, _NARROWED_REASON
        yield property_change(pair, None, member, verdict=verdict, reason=reason)


def _is_wider_in_a_branch(pair: SchemaPair, member: NormalProperty) -> bool:
    """Say whether a branch of an old union lists a property already, and allows more than what is added."""
    branches = (branch for union in pair.old.unions for branch in union.branches)
    listed = (pair.old_forms.of(branch).members.get(member.name) for branch in branches)
    return any(
        not pair.includes(normal_property.schemas, Side.OLD, member.schemas, Side.NEW)
        for normal_property in listed
        if normal_property is not None and normal_property.schemas
    )


def _required_property_added(pair: SchemaPair) -> Iterator[FoundChange]:
    for member in pair.properties.added:
        if member.is_required:
            hint = phrase("always send it") if pair.is_sent else ""
            yield property_change(pair, None, member, hint=hint)
    if pair.is_sent:
        for name, member in pair.new_permitted.items():
            if member.is_required and pair.is_read_only(member) and name not in pair.old_permitted:
                yield property_change(
                    pair, None, member, verdict=_C, reason=phrase("it is read-only, so nobody sends it")
                )


def refuses_removed_properties(pair: SchemaPair) -> bool:
    """Return whether requests that still have a removed property are rejected."""
    return refuses_unlisted_properties(pair.new) or pair.policy.unknown_input is UnknownInput.REJECTED


def _removed_without_sunset(pair: SchemaPair) -> Iterator[NormalProperty]:
    """Yield the removed properties, without those whose sunset decides the verdict."""
    return (
        normal_property
        for normal_property in pair.properties.removed
        if not property_removal(pair, normal_property).has_known_sunset
    )


def _request_property_removed(pair: SchemaPair) -> Iterator[FoundChange]:
    is_unwelcome_now, moves = refuses_removed_properties(pair), property_moves(pair)
    for member in _removed_without_sunset(pair) if pair.is_sent else ():
        if _is_in_a_branch(pair, member.name):
            yield property_change(pair, member, None, verdict=_C, reason=_IN_BRANCHES)
            continue
        unlisted = undescribed_property_schemas(pair.new, pair.new_forms, member.name)
        if unlisted and not any(schema.verdict is False for schema in unlisted):
            yield property_change(pair, member, None, reason=_AMONG_UNLISTED)
            continue
        yield property_change(
            pair,
            member,
            None,
            verdict=_B if is_unwelcome_now else None,
            reason=CLOSED_REASON
            if is_unwelcome_now
            else phrase("clients that still send it do not learn that it is ignored"),
            hint=phrase("stop sending it"),
            moved_to=moves.get(member.name, ""),
        )


def _is_in_a_branch(pair: SchemaPair, name: str) -> bool:
    """Say whether a branch of a new union has a property: who may send it there is a matter of the union."""
    branches = (branch for union in pair.new.unions for branch in union.branches)
    listed = (pair.new_forms.of(branch).members.get(name) for branch in branches)
    return any(member is not None and member.schemas for member in listed)


_IN_BRANCHES = phrase("only branches of the union have it now")
_AMONG_UNLISTED = phrase("the rule for unlisted properties applies to it now")


def _required_property_removed(pair: SchemaPair) -> Iterator[FoundChange]:
    moves = property_moves(pair)
    for member in _removed_without_sunset(pair) if not pair.is_sent else ():
        if member.is_required:
            reason = _IN_BRANCHES if _is_in_a_branch(pair, member.name) else ""
            moved_to = moves.get(member.name, "")
            yield property_change(
                pair, member, None, reason=reason, hint=phrase("stop reading it"), moved_to=moved_to
            )


def _optional_property_removed(pair: SchemaPair) -> Iterator[FoundChange]:
    moves = property_moves(pair)
    for member in _removed_without_sunset(pair) if not pair.is_sent else ():
        if not member.is_required:
            yield property_change(
                pair,
                member,
                None,
                verdict=pair.policy.response_optional_removed,
                reason=_IN_BRANCHES if _is_in_a_branch(pair, member.name) else "",
                hint=phrase("stop reading it"),
                moved_to=moves.get(member.name, ""),
            )


def _property_forbidden(pair: SchemaPair) -> Iterator[FoundChange]:
    for member in pair.properties.forbidden:
        old = pair.old_permitted.get(member.name)
        was_described = old is not None and bool(old.schemas)
        verdict, reason, hint = None, "", ""
        if was_described and member.name not in pair.old_members:
            verdict = _C
        elif pair.is_sent:
            hint = phrase("stop sending it")
        elif not was_described:
            verdict = _C
        elif old is not None and old.is_required:
            verdict, reason = _B, phrase("responses always had it")
        else:
            verdict = pair.policy.response_optional_removed
        yield property_change(
            pair, old if was_described else None, member, verdict=verdict, reason=reason, hint=hint
        )


def _property_permitted(pair: SchemaPair) -> Iterator[FoundChange]:
    for member in pair.properties.permitted:
        new = pair.new_permitted.get(member.name)
        is_described = new is not None and bool(new.schemas)
        is_harmless = pair.is_sent or (is_described and member.name not in pair.new_members)
        yield property_change(
            pair,
            member,
            new if is_described else None,
            verdict=_C if is_harmless else None,
            reason="" if is_harmless else phrase("clients may reject it, because it was ruled out"),
        )


def _became_required(pair: SchemaPair) -> Iterator[FoundChange]:
    for name, new in pair.new_members.items():
        old = pair.old_members.get(name)
        if new.is_required and new.schemas and old is not None and not old.is_required:
            yield _requirement_change(pair, name, is_required=True)


def _became_optional(pair: SchemaPair) -> Iterator[FoundChange]:
    forbidden = {member.name for member in pair.properties.forbidden}
    for name, old in pair.old_members.items():
        new = pair.new_members.get(name)
        if name in forbidden:
            continue
        is_dropped = new is None and not old.schemas and name not in pair.new_permitted
        if old.is_required and (is_dropped or (new is not None and not new.is_required)):
            yield _requirement_change(pair, name, is_required=False)


def _undeclared_property_required(pair: SchemaPair) -> Iterator[FoundChange]:
    for name, new in pair.new_members.items():
        old = pair.old_permitted.get(name)
        was_hidden_or_required = old is not None and (old.is_required or name not in pair.old_members)
        if new.is_required and not new.schemas and not was_hidden_or_required:
            yield _requirement_change(pair, name, is_required=True)


def _requirement_change(pair: SchemaPair, name: str, *, is_required: bool) -> FoundChange:
    words = ("optional", "required") if is_required else ("required", "optional")
    part = _requiring_part(pair.new if is_required else pair.old, name)
    return FoundChange(
        old=words[0],
        new=words[1],
        at=change.property_step(name),
        keyword="required",
        old_location=_location_of_part(part, pair.old),
        new_location=_location_of_part(part, pair.new),
        names={"name": quote_value(name)},
        stability=_stability(pair, name),
    )


def _requiring_part(form: NormalSchema, name: str) -> Schema | None:
    """Return the part that requires a property: other parts may have a `required` too, which does not list it."""
    return next((part for part in reversed(form.parts) if name in part.required), None)


def _location_of_part(part: Schema | None, form: NormalSchema) -> Location | None:
    """Return the location of a part that a form has, too, None if it has no such part."""
    return next(
        (own.location for own in form.parts if part is not None and own.location == part.location), None
    )


def _stability(pair: SchemaPair, name: str) -> Stability | None:
    member = pair.old_permitted.get(name)
    return member.schemas[-1].stability if member is not None and member.schemas else None


PROPERTY_RULES = (
    schema_rule(
        "schema.property.added.optional",
        Action.ADDED,
        (_C, _C),
        gettext_noop("the optional property %(name)s is added"),
        only_for_objects(_optional_property_added),
        mirror="schema.property.removed.optional",
        waiver="who reads may miss a property that is gone, and nobody has to send one that is new",
    ),
    narrowing_rule(
        "schema.property.added.required",
        gettext_noop("the required property %(name)s is added"),
        only_for_objects(_required_property_added),
        mirror="schema.property.removed.required",
        action=Action.ADDED,
        waiver="what is sent without need is judged by schema.property.removed",
    ),
    schema_rule(
        "schema.property.removed",
        Action.REMOVED,
        (_R, None),
        gettext_noop("the property %(name)s is removed"),
        only_for_objects(_request_property_removed),
        mirror="schema.property.added.optional",
        waiver="the server may ignore what callers still send, but a new member in a response harms nobody",
    ),
    schema_rule(
        "schema.property.removed.required",
        Action.REMOVED,
        (None, _B),
        gettext_noop("the required property %(name)s is removed"),
        only_for_objects(_required_property_removed),
        mirror="schema.property.added.required",
        waiver="what is sent without need is judged by schema.property.removed",
    ),
    schema_rule(
        "schema.property.removed.optional",
        Action.REMOVED,
        (None, _R),
        gettext_noop("the optional property %(name)s is removed"),
        only_for_objects(_optional_property_removed),
        mirror="schema.property.added.optional",
        waiver="who reads may miss a property that is gone, and nobody has to send one that is new",
    ),
    schema_rule(
        "schema.property.forbidden",
        Action.NARROWED,
        (_B, _R),
        gettext_noop("the property %(name)s is no longer allowed"),
        only_for_objects(_property_forbidden),
        mirror="schema.property.permitted",
        waiver="who reads may miss a property that is gone, and may reject one that was ruled out",
    ),
    schema_rule(
        "schema.property.permitted",
        Action.WIDENED,
        (_C, _R),
        gettext_noop("the property %(name)s is now allowed"),
        only_for_objects(_property_permitted),
        mirror="schema.property.forbidden",
        waiver="few readers reject a property that was ruled out",
    ),
    narrowing_rule(
        "schema.property.became-required",
        gettext_noop("the property %(name)s is now required"),
        only_for_objects(_became_required),
        mirror="schema.property.became-optional",
    ),
    widening_rule(
        "schema.property.became-optional",
        gettext_noop("the property %(name)s is now optional"),
        only_for_objects(_became_optional),
        mirror="schema.property.became-required",
    ),
    narrowing_rule(
        "schema.required.undeclared",
        gettext_noop("the property %(name)s, which has no schema, is now required"),
        only_for_objects(_undeclared_property_required),
        mirror="schema.property.became-optional",
    ),
)
