"""Operations that create several resources of a type with one request: they take a list of what a creation takes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from devportal.contract import Api, MediaType, Operation, Schema
from devportal.contract.body_schemas import success_schema
from devportal.contract.path_templates import parent_path
from devportal.contract.resources import Resource, object_properties


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkOperation:
    """An operation that creates several resources of a type. `sent` and `shown` are the members that hold them
    in the request and in its response, empty if a body is the list itself; `item` and `shown_item` are the schemas of
    what these lists hold.
    """

    resource: Resource
    operation: Operation
    sent: str
    shown: str
    item: Schema
    shown_item: Schema


def find_bulk_operations(
    api: Api,
    operations: Sequence[Operation],
    resources: Sequence[Resource],
    schema_of: Callable[[Operation], Schema | None],
) -> Iterator[BulkOperation]:
    """Yield the POST operations that take a list of what a creation takes, and respond 2xx with a list. One with
    parameters in its path is right below that of the creation: `/projects/{id}/tasks/bulk`. `schema_of` returns the
    schema of an operation's body.
    """
    for operation in operations:
        sent = list_member(api, schema_of(operation)) if operation.method == "POST" else None
        shown = list_member(api, success_schema(operation))
        if sent is None or shown is None:
            continue
        item, above = api.resolve(sent[1]), parent_path(operation.path)
        for resource in resources:
            create = resource.create
            if create is None or create is operation or ("{" in operation.path and create.path != above):
                continue
            schema = schema_of(create)
            is_same = schema is not None and api.resolve(schema).location == item.location
            if is_same and resource.read is not None and resource.key:
                yield BulkOperation(
                    resource=resource,
                    operation=operation,
                    sent=sent[0],
                    shown=shown[0],
                    item=sent[1],
                    shown_item=shown[1],
                )
                break


def creation_of_item(api: Api, operation: Operation) -> Operation | None:
    """Return the creation of one of the resources that an operation takes and returns a list of: its bodies are the
    items. None if its bodies are not lists.
    """
    body = operation.request_body
    sent = _with_items(api, body.content) if body is not None else ()
    shown = {response.status: _with_items(api, response.content) for response in operation.successes}
    if body is None or not sent or not any(shown.values()):
        return None
    responses = tuple(
        replace(response, content=shown.get(response.status) or response.content)
        for response in operation.responses
    )
    return replace(operation, request_body=replace(body, content=sent), responses=responses)


def _with_items(api: Api, content: Sequence[MediaType]) -> tuple[MediaType, ...]:
    """Return media types with the items of their lists for schemas; empty if one is not a list."""
    found = []
    for media_type in content:
        whole = api.resolve(media_type.schema) if media_type.schema is not None else None
        if whole is None or whole.types != ("array",) or whole.items is None:
            return ()
        found.append(replace(media_type, schema=whole.items, examples=()))
    return tuple(found)


def list_member(api: Api, schema: Schema | None) -> tuple[str, Schema] | None:
    """Return the only member that is a list and the schema of its items; the name is empty for a list itself."""
    if schema is None:
        return None
    whole = api.resolve(schema)
    if "array" in whole.types:
        return ("", whole.items) if whole.items is not None else None
    members = [(property_.name, api.resolve(property_.schema)) for property_ in object_properties(api, whole)]
    lists = [
        (name, subschema.items)
        for name, subschema in members
        if "array" in subschema.types and subschema.items is not None
    ]
    return lists[0] if len(lists) == 1 else None
