"""An example made from a schema where the contract has none: deterministic, short, valid where it can be."""

import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from devportal.contract.json_schema import Direction
from devportal.contract.model import Api
from devportal.contract.regex import matches, sample
from devportal.contract.schemas import ABSENT, Schema

MAX_DEPTH = 6
MAX_OPTIONAL = 12
"""Optional properties shown in a synthesised object; the required ones are always there."""

_BY_FORMAT: dict[str, Any] = {
    "date-time": "2026-01-31T12:00:00Z",
    "date": "2026-01-31",
    "time": "12:00:00Z",
    "duration": "PT1H",
    "email": "name@example.com",
    "idn-email": "name@example.com",
    "hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/",
    "url": "https://example.com/",
    "uri-reference": "/path",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
    "byte": "aGVsbG8=",
    "binary": "…",
    "password": "********",
    "json-pointer": "/a",
    "regex": "^a$",
}


class _Endless(Exception):
    """Raised where a value would nest for ever, for whatever holds it to do without."""


def synthesise(api: Api, schema: Schema, direction: Direction) -> Any:
    """Return an example value for a schema, from its own examples and defaults wherever it has some."""
    try:
        return _Synthesis(api, direction).value(schema, 0, ())
    except _Endless:
        return {}


class _Synthesis:
    def __init__(self, api: Api, direction: Direction) -> None:
        self._api = api
        self._direction = direction

    def value(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> Any:
        schema = self._api.resolve(schema)
        given = _given(schema)
        if given is not ABSENT:
            return given
        if id(schema) in trail or depth > MAX_DEPTH:
            if schema.nullable:
                return None
            raise _Endless
        trail = (*trail, id(schema))
        try:
            return self._made(schema, depth, trail)
        except _Endless:
            if schema.nullable:
                return None
            raise

    def _made(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> Any:
        base = [self.value(branch, depth, trail) for branch in schema.all_of]
        base += [
            self._branch(branches, depth, trail) for branches in (schema.one_of, schema.any_of) if branches
        ]
        if schema.properties or not base:
            base.append(self._by_type(schema, depth, trail))
        objects = [part for part in base if isinstance(part, dict)]
        return {name: value for part in objects for name, value in part.items()} if objects else base[-1]

    def _branch(self, branches: tuple[Schema, ...], depth: int, trail: tuple[int, ...]) -> Any:
        for branch in branches:
            try:
                return self.value(branch, depth, trail)
            except _Endless:
                continue
        raise _Endless

    def _by_type(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> Any:
        match _main_type(schema):
            case "object":
                return self._object(schema, depth, trail)
            case "array":
                return self._array(schema, depth, trail)
            case kind:
                return _SCALARS[kind](schema)

    def _object(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        optional = 0
        for one in schema.properties:
            target = self._api.resolve(one.schema)
            hidden = target.read_only if self._direction is Direction.REQUEST else target.write_only
            if hidden or (not one.required and (target.deprecated or optional >= MAX_OPTIONAL or depth > 2)):
                continue
            try:
                made[one.name] = self.value(one.schema, depth + 1, trail)
            except _Endless:
                if one.required:
                    raise
            else:
                optional += not one.required
        free = schema.additional_properties
        if not made and free is not None and free.verdict is not False:
            with suppress(_Endless):
                made["key"] = self.value(free, depth + 1, trail)
        return made

    def _array(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> list[Any]:
        made = [self.value(one, depth + 1, trail) for one in schema.prefix_items]
        least = int(_bound(schema, "minItems", 0))
        if schema.items is not None and len(made) < max(least, 1):
            try:
                made.append(self.value(schema.items, depth + 1, trail))
            except _Endless:
                if least:
                    raise
        return made + made[-1:] * (min(least, 20) - len(made)) if made else made


def _given(schema: Schema) -> Any:
    """Return the value that the schema itself gives, if any."""
    if schema.const is not ABSENT:
        return schema.const
    if schema.examples:
        return schema.examples[0]
    if schema.default is not ABSENT and schema.default is not None:
        return schema.default
    if schema.enum:
        return next((value for value in schema.enum if value is not None), None)
    return ABSENT


def _main_type(schema: Schema) -> str:
    if schema.types:
        return schema.types[0]
    if schema.properties or schema.additional_properties is not None:
        return "object"
    if schema.items is not None or schema.prefix_items:
        return "array"
    keywords = {constraint.keyword for constraint in schema.constraints}
    if keywords & {"minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"}:
        return "number"
    if schema.format or keywords & {"minLength", "maxLength", "pattern"}:
        return "string"
    return "any"


def _bound(schema: Schema, keyword: str, otherwise: float) -> float:
    for constraint in schema.constraints:
        if constraint.keyword == keyword and isinstance(constraint.value, (int, float)):
            return constraint.value
    return otherwise


def _string(schema: Schema) -> str:
    pattern = next((str(one.value) for one in schema.constraints if one.keyword == "pattern"), "")
    shortest = int(_bound(schema, "minLength", 0))
    longest = _bound(schema, "maxLength", math.inf)
    text: str = _BY_FORMAT.get(schema.format, "string")
    if pattern and not matches(pattern, text):
        return sample(pattern, at_least=shortest) or text
    if len(text) < shortest:
        return (text * (shortest // len(text) + 1))[:shortest]
    return text if len(text) <= longest else text[: int(longest)]


def _number(schema: Schema) -> float:
    return _in_range(schema, step=0.5)


def _integer(schema: Schema) -> int:
    return int(_in_range(schema, step=1))


def _in_range(schema: Schema, *, step: float) -> float:
    """Return one, or the nearest value that the bounds and `multipleOf` allow."""
    low = max(_bound(schema, "minimum", -math.inf), _bound(schema, "exclusiveMinimum", -math.inf) + step)
    high = min(_bound(schema, "maximum", math.inf), _bound(schema, "exclusiveMaximum", math.inf) - step)
    multiple = _bound(schema, "multipleOf", 0)
    value = min(max(1, low), high)
    if multiple:
        value = math.ceil(value / multiple) * multiple
    return value


_SCALARS: dict[str, Callable[[Schema], Any]] = {
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": lambda _: True,
    "any": lambda schema: None if schema.nullable else {},
}
