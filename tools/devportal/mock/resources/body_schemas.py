"""The schemas of the bodies of operations, and where requests name several resources."""

from devportal.contract import Api, Operation, Parameter, ParameterLocation, Schema
from devportal.contract.media_types import json_media_type
from devportal.contract.resources import object_properties, unwrapped_schema


def sent_schema(api: Api, operation: Operation | None, envelope: str) -> Schema | None:
    """Return the schema of what an operation sends of a resource, without its envelope, None if it sends nothing."""
    schema = first_request_schema(operation) if operation is not None else None
    return unwrapped_schema(api, schema, envelope) if schema is not None else None


def first_request_schema(operation: Operation) -> Schema | None:
    """Return the schema of the body of a request: that in JSON, or else the first."""
    content = operation.request_content
    media_type = json_media_type(content) or next(iter(content), None)
    return media_type.schema if media_type is not None else None


def identifiers_member(api: Api, operation: Operation) -> str | None:
    """Return the only member of a body that is a list of texts or numbers; empty if the body is that list, None if
    there is none.
    """
    schema = first_request_schema(operation)
    if schema is None:
        return None
    if _lists_identifiers(api, schema):
        return ""
    names = [
        property_.name
        for property_ in object_properties(api, schema)
        if _lists_identifiers(api, property_.schema)
    ]
    return names[0] if len(names) == 1 else None


def identifiers_parameter(api: Api, operation: Operation) -> Parameter | None:
    """Return the only required parameter of the query that is a list of texts or numbers, None if there is none."""
    lists = [
        parameter
        for parameter in operation.parameters
        if parameter.location_in is ParameterLocation.QUERY
        and parameter.required
        and parameter.schema is not None
        and _lists_identifiers(api, parameter.schema)
    ]
    return lists[0] if len(lists) == 1 else None


def _lists_identifiers(api: Api, schema: Schema) -> bool:
    items = api.resolve(schema).items
    types = set(api.resolve(items).types) if items is not None else set()
    return bool(types) and types <= {"string", "integer"}
