"""Names and values that schemas must not publish although nothing marks them there: names of properties that
another part of the same value makes internal, and values that select an internal schema.

`allOf`, `not`, `if` and the like describe the same value as the schema that contains them, and so does the
target of a reference. If a property is internal in one of them, no other may require it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from devportal.contract.internal.redaction import (
    internal_values,
    same_value_schemas,
    values_of_internal_branches,
)
from devportal.contract.keyword_columns import Below
from devportal.contract.keywords import PROPERTY_KEYED, keywords_below
from devportal.contract.read.lifecycle_extensions import is_internal, leads_to_internal
from devportal.contract.read.source import Node, Source
from devportal.contract.schemas import Location
from devportal.contract.validate.oas_objects import child_objects

_CONDITIONS = frozenset(keywords_below(Below.NEGATED, Below.CONDITIONAL))
"""Keywords whose schemas declare no property: they only put conditions on some."""
_COMBINATORS = frozenset(keywords_below(Below.COMBINED))
_NEGATING_KEYWORDS = frozenset(keywords_below(Below.NEGATED))
"""Half of such a condition is another one, and its absence turns what depends on it."""
_WEAK_KEYWORDS = frozenset({"type", "title", "description", "nullable", "deprecated"})
"""Keywords that do not distinguish a branch of a union from the others."""
_NO_NAMES: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class InternalNames:
    """The names and values that each schema leaves out, by the location of the schema."""

    _names: Mapping[Location, frozenset[str]] = field(default_factory=dict)
    _values: Mapping[Location, frozenset[str]] = field(default_factory=dict)
    _hidden_schemas: frozenset[Location] = frozenset()

    def names(self, location: Location) -> frozenset[str]:
        """Return the names of properties that a schema must not publish."""
        return self._names.get(location, _NO_NAMES) if self._names else _NO_NAMES

    def values(self, location: Location) -> frozenset[str]:
        """Return the values of an enum that only select internal schemas, or name internal properties."""
        return self._values.get(location, _NO_NAMES) if self._values else _NO_NAMES

    def hides(self, location: Location) -> bool:
        """Say whether a schema is left out as a whole, since without those names it says another."""
        return location in self._hidden_schemas


def read_internal_names(source: Source) -> InternalNames:
    """Return the names and values that the schemas of a contract must not publish."""
    return source.once(_find_internal_names) if source.has_internal else InternalNames()


def _find_internal_names(source: Source) -> InternalNames:
    return _SchemaGraph(source).internal_names()


class _SchemaGraph:
    """The schemas of a contract that are published, and which of them speak of the same value."""

    def __init__(self, source: Source) -> None:
        self._nodes: dict[Location, Node] = {}
        self._below: dict[Location, list[Location]] = {}
        self._above: dict[Location, list[Location]] = defaultdict(list)
        self._inline: dict[Location, tuple[Location, str]] = {}
        for node in _published_schemas(source):
            self._nodes[node.location] = node
            below = [
                (key, child)
                for key, child in same_value_schemas(node)
                if isinstance(child.value, dict) and not is_internal(child)
            ]
            self._below[node.location] = [node.location for _, node in below]
            for key, child in below:
                self._above[child.location].append(node.location)
                if key != "$ref":
                    self._inline[child.location] = node.location, key

    def internal_names(self) -> InternalNames:
        """Return the internal names and values of all schemas."""
        names = self._names()
        return InternalNames(
            _names=names, _values=self._values(names), _hidden_schemas=self._hidden_schemas(names)
        )

    def _names(self) -> dict[Location, frozenset[str]]:
        """Return the internal names of each schema: those of all schemas that describe the same value."""
        names_by_location = {
            location: frozenset(name for name, child in _properties(node) if leads_to_internal(child))
            for location, node in self._nodes.items()
        }
        _propagate_names(names_by_location, self._above)
        _propagate_names(names_by_location, self._below)
        return {
            location: undeclared
            for location, names in names_by_location.items()
            if names and (undeclared := names - self._declared_names(location))
        }

    def _declared_names(self, location: Location) -> frozenset[str]:
        """Return the properties that a schema makes public by itself."""
        if any(key in _CONDITIONS for _, key in self._around(location)):
            return frozenset()
        return frozenset(
            name for name, node in _properties(self._nodes[location]) if not leads_to_internal(node)
        )

    def _around(self, location: Location) -> Iterator[tuple[Location, str]]:
        """Yield the enclosing schemas that describe the same value, with the keyword."""
        while location in self._inline:
            yield self._inline[location]
            location = self._inline[location][0]

    def _hidden_schemas(self, names: Mapping[Location, frozenset[str]]) -> frozenset[Location]:
        """Return the schemas that change their meaning, or have none left, without their internal names."""
        naming_schemas = [
            location
            for location, hidden in names.items()
            if _names_property(self._nodes[location].value, hidden)
        ]
        emptied = {
            negated_branch
            for location in naming_schemas
            for negated_branch in self._negated_branches(location)
        }
        pending = [
            *naming_schemas,
            *(self._inline[location][0] for location in emptied if location in self._inline),
        ]
        while pending:
            location = pending.pop()
            if location not in self._inline or location in emptied:
                continue
            above, key = self._inline[location]
            if self._is_schema_emptied(location, key, names.get(location, _NO_NAMES), emptied):
                emptied.add(location)
                pending.append(above)
        return frozenset(emptied)

    def _negated_branches(self, location: Location) -> Iterator[Location]:
        """Yield the conditions that a schema is in, however deep, and what depends on them."""
        for above, key in self._around(location):
            if key in _NEGATING_KEYWORDS:
                yield above.child(key)
            if key == "if":
                yield from (above.child("then"), above.child("else"))

    def _is_schema_emptied(
        self, location: Location, key: str, hidden: frozenset[str], emptied: set[Location]
    ) -> bool:
        """Return whether nothing that matters is left of a schema."""
        ignored_keywords = _WEAK_KEYWORDS if key in ("oneOf", "anyOf") else _NO_NAMES
        return all(
            keyword in ignored_keywords or _is_keyword_emptied(keyword, value, location, hidden, emptied)
            for keyword, value in self._nodes[location].value.items()
        )

    def _values(self, names: Mapping[Location, frozenset[str]]) -> dict[Location, frozenset[str]]:
        """Return the values that select an internal schema, by the schema that lists them, the internal names that
        a `propertyNames` schema lists, and the values of internal branches of a union.
        """
        found: defaultdict[Location, set[str]] = defaultdict(set)
        for location, hidden in names.items():
            name_schema = self._nodes[location].get("propertyNames")
            if name_schema is not None and isinstance(name_schema.value, dict):
                for end in name_schema.chain()[-1:]:
                    found[end.location] |= hidden
        for node in self._nodes.values():
            in_branches = set(_texts_in(values_of_internal_branches(node)))
            if in_branches:
                found[node.location] |= in_branches
            values = frozenset(internal_values(node))
            for location in self._discriminator_schemas(node) if values else ():
                found[location] |= values
        return {location: frozenset(values) for location, values in found.items()}

    def _discriminator_schemas(self, node: Node) -> Iterator[Location]:
        """Yield the schemas of the member that the discriminator of a schema names, in its parts."""
        name = node.value["discriminator"].get("propertyName")
        for part in self._parts(node.location):
            for key, member in _properties(part):
                if key == name:
                    yield from (end.location for end in member.chain()[-1:])

    def _parts(self, location: Location) -> Iterator[Node]:
        seen = {location}
        pending = [location]
        while pending:
            current = pending.pop()
            if current in self._nodes:
                yield self._nodes[current]
            new = [child for child in self._below.get(current, ()) if child not in seen]
            seen.update(new)
            pending += new


def _published_schemas(source: Source) -> Iterator[Node]:
    """Yield each schema that is not internal, once: of the root document and what references lead to."""
    root = Location("", ())
    pending: list[tuple[str, Any, Location]] = [("document", source.root().value, root)]
    seen = {root}
    while pending:
        kind, value, location = pending.pop()
        if not isinstance(value, dict) or is_internal(Node(value, source, location)):
            continue
        if kind == "schema":
            yield Node(value, source, location)
        below = [
            (text, member, location.child(*pointer)) for text, member, pointer in child_objects(kind, value)
        ]
        reference = value.get("$ref")
        target = source.find_location(reference, location) if isinstance(reference, str) else None
        node = source.node_at(target, location, "") if target is not None else None
        if node is not None:
            below.append((kind, node.value, node.location))
        pending += [item for item in below if item[2] not in seen]
        seen.update(item[2] for item in below)


def _propagate_names(
    names_by_location: dict[Location, frozenset[str]], related: Mapping[Location, Iterable[Location]]
) -> None:
    """Propagate the names of each schema to all schemas related to it, over any number of steps."""
    pending = [location for location, names in names_by_location.items() if names]
    while pending:
        current = pending.pop()
        for other in related.get(current, ()):
            if other in names_by_location and not names_by_location[current] <= names_by_location[other]:
                names_by_location[other] |= names_by_location[current]
                pending.append(other)


def _properties(node: Node) -> Iterator[tuple[str, Node]]:
    properties = node.get("properties")
    if properties is not None:
        yield from properties.entries()


def _names_property(value: Mapping[str, Any], hidden: frozenset[str]) -> bool:
    """Say whether a schema names one of these properties."""
    required, dependent_required = value.get("required"), value.get("dependentRequired")
    named: set[Any] = set(_texts_in(required))
    for key in PROPERTY_KEYED:
        named.update(value[key] if isinstance(value.get(key), dict) else ())
    for names in dependent_required.values() if isinstance(dependent_required, dict) else ():
        named.update(_texts_in(names))
    return not hidden.isdisjoint(named)


def _texts_in(value: Any) -> Iterator[str]:
    return (item for item in value if isinstance(item, str)) if isinstance(value, list) else iter(())


def _is_keyword_emptied(
    keyword: str, value: Any, location: Location, hidden: frozenset[str], emptied: set[Location]
) -> bool:
    """Say whether nothing is left of a keyword."""
    subschema = location.child(keyword)
    if keyword == "required":
        return set(_texts_in(value)) <= hidden
    if keyword in PROPERTY_KEYED:
        return isinstance(value, dict) and value.keys() <= hidden
    if keyword in _COMBINATORS:
        return isinstance(value, list) and all(
            subschema.child(number) in emptied for number in range(len(value))
        )
    return subschema in emptied
