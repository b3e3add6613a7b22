"""The subject of a run: the contract's operations, their base URL, the credentials, and valid requests."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from devportal.conformance.deployment.credentials import Credential, CredentialSet, Role, credential_slots
from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.expectations import ExpectedResponse, LatencyLimits
from devportal.conformance.knowledge.requests.valid_request import (
    cursor_members,
    valid_request,
    without_members,
)
from devportal.contract import Api, Contract, Operation
from devportal.contract.conventions import Conventions, default_conventions
from devportal.contract.resources import (
    Listing,
    Resource,
    find_listings,
    find_resources,
    with_nested_collection,
)
from devportal.contract.resources.flat_parameters import has_paging_object
from devportal.contract.resources.procedures import find_called_resources
from devportal.contract.validate.validator import Validator
from devportal.errors import InvalidSettings
from devportal.suggestions import suggest_name


def operation_label(operation: Operation) -> str:
    """Return the name of an operation in results, as Schemathesis writes it: `POST /v1/orders`."""
    return f"{operation.method} {operation.path}"


def exchanges_by_operation(
    operations: Iterable[Operation], exchanges: Iterable[Exchange]
) -> dict[str, list[Exchange]]:
    """Return the exchanges of each operation itself (`is_own_exchange`) by its label."""
    labelled = {operation_label(operation): operation for operation in operations}
    found: dict[str, list[Exchange]] = {label: [] for label in labelled}
    for exchange in exchanges:
        labels = [exchange.operation] if exchange.operation else labelled
        for label in labels:
            if label in labelled and is_own_exchange(labelled[label], exchange):
                found[label].append(exchange)
    return found


def is_own_exchange(operation: Operation, exchange: Exchange) -> bool:
    """Return whether an exchange is one of an operation itself, with its method: checks send OPTIONS, HEAD and
    undeclared methods to its path under its label, and their responses say nothing about the operation. Checks that
    accept any response send without a label, which is the operation's own if its path is fixed.
    """
    if exchange.request.method.upper() != operation.method.upper():
        return False
    if exchange.operation:
        return exchange.operation == operation_label(operation)
    return "{" not in operation.path and urlsplit(exchange.request.url).path.endswith(operation.path)


def has_succeeded(operation: Operation, exchanges: Iterable[Exchange]) -> bool:
    """Return whether a request of an operation itself got a 2xx."""
    return any(exchange.is_success and is_own_exchange(operation, exchange) for exchange in exchanges)


def named_operation(operations: Iterable[Operation], name: str) -> Operation | None:
    """Return the operation that settings name by its operationId or as `METHOD /path`, None if there is none."""
    return next(
        (operation for operation in operations if name in (operation.id, operation_label(operation))), None
    )


def require_operation_named(operations: Iterable[Operation], name: str, *, settings_path: str) -> Operation:
    """Return the operation that settings name; raises InvalidSettings if the contract has none."""
    known = tuple(operations)
    found = named_operation(known, name)
    if found is not None:
        return found
    names = [text for operation in known for text in (operation.id, operation_label(operation))]
    raise InvalidSettings(
        f"{settings_path}: the contract has no operation {name!r}",
        help=suggest_name(name, names, "give an operationId, or 'METHOD /path'"),
    )


@dataclass(frozen=True, kw_only=True)
class Subject:
    """The contract, the tested operations, their base URL and the credentials.

    `values` replace the examples of parameters: by the path of the resource (`/v1/parcels/{parcelId}`) or by
    the name of the parameter. `plugins` holds the settings of each plug-in whose checks run. `shared` holds
    the labels of operations that every account sees. `latency` is how long responses may take, `expected` what
    they must hold.
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
    latency: LatencyLimits = field(default_factory=LatencyLimits)
    expected: tuple[ExpectedResponse, ...] = ()
    undocumented_fails: bool = False
    """Whether undocumented members and headers that the contract does not forbid are failures."""
    keeps_nothing: bool = False
    """Whether the deployment is a mock, which stores nothing."""
    omitted: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Optional members that name nothing that exists, by the label of an operation: its requests lack them."""
    chosen: frozenset[str] = frozenset()
    """The paths of resources that a probe has chosen, such as a new parent: what it creates names these."""

    @property
    def secret(self) -> str:
        """The main secret, empty if the run has none."""
        return self.parties.main.secret if self.parties.main is not None else ""

    @property
    def api(self) -> Api:
        """The model of the contract."""
        return self.contract.api

    @cached_property
    def resources(self) -> tuple[Resource, ...]:
        """The resource types of the tested operations."""
        api = replace(self.api, operations=self.operations)
        by_path = (
            with_nested_collection(api, resource, self.listings)
            for resource in find_resources(api, self.conventions)
        )
        return (*by_path, *find_called_resources(api))

    @cached_property
    def reference_names(self) -> tuple[str, ...]:
        """The names of members that hold the identifier of a resource of these types."""
        return tuple(name for resource in self.resources for name in resource.reference_names)

    def names_of_others(self, create: Operation) -> tuple[str, ...]:
        """Return the names of members that hold the identifier of another resource than the one that is created: its
        own may be chosen by the client, such as a `slug`.
        """
        others = (resource for resource in self.resources if resource.create is not create)
        return tuple(name for resource in others for name in resource.reference_names)

    @cached_property
    def listings(self) -> tuple[Listing, ...]:
        """The tested operations that return items, without those whose pages an object in the query decides, such as
        `pageable` of springdoc: the run does not know how to ask for all of them.
        """
        found = find_listings(replace(self.api, operations=self.operations), self.conventions)
        return tuple(
            listing
            for listing in found
            if not has_paging_object(self.api, self.conventions, listing.operation)
        )

    def operation(self, name: str) -> Operation | None:
        """Return the operation of a label, None if there is none."""
        return self._by_label.get(name)

    @cached_property
    def _by_label(self) -> Mapping[str, Operation]:
        return {operation_label(operation): operation for operation in self.operations}

    def bare(self, operation: Operation) -> Request | None:
        """Return a valid request without credentials, None if its body cannot be written."""
        unique_names = self.conventions.idempotency_key
        request = valid_request(self.api, operation, self.base_url, self.values, unique_names)
        omitted = self.omitted.get(operation_label(operation), frozenset()) | cursor_members(
            self.api, operation, self.conventions.cursor
        )
        return without_members(request, omitted) if request is not None and omitted else request

    def with_credential(
        self, operation: Operation, request: Request, party: Credential | None = None
    ) -> Request:
        """Return the request with the credential that the operation requires, by default the main one."""
        credential = party or self.parties.main
        for slot in (credential_slots(self.api, operation) or ()) if credential is not None else ():
            request = slot.fill(request, credential.secret if credential is not None else "")
        return request

    def valid(self, operation: Operation, party: Credential | None = None) -> Request | None:
        """Return a valid request with credentials, None if its body cannot be written."""
        request = self.bare(operation)
        return None if request is None else self.with_credential(operation, request, party)

    def reading(self, operation: Operation, url: str) -> Request:
        """Return the request for an address that the deployment gave out, with what an operation requires beside an
        address: credentials and, if it reads, the headers and cookies that are its parameters.
        """
        bare = self.bare(operation) if operation.method == "GET" else None
        headers = bare.headers if bare is not None else ()
        return self.with_credential(operation, Request(method="GET", url=url, headers=headers))

    def other(self, role: Role) -> Credential | None:
        """Return the first other credential of a role, None if the run has none."""
        return self.parties.of(role)

    def with_values(self, values: Mapping[str, str]) -> "Subject":
        """Return the subject with more values for parameters; existing ones take precedence."""
        return replace(self, values={**values, **self.values})


def with_resource_id(subject: Subject, resource: Resource, resource_id: str) -> Subject:
    """Return the subject whose requests are about the resource that a value names."""
    others = {name: given for name, given in subject.values.items() if name != resource.parameter}
    chosen = subject.chosen | {resource.value_key}
    return replace(subject, values={**others, resource.value_key: resource_id}, chosen=chosen)
