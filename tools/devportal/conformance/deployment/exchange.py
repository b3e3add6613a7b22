"""A request and its response as values: the evidence that every check and report works on."""

import base64
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import SplitResult, urljoin, urlsplit

from devportal.contract import Encoding
from devportal.contract.media_types import media_type_essence
from devportal.contract.wire_format.strict_json import is_nested_deeper

Headers = tuple[tuple[str, str], ...]
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing (RFC 9110 §9.2.1), without TRACE: where it is allowed, it shows credentials."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormFields:
    """What a body that is not JSON was made of: typed values by field, and how the contract encodes them. `files` names
    the parts of a multipart body that are files. `write` returns the body of other values, None for a URL-encoded form.
    """

    values: Mapping[str, Any]
    encodings: tuple[Encoding, ...] = ()
    files: frozenset[str] = frozenset()
    write: Callable[[Mapping[str, Any]], bytes] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request. `body` is None if it has none; `complete` is False if its record was truncated. `form` holds
    the fields of a body that is a form, multipart or XML: its texts alone do not show their types.
    """

    method: str
    url: str
    headers: Headers = ()
    body: bytes | None = None
    complete: bool = True
    form: FormFields | None = field(default=None, compare=False)

    @property
    def content_type(self) -> str:
        """Return the media type of the body with its parameters, empty if the request has none."""
        return next((value for name, value in self.headers if name.lower() == "content-type"), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpResponse:
    """A response. Records truncate a long body."""

    status: int
    headers: Headers = ()
    body: bytes = b""
    elapsed_s: float = 0.0

    def header(self, name: str) -> str | None:
        """Return the value of a header, in any case, None if it is absent.

        Several lines of one header are one list (RFC 9110 §5.3).
        """
        lines = [value for key, value in self.headers if key.lower() == name.lower()]
        return ", ".join(lines) if lines else None

    @property
    def media_type(self) -> str:
        """The media type without its parameters, in lower case; empty if there is none."""
        return media_type_essence(self.header("content-type") or "")

    @property
    def is_success(self) -> bool:
        """Return whether the status is in the 2xx class."""
        return 200 <= self.status < 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One request and its response, None if none came. `operation` is `METHOD /path/{template}` or empty."""

    request: Request
    answer: HttpResponse | None
    operation: str = ""
    is_valid: bool = field(default=False)
    """Whether the request is valid by the contract, if that is known."""
    unanswered: str = ""
    """Why no response came, if known."""
    sent_at: float = field(default=0.0, compare=False)
    """When the request was sent, in seconds since 1970; 0 if unknown."""

    @property
    def status(self) -> int:
        """The status of the response, 0 if none came."""
        return self.answer.status if self.answer is not None else 0

    @property
    def is_success(self) -> bool:
        """Whether the response is 2xx."""
        return self.answer is not None and self.answer.is_success

    @property
    def outcome(self) -> str:
        """The outcome in words: the status, or that no response came, with the reason."""
        if self.answer is not None:
            return str(self.answer.status)
        return f"no response ({self.unanswered})" if self.unanswered else "no response"


def resolve_address(request: Request, address: str) -> SplitResult | None:
    """Return an address that the response to a request shows, resolved from that of the request (RFC 3986 §5); None if
    it cannot be one, such as `http://[x`.
    """
    with suppress(ValueError):
        return urlsplit(urljoin(request.url, address))
    return None


def content_type_of(headers: Headers) -> str:
    """Return the first Content-Type among headers, empty if there is none."""
    return next((value for name, value in headers if name.lower() == "content-type"), "")


def exchange_digest(exchange: Exchange) -> str:
    """Return a digest that identifies an exchange in its run; the response time is part of it."""
    text = json.dumps(exchange_to_json(exchange), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _refuse_constant(name: str) -> None:
    raise ValueError(f"JSON does not have {name}")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
_MAX_DEPTH = 200
"""The deepest nesting of JSON that is read: checks walk through what they read, and Python allows a thousand calls."""


_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


def parse_json(text: bytes | str) -> Any:
    """Return the value of a JSON text that the other side wrote. Raises ValueError if it is not JSON in UTF-8
    without a byte order mark (RFC 8259 §8.1), has a number that JSON does not have, such as `NaN` (§6), or is
    nested too deeply to be read. Half of a surrogate pair, which JSON may escape and UTF-8 does not have (§8.2), is
    read as U+FFFD: what is read may be sent.
    """
    decoded = text if isinstance(text, str) else text.decode("utf-8")
    if is_nested_deeper(decoded, _MAX_DEPTH):
        raise ValueError(f"nested more than {_MAX_DEPTH} levels deep")
    value = _DECODER.decode(decoded)
    return _without_lone_surrogates(value) if _SURROGATE_ESCAPE.search(decoded) else value


def _without_lone_surrogates(value: Any) -> Any:
    match value:
        case str():
            return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        case list():
            return [_without_lone_surrogates(item) for item in value]
        case dict():
            return {
                _without_lone_surrogates(name): _without_lone_surrogates(member)
                for name, member in value.items()
            }
        case _:
            return value


def parse_json_or_none(text: bytes | str) -> Any:
    """Return the value of a JSON text, None if it is not JSON. Use `parse_json` to tell that from `null`."""
    try:
        return parse_json(text)
    except ValueError:
        return None


def body_to_base64(body: bytes | None) -> dict[str, Any]:
    """Return the member that holds a body, in Base64."""
    return {"body": None if body is None else base64.b64encode(body).decode()}


def body_from_base64(members: Mapping[str, Any]) -> bytes | None:
    """Return the body that `body_to_base64` wrote."""
    return None if members["body"] is None else base64.b64decode(members["body"])


def exchange_to_json(
    exchange: Exchange, *, write_body: Callable[[bytes | None], dict[str, Any]] = body_to_base64
) -> dict[str, Any]:
    """Return an exchange as JSON data; `write_body` returns the members that hold a body."""
    request, response = exchange.request, exchange.answer
    return {
        "operation": exchange.operation,
        "is_valid": exchange.is_valid,
        "sent_at": exchange.sent_at,
        "unanswered": exchange.unanswered,
        "request": {
            "method": request.method,
            "url": request.url,
            "headers": [list(pair) for pair in request.headers],
            **write_body(request.body),
            "complete": request.complete,
        },
        "answer": None
        if response is None
        else {
            "status": response.status,
            "headers": [list(pair) for pair in response.headers],
            **write_body(response.body),
            "elapsed_s": response.elapsed_s,
        },
    }


def exchange_from_json(
    record: Mapping[str, Any], *, read_body: Callable[[Mapping[str, Any]], bytes | None] = body_from_base64
) -> Exchange:
    """Return the exchange that `exchange_to_json` wrote; `read_body` reads the members of `write_body`."""
    request, response = record["request"], record["answer"]
    return Exchange(
        operation=record["operation"],
        is_valid=record["is_valid"],
        sent_at=record["sent_at"],
        unanswered=record["unanswered"],
        request=Request(
            method=request["method"],
            url=request["url"],
            headers=_header_pairs(request["headers"]),
            body=read_body(request),
            complete=request["complete"],
        ),
        answer=None
        if response is None
        else HttpResponse(
            status=response["status"],
            headers=_header_pairs(response["headers"]),
            body=read_body(response) or b"",
            elapsed_s=response["elapsed_s"],
        ),
    )


def _header_pairs(items: list[list[str]]) -> Headers:
    return tuple((str(name), str(value)) for name, value in items)
