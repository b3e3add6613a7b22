"""What the deployment has: values for the parameters in paths, so that requests for one thing find one.

Examples of a contract name things that need not exist. Where such a request finds nothing, the first thing
of the collection is taken, or one is made.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from devportal.conformance.deployment.exchange import Exchange, parse_json_or_none
from devportal.conformance.family import Send, send_or_none
from devportal.conformance.knowledge.resources import Resource
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Operation

NOT_FOUND_STATUSES = (404, 410)


def with_existing_values(subject: Subject, send: Send) -> Subject:
    """Return the subject with values for things that are there. What cannot be found stays as it was."""
    for resource in subject.resources:
        if not _is_there(subject, resource, send):
            value = _id_from_list(subject, resource, send) or _id_from_creation(subject, resource, send)
            if value is not None:
                subject = subject.with_values({resource.path: value})
    return subject


def member_at(document: Any, path: Sequence[str]) -> Any:
    """Return the member that a path leads to, None where it leads nowhere."""
    for step in path:
        if not isinstance(document, Mapping):
            return None
        document = document.get(step)
    return document


def response_json(exchange: Exchange) -> Any:
    """Return the JSON value of an answer's body, None where there is none."""
    return parse_json_or_none(exchange.answer.body) if exchange.answer is not None else None


def resource_url(subject: Subject, resource: Resource, value: str) -> str:
    """Return where a thing is, its last parameter replaced; those before it are filled as for any request."""
    request = subject.bare(resource.read) if resource.read is not None else None
    collection = request.url.partition("?")[0].rpartition("/")[0] if request is not None else ""
    return f"{collection}/{quote(value, safe='')}"


def _is_there(subject: Subject, resource: Resource, send: Send) -> bool:
    """Say whether the thing of the usual request is there, or whether that cannot be asked."""
    if resource.read is None or not resource.key:
        return True
    exchange = _send_valid_request(subject, resource.read, send)
    return exchange is None or exchange.status not in NOT_FOUND_STATUSES


def _id_from_list(subject: Subject, resource: Resource, send: Send) -> str | None:
    if resource.listing is None:
        return None
    exchange = _send_valid_request(subject, resource.listing.operation, send)
    items = member_at(response_json(exchange), resource.listing.items) if exchange is not None else None
    return _first_id(member_at(one, resource.key) for one in items) if isinstance(items, list) else None


def _id_from_creation(subject: Subject, resource: Resource, send: Send) -> str | None:
    if resource.create is None:
        return None
    exchange = _send_valid_request(subject, resource.create, send)
    if exchange is None or exchange.answer is None or not exchange.answer.is_success:
        return None
    return _first_id([member_at(response_json(exchange), resource.key)])


def _first_id(values: Iterable[Any]) -> str | None:
    """Return the first value that can name a thing."""
    texts = (
        str(one) for one in values if isinstance(one, str | int) and not isinstance(one, bool) and one != ""
    )
    return next(texts, None)


def _send_valid_request(subject: Subject, operation: Operation, send: Send) -> Exchange | None:
    return send_or_none(send, operation, subject.valid(operation))
