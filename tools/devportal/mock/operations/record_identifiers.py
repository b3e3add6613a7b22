"""Identifiers of the records of one contract: new ones, and those that paths name."""

import random
from typing import Any

from devportal.contract import Api, ParameterLocation, Schema
from devportal.contract.resources import object_properties
from devportal.contract.validate.json_schema import Direction
from devportal.contract.wire_format.deserialisation import TextReader
from devportal.documents import member_at
from devportal.mock.http.exchange import Moment
from devportal.mock.http.representation import Representations
from devportal.mock.resources.identifiers import new_identifier
from devportal.mock.resources.plain_paths import plain_path
from devportal.mock.resources.plan import ResourceType
from devportal.mock.resources.store import Scope, State


class RecordIdentifiers:
    """Makes and validates identifiers as the contract describes them, in representations and in paths."""

    def __init__(self, api: Api, representations: Representations, texts: TextReader, seed: int) -> None:
        """Take the contract, what validates values, what reads the texts of paths, and the seed."""
        self._api = api
        self._representations = representations
        self._texts = texts
        self._seed = seed
        self._schemas: dict[str, tuple[Schema | None, Schema | None]] = {}

    def random(self, moment: Moment, purpose: str) -> random.Random:
        """Return what draws the identifiers of one request: the same for the same seed and number."""
        return random.Random(f"{self._seed} {moment.serial} {purpose}")  # noqa: S311 - repeatable on purpose

    def make(self, kind: ResourceType, scope: Scope, state: State, moment: Moment) -> Any:
        """Return an identifier that no resource of a type has, in the form that the contract gives it."""
        schemas = [schema for schema in self._schemas_of_id(kind) if schema is not None]
        sample = (
            member_at(self._representations.sample(kind.schema), kind.key)
            if kind.schema is not None and kind.key
            else None
        )
        if sample is None and schemas:
            sample = self._representations.sample(schemas[0])

        def is_free(candidate: Any) -> bool:
            if state.find(kind.path, scope, str(candidate)) is not None or "/" in str(candidate):
                return False
            return self.is_allowed(kind, candidate)

        resolved = [self._api.resolve(schema) for schema in schemas]
        new = new_identifier(resolved, sample, moment.serial, self.random(moment, kind.path), is_free)
        return new if new is not None else sample if sample is not None else str(moment.serial)

    def is_allowed(self, kind: ResourceType, candidate: Any) -> bool:
        """Say whether the contract allows an identifier, in representations and in paths."""
        member, parameter = self._schemas_of_id(kind)
        if member is not None and not self._representations.is_valid(member, candidate):
            return False
        if parameter is None:
            return True
        value = self._texts.read(parameter, str(candidate))
        return self._representations.is_valid(parameter, value, Direction.REQUEST)

    def read(self, kind: ResourceType, text: str) -> Any:
        """Return the identifier in a path as a representation has it."""
        schema = self._schemas_of_id(kind)[0]
        return self._texts.read(schema, text) if schema is not None else text

    def _schemas_of_id(self, kind: ResourceType) -> tuple[Schema | None, Schema | None]:
        """Return the schemas of an identifier: in representations, and in paths."""
        if kind.path not in self._schemas:
            self._schemas[kind.path] = self._id_member_schema(kind), self._id_parameter_schema(kind)
        return self._schemas[kind.path]

    def _id_member_schema(self, kind: ResourceType) -> Schema | None:
        schema = kind.schema
        for name in kind.key:
            members = object_properties(self._api, schema) if schema is not None else ()
            schema = next((member.schema for member in members if member.name == name), None)
        return schema if kind.key else None

    def _id_parameter_schema(self, kind: ResourceType) -> Schema | None:
        for operation in self._api.operations:
            if kind.parameter and plain_path(operation.path).rstrip("/") == kind.path:
                for parameter in operation.parameters:
                    if parameter.location_in is ParameterLocation.PATH and parameter.name == kind.parameter:
                        return parameter.schema
        return None
