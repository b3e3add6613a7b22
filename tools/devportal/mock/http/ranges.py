"""Parts of files that clients ask for with `Range` (RFC 9110 §14), if the contract documents 206."""

import re
from dataclasses import replace

from devportal.conformance.knowledge.response_check import documents_exact_status
from devportal.contract import Operation
from devportal.contract.media_types import is_json
from devportal.mock.http.exchange import MockRequest, MockResponse, Refused

_BYTES = re.compile(r"bytes=(?:(?P<first>\d{1,18})-(?P<last>\d{0,18})|-(?P<suffix>\d{1,18}))")
"""One range of bytes. All others may be ignored, such as several ranges (RFC 9110 §14.2)."""


def requested_part(operation: Operation, request: MockRequest, response: MockResponse) -> MockResponse:
    """Return the part of the body of a 200 that a request asks for, all of it if it asks for none. Raises Refused (416)
    for a part that begins after the end.
    """
    is_file = not is_json(response.header("content-type") or "")
    is_whole = request.method == "GET" and response.status == 200
    if not (is_file and is_whole and documents_exact_status(operation, 206)):
        return response
    response = response.with_header("Accept-Ranges", "bytes")
    asked = _BYTES.fullmatch((request.header("range") or "").strip())
    condition = request.header("if-range")
    if asked is None or (condition is not None and condition != response.header("etag")):
        return response
    size = len(response.body)
    suffix, last_text = asked["suffix"], asked["last"]
    first = max(0, size - int(suffix)) if suffix else int(asked["first"])
    last = min(int(last_text), size - 1) if last_text else size - 1
    if last_text and int(last_text) < first:
        return response  # a range that is not valid is ignored (RFC 9110 §14.1.1)
    if first >= size:
        detail = f"The range begins after the end: there are {size} bytes."
        raise Refused(416, detail=detail, headers=(("Content-Range", f"bytes */{size}"),))
    part = replace(response, status=206, body=response.body[first : last + 1])
    return part.with_header("Content-Range", f"bytes {first}-{last}/{size}")
