"""The questions to a site, for the command line and for MCP: each result as JSON data and as text for people."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from devportal.contract import Api
from devportal.docs import contract_output, operation_output, output
from devportal.docs.changes import read_site_changes, select_changes
from devportal.docs.operations import (
    describe_operation,
    find_operation,
    operations_of,
    read_api,
    require_name,
)
from devportal.docs.pages import read_page
from devportal.docs.records import SiteRecords, read_records
from devportal.docs.request_check import RequestParts, check_request
from devportal.docs.request_target import read_target
from devportal.docs.schemas import describe_schema
from devportal.docs.search import search
from devportal.docs.search_index import SEARCH_DETAILS, SEARCH_INDEX, UnpackedIndex, read_index
from devportal.docs.site_source import SiteSource
from devportal.errors import InvalidSettings, UnreadableInput


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryResult:
    """A result: `data` is an object of JSON."""

    data: dict[str, Any]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteQueries:
    """Answers questions from the files of a site. With `contract`, that is taken in place of the site's own.

    Each question raises PortalError if nothing answers it.
    """

    source: SiteSource
    contract: Api | None = field(default=None, repr=False)

    def search(self, query: str, *, most: int, api: str = "") -> QueryResult:
        """Search pages, operations, events, schemas, errors and fields, of one of several APIs if it is named."""
        text = self.source.read(SEARCH_INDEX)
        if text is None:
            raise UnreadableInput(
                f"{self.source.name} has no {SEARCH_INDEX}",
                help="give --site a site that devportal built, with the plugin 'search'",
            )
        records = read_records(self.source)
        index = _unpack_index(text)
        details = self.source.read(SEARCH_DETAILS) if index.has_details else None
        if details is not None:
            index = _unpack_index(details)
        part = index.part_of(records.of_api(api).address_filter(api)) if api else index
        results = search(part, query, most=most)
        return QueryResult(
            data=output.search_data(records, query, results),
            text=output.search_text(records, query, results),
        )

    def page(self, name: str) -> QueryResult:
        """Read a page as Markdown."""
        records = read_records(self.source)
        page = read_page(self.source, records, name)
        return QueryResult(data=output.page_data(records, page), text=output.page_text(records, page))

    def operation(self, name: str, *, api: str = "") -> QueryResult:
        """Describe an operation or event, of one of several APIs."""
        records = self._records(api)
        operation = require_name(records.operations, name)
        description = describe_operation(self._api(records, operation.api), operation.name)
        return QueryResult(
            data=operation_output.operation_data(records, operation, description),
            text=operation_output.operation_text(records, operation, description),
        )

    def schema(self, name: str, *, api: str = "") -> QueryResult:
        """Describe a shared schema, of one of several APIs."""
        records = read_records(self.source).of_api(api)
        if records.apis and self.contract is None:
            records = records.of_api(api or self._api_with_schema(records, name))
            api = next((schema.api for schema in records.schemas or records.operations), api)
        description = describe_schema(self._api(records, api), name)
        return QueryResult(
            data=contract_output.schema_data(records, description),
            text=contract_output.schema_text(records, description),
        )

    def changes(
        self,
        *,
        since: str = "",
        impacts: Collection[str] = (),
        operation: str = "",
        most: int | None = None,
        api: str = "",
    ) -> QueryResult:
        """List the changes of the API, or of one of several, the newest first, at most this many."""
        records = read_records(self.source).of_api(api)
        if records.apis and operation and not api:
            api = require_name(records.operations, operation).api
            records = records.of_api(api)
        changes = read_site_changes(self.source, records, api=api)
        selected = select_changes(records, changes, since=since, impacts=impacts, operation=operation)[:most]
        return QueryResult(
            data=output.changes_data(records, selected), text=output.changes_text(records, selected)
        )

    def check(self, asked: str, request: RequestParts, *, api_name: str = "") -> QueryResult:
        """Check a request, to one of several APIs.

        Values in the path and the query of `asked` are those of the request.
        """
        records = self._records(api_name)
        if records.apis and self.contract is None and not api_name:
            api_name = self._api_of_target(records, asked)
            records = records.of_api(api_name)
        api = self._api(records, api_name)
        target = read_target(api, records.operations, asked)
        operation = find_operation(api, target.operation.name)
        if operation is None:
            raise InvalidSettings(
                f"{target.operation.name!r} is an event: the service sends it, and nobody requests it",
                help="name an operation",
            )
        whole = replace(
            request, path={**target.path, **request.path}, query={**target.query, **request.query}
        )
        check = check_request(api, operation, whole)
        return QueryResult(
            data=contract_output.request_data(records, target.operation, check),
            text=contract_output.request_text(records, target.operation, check),
        )

    def _api(self, records: SiteRecords, name: str = "") -> Api:
        if self.contract is not None:
            return self.contract
        if not records.apis:
            return read_api(self.source)
        contract = next((api.contract for api in records.apis if api.name == name), None)
        if contract is None:
            raise _api_needed(records)
        return read_api(self.source, contract)

    def _api_with_schema(self, records: SiteRecords, name: str) -> str:
        """Return the name of the only API that has a schema. Raises InvalidSettings if several have it, or none."""
        wanted = name.strip().rpartition("/")[2].casefold()
        having = [
            api.name
            for api in records.apis
            if any(
                schema.name.casefold() == wanted
                for schema in read_api(self.source, api.contract).schemas.values()
            )
        ]
        if len(having) > 1:
            raise InvalidSettings(
                f"several APIs have a schema {name!r}: {', '.join(having)}", help="name the API too"
            )
        if not having:
            raise InvalidSettings(
                f"no API of the site has a schema {name!r}",
                help=f"a search finds schemas; the APIs are {', '.join(api.name for api in records.apis)}",
            )
        return having[0]

    def _api_of_target(self, records: SiteRecords, asked: str) -> str:
        """Return the name of the only API that a request can be for. Raises InvalidSettings if it could be several."""
        fitting = []
        for api in records.apis:
            try:
                read_target(
                    read_api(self.source, api.contract),
                    records.of_api(api.name).operations,
                    asked,
                )
            except InvalidSettings:
                continue
            fitting.append(api.name)
        if len(fitting) > 1:
            raise InvalidSettings(
                f"several APIs have an operation {asked!r}: {', '.join(fitting)}", help="name the API too"
            )
        return fitting[0] if fitting else require_name(records.operations, asked).api

    def _records(self, api: str = "") -> SiteRecords:
        """Return the records of the site or of one of its APIs; the operations of its contract if it has none."""
        records = read_records(self.source).of_api(api)
        if (records.operations or records.apis) and self.contract is None:
            return records
        pages = {operation.name: operation for operation in records.operations}
        known = operations_of(self._api(records, api))
        return replace(
            records,
            operations=tuple(pages.get(operation.name, operation) for operation in known),
        )


def _api_needed(records: SiteRecords) -> InvalidSettings:
    return InvalidSettings(
        "the site has several APIs",
        help=f"name one of {', '.join(api.name for api in records.apis)}",
    )


@lru_cache(maxsize=2)
def _unpack_index(text: str) -> UnpackedIndex:
    """Return an index; a server is asked about the same one, and the one with details, many times."""
    return read_index(text)
