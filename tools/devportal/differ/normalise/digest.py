"""Digests of schemas: which schemas of two contracts are equal."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from devportal.contract import ABSENT, Api, Constraint, Discriminator, Location, Property, Schema
from devportal.contract.read.references import CONSTRAINING_FIELDS
from devportal.contract.schemas import walk_schema
from devportal.differ.change import component_of
from devportal.differ.normalise.all_of import canonical_json
from devportal.differ.normalise.subtypes import DiscriminatorSubtypes


class SchemaEquality:
    """Knows which shared schemas differ, in themselves or in what they refer to."""

    def __init__(self, old: Api, new: Api) -> None:
        """Take both contracts, and look at their shared schemas once. Those of one contract are its own equals."""
        self._reference_cache: dict[int, tuple[frozenset[Location], Schema]] = {}
        self._pair_cache: dict[tuple[int, int], tuple[bool, Schema, Schema]] = {}
        self.changed_schemas = frozenset(self._edited_schemas(old, new) if old is not new else ())
        """The shared schemas that differ in themselves, or are in one contract alone."""
        self._changed = self._affected_schemas(old, new) if old is not new else frozenset()
        self._is_whole = old.openapi.startswith("3.0") == new.openapi.startswith("3.0")

    def _edited_schemas(self, old: Api, new: Api) -> Iterator[Location]:
        return (
            location
            for location in old.schemas.keys() | new.schemas.keys()
            if location not in old.schemas
            or location not in new.schemas
            or not self._is_pair_equal(old.schemas[location], new.schemas[location])
        )

    def _affected_schemas(self, old: Api, new: Api) -> Set[Location]:
        """Return the shared schemas that differ, in themselves or in what they refer to, over any number of steps."""
        parents = {location for location, schema in new.schemas.items() if _has_subtypes(schema)}
        before, after = DiscriminatorSubtypes(old), DiscriminatorSubtypes(new)
        subtypes = {location: frozenset(after.below(location)) for location in parents}
        extended = {
            location for location in parents if frozenset(before.below(location)) != subtypes[location]
        }
        return self._with_dependents(self.changed_schemas | extended, subtypes, new)

    def are_equal(self, old: tuple[Schema, ...], new: tuple[Schema, ...]) -> bool:
        """Say whether nothing in these schemas differs, words included."""
        return (
            self._is_whole
            and len(old) == len(new)
            and all(map(self._is_pair_equal, old, new))
            and not (self._changed and any(self._references(schema) & self._changed for schema in new))
        )

    def are_parts_equal(self, old: Any, new: Any) -> bool:
        """Say whether nothing in two parts of operations differs, in themselves or in the schemas they refer to."""
        return bool(old == new) and self._is_same_below(old, new)

    def _is_same_below(self, old: Any, new: Any) -> bool:
        """Say whether equal parts of the model have schemas that are equal, and JSON values that are."""
        match old:
            case str() | Location():
                return True
            case Schema():
                return self.are_equal((old,), (new,))
            case tuple():
                return all(map(self._is_same_below, old, new))
            case _ if is_dataclass(old) and not isinstance(old, type):
                return all(
                    self._is_same_below(getattr(old, name), getattr(new, name))
                    for name in _field_names(type(old))
                )
        return _are_truth_values_equal(old, new)

    def _is_pair_equal(self, old: Schema, new: Schema) -> bool:
        """Say whether two schemas are alike in themselves; parts of many operations are asked for again and again."""
        cached = self._pair_cache.get((id(old), id(new)))
        if cached is None:
            cached = self._pair_cache[id(old), id(new)] = (_are_equal(old, new), old, new)
        return cached[0]

    def _with_dependents(
        self, changed: Set[Location], subtypes: Mapping[Location, Set[Location]], api: Api
    ) -> set[Location]:
        """Return the schemas that have changed and all that refer to them, over any number of steps."""
        if not changed:
            return set()
        users: dict[Location, list[Location]] = {}
        for location, schema in api.schemas.items():
            for target in self._references(schema) | subtypes.get(location, frozenset()):
                users.setdefault(target, []).append(location)
        affected = set(changed)
        pending = list(changed)
        while pending:
            for user in users.get(pending.pop(), ()):
                if user not in affected:
                    affected.add(user)
                    pending.append(user)
        return affected

    def _references(self, schema: Schema) -> frozenset[Location]:
        cached = self._reference_cache.get(id(schema))
        if cached is None:
            cached = self._reference_cache[id(schema)] = (frozenset(_references_in(schema)), schema)
        return cached[0]


@cache
def _field_names(kind: type[Any]) -> tuple[str, ...]:
    """Return the names of the fields of a dataclass."""
    return tuple(field.name for field in fields(kind))


def _has_subtypes(schema: Schema) -> bool:
    """Return whether schemas that extend a schema are values of it, selected by a discriminator."""
    return schema.discriminator is not None


def _references_in(schema: Schema) -> Iterator[Location]:
    for part in walk_schema(schema):
        if part.ref is not None:
            yield part.ref
        if part.discriminator is not None:
            yield from part.discriminator.targets


def _are_equal(old: Schema, new: Schema) -> bool:
    """Say whether two schemas are alike, with 1 and true, which Python takes for the same, apart."""
    return old is new or (
        old == new
        and all(
            _are_truth_values_equal(values, _values(other))
            for part, other in zip(walk_schema(old), walk_schema(new), strict=True)
            if (values := _values(part))
        )
    )


def _values(schema: Schema) -> tuple[Any, ...]:
    """Return the JSON values of a schema."""
    if schema.const is ABSENT and schema.default is ABSENT and not schema.enum and not schema.examples:
        return ()
    return (*schema.enum, schema.const, schema.default, *schema.examples)


def _are_truth_values_equal(old: Any, new: Any) -> bool:
    """Say whether values that Python takes for the same are so in JSON, where truth values are not numbers."""
    match old:
        case bool() | int() | float():
            return isinstance(old, bool) is isinstance(new, bool)
        case list() | tuple():
            return all(map(_are_truth_values_equal, old, new))
        case dict():
            return all(_are_truth_values_equal(value, new[name]) for name, value in old.items())
    return True


def digest_texts(texts: Iterable[str]) -> str:
    """Return one digest of several texts."""
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


_DIGITS = 16


def schema_digest(api: Api, schemas: tuple[Schema, ...], other_contract_names: Set[str]) -> str:
    """Return a digest of what schemas allow; texts do not count.

    Shared schemas that the other contract has under the same name are compared on their own, so only their
    names count. `other_contract_names` are those names.
    """
    pending, canonical_schemas = [*schemas], []
    seen: set[Location] = set()
    while pending:
        schema = pending.pop(0)
        referred: list[Location] = []
        canonical_schemas.append(canonical_json(_comparable_value(schema, referred)))
        for location in referred:
            component = component_of(location)
            is_known = component is not None and component[1] in other_contract_names
            if location not in seen and not is_known and location in api.schemas:
                seen.add(location)
                pending.append(api.schemas[location])
    return digest_texts(sorted(canonical_schemas))


class WrittenDigest(str):
    """A digest in place of what is too long to show."""

    __slots__ = ()


class WrittenDigests:
    """Digests of everything that schemas of one contract say, texts included, however they are divided.

    A shared schema that the other contract has under the same name counts by its name, any other as if it were
    written in place of the reference, and what is in an `allOf` as if it stood beside it.
    """

    def __init__(self, api: Api, other_contract_names: Set[str]) -> None:
        """Take the contract, and the names of the shared schemas of the other one."""
        self._api = api
        self._other_contract_names = other_contract_names

    def of(self, value: Any) -> WrittenDigest:
        """Return the digest of a schema, of several, or of the value of a keyword."""
        return WrittenDigest(digest_texts([canonical_json(self._value_as_written(value, frozenset()))]))

    def _value_as_written(self, value: Any, seen: frozenset[Location]) -> Any:
        """Return a part of a schema without its location; what is written as a mapping in the order of its keys."""
        match value:
            case Schema():
                return [*self._written_parts(value, seen)]
            case Location():
                return _reference_name(value)
            case tuple():
                written = [self._value_as_written(item, seen) for item in value]
                is_mapping = bool(value) and isinstance(value[0], (Property, Constraint, tuple))
                return sorted(written, key=canonical_json) if is_mapping else written
            case _ if is_dataclass(value) and not isinstance(value, type):
                return self._written_fields(value, seen, but={"location"})
        return None if value is ABSENT else value

    def _written_parts(self, schema: Schema, seen: frozenset[Location]) -> Iterator[Any]:
        """Yield the fields of all schemas that apply here: referenced ones, then `allOf`, then its own."""
        if schema.ref is not None:
            component = component_of(schema.ref)
            is_known = component is not None and component[1] in self._other_contract_names
            target = None if is_known or schema.ref in seen else self._api.schemas.get(schema.ref)
            if target is None:
                yield {"ref": _reference_name(schema.ref)}
            else:
                yield from self._written_parts(target, seen | {schema.ref})
        for part in schema.all_of:
            yield from self._written_parts(part, seen)
        own = self._written_fields(schema, seen, but={"location", "name", "ref", "all_of"})
        if own:
            yield own

    def _written_fields(self, value: Any, seen: frozenset[Location], but: Set[str]) -> dict[str, Any]:
        return {
            field.name: self._value_as_written(written, seen)
            for field in fields(value)
            if field.name not in but and (written := getattr(value, field.name)) != field.default
        }


def _reference_name(location: Location) -> str:
    return location.pointer[-1] if location.pointer else location.file


def _comparable_value(value: Any, referred: list[Location]) -> Any:
    match value:
        case Schema():
            comparable = {
                name: _sort_unordered(name, _comparable_value(field_value, referred))
                for name in sorted(CONSTRAINING_FIELDS)
                if (field_value := getattr(value, name)) != getattr(_NOTHING, name)
            }
            if value.read_only or value.write_only:
                comparable["visibility"] = [value.read_only, value.write_only]
            if value.ref is not None:
                referred.append(value.ref)
                comparable["ref"] = _reference_name(value.ref)
            return comparable
        case Property():
            return [value.name, value.required, _comparable_value(value.schema, referred)]
        case Constraint():
            return [value.keyword, value.value]
        case Discriminator():
            return [value.property_name, [[name, str(target.pointer[-1:])] for name, target in value.mapping]]
        case tuple():
            return [_comparable_value(item, referred) for item in value]
        case _:
            return None if value is ABSENT else value


def _sort_unordered(name: str, value: Any) -> Any:
    """Return a field sorted if its order has no meaning."""
    return sorted(value, key=canonical_json) if name in _UNORDERED else value


_UNORDERED = frozenset(
    {"types", "enum", "required", "constraints", "properties", "pattern_properties", "others", "content"}
)
_NOTHING = Schema(location=Location("", ()))


class PartDigests:
    """Digests of parts of one contract: of all that they allow, over any number of references.

    Texts, examples and places do not count. Each shared schema is read once.
    """

    def __init__(self, api: Api) -> None:
        """Take the contract."""
        self._api = api
        self._own: dict[Location, tuple[str, tuple[Location, ...]]] = {}
        self._whole: dict[Location, str] = {}

    def of(self, *parts: Any) -> str:
        """Return the digest of parts: schemas, or any other values of the model."""
        referred: list[Location] = []
        own = canonical_json([_comparable_part(part, referred) for part in parts])
        shared = sorted({*referred}, key=lambda location: (location.pointer, location.file))
        return digest_texts([own, *map(self._of_shared, shared)])

    def _of_shared(self, location: Location) -> str:
        """Return the digest of a shared schema with all that it refers to."""
        whole = self._whole.get(location)
        if whole is None:
            reached = {location: None}
            pending = [location]
            while pending:
                for target in self._read(pending.pop())[1]:
                    if target not in reached:
                        reached[target] = None
                        pending.append(target)
            own = [self._read(below)[0] for below in reached]
            whole = self._whole[location] = digest_texts([own[0], *sorted(own[1:])])
        return whole

    def _read(self, location: Location) -> tuple[str, tuple[Location, ...]]:
        read = self._own.get(location)
        if read is None:
            schema, referred = self._api.schemas.get(location), list[Location]()
            own = "" if schema is None else canonical_json(_comparable_value(schema, referred))
            read = self._own[location] = own, tuple(referred)
        return read


def _comparable_part(part: Any, referred: list[Location]) -> Any:
    """Return a value of the model as JSON, without texts, examples and places."""
    if isinstance(part, Schema):
        return _comparable_value(part, referred)
    if isinstance(part, tuple | list):
        return [_comparable_part(item, referred) for item in part]
    if is_dataclass(part):
        return {
            field.name: _comparable_part(getattr(part, field.name), referred)
            for field in fields(part)
            if field.name not in _ANNOTATIONS
        }
    return None if part is ABSENT else part


_ANNOTATIONS = frozenset(
    {
        "location",
        "description",
        "summary",
        "title",
        "examples",
        "grounds",
        "stability",
        "key",
        "external_docs",
    }
    | {"code_samples", "tags", "bearer_format"}
)
