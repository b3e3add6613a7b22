"""Replays recorded exchanges: a failure that is not reproduced does not count."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from devportal.conformance.deployment.client import Deployment
from devportal.conformance.deployment.exchange import (
    SAFE_METHODS,
    Exchange,
    HttpResponse,
    Request,
    parse_json_or_none,
)
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.knowledge.requests.request_variants import (
    idempotency_key_of,
    idempotency_key_parameter,
    is_allowed_value,
    new_idempotency_key,
    varied_texts_request,
    with_idempotency_key,
)
from devportal.conformance.knowledge.requests.valid_request import ANY_VERSION, IF_MATCH, is_if_match
from devportal.conformance.knowledge.resources.created_resources import created_id, is_success
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract.conventions import default_conventions, matches_any_name
from devportal.contract.path_templates import address_segments, last_segment, value_at_end
from devportal.contract.resources import RESOURCE_NAMES, Resource

_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
TOOL_HEADERS = frozenset({"x-schemathesis-testcaseid", "user-agent"})
"""Headers of the tool, which say nothing about the request."""
ENDS_IN_ID = ("location", *RESOURCE_NAMES)
"""Headers and members whose last segment is the identifier of a resource: its address, or its name (AIP-122)."""
LAST_SEGMENT = "id"
SHORTEST_VALUE = 4
"""A shorter text in a response is not taken for a value that a later request uses."""


def replay_exchanges(
    deployment: Deployment, mask: Mask, exchanges: Sequence[Exchange]
) -> tuple[Exchange, ...] | None:
    """Return the replayed exchanges in their order; None if one cannot be sent again.

    A value that a request took from an earlier response, such as the id of what was created, is taken from
    the new response instead.
    """
    resent: list[Exchange] = []
    new_values: dict[str, str] = {}
    for exchange in exchanges:
        if not exchange.request.complete:
            return None
        request = mask.reveal(_replace_values(without_tool_headers(exchange.request), new_values))
        try:
            new_exchange = deployment.send(request, operation=exchange.operation, is_valid=exchange.is_valid)
        except Unsendable:
            return None
        resent.append(new_exchange)
        new_values |= _changed_values(exchange.answer, new_exchange.answer)
    return tuple(resent)


def without_tool_headers(request: Request) -> Request:
    """Return a request without the headers that only name the tool."""
    return replace(
        request, headers=tuple(pair for pair in request.headers if pair[0].lower() not in TOOL_HEADERS)
    )


def _replace_values(request: Request, new_values: dict[str, str]) -> Request:
    for old, new in new_values.items():
        body = request.body
        if len(old) < SHORTEST_VALUE:
            request = replace(request, url=_with_last_segment(request.url, old, new))
            continue
        request = replace(
            request,
            url=request.url.replace(quote(old, safe=""), quote(new, safe="")),
            body=None if body is None else body.replace(old.encode(), new.encode()),
        )
    return request


def _with_last_segment(url: str, old: str, new: str) -> str:
    """Return a URL with another text for the last segment of its path that is exactly the old one: so short a
    text means nothing elsewhere.
    """
    path, mark, query = url.partition("?")
    segments, encoded = path.split("/"), quote(old, safe="")
    positions = [at for at, segment in enumerate(segments) if encoded in address_segments(segment)]
    if positions:
        start, _, end = segments[positions[-1]].rpartition(encoded)
        segments[positions[-1]] = f"{start}{quote(new, safe='')}{end}"
    return "/".join(segments) + mark + query


def _changed_values(old: HttpResponse | None, new: HttpResponse | None) -> dict[str, str]:
    """Return the texts of a response that differ in its replay, with their new values."""
    if old is None or new is None:
        return {}
    before, after = (
        dict(text_leaves(parse_json_or_none(http_response.body), ())) for http_response in (old, new)
    )
    for name in ("location",):
        if (first := old.header(name)) and (second := new.header(name)):
            before[(name,)], after[(name,)] = first, second
    for path in (path for path in [*before] if path in after and path[-1:] and path[-1] in ENDS_IN_ID):
        for texts in (before, after):
            texts[(*path, LAST_SEGMENT)] = last_segment(texts[path])
    return {
        value: after[path]
        for path, value in before.items()
        if path in after
        and after[path] != value
        and (len(value) >= SHORTEST_VALUE or _is_identifier(path, value))
    }


def _is_identifier(path: tuple[str | int, ...], value: str) -> bool:
    """Return whether a short value identifies what a response is about, as the numbers of a database do."""
    name = path[-1] if path else ""
    return bool(value) and isinstance(name, str) and matches_any_name(name, default_conventions().identifier)


def text_leaves(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the texts and numbers in a JSON value as text, each with its path, without texts that no address
    can have: those with half of a surrogate pair.
    """
    match value:
        case dict():
            for key, item in value.items():
                yield from text_leaves(item, (*path, key))
        case list():
            for position, item in enumerate(value):
                yield from text_leaves(item, (*path, position))
        case bool() | None:
            return
        case str() if not _LONE_SURROGATE.search(value):
            yield path, value
        case int():
            yield path, str(value)


Exchanges = tuple[Exchange, ...]
MOST_STEPS = 8
"""How many changes of a resource are replayed, the last ones: a longer sequence proves little about one
failure.
"""


def replay_sequences(
    subject: Subject, evidence: Sequence[Exchange], exchanges: Sequence[Exchange], rounds: int = 1
) -> Iterator[tuple[Exchanges, ...]]:
    """Yield the sequences to send, in `rounds` rounds, the most reliable first: the evidence with new keys,
    as it was, preceded by the exchanges of the run that created its resources, for any version of them, and with
    other texts in what it created.
    """
    rekeyed = tuple(with_new_keys(subject, evidence) for _ in range(rounds))
    yield rekeyed
    keyed = [
        first for first, other in zip(evidence, rekeyed[0], strict=True) if first.request != other.request
    ]
    # The key can cause a failure; a success under a known key would be a stored response.
    if keyed and not any(is_success(exchange) for exchange in keyed):
        yield (tuple(evidence),)
    if before := setup_exchanges(subject, evidence, exchanges):
        yield tuple(with_new_keys(subject, (*before, *evidence)) for _ in range(rounds))
    unconditional = tuple(_for_any_version(subject, exchange) for exchange in (*before, *evidence))
    if unconditional != (*before, *evidence):
        yield tuple(with_new_keys(subject, unconditional) for _ in range(rounds))
    renewed = tuple(_with_other_texts(subject, evidence) for _ in range(rounds))
    if renewed[0] != tuple(evidence):
        yield tuple(with_new_keys(subject, sequence) for sequence in renewed)


def _for_any_version(subject: Subject, exchange: Exchange) -> Exchange:
    """Return an exchange that succeeded without the tag of a version, which has changed since: without `If-Match`, or
    with `*` if the contract requires one (RFC 9110 §13.1.1).
    """
    operation = subject.operation(exchange.operation)
    parameter = next(filter(is_if_match, operation.parameters), None) if operation is not None else None
    others = tuple(pair for pair in exchange.request.headers if pair[0].lower() != IF_MATCH.lower())
    if parameter is None or not is_success(exchange) or len(others) == len(exchange.request.headers):
        return exchange
    headers = (*others, (IF_MATCH, ANY_VERSION)) if parameter.required else others
    return replace(exchange, request=replace(exchange.request, headers=headers))


def _with_other_texts(subject: Subject, exchanges: Sequence[Exchange]) -> Exchanges:
    """Return the exchanges with other texts in the bodies of successful creations: only one resource may have them."""
    return tuple(
        replace(exchange, request=varied_texts_request(subject, operation, exchange.request))
        if (operation := subject.operation(exchange.operation)) is not None
        and operation.method == "POST"
        and is_success(exchange)
        else exchange
        for exchange in exchanges
    )


def with_new_keys(subject: Subject, exchanges: Sequence[Exchange]) -> tuple[Exchange, ...]:
    """Return the exchanges with new idempotency keys, if the contract allows them: equal keys stay equal."""
    keys: dict[str, str] = {}
    return tuple(_with_new_key(subject, exchange, keys) for exchange in exchanges)


def _with_new_key(subject: Subject, exchange: Exchange, keys: dict[str, str]) -> Exchange:
    operation = subject.operation(exchange.operation)
    parameter = idempotency_key_parameter(subject, operation) if operation is not None else None
    key = idempotency_key_of(exchange.request, parameter) if parameter is not None else None
    if parameter is None or key is None or not is_allowed_value(subject, parameter, key):
        return exchange
    new = keys.setdefault(key, new_idempotency_key(subject, parameter) or key)
    return replace(exchange, request=with_idempotency_key(exchange.request, parameter, new))


def setup_exchanges(
    subject: Subject,
    evidence: Sequence[Exchange],
    exchanges: Sequence[Exchange],
    *,
    most_changes: int = MOST_STEPS,
) -> tuple[Exchange, ...]:
    """Return the exchanges that created the resources in the evidence, and the last ones that changed them
    before it.
    """
    evidence_ids = {id(exchange) for exchange in evidence}
    earlier = list(takewhile(lambda exchange: id(exchange) not in evidence_ids, exchanges))
    creations: dict[str, Exchange] = {}
    for resource, value in (pair for exchange in evidence for pair in _resources_in_path(subject, exchange)):
        creation = next(
            (exchange for exchange in earlier if _is_creation_of(resource, value, exchange)), None
        )
        if creation is not None:
            creations[value] = creation
    changes = [
        exchange
        for exchange in earlier
        if _is_change(exchange)
        and not creations.keys().isdisjoint(
            map(unquote, address_segments(urlsplit(exchange.request.url).path))
        )
    ]
    selected_ids = {
        id(creation) for creation in (*creations.values(), *changes[max(len(changes) - most_changes, 0) :])
    }
    return tuple(exchange for exchange in earlier if id(exchange) in selected_ids)


def _resources_in_path(subject: Subject, exchange: Exchange) -> Iterator[tuple[Resource, str]]:
    """Yield the resource types in the address of a request, each with its identifier."""
    operation = subject.operation(exchange.operation)
    path, template = _path_segments(exchange), _split_path(operation.path) if operation is not None else []
    for resource in subject.resources if template else ():
        resource_path = _split_path(resource.path)
        if resource.create is not None and template[: len(resource_path)] == resource_path:
            # The address of the deployment may have a path, before that of the contract.
            segment = path[len(resource_path) - len(template) - 1]
            yield resource, value_at_end(resource_path[-1], segment)


def _is_creation_of(resource: Resource, value: str, exchange: Exchange) -> bool:
    is_creation = resource.create is not None and exchange.operation == operation_label(resource.create)
    return is_creation and is_success(exchange) and created_id(resource, exchange) == value


def _is_change(exchange: Exchange) -> bool:
    return exchange.request.method not in SAFE_METHODS and is_success(exchange)


def _path_segments(exchange: Exchange) -> list[str]:
    return [unquote(text) for text in _split_path(urlsplit(exchange.request.url).path)]


def _split_path(path: str) -> list[str]:
    return path.strip("/").split("/")
