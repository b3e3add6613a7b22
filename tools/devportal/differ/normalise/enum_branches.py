"""Branches that list values: `oneOf` or `anyOf` of consts and enums is an enum, spelled otherwise."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from devportal.contract import Location, Schema
from devportal.contract.read.ref_siblings import CONSTRAINING_FIELDS, has_no_keywords
from devportal.differ.normalise.all_of import canonical_json, common_types, common_values, fits_types
from devportal.differ.normalise.forms import Union

Parts = Callable[[Schema], Sequence[Schema]]
"""Returns everything that applies to the values of a branch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnumBranches:
    """The values that a union of lists leaves, and the branch for each that has one of its own, by the value
    as text: what is told of the value stands there.
    """

    values: tuple[Any, ...]
    branches: Mapping[str, Schema] = field(default_factory=dict)


def enum_branches(union: Union, parts_of: Parts) -> EnumBranches | None:
    """Return the values of a union, None where a branch says more than which values it allows.

    A value in two branches of `oneOf` is refused (JSON Schema 2020-12 §10.2.1.3). Null is not among them.
    """
    if union.discriminator is not None:
        return None
    lists: list[tuple[Any, ...]] = []
    for branch in union.branches:
        values = _enum_values(parts_of(branch))
        if values is None:
            return None
        lists.append(values)
    found = {canonical_json(value): value for values in lists for value in values}
    if union.keyword == "oneOf":
        counts = [
            canonical_json(value)
            for values in lists
            for value in {canonical_json(one): one for one in values}.values()
        ]
        found = {key: value for key, value in found.items() if counts.count(key) == 1}
    own = {
        canonical_json(values[0]): branch
        for branch, values in zip(union.branches, lists, strict=True)
        if len(values) == 1
    }
    return EnumBranches(values=tuple(found.values()), branches=own)


def flatten_any_of(branches: Sequence[Schema]) -> Iterator[Schema]:
    """Yield the branches of `anyOf`; in place of one that is nothing but another `anyOf`, those of that."""
    for branch in branches:
        is_union = len(branch.any_of) > 1 and branch.discriminator is None
        if is_union and has_no_keywords(replace(branch, any_of=(), nullable=False)):
            yield from flatten_any_of(branch.any_of)
        else:
            yield branch


def without_known_values(branches: Sequence[Schema], parts_of: Parts) -> tuple[Schema, ...]:
    """Return the branches of `anyOf` without the lists of values that another branch allows by its type: a
    way to name the values that are known of an open set.
    """
    types = [found for branch in branches if (found := _only_types(parts_of(branch)))]
    if not types:
        return tuple(branches)
    return tuple(
        branch
        for branch in branches
        if not (values := _enum_values(parts_of(branch)))
        or not any(all(fits_types(value, one) for value in values) for one in types)
    )


def _enum_values(parts: Sequence[Schema]) -> tuple[Any, ...] | None:
    values = common_values(parts)
    if values is None or not all(_has_no_rule(part, but=_OF_LISTS) for part in parts):
        return None
    types = common_types(parts)
    return values if types is None else tuple(value for value in values if fits_types(value, types))


def _only_types(parts: Sequence[Schema]) -> frozenset[str]:
    """Return the types of a branch that says nothing else, none where it does."""
    is_plain = all(_has_no_rule(part, but=_OF_TYPES) for part in parts)
    return (common_types(parts) or frozenset()) if is_plain else frozenset()


def _has_no_rule(part: Schema, *, but: frozenset[str]) -> bool:
    """Say whether a part has no rule but those named; a union of one branch is a part of its own."""
    if part.broken or len(part.one_of) > 1 or len(part.any_of) > 1:
        return False
    return all(getattr(part, name) == getattr(_NOTHING, name) for name in CONSTRAINING_FIELDS - but)


_NOTHING = Schema(location=Location("", ()))
_OF_TYPES = frozenset({"types", "nullable", "all_of", "one_of", "any_of"})
_OF_LISTS = _OF_TYPES | {"enum", "const"}
