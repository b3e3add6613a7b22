"""Two versions of a contract of one operation, drawn at random: what OpenAPI adds to JSON Schema.

Beside the schemas of `tests.differ.drawing` there are tagged and closed branches, discriminators, properties
that travel in one direction, `nullable` and bounds of OAS 3.0, and schemas of parameters and headers.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from devportal.differ.rule import Direction
from tests.differ.drawing import Json, Rng

NAMES = ("type", "name", "count", "note", "ref")
SHARED = ("Cat", "Dog", "Base")
"""The shared schemas. The first two are subtypes, whose `type` is their name."""
TAG = "type"
COMPONENTS = "#/components/schemas/"
_PATTERNS = ("^[a-z]*$", "a", "^x", "[0-9]$", "^.{2}$")
_FORMATS = ("date", "uuid", "ipv4")
_TEXTS = ("a", "b", "Cat", "Dog", "1")
_VALUES: tuple[Json, ...] = (*_TEXTS, 1, 2, 1.5, True, None)
_DEEPEST = 3
_UNIONS = ("oneOf", "anyOf")
_VISIBILITY = ("readOnly", "writeOnly")


class Place(StrEnum):
    """Where the schema stands in the operation."""

    REQUEST = "request"
    QUERY = "query"
    PATH = "path"
    RESPONSE = "response"
    RANGE = "range"
    DEFAULT = "default"
    HEADER = "header"

    @property
    def direction(self) -> Direction:
        """Return who sends what the schema describes."""
        is_sent = self in (Place.REQUEST, Place.QUERY, Place.PATH)
        return Direction.TO_PROVIDER if is_sent else Direction.TO_CONSUMER

    @property
    def is_text(self) -> bool:
        """Say whether values are written as text, and are numbers only to those who read them as such."""
        return self in (Place.QUERY, Place.PATH, Place.HEADER)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractPair:
    """A schema and the shared ones before and after some edits, `It` among them, at one place."""

    place: Place
    is_3_0: bool
    old: dict[str, Json]
    new: dict[str, Json]
    style: dict[str, Json]
    """How parameters and headers are written, the same in both."""

    def documents(self) -> tuple[Json, Json]:
        """Return both contracts."""
        return self._document(self.old), self._document(self.new)

    def _document(self, schemas: dict[str, Json]) -> Json:
        schema = {"$ref": f"{COMPONENTS}It"} if not self.place.is_text else schemas["It"]
        content = {"content": {"application/json": {"schema": schema}}}
        operation: dict[str, Json] = {"responses": {"204": {"description": "Done."}}}
        path = "/things"
        match self.place:
            case Place.REQUEST:
                operation["requestBody"] = {"required": True, **content}
            case Place.QUERY | Place.PATH:
                path = "/things/{it}" if self.place is Place.PATH else path
                parameter = {"name": "it", "in": self.place.value, "required": True, "schema": schema}
                operation["parameters"] = [{**parameter, **self.style}]
            case Place.HEADER:
                header = {"required": True, "schema": schema, **self.style}
                operation["responses"]["200"] = {"description": "OK", "headers": {"It": header}}
            case _:
                status = {Place.RESPONSE: "200", Place.RANGE: "2XX", Place.DEFAULT: "default"}[self.place]
                operation["responses"][status] = {"description": "OK", **content}
        return {
            "openapi": "3.0.3" if self.is_3_0 else "3.1.0",
            "info": {"title": "T", "version": "1"},
            "paths": {path: {"post": operation}},
            "components": {"schemas": schemas},
        }


def drawn_contract_pair(seed: int) -> ContractPair:
    """Return the pair of a seed, the same each time."""
    rng = Rng(f"contracts {seed}")
    drawing = Drawing(rng=rng, is_3_0=rng.random() < 0.45)
    place = rng.choice([*[Place.REQUEST] * 4, *[Place.RESPONSE] * 4, *Place])
    old = {
        "It": drawing.plain() if place.is_text else drawing.schema(),
        **{name: drawing.subtype(name) for name in SHARED[:2]},
        SHARED[2]: drawing.object(1),
    }
    new = copy.deepcopy(old)
    for _ in range(rng.randint(1, 2)):
        _edit(drawing, {"It": new["It"]} if place.is_text else new, new)
    return ContractPair(place=place, is_3_0=drawing.is_3_0, old=old, new=new, style=_drawn_style(rng, place))


def _drawn_style(rng: Rng, place: Place) -> dict[str, Json]:
    styles = {
        Place.QUERY: ("form", "spaceDelimited", "pipeDelimited"),
        Place.PATH: ("simple", "label", "matrix"),
    }
    if not place.is_text or rng.random() < 0.4:
        return {}
    explode = rng.random() < 0.5
    return {"style": rng.choice(styles.get(place, ("simple",))), "explode": explode}


@dataclass(frozen=True, slots=True)
class Drawing:
    """Draws schemas of one version of OpenAPI, deeper ones plainer."""

    rng: Rng
    is_3_0: bool

    def chance(self, probability: float) -> bool:
        """Return True as often as the probability says."""
        return self.rng.random() < probability

    def schema(self, depth: int = 0) -> dict[str, Json]:
        """Return a schema of any kind."""
        simple = (self.text, self.number, self.values, self.reference)
        nested = (self.object, self.object, self.array, self.all_of, self.union, self.tagged_union)
        kinds = (
            simple if depth >= _DEEPEST else (*nested, self.discriminated_union, *(simple if depth else ()))
        )
        made: dict[str, Json] = self.rng.choice(kinds)(depth)
        if self.is_3_0 and "$ref" not in made and self.chance(0.15):
            made["nullable"] = True
        return made

    def plain(self) -> dict[str, Json]:
        """Return a schema of a text, a number, one of some values, or an array of them."""
        made = self.rng.choice([self.text, self.number, self.number, self.values])(0)
        return {"type": "array", "items": made} if self.chance(0.25) else made

    def text(self, _depth: int) -> dict[str, Json]:
        """Return a schema of texts."""
        made: dict[str, Json] = {"type": "string"}
        for keyword, low, high in (("minLength", 0, 3), ("maxLength", 2, 5)):
            if self.chance(0.25):
                made[keyword] = self.rng.randint(low, high)
        if self.chance(0.2):
            made |= self.rng.choice(
                [{"pattern": self.rng.choice(_PATTERNS)}, {"format": self.rng.choice(_FORMATS)}]
            )
        return made

    def number(self, _depth: int) -> dict[str, Json]:
        """Return a schema of numbers: with bounds as its version writes them."""
        made: dict[str, Json] = {"type": self.rng.choice(["integer", "number"])}
        for keyword, bound in (("minimum", self.rng.randint(-2, 3)), ("maximum", self.rng.randint(4, 9))):
            exclusive = f"exclusive{keyword.capitalize()}"
            if self.chance(0.4):
                made[keyword] = bound
                if self.is_3_0 and self.chance(0.4):
                    made[exclusive] = self.chance(0.7)
            elif not self.is_3_0 and self.chance(0.25):
                made[exclusive] = bound + self.rng.choice([0, 0.5])
        if self.chance(0.2):
            made["multipleOf"] = self.rng.choice([1, 2, 3, 0.5, 1.5])
        return made

    def values(self, _depth: int) -> dict[str, Json]:
        """Return a schema of some values."""
        if not self.is_3_0 and self.chance(0.35):
            return {"const": self.rng.choice(_VALUES)}
        if self.chance(0.5):
            return {"type": "string", "enum": self.rng.sample(_TEXTS, self.rng.randint(1, 3))}
        return {"enum": self.rng.sample(_VALUES, self.rng.randint(1, 4))}

    def reference(self, _depth: int) -> dict[str, Json]:
        """Return a reference to a shared schema."""
        return {"$ref": COMPONENTS + self.rng.choice(SHARED)}

    def object(self, depth: int) -> dict[str, Json]:
        """Return a schema of objects; some of its properties travel in one direction."""
        names = self.rng.sample(NAMES, self.rng.randint(0, 3))
        properties = {name: self.schema(depth + 1) for name in names}
        for property_ in properties.values():
            if "$ref" not in property_ and self.chance(0.12):
                property_[self.rng.choice(_VISIBILITY)] = True
        made: dict[str, Json] = {"type": "object", **({"properties": properties} if properties else {})}
        if names and self.chance(0.5):
            made["required"] = sorted(self.rng.sample(names, self.rng.randint(1, len(names))))
        if self.chance(0.4):
            made["additionalProperties"] = self.rng.choice([False, False, True, self.schema(depth + 2)])
        if not self.is_3_0 and self.chance(0.15):
            made["patternProperties"] = {self.rng.choice(["^x-", "^n"]): self.schema(depth + 2)}
        for keyword in ("minProperties", "maxProperties"):
            if self.chance(0.12):
                made[keyword] = self.rng.randint(1, 3)
        return made

    def array(self, depth: int) -> dict[str, Json]:
        """Return a schema of arrays."""
        made: dict[str, Json] = {"type": "array", "items": self.schema(depth + 1)}
        if not self.is_3_0 and self.chance(0.25):
            made["prefixItems"] = [self.schema(depth + 2)]
        if not self.is_3_0 and self.chance(0.25):
            made["contains"] = self.schema(depth + 2)
        for keyword, low, high in (("minItems", 0, 2), ("maxItems", 1, 3)):
            if self.chance(0.25):
                made[keyword] = self.rng.randint(low, high)
        return {**made, "uniqueItems": True} if self.chance(0.25) else made

    def all_of(self, depth: int) -> dict[str, Json]:
        """Return a schema made of others."""
        parts = [self.rng.choice([self.reference, self.object])(depth + 1) for _ in range(2)]
        return {
            "allOf": parts[: self.rng.randint(1, 2)],
            **(self.object(depth + 1) if self.chance(0.3) else {}),
        }

    def union(self, depth: int) -> dict[str, Json]:
        """Return a union of any schemas."""
        return {self.rng.choice(_UNIONS): [self.schema(depth + 1) for _ in range(self.rng.randint(2, 3))]}

    def tagged_union(self, depth: int) -> dict[str, Json]:
        """Return a union of closed objects, each with a value that tells its kind."""
        branches = [
            {
                "type": "object",
                "required": [TAG],
                "additionalProperties": False,
                "properties": {
                    TAG: {"type": "string", "enum": [tag]},
                    self.rng.choice(NAMES[1:]): self.schema(depth + 2),
                },
            }
            for tag in self.rng.sample(["Cat", "Dog", "Cow"], 2)
        ]
        return {"oneOf": branches}

    def discriminated_union(self, _depth: int) -> dict[str, Json]:
        """Return a union of the subtypes, which a property selects."""
        references = {name: COMPONENTS + name for name in SHARED[:2]}
        discriminator: dict[str, Json] = {"propertyName": TAG}
        if self.chance(0.5):
            discriminator["mapping"] = references
        return {
            "oneOf": [{"$ref": reference} for reference in references.values()],
            "discriminator": discriminator,
        }

    def subtype(self, tag: str) -> dict[str, Json]:
        """Return an object whose tag has one value."""
        made = self.object(1)
        made.setdefault("properties", {})[TAG] = {"type": "string", "enum": [tag]}
        return {**made, "required": sorted({*made.get("required", ()), TAG})}


_Edit = Callable[[Drawing, dict[str, Json], int], dict[str, Json]]
_Draw = Callable[[int], dict[str, Json]]
_LISTS = (*_UNIONS, "allOf", "prefixItems")
_MAPS = ("properties", "patternProperties")
_SINGLE = ("items", "additionalProperties", "contains")


def schemas_below(schema: dict[str, Json]) -> list[tuple[Any, Any]]:
    """Return where the next schemas stand below one: what holds each, and its key or number there."""
    found: list[tuple[Any, Any]] = []
    for keyword, value in schema.items():
        if keyword in _LISTS:
            found += [(value, number) for number in range(len(value))]
        elif keyword in _MAPS:
            found += [(value, name) for name in value]
        elif keyword in _SINGLE and isinstance(value, dict):
            found.append((schema, keyword))
    return found


def _edit(drawing: Drawing, roots: dict[str, Json], schemas: dict[str, Json]) -> None:
    """Change one schema at or below one of the roots, in place."""
    is_plain = len(roots) == 1
    pending: list[tuple[Any, Any, int]] = [(roots, name, 0) for name in roots]
    for holder, key, depth in pending:
        pending += [(*pair, depth + 1) for pair in schemas_below(holder[key])]
    holder, key, depth = drawing.rng.choice(pending)
    holder[key] = _edit_schema(drawing, holder[key], depth, is_plain=is_plain)
    schemas |= roots


def _edit_schema(drawing: Drawing, schema: dict[str, Json], depth: int, *, is_plain: bool) -> dict[str, Json]:
    """Return another version of a schema."""
    choice = drawing.rng.random()
    if is_plain:
        return _vary_keyword(drawing, schema, depth) if choice < 0.8 else drawing.plain()
    if choice < 0.08:
        return drawing.schema(depth + 1)
    if choice < 0.14:
        return {"allOf": [schema, drawing.object(depth + 1)]} if drawing.chance(0.5) else {"allOf": [schema]}
    if choice < 0.2:
        return {drawing.rng.choice(_UNIONS): [schema, drawing.schema(depth + 1)]}
    if "$ref" in schema:
        return drawing.reference(depth)
    edits: dict[str, _Edit] = {
        "oneOf": _with_other_branches,
        "anyOf": _with_other_branches,
        "properties": _with_other_properties,
    }
    fitting = [edit for keyword, edit in edits.items() if keyword in schema]
    return drawing.rng.choice([*fitting * 2, _vary_keyword])(drawing, schema, depth)


def _with_other_branches(drawing: Drawing, schema: dict[str, Json], depth: int) -> dict[str, Json]:
    """Return a union with a branch more, less or changed, or with the other keyword."""
    keyword = next(union for union in _UNIONS if union in schema)
    branches, rest = [*schema[keyword]], {key: value for key, value in schema.items() if key != keyword}
    number = drawing.rng.randrange(len(branches))
    match drawing.rng.randrange(4):
        case 0:
            branches.append(drawing.schema(depth + 1))
            rest.pop("discriminator", None)
        case 1 if len(branches) > 1:
            del branches[number]
            left = {branch.get("$ref") for branch in branches}
            if "mapping" in rest.get("discriminator", {}):
                mapping = rest["discriminator"]["mapping"]
                kept = {tag: target for tag, target in mapping.items() if target in left}
                rest["discriminator"] = {**rest["discriminator"], "mapping": kept}
        case 2 if "discriminator" not in rest:
            branches[number] = drawing.schema(depth + 1)
        case 3 if "discriminator" not in rest:
            keyword = _UNIONS[1 - _UNIONS.index(keyword)]
    return {keyword: branches, **rest}


def _with_other_properties(drawing: Drawing, schema: dict[str, Json], depth: int) -> dict[str, Json]:
    """Return an object with a property more or less, required or not, that travels in one direction or both."""
    properties = dict(schema["properties"])
    required = set(schema.get("required", ()))
    name = drawing.rng.choice(sorted(properties))
    match drawing.rng.randrange(5):
        case 0:
            properties[drawing.rng.choice(NAMES)] = drawing.schema(depth + 1)
        case 1:
            del properties[name]
        case 2:
            required ^= {name}
        case 3 if "$ref" not in properties[name]:
            keyword = drawing.rng.choice(_VISIBILITY)
            kept = {key: value for key, value in properties[name].items() if key not in _VISIBILITY}
            properties[name] = kept if keyword in properties[name] else {**kept, keyword: True}
        case _:
            return {
                **schema,
                "additionalProperties": drawing.rng.choice([False, True, drawing.schema(depth + 1)]),
            }
    made = {key: value for key, value in schema.items() if key not in ("properties", "required")}
    made |= {"properties": properties} if properties else {}
    return {**made, "required": sorted(required)} if required else made


_STRUCTURE = frozenset({"type", "properties", "discriminator", "allOf", "items", *_UNIONS})


def _vary_keyword(drawing: Drawing, schema: dict[str, Json], depth: int) -> dict[str, Json]:
    """Return a schema with a keyword more, less or of another value."""
    keywords = sorted(keyword for keyword in schema if keyword not in _STRUCTURE)
    if keywords and drawing.chance(0.65):
        keyword = drawing.rng.choice(keywords)
        return _with_other_value(drawing, schema, keyword)
    kinds: dict[str, _Draw] = {
        "string": drawing.text,
        "integer": drawing.number,
        "number": drawing.number,
        "object": drawing.object,
        "array": drawing.array,
    }
    more = kinds.get(schema.get("type", ""), drawing.values)(min(depth, _DEEPEST))
    return {**{key: value for key, value in more.items() if key not in _STRUCTURE}, **schema}


def _with_other_value(drawing: Drawing, schema: dict[str, Json], keyword: str) -> dict[str, Json]:
    """Return a schema with another value of a keyword, or without it."""
    match schema[keyword]:
        case bool() as value:
            return {**schema, keyword: not value}
        case int() | float() as value if keyword != "const":
            is_count = keyword.startswith(("min", "max")) and keyword not in ("minimum", "maximum")
            least = 1 if keyword == "multipleOf" else 0 if is_count else -9
            return {**schema, keyword: max(least, value + drawing.rng.choice([-2, -1, 1, 2]))}
        case list() as values if keyword == "enum":
            number, other = drawing.rng.randrange(len(values)), drawing.rng.choice(_TEXTS)
            fewer = values[:number] + values[number + 1 :]
            more = values if other in values else [*values, other]
            return {**schema, keyword: fewer if fewer and drawing.chance(0.5) else more}
    return {key: value for key, value in schema.items() if key != keyword}
