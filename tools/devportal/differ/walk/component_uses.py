"""Which components of a contract its operations and events use, and schemas of contracts without either."""

from collections.abc import Iterator
from typing import Any

from devportal.contract import Api, Location, Operation, Schema
from devportal.contract.schemas import walk_schema
from devportal.differ.change import component_of
from devportal.differ.contracts import Contracts
from devportal.differ.normalise.subtypes import DiscriminatorSubtypes
from devportal.differ.rules.components import UnusedSchemaPair
from devportal.differ.schemas.pair import Position, Side, describe_schema
from devportal.differ.verdict import Direction, Verdict


def used_schemas(api: Api) -> frozenset[Location]:
    """Return the shared schemas that an operation or event reaches, over any number of references."""
    found: set[Location] = set()
    heirs = DiscriminatorSubtypes(api)
    pending = [schema for one in every_operation(api) for schema in schemas_in(one)]
    while pending:
        for part in walk_schema(pending.pop()):
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


def unused_schema_pairs(contracts: Contracts) -> Iterator[UnusedSchemaPair]:
    """Yield the schemas that are others than before, judged as sent and as received.

    Beside operations and events, what they do not use is no promise.
    """
    if any(map(_has_operations, (contracts.old, contracts.new))):
        return
    for location, old, new in _changed_schemas(contracts):
        verdicts = tuple(_worst_verdicts(contracts, old, new))
        if len(verdicts) == len(Direction):
            yield UnusedSchemaPair(
                name=location.pointer[-1],
                old=describe_schema(contracts.includes.forms(Side.OLD), (old,)),
                new=describe_schema(contracts.includes.forms(Side.NEW), (new,)),
                old_location=old.location,
                new_location=new.location,
                verdicts=(verdicts[0], verdicts[1]),
            )


def _changed_schemas(contracts: Contracts) -> Iterator[tuple[Location, Schema, Schema]]:
    for location, old in contracts.old.schemas.items():
        new = contracts.new.schemas.get(location)
        if new is not None and new != old and len(location.pointer) == _DEPTH and component_of(location):
            yield location, old, new


_DEPTH = len(("components", "schemas", "name"))


def _has_operations(api: Api) -> bool:
    return next(every_operation(api), None) is not None


def _worst_verdicts(contracts: Contracts, old: Schema, new: Schema) -> Iterator[Verdict]:
    """Yield the gravest verdict for each direction, none where nothing is found in one."""
    for direction in Direction:
        found = contracts.schemas.worst((old,), (new,), Position(direction))
        if found is not None:
            yield found
