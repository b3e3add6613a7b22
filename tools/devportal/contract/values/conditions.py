"""Schemas that hold for some values only: the branches of `if`, and those of `dependentSchemas`."""

from collections.abc import Iterator, Sequence

from devportal.contract.schemas import Schema

_CONDITIONS = ("if", "dependentSchemas")
"""The keywords whose schemas hold for some values only; those of a `dependentSchemas` are named after it."""
CHOICES_OF_CONDITIONS = (None, -1, 0, 1, 2, 3)
"""Which `if` of a schema is taken to apply, by number: with -1 none does, with None conditions are ignored."""


def has_conditions(schema: Schema) -> bool:
    """Say whether a schema has parts that hold for some values only."""
    return any(name.startswith(_CONDITIONS) for name, _ in schema.others)


def applying_conditions(parts: Sequence[Schema], choice: int | None) -> Iterator[Schema]:
    """Yield the conditions of the parts of a schema that apply if the `if` of this number does."""
    if choice is None:
        return
    number = 0
    for part in parts:
        branches = dict(part.others)
        yield from (schema for name, schema in part.others if name.startswith("dependentSchemas"))
        if "if" in branches:
            names = ("if", "then") if number == choice else ("else",)
            yield from (branches[name] for name in names if name in branches)
            number += 1
