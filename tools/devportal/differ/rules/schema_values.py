"""Rules of schemas for values: enum, const, sets that may grow, defaults (JSON Schema Validation §6, §9)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from devportal.contract import ABSENT
from devportal.contract.wire_format.serialisation import scalar_text
from devportal.differ.normalise.all_of import canonical_json, fits_types, type_of
from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.phrase import phrase
from devportal.differ.policy import OpenSet
from devportal.differ.rule import Action, FoundChange, Verdict
from devportal.differ.rules.rows import narrowing_rule, schema_rule, widening_rule
from devportal.differ.schemas.pair import SchemaPair
from devportal.translation import gettext_noop

_B, _R, _C, _N = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE, Verdict.DOCUMENTATION

_OPEN_SET_VERDICTS = {OpenSet.CLOSED: _B, OpenSet.OPEN: _C, OpenSet.RISKY: _R}


def _enum_lists(pair: SchemaPair) -> tuple[Sequence[Any], Sequence[Any]] | None:
    """Return the values that both sides list, None if a side lists none or no value but null."""
    old, new = pair.old, pair.new
    if old.values is None or new.values is None or old.is_only_null or new.is_only_null:
        return None
    return old.values, new.values


def _value_removed(pair: SchemaPair) -> Iterator[FoundChange]:
    lists = _enum_lists(pair)
    if lists is not None and not _has_other_const(pair):
        for value in _values_without(*lists, is_text=pair.position.is_text):
            yield FoundChange(
                keyword="enum", old=value, hint=phrase("stop sending it") if pair.is_sent else ""
            )


def _value_added(pair: SchemaPair) -> Iterator[FoundChange]:
    lists = _enum_lists(pair)
    if lists is not None and not _has_other_const(pair):
        for value in _values_without(lists[1], lists[0], is_text=pair.position.is_text):
            yield _added_value(pair, value)
    elif pair.old.extensible and pair.new.extensible and lists is None:
        for value in _values_without(pair.new.extensible, pair.old.extensible):
            yield FoundChange(keyword="x-extensible-enum", new=value, verdict=_C)


def _added_value(pair: SchemaPair, value: Any) -> FoundChange:
    """Return the change for a value that is new in a list. Consumers may expect new values, not another type."""
    if not pair.is_sent and not pair.position.is_text and not fits_types(value, _known_types(pair.old)):
        return FoundChange(
            keyword="enum", new=value, verdict=_B, reason=phrase("no value had this type before")
        )
    return FoundChange(
        keyword="enum", new=value, verdict=_open_set_verdict(pair), hint=_unknown_value_hint(pair)
    )


def _known_types(form: NormalSchema) -> frozenset[str]:
    """Return the types that the values of a list are known to have: those that are written, or else theirs."""
    return form.declared_types or frozenset(map(type_of, form.values or ()))


def _extensible_removed(pair: SchemaPair) -> Iterator[FoundChange]:
    if pair.old.extensible and pair.new.extensible and _enum_lists(pair) is None:
        for value in _values_without(pair.old.extensible, pair.new.extensible):
            yield FoundChange(keyword="x-extensible-enum", old=value)


def _values_without(values: Sequence[Any], others: Sequence[Any], *, is_text: bool = False) -> Iterator[Any]:
    """Yield each value once that is not among others. As text, 1 and "1" are the same."""
    key_of = _written_text if is_text else canonical_json
    excluded = set(map(key_of, others))
    for value in values:
        key = key_of(value)
        if key not in excluded:
            excluded.add(key)
            yield value


def _written_text(value: Any) -> str:
    return value if isinstance(value, str) else canonical_json(value)


def _open_set_verdict(pair: SchemaPair) -> Verdict | None:
    """Return the verdict on values that a consumer does not know: breaking if the schema forbids them."""
    if pair.is_sent:
        return None
    if pair.position.is_negated:
        return _B
    return _C if pair.old.extensible is not None else _OPEN_SET_VERDICTS[pair.policy.response_enum]


def _unknown_value_hint(pair: SchemaPair) -> str:
    return (
        "" if pair.is_sent else phrase("expect values that you do not know, and do not treat them as errors")
    )


def _enum_set(pair: SchemaPair) -> Iterator[FoundChange]:
    if _is_enum_set(pair, pair.old, pair.new) and not pair.new.is_const:
        yield FoundChange(keyword="enum", new=list(pair.new.values or ()))


def _enum_unset(pair: SchemaPair) -> Iterator[FoundChange]:
    if _is_enum_set(pair, pair.new, pair.old) and not pair.old.is_const:
        is_retyped = not (pair.is_sent or pair.old.declared_types or pair.new.types)
        yield FoundChange(
            keyword="enum",
            old=list(pair.old.values or ()),
            verdict=_B if is_retyped else _open_set_verdict(pair),
            reason=phrase("any type is allowed as well") if is_retyped else "",
        )


def _is_enum_set(pair: SchemaPair, without: NormalSchema, with_values: NormalSchema) -> bool:
    if without.values is not None or with_values.values is None or with_values.is_only_null:
        return False
    key_of = _written_text if pair.position.is_text else canonical_json
    return without.types != {"boolean"} or not set(map(key_of, with_values.values)) >= _BOOLEANS


_BOOLEANS = frozenset({"true", "false"})
"""Every value of the type boolean, as text: a list with both of them limits it in nothing."""


def _enum_reordered(pair: SchemaPair) -> Iterator[FoundChange]:
    lists = _enum_lists(pair)
    if lists is not None and has_moved_descriptions(pair):
        yield FoundChange(keyword="enum", old=list(lists[0]), new=list(lists[1]))


def has_moved_descriptions(pair: SchemaPair) -> bool:
    """Say whether the same values have the same descriptions, but not each its own any longer."""
    lists = _enum_lists(pair)
    if lists is None or sorted(map(canonical_json, lists[0])) != sorted(map(canonical_json, lists[1])):
        return False
    old, new = (
        dict(enum_description for part in form.parts for enum_description in part.enum_descriptions)
        for form in (pair.old, pair.new)
    )
    return old != new and sorted(old.values()) == sorted(new.values())


def _const_set(pair: SchemaPair) -> Iterator[FoundChange]:
    if _is_enum_set(pair, pair.old, pair.new) and pair.new.is_const:
        yield _const_change(pair)


def _const_unset(pair: SchemaPair) -> Iterator[FoundChange]:
    if _is_enum_set(pair, pair.new, pair.old) and pair.old.is_const:
        yield _const_change(pair)


def _const_changed(pair: SchemaPair) -> Iterator[FoundChange]:
    if _has_other_const(pair):
        yield _const_change(pair)


def _has_other_const(pair: SchemaPair) -> bool:
    lists = _enum_lists(pair)
    if lists is None or not (pair.old.is_const and pair.new.is_const):
        return False
    return list(map(canonical_json, lists[0])) != list(map(canonical_json, lists[1]))


def _const_change(pair: SchemaPair) -> FoundChange:
    old, new = (form.values[0] if form.values else ABSENT for form in (pair.old, pair.new))
    return FoundChange(keyword="enum", old=old, new=new)


def _default_changed(pair: SchemaPair) -> Iterator[FoundChange]:
    """Yield a changed default, unless it is never used, or that of a parameter, which has a separate rule."""
    old, new = pair.old.default, pair.new.default
    is_told_elsewhere = pair.position.is_parameter or (pair.is_sent and pair.position.is_required)
    if _default_key(old) == _default_key(new) or is_told_elsewhere:
        return
    found = FoundChange(keyword="default", old=old, new=new)
    if _is_retyped_default(pair):
        yield replace(found, verdict=Verdict.DOCUMENTATION, reason=_RETYPED_DEFAULT)
        return
    if pair.is_sent and pair.position.was_required:
        reason = phrase("a value was always sent until now, so nobody relies on the default")
        yield replace(found, verdict=Verdict.DOCUMENTATION, reason=reason)
        return
    verdict = pair.policy.default_change if pair.is_sent else None
    hint = phrase("send the value that you rely on") if pair.is_sent and old is not ABSENT else ""
    yield replace(found, verdict=verdict, hint=hint)


_RETYPED_DEFAULT = phrase(
    "the value is the same, written before or now in a type that the schema does not allow"
)


def _is_retyped_default(pair: SchemaPair) -> bool:
    """Say whether a default is the same text as before, but of another type, which one of the schemas refuses: YAML
    reads `true` as no string.
    """
    defaults = pair.old.default, pair.new.default
    if not all(isinstance(default, str | int | float) for default in defaults):
        return False
    has_same_text = scalar_text(defaults[0]) == scalar_text(defaults[1])
    return has_same_text and any(
        form.types and not fits_types(default, form.types)
        for form, default in zip((pair.old, pair.new), defaults, strict=True)
    )


def _default_key(default: Any) -> str:
    return "" if default is ABSENT else canonical_json(default)


_WAIVER = "values that are not known harm only those who receive them, and how much is for them to say"

VALUE_RULES = (
    narrowing_rule(
        "schema.enum.value.removed",
        gettext_noop("the value %(old)s is no longer allowed"),
        _value_removed,
        mirror="schema.enum.value.added",
        waiver=_WAIVER,
    ),
    schema_rule(
        "schema.enum.value.added",
        Action.WIDENED,
        (_C, _R),
        gettext_noop("the value %(new)s is now allowed"),
        _value_added,
        mirror="schema.enum.value.removed",
        waiver=_WAIVER,
    ),
    narrowing_rule(
        "schema.enum.set",
        gettext_noop("values are now limited to %(new)s (enum)"),
        _enum_set,
        mirror="schema.enum.unset",
        waiver=_WAIVER,
    ),
    schema_rule(
        "schema.enum.unset",
        Action.WIDENED,
        (_C, _R),
        gettext_noop("other values than %(old)s are now allowed (enum is removed)"),
        _enum_unset,
        mirror="schema.enum.set",
        waiver=_WAIVER,
    ),
    schema_rule(
        "schema.enum.reordered",
        Action.CHANGED,
        (_N, _N),
        gettext_noop("the descriptions of enum values are in another order than the values"),
        _enum_reordered,
    ),
    narrowing_rule(
        "schema.enum.extensible.removed",
        gettext_noop("%(old)s is removed from the known values"),
        _extensible_removed,
        mirror="schema.enum.value.added",
        waiver="a set that may grow is open to its receivers by its own word",
    ),
    narrowing_rule(
        "schema.const.set",
        gettext_noop("only %(new)s is now allowed (const)"),
        _const_set,
        mirror="schema.const.unset",
    ),
    widening_rule(
        "schema.const.unset",
        gettext_noop("other values than %(old)s are now allowed (const is removed)"),
        _const_unset,
        mirror="schema.const.set",
    ),
    schema_rule(
        "schema.const.changed",
        Action.CHANGED,
        (_B, _B),
        gettext_noop("the only allowed value is changed from %(old)s to %(new)s (const)"),
        _const_changed,
    ),
    schema_rule(
        "schema.default.changed",
        Action.CHANGED,
        (_R, _C),
        gettext_noop("the default is changed from %(old)s to %(new)s"),
        _default_changed,
        waiver="a default speaks for those who leave a value out, which only senders do",
    ),
)
