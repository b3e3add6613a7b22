"""A created resource that is taken from state to state by its actions, and read after each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.family import CheckFailure, Send
from devportal.conformance.knowledge.descriptions.described_rules import (
    CONFLICT,
)
from devportal.conformance.knowledge.failures import response_failure
from devportal.conformance.knowledge.resources.created_resources import (
    CreatedResource,
    is_success,
    read_resource,
    resource_json,
)
from devportal.conformance.knowledge.resources.operation_resources import (
    send_to,
)
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceWalk:
    """A resource that is taken from state to state; its state is in the member `state`."""

    subject: Subject
    created: CreatedResource
    state: str

    def read(self, send: Send) -> Exchange:
        """Read the resource."""
        return read_resource(self.subject, self.created.resource, self.created.id, send)

    def members(self, exchange: Exchange) -> Mapping[str, Any]:
        """Return the representation in a response, empty if there is none."""
        shown = resource_json(self.created.resource, exchange)
        return shown if is_success(exchange) and isinstance(shown, dict) else {}

    def send(self, operation: Operation, before: Exchange, send: Send) -> Exchange | None:
        """Send a valid request of an operation on the resource; return None if there is none."""
        return send_to(self.subject, self.created, operation, before, send)

    def attempt(self, operation: Operation, before: Exchange, send: Send) -> Exchange | None:
        """Send a request that a state forbids. One that conflicts is sent again with other texts: the value of a
        unique member may be the reason. Return the exchange that succeeded, or the first.
        """
        first = self.send(operation, before, send)
        if first is None or first.status != CONFLICT or operation.request_body is None:
            return first
        again = send_to(self.subject, self.created, operation, before, send, is_varied=True)
        return again if again is not None and is_success(again) else first


def effect_failure(operation: Operation, title: str, message: str, *evidence: Exchange) -> CheckFailure:
    """Return the failure of an operation on a resource, with its exchanges; the last one shows it."""
    return response_failure(operation, evidence[-1], title, message, *evidence)
