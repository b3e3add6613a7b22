"""Rules of schemas for arrays: how many items, and of which schemas."""

from collections.abc import Iterator, Mapping
from typing import TypedDict

from devportal.contract import ABSENT
from devportal.differ import change
from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.normalise.unevaluated import item_schemas_at
from devportal.differ.rule import Action, FoundChange, Verdict
from devportal.differ.rules.counts import (
    maximum_count_lowered,
    maximum_count_raised,
    minimum_count_lowered,
    minimum_count_raised,
)
from devportal.differ.rules.rows import narrowing_rule, only_for_arrays, widening_rule
from devportal.differ.schemas.effective_keywords import has_several_items
from devportal.differ.schemas.pair import SchemaPair
from devportal.differ.schemas.position import Schemas, Side
from devportal.differ.schemas.schema_descriptions import describe_schema
from devportal.translation import gettext_noop

_B, _C = Verdict.BREAKING, Verdict.COMPATIBLE


def _unique_items_set(pair: SchemaPair) -> Iterator[FoundChange]:
    if pair.new.unique_items and not pair.old.unique_items and has_several_items(pair):
        yield FoundChange(old=False, new=True, keyword="uniqueItems")


def _unique_items_unset(pair: SchemaPair) -> Iterator[FoundChange]:
    if pair.old.unique_items and not pair.new.unique_items and has_several_items(pair):
        yield FoundChange(old=True, new=False, keyword="uniqueItems")


def _items_set(pair: SchemaPair) -> Iterator[FoundChange]:
    if pair.new_constraining(pair.new.items) and not pair.old_constraining(pair.old.items):
        yield FoundChange(
            new=describe_schema(pair.new_forms, pair.new.items),
            at=change.ITEMS_STEP,
            keyword="items",
            **_words_of_no_items(pair.new, _FURTHER_FORBIDDEN, _FORBIDDEN),
        )


def _items_unset(pair: SchemaPair) -> Iterator[FoundChange]:
    if pair.old_constraining(pair.old.items) and not pair.new_constraining(pair.new.items):
        yield FoundChange(
            old=describe_schema(pair.old_forms, pair.old.items),
            at=change.ITEMS_STEP,
            keyword="items",
            **_words_of_no_items(pair.old, _FURTHER_ALLOWED, _ALLOWED),
        )


_FURTHER_FORBIDDEN = gettext_noop("items after item %(number)s are no longer allowed")
_FURTHER_ALLOWED = gettext_noop("items after item %(number)s are now allowed")
_FORBIDDEN = gettext_noop("items are no longer allowed")
_ALLOWED = gettext_noop("items are now allowed")


class _Sentence(TypedDict, total=False):
    says: str


class _Words(_Sentence, total=False):
    names: Mapping[str, str]


def _words_of_no_items(form: NormalSchema, further: str, every: str) -> _Words:
    """Return the sentence if one side allows no items, or none after those with separate schemas."""
    if all(schema.verdict is not False for schema in form.items):
        return {}
    count = len(form.prefix_items)
    return {"says": further, "names": {"number": str(count)}} if count else {"says": every}


def _prefix_added(pair: SchemaPair) -> Iterator[FoundChange]:
    for number in range(len(pair.old.prefix_items), len(pair.new.prefix_items)):
        yield from _prefix_item_changes(pair, number)


def _prefix_removed(pair: SchemaPair) -> Iterator[FoundChange]:
    for number in range(len(pair.new.prefix_items), len(pair.old.prefix_items)):
        yield from _prefix_item_changes(pair, number)


def _prefix_item_changes(pair: SchemaPair, number: int) -> Iterator[FoundChange]:
    """Yield the change of a position that only one side declares: on the other side, `items` or `unevaluatedItems`
    applies.

    If the other side has no rules for it, the verdict of the rule holds, unless its arrays are never that long.
    """
    old = item_schemas_at(pair.old, pair.old_forms, number)
    new = item_schemas_at(pair.new, pair.new_forms, number)
    is_free = not pair.old_constraining(old) or not pair.new_constraining(new)
    if is_free and not pair.old_constraining(old) and not pair.new_constraining(new):
        return
    is_removed = number < len(pair.old.prefix_items)
    undeclared, schemas = (pair.new, new) if is_removed else (pair.old, old)
    if undeclared.max_count("maxItems") <= number:
        verdict: Verdict | None = _C
    else:
        verdict = None if is_free else _verdict_by_inclusion(pair, old, new)
    yield FoundChange(
        old=describe_schema(pair.old_forms, old) if old else ABSENT,
        new=describe_schema(pair.new_forms, new) if new else ABSENT,
        at=change.item_step(number),
        keyword="prefixItems",
        verdict=verdict,
        **_words_of_refused_item(schemas, is_removed=is_removed),
        names={"number": str(number + 1)},
    )


def _words_of_refused_item(schemas: Schemas, *, is_removed: bool) -> _Sentence:
    """Return the sentence about a position that one side refuses: it is more than that a schema is gone."""
    if all(schema.verdict is not False for schema in schemas):
        return {}
    return {"says": _ITEM_FORBIDDEN if is_removed else _ITEM_ALLOWED}


_ITEM_FORBIDDEN = gettext_noop("item %(number)s is no longer allowed")
_ITEM_ALLOWED = gettext_noop("item %(number)s is now allowed")


def _verdict_by_inclusion(pair: SchemaPair, old: Schemas, new: Schemas) -> Verdict:
    is_safe = (
        pair.includes(old, Side.OLD, new, Side.NEW)
        if pair.is_sent
        else pair.includes(new, Side.NEW, old, Side.OLD)
    )
    return _C if is_safe else _B


ARRAY_RULES = (
    narrowing_rule(
        "schema.min-items.raised",
        gettext_noop("minItems is raised from %(old)s to %(new)s"),
        only_for_arrays(minimum_count_raised("minItems")),
        mirror="schema.min-items.lowered",
    ),
    widening_rule(
        "schema.min-items.lowered",
        gettext_noop("minItems is lowered from %(old)s to %(new)s"),
        only_for_arrays(minimum_count_lowered("minItems")),
        mirror="schema.min-items.raised",
    ),
    narrowing_rule(
        "schema.max-items.lowered",
        gettext_noop("maxItems is lowered from %(old)s to %(new)s"),
        only_for_arrays(maximum_count_lowered("maxItems")),
        mirror="schema.max-items.raised",
    ),
    widening_rule(
        "schema.max-items.raised",
        gettext_noop("maxItems is raised from %(old)s to %(new)s"),
        only_for_arrays(maximum_count_raised("maxItems")),
        mirror="schema.max-items.lowered",
    ),
    narrowing_rule(
        "schema.unique-items.on",
        gettext_noop("items must now be unique"),
        only_for_arrays(_unique_items_set),
        mirror="schema.unique-items.off",
    ),
    widening_rule(
        "schema.unique-items.off",
        gettext_noop("items no longer have to be unique"),
        only_for_arrays(_unique_items_unset),
        mirror="schema.unique-items.on",
    ),
    narrowing_rule(
        "schema.items.set",
        gettext_noop("items must now be %(new)s"),
        only_for_arrays(_items_set),
        mirror="schema.items.unset",
    ),
    widening_rule(
        "schema.items.unset",
        gettext_noop("items no longer have to be %(old)s"),
        only_for_arrays(_items_unset),
        mirror="schema.items.set",
    ),
    narrowing_rule(
        "schema.prefix-items.added",
        gettext_noop("item %(number)s now has a separate schema, %(new)s"),
        only_for_arrays(_prefix_added),
        mirror="schema.prefix-items.removed",
        action=Action.ADDED,
    ),
    widening_rule(
        "schema.prefix-items.removed",
        gettext_noop("item %(number)s no longer has a separate schema"),
        only_for_arrays(_prefix_removed),
        mirror="schema.prefix-items.added",
        action=Action.REMOVED,
    ),
)
