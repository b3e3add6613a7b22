"""Requests whose credential is missing, wrong, malformed or misplaced."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from devportal.conformance.deployment.credentials import (
    Carrier,
    CredentialSlot,
    credential_slots,
    scheme_of,
    without_scheme,
)
from devportal.conformance.deployment.exchange import Request
from devportal.contract import Api, Operation

NO_CREDENTIAL = "a request without a credential"
WRONG_CREDENTIAL = "a wrong credential"
WRONG_SECRET = "devportal-wrong-credential"
SHORTEST_TO_CUT = 8
"""A shorter secret is not truncated: the rest could be valid by chance, and could not be masked."""
UNKNOWN_SCHEME = "Devportal-Unknown"
VERY_LONG = 4_000
"""The length of a credential that is longer than any real one and below the limits of servers."""
QUERY_NAMES = {Carrier.BEARER: "access_token"}
"""The name of a credential in a query if the contract has none (RFC 6750 §2.3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CredentialAttempt:
    """A request that must be rejected. A malformed credential may be rejected as a malformed request. An HTTP
    server may reject a request with an extreme one before the API sees it.
    """

    title: str
    request: Request
    is_malformed: bool = False
    is_extreme: bool = False


def wrong_credential_attempts(
    api: Api, operation: Operation, bare: Request, secret: str
) -> Iterator[CredentialAttempt]:
    """Yield the attempts at one operation; none if it requires no credential, or one that cannot be sent."""
    alternatives = _alternative_slots(api, operation)
    if not alternatives:
        return
    needed = alternatives[0]
    yield CredentialAttempt(title=NO_CREDENTIAL, request=bare)
    yield from _made_up_attempts(bare, alternatives, secret)
    yield from _altered_attempts(bare, needed, secret)
    yield from _incomplete_attempts(bare, needed, secret)
    yield from _other_scheme_attempts(bare, needed, alternatives, secret)
    yield from _misplaced_attempts(bare, needed, alternatives, secret)
    yield from _extreme_attempts(bare, needed)


def fill_slots(request: Request, needed: tuple[CredentialSlot, ...], secret: str) -> Request:
    """Return a request with a secret in each of several places."""
    for slot in needed:
        request = slot.fill(request, secret)
    return request


def _alternative_slots(api: Api, operation: Operation) -> list[tuple[CredentialSlot, ...]]:
    """Return the slots of each security requirement of an operation, those that the run uses first."""
    first = credential_slots(api, operation)
    slots_of_requirements = [
        credential_slots(api, replace(operation, security=(item,))) for item in operation.security
    ]
    others = [slot for slot in slots_of_requirements if slot and slot != first]
    return [pair for pair in (first, *others) if pair]


def _made_up_attempts(
    bare: Request, alternatives: list[tuple[CredentialSlot, ...]], secret: str
) -> Iterator[CredentialAttempt]:
    for number, needed in enumerate(alternatives):
        through = f" through {needed[0].scheme!r}" if number else ""
        wrong = fill_slots(bare, needed, _wrong_secret_like(needed, secret))
        yield CredentialAttempt(title=f"{WRONG_CREDENTIAL}{through}", request=wrong)
        empty = fill_slots(bare, needed, "")
        yield CredentialAttempt(title=f"an empty credential{through}", request=empty, is_malformed=True)


def _altered_attempts(
    bare: Request, needed: tuple[CredentialSlot, ...], secret: str
) -> Iterator[CredentialAttempt]:
    if len(secret) >= SHORTEST_TO_CUT:
        cut, longer = fill_slots(bare, needed, secret[:-1]), fill_slots(bare, needed, secret + "x")
        yield CredentialAttempt(title="the credential without its last character", request=cut)
        yield CredentialAttempt(title="the credential with one character more", request=longer)
    user, colon, password = secret.partition(":")
    if (
        {credential_slot.carrier for credential_slot in needed} == {Carrier.BASIC}
        and colon
        and user
        and password
    ):
        wrong = fill_slots(bare, needed, f"{user}:{WRONG_SECRET}")
        yield CredentialAttempt(title="the right user with a wrong password", request=wrong)


def _incomplete_attempts(
    bare: Request, needed: tuple[CredentialSlot, ...], secret: str
) -> Iterator[CredentialAttempt]:
    """Yield a request for each of several schemes that apply together, without that one.

    Schemes that share a place, as two of OAuth do, look the same in a request.
    """
    for slot in needed if len(needed) > 1 else ():
        rest = tuple(credential_slot for credential_slot in needed if credential_slot is not slot)
        if slot.place in {credential_slot.place for credential_slot in rest}:
            continue
        yield CredentialAttempt(
            title=f"a request without the credential for {slot.scheme!r}",
            request=fill_slots(bare, rest, secret),
        )


def _other_scheme_attempts(
    bare: Request,
    needed: tuple[CredentialSlot, ...],
    alternatives: list[tuple[CredentialSlot, ...]],
    secret: str,
) -> Iterator[CredentialAttempt]:
    carriers = {slot.carrier for slot in needed}
    if carriers not in ({Carrier.BEARER}, {Carrier.BASIC}):
        return
    other = Carrier.BASIC if carriers == {Carrier.BEARER} else Carrier.BEARER
    if other not in {slot.carrier for alternative in alternatives for slot in alternative}:
        slot = CredentialSlot(scheme="", carrier=other, name="Authorization")
        request = slot.fill(bare, _wrong_secret_like((slot,), ""))
        yield CredentialAttempt(title="another authentication scheme", request=request, is_malformed=True)
    if carriers == {Carrier.BEARER} and len(secret) >= SHORTEST_TO_CUT:
        unknown = f"{UNKNOWN_SCHEME} {without_scheme(secret, 'Bearer')}"
        request = replace(bare, headers=(*bare.headers, ("Authorization", unknown)))
        yield CredentialAttempt(
            title="the credential under an unknown scheme", request=request, is_malformed=True
        )
        request = replace(bare, headers=(*bare.headers, ("Authorization", without_scheme(secret, "Bearer"))))
        yield CredentialAttempt(title="the credential without its scheme", request=request, is_malformed=True)


def _misplaced_attempts(
    bare: Request,
    needed: tuple[CredentialSlot, ...],
    alternatives: list[tuple[CredentialSlot, ...]],
    secret: str,
) -> Iterator[CredentialAttempt]:
    """Yield the correct secret in an undocumented place: addresses are written into logs."""
    if len(needed) != 1 or len(secret) < SHORTEST_TO_CUT:
        return
    slot = needed[0]
    documented = {credential_slot.carrier for each in alternatives for credential_slot in each}
    if slot.carrier in (Carrier.BEARER, Carrier.HEADER, Carrier.COOKIE) and Carrier.QUERY not in documented:
        name = QUERY_NAMES.get(slot.carrier, slot.name)
        request = CredentialSlot(scheme="", carrier=Carrier.QUERY, name=name).fill(
            bare, without_scheme(secret, scheme_of(secret))
        )
        yield CredentialAttempt(title="the credential in the query", request=request, is_malformed=True)
    if slot.carrier is Carrier.QUERY and Carrier.HEADER not in documented:
        request = CredentialSlot(scheme="", carrier=Carrier.HEADER, name=slot.name).fill(bare, secret)
        yield CredentialAttempt(title="the credential in a header", request=request, is_malformed=True)


def _extreme_attempts(bare: Request, needed: tuple[CredentialSlot, ...]) -> Iterator[CredentialAttempt]:
    if not any(slot.carrier in (Carrier.BEARER, Carrier.HEADER) for slot in needed):
        return
    for title, secret in (
        ("a very long credential", "d" * VERY_LONG),
        ("a credential beyond ASCII", "clé-été"),
    ):
        yield CredentialAttempt(title=title, request=fill_slots(bare, needed, secret), is_extreme=True)


def _wrong_secret_like(needed: tuple[CredentialSlot, ...], secret: str) -> str:
    """Return a made-up secret with the form of the real one: a user name, or a scheme before it."""
    if any(slot.carrier is Carrier.BASIC for slot in needed):
        return f"nobody:{WRONG_SECRET}"
    is_header = {slot.carrier for slot in needed} == {Carrier.HEADER}
    return f"{scheme_of(secret)} {WRONG_SECRET}" if is_header and scheme_of(secret) else WRONG_SECRET
