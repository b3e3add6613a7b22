"""Answers that anybody may keep, and ask again whether they still hold (RFC 9110 §13.1.2, RFC 9111 §5.2.2.4).

They are to be asked about each time: a price that was withdrawn must not live on in a cache.
"""

import hashlib
import json
import re
from typing import Any

from telecom.sandbox.api.exchange import OperationRequest, SuccessResponse

IF_NONE_MATCH = "If-None-Match"
_TAG = re.compile(r'"[^"]*"')
_ANY = "*"
"""Stands for the tag of whatever answer there is."""


def conditional_response(call: OperationRequest, body: Any) -> SuccessResponse:
    """Return the body with its entity tag, or 304 without it where the call names that tag."""
    content = json.dumps(body, sort_keys=True, separators=(",", ":"))
    tag = f'"{hashlib.sha256(content.encode()).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "public, no-cache"}
    asked = call.headers.get(IF_NONE_MATCH, "")
    if asked.strip() == _ANY or tag in _TAG.findall(asked):
        return SuccessResponse(status=304, headers=headers)
    return SuccessResponse(status=200, body=body, headers=headers)
