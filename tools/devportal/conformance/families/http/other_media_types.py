"""Operations that document several media types: each is available, and XML has the values of JSON."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckFailure, Send
from devportal.conformance.knowledge.failures import response_failure
from devportal.conformance.knowledge.requests.request_variants import valid_body, with_header
from devportal.conformance.knowledge.resources.created_resources import (
    create_resource,
    is_success,
    response_json,
)
from devportal.conformance.knowledge.subject import Subject, with_resource_id
from devportal.contract import MediaType, Operation
from devportal.contract.media_types import is_json, is_xml
from devportal.contract.path_templates import names_resource
from devportal.contract.resources import object_properties
from devportal.contract.wire_format.xml_values import XmlElement, parse_xml

NOT_ACCEPTABLE = 406
TO_ESCAPE = "a & b < c"
"""What XML writes with references (XML 1.0 §2.4)."""


def has_other_media_types(operation: Operation) -> bool:
    """Return whether the first success of an operation is documented in several media types, none a range."""
    return len(_media_types(operation)) > 1


def _media_types(operation: Operation) -> tuple[MediaType, ...]:
    content = operation.successes[0].content if operation.successes else ()
    return tuple(media_type for media_type in content if "*" not in media_type.name)


def check_media_types(subject: Subject, operation: Operation, send: Send) -> Iterator[CheckFailure]:
    """Read in each documented media type, and compare XML with JSON that is the same before and after."""
    request = _with_new_resource(subject, operation, send).valid(operation)
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    exchanges: list[tuple[MediaType, Exchange]] = []
    for media_type in _media_types(operation):
        exchange = send(operation, with_header(request, "Accept", media_type.name))
        exchanges.append((media_type, exchange))
    if not any(is_success(exchange) for _, exchange in exchanges):
        raise Unsendable("a successful response in one of the documented media types")
    for media_type, exchange in exchanges:
        if exchange.status == NOT_ACCEPTABLE or exchange.status >= 500:
            message = f"Accept: {media_type.name} gets {exchange.outcome}, and it is documented"
            title = "a documented media type is not available"
            yield response_failure(operation, exchange, title, message, exchange)
    yield from _vary_failures(operation, [exchange for _, exchange in exchanges])
    json_read = next(((kind, exchange) for kind, exchange in exchanges if _is_in(exchange, is_json)), None)
    xml_read = next(((kind, exchange) for kind, exchange in exchanges if _is_in(exchange, is_xml)), None)
    if (
        json_read is not None
        and xml_read is not None
        and _have_one_schema(subject, json_read[0], xml_read[0])
    ):
        again = send(operation, with_header(request, "Accept", json_read[0].name))
        lost = _lost_members(subject, json_read[0], json_read[1], xml_read[1])
        if lost and response_json(again) == response_json(json_read[1]):
            message = f"required members of the JSON whose values are not in the XML: {', '.join(lost)}"
            title = "XML has other values than JSON"
            yield response_failure(operation, xml_read[1], title, message, json_read[1], xml_read[1])


def _vary_failures(operation: Operation, exchanges: list[Exchange]) -> Iterator[CheckFailure]:
    """Yield a failure if responses in two media types may be stored by a cache that cannot tell their requests apart
    (RFC 9110 §12.5.5), a note if no cache may store them without asking.
    """
    answers = [
        exchange.answer for exchange in exchanges if is_success(exchange) and exchange.answer is not None
    ]
    if len({answer.media_type for answer in answers if answer.media_type}) < 2:
        return
    for exchange in exchanges:
        answer = exchange.answer
        if answer is None or not answer.is_success or _varies(answer.header("vary") or ""):
            continue
        is_stored = _may_be_stored(
            answer.header("cache-control") or "", has_expiry=bool(answer.header("expires"))
        )
        message = f"it is {answer.media_type} by `Accept`, and has no `Vary: Accept`"
        failure = response_failure(
            operation, exchange, "a negotiated response lacks Vary", message, *exchanges
        )
        yield replace(failure, is_note=not is_stored)
        return


def _varies(vary: str) -> bool:
    return bool({"accept", "*"} & {name.strip().lower() for name in vary.split(",")})


def _may_be_stored(cache_control: str, *, has_expiry: bool) -> bool:
    """Return whether a cache may use a response again without asking, as its server says for how long (RFC 9111
    §4.2.1).
    """
    directives = [text.strip().lower() for text in cache_control.split(",")]
    if any(text.partition("=")[0] in ("no-store", "no-cache") for text in directives):
        return False
    ages = (
        text.partition("=")[2].strip('"') for text in directives if text.startswith(("max-age=", "s-maxage="))
    )
    return has_expiry or any(age.isascii() and age.isdigit() and int(age) > 0 for age in ages)


def _have_one_schema(subject: Subject, first: MediaType, second: MediaType) -> bool:
    if first.schema is None or second.schema is None:
        return False
    return subject.api.resolve(first.schema).location == subject.api.resolve(second.schema).location


def _with_new_resource(subject: Subject, operation: Operation, send: Send) -> Subject:
    """Return the subject with a new resource if the operation reads one that can be created, with a text that XML
    has to escape if the deployment accepts it.
    """
    resource = next((resource for resource in subject.resources if resource.read is operation), None)
    if resource is None or resource.create is None:
        return subject
    with_marks = _request_with_marks(subject, resource.create)
    if with_marks is not None:
        with suppress(Unsendable):
            created = create_resource(subject, resource, send, request=with_marks)
            return with_resource_id(subject, resource, created.id)
    return with_resource_id(subject, resource, create_resource(subject, resource, send).id)


def _request_with_marks(subject: Subject, create: Operation) -> Request | None:
    """Return a valid request whose first free text has marks that XML escapes, None if there is no such text."""
    body = valid_body(subject, create)
    for name, value in body.members.items() if body is not None else ():
        if body is None or not isinstance(value, str) or names_resource(name, subject.reference_names):
            continue
        members = {**body.members, name: f"{value} {TO_ESCAPE}"}
        if body.is_valid(subject, members):
            return body.request(members)
    return None


def _is_in(exchange: Exchange, is_kind: Callable[[str], bool]) -> bool:
    answer = exchange.answer
    return answer is not None and answer.is_success and is_kind(answer.media_type)


def _lost_members(
    subject: Subject, media_type: MediaType, json_exchange: Exchange, xml_exchange: Exchange
) -> list[str]:
    """Return the required texts and whole numbers of a JSON object that occur nowhere in a well-formed document."""
    shown = response_json(json_exchange)
    try:
        root = parse_xml(xml_exchange.answer.body if xml_exchange.answer is not None else b"")
    except ValueError:
        return []  # it is not well-formed, which is reported as such
    if not isinstance(shown, dict) or media_type.schema is None:
        return []
    texts = {text.strip() for text in _texts(root)}
    return [
        property_.name
        for property_ in object_properties(subject.api, media_type.schema)
        if property_.required
        and _is_plain(shown.get(property_.name))
        and str(shown[property_.name]).strip() not in texts
        and subject.api.resolve(property_.schema).format != "date-time"
    ]


def _is_plain(value: Any) -> bool:
    """Return whether a value has one spelling: a text that is not empty, or a whole number."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return is_number or (isinstance(value, str) and value.strip() != "")


def _texts(element: XmlElement) -> Iterator[str]:
    yield element.text
    yield from element.attributes.values()
    for child in element.children:
        yield from _texts(child)
