"""Reads a list as a request asks for it: filters, orders, and the page of what is left."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cmp_to_key, partial
from typing import Any

from devportal.conformance.knowledge.descriptions.described_filters import text_comparison
from devportal.contract import ABSENT, Api, Operation, Parameter, ParameterLocation
from devportal.contract.conventions import (
    FILTER_OBJECTS,
    Conventions,
    filtered_member,
    matches_any_name,
    name_stem,
)
from devportal.contract.resources import Listing
from devportal.contract.resources.described_orders import is_newest_first
from devportal.contract.resources.flat_parameters import flat_parameters
from devportal.mock.http.exchange import MockRequest
from devportal.mock.http.requests import ReadRequest
from devportal.mock.lists.bounding_boxes import BOUNDING_BOX, is_in_box
from devportal.mock.lists.expression_filters import FILTER, read_expression
from devportal.mock.lists.filter_parser import RecordTest
from devportal.mock.lists.odata_filters import ODATA_FILTER, read_filter
from devportal.mock.lists.pages import ListPage, Pager
from devportal.mock.lists.postgrest_filters import read_operator
from devportal.mock.lists.value_comparison import compare_values, has_text, is_within, matches_value
from devportal.mock.resources.nested_members import NestedMembers, nest_members, resource_members
from devportal.mock.resources.postgrest_lists import takes_operators, with_pages
from devportal.mock.resources.store import Record, described_members

_SUFFIX = re.compile(r"[:,. _](asc|desc)(?:ending)?$", re.IGNORECASE)
_NEXT_ORDER = re.compile(r",(?!(?:asc|desc)(?:,|$))", re.IGNORECASE)
"""The comma between two orders; in Spring Data's `price,desc` there is none."""
_SEARCHES = ("q", "search", "query", "search_query", "search_term", "full_text")
"""Parameters that look for words in any member."""


class ListReader:
    """Reads a list as the parameters of one operation ask for it."""

    def __init__(
        self,
        api: Api,
        conventions: Conventions,
        operation: Operation,
        listing: Listing,
        nested: NestedMembers,
    ) -> None:
        """Take the contract, the usual names, the list, and which members its items have in others. The listing may be
        of a copy of the operation.
        """
        self._api = api
        self._conventions = conventions
        self._operation = operation
        self._has_operators = takes_operators(listing.operation)
        if self._has_operators:
            listing = with_pages(listing)
        self.pager = Pager(api, operation, listing)
        self._nested = nested
        self._schemas = {member.name: member.schema for member in resource_members(api, listing.item, nested)}
        self._members = [*self._schemas]
        query = [
            parameter
            for parameter in flat_parameters(api, operation)
            if parameter.location_in is ParameterLocation.QUERY
        ]
        paging = {
            parameter.name
            for parameter in (listing.limit, listing.cursor, listing.page, listing.offset)
            if parameter is not None
        }
        self._query = [parameter for parameter in query if parameter.name not in paging]
        self._comparisons = {
            filtered_member(parameter.name): comparison
            for parameter in self._query
            if (comparison := text_comparison(parameter.description, parameter.name)) is not None
        }
        self._sort = next(
            (parameter for parameter in self._query if matches_any_name(parameter.name, conventions.sort)),
            None,
        )
        self._direction = next(
            (
                parameter
                for parameter in self._query
                if parameter is not self._sort and matches_any_name(parameter.name, conventions.direction)
            ),
            None,
        )
        if self._sort is not None and self._is_direction(self._sort):
            self._sort, self._direction = None, self._sort
        self._is_newest_first = is_newest_first(operation)

    def _is_direction(self, parameter: Parameter) -> bool:
        """Say whether a parameter takes no more than `asc` and `desc`."""
        schema = self._api.resolve(parameter.schema) if parameter.schema is not None else None
        values = [str(item).lower() for item in schema.enum] if schema is not None else []
        return bool(values) and all(value.startswith(("asc", "desc")) for value in values)

    def read(
        self, records: Sequence[Record], read: ReadRequest, request: MockRequest, key: Sequence[str]
    ) -> ListPage:
        """Return the page that a request asks for. Raises Refused for a text that is not a cursor."""
        chosen = self.matching(records, read)
        if self._is_newest_first:
            chosen.reverse()
        chosen = self._sort_records(chosen, read)
        return self.pager.page(chosen, read, request, key)

    def matching(self, records: Sequence[Record], read: ReadRequest) -> list[Record]:
        """Return the records that the filters of a request let through."""
        filters = [*self._given_filters(read)]
        members = self._filtered_members(records) if filters else {}
        chosen = [
            record
            for record in records
            if all(self._fits_filter(record, members, name, value) for name, value in filters)
        ]
        for test in self._expressions(read):
            chosen = [
                record for record in chosen if test(nest_members(described_members(record), self._nested))
            ]
        return chosen

    # Filters

    def _expressions(self, read: ReadRequest) -> Iterator[RecordTest]:
        """Yield the tests that a `$filter` of OData and a `filter` of SCIM or AIP-160 ask for, if they can be read."""
        for parameter in self._query:
            text = read.query(parameter.name)
            reader = read_filter if parameter.name == ODATA_FILTER else read_expression
            if isinstance(text, str) and self._is_expression(parameter):
                test = reader(text)
                if test is not None:
                    yield test

    def _is_expression(self, parameter: Parameter) -> bool:
        """Say whether a parameter may have an expression, and is not about a member with its name."""
        is_filter = matches_any_name(parameter.name, FILTER) and parameter.name not in self._members
        return parameter.name == ODATA_FILTER or is_filter

    def _given_filters(self, read: ReadRequest) -> Iterator[tuple[str, Any]]:
        """Yield the names of what a request filters by, and the values: `filter[state]` filters by `state`. The body of
        a search has filters too.
        """
        for parameter in self._query:
            value = read.query(parameter.name)
            is_other = (
                parameter is self._sort or parameter is self._direction or parameter.name == ODATA_FILTER
            )
            if is_other or value in (ABSENT, ""):
                continue
            if isinstance(value, dict) and matches_any_name(parameter.name, FILTER_OBJECTS):
                yield from value.items()
            else:
                yield filtered_member(parameter.name.removeprefix("$")), value
        if isinstance(read.body, dict):
            yield from ((name, value) for name, value in read.body.items() if value not in ("", None, [], {}))

    def _filtered_members(self, records: Sequence[Record]) -> dict[str, bool]:
        """Return the members that filters may be about, and whether each is a list: those of the items, and others that
        records have, such as those of one branch of a union, and those that only requests have.
        """
        members = dict.fromkeys(self._members, False)
        for record in records:
            for name, member in described_members(record).items():
                members[name] = members.get(name, False) or isinstance(member, list)
        return members

    def _fits_filter(self, record: Record, members: Mapping[str, bool], name: str, value: Any) -> bool:
        for member, is_list in members.items():
            names = (name, _singular(name), f"{name}s") if is_list else (name, _singular(name))
            if member == name or matches_any_name(member, names):
                shown = record.members.get(member)
                test = read_operator(value) if self._has_operators and isinstance(value, str) else None
                if test is not None:
                    return test(shown)
                comparison = self._comparisons.get(name)
                if comparison is not None and isinstance(shown, str) and isinstance(value, str):
                    return comparison.matches(shown, value)
                return matches_value(shown, value)
        if matches_any_name(name, BOUNDING_BOX):
            return is_in_box(record.members, value)
        if isinstance(value, list) and matches_any_name(_singular(name), self._conventions.identifier):
            return matches_value(record.id, value)
        if isinstance(value, dict):
            return all(
                self._fits_bound(record, f"{name}[{operator}]", bound) for operator, bound in value.items()
            )
        if isinstance(value, str) and matches_any_name(name, _SEARCHES):
            return has_text(described_members(record), value.casefold())
        return self._fits_bound(record, name, value)

    def _fits_bound(self, record: Record, name: str, value: Any) -> bool:
        for is_lower, patterns in ((True, self._conventions.since), (False, self._conventions.until)):
            stem = name_stem(name, patterns)
            if stem is None:
                continue
            bases = dict.fromkeys((stem, stem.removesuffix("s")))  # `starts_after` bounds `start`
            names = tuple(
                name
                for base in bases
                for name in (base, f"{base}_at", f"{base}_time", f"date_{base}", f"{base}_date", f"{base}_on")
            )
            member = self._member_named(names if stem else self._conventions.created)
            if member is None and not stem:
                member = self._member_like_parameter(name)
            if member is None:
                return True
            return is_within(record.members.get(member), value, is_lower=is_lower, is_strict=_is_strict(name))
        return True

    def _member_named(self, names: tuple[str, ...]) -> str | None:
        """Return the first member with one of these names, None if there is none."""
        return next((member for member in self._members if matches_any_name(member, names)), None)

    def _member_like_parameter(self, name: str) -> str | None:
        """Return the only member with the shared schema or the format of a parameter, None without: `from` and `to` of
        a list of reservations bound their `day`.
        """
        parameter = next((item for item in self._query if item.name == name), None)
        if parameter is None or parameter.schema is None:
            return None
        wanted = self._api.resolve(parameter.schema)
        found = {member: self._api.resolve(schema) for member, schema in self._schemas.items()}
        shared = [member for member, schema in found.items() if schema.name and schema is wanted]
        alike = [member for member, schema in found.items() if schema.format == wanted.format]
        likely = shared or (alike if wanted.format.startswith("date") else [])
        return likely[0] if len(likely) == 1 else None

    # Orders

    def _sort_records(self, records: list[Record], read: ReadRequest) -> list[Record]:
        asked = read.query(self._sort.name) if self._sort is not None else ABSENT
        if asked is ABSENT and self._sort is not None and self._sort.schema is not None:
            asked = self._api.resolve(self._sort.schema).default
        direction = read.query(self._direction.name) if self._direction is not None else ABSENT
        if direction is ABSENT and self._direction is not None and self._direction.schema is not None:
            direction = self._api.resolve(self._direction.schema).default
        is_down = isinstance(direction, str) and direction.lower().startswith("desc")
        texts = (
            asked if isinstance(asked, list) else _NEXT_ORDER.split(asked) if isinstance(asked, str) else []
        )
        orders = [one for text in reversed(texts) if (one := self._order(str(text), is_down)) is not None]
        orders = [*self._orders_in_brackets(read), *orders]
        for member, is_descending in orders:
            records = sorted(
                records,
                key=cmp_to_key(partial(_compare_records, member)),
                reverse=is_descending,
            )
        if not orders and self._sort is None and isinstance(direction, str):
            ordered = sorted(records, key=lambda record: record.serial)
            return ordered[::-1] if is_down else ordered
        return records

    def _orders_in_brackets(self, read: ReadRequest) -> Iterator[tuple[str, bool]]:
        """Yield the orders of parameters such as `order[price]`, or of the object `order`, the last one first."""
        names = (*self._conventions.sort, *self._conventions.direction)
        for parameter in reversed(self._query):
            head, bracket, inner = parameter.name.removesuffix("]").partition("[")
            value = read.query(parameter.name)
            given = {inner: value} if bracket and inner else value
            if isinstance(given, dict) and matches_any_name(head, names):
                for name, direction in reversed(given.items()):
                    if isinstance(direction, str) and direction.lower() in ("asc", "desc"):
                        order = self._order(name, direction.lower() == "desc")
                        if order is not None:
                            yield order

    def _order(self, text: str, is_down: bool) -> tuple[str, bool] | None:  # noqa: FBT001 - the parameter's value
        """Return the member that a text names, and whether the order descends; None if it names none."""
        suffix = _SUFFIX.search(text)
        name = text[: suffix.start()] if suffix is not None else text
        is_descending = suffix[1].lower() == "desc" if suffix is not None else is_down
        if name[:1] in ("-", "+"):
            name, is_descending = name[1:], name[0] == "-"
        member = self._member_named((name, f"{name}_at"))
        return (member, is_descending) if member is not None else None


def _singular(name: str) -> str:
    return name.removesuffix("[]").removesuffix("s")


def _is_strict(name: str) -> bool:
    return name.lower().rstrip("]").endswith(("gt", "lt", ">", "<"))


def _compare_records(member: str, first: Record, other: Record) -> int:
    return compare_values(first.members.get(member), other.members.get(member))
