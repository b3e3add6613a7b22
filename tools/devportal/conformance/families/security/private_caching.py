"""Responses to requests with a credential are not stored by shared caches."""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import parse_qsl, urlsplit

from devportal.conformance.deployment.credentials import Carrier, CredentialSlot, credential_slots, is_secured
from devportal.conformance.deployment.exchange import Exchange, HttpResponse, Request
from devportal.conformance.family import CheckDescription, CheckFailure, Family
from devportal.conformance.knowledge.response_check import documented_response
from devportal.conformance.knowledge.subject import Subject

CACHEABLE_METHODS = ("GET", "HEAD")
PRIVATE_DIRECTIVES = ("private", "no-store", "no-cache")
"""Directives that keep a shared cache from reusing a response by itself (RFC 9111 §5.2.2)."""
SHARED_DIRECTIVES = ("public", "s-maxage", "must-revalidate")
"""Directives that let shared caches store responses to requests with Authorization (RFC 9111 §3.5)."""
SHARED_KEY_DIRECTIVES = ("public", "s-maxage")
"""Those that do so explicitly: how a cache treats keys in other places is less certain."""
_DIRECTIVE = re.compile(r'([!#$%&\'*+.^_`|~0-9A-Za-z-]+)(?:\s*=\s*("(?:[^"\\]|\\.)*"|[^\s,;]*))?')


def find_failures(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[CheckFailure]:
    """Yield a failure for each response to a request with a credential that a shared cache may reuse for
    others.
    """
    for exchange in exchanges:
        operation, response = subject.operation(exchange.operation), exchange.answer
        used = _used_slots(subject, exchange)
        if operation is not None and response is not None and used and _is_shared_cacheable(response, used):
            documented = documented_response(operation, response.status)
            yield CheckFailure(
                title="a shared cache may store a response that requires a credential",
                message=f"Cache-Control is {_header(response, 'cache-control')!r}, and nothing keeps a shared "
                "cache from serving the response to somebody without the credential (RFC 9111 §3.5)",
                operation=exchange.operation,
                promise=documented.location if documented is not None else operation.location,
                evidence=(exchange,),
            )


def is_protected(subject: Subject, exchange: Exchange) -> bool:
    """Return whether a response is one to a reading request with a credential."""
    return bool(_used_slots(subject, exchange))


def _used_slots(subject: Subject, exchange: Exchange) -> list[CredentialSlot]:
    """Return where a successful reading request carries the credential that its operation requires."""
    operation, response = subject.operation(exchange.operation), exchange.answer
    if operation is None or response is None or not response.is_success:
        return []
    if not {operation.method, exchange.request.method} <= {*CACHEABLE_METHODS}:
        return []
    if exchange.operation in subject.shared or not is_secured(operation):
        return []
    slots = credential_slots(subject.api, operation) or ()
    return [slot for slot in slots if _carries_credential(exchange.request, slot)]


def parse_cache_control(text: str) -> Mapping[str, str]:
    """Return the directives of a Cache-Control header with their values, names in lower case."""
    return {name.lower(): value.strip('"') for name, value in _DIRECTIVE.findall(text)}


def _is_shared_cacheable(response: HttpResponse, used: list[CredentialSlot]) -> bool:
    directives = parse_cache_control(_header(response, "cache-control"))
    by_header = any(slot.name == "Authorization" for slot in used)
    if any(
        private_directive in directives for private_directive in PRIVATE_DIRECTIVES
    ) or _varies_by_credential(response, used):
        return False
    if not any(
        directive in directives for directive in (SHARED_DIRECTIVES if by_header else SHARED_KEY_DIRECTIVES)
    ):
        return False
    lifetime = directives.get("s-maxage") or directives.get("max-age")
    if lifetime is not None:
        return lifetime.isascii() and lifetime.isdigit() and int(lifetime) > 0
    # Without a lifetime a cache may estimate one, for `public` alone (RFC 9111 §4.2.2).
    return by_header and "public" in directives and response.header("expires") is None


def _varies_by_credential(response: HttpResponse, used: list[CredentialSlot]) -> bool:
    """Return whether a cache has to distinguish credentials (RFC 9111 §4.1)."""
    named = {part.strip().lower() for part in _header(response, "vary").split(",")}
    places = {"cookie" if slot.carrier is Carrier.COOKIE else slot.name.lower() for slot in used}
    return "*" in named or bool(places & named)


def _carries_credential(request: Request, slot: CredentialSlot) -> bool:
    match slot.carrier:
        case Carrier.QUERY:
            return slot.name in dict(parse_qsl(urlsplit(request.url).query))
        case Carrier.COOKIE:
            cookies = [value for name, value in request.headers if name.lower() == "cookie"]
            return any(
                part.strip().startswith(f"{slot.name}=") for text in cookies for part in text.split(";")
            )
        case _:
            return any(name.lower() == slot.name.lower() for name, _ in request.headers)


def _header(response: HttpResponse, name: str) -> str:
    """Return all values of a list header as one (RFC 9110 §5.3)."""
    return ", ".join(value for key, value in response.headers if key.lower() == name)


FAMILY = Family(
    name="private-caching",
    summary="shared caches do not store protected responses",
    words=CheckDescription(
        promise="A response that requires a credential is not marked as storable by shared caches.",
        test="The `Cache-Control` of every successful response to a request with a credential is read. "
        "`public`, `s-maxage`, or `must-revalidate` with a lifetime is a failure, unless it is "
        "combined with `private`, `no-store` or `no-cache`, or `Vary` names the header of the "
        "credential. Operations under `tenants.shared` in the settings are skipped.",
        remedy="Send `Cache-Control: private` or `no-store` with every response that requires a credential.",
        sources=("RFC 9111 §3.5", "RFC 9111 §5.2.2"),
    ),
    needs="a successful GET of an operation with `security`",
    sees=find_failures,
    compares=is_protected,
)
