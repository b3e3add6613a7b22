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
        """Yield every violation, in the order of the value. Formats are checked."""
        for error in self._validator(schema, direction).iter_errors(value):
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
