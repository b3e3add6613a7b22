"""What is tested: the contract's operations at an address, as whom, and what a good request looks like."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from devportal.conformance.conventions import Conventions, default_conventions
from devportal.conformance.deployment.credentials import Credential, CredentialSet, Role, credential_slots
from devportal.conformance.deployment.exchange import Request
from devportal.conformance.knowledge.resources import Listing, Resource, find_listings, find_resources
from devportal.conformance.knowledge.valid_request import valid_request
from devportal.contract import Api, Contract, Operation
from devportal.contract.validate.validator import Validator


def operation_label(operation: Operation) -> str:
    """Return how an operation is called in results, as Schemathesis calls it: `POST /v1/orders`."""
    return f"{operation.method} {operation.path}"


@dataclass(frozen=True, kw_only=True)
class Subject:
    """The contract, the operations that are tested, where, and as whom.

    `values` gives what parameters are filled with instead of their examples: by the path of the thing
    (`/v1/parcels/{parcelId}`) or by the name of the parameter. `plugins` holds the settings of each
    plug-in whose checks run. `shared` are the labels of operations on what every account sees.
    `slowest_p95_ms` is the longest that 95 of 100 answers may take, None where nobody has said.
    """

    contract: Contract
    operations: tuple[Operation, ...]
    base_url: str
    parties: CredentialSet = field(default_factory=CredentialSet)
    validator: Validator
    conventions: Conventions = field(default_factory=default_conventions)
    values: Mapping[str, str] = field(default_factory=dict)
    shared: frozenset[str] = frozenset()
    plugins: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    slowest_p95_ms: float | None = None
    undocumented_fails: bool = False
    """Whether what the contract neither has nor forbids is a failure."""
    keeps_nothing: bool = False
    """Whether a mock answers: it keeps nothing of what it is told."""

    @property
    def secret(self) -> str:
        """The main secret, empty where the run has none."""
        return self.parties.main.secret if self.parties.main is not None else ""

    @property
    def api(self) -> Api:
        """The model of the contract."""
        return self.contract.api

    @cached_property
    def resources(self) -> tuple[Resource, ...]:
        """The kinds of things that the API holds, of those operations that are tested."""
        return tuple(find_resources(replace(self.api, operations=self.operations), self.conventions))

    @cached_property
    def listings(self) -> tuple[Listing, ...]:
        """The tested operations that answer with items."""
        return tuple(find_listings(replace(self.api, operations=self.operations), self.conventions))

    def operation(self, name: str) -> Operation | None:
        """Return the operation of a label, None where there is none."""
        return self._by_label.get(name)

    @cached_property
    def _by_label(self) -> Mapping[str, Operation]:
        return {operation_label(one): one for one in self.operations}

    def bare(self, operation: Operation) -> Request | None:
        """Return a valid request without credentials, None where its body cannot be written."""
        unique_names = self.conventions.idempotency_key
        return valid_request(self.api, operation, self.base_url, self.values, unique_names)

    def authorised(self, operation: Operation, request: Request, party: Credential | None = None) -> Request:
        """Return the request with what the operation demands, of the main party or another."""
        credential = party or self.parties.main
        for slot in (credential_slots(self.api, operation) or ()) if credential is not None else ():
            request = slot.fill(request, credential.secret if credential is not None else "")
        return request

    def valid(self, operation: Operation, party: Credential | None = None) -> Request | None:
        """Return a valid request with credentials, None where its body cannot be written."""
        request = self.bare(operation)
        return None if request is None else self.authorised(operation, request, party)

    def other(self, role: Role) -> Credential | None:
        """Return the first other party of a role, None where the run has none."""
        return self.parties.of(role)

    def with_values(self, values: Mapping[str, str]) -> "Subject":
        """Return the subject with more values for parameters; those declared before stay."""
        return replace(self, values={**values, **self.values})
