"""Types of resources: what their representations look like, and which members identify them and show their state."""

from collections.abc import Sequence
from dataclasses import replace

from devportal.conformance.knowledge.descriptions.described_states import target_state
from devportal.contract import Api, Operation, Property, Schema
from devportal.contract.body_schemas import success_schema
from devportal.contract.conventions import Conventions, matches_any_name
from devportal.contract.path_templates import parent_path, placeholder_names
from devportal.contract.resources import Resource, object_properties, unwrapped_schema
from devportal.mock.resources.body_schemas import sent_schema
from devportal.mock.resources.jobs import job_states
from devportal.mock.resources.nested_members import find_nested_members, resource_members
from devportal.mock.resources.plan import ResourceType
from devportal.mock.resources.resource_names import name_member_of


class ResourceTypes:
    """Makes the types of the resources of one contract."""

    def __init__(self, api: Api, conventions: Conventions) -> None:
        """Take the contract, and the names by which its members are recognised."""
        self._api = api
        self._conventions = conventions

    def make(self, resource: Resource) -> ResourceType:
        """Return the type of a resource that paths name."""
        schema = representation_schema(self._api, resource.read, resource.envelope) or representation_schema(
            self._api, resource.create, resource.envelope
        )
        if schema is None and resource.listing is not None:
            schema = resource.listing.item
        members = tuple(object_properties(self._api, schema)) if schema is not None else ()
        name_member = name_member_of(self._api, members, resource)
        is_posted = resource.create is not None and resource.create.method == "POST"
        return self.complete(
            ResourceType(
                path=resource.path.rstrip("/"),
                parameter=resource.parameter,
                key=() if name_member else resource.key,
                name_member=name_member,
                envelope=resource.envelope,
                schema=schema,
                is_created_by_put=resource.is_created_by_put and not is_posted,
                create=resource.create,
                read=resource.read,
                scope_names=placeholder_names(resource.path)[:-1],
                is_called=bool(resource.calls),
                origin_names=_origin_names(resource),
            )
        )

    def complete(self, kind: ResourceType) -> ResourceType:
        """Return a type with where its representations have its members, and with the one that holds its state."""
        sent = sent_schema(self._api, kind.create, kind.envelope)
        schemas = [schema for schema in (kind.schema, sent) if schema is not None]
        nested = find_nested_members(self._api, self._conventions, schemas, kind.key)
        return self._with_job_states(self._with_state(replace(kind, nested=nested)))

    def _with_job_states(self, kind: ResourceType) -> ResourceType:
        """Return a type with the states that it goes through by itself. One whose creation has callbacks, which would
        have to report each, goes through none.
        """
        if kind.create is not None and kind.create.callbacks:
            return kind
        members = resource_members(self._api, kind.schema, kind.nested) if kind.state else ()
        schema = next((member.schema for member in members if member.name == kind.state), None)
        if schema is None or kind.machine is not None:
            return kind
        states = [state for state in self._api.resolve(schema).enum if isinstance(state, str)]
        return replace(kind, job_states=job_states(kind.nouns, kind.create, states))

    def _with_state(self, kind: ResourceType) -> ResourceType:
        members = list(resource_members(self._api, kind.schema, kind.nested))
        for member in members:
            machine = self._api.resolve(member.schema).state_machine
            if machine is not None:
                return replace(kind, state=member.name, machine=machine)
        enumerated = [
            member
            for member in members
            if self._api.resolve(member.schema).enum
            and matches_any_name(member.name, self._conventions.state)
        ]
        if enumerated:
            return replace(kind, state=enumerated[0].name)
        return replace(kind, state=self._state_of_actions(kind, members))

    def _state_of_actions(self, kind: ResourceType, members: Sequence[Property]) -> str:
        """Return the enumerated member with a value that an action leads to, empty if there is none."""
        actions = [
            operation
            for operation in self._api.operations
            if operation.method == "POST" and parent_path(operation.path) == kind.path
        ]
        for member in members:
            values = [value for value in self._api.resolve(member.schema).enum if isinstance(value, str)]
            if values and any(target_state(action, values) for action in actions):
                return member.name
        return ""


def representation_schema(api: Api, operation: Operation | None, envelope: str) -> Schema | None:
    """Return the schema of what an operation returns, without its envelope."""
    if operation is None:
        return None
    schema = success_schema(operation)
    return unwrapped_schema(api, schema, envelope) if schema is not None else None


def _origin_names(resource: Resource) -> tuple[str, ...]:
    """Return the parameters in the path of a creation that is below another resource, empty for others."""
    create = resource.create
    return placeholder_names(create.path) if create is not None and resource.is_started else ()
