"""Rules of schemas for types and null (JSON Schema 2020-12 Validation §6.1.1, OAS 3.0.3 §4.7.24)."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from devportal.contract import ABSENT
from devportal.differ.change import property_step
from devportal.differ.normalise.all_of import refuses_all
from devportal.differ.normalise.forms import SCALARS, NormalSchema
from devportal.differ.phrase import or_phrase, phrase
from devportal.differ.rule import Action, FoundChange, Verdict, quote_value
from devportal.differ.rules.rows import narrowing_rule, schema_rule, widening_rule
from devportal.differ.schemas.effective_keywords import (
    TypePair,
    are_included_as_text,
    compared_types,
)
from devportal.differ.schemas.format_changes import is_format_respelled
from devportal.differ.schemas.number_texts import (
    allows_only_digits_of,
    has_branch_for_every_text,
    has_pattern_of_numbers,
    lists_only_texts_of,
)
from devportal.differ.schemas.pair import SchemaPair
from devportal.differ.schemas.position import Side
from devportal.differ.schemas.property_moves import property_with_old_value
from devportal.translation import gettext_noop

_B, _C = Verdict.BREAKING, Verdict.COMPATIBLE


def _find_type_change(
    says: Callable[[TypePair, SchemaPair], bool],
) -> Callable[[SchemaPair], Iterator[FoundChange]]:
    def find(pair: SchemaPair) -> Iterator[FoundChange]:
        types = compared_types(pair)
        if types is not None and types.old != types.new and says(types, pair):
            yield FoundChange(keyword="type", old=_type_value(types.old), new=_type_value(types.new))

    return find


def _type_changed(pair: SchemaPair) -> Iterator[FoundChange]:
    is_list_of_one = _is_item_of_new_list(pair)
    for found_change in _incomparable_types(pair):
        if is_list_of_one:
            yield replace(found_change, verdict=_C, reason=_LIST_OF_ONE)
        elif name := property_with_old_value(pair):
            quoted = quote_value(name)
            yield replace(
                found_change,
                reason=phrase(
                    "the old value is possibly in the property %(name)s of the object", name=quoted
                ),
                hint=phrase("send it in the property %(name)s", name=quoted)
                if pair.is_sent
                else phrase("read it from the property %(name)s", name=quoted),
            )
        else:
            yield found_change


_LIST_OF_ONE = phrase("a single value is a list of one")


def _is_item_of_new_list(pair: SchemaPair) -> bool:
    """Say whether each value that clients send in a form is an item of the list that its field now is."""
    return (
        pair.position.is_field
        and pair.position.is_repeated
        and pair.is_sent
        and bool(pair.old.types)
        and pair.old.types <= SCALARS
        and pair.new.types == {"array"}
        and pair.new.min_count("minItems") <= 1
        and not (pair.new.prefix_items or pair.new.containments)
        and (not pair.new.items or pair.includes((pair.old.schema,), Side.OLD, pair.new.items, Side.NEW))
    )


def _have_both_types(types: TypePair) -> bool:
    return bool(types.old) and bool(types.new)


def _is_text(types: TypePair, pair: SchemaPair) -> bool:
    """Say whether it only is a matter of text: each plain value is written as some string."""
    return (
        pair.position.is_text
        and _have_both_types(types)
        and not types.is_wider
        and not types.is_narrower
        and are_included_as_text(types.old, types.new)
    ) or (
        pair.position.is_text
        and _have_both_types(types)
        and (_is_text_of_more(types) or _is_any_text_anyway(types, pair))
    )


def _is_text_of_more(types: TypePair) -> bool:
    """Return whether string was added to scalar types, or removed: as text they were strings before."""
    return types.is_wider is not types.is_narrower and "string" in types.old ^ types.new


def _is_any_text_anyway(types: TypePair, pair: SchemaPair) -> bool:
    """Say whether the types beside string that only one side has add no texts to those of the other."""
    form = pair.new if types.is_narrower else pair.old
    return (
        "string" in types.old & types.new
        and types.is_wider is not types.is_narrower
        and types.old ^ types.new <= SCALARS
        and form.values is None
        and not (form.format or form.content or form.patterns)
        and not form.counts.keys() & {"minLength", "maxLength"}
        and not (form.unions or form.negated or form.conditions)
    )


def _is_any_text(types: TypePair, pair: SchemaPair) -> bool:
    """Say whether only the word is new: where values are text, any value is a string."""
    return pair.position.is_text and not _have_both_types(types) and types.old | types.new == {"string"}


def _text_changed(pair: SchemaPair) -> Iterator[FoundChange]:
    types = compared_types(pair)
    if types is not None and _is_any_text(types, pair) and types.old != types.new:
        if is_format_respelled(pair):
            return
        yield FoundChange(
            keyword="type",
            old=_type_value(types.old),
            new=_type_value(types.new),
            verdict=_C,
            says=gettext_noop("the type is now %(new)s: values are written as text here anyway")
            if types.new
            else gettext_noop("the type %(old)s is removed: values are written as text here anyway"),
        )
        return
    if types is None or types.old == types.new or not _is_text(types, pair):
        return
    is_wider = "string" in types.new
    verdict = _C if is_wider is pair.is_sent or _is_any_text_anyway(types, pair) else _B
    narrow, wide, wide_forms = (
        (pair.old, pair.new, pair.new_forms) if is_wider else (pair.new, pair.old, pair.old_forms)
    )
    narrow_types, reason = types.old if is_wider else types.new, ""
    if verdict is _B and narrow_types & {"integer", "number"} and allows_only_digits_of(wide, narrow):
        verdict, reason = _C, _ALL_DIGITS
    elif verdict is _B and lists_only_texts_of(wide, narrow_types, narrow):
        verdict, reason = _C, _ALL_LISTED
    elif verdict is _C and not has_branch_for_every_text(wide, wide_forms):
        verdict = _B
    elif verdict is _B and "string" not in narrow_types and not has_pattern_of_numbers(wide, narrow_types):
        listed = or_phrase(quote_value(kind) for kind in sorted(narrow_types))
        reason = phrase("not every text is a value of the type %(types)s", types=listed)
    yield FoundChange(
        keyword="type",
        old=_type_value(types.old),
        new=_type_value(types.new),
        verdict=verdict,
        reason=reason,
    )


_ALL_DIGITS = phrase("the pattern allows only digits")
_ALL_LISTED = phrase("each listed text is a value of the other type")


def _type_value(types: frozenset[str]) -> Any:
    if not types:
        return ABSENT
    return next(iter(types)) if len(types) == 1 else sorted(types)


def _can_compare_null(pair: SchemaPair) -> bool:
    """Return whether null is distinguished from types: if any type is allowed, null is one of them."""
    forms = (pair.old, pair.new)
    return not pair.position.is_branch and all(form.types and not form.is_only_null for form in forms)


def _nullable_added(pair: SchemaPair) -> Iterator[FoundChange]:
    if pair.new.allows_null and not pair.old.allows_null and _can_compare_null(pair):
        verdict, reason = _verdict_on_null(pair.old, pair, is_narrower=not pair.is_sent)
        yield FoundChange(
            keyword="nullable",
            old=False,
            new=True,
            verdict=verdict,
            reason=reason or (_MEANT_BEFORE if why_null_is_refused(pair.old) else ""),
        )


def _nullable_removed(pair: SchemaPair) -> Iterator[FoundChange]:
    if pair.old.allows_null and not pair.new.allows_null and _can_compare_null(pair):
        verdict, reason = _verdict_on_null(pair.new, pair, is_narrower=pair.is_sent)
        yield FoundChange(
            keyword="nullable",
            old=True,
            new=False,
            verdict=verdict,
            reason=reason or why_null_is_refused(pair.new),
            hint=phrase("leave the value out instead of sending null")
            if pair.is_sent and verdict is not Verdict.DOCUMENTATION
            else "",
        )


def why_null_is_refused(form: NormalSchema) -> str:
    """Return why a `nullable` does not allow null, "" if there is none or if null is allowed."""
    if form.allows_null:
        return ""
    nullable = next((part for part in form.parts if part.nullable), None)
    if nullable is None:
        is_left = any(part.ref is None and _NULLABLE in part.idle_keywords for part in form.parts)
        return _NULLABLE_IS_OLD if is_left else ""
    if nullable.has_idle_nullable and not nullable.types:
        return NULLABLE_REASON
    is_unlisted = bool(nullable.enum) and None not in nullable.enum
    return _UNLISTED_NULL if is_unlisted else _REFUSED_NULL


_MEANT_BEFORE = phrase("'nullable' did not allow it before, though many tools read it so")
_NULLABLE = ("nullable", "true")
_NULLABLE_IS_OLD = phrase("from OpenAPI 3.1 on, the type lists null, and 'nullable' says nothing")
_UNLISTED_NULL = phrase("its enum does not list null, though many tools allow it all the same")
_REFUSED_NULL = phrase("another part of the schema, such as one under 'allOf', refuses null")


def _verdict_on_null(
    form: NormalSchema, pair: SchemaPair, *, is_narrower: bool
) -> tuple[Verdict | None, str]:
    """Return the verdict on null that the given form does not allow and the other one does, and why, if it is not that
    of the rule. `is_narrower` holds if the change rules out what was allowed.

    A `nullable` beside the `allOf` that a reference needs in OAS 3.0 does not allow null to the letter, but everybody
    reads it like that as a contract leaves that version, or comes back to it. In values that are written as text,
    whether and how null is written is up to the implementation (OAS 3.1.1, Appendix B).
    """
    has_other_null = pair.old_forms.is_nullable_keyword is not pair.new_forms.is_nullable_keyword
    if has_other_null and any(part.has_idle_nullable and part.all_of for part in form.parts):
        return Verdict.DOCUMENTATION, _MEANT_NULL
    if is_narrower and pair.position.is_text:
        return Verdict.RISKY, _UNDEFINED_TEXT
    return None, ""


_MEANT_NULL = phrase("'nullable' beside 'allOf' is read as null as well")
_UNDEFINED_TEXT = phrase("values are written as text here, and OpenAPI does not define how to write null")


NULLABLE_REASON = phrase(
    "'nullable' allows null only beside a 'type' in the same schema (OAS 3.0.3 §4.7.24.1)"
)


def has_idle_nullable(form: NormalSchema) -> bool:
    """Say whether a part of a form says `nullable` in vain, without a `type` beside it."""
    return any(part.nullable and part.has_idle_nullable and not part.types for part in form.parts)


def _boolean_schema_changed(pair: SchemaPair) -> Iterator[FoundChange]:
    old, new = pair.old.allows_nothing, pair.new.allows_nothing
    if old is not new:
        verdict = _B if new is pair.is_sent else _C
        found = FoundChange(
            old=not old,
            new=not new,
            verdict=verdict,
            reason=_effect_on_messages(pair) if verdict is _B else "",
            says=gettext_noop("values are no longer allowed here")
            if new
            else gettext_noop("values are now allowed here"),
        )
        yield _at_refused_property(found, pair) or found


def _effect_on_messages(pair: SchemaPair) -> str:
    if pair.position.is_negated:
        return ""
    if pair.is_sent:
        return phrase("whatever clients send here is rejected")
    return phrase("clients may receive what the old contract ruled out")


def _at_refused_property(found: FoundChange, pair: SchemaPair) -> FoundChange | None:
    """Return the change at the required property that allows no value, None if that is not why."""
    form, forms = (pair.new, pair.new_forms) if pair.new.allows_nothing else (pair.old, pair.old_forms)
    if any(map(refuses_all, form.parts)):
        return None
    for name, member in form.members.items():
        old, new = pair.old.members.get(name), pair.new.members.get(name)
        if old is None or new is None or not (old.schemas and new.schemas):
            continue
        if member.is_required and any(map(forms.refuses_all, member.schemas)):
            places = old.schemas[-1].location, new.schemas[-1].location
            return replace(found, at=property_step(name), old_location=places[0], new_location=places[1])
    return None


_incomparable_types = _find_type_change(
    lambda types, pair: (
        _have_both_types(types) and not types.is_wider and not types.is_narrower and not _is_text(types, pair)
    )
)

TYPE_RULES = (
    narrowing_rule(
        "schema.type.narrowed",
        gettext_noop("the type is narrowed from %(old)s to %(new)s"),
        _find_type_change(
            lambda types, pair: (
                _have_both_types(types)
                and types.is_narrower
                and not types.is_wider
                and not _is_text(types, pair)
            )
        ),
        mirror="schema.type.widened",
    ),
    widening_rule(
        "schema.type.widened",
        gettext_noop("the type is widened from %(old)s to %(new)s"),
        _find_type_change(
            lambda types, pair: (
                _have_both_types(types)
                and types.is_wider
                and not types.is_narrower
                and not _is_text(types, pair)
            )
        ),
        mirror="schema.type.narrowed",
    ),
    schema_rule(
        "schema.type.changed",
        Action.CHANGED,
        (_B, _B),
        gettext_noop("the type is changed from %(old)s to %(new)s"),
        _type_changed,
    ),
    schema_rule(
        "schema.type.text",
        Action.CHANGED,
        (_C, _B),
        gettext_noop("the type is changed from %(old)s to %(new)s, which are both written as text here"),
        _text_changed,
        waiver="one id for both ways: from a plain type to string is wider, the reverse narrower",
    ),
    narrowing_rule(
        "schema.type.set",
        gettext_noop("the type is now %(new)s; any type was allowed before"),
        _find_type_change(lambda types, pair: not types.old and not _is_any_text(types, pair)),
        mirror="schema.type.unset",
    ),
    widening_rule(
        "schema.type.unset",
        gettext_noop("any type is now allowed; the type was %(old)s"),
        _find_type_change(lambda types, pair: not types.new and not _is_any_text(types, pair)),
        mirror="schema.type.set",
    ),
)

NULL_RULES = (
    widening_rule(
        "schema.nullable.added",
        gettext_noop("null is now allowed"),
        _nullable_added,
        mirror="schema.nullable.removed",
    ),
    narrowing_rule(
        "schema.nullable.removed",
        gettext_noop("null is no longer allowed"),
        _nullable_removed,
        mirror="schema.nullable.added",
    ),
)

BOOLEAN_RULES = (
    schema_rule(
        "schema.boolean.false",
        Action.CHANGED,
        (_B, _C),
        "values are %(now or no longer)s allowed here",
        _boolean_schema_changed,
        waiver="one id for both ways: nothing is allowed any longer, or something is now",
    ),
)
