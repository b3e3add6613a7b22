"""An idempotency key belongs to who used it: another account's request with the same key is its own."""

from collections.abc import Iterator
from functools import partial

from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.line import Unsendable
from devportal.conformance.parties import VARIABLES, Role
from devportal.conformance.repeatable import Repeatable, fault, first, key_in, key_of, repeatables
from devportal.conformance.subject import Subject, label
from devportal.conformance.things import is_success

LATER = (425, 429, 503)


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation that takes a key and makes something."""
    for one in repeatables(subject):
        if one.key:
            yield Probe(operation=label(one.operation), run=partial(_shared, one))


def lacks(subject: Subject) -> str:
    """Say what is missing: somebody else."""
    if subject.other(Role.OTHER_TENANT) is not None or not any(one.key for one in repeatables(subject)):
        return ""
    return f"a credential of another account: set {VARIABLES[Role.OTHER_TENANT]}"


def _shared(one: Repeatable, send: Send) -> Iterator[Fault]:
    stranger = one.subject.other(Role.OTHER_TENANT)
    request, start = first(one, send)
    if stranger is None:
        raise Unsendable("there is nobody else")
    theirs = one.subject.authorised(one.operation, request, stranger)
    same = send(one.operation, one.request(theirs, key_in(one, start)))
    own = send(one.operation, one.request(theirs, key_of(one)))
    if not is_success(own):
        raise Unsendable("the other account may not do this at all")
    if is_success(same) and one.made(same) is not None and one.made(same) == one.made(start):
        message = f"the key of one account gives another account {one.made(same)!r}, which is not theirs"
        yield fault(one, "another account gets the result of a key", message, start, same)
    elif not is_success(same) and same.status not in LATER:
        message = f"a key that another account has used gets {same.outcome}"
        yield fault(one, "a key of another account is refused", message, start, same)


FAMILY = Family(
    name="idempotency-tenants",
    summary="idempotency keys are each account's own",
    words=Words(
        promise="Two accounts can use the same idempotency key: neither sees the other's result, nor is "
        "refused because of it.",
        test="A credential of another account sends a request with a key that the first has used.",
        remedy="Make the account a part of the unique index of keys.",
        sources=("draft-ietf-httpapi-idempotency-key-header-07 §5",),
    ),
    probes=probes,
    lacks=lacks,
    about_state=True,
)
