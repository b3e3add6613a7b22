"""Reading a request and holding it against its operation in the contract, cheapest test first."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from starlette.requests import Request

from devportal.contract import Api, In, MediaType, Operation
from devportal.contract.json_schema import Direction
from devportal.contract.validation import Validator
from devportal.documents import Pointer, format_pointer, parse_document
from devportal.errors import UnreadableInput
from telecom.problems import Fault, Kind
from telecom.sandbox.exchange import Refused
from telecom.sandbox.media import acceptable, parse_media
from telecom.sandbox.parameters import ParameterReader

_BOM = b"\xef\xbb\xbf"
_LISTS = frozenset({"if-none-match"})
"""Headers defined as lists: several lines of one are its parts, with commas between them (RFC 9110 §5.3)."""


class RequestReader:
    """Reads requests of at most `max_bytes` and validates them; raises Refused for each that does not fit."""

    def __init__(self, api: Api, *, max_bytes: int) -> None:
        """Take the contract that requests are held against."""
        self._validator = Validator(api)
        self._max_bytes = max_bytes
        self.parameters = ParameterReader(api, self._validator)

    def refuse_unacceptable(self, operation: Operation, request: Request) -> None:
        """Raise Refused (406) where the client accepts none of the operation's success media types."""
        accept = ",".join(request.headers.getlist("accept"))
        names = [media.name for response in operation.successes for media in response.content]
        if accept.strip() and not acceptable(accept, names):
            raise Refused(
                Kind.NOT_ACCEPTABLE, f"Accept is {_quoted(accept)}, and the answer is {' or '.join(names)}."
            )

    def headers(self, operation: Operation, request: Request) -> dict[str, str]:
        """Return the operation's header parameters that were sent; raises Refused (400)."""
        found: dict[str, str] = {}
        for parameter in operation.parameters:
            if parameter.location_in is not In.HEADER:
                continue
            values = request.headers.getlist(parameter.name)
            if len(values) > 1 and parameter.name.lower() in _LISTS:
                values = [", ".join(values)]
            elif len(values) > 1:
                raise Refused(
                    Kind.MALFORMED_REQUEST, f"The header {parameter.name} occurs {len(values)} times."
                )
            if not values:
                if parameter.required:
                    raise Refused(Kind.MALFORMED_REQUEST, f"The header {parameter.name} is required.")
                continue
            if parameter.schema is not None:
                for violation in self._validator.violations(parameter.schema, values[0], Direction.REQUEST):
                    raise Refused(
                        Kind.MALFORMED_REQUEST, f"The header {parameter.name}: {violation.message}."
                    )
            found[parameter.name] = values[0]
        return found

    async def body(self, operation: Operation, request: Request) -> Any:
        """Return the JSON body, None where the operation takes none; raises Refused (400, 413, 415, 422)."""
        if operation.request_body is None:
            await _refuse_body(request)
            return None
        media = _declared_media(operation.request_body.content, request)
        value = _json_value(await self._bytes(request))
        if media.schema is not None:
            faults = tuple(self._faults(media, value))
            if faults:
                count = f"{len(faults)} faults" if len(faults) > 1 else "1 fault"
                raise Refused(Kind.VALIDATION_FAILED, f"The body has {count}; see errors.", faults=faults)
        return value

    def _faults(self, media: MediaType, value: Any) -> Iterator[Fault]:
        if media.schema is None:
            return
        for violation in self._validator.violations(media.schema, value, Direction.REQUEST):
            yield Fault(detail=violation.message, pointer=_fragment(violation.pointer))

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

    def _too_large(self) -> Refused:
        return Refused(
            Kind.CONTENT_TOO_LARGE,
            f"The body has more than {self._max_bytes:,} bytes.",
            headers={"Connection": "close"},
        )


async def _refuse_body(request: Request) -> None:
    """Raise Refused (400) where a request has a body that would be dropped; nothing more of it is read."""
    async for chunk in request.stream():
        if chunk:
            raise Refused(
                Kind.MALFORMED_REQUEST,
                "This operation takes no body; send the request without one.",
                headers={"Connection": "close"},
            )


def _declared_media(offered: tuple[MediaType, ...], request: Request) -> MediaType:
    """Return the operation's media type that the request declares; raises Refused (400, 415)."""
    names = " or ".join(media.name for media in offered)
    lines = request.headers.getlist("content-type")
    if len(lines) > 1:
        raise Refused(Kind.MALFORMED_REQUEST, f"The header Content-Type occurs {len(lines)} times.")
    written = "".join(lines)
    declared = parse_media(written)
    found = next((media for media in offered if declared is not None and media.name == declared.name), None)
    if declared is None or found is None:
        said = f"Content-Type is {_quoted(written)}" if written else "The request has no Content-Type"
        raise Refused(Kind.UNSUPPORTED_MEDIA_TYPE, f"{said}; send {names}.")
    charset = declared.parameters.get("charset", "utf-8").lower()
    if charset not in {"utf-8", "utf8"}:
        raise Refused(Kind.UNSUPPORTED_MEDIA_TYPE, f"The charset is {_quoted(charset)}; send UTF-8.")
    coding = ", ".join(request.headers.getlist("content-encoding")).strip().lower()
    if coding not in {"", "identity"}:
        raise Refused(
            Kind.UNSUPPORTED_MEDIA_TYPE,
            f"Content-Encoding is {_quoted(coding)}; send the body as it is.",
        )
    return found


def _json_value(content: bytes) -> Any:
    """Return the value of JSON text (RFC 8259) in UTF-8; raises Refused (400)."""
    if content.startswith(_BOM):
        raise Refused(Kind.MALFORMED_REQUEST, "The body starts with a byte order mark (RFC 8259 §8.1).")
    if not content.strip():
        raise Refused(Kind.MALFORMED_REQUEST, "The body is empty.")
    try:
        return parse_document(content.decode("utf-8"), name="body.json").data
    except UnicodeDecodeError as error:
        raise Refused(
            Kind.MALFORMED_REQUEST, f"The body is not UTF-8: see the byte at offset {error.start}."
        ) from error
    except UnreadableInput as error:
        place = f"line {error.place.line}, column {error.place.column}" if error.place else "unknown"
        raise Refused(Kind.MALFORMED_REQUEST, f"At {place} of the body: {error.message}.") from error


def _fragment(pointer: Pointer) -> str:
    return "#" + quote(format_pointer(pointer), safe="/~!$&'()*+,;=:@?")


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 100 else text[:99] + "…")
