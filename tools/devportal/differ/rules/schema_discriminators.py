"""Rules of schemas for discriminators: the property that selects a branch, and its values."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from devportal.contract import ABSENT, Discriminator, Location
from devportal.differ import change
from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.phrase import phrase
from devportal.differ.rule import Action, FoundChange, Verdict, quote_value
from devportal.differ.rules.rows import narrowing_rule, schema_rule
from devportal.differ.schemas.pair import SchemaPair
from devportal.differ.schemas.unions.discriminator_targets import (
    discriminator_values,
    implied_values,
    is_stated_by_branches,
)
from devportal.translation import gettext_noop

_B, _R, _C = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE
_KEYWORD = "discriminator"


def _discriminator_pair(pair: SchemaPair) -> tuple[Discriminator, Discriminator] | None:
    old, new = pair.old.discriminator, pair.new.discriminator
    return (old, new) if old is not None and new is not None else None


def _discriminator_set(pair: SchemaPair) -> Iterator[FoundChange]:
    if pair.new.discriminator is None or pair.old.discriminator is not None:
        return
    if pair.is_wrapped:
        if pair.is_sent and _has_other_values(pair.old, pair.old_forms, pair.new, pair.new_forms):
            name = pair.new.discriminator.property_name
            yield replace(_discriminator_change(pair, new=name), reason=_OTHER_VALUES_BEFORE)
    elif not _is_union_new(pair):
        yield _discriminator_change(pair, new=pair.new.discriminator.property_name)


def _discriminator_unset(pair: SchemaPair) -> Iterator[FoundChange]:
    if pair.old.discriminator is None or pair.new.discriminator is not None:
        return
    if pair.is_wrapped:
        if not pair.is_sent and _has_other_values(pair.new, pair.new_forms, pair.old, pair.old_forms):
            name = pair.old.discriminator.property_name
            yield replace(_discriminator_change(pair, old=name), reason=_OTHER_VALUES_NOW)
    elif not _is_union_new(pair):
        yield _discriminator_change(pair, old=pair.old.discriminator.property_name)


def _has_other_values(
    plain: NormalSchema, plain_forms: SchemaNormaliser, union: NormalSchema, union_forms: SchemaNormaliser
) -> bool:
    """Return whether the property that selects a branch of a union may have values in a plain schema that select
    none. If `plain` does not describe it, another change reports that.
    """
    if union.discriminator is None or union.discriminator.default is not None:
        return False
    member = plain.members.get(union.discriminator.property_name)
    if member is None or not member.schemas:
        return False
    values = plain_forms.of(*member.schemas).values
    return values is None or not set(map(str, values)) <= discriminator_values(union, union_forms).keys()


_OTHER_VALUES_BEFORE = phrase("values that select no branch were allowed")
_OTHER_VALUES_NOW = phrase("values that select no branch are now allowed")


def _is_union_new(pair: SchemaPair) -> bool:
    """Return whether the union was added or removed with its discriminator, or has only one branch."""
    is_single = any(_has_single_branch(form) for form in (pair.old, pair.new))
    return is_single or bool(pair.unions.added or pair.unions.removed) or pair.is_typing


def _has_single_branch(form: NormalSchema) -> bool:
    return not form.unions and any(1 in (len(part.one_of), len(part.any_of)) for part in form.parts)


def _property_changed(pair: SchemaPair) -> Iterator[FoundChange]:
    discriminators = _discriminator_pair(pair)
    if discriminators is not None and discriminators[0].property_name != discriminators[1].property_name:
        yield _discriminator_change(
            pair, old=discriminators[0].property_name, new=discriminators[1].property_name
        )


def _discriminator_change(pair: SchemaPair, old: Any = ABSENT, new: Any = ABSENT) -> FoundChange:
    """Return the change of a discriminator: of documentation alone if there is nothing that it selects, or if the
    branches say the same.
    """
    found = FoundChange(old=old, new=new, keyword=_KEYWORD)
    if not (_selects_schemas(pair.old, pair.old_forms) or _selects_schemas(pair.new, pair.new_forms)):
        return replace(found, verdict=Verdict.DOCUMENTATION, reason=phrase("no schema is selected by it"))
    is_new = pair.old.discriminator is None
    form, forms = (pair.new, pair.new_forms) if is_new else (pair.old, pair.old_forms)
    is_one_sided = None in (pair.old.discriminator, pair.new.discriminator)
    has_default = form.discriminator is not None and form.discriminator.default is not None
    if is_one_sided and not has_default and is_stated_by_branches(form, forms):
        return replace(found, verdict=Verdict.DOCUMENTATION, reason=_STATED_BY_BRANCHES)
    return found


_STATED_BY_BRANCHES = phrase("each branch already requires its own value of this property")


def _selects_schemas(form: NormalSchema, forms: SchemaNormaliser) -> bool:
    is_object = not form.types or "object" in form.types
    return is_object and bool(form.unions or forms.subtypes.of(form) or forms.subtypes.mapped_schemas(form))


def _mapping_added(pair: SchemaPair) -> Iterator[FoundChange]:
    """Yield the values that now select a schema; those of added branches are a part of that change."""
    discriminators = _discriminator_pair(pair)
    if discriminators is None:
        return
    old_values = discriminator_values(pair.old, pair.old_forms)
    subtypes = pair.new_forms.subtypes
    renamed = _renamed_branches(pair, discriminators)
    added = {branch.ref for pairing in pair.unions.pairings for branch in pairing.added}
    for value, target in (subtypes.mapped_schemas(pair.new) | subtypes.of(pair.new)).items():
        if value not in old_values and target not in added:
            yield _mapping_change(value, new=target)
    for _, (value, target) in renamed:
        if value not in old_values:
            yield _mapping_change(value, new=target)
    old, new = discriminators
    if old.default is None and new.default is not None:
        yield _default_change(pair, _DEFAULT_ADDED, new=new.default)


def _mapping_removed(pair: SchemaPair) -> Iterator[FoundChange]:
    """Yield the values that no longer select a schema; those of removed branches are a part of that change."""
    discriminators = _discriminator_pair(pair)
    if discriminators is None:
        return
    new_values = discriminator_values(pair.new, pair.new_forms)
    subtypes = pair.old_forms.subtypes
    removed = {branch.ref for pairing in pair.unions.pairings for branch in pairing.removed}
    for value, target in (subtypes.mapped_schemas(pair.old) | subtypes.of(pair.old)).items():
        if value not in new_values and target not in removed:
            yield _mapping_change(value, old=target)
    for (value, target), _ in _renamed_branches(pair, discriminators):
        if value not in new_values:
            yield _mapping_change(value, old=target)
    old, new = discriminators
    if old.default is not None and new.default is None:
        yield _default_change(pair, _DEFAULT_REMOVED, old=old.default)


def _mapping_retargeted(pair: SchemaPair) -> Iterator[FoundChange]:
    discriminators = _discriminator_pair(pair)
    if discriminators is None:
        return
    old, new = (
        discriminator_values(pair.old, pair.old_forms),
        discriminator_values(pair.new, pair.new_forms),
    )
    for value in old.keys() & new.keys():
        if not _is_same_schema(pair, old[value], new[value]):
            yield _mapping_change(value, old=old[value], new=new[value])
    before, after = discriminators[0].default, discriminators[1].default
    if before is not None and after is not None and not _is_same_schema(pair, before, after):
        yield _default_change(pair, _DEFAULT_RETARGETED, old=before, new=after)


def _is_same_schema(pair: SchemaPair, old: Location, new: Location) -> bool:
    """Say whether two targets are one schema, though its name may have changed."""
    if old == new:
        return True
    for first, other in ((item, other) for pairing in pair.unions.pairings for item, other in pairing.pairs):
        if first[0].ref == old:
            return other[0].ref == new
    before, after = pair.old_forms.api.schemas.get(old), pair.new_forms.api.schemas.get(new)
    return before is not None and after is not None and pair.is_alike((before,), (after,))


_NamedTarget = tuple[str, Location]


def _renamed_branches(
    pair: SchemaPair, discriminators: tuple[Discriminator, Discriminator]
) -> Iterator[tuple[_NamedTarget, _NamedTarget]]:
    """Yield the implied discriminator values of branches that have another name now."""
    old = {target: value for value, target in implied_values(pair.old, discriminators[0]).items()}
    new = {target: value for value, target in implied_values(pair.new, discriminators[1]).items()}
    for pairing in pair.unions.pairings:
        for first, other in pairing.pairs:
            before, after = first[0].ref, other[0].ref
            if before in old and after in new and before and after and old[before] != new[after]:
                yield (old[before], before), (new[after], after)


def _mapping_change(value: str, *, old: Location | None = None, new: Location | None = None) -> FoundChange:
    return FoundChange(
        old=_target_name(old) if old is not None else ABSENT,
        new=_target_name(new) if new is not None else ABSENT,
        at=change.keyword_step(f"{_KEYWORD} {value}"),
        keyword=_KEYWORD,
        names={"value": quote_value(value)},
    )


_DEFAULT_ADDED = gettext_noop("every other discriminator value, or none, now selects %(new)s")
_DEFAULT_REMOVED = gettext_noop("every other discriminator value, or none, no longer selects %(old)s")
_DEFAULT_RETARGETED = gettext_noop(
    "every other discriminator value, or none, selects %(new)s instead of %(old)s"
)
"""What `defaultMapping` does (OAS 3.2.0 §4.25)."""


def _default_change(
    pair: SchemaPair, says: str, *, old: Location | None = None, new: Location | None = None
) -> FoundChange:
    """Return a change of the default: of documentation alone if no value can select it."""
    found = replace(_mapping_change("", old=old, new=new), at=change.keyword_step(_DEFAULT_STEP), says=says)
    sides = (pair.old, pair.old_forms), (pair.new, pair.new_forms)
    if all(is_stated_by_branches(form, forms) for form, forms in sides):
        return replace(found, verdict=Verdict.DOCUMENTATION, reason=_STATED_BY_BRANCHES)
    return found


_DEFAULT_STEP = f"{_KEYWORD} defaultMapping"


def _target_name(location: Location) -> str:
    return location.pointer[-1] if location.pointer else str(location)


WRAPPED_DISCRIMINATOR_RULES = (
    schema_rule(
        "schema.discriminator.set",
        Action.ADDED,
        (_R, _R),
        gettext_noop("the property %(new)s now selects the branch (discriminator)"),
        _discriminator_set,
        mirror="schema.discriminator.unset",
    ),
    schema_rule(
        "schema.discriminator.unset",
        Action.REMOVED,
        (_R, _R),
        gettext_noop("the property %(old)s no longer selects the branch (discriminator)"),
        _discriminator_unset,
        mirror="schema.discriminator.set",
    ),
)
"""The rules that apply as well if one side is a union and the other is a branch of it."""

DISCRIMINATOR_RULES = (
    *WRAPPED_DISCRIMINATOR_RULES,
    schema_rule(
        "schema.discriminator.property.changed",
        Action.CHANGED,
        (_B, _B),
        gettext_noop("the property %(new)s selects the branch instead of %(old)s (discriminator)"),
        _property_changed,
    ),
    schema_rule(
        "schema.discriminator.mapping.added",
        Action.ADDED,
        (_C, _R),
        gettext_noop("the discriminator value %(value)s now selects %(new)s"),
        _mapping_added,
        mirror="schema.discriminator.mapping.removed",
        waiver="readers are expected to cope with a value that they do not know, if not with its branch",
    ),
    narrowing_rule(
        "schema.discriminator.mapping.removed",
        gettext_noop("the discriminator value %(value)s no longer selects %(old)s"),
        _mapping_removed,
        mirror="schema.discriminator.mapping.added",
        action=Action.REMOVED,
        waiver="readers are expected to cope with a value that they do not know, if not with its branch",
    ),
    schema_rule(
        "schema.discriminator.mapping.retargeted",
        Action.CHANGED,
        (_B, _B),
        gettext_noop("the discriminator value %(value)s selects %(new)s instead of %(old)s"),
        _mapping_retargeted,
    ),
)
