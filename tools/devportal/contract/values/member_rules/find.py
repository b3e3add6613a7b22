"""Finds the rules of an object by the descriptions of its members, its schema and its operation."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from devportal.contract import Api, Location, Property, Schema
from devportal.contract.resources import object_properties
from devportal.contract.values.member_rules.formulas import computed_member, description_of, may_be_computed
from devportal.contract.values.member_rules.orders import member_order, ordered_member
from devportal.contract.values.member_rules.presence import member_presences
from devportal.contract.values.member_rules.rules import MemberOrder, MemberRule
from devportal.contract.values.per_contract import PerContract
from devportal.contract.wording import on_one_line, one_line_sentences

_MARK = re.compile(
    r"\b(?:number|count|sum|plus|minus|less|times|multiplied|before|after|than|at least|at most|unless|until|once|when|"
    r"while|if|as soon as|as long as|null|absent|empty|missing|omitted|unset|blank|left out)\b|[×*+−]| [-x] ",
    re.IGNORECASE,
)
"""What each sentence with a rule has."""


def member_rules(api: Api, schema: Schema, sentences: Sequence[str] = ()) -> tuple[MemberRule, ...]:
    """Return the rules between the members of an object, by their descriptions, by that of the schema, and by other
    sentences, such as those of an operation.
    """
    resolved = api.resolve(schema)
    if not (resolved.properties or resolved.all_of or resolved.one_of or resolved.any_of):
        return ()
    properties = {property_.name: property_ for property_ in object_properties(api, schema)}
    of_members = (_rules_of_member(api, properties, property_) for property_ in properties.values())
    of_schema = one_line_sentences(resolved.description) if _MARK.search(resolved.description) else ()
    of_object = (*of_schema, *map(on_one_line, sentences))
    return (*chain.from_iterable(of_members), *_rules_of_object(api, properties, of_object))


def _rules_of_member(
    api: Api, properties: Mapping[str, Property], property_: Property
) -> Iterator[MemberRule]:
    """Yield the rules that the description of a member states."""
    description = description_of(api, property_.schema)
    if not _MARK.search(description):
        return
    is_computed = may_be_computed(api, property_)
    for sentence in one_line_sentences(description):
        rule: MemberRule | None = member_order(api, properties, property_, sentence)
        if rule is None and is_computed:
            rule = computed_member(api, properties, property_, sentence)
        if rule is not None:
            yield rule
        else:
            yield from member_presences(api, properties, property_, sentence)


def _rules_of_object(
    api: Api, properties: Mapping[str, Property], sentences: Iterable[str]
) -> Iterator[MemberOrder]:
    """Yield the orders that sentences about the whole object state."""
    for sentence in sentences:
        subject = ordered_member(properties, sentence)
        order = member_order(api, properties, subject, sentence) if subject is not None else None
        if order is not None:
            yield order


class _RuledSchemas:
    """Which schemas have rules, or hold objects with rules, by their locations: operations that return one object share
    them.
    """

    def __init__(self, api: Api) -> None:
        self._api = api
        self._known: dict[Location, bool] = {}
        self._objects: dict[Location, bool] = {}

    def __call__(self, schema: Schema) -> bool:
        location = self._api.resolve(schema).location
        if location not in self._known:
            visited = set[Location]()
            is_ruled = any(self._has_rules(part) for part in self._parts(schema, visited))
            self._known |= {location: True} if is_ruled else dict.fromkeys(visited, False)
        return self._known[location]

    def _has_rules(self, part: Schema) -> bool:
        """Return whether an object itself has rules. Those of a union are those of its branches."""
        if part.location not in self._objects:
            descriptions = (description_of(self._api, property_.schema) for property_ in part.properties)
            is_marked = bool(part.all_of) or any(map(_MARK.search, chain((part.description,), descriptions)))
            self._objects[part.location] = is_marked and bool(member_rules(self._api, part))
        return self._objects[part.location]

    def _parts(self, schema: Schema, visited: set[Location]) -> Iterator[Schema]:
        """Yield a schema and all in it, each once. Schemas without rules by now are left out."""
        waiting = [schema]
        while waiting:
            resolved = self._api.resolve(waiting.pop())
            if resolved.location in visited or self._known.get(resolved.location) is False:
                continue
            visited.add(resolved.location)
            yield resolved
            waiting += [property_.schema for property_ in resolved.properties]
            waiting += [*resolved.all_of, *resolved.one_of, *resolved.any_of]
            waiting += [each for each in (resolved.items,) if each is not None]


_ruled_schemas = PerContract(_RuledSchemas)


def has_member_rules(api: Api, schema: Schema) -> bool:
    """Return whether a schema is that of an object with rules, or of what holds one."""
    return _ruled_schemas(api)(schema)
