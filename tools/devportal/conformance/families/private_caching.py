"""Answers to those who have a credential are not kept for others: no shared cache may store them."""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import parse_qsl, urlsplit

from devportal.conformance.credentials import Carrier, Slot, is_secured, slots
from devportal.conformance.exchange import Answer, Exchange, Request
from devportal.conformance.family import Family, Fault, Words
from devportal.conformance.response_check import response_for
from devportal.conformance.subject import Subject, label

CACHEABLE_METHODS = ("GET", "HEAD")
KEPT_BACK = ("private", "no-store", "no-cache")
"""Directives after which no shared cache answers somebody else by itself (RFC 9111 §5.2.2)."""
OPENING = ("public", "s-maxage", "must-revalidate")
"""Directives that let shared caches store answers to requests with Authorization (RFC 9111 §3.5)."""
OPENING_KEYS = ("public", "s-maxage")
"""Those that do so in so many words: what a cache makes of keys in other places is less certain."""
_DIRECTIVE = re.compile(r'([!#$%&\'*+.^_`|~0-9A-Za-z-]+)(?:\s*=\s*("(?:[^"\\]|\\.)*"|[^\s,;]*))?')


def sees(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[Fault]:
    """Yield a fault for each answer to somebody with a credential that a shared cache may give to others."""
    secured = {
        label(one): one
        for one in subject.operations
        if one.method in CACHEABLE_METHODS and is_secured(one) and label(one) not in subject.shared
    }
    for exchange in exchanges:
        operation, answer = secured.get(exchange.operation), exchange.answer
        if operation is None or answer is None or not answer.is_success:
            continue
        used = [slot for slot in slots(subject.api, operation) or () if _carries(exchange.request, slot)]
        if exchange.request.method not in CACHEABLE_METHODS or not used:
            continue
        if _is_open(answer, used):
            response = response_for(operation, answer.status)
            yield Fault(
                title="a shared cache may keep an answer that needs a credential",
                message=f"Cache-Control is {_joined(answer, 'cache-control')!r}, and nothing keeps a shared "
                "cache from giving the answer to somebody without the credential (RFC 9111 §3.5)",
                operation=exchange.operation,
                promise=response.location if response is not None else operation.location,
                evidence=(exchange,),
            )


def directives(text: str) -> Mapping[str, str]:
    """Return the directives of a Cache-Control header with their values, names in lower case."""
    return {name.lower(): value.strip('"') for name, value in _DIRECTIVE.findall(text)}


def _is_open(answer: Answer, used: list[Slot]) -> bool:
    given = directives(_joined(answer, "cache-control"))
    by_header = any(slot.name == "Authorization" for slot in used)
    if any(one in given for one in KEPT_BACK) or _varies(answer, used):
        return False
    if not any(one in given for one in (OPENING if by_header else OPENING_KEYS)):
        return False
    lifetime = given.get("s-maxage") or given.get("max-age")
    if lifetime is not None:
        return lifetime.isascii() and lifetime.isdigit() and int(lifetime) > 0
    # Without a lifetime a cache may guess one, for `public` alone (RFC 9111 §4.2.2).
    return by_header and "public" in given and answer.header("expires") is None


def _varies(answer: Answer, used: list[Slot]) -> bool:
    """Say whether a cache has to tell credentials apart (RFC 9111 §4.1)."""
    named = {one.strip().lower() for one in _joined(answer, "vary").split(",")}
    places = {"cookie" if slot.carrier is Carrier.COOKIE else slot.name.lower() for slot in used}
    return "*" in named or bool(places & named)


def _carries(request: Request, slot: Slot) -> bool:
    match slot.carrier:
        case Carrier.QUERY:
            return slot.name in dict(parse_qsl(urlsplit(request.url).query))
        case Carrier.COOKIE:
            cookies = [value for name, value in request.headers if name.lower() == "cookie"]
            return any(one.strip().startswith(f"{slot.name}=") for text in cookies for one in text.split(";"))
        case _:
            return any(name.lower() == slot.name.lower() for name, _ in request.headers)


def _joined(answer: Answer, name: str) -> str:
    """Return all values of a list header as one (RFC 9110 §5.3)."""
    return ", ".join(value for key, value in answer.headers if key.lower() == name)


FAMILY = Family(
    name="private-caching",
    summary="no shared cache keeps what needs a credential",
    words=Words(
        promise="An answer that needs a credential is not marked as one that shared caches may keep and give "
        "to others.",
        test="The `Cache-Control` of all successful answers to requests with a credential is read. `public`, "
        "`s-maxage`, or `must-revalidate` with a lifetime is a fault, unless `private`, `no-store` or "
        "`no-cache` stand beside it, or `Vary` names the header of the credential. What settings name under "
        "`tenants.shared` is left out.",
        remedy="Send `Cache-Control: private` or `no-store` with whatever needs a credential.",
        sources=("RFC 9111 §3.5", "RFC 9111 §5.2.2"),
    ),
    sees=sees,
)
