"""Runtime expressions: the addresses of callbacks, from values of a request and its response (OAS 3.0.3 §4.7.20.3)."""

import re
from typing import Any

from devportal.contract import ABSENT, Callback
from devportal.documents import value_at
from devportal.mock.http.exchange import MockRequest, MockResponse
from devportal.mock.http.requests import ReadRequest
from devportal.project.site_url import is_web_address


def callback_url(callback: Callback, request: MockRequest, read: ReadRequest, response: MockResponse) -> str:
    """Return the address that a runtime expression leads to (OAS 3.0.3 §4.7.20.3), empty if it leads nowhere."""
    parts: list[str] = []
    position = 0
    for found in re.finditer(r"\{(\$[^{}]+)\}", callback.expression):
        parts.append(callback.expression[position : found.start()])
        value = runtime_value(found[1], request, read, response)
        if value is None:
            return ""
        parts.append(value if isinstance(value, str) else str(value))
        position = found.end()
    url = "".join([*parts, callback.expression[position:]])
    if url.startswith("$"):
        value = runtime_value(url, request, read, response)
        url = value if isinstance(value, str) else ""
    return url if is_web_address(url) else ""


def runtime_value(expression: str, request: MockRequest, read: ReadRequest, response: MockResponse) -> Any:
    """Return the value of a runtime expression, None if there is none (OAS 3.0.3 §4.7.20.3)."""
    source, _, rest = expression.removeprefix("$").partition(".")
    match source:
        case "url":
            return f"{request.base_url}{request.path}"
        case "method":
            return request.method
        case "statusCode":
            return response.status
        case "request" | "response":
            kind, _, pointer = rest.partition("#")
            if kind == "body":
                body = read.body if source == "request" else response.value
                return value_at(body, pointer) if body is not ABSENT else None
            place, _, name = rest.partition(".")
            return _named_value(place, name, request if source == "request" else response, read)
    return None


def _named_value(place: str, name: str, message: MockRequest | MockResponse, read: ReadRequest) -> Any:
    match place:
        case "header":
            return message.header(name)
        case "query":
            value = read.query(name)
        case "path":
            value = read.path(name)
        case _:
            return None
    return None if value is ABSENT else value
