"""Which components of a contract its operations and events make use of."""

from collections.abc import Iterator
from typing import Any

from devportal.contract import Api, Location, Operation, Schema
from devportal.contract.schemas import parts_of
from devportal.differ.heirs import Heirs


def used_schemas(api: Api) -> frozenset[Location]:
    """Return the shared schemas that an operation or event reaches, over any number of references."""
    found: set[Location] = set()
    heirs = Heirs(api)
    pending = [schema for one in every_operation(api) for schema in schemas_in(one)]
    while pending:
        for part in parts_of(pending.pop()):
            targets = [part.ref] if part.ref is not None else []
            if part.discriminator is not None:
                targets += [target for _, target in part.discriminator.mapping]
                targets += heirs.below(part.location)
            for target in targets:
                if target not in found and target in api.schemas:
                    found.add(target)
                    pending.append(api.schemas[target])
    return frozenset(found)


def used_schemes(api: Api) -> frozenset[str]:
    """Return the names of the security schemes that an operation, an event or the root asks for."""
    asked = [*api.security, *(entry for one in every_operation(api) for entry in one.security)]
    return frozenset(use.scheme for requirement in asked for use in requirement)


def every_operation(api: Api) -> Iterator[Operation]:
    """Yield the operations of a contract, those of its events, and the callbacks of both."""
    pending = [*api.operations, *(one for webhook in api.webhooks for one in webhook.operations)]
    while pending:
        one = pending.pop()
        yield one
        pending += [below for callback in one.callbacks for below in callback.operations]


def schemas_in(operation: Operation) -> Iterator[Schema]:
    """Yield the schemas that stand in an operation itself."""
    parts: list[Any] = [*operation.parameters, *operation.responses]
    if operation.request_body is not None:
        parts.append(operation.request_body)
    while parts:
        part = parts.pop()
        for name in ("schema", "item_schema"):
            schema = getattr(part, name, None)
            if schema is not None:
                yield schema
        for name in ("headers", "encodings", "prefix_encodings"):
            parts += getattr(part, name, ())
        content = getattr(part, "content", ())
        parts += content if isinstance(content, tuple) else [content] if content is not None else []
