"""The schemas of the JSON bodies of an operation."""

from collections.abc import Iterator

from devportal.contract.media_types import json_media_type, json_response_type
from devportal.contract.model import Operation
from devportal.contract.schemas import Schema


def request_schema(operation: Operation) -> Schema | None:
    """Return the schema of the JSON body of a request, None if it has none."""
    media_type = json_media_type(operation.request_content)
    return media_type.schema if media_type is not None else None


def success_schemas(operation: Operation) -> Iterator[Schema]:
    """Yield the schemas of the JSON bodies of an operation's successes."""
    for response in operation.successes:
        media_type = json_response_type(response.content)
        if media_type is not None and media_type.schema is not None:
            yield media_type.schema


def success_schema(operation: Operation) -> Schema | None:
    """Return the schema of the JSON body of the first success that has one, None if none has."""
    return next(success_schemas(operation), None)
