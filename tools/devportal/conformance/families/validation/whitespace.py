"""Whitespace around texts with a pattern, and between JSON tokens."""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from devportal.conformance.deployment.exchange import Request
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.requests.forbidden_requests import (
    ForbiddenRequest,
    check_forbidden_requests,
    spelling_failures,
)
from devportal.conformance.knowledge.requests.inputs import (
    Input,
    authorised_request,
    inputs,
    is_forbidden,
    valid_request_values,
)
from devportal.conformance.knowledge.requests.request_variants import EquivalentRequest
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation, ParameterLocation
from devportal.contract.media_types import is_json, is_xml

WHITESPACE_ACCEPTED = "whitespace that the contract forbids is accepted"
WHITESPACE_BREAKS_SERVER = "whitespace around a value is a server error"
WHITESPACE_SHAPES = (
    ("a space before", " {}"),
    ("a space after", "{} "),
    ("a line feed after", "{}\n"),
    ("a tab before", "\t{}"),
    ("a no-break space after", "{}\u00a0"),
)
TRIMMED_LOCATIONS = (ParameterLocation.HEADER, ParameterLocation.COOKIE)
"""Locations where HTTP itself removes whitespace (RFC 9110 §5.5)."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield for each operation a probe of whitespace around its values, and one for each spelling of its
    JSON.
    """
    for operation in subject.operations:
        if operation.method == "DELETE":
            continue
        request_inputs = tuple(
            input_
            for input_ in inputs(subject, valid_request_values(subject, operation))
            if isinstance(input_.value, str)
            and not _is_in_xml(input_)
            and (input_.parameter is None or input_.parameter.location_in not in TRIMMED_LOCATIONS)
        )
        if request_inputs:
            yield Probe(
                operation=operation_label(operation),
                run=partial(_check_surrounding_whitespace, subject, operation, request_inputs),
            )
        request = subject.valid(operation)
        if request is not None and request.body and is_json(dict(request.headers).get("Content-Type", "")):
            for other in json_spellings(request):
                run = partial(spelling_failures, operation, request, other)
                yield Probe(operation=operation_label(operation), run=run)


def _is_in_xml(place: Input) -> bool:
    """Return whether an input is in XML, whose readers may take whitespace away (XML 1.0 §2.10)."""
    media_type = place.request_values.media_type
    return place.parameter is None and media_type is not None and is_xml(media_type.name)


def json_spellings(request: Request) -> Iterator[EquivalentRequest]:
    """Yield the same JSON in other spellings (RFC 8259 §2, §7): whitespace, order, escapes."""
    value = json.loads(request.body or b"null")
    dense = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    for title, text in (
        ("JSON without whitespace", dense),
        ("JSON with whitespace around every token", "\r\n\t " + json.dumps(value, indent="\t \r\n") + " \n"),
        ("JSON with its members in another order", json.dumps(_reverse_members(value))),
        ("JSON with every character escaped", _escape_all_characters(value)),
    ):
        yield EquivalentRequest(title=title, request=replace(request, body=text.encode()))


def _reverse_members(value: Any) -> Any:
    match value:
        case dict():
            return {name: _reverse_members(member) for name, member in reversed(value.items())}
        case list():
            return [_reverse_members(item) for item in value]
    return value


def _escape_all_characters(value: Any) -> str:
    match value:
        case dict():
            return (
                "{"
                + ",".join(
                    f"{_escape_all_characters(name)}:{_escape_all_characters(member)}"
                    for name, member in value.items()
                )
                + "}"
            )
        case list():
            return "[" + ",".join(map(_escape_all_characters, value)) + "]"
        case str():
            units = value.encode("utf-16-be", "surrogatepass")
            pairs = zip(units[::2], units[1::2], strict=True)
            return '"' + "".join(f"\\u{high:02X}{low:02x}" for high, low in pairs) + '"'
    return json.dumps(value)


def _check_surrounding_whitespace(
    subject: Subject, operation: Operation, request_inputs: tuple[Input, ...], send: Send
) -> Iterator[CheckFailure]:
    requests = (
        ForbiddenRequest(
            case=f"{title} {request_input.name}",
            promise=request_input.location,
            request=authorised_request(
                subject, request_input.request_values_with(shape.format(request_input.value))
            ),
        )
        for request_input in request_inputs
        for title, shape in WHITESPACE_SHAPES
        if is_forbidden(subject, request_input.request_values_with(shape.format(request_input.value)))
    )
    lacks = yield from check_forbidden_requests(
        operation,
        requests,
        send,
        accepted_title=WHITESPACE_ACCEPTED,
        server_error_title=WHITESPACE_BREAKS_SERVER,
    )
    if lacks:
        raise Unsendable(lacks)


FAMILY = Family(
    name="whitespace",
    summary="whitespace counts in values and nowhere else",
    words=CheckDescription(
        promise="Whitespace around a text makes it a different text: it is rejected if a pattern or an "
        "enumeration forbids it. Between JSON tokens, whitespace has no meaning, and neither have the"
        " order of members and the way characters are escaped.",
        test="Whitespace is added around each text of a valid request if its schema forbids that. An "
        "accepted body is sent again without whitespace, with much of it, in another order, and with "
        "every character escaped.",
        remedy="Anchor patterns at the very end: in Python, Ruby, PHP and Perl `$` also matches before a "
        "final line feed, so use `\\Z` or `\\z`. Do not trim before validation. Use a JSON parser.",
        sources=("RFC 8259 §2", "RFC 8259 §7", "JSON Schema 2020-12 Validation §6.3.3"),
    ),
    needs="a text in a request",
    probes=probes,
    beside=True,
)
