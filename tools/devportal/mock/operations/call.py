"""A valid request of an operation, with the state and the moment in which it is handled."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from devportal.contract import Operation
from devportal.contract.path_templates import placeholder_names
from devportal.mock.http.exchange import MockRequest, Moment
from devportal.mock.http.requests import ReadRequest
from devportal.mock.resources.plan import Assignment, ResourceType
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
