"""Splits a schema into pieces that together allow what it does: branches, values, types."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from devportal.contract import Schema
from devportal.contract.read.references import has_no_keywords
from devportal.differ.normalise.forms import TYPE_OF_KEYWORD, NormalSchema
from devportal.differ.normalise.normaliser import SchemaNormaliser

_MAX_DEPTH = 4


def pieces_of(
    schemas: tuple[Schema, ...], forms: SchemaNormaliser, depth: int = 0
) -> Iterator[tuple[Schema, ...]]:
    """Yield schemas that together allow all that some schemas of one value do.

    A union without other rules is split into its branches, a list of values or types into each of them.
    """
    form = forms.of(*schemas)
    if form.values:
        yield from ((Schema(location=form.location, const=value),) for value in form.values)
    elif len(form.unions) == 1 and depth < _MAX_DEPTH and not has_rules_beside_union(form):
        for branch in form.unions[0].branches:
            yield from pieces_of((branch,), forms, depth + 1)
    elif len(form.types) > 1 and not form.unions:
        yield from (tuple(restrict_to_type(form, kind)) for kind in sorted(form.types))
    else:
        yield schemas


def union_siblings(parts: Sequence[Schema]) -> Iterator[Schema]:
    """Yield the siblings of the unions in parts."""
    for part in parts:
        if not (part.ref or part.all_of or part.one_of or part.any_of):
            yield part
            continue
        siblings = replace(part, name="", ref=None, all_of=(), one_of=(), any_of=(), discriminator=None)
        siblings = replace(siblings, nullable=siblings.nullable and bool(siblings.types))
        if not has_no_keywords(siblings):
            yield siblings


def restrict_to_type(plain: NormalSchema, kind: str) -> Iterator[Schema]:
    """Yield the rules of a schema for one of its types."""
    about = "number" if kind == "integer" else kind
    for part in plain.parts:
        constraints = (
            constraint
            for constraint in part.constraints
            if TYPE_OF_KEYWORD.get(constraint.keyword, about) == about
        )
        yield replace(part, ref=None, all_of=(), constraints=tuple(constraints), **_EMPTY_TEXTS)
    yield Schema(location=plain.location, types=(kind,))


def has_rules_beside_union(form: NormalSchema) -> bool:
    """Return whether the union has siblings other than types and texts."""
    return next(union_rules(form.parts), None) is not None


def union_rules(parts: Sequence[Schema]) -> Iterator[Schema]:
    """Yield the siblings of the unions in parts that say more than types and texts."""
    for part in union_siblings(parts):
        if not has_no_keywords(replace(part, **_EMPTY_TEXTS_AND_TYPES)):
            yield part


_EMPTY_TEXTS: dict[str, Any] = {
    "title": "",
    "description": "",
    "comment": "",
    "examples": (),
    "has_lone_example": False,
}
_EMPTY_TEXTS_AND_TYPES = _EMPTY_TEXTS | {"types": (), "nullable": False}
