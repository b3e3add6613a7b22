"""Numbers of a resource that count what belongs to it, by their names, such as `event_count`, or add up a member of
that, by their descriptions, such as "The sum of the `bytes` of its files".
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from devportal.conformance.knowledge.child_resources import count_names
from devportal.contract.conventions import matches_any_name, normalize_name
from devportal.contract.member_rules import parse_number, summed_below
from devportal.contract.path_templates import last_segment, parent_path, reference_names, singular
from devportal.contract.resources import object_properties
from devportal.mock.nested_members import resource_members
from devportal.mock.plan import Plan, ResourceType, plain_path
from devportal.mock.representation import Representations
from devportal.mock.store import Record, State


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tallies:
    """The numbers of a type that follow the resources of another one: those that count them, and those that add up one
    of their members, with its name. `reference` is the member of a child that names its owner, empty if its path does.
    """

    child: ResourceType
    reference: str
    counts: tuple[str, ...]
    sums: Mapping[str, str]


class ChildTallies:
    """Counts and sums of what belongs to the resources of one contract."""

    def __init__(self, plan: Plan, representations: Representations) -> None:
        """Take what operations do, and what makes values of the contract."""
        self._plan = plan
        self._agreement = representations.agreement
        self._found: dict[str, tuple[_Tallies, ...]] = {}

    def members(self, kind: ResourceType, record: Record, state: State) -> Iterator[tuple[str, Any]]:
        """Yield the members of a resource that count or add up what belongs to it, as it is now."""
        if kind.path not in self._found:
            self._found[kind.path] = tuple(self._find_tallies(kind))
        schemas = {}
        if self._found[kind.path] and kind.schema is not None:
            properties = resource_members(self._plan.api, kind.schema, kind.nested)
            schemas = {property_.name: property_.schema for property_ in properties}
        for tallies in self._found[kind.path]:
            children = _children(tallies, record, state)
            yield from ((name, len(children)) for name in tallies.counts if name in record.members)
            for name, summed in tallies.sums.items():
                numbers = [parse_number(child.members.get(summed)) for child in children]
                total = sum((number for number in numbers if number is not None), Decimal(0))
                yield name, self._agreement.number(schemas[name], record.members.get(name), total)

    def _find_tallies(self, kind: ResourceType) -> Iterator[_Tallies]:
        """Yield the numbers of a type for each type whose resources belong to it and have such."""
        api = self._plan.api
        own = {
            property_.name: property_.schema
            for property_ in (
                resource_members(api, kind.schema, kind.nested) if kind.schema is not None else ()
            )
        }
        for child in self._plan.types if kind.schema is not None and kind.parameter else ():
            reference = self._reference(kind, child)
            if reference is None:
                continue
            collection = last_segment(_collection_path(child))
            names = count_names(collection)
            members = object_properties(api, child.schema) if child.schema is not None else ()
            inner = [member.name for member in members]
            sums = summed_below(api, kind.schema, collection, inner) if kind.schema is not None else {}
            counts = tuple(
                name
                for name, schema in own.items()
                if normalize_name(name) in names and "integer" in api.resolve(schema).types
            )
            if counts or sums:
                yield _Tallies(child=child, reference=reference, counts=counts, sums=sums)

    def _reference(self, kind: ResourceType, child: ResourceType) -> str | None:
        """Return the member with which a type names what its resources belong to, empty if its path does, None if they
        do not belong to `kind`.
        """
        collection = _collection_path(child)
        if child is kind or child.schema is None:
            return None
        if parent_path(collection) == kind.path:
            return ""
        if child.create is None or child.origin_names or child.scope_names != kind.scope_names:
            return None
        word = singular(last_segment(parent_path(kind.path)))
        names = (*reference_names(kind.path)[-1:], f"{word}_id", word)
        members = object_properties(self._plan.api, child.schema)
        return next((member.name for member in members if matches_any_name(member.name, names)), None)


def _collection_path(kind: ResourceType) -> str:
    """Return the path at which resources are created below another one, or else that before their identifier."""
    create = kind.create if kind.origin_names else None
    return plain_path(create.path) if create is not None else parent_path(kind.path)


def _children(tallies: _Tallies, owner: Record, state: State) -> tuple[Record, ...]:
    """Return the resources of a type that belong to another resource."""
    path, address = tallies.child.path, (*owner.scope, owner.id)
    if tallies.reference:
        records = state.records(path, owner.scope)
        return tuple(each for each in records if str(each.members.get(tallies.reference)) == owner.id)
    if tallies.child.origin_names:
        return tuple(each for each in state.records(path, ()) if each.origin == address)
    return state.records(path, address)
