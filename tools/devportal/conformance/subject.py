"""What is tested: the contract's operations at an address, and how to make a request that should succeed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from devportal.conformance.credentials import slots
from devportal.conformance.exchange import Exchange, Request
from devportal.conformance.valid_request import valid_request
from devportal.contract import Api, Contract, Location, Operation
from devportal.contract.validation import Validator


def label(operation: Operation) -> str:
    """Return how an operation is called in results, as Schemathesis calls it: `POST /v1/messages`."""
    return f"{operation.method} {operation.path}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The contract, the operations that are tested, and where. The token is never shown."""

    contract: Contract
    operations: tuple[Operation, ...]
    base_url: str
    token: str = field(repr=False)
    validator: Validator

    @property
    def api(self) -> Api:
        """The model of the contract."""
        return self.contract.api

    def operation(self, name: str) -> Operation | None:
        """Return the operation of a label, None where there is none."""
        return next((one for one in self.operations if label(one) == name), None)

    def bare(self, operation: Operation) -> Request | None:
        """Return a valid request without credentials, None where its body cannot be written."""
        return valid_request(self.api, operation, self.base_url)

    def authorised(self, operation: Operation, request: Request) -> Request:
        """Return the request with the credentials that the operation demands."""
        for slot in (slots(self.api, operation) or ()) if self.token else ():
            request = slot.fill(request, self.token)
        return request

    def valid(self, operation: Operation) -> Request | None:
        """Return a valid request with credentials, None where its body cannot be written."""
        request = self.bare(operation)
        return None if request is None else self.authorised(operation, request)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A promise that exchanges break. The title tells faults of one family and operation apart."""

    title: str
    message: str
    operation: str
    promise: Location | None
    evidence: tuple[Exchange, ...]


Send = Callable[[Operation | None, Request], Exchange]


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """One question to a deployment; asked once more where the answer is a fault."""

    operation: str
    run: Callable[[Send], Iterator[Fault]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A family of checks: probes that it sends itself, and what it sees in all exchanges of a run.

    `sees` judges exchanges, those of Schemathesis too where `sees_all`, and must do so from their
    contents alone: a fault that it sees is confirmed by sending its evidence again.
    """

    name: str
    summary: str
    probes: Callable[[Subject], Iterator[Probe]] | None = None
    sees: Callable[[Subject, tuple[Exchange, ...]], Iterator[Fault]] | None = None
    sees_all: bool = True
