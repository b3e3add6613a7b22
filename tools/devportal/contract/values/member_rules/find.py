"""Finds the rules of an object by the descriptions of its members, its schema and its operation."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from devportal.contract import Api, Location, Property, Schema
from devportal.contract.resources import object_properties
from devportal.contract.values.member_rules.formulas import computed_member, description_of, may_be_computed
from devportal.contract.values.member_rules.orders import member_order, ordered_member
from devportal.contract.values.member_rules.rules import MemberOrder, MemberRule
from devportal.contract.values.per_contract import PerContract
from devportal.contract.wording import on_one_line, one_line_sentences

_MARK = re.compile(
    r"\b(?:number|count|sum|plus|minus|less|times|multiplied|before|after|than|at least|at most)\b|[×*+−]| [-x] ",
    re.IGNORECASE,
)
"""What each sentence with a rule has."""


def member_rules(api: Api, schema: Schema, sentences: Sequence[str] = ()) -> tuple[MemberRule, ...]:
    """Return the rules between the members of an object, by their descriptions, by that of the schema, and by other
    sentences, such as those of an operation.
    """
    properties = {property_.name: property_ for property_ in object_properties(api, schema)}
    of_members = (_rules_of_member(api, properties, property_) for property_ in properties.values())
    of_object = (*one_line_sentences(api.resolve(schema).description), *map(on_one_line, sentences))
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
    """Which schemas may have rules, by their locations: operations that return one object share them."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._known: dict[Location, bool] = {}

    def __call__(self, schema: Schema) -> bool:
        location = self._api.resolve(schema).location
        if location not in self._known:
            visited = set[Location]()
            is_ruled = any(map(_MARK.search, self._descriptions(schema, visited)))
            self._known |= {location: True} if is_ruled else dict.fromkeys(visited, False)
        return self._known[location]

    def _descriptions(self, schema: Schema, visited: set[Location]) -> Iterator[str]:
        """Yield the descriptions of a schema and of all in it. Schemas without rules by now are left out."""
        waiting = [schema]
        while waiting:
            part = waiting.pop()
            resolved = self._api.resolve(part)
            yield f"{part.description} {resolved.description}"
            if resolved.location in visited or self._known.get(resolved.location) is False:
                continue
            visited.add(resolved.location)
            waiting += [property_.schema for property_ in resolved.properties]
            waiting += [*resolved.all_of, *resolved.one_of, *resolved.any_of]
            waiting += [each for each in (resolved.items,) if each is not None]


_ruled_schemas = PerContract(_RuledSchemas)


def may_have_rules(api: Api, schema: Schema) -> bool:
    """Return whether a value of a schema may hold an object with rules, by the words of all descriptions in it."""
    return _ruled_schemas(api)(schema)
