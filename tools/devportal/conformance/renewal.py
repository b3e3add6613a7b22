"""What is to be sent to see a fault once more: its evidence, made fit to be sent again.

A server answers an idempotency key that it knows from memory, and what was deleted cannot be deleted again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from urllib.parse import unquote, urlsplit

from devportal.conformance.exchange import Exchange
from devportal.conformance.resources import Resource
from devportal.conformance.subject import Subject, label
from devportal.conformance.things import is_success, name_in
from devportal.conformance.variation import is_allowed, key_parameter, new_key, with_header

Exchanges = tuple[Exchange, ...]
SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")
"""Methods that leave a thing as it is (RFC 9110 §9.2.1)."""
MOST_STEPS = 8
"""How many changes of a thing are made once more, the last ones: a longer way says little of one fault."""


def renewals(
    subject: Subject, evidence: Sequence[Exchange], exchanges: Sequence[Exchange], rounds: int = 1
) -> Iterator[tuple[Exchanges, ...]]:
    """Yield what to send in so many rounds, the surest way first: the evidence with keys of its own, as it
    was, and behind what made the things that it names, as far as that is among the `exchanges` of the run.
    """
    renamed = tuple(with_new_keys(subject, evidence) for _ in range(rounds))
    yield renamed
    keyed = [one for one, other in zip(evidence, renamed[0], strict=True) if one.request != other.request]
    # A key can be what a server stumbles over; a success under a known key would come from its memory.
    if keyed and not any(is_success(one) for one in keyed):
        yield (tuple(evidence),)
    if before := history(subject, evidence, exchanges):
        yield tuple(with_new_keys(subject, (*before, *evidence)) for _ in range(rounds))


def with_new_keys(subject: Subject, exchanges: Sequence[Exchange]) -> tuple[Exchange, ...]:
    """Return the exchanges with a new idempotency key for each that the contract allows: what was one key
    stays one.
    """
    keys: dict[str, str] = {}
    return tuple(_with_new_key(subject, one, keys) for one in exchanges)


def _with_new_key(subject: Subject, exchange: Exchange, keys: dict[str, str]) -> Exchange:
    operation = subject.operation(exchange.operation)
    header = key_parameter(subject, operation) if operation is not None else None
    key = _header(exchange, header.name) if header is not None else None
    if header is None or key is None or not is_allowed(subject, header, key):
        return exchange
    new = keys.setdefault(key, new_key(subject, header) or key)
    return replace(exchange, request=with_header(exchange.request, header.name, new))


def history(
    subject: Subject, evidence: Sequence[Exchange], exchanges: Sequence[Exchange]
) -> tuple[Exchange, ...]:
    """Return what made the things that the evidence names, and what was done to them until it came."""
    shown = {id(one) for one in evidence}
    earlier = list(takewhile(lambda one: id(one) not in shown, exchanges))
    makers: dict[str, Exchange] = {}
    for resource, value in (pair for one in evidence for pair in _things(subject, one)):
        maker = next((one for one in earlier if _is_maker(resource, value, one)), None)
        if maker is not None:
            makers[value] = maker
    steps = [one for one in earlier if _is_step(one) and not makers.keys().isdisjoint(_path(one))]
    kept = {id(one) for one in (*makers.values(), *steps[-MOST_STEPS:])}
    return tuple(one for one in earlier if id(one) in kept)


def _things(subject: Subject, exchange: Exchange) -> Iterator[tuple[Resource, str]]:
    """Yield the kinds of things that the address of a request names, each with what names it."""
    operation = subject.operation(exchange.operation)
    path, template = _path(exchange), _steps(operation.path) if operation is not None else []
    for resource in subject.resources if template else ():
        place = _steps(resource.path)
        if resource.create is not None and template[: len(place)] == place:
            # The address of the deployment may have a path of its own, before that of the contract.
            yield resource, path[len(place) - len(template) - 1]


def _is_maker(resource: Resource, value: str, exchange: Exchange) -> bool:
    is_creation = resource.create is not None and exchange.operation == label(resource.create)
    return is_creation and is_success(exchange) and name_in(resource, exchange) == value


def _is_step(exchange: Exchange) -> bool:
    return exchange.request.method not in SAFE and is_success(exchange)


def _header(exchange: Exchange, name: str) -> str | None:
    return next((value for key, value in exchange.request.headers if key.lower() == name.lower()), None)


def _path(exchange: Exchange) -> list[str]:
    return [unquote(one) for one in _steps(urlsplit(exchange.request.url).path)]


def _steps(path: str) -> list[str]:
    return path.strip("/").split("/")
