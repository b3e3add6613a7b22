"""Numbers of a resource that count what belongs to it, by their names, such as `event_count`, or add up a member of
that, by their descriptions, such as "The sum of the `bytes` of its files".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from devportal.conformance.knowledge.resources.child_resources import count_names
from devportal.contract import Schema
from devportal.contract.conventions import matches_any_name, normalize_name
from devportal.contract.path_templates import last_segment, parent_path, reference_names, singular
from devportal.contract.resources import object_properties
from devportal.contract.values.member_rules import parse_number, summed_below
from devportal.mock.http.representation import Representations
from devportal.mock.resources.body_schemas import sent_schema
from devportal.mock.resources.nested_members import resource_members
from devportal.mock.resources.plain_paths import plain_path
from devportal.mock.resources.plan import Plan, ResourceType
from devportal.mock.resources.store import Record, State


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sum:
    """A number that adds up a member of what belongs to its resource."""

    name: str
    schema: Schema
    summed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tallies:
    """The numbers of a type that follow the resources of another one: those that count them, and their sums.
    `reference` is the member of a child that names its owner, empty if its path does.
    """

    child: ResourceType
    reference: str
    counts: tuple[str, ...]
    sums: tuple[_Sum, ...]


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
        for tallies in self._found[kind.path]:
            children = _children(tallies, record, state)
            yield from ((name, len(children)) for name in tallies.counts if name in record.members)
            for each in tallies.sums:
                numbers = [parse_number(child.members.get(each.summed)) for child in children]
                total = sum((number for number in numbers if number is not None), Decimal(0))
                yield each.name, self._agreement.number(each.schema, record.members.get(each.name), total)

    def _find_tallies(self, kind: ResourceType) -> Iterator[_Tallies]:
        """Yield the numbers of a type for each type whose resources belong to it and have such."""
        api, schema = self._plan.api, kind.schema
        if schema is None or not kind.parameter:
            return
        own = {member.name: member.schema for member in resource_members(api, schema, kind.nested)}
        for child in self._plan.types:
            reference = self._reference(kind, child)
            if reference is None:
                continue
            collection = last_segment(_collection_path(child))
            names = count_names(collection)
            counts = tuple(
                name
                for name, number in own.items()
                if normalize_name(name) in names and "integer" in api.resolve(number).types
            )
            members = object_properties(api, child.schema) if child.schema is not None else ()
            summed = summed_below(api, schema, collection, [member.name for member in members])
            sums = tuple(_Sum(name=name, schema=own[name], summed=inner) for name, inner in summed.items())
            if counts or sums:
                yield _Tallies(child=child, reference=reference, counts=counts, sums=sums)

    def _reference(self, kind: ResourceType, child: ResourceType) -> str | None:
        """Return the member with which a type names what its resources belong to, or only its creation does, empty if
        its path does, None if they do not belong to `kind`.
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
        api = self._plan.api
        schemas = (child.schema, sent_schema(api, child.create, child.envelope))
        members = (member for schema in schemas if schema for member in object_properties(api, schema))
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
