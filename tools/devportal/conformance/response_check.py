"""An answer against what its operation promises: status, media type, headers, body."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from devportal.conformance.exchange import Answer, essence, json_or_none, json_value
from devportal.conformance.valid_request import is_json
from devportal.contract import Header, Location, MediaType, Operation, Response
from devportal.contract.json_schema import Direction
from devportal.contract.validation import Validator
from devportal.documents import format_pointer

REFUSAL = 4
NO_ENTRY = (401, 403)


class Aspect(StrEnum):
    """Which part of an answer breaks a promise."""

    STATUS = "status"
    MEDIA_TYPE = "media-type"
    HEADER = "header"
    BODY = "body"


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """One promise that an answer breaks, and where the contract makes it."""

    aspect: Aspect
    message: str
    promise: Location


def documents(operation: Operation, status: int) -> bool:
    """Say whether an operation documents a status in so many words: not by `default`."""
    return any(one.status.upper() in (str(status), f"{status // 100}XX") for one in operation.responses)


def promises(operation: Operation, status: int) -> bool:
    """Say whether an operation names a status itself: `4XX` allows 405, and promises none."""
    return any(one.status == str(status) for one in operation.responses)


def response_for(operation: Operation, status: int) -> Response | None:
    """Return what an operation promises for a status: exact, then its class, then `default`."""
    by_status = {one.status.upper(): one for one in operation.responses}
    for key in (str(status), f"{status // 100}XX", "DEFAULT"):
        if key in by_status:
            return by_status[key]
    return None


def is_left_to_http(operation: Operation, status: int) -> bool:
    """Say whether a contract leaves a refusal to HTTP: 4xx of which it says nothing at all, and 401 and 403
    of an operation that demands a credential and names neither. It need not cover all status codes (OAS
    3.0.3 §4.7.16), and no server could keep it.
    """
    if status // 100 != REFUSAL or response_for(operation, status) is not None:
        return False
    if not any(one.status.startswith(str(REFUSAL)) for one in operation.responses):
        return True
    return (
        status in NO_ENTRY
        and bool(operation.security)
        and not any(map(partial(promises, operation), NO_ENTRY))
    )


def breaches(validator: Validator, operation: Operation, answer: Answer) -> Iterator[Breach]:
    """Yield every promise that an answer breaks."""
    response = response_for(operation, answer.status)
    if response is None:
        documented = ", ".join(sorted(one.status for one in operation.responses))
        yield Breach(
            aspect=Aspect.STATUS,
            message=f"status {answer.status} is not documented; documented are {documented}",
            promise=operation.location.child("responses"),
        )
        return
    for header in response.headers:
        yield from _header(validator, header, answer)
    if response.content:
        yield from _content(validator, response, answer)


def _header(validator: Validator, header: Header, answer: Answer) -> Iterator[Breach]:
    value = answer.header(header.name)
    if value is None:
        if header.required:
            yield Breach(
                aspect=Aspect.HEADER,
                message=f"the header {header.name!r} is missing",
                promise=header.location,
            )
        return
    # Content-Type is described by `content` (OAS 3.0.3 §4.7.16), whatever a header of that name says.
    if header.schema is None or header.name.lower() == "content-type":
        return
    # A header's text can stand for a number, a boolean or a list.
    readings = [one for one in (value, json_or_none(value)) if one is not None]
    if not any(validator.is_valid(header.schema, one, Direction.RESPONSE) for one in readings):
        yield Breach(
            aspect=Aspect.HEADER,
            message=f"the header {header.name!r} is {value!r}, which does not fit its schema",
            promise=header.location,
        )


def _content(validator: Validator, response: Response, answer: Answer) -> Iterator[Breach]:
    documented = ", ".join(one.name for one in response.content)
    media_type = _media_type(response.content, answer.media_type)
    if media_type is None:
        given = f"media type {answer.media_type!r}" if answer.media_type else "no Content-Type"
        yield Breach(
            aspect=Aspect.MEDIA_TYPE,
            message=f"{given} instead of {documented}",
            promise=response.location.child("content"),
        )
        return
    if media_type.schema is None or not is_json(answer.media_type):
        return
    promise = media_type.schema.location
    try:
        value = json_value(answer.body)
    except ValueError:
        yield Breach(aspect=Aspect.BODY, message="the body is not JSON", promise=promise)
        return
    for violation in validator.violations(media_type.schema, value, Direction.RESPONSE):
        where = format_pointer(violation.pointer) or "the body"
        yield Breach(aspect=Aspect.BODY, message=f"{where}: {violation.message}", promise=promise)


def _media_type(content: tuple[MediaType, ...], given: str) -> MediaType | None:
    """Return the media type of an answer in the contract: exact, then `type/*`, then `*/*`."""
    names = {essence(one.name): one for one in content}
    for key in (given, given.partition("/")[0] + "/*", "*/*"):
        if given and key in names:
            return names[key]
    return None
