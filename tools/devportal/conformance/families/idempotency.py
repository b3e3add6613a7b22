"""An idempotency key makes a request repeatable: the second one has the result of the first and does nothing.

Which header is one, the conventions of the run say. What the contract does not promise is not asked for:
that another body is refused, for one, has to be documented.
"""

from collections.abc import Iterator
from functools import partial

from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.line import Unsendable
from devportal.conformance.repeatable import Repeatable, fault, first, key_in, key_of, repeatables
from devportal.conformance.subject import Subject, label
from devportal.conformance.things import is_success
from devportal.conformance.variation import variants
from devportal.contract import Response

BUSY = (409, 425, 429, 503)
"""What a repeated request may get while, or because, there is a first one."""
AT_ONCE = 8


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield what is asked of each operation that takes a key."""
    for one in repeatables(subject):
        name = label(one.operation)
        yield Probe(operation=name, run=partial(_twice, one))
        yield Probe(operation=name, run=partial(_other_body, one))
        if one.key:
            yield Probe(operation=name, run=partial(_at_once, one))


def _twice(one: Repeatable, send: Send) -> Iterator[Fault]:
    request, start = first(one, send)
    key = key_in(one, start)
    again = send(one.operation, one.request(request, key))
    if again.answer is None or (not is_success(again) and again.status not in BUSY):
        got = f"{start.status}, then {again.outcome}"
        yield fault(
            one,
            "a repeated request is refused",
            f"the same request with the same key gets {got}",
            start,
            again,
        )
    made, other = one.made(start), one.made(again)
    if is_success(again) and None not in (made, other) and made != other:
        message = f"the same request with the same key makes {made!r}, then {other!r}"
        yield fault(one, "a repeated request makes a second thing", message, start, again)


def _other_body(one: Repeatable, send: Send) -> Iterator[Fault]:
    """Use a key for another body, where a refusal is documented for that."""
    refusal = _documented_refusal(one)
    request, start = first(one, send)
    others = variants(one.subject, one.operation, request)
    other = next((each for each in others if each.body != request.body), None)
    if refusal is None or other is None:
        raise Unsendable("no refusal is documented, or there is no other body")
    key = key_in(one, start)
    again = send(one.operation, one.request(other, key))
    if is_success(again):
        yield Fault(
            title="a key is taken for another body",
            message=f"it gets {again.status} with the key of the first; {refusal.status} is promised",
            operation=label(one.operation),
            promise=refusal.location,
            evidence=(start, again),
        )


def _documented_refusal(one: Repeatable) -> Response | None:
    """Return the 4xx answer that speaks of keys that were used for another body, None where none does: a
    conflict with a request that is still running is something else.
    """
    names = one.subject.conventions.idempotency_key
    words = {name.lower().replace("-", "").removeprefix("x") for name in names}
    for status in ("422", "409", "400"):
        for response in one.operation.responses:
            told = " ".join(_told(response)).lower().replace("-", "").replace(" ", "").replace("_", "")
            speaks = any(word in told for word in words) or "idempoten" in told
            if response.status == status and speaks and any(word in told for word in _OTHER):
                return response
    return None


_OTHER = ("reused", "reuse", "different", "another", "mismatch", "otherbody", "otherpayload", "differs")
"""Words for another body, as contracts use them in descriptions and problem types."""


def _told(response: Response) -> Iterator[str]:
    yield response.description
    for media in response.content:
        for example in media.examples:
            yield f"{example.name} {example.summary} {example.description} {example.value}"


def _at_once(one: Repeatable, send: Send) -> Iterator[Fault]:
    """Send one request several times at once: a server may do it once only."""
    usual, _ = first(one, send)
    key = key_of(one)
    answers = send.at_once(one.operation, [one.request(usual, key)] * AT_ONCE)
    made = {str(one.made(each)): each for each in answers if is_success(each) and one.made(each) is not None}
    if len(made) > 1:
        message = f"{AT_ONCE} requests with one key, sent at once, make {len(made)} things: {', '.join(made)}"
        yield fault(one, "duplicates at the same time make several things", message, *made.values())
    broken = [each for each in answers if each.status >= 500 and each.status not in BUSY]
    if broken:
        message = f"of {AT_ONCE} requests with one key, sent at once, {len(broken)} get {broken[0].status}"
        yield fault(one, "duplicates at the same time are a server error", message, broken[0])


FAMILY = Family(
    name="idempotency",
    summary="a repeated request does nothing twice",
    words=Words(
        promise="Requests with one idempotency key and one body have one result, also when they are sent at "
        "once. Another body is refused where that is documented.",
        test="Each operation with such a header gets a request twice, the same key with another body, and "
        "eight requests at once. That one is refused while the first is running is right.",
        remedy="Keep key, digest of the body and answer under a unique index, and write the key in the "
        "transaction that does the work.",
        sources=("draft-ietf-httpapi-idempotency-key-header-07",),
    ),
    probes=probes,
    about_state=True,
)
