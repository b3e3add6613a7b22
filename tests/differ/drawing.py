"""Small schemas drawn at random, of all keywords, about few names and small numbers, so that they meet."""

import random
from collections.abc import Callable, Mapping
from typing import Any

Json = Any
Rng = random.Random

NAMES = ("a", "b", "c", "d")
SHARED = ("A", "B")
"""The shared schemas; they may refer to each other and to themselves."""
PATTERNS = ("^a", "^[a-z]+$", "^[a-c]{1,3}$", "^(x|y)$", "b")
VALUES: tuple[Json, ...] = ("x", "y", "xyz", 1, 2, 0.5, True, False, None, [], {}, {"a": 1})

_SHARED_REF = "#/components/schemas/"
_FORMATS = ("date", "date-time", "uuid", "int32", "email")
_DEEPEST = 3


def drawn_schema(rng: Rng, depth: int = 0) -> Json:
    """Return a schema of any kind, deeper ones plainer."""
    if depth >= _DEEPEST:
        return rng.choice(_PLAIN)(rng, depth)
    return rng.choice(_ANY)(rng, depth)


def _some(rng: Rng, made: Mapping[str, Callable[[], Json]], chance: float = 0.35) -> dict[str, Json]:
    return {keyword: make() for keyword, make in made.items() if rng.random() < chance}


def _number(rng: Rng, _depth: int) -> dict[str, Json]:
    return {
        "type": rng.choice(["integer", "number"]),
        **_some(
            rng,
            {
                "minimum": lambda: rng.randint(-1, 4),
                "maximum": lambda: rng.randint(3, 9),
                "exclusiveMinimum": lambda: rng.randint(-1, 4),
                "exclusiveMaximum": lambda: rng.randint(3, 9),
                "multipleOf": lambda: rng.choice([1, 2, 3, 4, 6, 0.5]),
            },
            0.25,
        ),
    }


def _text(rng: Rng, _depth: int) -> dict[str, Json]:
    return {
        "type": "string",
        **_some(
            rng,
            {
                "minLength": lambda: rng.randint(0, 3),
                "maxLength": lambda: rng.randint(1, 5),
                "pattern": lambda: rng.choice(PATTERNS),
                "format": lambda: rng.choice(_FORMATS),
            },
            0.25,
        ),
    }


def _values(rng: Rng, _depth: int) -> dict[str, Json]:
    if rng.random() < 0.2:
        return {"const": rng.choice(VALUES)}
    return {"enum": rng.sample(VALUES, rng.randint(1, 4))}


def _object(rng: Rng, depth: int) -> dict[str, Json]:
    def schema() -> Json:
        return drawn_schema(rng, depth + 1)

    names = rng.sample(NAMES, rng.randint(0, 3))
    rare: dict[str, Callable[[], Json]] = {
        "patternProperties": lambda: {rng.choice(PATTERNS): schema()},
        "propertyNames": lambda: rng.choice([_text(rng, depth), {"enum": ["a", "b"]}]),
        "minProperties": lambda: rng.randint(0, 2),
        "maxProperties": lambda: rng.randint(1, 3),
        "dependentRequired": lambda: {rng.choice(NAMES): [rng.choice(NAMES)]},
        "dependentSchemas": lambda: {rng.choice(NAMES): schema()},
        "unevaluatedProperties": lambda: rng.choice([False, True, schema()]),
    }
    return {
        "type": "object",
        **({"properties": {name: schema() for name in names}} if names else {}),
        **_some(
            rng,
            {
                "required": lambda: rng.sample(NAMES, rng.randint(1, 2)),
                "additionalProperties": lambda: rng.choice([False, False, True, {}, schema()]),
            },
        ),
        **_some(rng, rare, 0.08),
    }


def _array(rng: Rng, depth: int) -> dict[str, Json]:
    def schema() -> Json:
        return drawn_schema(rng, depth + 1)

    rare: dict[str, Callable[[], Json]] = {
        "prefixItems": lambda: [schema() for _ in range(rng.randint(1, 2))],
        "contains": schema,
        "minContains": lambda: rng.randint(0, 2),
        "maxContains": lambda: rng.randint(1, 2),
        "unevaluatedItems": lambda: rng.choice([False, schema()]),
    }
    return {
        "type": "array",
        **_some(rng, {"items": schema}, 0.7),
        **_some(
            rng,
            {
                "minItems": lambda: rng.randint(0, 2),
                "maxItems": lambda: rng.randint(1, 3),
                "uniqueItems": lambda: rng.choice([True, False]),
            },
            0.25,
        ),
        **_some(rng, rare, 0.1),
    }


def drawn_union(rng: Rng, depth: int) -> dict[str, Json]:
    keyword = rng.choice(["anyOf", "oneOf"])
    return {keyword: [drawn_schema(rng, depth + 1) for _ in range(rng.randint(1, 3))]}


def drawn_logic(rng: Rng, depth: int) -> dict[str, Json]:
    def schema() -> Json:
        return drawn_schema(rng, depth + 1)

    match rng.choice(["allOf", "allOf", "not", "if"]):
        case "allOf":
            return {"allOf": [schema() for _ in range(rng.randint(1, 3))]}
        case "not":
            return {"not": schema()}
    return {"if": schema(), **_some(rng, {"then": schema, "else": schema}, 0.7)}


def _types(rng: Rng, _depth: int) -> dict[str, Json]:
    known = ["string", "number", "integer", "boolean", "object", "array", "null"]
    return {"type": rng.sample(known, rng.randint(1, 3))}


def _ref(rng: Rng, _depth: int) -> dict[str, Json]:
    return {"$ref": _SHARED_REF + rng.choice(SHARED)}


def _rest_schema(rng: Rng, _depth: int) -> Json:
    return rng.choice([{}, True, False, {"type": "boolean"}, {"type": "null"}])


BY_TYPE: dict[str, Callable[[Rng, int], dict[str, Json]]] = {
    "integer": _number, "number": _number, "string": _text, "object": _object, "array": _array,
    "boolean": _values,
}  # fmt: skip
_PLAIN: tuple[Callable[[Rng, int], Json], ...] = (_number, _text, _types, _values, _text, _ref)
_ANY: tuple[Callable[[Rng, int], Json], ...] = (
    *_PLAIN, _object, _object, _object, _object, _array, _array, drawn_union, drawn_union, drawn_logic, _rest_schema,
)  # fmt: skip
BY_KEYWORD: dict[str, Callable[[Rng, int], Json]] = {
    "type": lambda rng, depth: _types(rng, depth)["type"],
    "enum": lambda rng, _: rng.sample(VALUES, rng.randint(1, 4)),
    "const": lambda rng, _: rng.choice(VALUES),
    "pattern": lambda rng, _: rng.choice(PATTERNS),
    "format": lambda rng, _: rng.choice(_FORMATS),
    "multipleOf": lambda rng, _: rng.choice([1, 2, 3, 4, 6, 0.5]),
    "$ref": lambda rng, depth: _ref(rng, depth)["$ref"],
    "required": lambda rng, _: rng.sample(NAMES, 1),
}
