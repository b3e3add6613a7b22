"""What was stored below a resource, such as its settings or a file, is gone when the resource is deleted."""

import re
from collections.abc import Iterator
from functools import partial

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.failures import response_location
from devportal.conformance.knowledge.requests.raw_bodies import content_download
from devportal.conformance.knowledge.requests.request_variants import with_new_idempotency_key
from devportal.conformance.knowledge.resources.created_resources import (
    ACCEPTED,
    GONE_STATUSES,
    create_resource,
    is_from_cache,
    is_success,
    poll_until,
    read_resource,
)
from devportal.conformance.knowledge.resources.operation_resources import delete_created
from devportal.conformance.knowledge.response_check import documents_exact_status
from devportal.conformance.knowledge.subject import Subject, operation_label, with_resource_id
from devportal.contract import Operation
from devportal.contract.path_templates import parent_path
from devportal.contract.resources import Resource

_KEPT = re.compile(
    r"\b(?:kept|keeps?|retain\w*|remain\w*|stays?|still|even (?:if|when|after)|histor\w*|audit\w*|archiv\w*)\b",
    re.IGNORECASE,
)
"""Words of operations whose contents outlive a resource."""


def content_probes(subject: Subject, resource: Resource, delete: Operation) -> Iterator[Probe]:
    """Yield a probe for each content directly below a resource that is stored by `PUT`, and read at its address, and
    for the file of a resource whose creation is its upload.
    """
    readings = {operation.path: operation for operation in subject.operations if operation.method == "GET"}
    for put in subject.operations:
        reading = readings.get(put.path)
        is_below = parent_path(put.path) == resource.path.rstrip("/") and not put.path.endswith("}")
        if put.method != "PUT" or not is_below or reading is None or resource.read is None:
            continue
        is_kept = any(_KEPT.search(f"{each.summary} {each.description}") for each in (delete, put, reading))
        if any(documents_exact_status(reading, status) for status in GONE_STATUSES) and not is_kept:
            run = partial(_check_content, subject, resource, delete, put, reading)
            yield Probe(operation=operation_label(delete), run=run)
    download = content_download(subject.api, resource.path)
    if download is None or download not in subject.operations or resource.read is None:
        return
    is_kept = any(_KEPT.search(f"{each.summary} {each.description}") for each in (delete, download))
    if any(documents_exact_status(download, status) for status in GONE_STATUSES) and not is_kept:
        run = partial(_check_content, subject, resource, delete, None, download)
        yield Probe(operation=operation_label(delete), run=run)


def _check_content(
    subject: Subject,
    resource: Resource,
    delete: Operation,
    put: Operation | None,
    reading: Operation,
    send: Send,
) -> Iterator[CheckFailure]:
    """Store a content, by `put` or with the resource itself, delete the resource that it is below, and read it."""
    created = create_resource(subject, resource, send)
    below = with_resource_id(subject, resource, created.id)
    storing, request = below.valid(put) if put is not None else None, below.valid(reading)
    if request is None or (storing is None and put is not None):
        raise Unsendable("valid requests that store and read a content")
    stored = created.exchange
    if put is not None and storing is not None:
        stored = send(put, with_new_idempotency_key(subject, put, storing))
    before = send(reading, request)
    deleted = delete_created(subject, created, delete, send)
    if not (is_success(stored) and is_success(before) and is_success(deleted)) or deleted.status == ACCEPTED:
        raise Unsendable("a stored content that can be read, below a resource that is deleted at once")
    gone = poll_until(
        partial(read_resource, subject, resource, created.id, send),
        send,
        lambda exchange: exchange.status in GONE_STATUSES,
    )
    if gone.status not in GONE_STATUSES:
        raise Unsendable("a deleted resource that is not found any more")
    after = poll_until(
        partial(send, reading, request), send, lambda exchange: exchange.status in GONE_STATUSES
    )
    if is_success(after) and not is_from_cache(after):
        yield CheckFailure(
            title="what was stored below a deleted resource can still be read",
            message=f"{created.id!r} gets {gone.status} after its deletion, and {operation_label(reading)} "
            f"{after.status}",
            operation=operation_label(delete),
            promise=response_location(reading, after),
            evidence=(created.exchange, stored, before, deleted, gone, after),
        )
