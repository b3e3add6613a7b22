"""A request that changes several resources by their identifiers has the right result for each: `{"ids": […]}`."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import Any

from devportal.conformance.deployment.credentials import Role
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
from devportal.conformance.knowledge.failures import last_response_failure
from devportal.conformance.knowledge.requests.request_variants import (
    ObjectBody,
    object_body,
    request_variants,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    MOST_VARIANTS,
    CreatedResource,
    create_resource,
    is_from_cache,
    is_success,
    poll_until,
    read_created,
    read_resource,
    response_json,
    shown_members,
)
from devportal.conformance.knowledge.resources.other_account import as_other_account, is_private, is_unique_id
from devportal.conformance.knowledge.resources.representation_match import is_certainly_different
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation, Schema
from devportal.contract.path_templates import parent_path
from devportal.contract.resources import Resource
from devportal.documents import member_at

SUCCESS_CLASS = 2
NOT_FOUND = 404
_NOT_FOUND = re.compile(r"\b404\b|\b(?:not|n't) (?:exist|found)\b|\bunknown\b", re.IGNORECASE)
_IGNORED = re.compile(r"\b(?:ignor|skipp?|omit|(?:left|leaves?|leaving) out)", re.IGNORECASE)
CHANGE_METHODS = ("PUT", "PATCH")


@dataclass(frozen=True, slots=True, kw_only=True)
class _BulkChange:
    """An operation on the resources whose identifiers are listed in its body. Each result has a status."""

    listed: IdentifierList
    status: str
    status_schema: Schema


@dataclass(frozen=True, slots=True, kw_only=True)
class _Result:
    """The result of one resource: its identifier and its status."""

    id: str
    status: int

    @property
    def is_success(self) -> bool:
        """Whether the status is 2xx."""
        return self.status // 100 == SUCCESS_CLASS


def bulk_change_probes(subject: Subject) -> Iterator[Probe]:
    """Yield the probes of each operation that takes a list of identifiers and returns a result for each."""
    by_path: dict[str, list[Operation]] = {}
    for operation in subject.operations:
        if operation.request_body is not None and "{" not in operation.path:
            for path in {operation.path, parent_path(operation.path)}:
                by_path.setdefault(path, []).append(operation)
    for resource in subject.resources:
        if resource.create is None or resource.read is None or not resource.key:
            continue
        for operation in by_path.get(parent_path(resource.path), ()):
            bulk = _bulk_change(subject, resource, operation)
            if bulk is None:
                continue
            label = operation_label(operation)
            yield Probe(operation=label, run=partial(_check_results, subject, bulk))
            if subject.other(Role.OTHER_TENANT) is not None and is_private(subject, operation):
                yield Probe(operation=label, run=partial(_check_other_account, subject, bulk))


def _bulk_change(subject: Subject, resource: Resource, operation: Operation) -> _BulkChange | None:
    """Return how an operation in a collection changes several resources of it; None if it does not, or not by
    identifiers, or without a status for each.
    """
    listed = identifier_list(subject, resource, operation)
    status = member_named(subject, listed.members, STATUS_NAMES, ("integer",)) if listed is not None else ""
    if listed is None or not status:
        return None
    status_schema = next(member.schema for member in listed.members if member.name == status)
    return _BulkChange(listed=listed, status=status, status_schema=status_schema)


def _bodies(subject: Subject, bulk: _BulkChange) -> Iterator[ObjectBody]:
    """Yield the body of a valid request, then those with another value of one member."""
    request = subject.valid(bulk.listed.operation)
    variants = (
        islice(request_variants(subject, bulk.listed.operation, request), MOST_VARIANTS) if request else ()
    )
    for candidate in (request, *variants):
        body = object_body(subject, bulk.listed.operation, candidate) if candidate is not None else None
        if body is not None and isinstance(body.members.get(bulk.listed.ids), list):
            yield body


def _send_ids(
    subject: Subject, bulk: _BulkChange, ids: tuple[str, ...], send: Send, shown: Mapping[str, Any]
) -> tuple[Exchange, Mapping[str, Any]]:
    """Send the request for these identifiers, with another value than `shown` if it has any; return the exchange and
    the other members of the body.
    """
    bodies = [*_bodies(subject, bulk)]
    changing = (
        body
        for body in bodies
        if any(name in shown and value != shown[name] for name, value in body.members.items())
    )
    body = next(changing, next(iter(bodies), None))
    if body is None:
        raise Unsendable(NO_VALID_REQUEST)
    for values in (ids, tuple(int(each) for each in ids if each.isascii() and each.isdigit())):
        members = {**body.members, bulk.listed.ids: list(values)}
        if len(values) == len(ids) and body.is_valid(subject, members):
            request = with_new_idempotency_key(subject, bulk.listed.operation, body.request(members))
            others = {name: value for name, value in body.members.items() if name != bulk.listed.ids}
            return send(bulk.listed.operation, request), others
    raise Unsendable("a valid request with several identifiers")


def _results(bulk: _BulkChange, exchange: Exchange) -> tuple[_Result, ...] | None:
    """Return the results in a response, None if it does not show them."""
    answer = response_json(exchange)
    shown = member_at(answer, (bulk.listed.results,)) if bulk.listed.results else answer
    if not is_success(exchange) or exchange.status == ACCEPTED or not isinstance(shown, list):
        return None
    pairs = [
        (item.get(bulk.listed.identifier), item.get(bulk.status)) for item in shown if isinstance(item, dict)
    ]
    found = tuple(_Result(id=str(own), status=status) for own, status in pairs if isinstance(status, int))
    return found if len(found) == len(shown) else None


def _check_results(subject: Subject, bulk: _BulkChange, send: Send) -> Iterator[CheckFailure]:
    """Change two resources and one that does not exist with one request."""
    created = [create_resource(subject, bulk.listed.resource, send) for _ in range(2)]
    before = [read_created(subject, each, send) for each in created]
    if created[0].id == created[1].id or not all(map(is_success, before)):
        raise Unsendable("two resources that can be read")
    unknown_id, nothing = find_missing(subject, bulk.listed.resource, created[0].id, send)
    ids = (created[0].id, unknown_id, created[1].id)
    exchange, members = _send_ids(subject, bulk, ids, send, shown_members(bulk.listed.resource, before[0]))
    results = _results(bulk, exchange)
    if results is None:
        raise Unsendable("a response with a result for each identifier, also for one that does not exist")
    evidence = (*(each.exchange for each in created), nothing, exchange)
    ignores_unknown = _ignores_unknown(bulk)
    by_id = {result.id: result for result in results}
    has_no_unknown = ignores_unknown and unknown_id not in by_id
    expected = tuple(each for each in ids if each != unknown_id) if has_no_unknown else ids
    if problem := _wrong_list(bulk, expected, results):
        yield _failure(bulk, *problem, *evidence)
        return
    if not ignores_unknown and by_id[unknown_id].is_success and _rejects_unknown(subject, bulk):
        message = f"{unknown_id!r} gets {nothing.status} when it is read, and its result is {by_id[unknown_id].status}"
        yield _failure(bulk, "a bulk request succeeds for what does not exist", message, *evidence)
        return
    changed = [each for each in created if by_id[each.id].is_success and by_id[each.id].status != ACCEPTED]
    if not changed:
        raise Unsendable("a bulk request with a valid identifier that succeeds at once")
    if bulk.listed.operation.method in CHANGE_METHODS:
        unstored = (_unstored_failures(subject, bulk, each, members, evidence, send) for each in changed)
        yield from islice(chain.from_iterable(unstored), 1)


def _ignores_unknown(bulk: _BulkChange) -> bool:
    """Return whether the description says that identifiers of what does not exist are ignored."""
    sentences = operation_sentences(bulk.listed.operation)
    return any(_NOT_FOUND.search(sentence) and _IGNORED.search(sentence) for sentence in sentences)


def _rejects_unknown(subject: Subject, bulk: _BulkChange) -> bool:
    """Return whether a resource that does not exist must have an error as its result: the operation changes resources,
    or the contract has a status or words for that. A deletion may succeed for what is not there.
    """
    meaning = subject.api.resolve(bulk.status_schema)
    text = " ".join((meaning.description, *operation_sentences(bulk.listed.operation)))
    is_documented = NOT_FOUND in meaning.enum or _NOT_FOUND.search(text) is not None
    return is_documented or bulk.listed.operation.method in CHANGE_METHODS


def _wrong_list(
    bulk: _BulkChange, ids: tuple[str, ...], results: tuple[_Result, ...]
) -> tuple[str, str] | None:
    """Return the title and the message of what is wrong with a list of results, None if nothing is."""
    shown = [result.id for result in results]
    if sorted(shown) != sorted(ids):
        missing = [each for each in ids if each not in shown]
        reason = f"none is of {missing[0]!r}" if missing else f"they are of {', '.join(map(repr, shown))}"
        message = f"{len(ids)} identifiers were sent, the response has {len(shown)} results, and {reason}"
        return "a bulk request has no result for each identifier", message
    if shown != [*ids] and any(map(IN_ORDER.search, operation_sentences(bulk.listed.operation))):
        message = (
            f"sent were {', '.join(map(repr, ids))}, and the results are of {', '.join(map(repr, shown))}"
        )
        return "the results of a bulk request are in another order", message
    return None


def _unstored_failures(
    subject: Subject,
    bulk: _BulkChange,
    created: CreatedResource,
    members: Mapping[str, Any],
    evidence: tuple[Exchange, ...],
    send: Send,
) -> Iterator[CheckFailure]:
    """Yield a failure if a resource whose change succeeded is read with another value than was sent."""

    def differing(exchange: Exchange) -> list[str]:
        shown = shown_members(bulk.listed.resource, exchange)
        return [
            name
            for name, value in members.items()
            if isinstance(value, str | int | float | bool)
            and type(shown.get(name)) is type(value)
            and is_certainly_different(value, shown[name])
        ]

    after = poll_until(
        partial(read_resource, subject, bulk.listed.resource, created.id, send),
        send,
        lambda exchange: not differing(exchange),
    )
    if names := differing(after) if is_success(after) and not is_from_cache(after) else []:
        message = f"{created.id!r} is read with another value than was sent in: {', '.join(names)}"
        yield _failure(bulk, "a bulk change is not read back", message, *evidence, after)


def _check_other_account(subject: Subject, bulk: _BulkChange, send: Send) -> Iterator[CheckFailure]:
    """Let another account name a resource of the first, and one that does not exist: both have no success."""
    created = create_resource(subject, bulk.listed.resource, send)
    if not is_unique_id(created.id):
        raise Unsendable("identifiers that are unique across accounts")
    unknown_id, _ = find_missing(subject, bulk.listed.resource, created.id, send)
    exchange, _ = _send_ids(as_other_account(subject), bulk, (created.id, unknown_id), send, {})
    results = _results(bulk, exchange)
    if is_success(exchange) and results is None:
        raise Unsendable("a response with a result for each identifier")
    successful = {result.id for result in results or () if result.is_success}
    if created.id in successful and unknown_id not in successful:
        message = (
            f"the first account created {created.id!r}; another names it and gets a result with 2xx, and an error for "
            "what is not there"
        )
        title = "a bulk request reaches things of another account"
        yield _failure(bulk, title, message, created.exchange, exchange)


def _failure(bulk: _BulkChange, title: str, message: str, *evidence: Exchange) -> CheckFailure:
    return last_response_failure(bulk.listed.operation, title, message, *evidence)
