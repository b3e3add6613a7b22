"""What rules of operations and their parts look at: the same part in the old and in the new contract."""

from dataclasses import dataclass, field
from enum import StrEnum

from devportal.contract import (
    Callback,
    Operation,
    RequestBody,
    Response,
    Server,
    Webhook,
)
from devportal.differ.contract_sources import Contracts
from devportal.differ.policy import Policy
from devportal.differ.rule import Direction


@dataclass(frozen=True, kw_only=True)
class DocumentPair:
    """Two contracts as a whole."""

    contracts: Contracts = field(repr=False)

    @property
    def policy(self) -> Policy:
        """Return the policy of the comparison."""
        return self.contracts.policy


class OperationChangeKind(StrEnum):
    """What happened to an operation; `REGROUPED` are those at the same URLs, written as other paths."""

    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"
    RESPELLED = "respelled"
    REGROUPED = "regrouped"


@dataclass(frozen=True, kw_only=True)
class OperationChange:
    """An operation that was added, removed or moved: `old` is None if it was added, `new` if it was removed.

    `is_new_path` says whether no operation of the old contract had the path.
    """

    kind: OperationChangeKind
    old: Operation | None = None
    new: Operation | None = None
    is_new_path: bool = False
    contracts: Contracts = field(repr=False)

    @property
    def policy(self) -> Policy:
        """Return the policy of the comparison."""
        return self.contracts.policy


@dataclass(frozen=True, kw_only=True)
class OperationPair:
    """One operation in both contracts; `sends` is the direction of its parameters and request body.

    That is from the consumer to the provider for an operation, and the reverse for a webhook or callback.
    """

    old: Operation
    new: Operation
    contracts: Contracts = field(repr=False)
    sends: Direction = Direction.TO_PROVIDER
    is_moved: bool = False
    """Whether it has another address altogether, so that placeholders are not compared."""
    new_event: str = ""
    """What the event is called in the new contract, empty for what has no name that is sent."""

    @property
    def policy(self) -> Policy:
        """Return the policy of the comparison."""
        return self.contracts.policy

    @property
    def is_event(self) -> bool:
        """Say whether the provider sends the request: a webhook, or a callback."""
        return self.sends is Direction.TO_CONSUMER


@dataclass(frozen=True, kw_only=True)
class BodyPair:
    """The request bodies of an operation in both contracts; one of them may be absent."""

    old: RequestBody | None
    new: RequestBody | None
    operation: OperationPair = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class ResponsePair:
    """The response for one status in both contracts."""

    old: Response
    new: Response
    operation: OperationPair = field(repr=False)

    @property
    def narrower_status(self) -> str:
        """Return its status; the listed one if the other is a range."""
        return self.old.status if self.old.status.isdecimal() else self.new.status


@dataclass(frozen=True, kw_only=True)
class ServerPair:
    """The servers that apply somewhere in both contracts: to the whole, or to one operation."""

    old: tuple[Server, ...]
    new: tuple[Server, ...]
    contracts: Contracts = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class WebhookPair:
    """An event in both contracts; one of them may not have it."""

    old: Webhook | None
    new: Webhook | None
    contracts: Contracts = field(repr=False)

    @property
    def policy(self) -> Policy:
        """Return the policy of the comparison."""
        return self.contracts.policy


@dataclass(frozen=True, kw_only=True)
class CallbackPair:
    """A callback of an operation in both contracts; one of them may not have it."""

    old: Callback | None
    new: Callback | None
    contracts: Contracts = field(repr=False)
