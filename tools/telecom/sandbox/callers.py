"""Who is connected, as the connection tells."""

from starlette.requests import Request

from telecom.sandbox.http_protocol import CERTIFIED_FOR
from telecom.sandbox.keyring import Caller


def caller_of(request: Request) -> Caller:
    """Return the address of who sends a request, and what the certificate shown is good for."""
    shown = request.scope.get("extensions", {}).get(CERTIFIED_FOR)
    return Caller(
        address=request.client.host if request.client is not None else None,
        certified_for=shown["accounts"] if shown is not None else None,
    )
