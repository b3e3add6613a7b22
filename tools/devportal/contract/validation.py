"""Values against schemas of the contract."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import jsonschema_rs

from devportal.contract.json_schema import Direction, to_json_schema
from devportal.contract.model import Api
from devportal.contract.regex import is_readable
from devportal.contract.schemas import Schema
from devportal.documents import Pointer

_Kind = jsonschema_rs.ValidationErrorKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """One way in which a value breaks its schema; `pointer` leads into the value, `path` into the schema."""

    pointer: Pointer
    keyword: str
    message: str
    path: Pointer = ()


class Validator:
    """Validates values against the schemas of one contract. Compiles each schema once per direction."""

    def __init__(self, api: Api) -> None:
        """Take the contract that the schemas belong to."""
        self._api = api
        self._compiled: dict[tuple[int, Direction], tuple[Schema, jsonschema_rs.Draft202012Validator]] = {}

    def violations(self, schema: Schema, value: Any, direction: Direction) -> Iterator[Violation]:
        """Yield every violation, in the order of the value. Formats are checked.

        Where no branch of a `oneOf` or `anyOf` fits, but only one can be meant, its violations are told.
        """
        errors = self._validator(schema, direction).iter_errors(value)
        for error in (told for each in errors for told in _told(each)):
            path = [str(step) for step in error.schema_path]
            yield Violation(
                pointer=tuple(str(step) for step in error.instance_path),
                keyword=path[-1] if path else "false",
                message=error.message,
                path=tuple(path),
            )

    def is_valid(self, schema: Schema, value: Any, direction: Direction) -> bool:
        """Say whether a value keeps its schema."""
        return self._validator(schema, direction).is_valid(value)

    def _validator(self, schema: Schema, direction: Direction) -> jsonschema_rs.Draft202012Validator:
        key = (id(schema), direction)
        if key not in self._compiled:
            exported = to_json_schema(self._api, schema, direction, keep_pattern=is_readable)
            compiled = jsonschema_rs.Draft202012Validator(exported, validate_formats=True)
            self._compiled[key] = (schema, compiled)  # the schema is kept, so that its id stays its own
        return self._compiled[key][1]


def _told(error: jsonschema_rs.ValidationError) -> Iterator[jsonschema_rs.ValidationError]:
    """Yield an error; in place of a choice that cannot be made, what is wrong in the branch that is meant."""
    match error.kind:
        case _Kind.OneOfNotValid(branches) | _Kind.AnyOf(branches):
            place = list(error.instance_path)
            possible = [branch for branch in branches if not any(_rules_out(one, place) for one in branch)]
            if len(possible) == 1:
                for one in possible[0]:
                    yield from _told(one)
                return
    yield error


def _rules_out(error: jsonschema_rs.ValidationError, place: list[str | int]) -> bool:
    """Say whether an error shows that the value at a place is of another kind: of another type, or a member
    that tells kinds apart has another value.
    """
    where = list(error.instance_path)
    match error.kind:
        case _Kind.Type():
            return where == place
        case _Kind.Constant():
            return where[:-1] == place
        case _Kind.Enum(options):
            return where[:-1] == place and len(options) == 1
    return False
