"""Writes the smallest message around a part that has changed: a request, a response or an event."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from devportal.contract import (
    ABSENT,
    MediaType,
    Operation,
    Parameter,
    ParameterLocation,
    RequestBody,
    Response,
)
from devportal.contract.wire_format.serialisation import (
    encode_cookie_value,
    encoded_query,
    query_pairs,
    serialise_header,
    serialise_path_parameter,
)
from devportal.differ.contract_sources import schemas_of
from devportal.differ.match.media_types import parse_media_name
from devportal.differ.match.parameters import all_parameters, is_sendable, schema_of
from devportal.differ.match.statuses import DEFAULT
from devportal.differ.message_part import MessagePart
from devportal.differ.rule import Direction
from devportal.differ.schemas.position import WHOLE_TEXT, Position, Schemas, Side
from devportal.differ.witness import Witness
from devportal.differ.witnesses.sampling import Sampler
from devportal.differ.witnesses.validation import TRAVELS, MessageValidators, allowing_side


class UnwritableMessageError(Exception):
    """No valid message can be written around a part. It ends a search; nobody sees it."""


@dataclass(slots=True, kw_only=True)
class Message:
    """A message as it is put together: the values of the parts that differ from what is usual.

    A value of ABSENT leaves a part out. `media` is the media type of the body as it is sent.
    """

    parameters: dict[tuple[ParameterLocation, str], Any] = field(default_factory=dict)
    headers: dict[str, Any] = field(default_factory=dict)
    body: Any = None
    has_own_body: bool = False
    media: str = ""
    status: str = ""
    accept: str = ""
    query: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageWriter:
    """Writes messages with everything that both contracts require, and as little else as possible."""

    samplers: dict[Direction, Sampler]
    validators: MessageValidators

    def write(
        self, part: MessagePart, subject: str, message: Message, *, refusal: str, pointer: str = ""
    ) -> Witness:
        """Return a message as a witness. Raises UnwritableMessageError if one of its parts cannot be sampled."""
        if part.responses is not None or message.status:
            return self._response(part, message, refusal=refusal, pointer=pointer)
        return self._request(part, subject, message, refusal=refusal, pointer=pointer)

    def _request(
        self, part: MessagePart, subject: str, message: Message, *, refusal: str, pointer: str
    ) -> Witness:
        side = allowing_side(part.sends)
        operation = part.old if side is Side.OLD else part.new
        values = {
            (parameter.location_in, parameter.name): (parameter, value)
            for parameter in all_parameters(operation)
            if (value := self._parameter_value(part, parameter, side, message)) is not ABSENT
        }
        body, media = self._request_body(part, side, message)
        line = f"{operation.method} {_target(operation, values.values(), message.query)}"
        return Witness(
            direction=part.sends,
            start_line=(part.new_event or subject) if part.is_event else line,
            headers=tuple(_request_headers(values.values(), message.accept)),
            media_type=media,
            body=body,
            refusal=refusal,
            pointer=pointer,
        )

    def _parameter_value(self, part: MessagePart, parameter: Parameter, side: Side, message: Message) -> Any:
        key = parameter.location_in, parameter.name
        if key in message.parameters:
            return message.parameters[key]
        if not parameter.required:
            return ABSENT
        operation = part.new if side is Side.OLD else part.old
        other = next((its for its in all_parameters(operation) if (its.location_in, its.name) == key), None)
        return self._sample(
            part.sends,
            side,
            schemas_of(schema_of(parameter)),
            schemas_of(schema_of(other)),
            text_depth=WHOLE_TEXT,
            is_usable=partial(is_sendable, parameter),
        )

    def _request_body(self, part: MessagePart, side: Side, message: Message) -> tuple[Any, str]:
        if message.has_own_body:
            return message.body, message.media
        bodies = part.old.request_body, part.new.request_body
        own, other = bodies if side is Side.OLD else bodies[::-1]
        if own is None or not own.required or not own.content:
            return ABSENT, ""
        media = _media_named(own.content, message.media) or own.content[0]
        return self.body_of(part.sends, side, media, _same_media(media, other)), concrete_media_type(
            media.name
        )

    def _response(self, part: MessagePart, message: Message, *, refusal: str, pointer: str) -> Witness:
        direction = part.sends.opposite
        side = allowing_side(direction)
        own, other = self._responses(part, side, message)
        body, media = message.body, message.media
        if not message.has_own_body:
            body, media = ABSENT, ""
            if own is not None and own.content:
                first = own.content[0]
                body = self.body_of(direction, side, first, _same_media(first, other))
                media = concrete_media_type(first.name)
        return Witness(
            direction=direction,
            start_line=status_line(message.status or _status_of(part)),
            headers=tuple(self._response_headers(direction, side, own, other, message)),
            media_type=media,
            body=body,
            refusal=refusal,
            pointer=pointer,
        )

    def _responses(
        self, part: MessagePart, side: Side, message: Message
    ) -> tuple[Response | None, Response | None]:
        if part.responses is not None:
            old, new = part.responses
            return (old, new) if side is Side.OLD else (new, old)
        operation = part.old if side is Side.OLD else part.new
        return next(
            (response for response in operation.responses if response.status == message.status), None
        ), None

    def _response_headers(
        self,
        direction: Direction,
        side: Side,
        own: Response | None,
        other: Response | None,
        message: Message,
    ) -> Iterator[tuple[str, str]]:
        counterparts = {
            header.name.lower(): header for header in (other.headers if other is not None else ())
        }
        for header in own.headers if own is not None else ():
            value = message.headers.get(header.name.lower())
            if value is None and header.required and header.name.lower() != "content-type":
                twin = counterparts.get(header.name.lower())
                value = self._sample(
                    direction,
                    side,
                    schemas_of(schema_of(header)),
                    schemas_of(schema_of(twin)),
                    text_depth=WHOLE_TEXT,
                )
            if value is not None and value is not ABSENT:
                yield header.name, serialise_header(header, value)

    def body_of(self, direction: Direction, side: Side, media: MediaType, other: MediaType | None) -> Any:
        """Return the smallest body in a media type, one that both contracts allow if there is one."""
        name = parse_media_name(media.name)
        return self._sample(
            direction,
            side,
            schemas_of(media.schema),
            schemas_of(other.schema) if other is not None else (),
            text_depth=Position(
                direction, is_text=name.is_text, is_form=name.is_form, is_plain=name.is_plain
            ).text_depth,
        )

    def sample_parameter(self, direction: Direction, side: Side, parameter: Parameter) -> Any:
        """Return a small value of a parameter that one contract allows."""
        return self._sample(
            direction,
            side,
            schemas_of(schema_of(parameter)),
            (),
            text_depth=WHOLE_TEXT,
            is_usable=partial(is_sendable, parameter),
        )

    def _sample(
        self,
        direction: Direction,
        side: Side,
        own: Schemas,
        other: Schemas,
        *,
        text_depth: int,
        is_usable: Callable[[Any], bool] = lambda _: True,
    ) -> Any:
        """Return a small value that its contract allows; if possible, one that both contracts allow."""
        sampler, travel = self.samplers[direction], TRAVELS[direction]
        values = [value for value in sampler.bases(side, own) if value is not ABSENT]
        values += [value for value in sampler.bases(side.opposite, other) if value is not ABSENT]
        allowed = [
            value
            for value in values
            if is_usable(value) and self.validators.allows(side, own, value, travel, text_depth=text_depth)
        ]
        shared = (
            value
            for value in allowed
            if self.validators.allows(side.opposite, other, value, travel, text_depth=text_depth)
        )
        value = next(shared, allowed[0] if allowed else ABSENT)
        if value is ABSENT:
            raise UnwritableMessageError
        return value


def _media_named(content: tuple[MediaType, ...], name: str) -> MediaType | None:
    return next((media_type for media_type in content if media_type.name == name), None)


def _same_media(media: MediaType, other: RequestBody | Response | None) -> MediaType | None:
    name = parse_media_name(media.name)
    content = other.content if other is not None else ()
    return next((media_type for media_type in content if parse_media_name(media_type.name) == name), None)


def _target(operation: Operation, values: Any, query: str) -> str:
    """Return the target of a request: its path with the values of parameters, and its query."""
    path, pairs = operation.path, []
    for parameter, value in values:
        if parameter.location_in is ParameterLocation.PATH:
            path = path.replace(f"{{{parameter.name}}}", serialise_path_parameter(parameter, value))
        elif parameter.location_in is ParameterLocation.QUERY:
            pairs.append(encoded_query(parameter, value) or _encoded_pairs(query_pairs(parameter, value)))
    query = "&".join(filter(None, (*pairs, query)))
    return f"{path}?{query}" if query else path


def _encoded_pairs(pairs: tuple[tuple[str, str], ...]) -> str:
    return "&".join(f"{quote(name, safe='[]')}={quote(text, safe=':@,/')}" for name, text in pairs)


def _request_headers(values: Any, accept: str) -> Iterator[tuple[str, str]]:
    if accept:
        yield "Accept", accept
    cookies = []
    for parameter, value in values:
        if parameter.location_in is ParameterLocation.HEADER:
            yield parameter.name, serialise_header(parameter, value)
        elif parameter.location_in is ParameterLocation.COOKIE:
            cookies += [f"{name}={encode_cookie_value(text)}" for name, text in query_pairs(parameter, value)]
    if cookies:
        yield "Cookie", "; ".join(cookies)


def concrete_media_type(name: str) -> str:
    """Return a media type, one of its range if it is a range."""
    parsed = parse_media_name(name)
    if not parsed.is_range:
        return name
    kind = parsed.kind.partition("/")[0]
    return _OF_RANGES.get(kind, f"{kind}/x-unknown")


_OF_RANGES = {
    "*": "application/json",
    "text": "text/plain",
    "image": "image/png",
    "application": "application/json",
}


def _status_of(part: MessagePart) -> str:
    """Return the status of the responses of a part: a listed one, if one contract has a range, and that of the
    contract that allows the response, if a status replaces another one.
    """
    responses = part.responses or ()
    is_new_first = part.direction is Direction.TO_CONSUMER
    statuses = [response.status for response in (reversed(responses) if is_new_first else responses)]
    return next((status for status in statuses if status.isdecimal()), statuses[0] if statuses else "200")


def status_line(status: str) -> str:
    """Return the status line of a response, such as `200 OK`; of a range, that of its first status."""
    if status.upper() == DEFAULT:
        status = "500"
    code = int(status) if status.isdecimal() else int(f"{status[:1]}00")
    try:
        return f"{code} {HTTPStatus(code).phrase}"
    except ValueError:
        return str(code)
