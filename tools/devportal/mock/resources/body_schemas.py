"""The schemas of the bodies of operations, and where requests name several resources."""

from devportal.contract import Api, Operation, Parameter, ParameterLocation, Schema
from devportal.contract.body_schemas import success_schema
from devportal.contract.media_types import json_media_type, media_type_essence
from devportal.contract.resources import object_properties, unwrapped_schema
from devportal.contract.streams import is_json_lines


def sent_schema(api: Api, operation: Operation | None, envelope: str) -> Schema | None:
    """Return the schema of what an operation sends of a resource, without what is around it, None if it sends
    nothing.
    """
    schema = first_request_schema(operation) if operation is not None else None
    if schema is None or operation is None:
        return None
    return unwrapped_schema(api, schema, sent_envelope(api, operation, envelope))


def sent_envelope(api: Api, operation: Operation, envelope: str) -> str:
    """Return the member of a request that holds the members of a resource: that which responses have too, or the only
    object of a form whose other parts are files, such as `metadata` beside `audio`. Empty if nothing is around them.
    """
    schema = first_request_schema(operation)
    members = tuple(object_properties(api, schema)) if schema is not None else ()
    if any(member.name == envelope for member in members):
        return envelope
    file_names = file_parts(api, operation)
    others = [member for member in members if member.name not in file_names]
    if not file_names or len(others) != 1 or "object" not in api.resolve(others[0].schema).types:
        return ""
    response = success_schema(operation)
    shown = object_properties(api, response) if response is not None else ()
    return "" if any(member.name == others[0].name for member in shown) else others[0].name


def file_parts(api: Api, operation: Operation) -> frozenset[str]:
    """Return the names of the parts of a form that are files, none for an operation that takes JSON too."""
    content = operation.request_content
    form = next((item for item in content if media_type_essence(item.name) == "multipart/form-data"), None)
    if form is None or form.schema is None or json_media_type(content) is not None:
        return frozenset()
    return frozenset(
        member.name for member in object_properties(api, form.schema) if _is_file(api, member.schema)
    )


def _is_file(api: Api, schema: Schema) -> bool:
    """Say whether a part is a file: bytes (OAS 3.0.3 §4.7.14.2, 3.1.1 §4.8.14.4), or a list of them."""
    resolved = api.resolve(schema)
    if resolved.items is not None:
        resolved = api.resolve(resolved.items)
    content = dict(resolved.content)
    is_encoded = "contentEncoding" in content or resolved.types not in ((), ("string",))
    return not is_encoded and (resolved.format == "binary" or "contentMediaType" in content)


def first_request_schema(operation: Operation) -> Schema | None:
    """Return the schema of the body of a request: that in JSON, or else the first."""
    content = operation.request_content
    media_type = json_media_type(content) or next(iter(content), None)
    return media_type.schema if media_type is not None else None


def streamed_item(api: Api, operation: Operation) -> Schema | None:
    """Return the schema of the items of an operation that streams JSON, one a line; None for others."""
    media_types = (item for response in operation.successes for item in response.content)
    media_type = next((item for item in media_types if is_json_lines(item.name)), None)
    if media_type is None:
        return None
    schema = api.resolve(media_type.schema) if media_type.schema is not None else None
    return media_type.item_schema or (schema.items if schema is not None and schema.items else schema)


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
