"""The fields of a schema that a sample leaves out, and why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from devportal.contract.model import Api
from devportal.contract.schemas import Property, Schema
from devportal.contract.validate.json_schema import Direction, is_hidden
from devportal.contract.validate.schema_rules import constraint_value
from devportal.contract.validate.validator import Validator
from devportal.contract.values.conjunction import CombinedSchema, combine_schemas
from devportal.documents import Pointer

_MAX_NAMED = 2
_CONDITIONAL = {"if", "then", "else"}


class OmissionReason(StrEnum):
    """Why fields are left out."""

    SIZE = "left out to keep this short"
    RULES = "left out to keep this short, or because fields exclude each other"
    CONDITIONS = "left out to keep this short, or because the values of other fields do not allow them"
    DEPRECATED = "deprecated and left out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Omission:
    """A field that a sample leaves out."""

    pointer: Pointer
    reason: OmissionReason

    @property
    def name(self) -> str:
        """The field as readers know it, without the numbers of items: `lines.price`."""
        return ".".join(text for text in self.pointer if not text.isdigit())


def describe_omissions(omissions: Sequence[Omission]) -> Iterator[str]:
    """Yield a sentence for each reason: how many fields are left out, and some of their names."""
    for reason in OmissionReason:
        names = [*dict.fromkeys(omission.name for omission in omissions if omission.reason is reason)]
        if names:
            are = "1 more field is" if len(names) == 1 else f"{len(names):,} more fields are"
            listed = " and ".join(names[:_MAX_NAMED])
            such_as = "such as " if len(names) > _MAX_NAMED else ""
            yield f"{are} {reason} ({such_as}{listed}). See the list of fields."


def find_omissions(
    api: Api, validator: Validator, schema: Schema, value: Any, direction: Direction, levels: int
) -> tuple[Omission, ...]:
    """Return the fields that a sample lacks; those of objects below this many levels are left out for size."""
    return tuple(_Search(api, validator, direction, levels).omissions(schema, value, ()))


@dataclass(frozen=True, slots=True)
class _Search:
    api: Api
    validator: Validator
    direction: Direction
    levels: int

    def omissions(self, schema: Schema, value: Any, at: Pointer) -> Iterator[Omission]:
        """Yield the fields that a value and its parts lack; the first item of a list stands for all."""
        match value:
            case list() if value:
                items = combine_schemas(self.api, (schema,)).schema.items
                if items is not None:
                    yield from self.omissions(items, value[0], (*at, "0"))
            case dict():
                combined, has_choice = self._chosen_schema(schema, value)
                for property_ in combined.schema.properties:
                    if property_.name in value:
                        yield from self.omissions(
                            property_.schema, value[property_.name], (*at, property_.name)
                        )
                    elif not self._is_hidden(property_):
                        reason = self._reason(combined.schema, property_, len(at), has_choice=has_choice)
                        yield Omission(pointer=(*at, property_.name), reason=reason)

    def _chosen_schema(self, schema: Schema, value: Any) -> tuple[CombinedSchema, bool]:
        """Return all that a schema says of a value, with the branches that the value is valid for, and whether
        it has branches.
        """
        schemas: tuple[Schema, ...] = (schema,)
        chosen = frozenset[int]()
        combined = combine_schemas(self.api, schemas)
        while combined.unions:
            union = combined.unions[0]
            fitting = (
                subschema for subschema in union if self.validator.is_valid(subschema, value, self.direction)
            )
            branch = next(fitting, None)
            schemas = (branch, *schemas) if branch is not None else schemas
            chosen |= {id(union)}
            combined = combine_schemas(self.api, schemas, chosen)
        return combined, bool(chosen)

    def _is_hidden(self, property_: Property) -> bool:
        is_impossible = property_.schema.verdict is False or bool(self.api.resolve(property_.schema).broken)
        return is_impossible or is_hidden(self.api, property_, self.direction)

    def _reason(self, holder: Schema, property_: Property, level: int, *, has_choice: bool) -> OmissionReason:
        if self.api.resolve(property_.schema).deprecated or property_.schema.deprecated:
            return OmissionReason.DEPRECATED
        if level >= self.levels:
            return OmissionReason.SIZE
        keywords = {keyword for keyword, _ in holder.others}
        is_limited = constraint_value(holder, "maxProperties") is not None
        if has_choice or holder.negated is not None or is_limited or keywords - _CONDITIONAL:
            return OmissionReason.RULES
        return OmissionReason.CONDITIONS if keywords else OmissionReason.SIZE
