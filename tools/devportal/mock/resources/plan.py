"""What each operation of a contract does with which type of resource: the plan of a mock."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from devportal.contract import Api, Operation, Schema, StateMachine
from devportal.contract.conventions import Conventions
from devportal.contract.path_templates import parent_path, singular
from devportal.contract.resources import Listing
from devportal.contract.resources.bulk_creations import BulkOperation
from devportal.contract.wording import name_words
from devportal.mock.resources.nested_members import NestedMembers

OperationKey = tuple[str, str]
"""Method and path: what identifies an operation."""


class Role(StrEnum):
    """What an operation does with a resource."""

    LIST = "list"
    CREATE = "create"
    READ = "read"
    REPLACE = "replace"
    UPDATE = "update"
    DELETE = "delete"
    CREATE_MANY = "create many"
    DELETE_MANY = "delete many"
    CHANGE_MATCHING = "change matching"
    DELETE_MATCHING = "delete matching"
    ACTION = "act"
    EXAMPLE = "example"


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class ResourceType:
    """A type of resource. `path` is where one is, `parameter` the name of its identifier in the path (empty if its
    address has none), `key` leads to the identifier in a representation, `envelope` is the member of bodies that holds
    the representation. A type that `is_single` has one resource, which always exists.
    """

    path: str
    parameter: str = ""
    key: tuple[str, ...] = ()
    name_member: str = ""
    """The member with the end of its address (AIP-122), such as `events/42`. Then `key` is empty."""
    envelope: str = ""
    schema: Schema | None = None
    nested: NestedMembers = field(default_factory=dict)
    """The members that records have beside the others, and representations in another one, such as `attributes`."""
    is_single: bool = False
    is_created_by_put: bool = False
    is_called: bool = False
    """Whether requests name a resource in their bodies, since no path does (`contract.resources.procedures`)."""
    is_delivery_log: bool = False
    """Whether it lists what was sent to receivers that clients subscribe."""
    create: Operation | None = None
    read: Operation | None = None
    scope_names: tuple[str, ...] = ()
    """The parameters of the path before the identifier."""
    origin_names: tuple[str, ...] = ()
    """The parameters in the path of its creation, if that is below another resource (shallow nesting): `site_id` for
    `/meters/{meter_id}` and `POST /sites/{site_id}/meters`.
    """
    state: str = ""
    """The member that holds the state, empty if none has a state machine or an enumeration."""
    machine: StateMachine | None = None
    job_states: tuple[str, ...] = ()
    """The states that it goes through by itself, in their order, if it is work and has no state machine."""

    @property
    def label(self) -> str:
        """The type as people know it: its path."""
        return self.path if self.parameter or self.is_single else parent_path(self.path) or self.path

    @property
    def nouns(self) -> tuple[str, ...]:
        """The words for one resource of the type: those of the last fixed segment of its path."""
        fixed = [part for part in self.path.split("/") if part and "{" not in part]
        return tuple(singular(word) for word in name_words(fixed[-1])) if fixed else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """What an operation does: its role, the type of resource, and how it lists."""

    operation: Operation
    role: Role
    type: ResourceType | None = None
    listing: Listing | None = None
    bulk: BulkOperation | None = None
    """Where a creation of several has them in its bodies, None if its bodies are lists of them."""
    ancestors: tuple[ResourceType, ...] = ()
    """The types of the resources that its path goes through: they must exist."""
    owner: tuple[str, ResourceType] | None = None
    """The member that says to whom the items of a list belong, and the type of that: `customer_id` and
    `/customers/{id}` for `/customers/{id}/orders`, if orders are at `/orders/{id}`. None for lists of all.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What each operation of a contract does."""

    api: Api
    conventions: Conventions
    types: tuple[ResourceType, ...]
    assignments: Mapping[OperationKey, Assignment] = field(default_factory=dict)

    def assignment(self, operation: Operation) -> Assignment:
        """Return what an operation does."""
        return self.assignments[operation.method, operation.path]

    def type_at(self, path: str) -> ResourceType | None:
        """Return the type whose resources are at a path, None if there is none."""
        return next((type_ for type_ in self.types if type_.path == path), None)
