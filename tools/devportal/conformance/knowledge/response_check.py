"""Checks whether a response matches the contract, and whether it is a rejection."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import NamedTuple
from xml.parsers import expat

from devportal.conformance.deployment.exchange import (
    Exchange,
    HttpResponse,
    parse_json,
    parse_json_or_none,
)
from devportal.contract import Api, Header, Location, Operation, Response, Schema
from devportal.contract.media_types import documented_media_type, is_json, is_xml
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import Validator
from devportal.documents import format_pointer

CLIENT_ERROR_CLASS = 4
SERVER_ERROR_CLASS = 5
AUTHENTICATION_STATUSES = (401, 403)
_UNRELATED_TO_DATA = frozenset({"401", "403", "429"})
"""Rejections that say nothing about invalid data: with no others, a contract does not say how it is rejected."""


class ResponseAspect(StrEnum):
    """The part of a response that breaks a promise."""

    STATUS = "status"
    MEDIA_TYPE = "media-type"
    HEADER = "header"
    BODY = "body"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseMismatch:
    """One promise that a response breaks, and its location in the contract; `keyword` is that of a schema,
    `header` the name of a header.
    """

    aspect: ResponseAspect
    message: str
    promise: Location
    keyword: str = ""
    header: str = ""


def documents_status(operation: Operation, status: int) -> bool:
    """Return whether an operation documents a status explicitly or as a class, not by `default`."""
    return any(
        response.status.upper() in (str(status), f"{status // 100}XX") for response in operation.responses
    )


def documents_exact_status(operation: Operation, status: int) -> bool:
    """Return whether an operation documents exactly this status: `4XX` allows 405 and promises none."""
    return any(response.status == str(status) for response in operation.responses)


def documented_response(operation: Operation, status: int) -> Response | None:
    """Return the response that an operation documents for a status: exact, then its class, then `default`."""
    by_status = {response.status.upper(): response for response in operation.responses}
    for key in (str(status), f"{status // 100}XX", "DEFAULT"):
        if key in by_status:
            return by_status[key]
    return None


def is_left_to_http(operation: Operation, status: int) -> bool:
    """Return whether a contract leaves a response to HTTP: a 4xx if it documents no 4xx but those of credentials
    and limits, 401 and 403 of an operation that requires a credential and documents neither, and any but a server
    error of an operation without `responses` (OAS 3.1.1 §4.8.10). It need not cover all status codes (OAS 3.0.3
    §4.7.16), and no server could conform.
    """
    if not operation.responses:
        return status // 100 < SERVER_ERROR_CLASS
    if status // 100 != CLIENT_ERROR_CLASS or documented_response(operation, status) is not None:
        return False
    statuses = (response.status for response in operation.responses)
    refusals = {text for text in statuses if text.startswith(str(CLIENT_ERROR_CLASS))}
    if not refusals or (status not in AUTHENTICATION_STATUSES and refusals <= _UNRELATED_TO_DATA):
        return True
    return (
        status in AUTHENTICATION_STATUSES
        and bool(operation.security)
        and not any(map(partial(documents_exact_status, operation), AUTHENTICATION_STATUSES))
    )


MOST_STATUSES = 4


def list_statuses(statuses: Iterable[str]) -> str:
    """Return statuses in their order; of many, the first ones and the last: `400, 401 … 429`."""
    ordered = sorted(dict.fromkeys(statuses))
    if len(ordered) <= MOST_STATUSES:
        return ", ".join(ordered)
    return f"{', '.join(ordered[: MOST_STATUSES - 2])} … {ordered[-1]}"


def response_mismatches(
    validator: Validator, operation: Operation, response: HttpResponse
) -> Iterator[ResponseMismatch]:
    """Yield every promise that a response breaks."""
    documented = documented_response(operation, response.status)
    if documented is None:
        statuses = list_statuses(other_response.status for other_response in operation.responses)
        yield ResponseMismatch(
            aspect=ResponseAspect.STATUS,
            message=f"status {response.status} is not documented; documented are {statuses}",
            promise=operation.location.child("responses"),
        )
        return
    for header in documented.headers:
        yield from _header_mismatches(validator, header, response)
    if documented.content and operation.method != "HEAD":  # its response has no content (RFC 9110 §9.3.2)
        yield from _content_mismatches(validator, documented, response)


def _header_mismatches(
    validator: Validator, header: Header, response: HttpResponse
) -> Iterator[ResponseMismatch]:
    value = response.header(header.name)
    if value is None:
        if header.required:
            yield ResponseMismatch(
                aspect=ResponseAspect.HEADER,
                message=f"the header {header.name!r} is missing",
                promise=header.location,
                header=header.name,
            )
        return
    # Content-Type is described by `content` (OAS 3.0.3 §4.7.16), whatever a header of that name says.
    if header.schema is None or header.name.lower() == "content-type":
        return
    # A header's text can stand for a number, a boolean or a list.
    readings = [text for text in (value, parse_json_or_none(value)) if text is not None]
    if not any(validator.is_valid(header.schema, reading, Direction.RESPONSE) for reading in readings):
        yield ResponseMismatch(
            aspect=ResponseAspect.HEADER,
            message=f"the header {header.name!r} is {value!r}, which does not fit its schema",
            promise=header.location,
            header=header.name,
        )


def _content_mismatches(
    validator: Validator, documented: Response, response: HttpResponse
) -> Iterator[ResponseMismatch]:
    media_types = ", ".join(media_type.name for media_type in documented.content)
    media_type = documented_media_type(documented.content, response.media_type)
    if media_type is None:
        received = f"media type {response.media_type!r}" if response.media_type else "no Content-Type"
        yield ResponseMismatch(
            aspect=ResponseAspect.MEDIA_TYPE,
            message=f"{received} instead of {media_types}",
            promise=documented.location.child("content"),
        )
        return
    if is_xml(response.media_type) and not is_well_formed(response.body):
        promise = documented.location.child("content")
        yield ResponseMismatch(aspect=ResponseAspect.BODY, message="the body is not XML", promise=promise)
    if media_type.schema is None or not is_json(response.media_type):
        return
    promise = media_type.schema.location
    try:
        value = parse_json(response.body)
    except ValueError:
        yield ResponseMismatch(aspect=ResponseAspect.BODY, message="the body is not JSON", promise=promise)
        return
    for violation in validator.violations(media_type.schema, value, Direction.RESPONSE):
        where = format_pointer(violation.pointer) or "the body"
        yield ResponseMismatch(
            aspect=ResponseAspect.BODY,
            message=f"{where}: {violation.message}",
            promise=promise,
            keyword=violation.keyword,
        )


def is_well_formed(document: bytes) -> bool:
    """Return whether a document is well-formed XML (XML 1.0 §2.1), without a look at its document type."""
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _leave_document_type
    try:
        parser.Parse(document, True)  # noqa: FBT003 - it has no name
    except _HasDocumentType:
        return True
    except (expat.ExpatError, LookupError):
        return False
    return True


class _HasDocumentType(Exception):
    """A document has a document type, whose entities could grow without end."""


def _leave_document_type(*_: object) -> None:
    raise _HasDocumentType


PROBLEM_MEDIA_TYPE = "application/problem+json"
INVALID_STATUSES = (400, 422)
"""The statuses of a rejection of invalid data (RFC 9110 §15.5.1, §15.5.21)."""


class Refusal(NamedTuple):
    """A status and the type of the problem document, empty if the response is none."""

    status: int
    kind: str


def refusal_of(exchange: Exchange) -> Refusal | None:
    """Return how a request was rejected as invalid, None if it was not."""
    if exchange.answer is None or exchange.status not in INVALID_STATUSES:
        return None
    return Refusal(exchange.status, problem_type(exchange.answer) or "")


def problem_type(response: HttpResponse) -> str | None:
    """Return the `type` of a problem document, None if the response is none."""
    if response.media_type != PROBLEM_MEDIA_TYPE:
        return None
    problem = parse_json_or_none(response.body)
    kind = problem.get("type") if isinstance(problem, dict) else None
    return kind if isinstance(kind, str) else None


def has_problem_type_per_reason(api: Api, operation: Operation, status: int) -> bool:
    """Return whether a contract gives the reasons for a status different problem types."""
    response = documented_response(operation, status)
    return response is not None and len(documented_problem_types(api, response)) > 1


def documented_problem_types(api: Api, response: Response) -> frozenset[str]:
    """Return the problem types that the contract enumerates for a response."""
    return frozenset(kind for media in response.content for kind in _enumerated_types(api, media.schema))


def documents_invalid_refusal(operation: Operation) -> bool:
    """Return whether a contract documents a rejection of invalid data."""
    named = {response.status.lower() for response in operation.responses}
    return any(documents_status(operation, status) for status in INVALID_STATUSES) or "default" in named


def _enumerated_types(api: Api, schema: Schema | None) -> Iterator[str]:
    if schema is None:
        return
    schema = api.resolve(schema)
    for property_ in schema.properties:
        if property_.name == "type":
            yield from (str(value) for value in api.resolve(property_.schema).enum)
    for branch in (*schema.all_of, *schema.one_of, *schema.any_of):
        yield from _enumerated_types(api, branch)
