"""Every operation and every schema of a model, each once: shared parts hang below many others."""

from collections.abc import Iterator

from devportal.contract.model import Api, Header, Operation, Parameter
from devportal.contract.schemas import Location, Schema, parts_of


def every_operation(api: Api) -> Iterator[Operation]:
    """Yield the operations of paths and webhooks, each followed by those of its callbacks."""
    pending = [*api.operations, *(one for event in api.webhooks for one in event.operations)]
    pending.reverse()
    while pending:
        operation = pending.pop()
        yield operation
        below = [one for callback in operation.callbacks for one in callback.operations]
        pending += reversed(below)


def every_schema(api: Api) -> Iterator[Schema]:
    """Yield the shared schemas, those that stand in operations, and all within them."""
    inline = (schema for operation in every_operation(api) for schema in _of(operation))
    seen: set[Location] = set()
    for root in (*api.schemas.values(), *inline):
        if root.location not in seen:
            for schema in parts_of(root):
                seen.add(schema.location)
                yield schema


def _of(operation: Operation) -> Iterator[Schema]:
    """Yield the schemas that stand in an operation itself."""
    bodies = [*(operation.request_body.content if operation.request_body else ())]
    bodies += [media for response in operation.responses for media in response.content]
    named: list[Parameter | Header] = [*operation.parameters]
    named += [header for response in operation.responses for header in response.headers]
    named += [header for media in bodies for encoding in media.encodings for header in encoding.headers]
    bodies += [one.content for one in named if one.content is not None]
    schemas = [one.schema for one in named] + [one.schema for one in bodies]
    yield from filter(None, schemas + [one.item_schema for one in bodies])
