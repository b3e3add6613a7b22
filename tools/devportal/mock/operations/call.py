"""A valid request of an operation, with the state and the moment in which it is handled."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from devportal.conformance.knowledge.response_check import documents_exact_status
from devportal.contract import Operation
from devportal.contract.path_templates import placeholder_names
from devportal.mock.http.exchange import MockRequest, Moment
from devportal.mock.http.requests import ReadRequest
from devportal.mock.resources.plain_paths import plain_path
from devportal.mock.resources.plan import Assignment, ResourceType, Role
from devportal.mock.resources.store import Scope, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A valid request of an operation, and what it is about."""

    assignment: Assignment
    request: MockRequest
    read: ReadRequest
    values: Mapping[str, str]
    state: State
    moment: Moment
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def operation(self) -> Operation:
        """The operation that was called, as the contract has it."""
        return self.assignment.operation

    @property
    def type(self) -> ResourceType:
        """The type of resource that the operation belongs to."""
        assert self.assignment.type is not None  # noqa: S101 - only examples have none
        return self.assignment.type

    @property
    def scope(self) -> Scope:
        """Where the resource is: the values of the path before its identifier."""
        return self.address_of(self.type)[0]

    @property
    def origin(self) -> Scope:
        """The values of the path, if resources of the type are created and listed below others (shallow nesting)."""
        if not self.type.origin_names:
            return ()
        return tuple(self.values.get(name, "") for name in placeholder_names(self.operation.path))

    @property
    def id(self) -> str:
        """The identifier in the path, empty for what there is one of."""
        return "" if self.type.is_single else self.address_of(self.type)[1]

    @property
    def can_create_at_address(self) -> bool:
        """Whether the request creates what does not exist at its address (RFC 9110 §9.3.4): `PUT` of what is created by
        `PUT` alone, or `PUT` and `PATCH` with members that document 201 and no 404 (RFC 5789 §2), or `POST` of what no
        other operation creates.
        """
        if self.operation.method == "POST":
            is_at_address = plain_path(self.operation.path).rstrip("/") == self.type.path
            return is_at_address and self.assignment.role is Role.CREATE
        documents_creation = documents_exact_status(self.operation, 201)
        is_chosen = documents_creation and not documents_exact_status(self.operation, 404)
        if self.operation.method == "PATCH":
            return is_chosen and isinstance(self.read.body, dict)
        return self.operation.method == "PUT" and (
            self.type.is_single or self.type.is_created_by_put or is_chosen
        )

    def address_of(self, kind: ResourceType) -> tuple[Scope, str]:
        """Return where a resource of a type is that the path goes through, and its identifier, empty if the path ends
        before it. Paths may name one parameter differently: the places count. Procedures name it in their bodies.
        """
        if kind.is_called:
            body = self.read.body
            return (), str(body.get(kind.parameter, "")) if isinstance(body, dict) else ""
        values = [self.values.get(name, "") for name in placeholder_names(self.operation.path)]
        count = len(kind.scope_names)
        return tuple(values[:count]), values[count] if len(values) > count else ""
