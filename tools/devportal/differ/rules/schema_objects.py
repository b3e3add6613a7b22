"""Rules of schemas for objects beyond their listed properties: the unlisted ones, counts, dependents."""

from collections.abc import Iterator, Mapping

from devportal.contract import ABSENT, Schema
from devportal.differ import change
from devportal.differ.normalise.forms import refuses_unlisted_properties
from devportal.differ.phrase import phrase
from devportal.differ.rule import Action, FoundChange, Verdict, quote_value
from devportal.differ.rules.counts import (
    maximum_count_lowered,
    maximum_count_raised,
    minimum_count_lowered,
    minimum_count_raised,
)
from devportal.differ.rules.rows import narrowing_rule, only_for_objects, schema_rule, widening_rule
from devportal.differ.schemas.pair import SchemaPair
from devportal.differ.schemas.position import Side
from devportal.differ.schemas.schema_descriptions import describe_schema
from devportal.translation import gettext_noop

_B, _R, _C = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE
_ADDITIONAL = "additionalProperties"


def _additional_closed(pair: SchemaPair) -> Iterator[FoundChange]:
    if pair.new.is_closed and not refuses_unlisted_properties(pair.old):
        hint = phrase("send only the properties that the schema lists") if pair.is_sent else ""
        yield FoundChange(old=_additional_value(pair, Side.OLD), new=False, keyword=_ADDITIONAL, hint=hint)


def _additional_opened(pair: SchemaPair) -> Iterator[FoundChange]:
    if pair.old.is_closed and not refuses_unlisted_properties(pair.new):
        yield FoundChange(old=False, new=_additional_value(pair, Side.NEW), keyword=_ADDITIONAL)


def _additional_constrained(pair: SchemaPair) -> Iterator[FoundChange]:
    if (
        _may_be_unlisted(pair)
        and pair.new_constraining(pair.new.additional)
        and not pair.old_constraining(pair.old.additional)
    ):
        yield FoundChange(
            old=_additional_value(pair, Side.OLD), new=_additional_value(pair, Side.NEW), keyword=_ADDITIONAL
        )


def _additional_freed(pair: SchemaPair) -> Iterator[FoundChange]:
    if (
        _may_be_unlisted(pair)
        and pair.old_constraining(pair.old.additional)
        and not pair.new_constraining(pair.new.additional)
    ):
        yield FoundChange(
            old=_additional_value(pair, Side.OLD), new=_additional_value(pair, Side.NEW), keyword=_ADDITIONAL
        )


def _may_be_unlisted(pair: SchemaPair) -> bool:
    return not (pair.old.is_closed or pair.new.is_closed)


def _additional_value(pair: SchemaPair, side: Side) -> object:
    form, forms = (pair.old, pair.old_forms) if side is Side.OLD else (pair.new, pair.new_forms)
    if form.is_closed:
        return False
    return describe_schema(forms, form.additional) if form.additional else True


def _pattern_added(pair: SchemaPair) -> Iterator[FoundChange]:
    for pattern, schemas in pair.new.pattern_members.items():
        is_effective = pair.new_constraining(schemas) or _limits_unlisted_properties(pair)
        if pattern not in pair.old.pattern_members and is_effective:
            verdict = _verdict_on_added_pattern(pair, schemas)
            yield _pattern_change(pair, pattern, verdict, says=_added_pattern_sentence(pair, schemas))


def _pattern_removed(pair: SchemaPair) -> Iterator[FoundChange]:
    for pattern, schemas in pair.old.pattern_members.items():
        is_effective = pair.old_constraining(schemas) or _limits_unlisted_properties(pair)
        if pattern not in pair.new.pattern_members and is_effective:
            verdict = _verdict_on_removed_pattern(pair, schemas)
            yield _pattern_change(pair, pattern, verdict, says=_removed_pattern_sentence(pair))


def _limits_unlisted_properties(pair: SchemaPair) -> bool:
    """Say whether both sides limit properties that they do not list, so that any pattern makes a difference."""
    return all(
        refuses_unlisted_properties(form) or constraining(form.additional)
        for form, constraining in ((pair.old, pair.old_constraining), (pair.new, pair.new_constraining))
    )


def _added_pattern_sentence(pair: SchemaPair, schemas: tuple[Schema, ...]) -> str:
    """Return the sentence about a pattern that allows more, empty for that of the rule."""
    if refuses_unlisted_properties(pair.old):
        return gettext_noop("properties whose names match %(name)s are now allowed")
    if not pair.new_constraining(schemas):
        return gettext_noop("properties whose names match %(name)s can now be anything")
    return ""


def _removed_pattern_sentence(pair: SchemaPair) -> str:
    """Return the sentence about a pattern whose properties are limited otherwise, empty for that of the rule."""
    if refuses_unlisted_properties(pair.new):
        return gettext_noop("properties whose names match %(name)s are no longer allowed")
    if pair.new_constraining(pair.new.additional):
        return gettext_noop(
            "properties whose names match %(name)s must now be as all others (additionalProperties)"
        )
    return ""


def _verdict_on_added_pattern(pair: SchemaPair, schemas: tuple[Schema, ...]) -> Verdict | None:
    """Return the verdict on a pattern whose properties `additionalProperties` described before."""
    if refuses_unlisted_properties(pair.old):
        return _C if pair.is_sent else _R
    rest = pair.old_constraining(pair.old.additional)
    if not rest:
        return None
    if pair.is_sent:
        return _C if pair.includes(rest, Side.OLD, schemas, Side.NEW) else _B
    return _C if pair.includes(schemas, Side.NEW, rest, Side.OLD) else _B


def _verdict_on_removed_pattern(pair: SchemaPair, schemas: tuple[Schema, ...]) -> Verdict | None:
    """Return the verdict on a pattern whose properties are now like all unlisted ones."""
    if refuses_unlisted_properties(pair.new):
        return _B if pair.is_sent else _C
    rest = pair.new_constraining(pair.new.additional)
    if not rest:
        return None
    if pair.is_sent:
        return _C if pair.includes(schemas, Side.OLD, rest, Side.NEW) else _B
    return _C if pair.includes(rest, Side.NEW, schemas, Side.OLD) else _B


def _pattern_change(pair: SchemaPair, pattern: str, verdict: Verdict | None, *, says: str) -> FoundChange:
    old, new = (form.pattern_members.get(pattern) for form in (pair.old, pair.new))
    return FoundChange(
        old=describe_schema(pair.old_forms, old) if old else ABSENT,
        new=describe_schema(pair.new_forms, new) if new else ABSENT,
        at=change.property_step(pattern),
        keyword="patternProperties",
        verdict=verdict,
        says=says,
        names={"name": quote_value(pattern)},
    )


def _dependents_added(pair: SchemaPair) -> Iterator[FoundChange]:
    yield from _dependent_changes(
        pair, _dependents_beyond_required(pair, Side.OLD), _dependents_beyond_required(pair, Side.NEW)
    )


def _dependents_removed(pair: SchemaPair) -> Iterator[FoundChange]:
    yield from _dependent_changes(
        pair, _dependents_beyond_required(pair, Side.NEW), _dependents_beyond_required(pair, Side.OLD)
    )


def _dependent_changes(
    pair: SchemaPair, less: Mapping[str, frozenset[str]], more: Mapping[str, frozenset[str]]
) -> Iterator[FoundChange]:
    """Yield the properties that one side asks more of than the other."""
    before, after = (form.dependent_required for form in (pair.old, pair.new))
    for name, others in more.items():
        further = others - less.get(name, frozenset())
        if further:
            yield FoundChange(
                old=sorted(before.get(name, ())) or ABSENT,
                new=sorted(after.get(name, ())) or ABSENT,
                at=change.property_step(name),
                keyword="dependentRequired",
                names={"name": quote_value(name), "others": ", ".join(map(quote_value, sorted(further)))},
            )


def _dependents_beyond_required(pair: SchemaPair, side: Side) -> Mapping[str, frozenset[str]]:
    """Return the dependent names of properties without those that are required anyway."""
    form = pair.old if side is Side.OLD else pair.new
    required = {name for name, member in form.members.items() if member.is_required}
    return {name: others - required - {name} for name, others in form.dependent_required.items()}


OBJECT_RULES = (
    narrowing_rule(
        "schema.additional.closed",
        gettext_noop("unlisted properties are no longer allowed (additionalProperties)"),
        only_for_objects(_additional_closed),
        mirror="schema.additional.opened",
        waiver="readers are expected to ignore properties that they do not know",
    ),
    schema_rule(
        "schema.additional.opened",
        Action.WIDENED,
        (_C, _R),
        gettext_noop("unlisted properties are now allowed (additionalProperties)"),
        only_for_objects(_additional_opened),
        mirror="schema.additional.closed",
        waiver="readers are expected to ignore properties that they do not know",
    ),
    narrowing_rule(
        "schema.additional.constrained",
        gettext_noop("unlisted properties must now be %(new)s (additionalProperties)"),
        only_for_objects(_additional_constrained),
        mirror="schema.additional.freed",
        waiver="readers are expected to ignore properties that they do not know",
    ),
    schema_rule(
        "schema.additional.freed",
        Action.WIDENED,
        (_C, _R),
        gettext_noop("unlisted properties no longer have to be %(old)s (additionalProperties)"),
        only_for_objects(_additional_freed),
        mirror="schema.additional.constrained",
        waiver="readers are expected to ignore properties that they do not know",
    ),
    narrowing_rule(
        "schema.min-properties.raised",
        gettext_noop("minProperties is raised from %(old)s to %(new)s"),
        only_for_objects(minimum_count_raised("minProperties")),
        mirror="schema.min-properties.lowered",
    ),
    widening_rule(
        "schema.min-properties.lowered",
        gettext_noop("minProperties is lowered from %(old)s to %(new)s"),
        only_for_objects(minimum_count_lowered("minProperties")),
        mirror="schema.min-properties.raised",
    ),
    narrowing_rule(
        "schema.max-properties.lowered",
        gettext_noop("maxProperties is lowered from %(old)s to %(new)s"),
        only_for_objects(maximum_count_lowered("maxProperties")),
        mirror="schema.max-properties.raised",
    ),
    widening_rule(
        "schema.max-properties.raised",
        gettext_noop("maxProperties is raised from %(old)s to %(new)s"),
        only_for_objects(maximum_count_raised("maxProperties")),
        mirror="schema.max-properties.lowered",
    ),
    narrowing_rule(
        "schema.pattern-property.added",
        gettext_noop("properties whose names match %(name)s must now be %(new)s"),
        only_for_objects(_pattern_added),
        mirror="schema.pattern-property.removed",
        action=Action.ADDED,
    ),
    widening_rule(
        "schema.pattern-property.removed",
        gettext_noop("properties whose names match %(name)s no longer have a schema"),
        only_for_objects(_pattern_removed),
        mirror="schema.pattern-property.added",
        action=Action.REMOVED,
    ),
    narrowing_rule(
        "schema.dependent-required.added",
        gettext_noop("%(name)s now requires %(others)s beside it"),
        only_for_objects(_dependents_added),
        mirror="schema.dependent-required.removed",
        action=Action.ADDED,
    ),
    widening_rule(
        "schema.dependent-required.removed",
        gettext_noop("%(name)s no longer requires %(others)s beside it"),
        only_for_objects(_dependents_removed),
        mirror="schema.dependent-required.added",
        action=Action.REMOVED,
    ),
)
