"""Pages of lists: which records a request asks for, and how the pages beside them are asked for."""

import base64
import binascii
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from devportal.conformance.knowledge.response_check import documents_invalid_refusal, documents_status
from devportal.contract import ABSENT, Api, Operation, Parameter
from devportal.contract.body_schemas import success_schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import Listing, object_properties
from devportal.contract.validate.schema_rules import constraint_value
from devportal.contract.wire_format.request_check import request_problem
from devportal.contract.wording import name_words
from devportal.documents import member_at
from devportal.mock.http.exchange import MockRequest
from devportal.mock.http.requests import INVALID, ReadRequest, refused_as_invalid
from devportal.mock.resources.store import Record

DEFAULT_PAGE_SIZE = 20
"""The size of a page if the contract has a parameter for it and no default."""
_ADDRESS_WORDS = (("link",), ("url",), ("uri",), ("href",))
LINKED_CURSOR = "cursor"
"""The parameter of the addresses of later pages, if the contract has no parameter for them but a `Link` header."""


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
    next_query: Mapping[str, str] | None = None
    previous_query: Mapping[str, str] | None = None
    first_query: Mapping[str, str] = field(default_factory=dict)
    """What the request for the first page must have of the parameters for pages: the required one."""
    last_query: Mapping[str, str] | None = None
    """How the last page is asked for, None if only the pages before it tell."""


class Pager:
    """Divides a list into pages, by the parameters of one operation."""

    def __init__(self, api: Api, operation: Operation, listing: Listing) -> None:
        """Take the contract and the list. The listing may be of a copy of the operation."""
        self._api = api
        self._operation = operation
        self._listing = listing
        numbered = listing.cursor or listing.page or listing.offset
        is_linked = listing.has_link or leads_by_address(listing) or _has_link_list(api, operation)
        self._is_linked_only = is_linked and listing.limit is not None and numbered is None
        """Whether the next page is only found by an address, in a `Link` header or a member, that the mock decides."""

    # Pages

    def page(
        self, records: Sequence[Record], read: ReadRequest, request: MockRequest, key: Sequence[str]
    ) -> ListPage:
        """Return the page that a request asks for; `key` leads to the identifier in a record. Raises Refused for a text
        that is not a cursor.
        """
        size = self._size(read)
        start = self._start(records, read, key, size)
        if self._is_linked_only:
            start = _linked_start(request, len(records))
        shown = records[start:] if size is None else records[start : start + size]
        end = start + len(shown)
        has_more = end < len(records)
        return ListPage(
            records=tuple(shown),
            total=len(records),
            start=start,
            size=size,
            number=self._number(read),
            next_query=self._next_query(shown, end, size, key) if has_more else None,
            previous_query=self._previous_query(start, size) if start > 0 else None,
            first_query=self._first_query(),
            last_query=self._last_query(len(records), size),
        )

    def _next_query(
        self, shown: Sequence[Record], end: int, size: int | None, key: Sequence[str]
    ) -> dict[str, str] | None:
        listing = self._listing
        cursor = self._cursor(shown, end, key) if listing.cursor is not None else None
        if listing.cursor is not None and cursor is not None:
            return {listing.cursor.name: cursor}
        if listing.page is not None and size is not None:
            return {listing.page.name: str(self._first_page() + end // size)}
        if listing.offset is not None:
            return {listing.offset.name: str(end)}
        return {LINKED_CURSOR: str(end)} if self._is_linked_only else None

    def _previous_query(self, start: int, size: int | None) -> dict[str, str] | None:
        listing, first = self._listing, self._first_page()
        if listing.page is not None and size is not None:
            return {listing.page.name: str(max(first + start // size - 1, first))}
        if listing.offset is not None:
            return {listing.offset.name: str(max(0, start - (size or start)))}
        return None

    def _first_query(self) -> dict[str, str]:
        page, offset = self._listing.page, self._listing.offset
        if page is not None and page.required:
            return {page.name: str(self._first_page())}
        return {offset.name: "0"} if offset is not None and offset.required else {}

    def _last_query(self, total: int, size: int | None) -> dict[str, str] | None:
        listing = self._listing
        pages_before = max(0, total - 1) // size if size else 0
        if listing.cursor is not None:
            return None
        if listing.page is not None:
            return {listing.page.name: str(self._first_page() + pages_before)}
        return {listing.offset.name: str(pages_before * (size or 0))} if listing.offset is not None else None

    def _size(self, read: ReadRequest) -> int | None:
        limit = self._listing.limit
        if limit is None:
            is_paged = self._listing.cursor or self._listing.page or self._listing.offset
            return DEFAULT_PAGE_SIZE if is_paged else None
        asked = _whole_number(read.query(limit.name))
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
            number = _whole_number(read.query(listing.offset.name))
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
            value = member_at(shown[-1].members, key) if key else None
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
                if cursor in (record.id, str(member_at(record.members, key) if key else record.id)):
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


def _whole_number(value: Any) -> Any:
    """Return a number that a parameter has as a text, other values as they are."""
    is_number = isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 10
    return int(value) if is_number else value


def leads_by_address(listing: Listing) -> bool:
    """Say whether the member that leads to the next page is an address by its name, such as `nextLink`."""
    return bool(listing.next) and name_words(listing.next[-1])[-1:] in _ADDRESS_WORDS


def _has_link_list(api: Api, operation: Operation) -> bool:
    """Say whether a list has links with relations beside its items, as documents of OGC API Features do."""
    schema = success_schema(operation)
    for member in object_properties(api, schema) if schema is not None else ():
        item = api.resolve(member.schema).items
        names = {part.name for part in object_properties(api, item)} if item is not None else set()
        if matches_any_name(member.name, ("links",)) and names >= {"href", "rel"}:
            return True
    return False


def _linked_start(request: MockRequest, most: int) -> int:
    number = _whole_number(next((value for name, value in request.query_pairs if name == LINKED_CURSOR), ""))
    return min(number, most) if isinstance(number, int) else 0
