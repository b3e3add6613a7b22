"""The credentials that must not work: all the ways in which a request can lack the right one."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from devportal.conformance.credentials import Carrier, Slot, slots
from devportal.conformance.exchange import Request
from devportal.contract import Api, Operation

NOTHING = "no credential"
MADE_UP = "a wrong credential"
WRONG = "devportal-wrong-credential"
SHORTEST_TO_CUT = 8
"""A shorter secret is not cut: what is left could be valid by chance, and could not be masked."""
UNKNOWN_SCHEME = "Devportal-Unknown"
VERY_LONG = 4_000
"""Characters of a credential that is longer than any real one and shorter than the limits of servers."""
QUERY_NAMES = {Carrier.BEARER: "access_token"}
"""What a credential is called in a query where the contract has no name for it (RFC 6750 §2.3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A request that must be refused. Malformed credentials may be refused as malformed requests; where one
    is odd, an HTTP server may refuse the whole request in its own way.
    """

    title: str
    request: Request
    is_malformed: bool = False
    is_odd: bool = False


def attempts(api: Api, operation: Operation, bare: Request, secret: str) -> Iterator[Attempt]:
    """Yield the attempts at one operation; none where it demands nothing, or what we cannot send."""
    alternatives = _alternatives(api, operation)
    if not alternatives:
        return
    needed = alternatives[0]
    yield Attempt(title=NOTHING, request=bare)
    yield from _made_up(bare, alternatives)
    yield from _nearly(bare, needed, secret)
    yield from _incomplete(bare, needed, secret)
    yield from _of_another_scheme(bare, needed, alternatives, secret)
    yield from _elsewhere(bare, needed, alternatives, secret)
    yield from _odd(bare, needed)


def filled(request: Request, needed: tuple[Slot, ...], secret: str) -> Request:
    """Return a request with a secret in each of several places."""
    for slot in needed:
        request = slot.fill(request, secret)
    return request


def _alternatives(api: Api, operation: Operation) -> list[tuple[Slot, ...]]:
    """Return where credentials go, for each requirement of an operation, the one that a run uses first."""
    first = slots(api, operation)
    each = [slots(api, replace(operation, security=(one,))) for one in operation.security]
    others = [one for one in each if one and one != first]
    return [one for one in (first, *others) if one]


def _made_up(bare: Request, alternatives: list[tuple[Slot, ...]]) -> Iterator[Attempt]:
    for number, needed in enumerate(alternatives):
        through = f" through {needed[0].scheme!r}" if number else ""
        wrong = filled(bare, needed, _shaped(needed, WRONG))
        yield Attempt(title=f"{MADE_UP}{through}", request=wrong)
        empty = filled(bare, needed, "")
        yield Attempt(title=f"an empty credential{through}", request=empty, is_malformed=True)


def _nearly(bare: Request, needed: tuple[Slot, ...], secret: str) -> Iterator[Attempt]:
    if len(secret) >= SHORTEST_TO_CUT:
        cut, longer = filled(bare, needed, secret[:-1]), filled(bare, needed, secret + "x")
        yield Attempt(title="the credential without its last character", request=cut)
        yield Attempt(title="the credential with one character more", request=longer)
    user, colon, password = secret.partition(":")
    if {one.carrier for one in needed} == {Carrier.BASIC} and colon and user and password:
        wrong = filled(bare, needed, f"{user}:{WRONG}")
        yield Attempt(title="the right user with a wrong password", request=wrong)


def _incomplete(bare: Request, needed: tuple[Slot, ...], secret: str) -> Iterator[Attempt]:
    """Yield a request for each of several schemes that apply together, without that one."""
    for slot in needed if len(needed) > 1 else ():
        rest = tuple(one for one in needed if one is not slot)
        yield Attempt(title=f"no credential for {slot.scheme!r}", request=filled(bare, rest, secret))


def _of_another_scheme(
    bare: Request, needed: tuple[Slot, ...], alternatives: list[tuple[Slot, ...]], secret: str
) -> Iterator[Attempt]:
    carriers = {slot.carrier for slot in needed}
    if carriers not in ({Carrier.BEARER}, {Carrier.BASIC}):
        return
    other = Carrier.BASIC if carriers == {Carrier.BEARER} else Carrier.BEARER
    if other not in {slot.carrier for one in alternatives for slot in one}:
        slot = Slot(scheme="", carrier=other, name="Authorization")
        request = slot.fill(bare, _shaped((slot,), WRONG))
        yield Attempt(title="another authentication scheme", request=request, is_malformed=True)
    if carriers == {Carrier.BEARER} and len(secret) >= SHORTEST_TO_CUT:
        request = replace(bare, headers=(*bare.headers, ("Authorization", f"{UNKNOWN_SCHEME} {secret}")))
        yield Attempt(title="the credential under an unknown scheme", request=request, is_malformed=True)


def _elsewhere(
    bare: Request, needed: tuple[Slot, ...], alternatives: list[tuple[Slot, ...]], secret: str
) -> Iterator[Attempt]:
    """Yield the right secret in a place that the contract does not name: addresses are written into logs."""
    if len(needed) != 1 or len(secret) < SHORTEST_TO_CUT:
        return
    slot = needed[0]
    documented = {one.carrier for each in alternatives for one in each}
    if slot.carrier in (Carrier.BEARER, Carrier.HEADER, Carrier.COOKIE) and Carrier.QUERY not in documented:
        name = QUERY_NAMES.get(slot.carrier, slot.name)
        request = Slot(scheme="", carrier=Carrier.QUERY, name=name).fill(bare, secret)
        yield Attempt(title="the credential in the query", request=request, is_malformed=True)
    if slot.carrier is Carrier.QUERY and Carrier.HEADER not in documented:
        request = Slot(scheme="", carrier=Carrier.HEADER, name=slot.name).fill(bare, secret)
        yield Attempt(title="the credential in a header", request=request, is_malformed=True)


def _odd(bare: Request, needed: tuple[Slot, ...]) -> Iterator[Attempt]:
    if not any(slot.carrier in (Carrier.BEARER, Carrier.HEADER) for slot in needed):
        return
    for what, secret in (
        ("a very long credential", "d" * VERY_LONG),
        ("a credential beyond ASCII", "clé-été"),
    ):
        yield Attempt(title=what, request=filled(bare, needed, secret), is_odd=True)


def _shaped(needed: tuple[Slot, ...], secret: str) -> str:
    return f"nobody:{secret}" if any(slot.carrier is Carrier.BASIC for slot in needed) else secret
