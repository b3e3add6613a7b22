"""Every idempotency key that the contract allows is accepted."""

import re
from collections.abc import Iterator
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.requests.boundaries import UNBOUNDED_LENGTH
from devportal.conformance.knowledge.requests.request_variants import (
    is_allowed_value,
    valid_body,
    varied_texts_request,
)
from devportal.conformance.knowledge.resources.idempotent_operations import (
    IdempotentOperation,
    idempotency_failure,
    idempotent_operations,
    send_first_request,
    sent_key,
    unused_key,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Schema
from devportal.contract.regex import sample_for_pattern
from devportal.contract.validate.schema_rules import constraint_value
from devportal.contract.wording import sentences_of

KEY_REFUSED_STATUSES = (400, 413, 422, 431)
"""The statuses of a rejected key."""
_KEYS_STAY = re.compile(
    r"\b(?:refused|rejected|failed|invalid|unsuccessful)\b.*\b(?:not|n't|never)\b.*\b(?:uses? up|consumes?|uses?)\b.*"
    r"\bkeys?\b",
    re.IGNORECASE | re.DOTALL,
)
TRIES = 3
"""How many keys of a length are tried: a short one may have been used by others."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield the probes of each operation that takes a key."""
    for idempotent in idempotent_operations(subject):
        yield Probe(operation=operation_label(idempotent.operation), run=partial(_check_key_case, idempotent))
        yield Probe(
            operation=operation_label(idempotent.operation), run=partial(_check_key_lengths, idempotent)
        )
        if _says_that_keys_stay(idempotent):
            run = partial(_check_refused_key, idempotent)
            yield Probe(operation=operation_label(idempotent.operation), run=run)


def _says_that_keys_stay(idempotent: IdempotentOperation) -> bool:
    """Return whether a rejected request does not use up its key, by the words of the contract."""
    texts = (idempotent.operation.description, idempotent.parameter.description)
    return any(_KEYS_STAY.search(sentence) for text in texts for sentence in sentences_of(text))


def _check_refused_key(idempotent: IdempotentOperation, send: Send) -> Iterator[CheckFailure]:
    """Use a key for a request without members, which is rejected, then for a valid one."""
    subject, operation = idempotent.subject, idempotent.operation
    body = valid_body(subject, operation)
    if body is None or body.is_valid(subject, {}):
        raise Unsendable("a body with required members")
    key = unused_key(idempotent)
    rejected = send(operation, idempotent.with_key(body.request({}), key))
    if rejected.status not in KEY_REFUSED_STATUSES:
        raise Unsendable("a request without its required members that the deployment rejects")
    plain = varied_texts_request(subject, operation, body.plain)
    attempt = send(operation, idempotent.with_key(plain, key))
    if attempt.answer is None or attempt.answer.is_success:
        return
    control = send(operation, idempotent.with_key(plain, unused_key(idempotent)))
    if control.is_success:
        message = (
            f"the key of a request that got {rejected.status} gets {attempt.status} with a valid request, which gets "
            f"{control.status} with another key"
        )
        yield CheckFailure(
            title="a rejected request uses up its key",
            message=message,
            operation=operation_label(operation),
            promise=idempotent.parameter.location,
            evidence=(rejected, attempt, control),
        )


def _check_key_case(idempotent: IdempotentOperation, send: Send) -> Iterator[CheckFailure]:
    """Use a key in another case: it may be the same key or another, but must be accepted."""
    request, first = send_first_request(idempotent, send)
    key = sent_key(idempotent, first).swapcase()
    if not is_allowed_value(idempotent.subject, idempotent.parameter, key):
        raise Unsendable("a schema of the idempotency key that allows both cases")
    repeated = send(idempotent.operation, idempotent.with_key(request, key))
    if repeated.answer is None or repeated.status >= 500:
        message = f"a key that differs by case alone gets {repeated.outcome}"
        yield idempotency_failure(
            idempotent, "a key in another case is a server error", message, first, repeated
        )


def _check_key_lengths(idempotent: IdempotentOperation, send: Send) -> Iterator[CheckFailure]:
    """Use the shortest and the longest keys that the contract allows, several of each."""
    request, first = send_first_request(idempotent, send)
    bounding_keys = [*_bounding_keys(idempotent)]
    if not bounding_keys:
        raise Unsendable("`minLength`, `maxLength` or `pattern` of the idempotency key")
    for length, keys in bounding_keys:
        refused: list[Exchange] = []
        for key in keys:
            exchange = send(idempotent.operation, idempotent.with_key(request, key))
            if not _is_key_refused(exchange):
                break  # one key of this length shows that the length is allowed
            refused.append(exchange)
        if len(refused) == len(keys):
            control = send(idempotent.operation, idempotent.with_key(request, unused_key(idempotent)))
            if _is_key_refused(control):
                raise Unsendable("a request that the deployment accepts more than once")
            message = f"a key of {length} characters gets {refused[0].outcome}; the contract allows it"
            yield CheckFailure(
                title="an allowed key is rejected",
                message=message,
                operation=operation_label(idempotent.operation),
                promise=idempotent.parameter.location,
                evidence=(first, control, refused[0]),
            )
            return


def _is_key_refused(exchange: Exchange) -> bool:
    return exchange.answer is None or exchange.status in KEY_REFUSED_STATUSES or exchange.status >= 500


def _bounding_keys(idempotent: IdempotentOperation) -> Iterator[tuple[int, list[str]]]:
    """Yield the smallest and the largest length that the contract allows, each with valid keys."""
    if idempotent.parameter.schema is None:
        return
    schema = idempotent.subject.api.resolve(idempotent.parameter.schema)
    bounds = (int(constraint_value(schema, keyword) or 0) for keyword in ("minLength", "maxLength"))
    for length in dict.fromkeys((*bounds, *_usual_key_lengths(idempotent))):
        keys = [key for key in _keys_of_length(idempotent, schema, length) if len(key) == length]
        allowed = [key for key in keys if is_allowed_value(idempotent.subject, idempotent.parameter, key)]
        if length and allowed:
            yield length, list(dict.fromkeys(allowed))


def _usual_key_lengths(idempotent: IdempotentOperation) -> Iterator[int]:
    """Yield the shortest and the longest length of usual keys if a pattern has other bounds: it may allow for
    quotes, for example (RFC 9651 §3.3.3), and usual keys have none.
    """
    key = unused_key(idempotent)
    candidates = range(1, UNBOUNDED_LENGTH + 1)
    lengths = [
        length
        for length in candidates
        if is_allowed_value(idempotent.subject, idempotent.parameter, _repeat_to_length(key, length))
    ]
    yield from (
        length for length in (*lengths[:1], *lengths[-1:]) if length not in (candidates[0], candidates[-1])
    )


def _keys_of_length(idempotent: IdempotentOperation, schema: Schema, length: int) -> Iterator[str]:
    """Yield keys of a length, or of about that length if a pattern requires other characters."""
    for _ in range(TRIES):
        yield _repeat_to_length(unused_key(idempotent), length)
    for constraint in schema.constraints:
        if constraint.keyword == "pattern":
            yield sample_for_pattern(str(constraint.value), at_least=length)


def _repeat_to_length(key: str, length: int) -> str:
    return (key * (length // len(key) + 1))[:length]


FAMILY = Family(
    name="idempotency-keys",
    summary="valid idempotency keys are accepted",
    words=CheckDescription(
        promise="Every key that the contract allows is accepted, and no key causes a server error. A rejected request "
        "does not use up its key, if the contract promises that.",
        test="The shortest and longest allowed keys are sent, several of each, with a request that was "
        "accepted with another key; then a key that differs from an earlier one only by case. "
        "If a rejected request does not use up its key by the words of the contract, the key of one is sent again.",
        remedy="Validate keys as the contract does, and make their column long enough.",
        sources=("draft-ietf-httpapi-idempotency-key-header-07 §2.1",),
    ),
    needs="a parameter with an idempotency key (`conventions.idempotency_key` in the settings)",
    probes=probes,
)
