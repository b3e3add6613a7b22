"""Lists: filters, orders and pages, by the parameters that the contract documents."""

import base64
import binascii
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cmp_to_key, partial
from typing import Any
from urllib.parse import urlencode

from devportal.conformance.knowledge.response_check import documents_invalid_refusal, documents_status
from devportal.contract import ABSENT, Absent, Api, Operation, Parameter, ParameterLocation
from devportal.contract.conventions import (
    FILTER_OBJECTS,
    Conventions,
    filtered_member,
    matches_any_name,
    name_stem,
)
from devportal.contract.resources import Listing
from devportal.contract.validate.schema_rules import constraint_value
from devportal.contract.values.instants import parse_instant
from devportal.contract.wire_format.request_check import request_problem
from devportal.mock.http.exchange import MockRequest
from devportal.mock.http.requests import INVALID, ReadRequest, refused_as_invalid
from devportal.mock.json_values import value_at
from devportal.mock.resources.nested_members import NestedMembers, resource_members
from devportal.mock.resources.store import Record, described_members

DEFAULT_PAGE_SIZE = 20
"""The size of a page if the contract has a parameter for it and no default."""
LINKED_CURSOR = "cursor"
"""The parameter of the addresses of later pages, if the contract has no parameter for them but a `Link` header."""
_NEWEST = re.compile(r"\b(?:newest|latest|most recent)\s+first\b|\breverse chronological\b", re.IGNORECASE)
_OLDEST = re.compile(r"\boldest\s+first\b", re.IGNORECASE)
_SUFFIX = re.compile(r"[:. _](asc|desc)(?:ending)?$", re.IGNORECASE)
_SEARCHES = ("q", "search", "query", "search_query", "search_term", "full_text")
"""Parameters that look for words in any member."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPage:
    """One page of a list: its records, how many there are in all, and how the next page is asked for, None if it is
    the last. `start` is how many come before it.
    """

    records: tuple[Record, ...]
    total: int
    start: int
    size: int | None
    number: int = 1
    """The number of the page: the one that was asked for, or that of the first."""
    next_cursor: str | None = None
    next_query: Mapping[str, str] | None = None
    previous_query: Mapping[str, str] | None = None
    last_query: Mapping[str, str] | None = None
    """How the last page is asked for, None if only the pages before it tell."""


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
        self._listing = listing
        self._members = [member.name for member in resource_members(api, listing.item, nested)]
        query = [
            parameter
            for parameter in operation.parameters
            if parameter.location_in is ParameterLocation.QUERY
        ]
        paging = {
            parameter.name
            for parameter in (listing.limit, listing.cursor, listing.page, listing.offset)
            if parameter is not None
        }
        self._query = [parameter for parameter in query if parameter.name not in paging]
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
        self._is_newest_first = self._described_order()
        numbered = listing.cursor or listing.page or listing.offset
        self._is_linked_only = listing.has_link and listing.limit is not None and numbered is None
        """Whether the next page is only found by a `Link` header, whose address the mock decides."""

    def _is_direction(self, parameter: Parameter) -> bool:
        """Say whether a parameter takes no more than `asc` and `desc`."""
        schema = self._api.resolve(parameter.schema) if parameter.schema is not None else None
        values = [str(item).lower() for item in schema.enum] if schema is not None else []
        return bool(values) and all(value.startswith(("asc", "desc")) for value in values)

    def _described_order(self) -> bool:
        operation = self._operation
        texts = (
            operation.summary,
            operation.description,
            *(success.description for success in operation.successes),
        )
        return any(map(_NEWEST.search, texts)) and not any(map(_OLDEST.search, texts))

    def read(
        self, records: Sequence[Record], read: ReadRequest, request: MockRequest, key: Sequence[str]
    ) -> ListPage:
        """Return the page that a request asks for. Raises Refused for a text that is not a cursor."""
        filters = [*self._given_filters(read)]
        chosen = [
            record
            for record in records
            if all(self._fits_filter(record, name, value) for name, value in filters)
        ]
        if self._is_newest_first:
            chosen.reverse()
        chosen = self._sort_records(chosen, read)
        return self._page(chosen, read, request, key)

    # Filters

    def _given_filters(self, read: ReadRequest) -> Iterator[tuple[str, Any]]:
        """Yield the names of what a request filters by, and the values: `filter[state]` filters by `state`. The body of
        a search has filters too.
        """
        for parameter in self._query:
            value = read.query(parameter.name)
            if parameter is self._sort or parameter is self._direction or value in (ABSENT, ""):
                continue
            if isinstance(value, dict) and matches_any_name(parameter.name, FILTER_OBJECTS):
                yield from value.items()
            else:
                yield filtered_member(parameter.name), value
        if isinstance(read.body, dict):
            yield from ((name, value) for name, value in read.body.items() if value not in ("", None, [], {}))

    def _fits_filter(self, record: Record, name: str, value: Any) -> bool:
        for member in self._members:
            if member == name or matches_any_name(member, (name, _singular(name))):
                return _matches(record.members.get(member), value)
        if isinstance(value, list) and matches_any_name(_singular(name), self._conventions.identifier):
            return _matches(record.id, value)
        if isinstance(value, dict):
            return all(
                self._fits_bound(record, f"{name}[{operator}]", bound) for operator, bound in value.items()
            )
        if isinstance(value, str) and matches_any_name(name, _SEARCHES):
            return _has_text(described_members(record), value.casefold())
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
            if member is None:
                return True
            return _is_within(
                record.members.get(member), value, is_lower=is_lower, is_strict=_is_strict(name)
            )
        return True

    def _member_named(self, names: tuple[str, ...]) -> str | None:
        """Return the first member with one of these names, None if there is none."""
        return next((member for member in self._members if matches_any_name(member, names)), None)

    # Orders

    def _sort_records(self, records: list[Record], read: ReadRequest) -> list[Record]:
        asked = read.query(self._sort.name) if self._sort is not None else ABSENT
        if asked is ABSENT and self._sort is not None and self._sort.schema is not None:
            asked = self._api.resolve(self._sort.schema).default
        direction = read.query(self._direction.name) if self._direction is not None else ABSENT
        if direction is ABSENT and self._direction is not None and self._direction.schema is not None:
            direction = self._api.resolve(self._direction.schema).default
        is_down = isinstance(direction, str) and direction.lower().startswith("desc")
        texts = asked if isinstance(asked, list) else [*asked.split(",")] if isinstance(asked, str) else []
        orders = [one for text in reversed(texts) if (one := self._order(str(text), is_down)) is not None]
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

    def _order(self, text: str, is_down: bool) -> tuple[str, bool] | None:  # noqa: FBT001 - the parameter's value
        """Return the member that a text names, and whether the order descends; None if it names none."""
        suffix = _SUFFIX.search(text)
        name = text[: suffix.start()] if suffix is not None else text
        is_descending = suffix[1].lower() == "desc" if suffix is not None else is_down
        if name[:1] in ("-", "+"):
            name, is_descending = name[1:], name[0] == "-"
        member = self._member_named((name, f"{name}_at"))
        return (member, is_descending) if member is not None else None

    # Pages

    def _page(
        self, records: list[Record], read: ReadRequest, request: MockRequest, key: Sequence[str]
    ) -> ListPage:
        listing = self._listing
        size = self._size(read)
        start = self._start(records, read, key, size)
        if self._is_linked_only:
            start = _linked_start(request, len(records))
        shown = records[start:] if size is None else records[start : start + size]
        end = start + len(shown)
        has_more = end < len(records)
        cursor = self._cursor(shown, end, key) if has_more and listing.cursor is not None else None
        query: dict[str, str] | None = None
        if has_more and listing.cursor is not None and cursor is not None:
            query = {listing.cursor.name: cursor}
        elif has_more and listing.page is not None and size is not None:
            query = {listing.page.name: str(self._first_page() + end // size)}
        elif has_more and listing.offset is not None:
            query = {listing.offset.name: str(end)}
        elif has_more and self._is_linked_only:
            query = {LINKED_CURSOR: str(end)}
        previous: dict[str, str] | None = None
        if start > 0 and listing.page is not None and size is not None:
            previous = {
                listing.page.name: str(max(self._first_page() + start // size - 1, self._first_page()))
            }
        elif start > 0 and listing.offset is not None:
            previous = {listing.offset.name: str(max(0, start - (size or start)))}
        pages_before_last = max(0, len(records) - 1) // size if size else 0
        last: dict[str, str] | None = None
        if listing.cursor is None and listing.page is not None:
            last = {listing.page.name: str(self._first_page() + pages_before_last)}
        elif listing.cursor is None and listing.offset is not None:
            last = {listing.offset.name: str(pages_before_last * (size or 0))}
        return ListPage(
            records=tuple(shown),
            total=len(records),
            start=start,
            size=size,
            number=self._number(read),
            next_cursor=cursor,
            next_query=query,
            previous_query=previous,
            last_query=last,
        )

    def _size(self, read: ReadRequest) -> int | None:
        limit = self._listing.limit
        items_limit = None
        if limit is None:
            is_paged = self._listing.cursor or self._listing.page or self._listing.offset
            return DEFAULT_PAGE_SIZE if is_paged else items_limit
        asked = read.query(limit.name)
        schema = self._api.resolve(limit.schema) if limit.schema is not None else None
        if not isinstance(asked, int) or isinstance(asked, bool) or asked < 0:
            asked = schema.default if schema is not None else ABSENT
        most = constraint_value(schema, "maximum") if schema is not None else None
        if isinstance(asked, int) and not isinstance(asked, bool) and asked >= 0:
            return asked if asked > 0 else DEFAULT_PAGE_SIZE
        return min(DEFAULT_PAGE_SIZE, int(most)) if most is not None and most >= 1 else DEFAULT_PAGE_SIZE

    def _number(self, read: ReadRequest) -> int:
        number = read.query(self._listing.page.name) if self._listing.page is not None else ABSENT
        if isinstance(number, int) and not isinstance(number, bool):
            return number
        return self._first_page()

    def _first_page(self) -> int:
        """Return the number of the first page: 0 if the contract states that, else 1."""
        page = self._listing.page
        schema = self._api.resolve(page.schema) if page is not None and page.schema is not None else None
        if schema is None:
            return 1
        least = constraint_value(schema, "minimum")
        first = schema.default if isinstance(schema.default, int) else least
        return 0 if first == 0 else 1

    def _start(
        self, records: Sequence[Record], read: ReadRequest, key: Sequence[str], size: int | None
    ) -> int:
        listing = self._listing
        if listing.cursor is not None:
            cursor = read.query(listing.cursor.name)
            if cursor is not ABSENT and cursor not in ("", None):
                return self._place_of_cursor(records, str(cursor), key, listing.cursor)
        if listing.page is not None and size is not None:
            number = read.query(listing.page.name)
            if isinstance(number, int) and not isinstance(number, bool):
                return min(max(0, number - self._first_page()) * size, len(records))
        if listing.offset is not None:
            number = read.query(listing.offset.name)
            if isinstance(number, int) and not isinstance(number, bool):
                return min(max(0, number), len(records))
        return 0

    def items_before(self, read: ReadRequest) -> int:
        """Return how many items come before those that a request asks for, if there is no more than the first page."""
        if self._number(read) > self._first_page():
            return sys.maxsize
        offset = read.query(self._listing.offset.name) if self._listing.offset is not None else 0
        return offset if isinstance(offset, int) and not isinstance(offset, bool) and offset > 0 else 0

    def _takes_ids(self) -> bool:
        """Say whether the cursor is the identifier of the last item: nothing in the response holds a cursor."""
        members = self._listing.next
        return not members or matches_any_name(members[-1], ("has_more",))

    def _cursor(self, shown: Sequence[Record], end: int, key: Sequence[str]) -> str | None:
        if not shown:
            return None
        if self._takes_ids():
            value = value_at(shown[-1].members, key) if key else None
            return str(value) if isinstance(value, str | int) else shown[-1].id
        return base64.urlsafe_b64encode(f"{end}.{shown[-1].serial}".encode()).decode().rstrip("=")

    def _place_of_cursor(
        self, records: Sequence[Record], cursor: str, key: Sequence[str], parameter: Parameter
    ) -> int:
        """Return how many records come before the page of a cursor: those up to the last that was shown, or as
        many as were shown, if that is gone.
        """
        if self._takes_ids():
            for number, record in enumerate(records):
                if cursor in (record.id, str(value_at(record.members, key) if key else record.id)):
                    return number + 1
        else:
            try:
                text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
                count, _, serial = text.partition(".")
                by_serial = {record.serial: number for number, record in enumerate(records)}
                return (
                    by_serial[int(serial)] + 1 if int(serial) in by_serial else min(int(count), len(records))
                )
            except (ValueError, binascii.Error):
                pass
        if not documents_invalid_refusal(self._operation):
            return 0
        problem = request_problem("query", (parameter.name,), "is not a cursor of this list")
        documented = {response.status.upper() for response in self._operation.responses}
        is_open = bool(documented & {"4XX", "DEFAULT"})
        is_named = any(documents_status(self._operation, number) for number in INVALID)
        raise refused_as_invalid([problem], INVALID if is_named or is_open else (404, *INVALID))


def _linked_start(request: MockRequest, most: int) -> int:
    text = next((value for name, value in request.query_pairs if name == LINKED_CURSOR), "")
    return min(int(text), most) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


OTHER_PAGES = ("next", "prev", "previous")
"""What objects are called that lead to the pages beside one."""
_PAGES = (*OTHER_PAGES, "first", "last", "self")


def page_url(request: MockRequest, query: Mapping[str, str]) -> str:
    """Return the address of another page of the list that a request asks for."""
    pairs = [pair for pair in request.query_pairs if pair[0] not in query]
    return f"{request.base_url}{request.path}?{urlencode([*pairs, *query.items()], errors='replace')}"


def link_header(request: MockRequest, page: ListPage) -> str:
    """Return the value of `Link` for a page (RFC 8288), empty if there is no other page."""
    links = ((page.next_query, "next"), (page.previous_query, "prev"))
    return ", ".join(
        f'<{page_url(request, query)}>; rel="{rel}"' for query, rel in links if query is not None
    )


def page_members(
    page: ListPage,
    request: MockRequest,
    conventions: Conventions,
    members: Iterator[tuple[tuple[str, ...], Any]],
    listing: Listing,
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the members of a list around its items with their values on a page: totals, cursors and addresses.

    `members` are those of a sample, by the names that lead to them. None stands for a page that there is not.
    """
    around = [*members]
    has_total = any(matches_any_name(path[-1], conventions.total) for path, _ in around)
    for path, sample in around:
        name, parent = path[-1], path[-2] if len(path) > 1 else ""
        match sample:
            case bool():
                value: Any = _page_flag(name, page)
            case _ if path == listing.next:
                value = _next_value(page, request, sample, listing)
            case int():
                value = _page_number(name, page, conventions, has_total=has_total)
            case dict() | list():
                continue
            case _:
                is_link = matches_any_name(parent, ("links",))
                is_part = name in ("url", "uri", "link") and matches_any_name(parent, _PAGES)
                named = parent if name == "href" or is_part else name
                value = _page_address(named, page, request, sample, listing, is_link=is_link)
        if value is not ABSENT:
            yield path, value


def _page_flag(name: str, page: ListPage) -> bool | Absent:
    """Return whether there are more pages, or earlier ones, by the name of the member; ABSENT for others."""
    is_last, is_first = page.next_query is None, page.start == 0
    flags = (
        (("has_more", "has_next", "has_next_page", "more", "is_truncated", "truncated"), not is_last),
        (("has_previous", "has_prev", "has_previous_page"), not is_first),
        (("last", "is_last"), is_last),
        (("first", "is_first"), is_first),
    )
    return next((flag for names, flag in flags if matches_any_name(name, names)), ABSENT)


def _page_address(
    name: str, page: ListPage, request: MockRequest, sample: Any, listing: Listing, *, is_link: bool
) -> Any:
    """Return the address of a page by the name of the member, None if there is no such page; ABSENT for others."""
    if matches_any_name(name, ("next", "next_url", "next_page_url", "next_page_uri")):
        return page_url(request, page.next_query) if page.next_query is not None else None
    if matches_any_name(name, ("prev", "previous", "previous_url", "previous_page_url", "prev_page_url")):
        return page_url(request, page.previous_query) if page.previous_query is not None else None
    is_address = is_link or (isinstance(sample, str) and "/" in sample)
    if matches_any_name(name, ("self", "url")) and is_address:
        return f"{request.base_url}{request.path}" + (f"?{request.query}" if request.query else "")
    if matches_any_name(name, ("first", "first_page_url")) and is_address:
        places = {place.name for place in (listing.cursor, listing.page, listing.offset) if place is not None}
        others = [pair for pair in request.query_pairs if pair[0] not in places]
        query = urlencode(others, errors="replace")
        return f"{request.base_url}{request.path}" + (f"?{query}" if query else "")
    if matches_any_name(name, ("last", "last_page_url")) and is_address and page.last_query is not None:
        return page_url(request, page.last_query)
    return ABSENT


def _next_value(page: ListPage, request: MockRequest, sample: Any, listing: Listing) -> Any:
    if page.next_query is None:
        return None
    is_address = isinstance(sample, str) and ("://" in sample or sample.startswith(("/", "?")))
    is_link = bool(listing.next) and (
        matches_any_name(listing.next[-1], ("next_page_url", "href", "next_url"))
        or matches_any_name(listing.next[0], ("links",))
    )
    if is_address or is_link:
        return page_url(request, page.next_query)
    value = next(iter(page.next_query.values()))
    return int(value) if isinstance(sample, int) and value.isdigit() else value


_PAGES_NAMES = (
    "total_pages",
    "page_count",
    "number_of_pages",
    "pages_count",
    "num_pages",
    "last_page",
    "pages",
)


def _page_number(name: str, page: ListPage, conventions: Conventions, *, has_total: bool) -> int | Absent:
    """Return the number that a member holds by its name: of items, of pages or of this page; ABSENT for others.
    A `count` beside a total is that of the items of the page.
    """
    size = page.size or max(page.total, 1)
    numbers = (
        (_PAGES_NAMES, -(-page.total // size)),
        (conventions.total, page.total),
        (conventions.page_count, len(page.records) if has_total else page.total),
        (("page", "page_number", "current_page", "number"), page.number),
        ((*conventions.limit, "page_size", "per_page", "size"), size),
        (("number_of_elements", "returned", "page_items"), len(page.records)),
        (conventions.offset, page.start),
    )
    return next((number for names, number in numbers if matches_any_name(name, names)), ABSENT)


def _singular(name: str) -> str:
    return name.removesuffix("[]").removesuffix("s")


def _matches(shown: Any, wanted: Any) -> bool:
    """Say whether a member has the value of a filter, or one of several; a list has it among its items."""
    if isinstance(wanted, list):
        return not wanted or any(_matches(shown, item) for item in wanted)
    if isinstance(shown, list):
        return any(_matches(item, wanted) for item in shown)
    if isinstance(shown, bool) or isinstance(wanted, bool):
        return shown is wanted or str(shown).lower() == str(wanted).lower()
    instants = parse_instant(shown), parse_instant(wanted)
    if isinstance(wanted, str) and all(instants):
        return instants[0] == instants[1]
    return shown == wanted or (shown is not None and str(shown) == str(wanted))


def _has_text(value: Any, wanted: str) -> bool:
    """Say whether a text is in a value or in one of its members, without regard to case."""
    if isinstance(value, dict):
        return any(_has_text(member, wanted) for member in value.values())
    if isinstance(value, list):
        return any(_has_text(item, wanted) for item in value)
    return isinstance(value, str) and wanted in value.casefold()


def _is_strict(name: str) -> bool:
    return name.lower().rstrip("]").endswith(("gt", "lt", ">", "<"))


def _is_within(shown: Any, bound: Any, *, is_lower: bool, is_strict: bool) -> bool:
    value, limit = _rank(shown), _rank(bound)
    if limit is None:
        return True
    if value is None or type(value) is not type(limit):
        return value is not None
    if value == limit:
        return not is_strict
    return bool(value > limit if is_lower else value < limit)


def _rank(value: Any) -> Any:
    """Return what values are ordered by: a number, a time, a day or a text; None for others."""
    if isinstance(value, bool) or value is None:
        return None
    instant = parse_instant(value)
    if isinstance(value, str) and instant is not None:
        return instant.timestamp()
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, str):
        try:
            return float(date.fromisoformat(value).toordinal()) * 86_400 - 62_135_683_200
        except ValueError:
            return value.casefold()
    return None


def _compare_records(member: str, first: Record, other: Record) -> int:
    return _compare(first.members.get(member), other.members.get(member))


def _compare(other_first: Any, other: Any) -> int:
    """Compare two members: numbers, times and texts among themselves; nothing comes first."""
    first, second = _rank(other_first), _rank(other)
    if first is None or second is None:
        return (first is not None) - (second is not None)
    if type(first) is not type(second):
        first, second = str(first), str(second)
    return int(first > second) - int(first < second)
