"""Forms that pages of the sandbox send: whose page it was, and what is in them."""

from collections.abc import Mapping
from urllib.parse import parse_qs

from starlette.requests import Request

_MOST_BYTES = 4_096


def is_own(request: Request) -> bool:
    """Say whether a request comes from a page of ours, or from a program that is no browser.

    Browsers tell in `Sec-Fetch-Site` (Fetch Metadata §2.4), older ones in `Origin` only (RFC 6454 §7).
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site in {"same-origin", "none"}
    origin = request.headers.get("origin")
    return origin is None or origin.partition("://")[2] == request.headers.get("host")


async def read_form(request: Request) -> Mapping[str, str] | None:
    """Return the fields of a form, None where the body is none or too long."""
    if (
        request.headers.get("content-type", "").partition(";")[0].strip()
        != "application/x-www-form-urlencoded"
    ):
        return None
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > _MOST_BYTES:
            return None
    try:
        fields = parse_qs(content.decode("ascii"), errors="strict", max_num_fields=10)
    except ValueError:
        return None
    return {name: values[0] for name, values in fields.items()}
