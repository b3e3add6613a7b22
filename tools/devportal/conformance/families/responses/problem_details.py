"""Every problem document agrees with the response that carries it (RFC 9457)."""

import re
from collections.abc import Iterator
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, HttpResponse, parse_json_or_none
from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.knowledge.response_check import PROBLEM_MEDIA_TYPE, documented_response
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Api, Location, Operation, Response, Schema
from devportal.contract.media_types import documented_media_type
from devportal.contract.resources import object_properties
from devportal.contract.wording import quote_value
from devportal.documents import member_at

MEMBER_TYPES = {"type": str, "title": str, "status": int, "detail": str, "instance": str}
"""The members that RFC 9457 names, and their types (§3.1)."""
STATUSES_WITHOUT_BODY = frozenset({204, 205, 304})
"""Responses that have no body (RFC 9110 §15.3.5, §15.3.6, §15.4.5), whatever media type they name."""


def find_failures(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
    """Yield a failure for each problem document, or other body of an error, that contradicts its response."""
    for exchange in exchanges:
        if exchange.answer is None:
            continue
        operation = subject.operation(exchange.operation)
        contradictions = (
            _contradictions(subject.api, operation, exchange.answer)
            if is_problem(subject, exchange)
            else _wrong_statuses(subject, exchange)
        )
        for title, message, promise in contradictions:
            yield CheckFailure(
                title=title,
                message=message,
                operation=exchange.operation,
                promise=promise,
                evidence=(exchange,),
            )


def is_problem(_: Subject, exchange: Exchange) -> bool:
    """Return whether a response has a problem document; one to HEAD, and some statuses, have no body."""
    answer = exchange.answer
    if answer is None or answer.media_type != PROBLEM_MEDIA_TYPE:
        return False
    return exchange.request.method != "HEAD" and answer.status not in STATUSES_WITHOUT_BODY


def states_something(subject: Subject, exchange: Exchange) -> bool:
    """Return whether a response has a problem document, or another body that states its status."""
    return is_problem(subject, exchange) or any(_stated_statuses(subject, exchange))


def _wrong_statuses(subject: Subject, exchange: Exchange) -> Iterator[tuple[str, str, Location | None]]:
    operation = subject.operation(exchange.operation)
    documented = documented_response(operation, exchange.status) if operation is not None else None
    for name, value in _stated_statuses(subject, exchange):
        if str(value) != str(exchange.status):
            message = f"{name!r} is {quote_value(value)} and the HTTP status is {exchange.status}"
            promise = documented.location if documented is not None else None
            yield "an error states another status than its response", message, promise


def _stated_statuses(subject: Subject, exchange: Exchange) -> Iterator[tuple[str, Any]]:
    """Yield the members of the body of an error that are its HTTP status: that of the only error of JSON:API (1.1
    §11.2; one of several may have another), and those that the contract describes so.
    """
    answer, operation = exchange.answer, subject.operation(exchange.operation)
    if answer is None or answer.status < LEAST_ERROR or exchange.request.method == "HEAD":
        return
    body = parse_json_or_none(answer.body)
    if answer.media_type == JSON_API_MEDIA_TYPE:
        match body:
            case {"errors": [{"status": str() as status}]}:
                yield "errors[0].status", status
        return
    documented = documented_response(operation, answer.status) if operation is not None else None
    for path in _status_paths(subject.api, documented, answer.media_type) if documented is not None else ():
        value = member_at(body, path)
        if isinstance(value, int | str) and not isinstance(value, bool):
            yield ".".join(path), value


def _status_paths(api: Api, documented: Response, media_type_name: str) -> Iterator[tuple[str, ...]]:
    """Yield the paths of the members that are the HTTP status by their descriptions, up to two objects deep."""
    media_type = documented_media_type(documented.content, media_type_name)
    schema = media_type.schema if media_type is not None else None
    for member in object_properties(api, schema) if schema is not None else ():
        inner = (((member.name, below.name), below.schema) for below in object_properties(api, member.schema))
        for path, described in (((member.name,), member.schema), *inner):
            meaning = api.resolve(described)
            if _HTTP_STATUS.match(meaning.description) and {"integer", "string"} & set(meaning.types):
                yield path


def _contradictions(
    api: Api, operation: Operation | None, response: HttpResponse
) -> Iterator[tuple[str, str, Location | None]]:
    documented = documented_response(operation, response.status) if operation is not None else None
    promise = documented.location if documented is not None else None
    problem = parse_json_or_none(response.body)
    if not isinstance(problem, dict):
        yield (
            "a problem document is not a JSON object",
            f"{PROBLEM_MEDIA_TYPE} holds something else (RFC 9457 §3)",
            promise,
        )
        return
    status = problem.get("status", response.status)
    if status not in (response.status, str(response.status)):  # a text has the wrong type, and no more
        message = (
            f"'status' is {quote_value(status)} and the HTTP status is {response.status} (RFC 9457 §3.1.2)"
        )
        yield "a problem's status differs from the HTTP status", message, promise
    for title, message in (*_wrong_member_types(problem), *_type_mismatches(api, problem, response.status)):
        yield title, message, promise
    for header, member in _paired_ids(api, documented) if documented is not None else ():
        in_header, in_body = response.header(header), problem.get(member)
        if in_header is not None and in_body is not None and in_header != in_body:
            message = f"{header} is {in_header!r} and {member!r} is {quote_value(in_body)}"
            yield "a problem's identifier differs from its header", message, promise


def _wrong_member_types(problem: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the members that have another type than RFC 9457 §3.1 requires."""
    for name, kind in MEMBER_TYPES.items():
        value = problem.get(name)
        if value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
            type_text = "a number" if kind is int else "a text"
            yield (
                "a problem's member has the wrong type",
                f"{name!r} is {quote_value(value)}, not {type_text} (RFC 9457 §3.1)",
            )
    for name in ("type", "instance"):
        value = problem.get(name)
        if isinstance(value, str) and not _is_uri_reference(value):
            yield f"a problem's {name} is not a URI reference", f"{name!r} is {value!r} (RFC 9457 §3.1)"


def _is_uri_reference(text: str) -> bool:
    """Return whether a text can be a URI reference: it has only allowed characters and whole escapes (RFC
    3986 §2). Characters beyond ASCII pass, since many write IRIs.
    """
    return _URI_REFERENCE.fullmatch(text) is not None


_HTTP_STATUS = re.compile(
    r"\s*(?:the |its )?HTTP status(?: code)?(?: of (?:the|this) (?:response|error))?\W*$", re.IGNORECASE
)
"""Descriptions of members that are the status of their response."""
LEAST_ERROR = 400
JSON_API_MEDIA_TYPE = "application/vnd.api+json"
_URI_REFERENCE = re.compile(r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=\u0080-\U0010ffff]|%[0-9A-Fa-f]{2})*")


def _type_mismatches(api: Api, problem: dict[str, Any], status: int) -> Iterator[tuple[str, str]]:
    """Yield the differences from a registered problem type (`x-problem-types`), which has a title and a
    status.
    """
    registered = next(
        (problem_type for problem_type in api.problem_types if problem_type.uri == problem.get("type")), None
    )
    if registered is None:
        return
    title = problem.get("title", registered.title)
    if title != registered.title:
        yield (
            "a problem's title is not that of its type",
            f"'title' is {quote_value(title)}; {registered.uri} is {registered.title!r}",
        )
    if status != registered.status:
        yield (
            "a problem's type belongs to another status",
            f"{registered.uri} is for {registered.status} and comes with {status}",
        )


def _paired_ids(api: Api, response: Response) -> Iterator[tuple[str, str]]:
    """Yield each header and member to which the contract gives the same name, such as X-Request-Id and
    request_id.
    """
    members = {
        _normalize_name(name): name for media in response.content for name in _member_names(api, media.schema)
    }
    for header in response.headers:
        if _normalize_name(header.name).endswith("id") and _normalize_name(header.name) in members:
            yield header.name, members[_normalize_name(header.name)]


def _normalize_name(name: str) -> str:
    return name.lower().removeprefix("x-").replace("-", "").replace("_", "")


def _member_names(api: Api, schema: Schema | None) -> Iterator[str]:
    if schema is None:
        return
    schema = api.resolve(schema)
    yield from (property_.name for property_ in schema.properties)
    for branch in schema.all_of:
        yield from _member_names(api, branch)


FAMILY = Family(
    name="problem-details",
    summary="problem documents match their responses",
    words=CheckDescription(
        promise="A problem document is a JSON object that matches its response: the same status, and the same"
        " identifier as in the header. Its members have the types of RFC 9457. Title and status match"
        " its type, if the contract registers the type.",
        test="All `application/problem+json` responses of a run are examined, and of other errors the status of the "
        "only error of JSON:API, and a member that is the HTTP status by its description.",
        remedy="Generate status line, headers and document from one value.",
        sources=("RFC 9457 §3.1", "JSON:API 1.1 §11.2"),
    ),
    needs="a response with `application/problem+json`, or another error that states its status",
    sees=find_failures,
    compares=states_something,
)
