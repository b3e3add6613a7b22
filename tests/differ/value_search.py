"""A search for values that one contract allows and the other refuses, which shares nothing with the differ's:
values are drawn at random, and validated against the schemas as they are written.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import product
from typing import Any

import jsonschema_rs

from devportal.differ.rule import Direction
from tests.differ.contract_drawing import COMPONENTS, NAMES, ContractPair
from tests.differ.drawing import Json, Rng

_UNLISTED = ("zz", "x-a", "nn")
"""Names that no schema lists; patterns fit some of them."""
_TEXTS = (
    "", "a", "b", "Cat", "Dog", "Cow", "1", "x", "xy", "x1", "ab", "abcd", "aaaaaa", "2026-01-01", "127.0.0.1",
    "123e4567-e89b-12d3-a456-426614174000",
)  # fmt: skip
_NUMBERS = (-3, -2, -1, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 9.5, 10, 11, 12)
_UNIONS = ("oneOf", "anyOf")
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_DEEPEST = 9
_SCALARS = (bool, int, float)
_ROOT: Json = {"$ref": f"{COMPONENTS}It"}


class Hidden(Enum):
    """What the schema of a property says that does not travel in the direction; it never is required."""

    DESCRIBED = auto()
    REFUSED = auto()
    UNLISTED = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The schemas of a contract, and the keyword of properties that do not travel in the direction.

    `follows_discriminators` says whether objects fit only the branch that they select.
    """

    schemas: dict[str, Json]
    hidden: str
    is_3_0: bool
    follows_discriminators: bool = False
    hidden_properties: Hidden = Hidden.DESCRIBED

    def validator(self, schema: Json) -> jsonschema_rs.Draft202012Validator:
        """Return a validator of a schema."""
        definitions = {name: self._to_json_schema(value) for name, value in self.schemas.items()}
        document = {"allOf": [self._to_json_schema(schema)], "components": {"schemas": definitions}}
        return jsonschema_rs.Draft202012Validator(document, validate_formats=True)

    def parts(self, schema: Json) -> Iterator[dict[str, Json]]:
        """Yield a schema and all that always applies with it: what it refers to and `allOf`."""
        pending, names = [schema], set[str]()
        for item in pending:
            name = item.get("$ref", "").removeprefix(COMPONENTS)
            if name and name not in names:
                names.add(name)
                pending.append(self.schemas[name])
            pending += item.get("allOf", ())
            yield item

    def is_hidden(self, schema: Json) -> bool:
        """Say whether a property does not travel."""
        return any(part.get(self.hidden) for part in self.parts(schema))

    def _to_json_schema(self, schema: Json, around: frozenset[str] = frozenset()) -> Json:
        """Return a schema as JSON Schema 2020-12; `around` are properties that the schemas which it is a part of
        do not let travel.
        """
        if not isinstance(schema, dict):
            return schema
        listed = [member for part in self.parts(schema) for member in part.get("properties", {}).items()]
        hidden = around | {name for name, value in listed if self.is_hidden(value)}
        made = self._write_parts(schema, hidden)
        if "required" in made:
            made["required"] = [name for name in made["required"] if name not in hidden]
        if self.is_3_0:
            _write_3_0(schema, made)
        if self.follows_discriminators and "discriminator" in schema:
            tag = schema["discriminator"]["propertyName"]
            for branch in made["oneOf"]:
                name = branch.get("$ref", "").removeprefix(COMPONENTS)
                selection = {"properties": {tag: {"const": name}}, "required": [tag]}
                branch.update(selection if name else {})
        return made

    def _write_parts(self, schema: Json, hidden: frozenset[str]) -> dict[str, Json]:
        ignored = ("discriminator", "readOnly", "writeOnly", "nullable")
        made = {key: value for key, value in schema.items() if key not in ignored}
        for keyword, value in made.items():
            if keyword in ("allOf", *_UNIONS):
                made[keyword] = [self._to_json_schema(item, hidden) for item in value]
            elif keyword == "prefixItems":
                made[keyword] = [self._to_json_schema(item) for item in value]
            elif keyword in ("items", "additionalProperties", "contains"):
                made[keyword] = self._to_json_schema(value)
            elif keyword in ("properties", "patternProperties"):
                made[keyword] = {
                    name: self._to_json_schema(other_value) for name, other_value in value.items()
                }
        for name, property_ in schema.get("properties", {}).items():
            if self.is_hidden(property_) and self.hidden_properties is Hidden.REFUSED:
                made["properties"][name] = False
            elif self.is_hidden(property_) and self.hidden_properties is Hidden.UNLISTED:
                del made["properties"][name]
        return made


def _write_3_0(schema: Json, made: Json) -> None:
    """Put bounds and null as OAS 3.0 writes them into a schema of JSON Schema (OAS 3.0.3 §4.7.24)."""
    for bound in ("minimum", "maximum"):
        exclusive = f"exclusive{bound.capitalize()}"
        if made.pop(exclusive, False) is True and bound in made:
            made[exclusive] = made.pop(bound)
    if schema.get("nullable") and "type" in made:
        made["type"] = [made["type"], "null"]


@dataclass(frozen=True, slots=True)
class ValueDrawing:
    """Draws values that a side is likely to allow."""

    rng: Rng
    side: Side

    def value(self, schema: Json, depth: int = 0) -> Any:
        """Return a value of a schema, often a valid one."""
        if not isinstance(schema, dict) or depth > _DEEPEST or self.rng.random() < 0.03:
            return self._any_value(depth)
        if "$ref" in schema:
            return self.value(self.side.schemas[schema["$ref"].removeprefix(COMPONENTS)], depth + 1)
        if schema.get("nullable") and self.rng.random() < 0.15:
            return None
        if "const" in schema or "enum" in schema:
            return self.rng.choice(schema.get("enum") or [schema.get("const")])
        parts = [
            *schema.get("allOf", ()),
            *(self.rng.choice(schema[union]) for union in _UNIONS if union in schema),
        ]
        if parts:
            return self._merge_values(schema, parts, depth)
        kind = schema.get("type", "object" if "properties" in schema else "")
        draw = {"object": self._object, "array": self._array, "string": self._text}.get(kind)
        if draw is not None:
            return draw(schema, depth)
        return self._number(schema) if kind in ("integer", "number") else self._any_value(depth)

    def _any_value(self, depth: int) -> Any:
        choice = self.rng.random()
        if depth > 2 or choice < 0.6:
            return self.rng.choice([self.rng.choice(_TEXTS), self.rng.choice(_NUMBERS), True, False, None])
        if choice < 0.8:
            return {name: self._any_value(depth + 1) for name in self.rng.sample(_UNLISTED, 2)}
        return [self._any_value(depth + 1) for _ in range(self.rng.randint(0, 2))]

    def _merge_values(self, schema: Json, parts: list[Json], depth: int) -> Any:
        values = [self.value(part, depth + 1) for part in parts]
        if not all(isinstance(value, dict) for value in values):
            return self.rng.choice(values)
        own = self._object(schema, depth) if schema.get("type") == "object" else {}
        return {name: other_value for value in (own, *values) for name, other_value in value.items()}

    def _object(self, schema: Json, depth: int) -> dict[str, Any]:
        properties, required = schema.get("properties", {}), schema.get("required", ())
        made = {
            name: self.value(properties.get(name, {}), depth + 1)
            for name in dict.fromkeys((*properties, *required))
            if not self.side.is_hidden(properties.get(name, {}))
            and (name in required or self.rng.random() < 0.6)
        }
        patterns = [(re.compile(value), part) for value, part in schema.get("patternProperties", {}).items()]
        for name in _UNLISTED:
            fitting = [part for pattern, part in patterns if pattern.search(name)]
            if self.rng.random() < (0.3 if fitting else 0.15):
                part = fitting[0] if fitting else schema.get("additionalProperties", {})
                made[name] = self.value(part, depth + 1)
        return made

    def _array(self, schema: Json, depth: int) -> list[Any]:
        least = schema.get("minItems", 0)
        count = self.rng.randint(least, max(least, min(schema.get("maxItems", least + 2), least + 3)))
        kinds = [*schema.get("prefixItems", ()), *[schema.get("items", {})] * count][:count]
        items = [self.value(kind, depth + 1) for kind in kinds]
        if items and "contains" in schema:
            items[self.rng.randrange(count)] = self.value(schema["contains"], depth + 1)
        return [*items, items[0]] if items and self.rng.random() < 0.25 else items

    def _text(self, schema: Json, _depth: int) -> Any:
        least, most = schema.get("minLength", 0), schema.get("maxLength", 6)
        length = self.rng.choice([least, most, max(0, least - 1), most + 1])
        return self.rng.choice([*self.rng.sample(_TEXTS, 2), self.rng.choice("ax1") * length])

    def _number(self, schema: Json) -> Any:
        bounds = [schema[bound] for bound in _BOUNDS if type(schema.get(bound)) in (int, float)]
        if bounds and self.rng.random() < 0.6:
            return self.rng.choice(bounds) + self.rng.choice([0, 1, -1, 0.5, -0.5, 2])
        return self.rng.choice(_NUMBERS)


@dataclass(frozen=True, slots=True)
class Description:
    """Which schemas of a side describe the members of a value. The differ takes values to have no member that
    another contract may describe and theirs does not.
    """

    side: Side

    def covers(self, value: Any, schemas: list[Json], depth: int = 0) -> bool:
        """Say whether schemas describe each member of a value, at any depth, whose name schemas list somewhere."""
        applied = list(self._applied_schemas(value, schemas)) if depth < _DEEPEST else []
        match value:
            case dict() if applied:
                return all(
                    self._covers_member(name, other_value, applied, depth)
                    for name, other_value in value.items()
                )
            case list() if applied:
                items = [[*item.get("prefixItems", ()), item.get("contains", {})] for item in applied]
                below = [part for parts in items for part in parts]
                below += [item.get("items", {}) for item in applied]
                return all(self.covers(item, below, depth + 1) for item in value)
        return True

    def _applied_schemas(self, value: Any, schemas: list[Json]) -> Iterator[dict[str, Json]]:
        pending = [schema for schema in schemas if isinstance(schema, dict)]
        for schema in pending:
            for part in self.side.parts(schema):
                yield part
                branches = [item for keyword in _UNIONS for item in part.get(keyword, ())]
                pending += [branch for branch in branches if self.side.validator(branch).is_valid(value)]

    def _covers_member(self, name: str, value: Any, applied: list[dict[str, Json]], depth: int) -> bool:
        below: list[Json] = []
        is_listed = name not in NAMES
        for schema in applied:
            patterns = schema.get("patternProperties", {}).items()
            own = [part for pattern, part in patterns if re.search(pattern, name)]
            if name in schema.get("properties", {}):
                own.append(schema["properties"][name])
            elif not own and isinstance(schema.get("additionalProperties"), dict):
                own.append(schema["additionalProperties"])
            is_listed |= bool(own) or name in schema.get("required", ())
            below += own
        return is_listed and self.covers(value, below, depth + 1)


def text_readings(value: Any) -> list[Any]:
    """Return what a parameter or header of this value may be read as: texts look like numbers and truth values,
    and a single one is a list too.
    """
    if isinstance(value, list):
        return [list(item) for item in product(*map(text_readings, value))]
    readings = [value]
    if not isinstance(value, str):
        readings.append(json.dumps(value))
    else:
        with suppress(ValueError):
            read = json.loads(value)
            readings += [read] if isinstance(read, _SCALARS) else []
    return [*readings, *([reading] for reading in readings)]


class Oracle:
    """Judges values of a pair of contracts: one side allows them, the other one refuses them."""

    def __init__(self, pair: ContractPair) -> None:
        """Take the pair; the side that allows is the old one for what clients send."""
        is_sent = pair.place.direction is Direction.TO_PROVIDER
        allowing, refusing = (pair.old, pair.new) if is_sent else (pair.new, pair.old)
        keyword = "readOnly" if is_sent else "writeOnly"
        self._is_text = pair.place.is_text
        self._allowing, self._refusing = (
            Side(schemas=item, hidden=keyword, is_3_0=pair.is_3_0) for item in (allowing, refusing)
        )
        self._validators = {
            (follows, hidden): tuple(
                replace(side, follows_discriminators=follows, hidden_properties=hidden).validator(_ROOT)
                for side in (self._allowing, self._refusing)
            )
            for follows in (False, True)
            for hidden in Hidden
        }

    def is_shown(self, value: Any) -> bool:
        """Say whether a value is allowed and refused, with discriminators or without."""
        return any(
            all(self._is_shown_if((follows, item), value) for item in (Hidden.DESCRIBED, Hidden.REFUSED))
            for follows in (False, True)
        )

    def counterexamples(self, rng: Rng, draws: int) -> Iterator[Any]:
        """Yield values that are allowed and refused however schemas are read, and described by those who send
        them.
        """
        drawings = [ValueDrawing(rng, side) for side in (self._allowing, self._allowing, self._refusing)]
        description = Description(self._allowing)
        for number in range(draws):
            value = drawings[number % len(drawings)].value(_ROOT)
            is_refused = all(self._is_shown_if(reading, value) for reading in self._validators)
            if is_refused and description.covers(value, [_ROOT]):
                yield value

    def _is_shown_if(self, reading: tuple[bool, Hidden], value: Any) -> bool:
        allowing, refusing = self._validators[reading]
        values = text_readings(value) if self._is_text else [value]
        return any(map(allowing.is_valid, values)) and not any(map(refusing.is_valid, values))
