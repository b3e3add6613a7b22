"""Results of a request that takes a list of identifiers, without a status for each, are in the order of the identifiers
if the description promises it: `{"results": [{"order_id": "…", "cancelled": true}]}`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.families.bulk.bulk_results import (
    IN_ORDER,
    STATUS_NAMES,
    has_some_only,
    member_named,
)
from devportal.conformance.families.references.missing_references import find_missing
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.created_resources import (
    create_resource,
    is_success,
    response_failure,
    response_json,
)
from devportal.conformance.knowledge.described_rules import operation_sentences
from devportal.conformance.knowledge.request_variants import valid_body, with_new_idempotency_key
from devportal.conformance.knowledge.test_target import Subject, operation_label
from devportal.contract import Operation
from devportal.contract.conventions import matches_any_name
from devportal.contract.media_types import json_response_type
from devportal.contract.path_templates import parent_path
from devportal.contract.resources import Resource, object_properties
from devportal.contract.resources.bulk_creations import list_member
from devportal.documents import member_at


@dataclass(frozen=True, slots=True, kw_only=True)
class _OrderedRequest:
    """An operation with the list `ids` in its body, whose list `results` has items with an `identifier` each."""

    resource: Resource
    operation: Operation
    ids: str
    results: str
    identifier: str
    sentence: str


def bulk_order_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation whose results have an order by its description, and no status."""
    for operation in subject.operations:
        sentence = next(filter(IN_ORDER.search, operation_sentences(operation)), "")
        if operation.request_body is None or "{" in operation.path or not sentence:
            continue
        for resource in subject.resources:
            collection = parent_path(resource.path)
            if resource.create is None or collection not in (operation.path, parent_path(operation.path)):
                continue
            ordered = _ordered_request(subject, resource, operation, sentence)
            if ordered is not None:
                run = partial(_check_order, subject, ordered)
                yield Probe(operation=operation_label(operation), run=run)


def _ordered_request(
    subject: Subject, resource: Resource, operation: Operation, sentence: str
) -> _OrderedRequest | None:
    """Return how an operation takes identifiers and returns results; None if it does not, or with a status for each."""
    body = valid_body(subject, operation)
    success = next((each for each in operation.successes if json_response_type(each.content)), None)
    media_type = json_response_type(success.content) if success is not None else None
    shown = list_member(subject.api, media_type.schema) if media_type is not None else None
    if body is None or shown is None or has_some_only(shown[0]) or not resource.key:
        return None
    names = ("ids", *(f"{name}s" for name in resource.reference_names))
    ids = next((name for name in body.members if matches_any_name(name, names)), "")
    members = tuple(object_properties(subject.api, shown[1]))
    own_names = (resource.key[-1], *resource.reference_names)
    identifier = member_named(subject, members, own_names, ("string", "integer"))
    has_status = bool(member_named(subject, members, STATUS_NAMES, ("integer",)))
    if not (ids and identifier) or has_status or not isinstance(body.members[ids], list):
        return None
    return _OrderedRequest(
        resource=resource,
        operation=operation,
        ids=ids,
        results=shown[0],
        identifier=identifier,
        sentence=sentence,
    )


def _check_order(subject: Subject, ordered: _OrderedRequest, send: Send) -> Iterator[CheckFailure]:
    """Name two resources, and one between them that does not exist, in another order than that of their creation."""
    second, first = (create_resource(subject, ordered.resource, send) for _ in range(2))
    unknown_id, nothing = find_missing(subject, ordered.resource, first.id, send)
    ids = (first.id, unknown_id, second.id)
    body = valid_body(subject, ordered.operation)
    members = {**body.members, ordered.ids: [*ids]} if body is not None else {}
    if body is None or first.id == second.id or not body.is_valid(subject, members):
        raise Unsendable(NO_VALID_REQUEST)
    request = with_new_idempotency_key(subject, ordered.operation, body.request(members))
    exchange = send(ordered.operation, request)
    shown = _shown_ids(ordered, exchange)
    evidence = (second.exchange, first.exchange, nothing, exchange)
    if unknown_id in shown and (missing := [each for each in ids if each not in shown]):
        message = (
            f"{len(ids)} identifiers were sent, and none of the {len(shown)} results is of {missing[0]!r}"
        )
        title = "a bulk request has no result for each identifier"
        yield response_failure(ordered.operation, exchange, title, message, *evidence)
    elif [each for each in shown if each in ids] != [each for each in ids if each in shown]:
        sent, results = (", ".join(map(repr, each)) for each in (ids, shown))
        message = (
            f'sent were {sent}, and the results are of {results}. The contract says: "{ordered.sentence}"'
        )
        title = "the results of a bulk request are in another order"
        yield response_failure(ordered.operation, exchange, title, message, *evidence)


def _shown_ids(ordered: _OrderedRequest, exchange: Exchange) -> list[str]:
    """Return the identifiers of the results. Raises Unsendable if the response shows none."""
    answer = response_json(exchange)
    results = member_at(answer, (ordered.results,)) if ordered.results else answer
    if not is_success(exchange) or not isinstance(results, list):
        raise Unsendable("a response with a result for each identifier, also for one that does not exist")
    return [
        str(item[ordered.identifier])
        for item in results
        if isinstance(item, dict) and ordered.identifier in item
    ]
