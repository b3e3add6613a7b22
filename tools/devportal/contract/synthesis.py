"""An example made from a schema where the contract has none: deterministic, short, valid where it can be."""

from collections.abc import Callable
from typing import Any

from devportal.contract.beside import is_bare
from devportal.contract.bounds import bound, number_within
from devportal.contract.depth import MAX_CHAIN
from devportal.contract.json_schema import Direction, is_hidden
from devportal.contract.model import Api
from devportal.contract.regex import matches, sample
from devportal.contract.schemas import ABSENT, Location, Property, Schema

MAX_DEPTH = 6
"""How deep objects and arrays are nested; what is required below that cannot be made."""
MAX_ITEMS = 100
"""Items, or undeclared members, that are made where a schema asks for more."""
MAX_VALUES = 2_000
"""Values that an example is made of at most, those of its parts and members counted."""
MAX_STEPS = MAX_CHAIN + 20
"""Schemas within schemas that are gone through for one value: the longest chain, with some objects around.
Each takes five calls, and Python has room for a thousand.
"""
MAX_LENGTH = 4_000
"""Code points of the longest text; one that has to be longer cannot be made."""
MAX_OPTIONAL = 12
"""Optional properties shown in a synthesised object; the required ones are always there."""

_SHARES = 8
"""Into how many parts the values that are left are cut, one of them for the next optional property."""

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


class _Impossible(Exception):
    """Raised where there is no value, or only an endless one, for whatever holds it to do without."""


def synthesise(api: Api, schema: Schema, direction: Direction) -> Any:
    """Return an example value for a schema, from its own examples and defaults wherever it has some."""
    try:
        return _Synthesis(api, direction).value(schema, 0, ())
    except _Impossible:
        return {}


class _Synthesis:
    def __init__(self, api: Api, direction: Direction) -> None:
        self._api = api
        self._direction = direction
        self._left = MAX_VALUES
        self._circles = 0
        self._known: dict[tuple[int, int], tuple[Schema, Any]] = {}

    def value(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> Any:
        given = _given(schema)
        seen: set[Location] = set()
        while given is ABSENT and schema.ref is not None and schema.ref not in seen and is_bare(schema):
            target = self._api.schemas.get(schema.ref)
            if target is None:
                break
            seen.add(schema.ref)
            schema, given = target, _given(target)
        if schema.verdict is False:
            raise _Impossible
        self._left -= 1
        if given is not ABSENT:
            return given
        known = self._known.get((id(schema), depth))
        if known is not None:
            self._left -= _size(known[1])
            if self._left >= 0:
                return known[1]
        self._circles += id(schema) in trail
        if id(schema) in trail or depth > MAX_DEPTH or len(trail) > MAX_STEPS or self._left < 0:
            if schema.nullable:
                return None
            raise _Impossible
        return self._remembered(schema, depth, (*trail, id(schema)))

    def _remembered(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> Any:
        """Return a new value; one that depends on nothing but schema and depth is kept for the next time."""
        circles = self._circles
        try:
            made = self._made(schema, depth, trail)
        except _Impossible:
            if schema.nullable:
                return None
            raise
        if circles == self._circles:
            self._known[id(schema), depth] = schema, made  # the schema is kept, so that its id stays its own
        return made

    def _made(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> Any:
        """Return a value of all that a schema is made of: parts of objects are put together."""
        target = self._api.schemas.get(schema.ref) if schema.ref is not None else None
        base = [self.value(target, depth, trail)] if target is not None else []
        base += [self.value(branch, depth, trail) for branch in schema.all_of]
        base += [
            self._branch(branches, depth, trail) for branches in (schema.one_of, schema.any_of) if branches
        ]
        is_plain = bool(schema.types) and schema.types[0] not in ("object", "array")
        forbidden = _forbidden_names(self._api, schema) if base else frozenset()
        if schema.properties or is_plain or not base:
            base.append(self._by_type(schema, depth, trail))
        if is_plain:
            return base[-1]
        objects = [part for part in base if isinstance(part, dict)]
        if not objects:
            return base[-1]
        return {name: value for part in objects for name, value in part.items() if name not in forbidden}

    def _branch(self, branches: tuple[Schema, ...], depth: int, trail: tuple[int, ...]) -> Any:
        for branch in branches:
            try:
                return self.value(branch, depth, trail)
            except _Impossible:
                continue
        raise _Impossible

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
        shown = [one for one in schema.properties if not is_hidden(self._api, one, self._direction)]
        spare = _limit(schema, "maxProperties", MAX_OPTIONAL + len(schema.required)) - len(schema.required)
        for one in sorted(shown, key=lambda one: not one.required):
            is_left_out = self._api.resolve(one.schema).deprecated or spare <= 0 or depth > 2
            if not one.required and is_left_out:
                continue
            try:
                made[one.name] = self._member(one, depth, trail)
            except _Impossible:
                if one.required:
                    raise
            else:
                spare -= not one.required
        made = {one.name: made[one.name] for one in shown if one.name in made}
        return made | self._undeclared(schema, made, depth, trail)

    def _member(self, one: Property, depth: int, trail: tuple[int, ...]) -> Any:
        """Return the value of a property; an optional one takes no more than its share of what is left."""
        if one.required:
            return self.value(one.schema, depth + 1, trail)
        kept = self._left - self._left // _SHARES
        self._left -= kept
        try:
            return self.value(one.schema, depth + 1, trail)
        finally:
            self._left += kept

    def _undeclared(
        self, schema: Schema, made: dict[str, Any], depth: int, trail: tuple[int, ...]
    ) -> dict[str, Any]:
        """Return members without a property: those that are required, and as many as `minProperties` asks."""
        free = schema.additional_properties
        least = _limit(schema, "minProperties", 0)
        declared = {one.name for one in schema.properties}
        names = [name for name in schema.required if name not in declared]
        if free is not None and free.verdict is not False and not made and not names:
            least = max(least, min(1, _limit(schema, "maxProperties", 1)))
        missing = max(0, least - len(made) - len(names))
        names += ["key", *(f"key{number}" for number in range(2, MAX_ITEMS))][:missing]
        try:
            return {name: self.value(free, depth + 1, trail) if free else "string" for name in names}
        except _Impossible:
            if schema.required or bound(schema, "minProperties"):
                raise
            return {}

    def _array(self, schema: Schema, depth: int, trail: tuple[int, ...]) -> list[Any]:
        least, most = _limit(schema, "minItems", 0), _limit(schema, "maxItems", MAX_ITEMS)
        made = [self.value(one, depth + 1, trail) for one in schema.prefix_items][:most]
        wanted = min(max(least, 1), most, MAX_ITEMS) - len(made)
        items = schema.items
        if wanted > 0 and not (items is None and made and least <= len(made)):
            try:
                item = self.value(items, depth + 1, trail) if items is not None else "string"
            except _Impossible:
                if least:
                    raise
                return made
            if bound(schema, "uniqueItems"):
                return made + _distinct(item, self._api.resolve(items).enum if items else (), wanted)
            size = _size(item)
            wanted = max(1, min(wanted, 1 + self._left // size))
            self._left -= size * (wanted - 1)
            made += [item] * wanted
        return made


def _size(value: Any) -> int:
    """Return of how many values one is made."""
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_size, members))


def _distinct(item: Any, enum: tuple[Any, ...], wanted: int) -> list[Any]:
    """Return different values like the first; fewer where there is no telling what else is allowed."""
    if enum:
        return [item, *(value for value in enum if value != item)][:wanted]
    if isinstance(item, (int, float)) and not isinstance(item, bool):
        return [item + number for number in range(wanted)]
    if isinstance(item, str):
        return [item, *(f"{item}{number}" for number in range(2, wanted + 1))][:wanted]
    return [item]


def _forbidden_names(api: Api, schema: Schema) -> frozenset[str]:
    """Return the properties that a schema, or one that applies beside it, lets have no value at all."""
    found: set[str] = set()
    pending, seen = [schema], {schema.location}
    while pending:
        part = pending.pop()
        found.update(one.name for one in part.properties if one.schema.verdict is False)
        target = api.schemas.get(part.ref) if part.ref is not None else None
        below = [*part.all_of, *([target] if target is not None else [])]
        pending += [one for one in below if one.location not in seen]
        seen.update(one.location for one in below)
    return frozenset(found)


def _limit(schema: Schema, keyword: str, otherwise: int) -> int:
    written = bound(schema, keyword)
    return int(written) if written is not None else otherwise


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


_BY_KEYWORD = {
    "object": {"minProperties", "maxProperties", "dependentRequired"},
    "array": {"minItems", "maxItems", "uniqueItems", "minContains", "maxContains"},
    "number": {"minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"},
    "string": {"minLength", "maxLength", "pattern"},
}
"""The type that a schema without one means, by the constraints that only concern that type."""


def _main_type(schema: Schema) -> str:
    if schema.types:
        return schema.types[0]
    if schema.properties or schema.required or schema.additional_properties is not None:
        return "object"
    if schema.items is not None or schema.prefix_items:
        return "array"
    keywords = {constraint.keyword for constraint in schema.constraints}
    meant = next((kind for kind, telling in _BY_KEYWORD.items() if keywords & telling), "")
    return meant or ("string" if schema.format else "any")


def _string(schema: Schema) -> str:
    pattern = next((str(one.value) for one in schema.constraints if one.keyword == "pattern"), "")
    shortest, longest = min(_limit(schema, "minLength", 0), MAX_LENGTH), bound(schema, "maxLength")
    text: str = _BY_FORMAT.get(schema.format, "string")
    is_fitting = shortest <= len(text) and (longest is None or len(text) <= longest)
    if pattern and not (is_fitting and matches(pattern, text)):
        return sample(pattern, at_least=shortest) or text
    if len(text) < shortest:
        return (text * (shortest // len(text) + 1))[:shortest]
    return text if longest is None else text[: int(longest)]


_SCALARS: dict[str, Callable[[Schema], Any]] = {
    "string": _string,
    "integer": lambda schema: number_within(schema, is_whole=True),
    "number": lambda schema: number_within(schema, is_whole=False),
    "boolean": lambda _: True,
    "any": lambda schema: None if schema.nullable else {},
}
