"""Resources that have their own address, such as the settings of an account."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import Send
from devportal.conformance.knowledge.descriptions.described_rules import says_that_it_merges
from devportal.conformance.knowledge.requests.request_variants import (
    ObjectBody,
    valid_body,
    with_new_idempotency_key,
)
from devportal.conformance.knowledge.resources.created_resources import (
    is_success,
    response_json,
    with_if_match,
)
from devportal.conformance.knowledge.resources.representation_match import response_schema, success_status
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Operation
from devportal.contract.resources import CHANGE_METHODS, Resource, object_properties
from devportal.errors import DeploymentError


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleResource:
    """A resource that no operation creates, at an address without an identifier at its end or with one that the
    contract gives, and an operation that changes it.
    """

    subject: Subject
    reading: Operation
    change: Operation

    def read(self, send: Send) -> Exchange:
        """Read the resource. Raises Unsendable if that cannot be requested."""
        request = self.subject.valid(self.reading)
        if request is None:
            raise Unsendable(NO_VALID_REQUEST)
        return send(self.reading, request)

    def body(self) -> ObjectBody:
        """Return the body of the change. Raises Unsendable if it is not an object."""
        body = valid_body(self.subject, self.change)
        if body is None:
            raise Unsendable("a change with an object as its body")
        return body

    def members(self, exchange: Exchange) -> Mapping[str, Any]:
        """Return the representation in a response, empty if there is none."""
        shown, envelope = response_json(exchange), self.body().envelope
        shown = shown[envelope] if envelope and isinstance(shown, dict) and envelope in shown else shown
        return shown if is_success(exchange) and isinstance(shown, dict) else {}

    def change_request(self, members: Mapping[str, Any], last_read: Exchange) -> Request:
        """Return a change of these members: with the others as they were read, unless it leaves what it omits."""
        body, shown = self.body(), self.members(last_read)
        names = [property_.name for property_ in object_properties(self.subject.api, body.schema)]
        full = {**{name: shown[name] for name in names if name in shown}, **members}
        is_partial = self.change.method == "PATCH" or says_that_it_merges(self.change)
        sent = members if is_partial and body.is_valid(self.subject, members) else full
        return self.exact_request(body, sent, last_read)

    def exact_request(self, body: ObjectBody, members: Mapping[str, Any], last_read: Exchange) -> Request:
        """Return a change with these members alone."""
        request = with_if_match(self.change, body.request(members), last_read)
        return with_new_idempotency_key(self.subject, self.change, request)

    def restore(self, original: Exchange, send: Send) -> None:
        """Set the members back to what they were. Under no operation: a rejection is not a failure of it."""
        names = {property_.name for property_ in object_properties(self.subject.api, self.body().schema)}
        members = {name: value for name, value in self.members(original).items() if name in names}
        if self.body().is_valid(self.subject, members):
            send(None, self.change_request(members, self.read(send)))


def single_resources(subject: Subject) -> Iterator[SingleResource]:
    """Yield each change of a resource that has its own address. That may end in the name of one of several, such as an
    environment, if no operation creates these.
    """
    created = {each.path for each in subject.resources if each.create is not None and not _only_changes(each)}
    listed = {listing.operation.path for listing in subject.listings}
    readings = {
        operation.path: operation
        for operation in subject.operations
        if operation.method == "GET" and (operation.path not in listed or operation.path.endswith("}"))
    }
    for change in subject.operations:
        reading = readings.get(change.path)
        is_single = change.method in CHANGE_METHODS and change.path not in created
        has_schema = reading is not None and response_schema(reading, success_status(reading)) is not None
        if is_single and reading is not None and has_schema:
            yield SingleResource(subject=subject, reading=reading, change=change)


def _only_changes(resource: Resource) -> bool:
    """Return whether the request that would create a resource at an address documents no 201: it changes what is there
    (RFC 9110 §9.3.4).
    """
    statuses = (
        {response.status for response in resource.create.responses} if resource.create is not None else set()
    )
    return resource.is_created_by_put and "201" not in statuses and "2XX" not in statuses


@contextmanager
def restored_addresses(subject: Subject, send: Send) -> Iterator[None]:
    """Set resources that have their own address, such as the settings of an account, back at the end to what
    they are now: requests of all kinds change them, and nothing deletes them.
    """
    originals: list[tuple[SingleResource, Exchange]] = []
    for single in single_resources(subject):
        with suppress(Unsendable):
            originals.append((single, single.read(send)))
    try:
        yield
    finally:
        for single, original in originals:
            with suppress(Unsendable, DeploymentError):
                if single.members(original) and single.members(single.read(send)) != single.members(original):
                    single.restore(original, send)
