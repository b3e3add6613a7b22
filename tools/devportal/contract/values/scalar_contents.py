"""What schemas of texts and numbers say, apart from where they stand.

A large contract repeats most of them: one of 40,000 schemas may have 5,000 different ones. What depends on
nothing else, such as a sample or a row of a page, is then made once for all that say the same.
"""

from dataclasses import fields
from operator import attrgetter
from typing import Any

from devportal.contract.model import Api
from devportal.contract.schemas import ABSENT, Schema
from devportal.contract.values.per_contract import PerContract

_keywords = attrgetter(*(field.name for field in fields(Schema) if field.name != "location"))


class ScalarContents:
    """Numbers for what the schemas of one contract say. Schemas with one number are equal but for their location."""

    def __init__(self, _: Api) -> None:
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._known: dict[int, tuple[Schema, int | None]] = {}

    def number(self, schema: Schema) -> int | None:
        """Return the number of what a schema says; None if there are objects or arrays among its values, or
        schemas in it.
        """
        known = self._known.get(id(schema))
        if known is None:
            content = _scalar_content(schema)
            number = None if content is None else self._numbers.setdefault(content, len(self._numbers))
            known = self._known[id(schema)] = schema, number  # kept with it, so that its id stays its own
        return known[1]


scalar_contents = PerContract(ScalarContents)


def _scalar_content(schema: Schema) -> tuple[Any, ...] | None:
    """Return what a schema says as a key, if all its values are scalars and no schema is in it.

    1, 1.0 and true are not the same, nor are 0.0 and -0.0.
    """
    if _has_parts(schema):
        return None
    constraints = (constraint.value for constraint in schema.constraints)
    extended = (value for _, value in schema.extensions)
    growing = () if schema.extensible_enum is ABSENT else schema.extensible_enum
    listed = (*schema.enum, *growing, *schema.beta_values, *schema.examples)
    values = (schema.const, schema.default, *constraints, *extended, *listed)
    kinds = tuple(map(type, values))
    if list in kinds or dict in kinds:
        return None
    return (kinds, tuple(map(repr, values)) if float in kinds else (), *_keywords(schema))


def _has_parts(schema: Schema) -> bool:
    """Say whether there are schemas in a schema."""
    return bool(
        schema.properties or schema.all_of or schema.one_of or schema.any_of or schema.items is not None
        or schema.additional_properties is not None or schema.negated is not None or schema.others
        or schema.pattern_properties or schema.prefix_items
    )  # fmt: skip
