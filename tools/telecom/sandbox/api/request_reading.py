"""Parses and validates requests by the contract: parameters, media types, bodies."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from starlette.requests import Request

from devportal.contract import Api, MediaType, Operation, Parameter, ParameterLocation, Schema
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import Validator
from devportal.documents import Pointer, format_pointer, parse_document
from devportal.errors import UnreadableInput
from devportal.suggestions import suggest_name
from telecom.problems import ErrorDetail, ProblemKind
from telecom.sandbox.api.exchange import RequestRefused

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_ESCAPED = re.compile(r"\\(.)")
_PARAMETER = re.compile(rf'[ \t]*;[ \t]*(?:({_TOKEN})=({_TOKEN}|"(?:[^"\\]|\\.)*"))?')
_TYPE = re.compile(rf"[ \t]*({_TOKEN}/{_TOKEN})")
_QUALITY = re.compile(r"(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaRange:
    """A media type or range, in lower case, with its parameters."""

    name: str
    parameters: Mapping[str, str] = field(default_factory=dict)


def parse_media_range(text: str) -> MediaRange | None:
    """Return the media type of a `Content-Type` header, None if it is malformed."""
    head = _TYPE.match(text)
    if head is None:
        return None
    parameters: dict[str, str] = {}
    position = head.end()
    while position < len(text.rstrip(" \t")):
        match = _PARAMETER.match(text, position)
        if match is None:
            return None
        position = match.end()
        if match.group(1):
            parameters[match.group(1).lower()] = _unquote(match.group(2))
    return MediaRange(name=head.group(1).lower(), parameters=parameters)


def accepts(header: str, name: str) -> bool:
    """Return whether an `Accept` header allows a media type; malformed ranges are skipped.

    The most specific range that matches decides; a header without any readable range excludes nothing.
    """
    ranges = list(_ranges(header))
    if not ranges:
        return True
    kind = name.partition("/")[0]
    for candidate in (name, f"{kind}/*", "*/*"):
        qualities = [quality for range_name, quality in ranges if range_name == candidate]
        if qualities:
            return max(qualities) > 0
    return False


def accepts_any(header: str, names: Sequence[str]) -> bool:
    """Return whether an `Accept` header allows one of several media types, or there is none to allow."""
    return not names or any(accepts(header, name) for name in names)


def _ranges(header: str) -> Iterator[tuple[str, float]]:
    for part in header.split(","):
        media = parse_media_range(part)
        if media is None:
            continue
        quality = media.parameters.get("q", "1")
        yield media.name, float(quality) if _QUALITY.fullmatch(quality) else 0.0


def _unquote(value: str) -> str:
    return _ESCAPED.sub(r"\1", value[1:-1]) if value.startswith('"') else value


_BOOLEANS = {"true": True, "false": False}


class ParameterReader:
    """Reads parameters; raises RequestRefused for each that is not valid."""

    def __init__(self, api: Api, validator: Validator) -> None:
        """Take the contract and the validator of its schemas."""
        self._api = api
        self._validator = validator

    def path(self, operation: Operation, values: Mapping[str, str]) -> dict[str, str]:
        """Return the path parameters; raises RequestRefused (404) if one is not a valid identifier."""
        for parameter in operation.parameters:
            if parameter.location_in is not ParameterLocation.PATH or parameter.schema is None:
                continue
            value = values[parameter.name]
            if not self._validator.is_valid(parameter.schema, value, Direction.REQUEST):
                raise RequestRefused(ProblemKind.NOT_FOUND, f"There is no {parameter.name} {value[:80]!r}.")
        return dict(values)

    def query(self, operation: Operation, pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
        """Return the query parameters that were sent, each as the type of its schema.

        Raises RequestRefused (400) for one that is unknown, occurs twice without being a list, or is not
        valid: a misspelt filter must not return everything.
        """
        declared = {
            parameter.name: parameter
            for parameter in operation.parameters
            if parameter.location_in is ParameterLocation.QUERY
        }
        texts: dict[str, list[str]] = {}
        for name, value in pairs:
            if name not in declared:
                raise _unknown_parameter(name, tuple(declared))
            texts.setdefault(name, []).append(value)
        for name, parameter in declared.items():
            if parameter.required and name not in texts:
                raise RequestRefused(
                    ProblemKind.INVALID_PARAMETER, f"The query parameter {name!r} is required."
                )
        return {name: self._value(declared[name], values) for name, values in texts.items()}

    def _value(self, parameter: Parameter, values: list[str]) -> Any:
        if parameter.schema is None:
            return values[0]
        schema = self._api.resolve(parameter.schema)
        value: Any
        if "array" in schema.types:
            value = [_parse_value(text, self._types(schema.items)) for text in values]
        elif len(values) > 1:
            raise RequestRefused(
                ProblemKind.INVALID_PARAMETER,
                f"The query parameter {parameter.name!r} occurs {len(values)} times.",
            )
        else:
            value = _parse_value(values[0], schema.types)
        for violation in self._validator.violations(schema, value, Direction.REQUEST):
            raise RequestRefused(
                ProblemKind.INVALID_PARAMETER, f"The query parameter {parameter.name!r}: {violation.message}."
            )
        return value

    def _types(self, schema: Schema | None) -> tuple[str, ...]:
        return self._api.resolve(schema).types if schema is not None else ()


def _parse_value(text: str, types: Sequence[str]) -> Any:
    """Return the value that a text stands for; the text itself if it is no such value, to be refused."""
    if "boolean" in types:
        return _BOOLEANS.get(text, text)
    if "integer" in types and text.removeprefix("-").isdecimal() and text.isascii() and len(text) <= 18:
        return int(text)
    return text


def _unknown_parameter(name: str, declared: tuple[str, ...]) -> RequestRefused:
    choices = f"there are {', '.join(sorted(declared))}." if declared else "this operation has none."
    advice = suggest_name(name, declared, choices)
    return RequestRefused(
        ProblemKind.INVALID_PARAMETER, f"There is no query parameter {name[:80]!r}: {advice}"
    )


_BOM = b"\xef\xbb\xbf"
_MAX_EXACT_INTEGER = 2**53 - 1
"""Up to here, each integer is one number of JSON and none other (RFC 8259 §6)."""
_LIST_HEADERS = frozenset({"if-none-match"})
"""Headers defined as lists: several lines of one are joined with commas (RFC 9110 §5.3)."""


class RequestReader:
    """Reads requests of at most `max_bytes` and validates them; raises RequestRefused for each that is not
    valid."""

    def __init__(self, api: Api, *, max_bytes: int) -> None:
        """Take the contract that requests are validated against."""
        self._validator = Validator(api)
        self._max_bytes = max_bytes
        self.parameters = ParameterReader(api, self._validator)

    def refuse_unacceptable(self, operation: Operation, request: Request) -> None:
        """Raise RequestRefused (406) if the client accepts none of the operation's success media types."""
        accept = ",".join(request.headers.getlist("accept"))
        names = [media.name for response in operation.successes for media in response.content]
        if accept.strip() and not accepts_any(accept, names):
            raise RequestRefused(
                ProblemKind.NOT_ACCEPTABLE,
                f"Accept is {_quote_text(accept)}, and the response is {' or '.join(names)}.",
            )

    def headers(self, operation: Operation, request: Request) -> dict[str, str]:
        """Return the operation's header parameters that were sent; raises RequestRefused (400)."""
        sent: dict[str, str] = {}
        for parameter in operation.parameters:
            if parameter.location_in is not ParameterLocation.HEADER:
                continue
            values = request.headers.getlist(parameter.name)
            if len(values) > 1 and parameter.name.lower() in _LIST_HEADERS:
                values = [", ".join(values)]
            elif len(values) > 1:
                raise RequestRefused(
                    ProblemKind.MALFORMED_REQUEST, f"The header {parameter.name} occurs {len(values)} times."
                )
            if not values:
                if parameter.required:
                    raise RequestRefused(
                        ProblemKind.MALFORMED_REQUEST, f"The header {parameter.name} is required."
                    )
                continue
            if parameter.schema is not None:
                for violation in self._validator.violations(parameter.schema, values[0], Direction.REQUEST):
                    raise RequestRefused(
                        ProblemKind.MALFORMED_REQUEST, f"The header {parameter.name}: {violation.message}."
                    )
            sent[parameter.name] = values[0]
        return sent

    async def body(self, operation: Operation, request: Request) -> Any:
        """Return the JSON body, None if the operation takes none; raises RequestRefused (400, 413, 415, 422)."""
        if operation.request_body is None:
            await _refuse_body(request)
            return None
        media = _declared_media(operation.request_body.content, request)
        value = _json_value(await self._bytes(request))
        if media.schema is not None:
            errors = tuple(self._errors(media, value))
            if errors:
                count = f"{len(errors)} problems" if len(errors) > 1 else "1 problem"
                raise RequestRefused(
                    ProblemKind.VALIDATION_FAILED, f"The body has {count}; see errors.", errors=errors
                )
        return _with_whole_numbers(value)

    def _errors(self, media: MediaType, value: Any) -> Iterator[ErrorDetail]:
        if media.schema is None:
            return
        for violation in self._validator.violations(media.schema, value, Direction.REQUEST):
            yield ErrorDetail(detail=violation.message, pointer=_pointer_fragment(violation.pointer))

    async def _bytes(self, request: Request) -> bytes:
        declared = request.headers.get("content-length", "")
        if declared.isdigit() and int(declared) > self._max_bytes:
            raise self._too_large()
        content = bytearray()
        async for chunk in request.stream():
            content += chunk
            if len(content) > self._max_bytes:
                raise self._too_large()
        return bytes(content)

    def _too_large(self) -> RequestRefused:
        return RequestRefused(
            ProblemKind.CONTENT_TOO_LARGE,
            f"The body has more than {self._max_bytes:,} bytes.",
            headers={"Connection": "close"},
        )


async def _refuse_body(request: Request) -> None:
    """Raise RequestRefused (400) if a request has a body that would be dropped; nothing more of it is read."""
    async for chunk in request.stream():
        if chunk:
            raise RequestRefused(
                ProblemKind.MALFORMED_REQUEST,
                "This operation takes no body; send the request without one.",
                headers={"Connection": "close"},
            )


def _declared_media(media_types: tuple[MediaType, ...], request: Request) -> MediaType:
    """Return the operation's media type that the request declares; raises RequestRefused (400, 415)."""
    names = " or ".join(media.name for media in media_types)
    content_types = request.headers.getlist("content-type")
    if len(content_types) > 1:
        raise RequestRefused(
            ProblemKind.MALFORMED_REQUEST, f"The header Content-Type occurs {len(content_types)} times."
        )
    content_type = "".join(content_types)
    declared = parse_media_range(content_type)
    accepted = next(
        (media for media in media_types if declared is not None and media.name == declared.name), None
    )
    if declared is None or accepted is None:
        problem = (
            f"Content-Type is {_quote_text(content_type)}"
            if content_type
            else "The request has no Content-Type"
        )
        raise RequestRefused(ProblemKind.UNSUPPORTED_MEDIA_TYPE, f"{problem}; send {names}.")
    charset = declared.parameters.get("charset", "utf-8").lower()
    if charset not in {"utf-8", "utf8"}:
        raise RequestRefused(
            ProblemKind.UNSUPPORTED_MEDIA_TYPE, f"The charset is {_quote_text(charset)}; send UTF-8."
        )
    coding = ", ".join(request.headers.getlist("content-encoding")).strip().lower()
    if coding not in {"", "identity"}:
        raise RequestRefused(
            ProblemKind.UNSUPPORTED_MEDIA_TYPE,
            f"Content-Encoding is {_quote_text(coding)}; send the body as it is.",
        )
    return accepted


def _json_value(content: bytes) -> Any:
    """Return the value of JSON text (RFC 8259) in UTF-8; raises RequestRefused (400)."""
    if content.startswith(_BOM):
        raise RequestRefused(
            ProblemKind.MALFORMED_REQUEST, "The body starts with a byte order mark (RFC 8259 §8.1)."
        )
    if not content.strip():
        raise RequestRefused(ProblemKind.MALFORMED_REQUEST, "The body is empty.")
    try:
        return parse_document(content.decode("utf-8"), name="body.json").data
    except UnicodeDecodeError as error:
        raise RequestRefused(
            ProblemKind.MALFORMED_REQUEST, f"The body is not UTF-8: see the byte at offset {error.start}."
        ) from error
    except UnreadableInput as error:
        position = f"line {error.place.line}, column {error.place.column}" if error.place else "unknown"
        raise RequestRefused(
            ProblemKind.MALFORMED_REQUEST, f"At {position} of the body: {error.message}."
        ) from error


def _with_whole_numbers(value: Any) -> Any:
    """Return a JSON value with numbers such as `1.0` as integers: the same number, which clients that read
    integers accept, and the same request for an idempotency key."""
    match value:
        case dict():
            return {name: _with_whole_numbers(member) for name, member in value.items()}
        case list():
            return [_with_whole_numbers(item) for item in value]
        case float() if value.is_integer() and abs(value) <= _MAX_EXACT_INTEGER:
            return int(value)
        case _:
            return value


def _pointer_fragment(pointer: Pointer) -> str:
    return "#" + quote(format_pointer(pointer), safe="/~!$&'()*+,;=:@?")


def _quote_text(text: str) -> str:
    return repr(text if len(text) <= 100 else text[:99] + "…")
