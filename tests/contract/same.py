"""Whether two models say the same: in which file and under which pointer something stands does not count."""

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from devportal.contract import Api, Location, Schema


def model_contents(api: Api, names: Iterable[str]) -> list[Any]:
    """Return all contents of a model: of its API, and of these schemas of its components.

    Schemas are numbered in the order in which they are referred to.
    """
    return _Reading(api).contents(names)


def components(api: Api) -> list[str]:
    """Return the names of the schemas among the components of the root document."""
    return [location.pointer[-1] for location in api.schemas if _is_component(location)]


class _Reading:
    def __init__(self, api: Api) -> None:
        self._api = api
        self._numbers: dict[Location, int] = {}

    def contents(self, names: Iterable[str]) -> list[Any]:
        found: list[Any] = [
            (field.name, self._of(getattr(self._api, field.name)))
            for field in fields(self._api)
            if field.compare and field.name != "schemas"
        ]
        found += [(name, self._number(Location("", ("components", "schemas", name)))) for name in names]
        told = 0
        while told < len(self._numbers):
            location = list(self._numbers)[told]
            told += 1
            found.append((told, self._of(self._api.schemas.get(location))))
        return found

    def _number(self, location: Location) -> int:
        """Return the number of the schema that a location leads to, through those that only refer."""
        seen = set()
        while location not in seen:
            seen.add(location)
            schema = self._api.schemas.get(location)
            if schema is None or schema.ref is None or not _is_bare(schema):
                break
            location = schema.ref
        return self._numbers.setdefault(location, len(self._numbers))

    def _of(self, value: Any) -> Any:
        if isinstance(value, Location):
            return self._number(value) if value in self._api.schemas else _type_and_value(None)
        if isinstance(value, Schema) and value.ref is not None and _is_bare(value):
            return self._number(value.ref)
        if isinstance(value, Schema) and _is_bare(value):
            return _type_and_value(None)  # a schema that says nothing is as good as none
        if is_dataclass(value):
            left_out = {"location", "schemas"} | ({"name"} if isinstance(value, Schema) else set())
            return [
                (field.name, self._of(getattr(value, field.name)))
                for field in fields(value)
                if field.name not in left_out
            ]
        if isinstance(value, tuple | list):
            return [self._of(item) for item in value]
        if isinstance(value, dict):
            return [(key, self._of(member)) for key, member in value.items()]
        return value if isinstance(value, Enum) else _type_and_value(value)


def _type_and_value(value: Any) -> Any:
    """Return a value that 1, 1.0 and true differ in."""
    return type(value), value


def _is_bare(schema: Schema) -> bool:
    return schema == Schema(location=schema.location, name=schema.name, ref=schema.ref)


def _is_component(location: Location) -> bool:
    return (
        not location.file and location.pointer[:2] == ("components", "schemas") and len(location.pointer) == 3
    )
