"""Requests and responses that somebody recorded: HAR 1.2, Postman collections 2.1 and lines of JSON.

What is recorded is untrusted, and may hold secrets: nothing of it is printed, and values are kept only until the
names in them are known.
"""

import base64
import binascii
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from devportal.contract import ABSENT
from devportal.documents import parse_document
from devportal.errors import Place, PortalError, UnreadableInput


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A request, and its response if there is one. Bodies are JSON values, ABSENT if there is none that is JSON.

    `path` is without the query and decoded; names of headers are lower case.
    """

    method: str
    host: str
    path: str
    query: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    query_values: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    body: Any = field(default=ABSENT, repr=False)
    status: str = ""
    response_headers: tuple[str, ...] = ()
    response_body: Any = field(default=ABSENT, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """The exchanges of a file, and how many records could not be read as one."""

    exchanges: tuple[Exchange, ...]
    unreadable: int = 0


def read_recording(text: str, *, name: str) -> Recording:
    """Return the exchanges of a text, whatever of the three formats it is. Raises UnreadableInput for another one."""
    try:
        data = parse_document(text, name=f"{name}#.json", allow_repeated_keys=True).data
    except PortalError:
        return _read_lines(text, name)
    match data:
        case {"log": {"entries": list(entries)}}:
            return _collect(map(_har_exchange, entries))
        case {"info": dict(), "item": list(items)}:
            return _collect(
                _postman_exchange(*postman_request) for postman_request in _postman_requests(items)
            )
        case {"method": _, "url": _}:
            return _collect([_line_exchange(data)])
    raise _unknown_format(name)


def _unknown_format(name: str) -> UnreadableInput:
    return UnreadableInput(
        "this is not a HAR file, a Postman collection or lines of JSON with method and url",
        place=Place(file=name),
        help="export it as HAR 1.2 or collection 2.1, or write a JSON object per request and line",
    )


def _collect(made: Iterable[Exchange | None]) -> Recording:
    every = tuple(made)
    exchanges = tuple(exchange for exchange in every if exchange is not None)
    return Recording(exchanges=exchanges, unreadable=len(every) - len(exchanges))


def _read_lines(text: str, name: str) -> Recording:
    lines = [line for line in text.splitlines() if line.strip()]
    made = [_line_exchange(_parse_json(line)) for line in lines]
    if not any(made):
        raise _unknown_format(name)
    return _collect(made)


def _parse_json(text: Any) -> Any:
    """Return a JSON value, ABSENT for what is none."""
    if not isinstance(text, str) or not text.strip():
        return ABSENT
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return ABSENT


def _har_exchange(entry: Any) -> Exchange | None:
    """Return an entry of HAR 1.2 as an exchange, None if it is none."""
    match entry:
        case {"request": {"method": str(method), "url": str(url)} as request}:
            response = entry.get("response")
            response = response if isinstance(response, dict) else {}
            return _exchange(
                method,
                url,
                headers=_header_names(request.get("headers")),
                body=_request_body(request.get("postData")),
                status=response.get("status"),
                response_headers=_header_names(response.get("headers")),
                response_body=_content(response.get("content")),
            )
    return None


def _request_body(data: Any) -> Any:
    """Return the body of a request of a HAR file: JSON, or the fields of a form."""
    match data:
        case {"params": [*fields]} if fields and not data.get("text"):
            return {
                member["name"]: ""
                for member in fields
                if isinstance(member, dict) and isinstance(member.get("name"), str)
            }
        case {"text": str(text), "mimeType": str(kind)} if "form-urlencoded" in kind:
            return _form_fields(text)
        case {"text": str(text)}:
            return _parse_json(text)
    return ABSENT


def _form_fields(text: str) -> dict[str, str]:
    return dict(_query_pairs(text))


def _content(content: Any) -> Any:
    match content:
        case {"text": str(text), "encoding": "base64"}:
            try:
                return _parse_json(base64.b64decode(text, validate=True).decode())
            except (binascii.Error, ValueError):
                return ABSENT
        case {"text": str(text)}:
            return _parse_json(text)
    return ABSENT


def _header_names(headers: Any) -> tuple[str, ...]:
    """Return the names of headers, of a list of objects or of a mapping. Their values are not looked at."""
    if isinstance(headers, dict):
        return tuple(str(name).lower() for name in headers)
    listed = headers if isinstance(headers, list) else []
    keys = (
        header.get("name", header.get("key"))
        for header in listed
        if isinstance(header, dict) and not header.get("disabled")
    )
    return tuple(key.lower() for key in keys if isinstance(key, str))


_DEEPEST = 100
"""How deep folders of a collection are followed."""


def _postman_requests(items: list[Any], depth: int = 0) -> Iterator[tuple[Any, Any]]:
    """Yield each request of a collection with each of its saved responses, or with none."""
    for item in items:
        match item:
            case {"item": list(below)} if depth < _DEEPEST:
                yield from _postman_requests(below, depth + 1)
            case {"request": request}:
                saved = item.get("response")
                responses = (
                    [item for item in saved if isinstance(item, dict)] if isinstance(saved, list) else []
                )
                yield from ((request, response) for response in responses or [{}])
            case _:
                yield None, {}


def _postman_exchange(request: Any, response: dict[str, Any]) -> Exchange | None:
    """Return a request of a Postman collection 2.1 as an exchange, None if it is none."""
    match request:
        case str(url):
            method, address, body, headers = "GET", url, None, None
        case {"url": str(url)} | {"url": {"raw": str(url)}}:
            method, address = str(request.get("method", "GET")), url
            body, headers = request.get("body"), request.get("header")
        case _:
            return None
    return _exchange(
        method,
        address,
        headers=_header_names(headers),
        body=_postman_body(body),
        status=response.get("code"),
        response_headers=_header_names(response.get("header")),
        response_body=_parse_json(response.get("body")),
    )


def _postman_body(body: Any) -> Any:
    match body:
        case {"mode": "raw", "raw": str(text)}:
            return _parse_json(text)
        case {"mode": ("urlencoded" | "formdata") as mode}:
            fields = body.get(mode)
            names = (
                [item.get("key") for item in fields if isinstance(item, dict)]
                if isinstance(fields, list)
                else []
            )
            return {name: "" for name in names if isinstance(name, str)}
    return ABSENT


def _line_exchange(data: Any) -> Exchange | None:
    """Return a line such as `{"method", "url", "headers", "body", "response": {"status", "headers", "body"}}`."""
    match data:
        case {"method": str(method), "url": str(url)}:
            response = data.get("response")
            response = response if isinstance(response, dict) else {}
            return _exchange(
                method,
                url,
                headers=_header_names(data.get("headers")),
                body=_line_body(data.get("body", ABSENT)),
                status=response.get("status", data.get("status")),
                response_headers=_header_names(response.get("headers")),
                response_body=_line_body(response.get("body", ABSENT)),
            )
    return None


def _line_body(body: Any) -> Any:
    """Return a body that is written as a JSON value, or as the text of one."""
    return _parse_json(body) if isinstance(body, str) else ABSENT if body is None else body


def _exchange(
    method: str,
    url: str,
    *,
    headers: tuple[str, ...],
    body: Any,
    status: Any,
    response_headers: tuple[str, ...],
    response_body: Any,
) -> Exchange | None:
    address = url if "://" in url or url.startswith("/") else f"//{url}"
    try:
        parts = urlsplit(address)
        host = (parts.netloc.rpartition("@")[2]).lower()
    except ValueError:
        return None
    pairs = _query_pairs(parts.query)
    return Exchange(
        method=method.upper(),
        host=host,
        path=unquote(parts.path) or "/",
        query=tuple(dict.fromkeys(name for name, _ in pairs)),
        query_values=pairs,
        headers=headers,
        body=body,
        status=str(status) if isinstance(status, int | str) and str(status).isdigit() else "",
        response_headers=response_headers,
        response_body=response_body,
    )


def _query_pairs(query: str) -> tuple[tuple[str, str], ...]:
    try:
        return tuple(parse_qsl(query, keep_blank_values=True, max_num_fields=1000))
    except ValueError:
        return ()
