"""The resource that a trigger is about: the one that it creates, or the one in its path."""

from collections.abc import Iterable
from dataclasses import dataclass

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import Send
from devportal.conformance.knowledge.resources.created_resources import create_resource
from devportal.conformance.knowledge.resources.operation_resources import is_within
from devportal.conformance.knowledge.subject import Subject, with_resource_id
from devportal.contract import Operation
from devportal.contract.resources import Resource


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTarget:
    """A new resource for a trigger to act on. The requests of `subject` are about it; `creations` are the
    exchanges that created it and the resources above it.
    """

    subject: Subject
    id: str
    creations: tuple[Exchange, ...]


def triggered_resource(subject: Subject, operation: Operation) -> Resource | None:
    """Return the resource type that a trigger creates, else the innermost one in its path; None if there is
    none.
    """
    created = next((resource for resource in subject.resources if resource.create is operation), None)
    return created or next(reversed(_resources_in_path(subject, operation)), None)


def creates_resource(subject: Subject, operation: Operation) -> bool:
    """Return whether an operation is known to create a resource."""
    return any(resource.create is operation for resource in subject.resources)


def create_target(
    subject: Subject, operation: Operation, send: Send, *, shared_with: Iterable[Operation] = ()
) -> NewTarget | None:
    """Create the resource in the path of an operation, and resources above it if that takes new ones too.

    Resources above the paths of `shared_with`, such as the account that subscribed, stay as they are. None if
    the contract has no way to create one, or the deployment refuses it.
    """
    shared_paths = {resource.path for other in shared_with for resource in _resources_in_path(subject, other)}
    resources = [
        resource
        for resource in _resources_in_path(subject, operation)
        if resource.create is not None and resource.path not in shared_paths
    ]
    for first in reversed(range(len(resources))):
        target = _create_each(subject, resources[first:], send)
        if target is not None:
            return target
    return None


def _create_each(subject: Subject, resources: Iterable[Resource], send: Send) -> NewTarget | None:
    creations: list[Exchange] = []
    resource_id = ""
    for resource in resources:
        try:
            created = create_resource(subject, resource, send)
        except Unsendable:
            return None
        creations.append(created.exchange)
        resource_id = created.id
        subject = with_resource_id(subject, resource, resource_id)
    return NewTarget(subject=subject, id=resource_id, creations=tuple(creations))


def _resources_in_path(subject: Subject, operation: Operation) -> list[Resource]:
    """Return the resource types in the path of an operation, parents first."""
    return [resource for resource in subject.resources if is_within(operation, resource)]
