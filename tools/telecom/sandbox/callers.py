"""Who sends a request: its address, and what the certificate of the connection is good for."""

from starlette.requests import Request

from telecom.sandbox.client_address import client_address
from telecom.sandbox.http_protocol import CERTIFIED_FOR
from telecom.sandbox.keyring import Caller


def caller_of(request: Request) -> Caller:
    """Return the address of who sends a request, and what the certificate shown is good for."""
    shown = request.scope.get("extensions", {}).get(CERTIFIED_FOR)
    return Caller(
        address=client_address(request).address,
        certified_for=shown["accounts"] if shown is not None else None,
    )
