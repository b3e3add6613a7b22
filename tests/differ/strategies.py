"""Two versions of small schemas, drawn at random: the old one, and what some edits make of it; and unions."""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tests.differ.drawing import (
    BY_KEYWORD,
    BY_TYPE,
    NAMES,
    PATTERNS,
    SHARED,
    VALUES,
    Json,
    Rng,
    drawn_logic,
    drawn_schema,
    drawn_union,
)


def fixed_examples(count: int) -> settings:
    """Return the settings of a law that is checked with the same random examples each time."""
    return settings(
        max_examples=count, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two versions of a schema, each with the shared schemas that it may refer to."""

    old: Json
    new: Json
    old_shared: Mapping[str, Json]
    new_shared: Mapping[str, Json]

    @property
    def mirrored(self) -> "Pair":
        """Return the pair with old and new swapped."""
        return Pair(old=self.new, new=self.old, old_shared=self.new_shared, new_shared=self.old_shared)


def drawn_pair(rng: Rng, edits: int = 1) -> Pair:
    """Return a schema before and after some edits anywhere in it or in what it refers to."""
    old = {"value": drawn_schema(rng), **{name: drawn_schema(rng, 1) for name in SHARED}}
    new = copy.deepcopy(old)
    for _ in range(edits):
        edit(rng, new)
    return Pair(old=old.pop("value"), new=new.pop("value"), old_shared=old, new_shared=new)


def pairs(edits: int = 1) -> st.SearchStrategy[Pair]:
    """Return pairs of schemas with some edits between them."""
    return st.randoms(use_true_random=False).map(lambda rng: drawn_pair(rng, edits))


def union_pairs() -> st.SearchStrategy[Pair]:
    """Return pairs of which one schema at least is a union of few kinds of branches, which often cover each
    other: branches that come, go, change places, are merged, and schemas that become a union or cease to be.
    """
    return st.randoms(use_true_random=False).map(drawn_union_pair)


def drawn_union_pair(rng: Rng) -> Pair:
    """Return a union before and after its branches are edited, often as a property or as items."""
    branches = [_drawn_branch(rng) for _ in range(rng.randint(1, 4))]
    edited = copy.deepcopy(branches)
    for _ in range(rng.randint(0, 3)):
        _edit_branches(rng, edited)
    old, new = _union_of(rng, branches), _union_of(rng, edited)
    around = rng.choice([_as_is, _as_is, _as_property, _as_items])
    pair = Pair(old=around(old), new=around(new), old_shared=_UNION_PARTS, new_shared=_UNION_PARTS)
    return pair if rng.random() < 0.5 else pair.mirrored


_UNION_PARTS: Mapping[str, Json] = {
    "A": {"type": "string"},
    "B": {"anyOf": [{"type": "string"}, {"type": "string", "enum": ["x", "y"]}]},
}


def _drawn_branch(rng: Rng) -> Json:
    """Return a branch of one of few kinds, so that branches are often equal, wider or narrower."""
    number = {"type": rng.choice(["integer", "number"])}
    text: dict[str, Json] = {"type": "string"}
    match rng.randrange(8):
        case 0:
            return rng.choice([text, number, {"type": "boolean"}, {"type": "null"}])
        case 1:
            return {**text, "enum": rng.sample(["x", "y", "xyz"], rng.randint(1, 3))}
        case 2:
            return {**text, rng.choice(["minLength", "maxLength"]): rng.randint(1, 3)}
        case 3:
            return {**number, rng.choice(["minimum", "maximum"]): rng.randint(1, 3)}
        case 4:
            return {
                "type": "array",
                "items": rng.choice([text, number, {"type": "boolean"}]),
                **_maybe_short(rng),
            }
        case 5:
            return {"$ref": f"#/components/schemas/{rng.choice(SHARED)}"}
    return _drawn_object(rng)


def _maybe_short(rng: Rng) -> dict[str, Json]:
    return {"maxItems": rng.randint(1, 3)} if rng.random() < 0.5 else {}


def _drawn_object(rng: Rng) -> Json:
    """Return an object, often with a property that tells its kind."""
    names = rng.sample(NAMES[1:], rng.randint(0, 2))
    properties: dict[str, Json] = {
        name: rng.choice([{"type": "string"}, {"type": "integer"}, {"type": "number"}]) for name in names
    }
    required = [name for name in names if rng.random() < 0.5]
    if rng.random() < 0.6:
        properties["a"] = {"type": "string", "enum": rng.sample(["x", "y"], rng.randint(1, 2))}
        required.append("a")
    made = {"type": "object", "properties": properties, "required": required}
    return {**made, "additionalProperties": False} if rng.random() < 0.3 else made


def _edit_branches(rng: Rng, branches: list[Json]) -> None:
    """Add, remove, replace, swap or merge branches, or change one."""
    place = rng.randrange(len(branches)) if branches else 0
    match rng.randrange(6):
        case 0:
            branches.insert(place, _drawn_branch(rng))
        case 1 if len(branches) > 1:
            del branches[place]
        case 2:
            branches[place] = _drawn_branch(rng)
        case 3:
            rng.shuffle(branches)
        case 4 if len(branches) > 1:
            one = branches.pop(place)
            branches[0] = _merge(one, branches[0])
        case _:
            holder = {"it": branches[place]}
            edit(rng, holder)
            branches[place] = _possible(holder["it"])


def _possible(schema: Json) -> Json:
    """Return a schema without the properties that it requires and refuses at once."""
    if not isinstance(schema, dict) or schema.get("additionalProperties") is not False:
        return schema
    listed = schema.get("properties", {})
    return {**schema, "required": [name for name in schema.get("required", []) if name in listed]}


def _merge(first: Json, other: Json) -> Json:
    """Return a schema that allows what both of two schemas do, if they are of one type."""
    if not (isinstance(first, dict) and isinstance(other, dict)) or first.get("type") != other.get("type"):
        return {"anyOf": [first, other]}
    return {"type": first["type"]} if "type" in first else {}


def _union_of(rng: Rng, branches: list[Json]) -> Json:
    """Return a union, or a plain schema if there is only one branch and chance says so."""
    if len(branches) == 1 and rng.random() < 0.7:
        return branches[0]
    return {rng.choice(["anyOf", "anyOf", "oneOf"]): branches}


def _as_is(schema: Json) -> Json:
    return schema


def _as_property(schema: Json) -> Json:
    return {"type": "object", "properties": {"a": schema}, "required": ["a"]}


def _as_items(schema: Json) -> Json:
    return {"type": "array", "items": schema}


def edit(rng: Rng, holder: dict[str, Json]) -> None:
    """Change one thing in one of the schemas in a mapping, or in a schema below them."""
    found = [place for name in holder for place in _places(holder, name, 0)]
    container, key, depth = rng.choice(found)
    here = container[key]
    if not isinstance(here, dict) or rng.random() < _REPLACED:
        container[key] = _other_schema(rng, here, depth)
        return
    if "$ref" in here or not here or rng.random() < _ADDED:
        here |= _words(rng, here, depth)
        return
    keyword = rng.choice(sorted(here))
    if rng.random() < _DROPPED:
        del here[keyword]
    else:
        here[keyword] = _change_value(rng, keyword, here[keyword], depth)


_REPLACED, _ADDED, _DROPPED = 0.15, 0.35, 0.4


def _other_schema(rng: Rng, here: Json, depth: int) -> Json:
    """Return another schema, or the same one wrapped."""
    wrapped = rng.choice(["allOf", "anyOf", "oneOf", "not", "", "", ""])
    if wrapped == "not":
        return {"not": here}
    if wrapped:
        more = [drawn_schema(rng, depth + 1)] if rng.random() < 0.7 else []
        return {wrapped: [here, *more]}
    return drawn_schema(rng, depth)


def _words(rng: Rng, here: Mapping[str, Json], depth: int) -> dict[str, Json]:
    """Return keywords that fit the types of a schema, or any."""
    kinds = here.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else list(kinds)
    fitting = [BY_TYPE[kind] for kind in kinds if kind in BY_TYPE] or list(BY_TYPE.values())
    made = rng.choice([*fitting, *fitting, drawn_union, drawn_logic])(rng, depth)
    return {key: value for key, value in made.items() if key != "type"}


def _change_value(rng: Rng, keyword: str, value: Json, depth: int) -> Json:
    """Return another value of a keyword."""
    match value:
        case bool():
            return not value
        case int():
            least = 1 if keyword == "multipleOf" else 0
            return max(least, value + rng.choice([-2, -1, 1, 2]))
        case list() if value and keyword != "type":
            return _changed_list(rng, keyword, value, depth)
        case dict() if keyword in _MAPS:
            return _changed_map(rng, keyword, value, depth)
    if keyword in BY_KEYWORD:
        return BY_KEYWORD[keyword](rng, depth)
    return drawn_schema(rng, depth + 1)


_MAPS = frozenset({"properties", "patternProperties", "dependentRequired", "dependentSchemas"})


def _changed_list(rng: Rng, keyword: str, value: list[Json], depth: int) -> list[Json]:
    more: Callable[[], Json] = {
        "required": lambda: rng.choice(NAMES),
        "enum": lambda: rng.choice(VALUES),
    }.get(keyword, lambda: drawn_schema(rng, depth + 1))
    kept = list(value)
    if rng.random() < 0.5 and len(kept) > 1:
        del kept[rng.randrange(len(kept))]
        return kept
    one = more()
    return kept if one in kept else [*kept, one]


def _changed_map(rng: Rng, keyword: str, value: dict[str, Json], depth: int) -> dict[str, Json]:
    kept = dict(value)
    name = rng.choice(PATTERNS if keyword == "patternProperties" else NAMES)
    if name in kept:
        del kept[name]
    else:
        kept[name] = [rng.choice(NAMES)] if keyword == "dependentRequired" else drawn_schema(rng, depth + 1)
    return kept


def _places(container: Json, key: str | int, depth: int) -> list[tuple[Json, str | int, int]]:
    """Return every schema at and below a place: its container, its key, its depth."""
    found = [(container, key, depth)]
    here = container[key]
    if isinstance(here, dict):
        for keyword, value in here.items():
            if keyword in ("allOf", "anyOf", "oneOf", "prefixItems"):
                found += [place for n in range(len(value)) for place in _places(value, n, depth + 1)]
            elif keyword in ("properties", "patternProperties", "dependentSchemas"):
                found += [place for name in value for place in _places(value, name, depth + 1)]
            elif isinstance(value, dict | bool) and keyword in _SINGLE:
                found += _places(here, keyword, depth + 1)
    return found


_SINGLE = frozenset(
    {"items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"}
    | {"unevaluatedProperties", "unevaluatedItems"}
)
