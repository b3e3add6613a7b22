"""Results of a request that takes a list of identifiers, without a status for each, are in the order of the identifiers
if the description promises it: `{"results": [{"order_id": "…", "cancelled": true}]}`.
"""

from collections.abc import Iterator
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.families.bulk.bulk_results import (
    IN_ORDER,
    STATUS_NAMES,
    member_named,
)
from devportal.conformance.families.bulk.identifier_lists import IdentifierList, identifier_list
from devportal.conformance.families.references.missing_references import find_missing
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_rules import operation_sentences
from devportal.conformance.knowledge.failures import response_failure
from devportal.conformance.knowledge.requests.request_variants import valid_body, with_new_idempotency_key
from devportal.conformance.knowledge.resources.created_resources import (
    create_resource,
    is_success,
    response_json,
)
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract.path_templates import parent_path
from devportal.documents import member_at


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
            listed = identifier_list(subject, resource, operation)
            if listed is not None and not member_named(subject, listed.members, STATUS_NAMES, ("integer",)):
                run = partial(_check_order, subject, listed, sentence)
                yield Probe(operation=operation_label(operation), run=run)


def _check_order(
    subject: Subject, listed: IdentifierList, sentence: str, send: Send
) -> Iterator[CheckFailure]:
    """Name two resources, and one between them that does not exist, in another order than that of their creation."""
    second, first = (create_resource(subject, listed.resource, send) for _ in range(2))
    unknown_id, nothing = find_missing(subject, listed.resource, first.id, send)
    ids = (first.id, unknown_id, second.id)
    body = valid_body(subject, listed.operation)
    members = {**body.members, listed.ids: [*ids]} if body is not None else {}
    if body is None or first.id == second.id or not body.is_valid(subject, members):
        raise Unsendable(NO_VALID_REQUEST)
    request = with_new_idempotency_key(subject, listed.operation, body.request(members))
    exchange = send(listed.operation, request)
    shown = _shown_ids(listed, exchange)
    evidence = (second.exchange, first.exchange, nothing, exchange)
    if unknown_id in shown and (missing := [each for each in ids if each not in shown]):
        message = (
            f"{len(ids)} identifiers were sent, and none of the {len(shown)} results is of {missing[0]!r}"
        )
        title = "a bulk request has no result for each identifier"
        yield response_failure(listed.operation, exchange, title, message, *evidence)
    elif [each for each in shown if each in ids] != [each for each in ids if each in shown]:
        sent, results = (", ".join(map(repr, each)) for each in (ids, shown))
        message = f'sent were {sent}, and the results are of {results}. The contract says: "{sentence}"'
        title = "the results of a bulk request are in another order"
        yield response_failure(listed.operation, exchange, title, message, *evidence)


def _shown_ids(listed: IdentifierList, exchange: Exchange) -> list[str]:
    """Return the identifiers of the results. Raises Unsendable if the response shows none."""
    answer = response_json(exchange)
    results = member_at(answer, (listed.results,)) if listed.results else answer
    if not is_success(exchange) or not isinstance(results, list):
        raise Unsendable("a response with a result for each identifier, also for one that does not exist")
    return [
        str(item[listed.identifier])
        for item in results
        if isinstance(item, dict) and listed.identifier in item
    ]
