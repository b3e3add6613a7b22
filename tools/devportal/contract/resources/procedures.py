"""Finds the resource types of an API whose operations are procedures: `POST /rpc/GetQuiz` takes the identifier in its
body, and no path has it.

The names of the operations are all that shows what they do, so that each has a verb of `PROCEDURES` and the same noun
as the others: `CreateQuiz` and `GetQuiz`, `/quizzes.create` and `/quizzes.get`, `/quiz/create` and `/quiz/get`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from devportal.contract.body_schemas import request_schema, success_schema
from devportal.contract.model import Api, Operation
from devportal.contract.path_templates import last_segment, parent_path
from devportal.contract.resources import Resource, object_properties
from devportal.contract.schemas import Property, Schema
from devportal.contract.titles.nouns import make_singular
from devportal.contract.wording import name_words

Task = Literal["create", "read", "change", "delete"]
PROCEDURES: Mapping[str, Task] = {
    **dict.fromkeys(("add", "create", "register"), "create"),
    **dict.fromkeys(("describe", "fetch", "get", "info", "read", "retrieve", "show"), "read"),
    **dict.fromkeys(("change", "edit", "modify", "update"), "change"),
    **dict.fromkeys(("delete", "destroy", "remove"), "delete"),
}
"""What operations do by the verb in their names."""
_IDENTIFIERS = frozenset({"id", "key", "uuid"})
"""The last words in names of identifiers. A name has more words: each type of resources may have an `id`."""
_SHORTEST_IDENTIFIER = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class _Procedure:
    """An operation that is a procedure: the words of its path without the verb, and the members of its body."""

    operation: Operation
    task: Task | None
    nouns: tuple[str, ...]
    members: tuple[Property, ...]

    @property
    def identifier(self) -> str:
        """Return the only member that it requires if it is an identifier, else an empty text."""
        names = [member.name for member in self.members if member.required]
        words = name_words(names[0]) if len(names) == 1 else ()
        is_identifier = len(words) >= _SHORTEST_IDENTIFIER and words[-1] in _IDENTIFIERS
        return names[0] if is_identifier else ""


def find_called_resources(api: Api) -> tuple[Resource, ...]:
    """Return the resource types that procedures create and read, in the order of the contract. Their paths are those
    of their creations, with the identifier instead of the procedure: `/rpc/{quizId}`.
    """
    procedures = tuple(_procedures(api))
    found: dict[str, Resource] = {}
    for read in procedures:
        for create in procedures:
            resource = _called_resource(api, procedures, create, read)
            if resource is not None:
                found.setdefault(resource.path, resource)
    return tuple(found.values())


def _procedures(api: Api) -> Iterator[_Procedure]:
    for operation in api.operations:
        if operation.method != "POST" or "{" in operation.path:
            continue
        schema = request_schema(operation)
        task, nouns = _task_and_nouns(operation.path)
        members = tuple(object_properties(api, schema)) if schema is not None else ()
        yield _Procedure(operation=operation, task=task, nouns=nouns, members=members)


def _task_and_nouns(path: str) -> tuple[Task | None, tuple[str, ...]]:
    words = name_words(last_segment(path))
    verb = next((word for word in (*words[:1], *words[-1:]) if word in PROCEDURES), None)
    nouns = (*name_words(parent_path(path)), *(word for word in words if word != verb))
    return PROCEDURES[verb] if verb is not None else None, tuple(map(make_singular, nouns))


def _called_resource(
    api: Api, procedures: tuple[_Procedure, ...], create: _Procedure, read: _Procedure
) -> Resource | None:
    identifier = read.identifier
    is_pair = (create.task, read.task) == ("create", "read") and create.nouns == read.nouns
    if not is_pair or not identifier or any(member.name == identifier for member in create.members):
        return None
    envelopes = [_envelope_with(api, procedure.operation, identifier) for procedure in (create, read)]
    if envelopes[0] is None or envelopes[0] != envelopes[1]:
        return None
    calls = tuple(
        procedure
        for procedure in procedures
        if any(member.name == identifier and member.required for member in procedure.members)
    )
    own = [procedure for procedure in calls if procedure.nouns == read.nouns]
    return Resource(
        path=f"{parent_path(create.operation.path)}/{{{identifier}}}",
        parameter=identifier,
        key=(identifier,),
        is_key_sure=True,
        envelope=envelopes[0],
        create=create.operation,
        read=read.operation,
        changes=tuple(procedure.operation for procedure in own if procedure.task == "change"),
        delete=next((procedure.operation for procedure in own if procedure.task == "delete"), None),
        calls=tuple(procedure.operation for procedure in calls),
    )


def _envelope_with(api: Api, operation: Operation, identifier: str) -> str | None:
    """Return the only member of a response whose object has an identifier, empty if the response has it itself, None
    if neither is so.
    """
    schema = success_schema(operation)
    members = tuple(object_properties(api, schema)) if schema is not None else ()
    if any(member.name == identifier for member in members):
        return ""
    holders = [
        member.name
        for member in members
        if any(inner.name == identifier for inner in object_properties(api, member.schema))
    ]
    return holders[0] if len(holders) == 1 else None


def identifier_schema(api: Api, resource: Resource) -> Schema | None:
    """Return the schema of the value that identifies a resource in requests: of the last parameter of its path, or of
    a member of bodies; None if none is known.
    """
    operation = resource.read or resource.delete
    if operation is None:
        return None
    if resource.calls:
        body = request_schema(operation)
        members = object_properties(api, body) if body is not None else ()
        return next((member.schema for member in members if member.name == resource.parameter), None)
    return next(
        (parameter.schema for parameter in operation.parameters if parameter.name == resource.parameter), None
    )
