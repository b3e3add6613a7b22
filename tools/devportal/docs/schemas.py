"""A shared schema of a contract: its fields, and the operations and events that use it."""

from collections.abc import Iterator
from dataclasses import dataclass

from devportal.contract import Api, Header, Location, MediaType, Operation, Parameter, Schema
from devportal.contract.schemas import walk_schema
from devportal.contract.validate.json_schema import Direction
from devportal.docs.operations import BodyDescription, describe_body, rule_words
from devportal.errors import InvalidSettings
from devportal.reference.addresses import Anchors
from devportal.reference.reference import reference_of
from devportal.reference.schema.fields import FieldReader
from devportal.suggestions import suggest_names


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaDescription:
    """A shared schema. `rules` are in words, `values` the allowed ones as JSON texts, if it is not an object.

    `used_by` has the operations (`POST /v1/orders`) and events with a part that leads to it.
    """

    name: str
    body: BodyDescription
    rules: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    used_by: tuple[str, ...] = ()


def describe_schema(api: Api, asked: str) -> SchemaDescription:
    """Return the schema with a name, as the contract writes it or in other case.

    Raises InvalidSettings, with similar names.
    """
    named = {schema.name: schema for schema in api.schemas.values() if schema.name}
    wanted = asked.strip().rpartition("/")[2]
    by_lower = {name.casefold(): schema for name, schema in named.items()}
    schema = named.get(wanted) or by_lower.get(wanted.casefold())
    if schema is None:
        otherwise = (
            "write the name of a shared schema, as the description of an operation or a search shows it"
        )
        raise InvalidSettings(
            f"the contract has no schema {asked!r}",
            help=suggest_names(wanted, named, otherwise),
        )
    reader = FieldReader(reference_of(api)).towards(Direction.RESPONSE)
    field = reader.body(schema, Anchors(), "")
    return SchemaDescription(
        name=schema.name,
        body=describe_body(field, ""),
        rules=rule_words(field.value),
        values=tuple(allowed_value.code for allowed_value in field.value.enum),
        used_by=tuple(_users(api, schema)),
    )


def _users(api: Api, schema: Schema) -> Iterator[str]:
    events = ((webhook.name, operation) for webhook in api.webhooks for operation in webhook.operations)
    operations = ((f"{operation.method} {operation.path}", operation) for operation in api.operations)
    for name, operation in (*operations, *events):
        if schema.location in _reachable_schemas(api, operation):
            yield name


def _reachable_schemas(api: Api, operation: Operation) -> set[Location]:
    """Return the locations of the shared schemas that the parts of an operation lead to."""
    waiting, reached = [*_schemas(operation)], set[Location]()
    while waiting:
        for schema in walk_schema(waiting.pop()):
            if schema.ref is not None and schema.ref not in reached and schema.ref in api.schemas:
                reached.add(schema.ref)
                waiting.append(api.schemas[schema.ref])
    return reached


def _schemas(operation: Operation) -> Iterator[Schema]:
    content: list[MediaType] = [*operation.request_content]
    content += [media_type for response in operation.responses for media_type in response.content]
    headers = [header for response in operation.responses for header in response.headers]
    parts: list[Parameter | Header] = [*operation.parameters, *headers]
    for part in parts:
        if part.schema is not None:
            yield part.schema
        if part.content is not None:
            content.append(part.content)
    for media in content:
        yield from (schema for schema in (media.schema, media.item_schema) if schema is not None)
