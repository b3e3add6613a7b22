"""Two versions of small schemas, drawn at random: the old one, and what some edits make of it."""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass

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


def edit(rng: Rng, holder: dict[str, Json]) -> None:
    """Change one thing in one of the schemas in a mapping, or in a schema below them."""
    found = [place for name in holder for place in _places(holder, name, 0)]
    container, key, depth = rng.choice(found)
    here = container[key]
    if not isinstance(here, dict) or rng.random() < _REPLACED:
        container[key] = _other(rng, here, depth)
        return
    if "$ref" in here or not here or rng.random() < _ADDED:
        here |= _words(rng, here, depth)
        return
    keyword = rng.choice(sorted(here))
    if rng.random() < _DROPPED:
        del here[keyword]
    else:
        here[keyword] = _changed(rng, keyword, here[keyword], depth)


_REPLACED, _ADDED, _DROPPED = 0.15, 0.35, 0.4


def _other(rng: Rng, here: Json, depth: int) -> Json:
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


def _changed(rng: Rng, keyword: str, value: Json, depth: int) -> Json:
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
                found += [one for n in range(len(value)) for one in _places(value, n, depth + 1)]
            elif keyword in ("properties", "patternProperties", "dependentSchemas"):
                found += [one for name in value for one in _places(value, name, depth + 1)]
            elif isinstance(value, dict | bool) and keyword in _SINGLE:
                found += _places(here, keyword, depth + 1)
    return found


_SINGLE = frozenset(
    {"items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"}
    | {"unevaluatedProperties", "unevaluatedItems"}
)
