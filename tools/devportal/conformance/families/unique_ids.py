"""Two resources that were created from different requests have different identifiers."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

from devportal.conformance.agreement import leaves
from devportal.conformance.conventions import is_called
from devportal.conformance.exchange import Exchange, json_value
from devportal.conformance.family import Family, Fault, Words
from devportal.conformance.resources import LINK_PREFIX
from devportal.conformance.response_check import response_for
from devportal.conformance.subject import Subject, label
from devportal.conformance.valid_request import json_media_type
from devportal.contract import Operation

CREATED = (201, 202)
ROUNDS = 5
"""How often two requests are repeated: an identifier may be given twice only now and then."""


def sees(subject: Subject, exchanges: tuple[Exchange, ...]) -> Iterator[Fault]:
    """Yield a fault for each identifier that two different requests for an operation got."""
    for operation in subject.operations:
        if operation.method != "POST":
            continue
        name = label(operation)
        created = [one for one in exchanges if one.operation == name and one.status in CREATED]
        for member in sorted(_identifying(subject, operation)):
            yield from _repeated(subject, operation, name, member, created)


def _repeated(
    subject: Subject, operation: Operation, name: str, member: str, created: list[Exchange]
) -> Iterator[Fault]:
    owners: dict[str, Exchange] = {}
    told: set[str] = set()
    for exchange in created:
        key = _value(exchange, member)
        if key is None or key in told or _is_sent(exchange, key):
            continue
        first = owners.setdefault(key, exchange)
        if _sent(first) != _sent(exchange) and not _is_repetition(subject, first, exchange):
            told.add(key)
            response = response_for(operation, exchange.status)
            yield Fault(
                title=f"two resources have the same {member!r}",
                message=f"two different requests both got {key!r}",
                operation=name,
                promise=response.location if response is not None else operation.location,
                evidence=(first, exchange),
            )


def _identifying(subject: Subject, operation: Operation) -> set[str]:
    """Return the members that identify what is created: those that links lead by, and the first by convention
    that every answer must have.
    """
    api, members = subject.api, set()
    for response in operation.successes:
        for link in response.links:
            for _, value in link.parameters:
                if isinstance(value, str) and value.startswith(LINK_PREFIX):
                    members.add(value.removeprefix(LINK_PREFIX))
        media_type = json_media_type(response.content)
        if media_type is not None and media_type.schema is not None:
            schema = api.resolve(media_type.schema)
            required = {one.name for one in schema.properties if one.required}
            sure = required | set(schema.required)
            usual = subject.conventions.identifier[:1]
            members |= {name for name in sure if is_called(name, usual)}
    return {one for one in members if "/" not in one}


def _value(exchange: Exchange, member: str) -> str | None:
    value = _body(exchange.answer.body) if exchange.answer is not None else None
    found = value.get(member) if isinstance(value, dict) else None
    return str(found) if isinstance(found, str | int) else None


def _is_repetition(subject: Subject, first: Exchange, exchange: Exchange) -> bool:
    """Say whether a request asks for the first result again, by the idempotency key of the first."""
    return bool(_keys(subject, first) & _keys(subject, exchange))


def _keys(subject: Subject, exchange: Exchange) -> set[str]:
    names = subject.conventions.idempotency_key
    return {value for name, value in exchange.request.headers if is_called(name, names)}


def _is_sent(exchange: Exchange, key: str) -> bool:
    """Say whether the request names the identifier itself, in its body or path: then it is not made anew."""
    in_body = key in map(str, leaves(_sent(exchange)).values())
    return in_body or key in map(unquote, urlsplit(exchange.request.url).path.split("/"))


def _sent(exchange: Exchange) -> Any:
    """Return what the request says, however it is written."""
    return _body(exchange.request.body or b"")


def _body(body: bytes) -> Any:
    try:
        return json_value(body)
    except ValueError:
        return body


FAMILY = Family(
    name="unique-ids",
    summary="identifiers are unique",
    words=Words(
        promise="Two things that were made by different requests have different identifiers.",
        test="The members that links lead by, and those that identify by convention, are compared "
        "over all answers that made something. The requests that got the same one are sent again, up to "
        f"{ROUNDS} times, with idempotency keys of their own.",
        remedy="Take identifiers from a source that does not repeat: UUIDs or a sequence of the database.",
        sources=("OAS 3.0.3 §4.7.20",),
    ),
    sees=sees,
    about_state=True,
    rounds=ROUNDS,
)
