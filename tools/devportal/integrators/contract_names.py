"""Names of operations, parameters, fields and values, as a contract has them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from devportal.contract import Api, Location, MediaType, Operation, Schema
from devportal.contract.path_templates import without_names
from devportal.differ.places.place_parts import ANY_NAME, ITEM
from devportal.documents import Document, Pointer
from devportal.findings import Finding
from devportal.integrators.affected import unknown_name
from devportal.integrators.uses import Path, Use, UseKind, Uses, path_text, problem
from devportal.suggestions import closest_name, suggest_name


@dataclass(frozen=True, kw_only=True)
class ContractNames:
    """Finds operations, events and fields of a contract by name."""

    api: Api
    _steps: dict[tuple[tuple[Location, ...], str], tuple[Schema, ...] | None] = field(default_factory=dict)
    _properties: dict[tuple[Location, ...], tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def operations(self) -> dict[str, Operation]:
        """Return the operations by method and path without the names of placeholders."""
        return {
            without_names(f"{operation.method} {operation.path}"): operation
            for operation in self.api.operations
        }

    @cached_property
    def events(self) -> dict[str, Operation]:
        """Return the requests of webhooks and callbacks by the names of events."""
        webhooks = {webhook.name: each for webhook in self.api.webhooks for each in webhook.operations}
        callbacks = {
            f"{operation.method} {operation.path} > {callback.name}": each
            for operation in self.api.operations
            for callback in operation.callbacks
            for each in callback.operations
        }
        return {**callbacks, **webhooks}

    def find(self, use: Use) -> Operation | None:
        """Return the operation that is used, or the request of the event."""
        if use.kind is UseKind.EVENT:
            return self.events.get(use.name)
        return self.operations.get(without_names(use.name))

    def schemas(self, content: Iterable[MediaType]) -> tuple[Schema, ...]:
        """Return the schemas of a body, the items of a stream too."""
        return tuple(
            schema for media in content for schema in (media.schema, media.item_schema) if schema is not None
        )

    def step(self, schemas: Iterable[Schema], name: str) -> tuple[Schema, ...] | None:
        """Return the schemas one step below, nothing if anything is allowed there, None if there is no such part."""
        schemas = tuple(schemas)
        key = (tuple(schema.location for schema in schemas), name)
        if key not in self._steps:
            self._steps[key] = self._step(schemas, name)
        return self._steps[key]

    def _step(self, schemas: tuple[Schema, ...], name: str) -> tuple[Schema, ...] | None:
        found: list[Schema] = []
        is_open = False
        for schema in self.flatten(schemas):
            if name == ITEM:
                found += [*schema.prefix_items, *([schema.items] if schema.items is not None else [])]
            else:
                found += [
                    property_.schema for property_ in schema.properties if name in (property_.name, ANY_NAME)
                ]
                extra = schema.additional_properties
                named = any(property_.name == name for property_ in schema.properties)
                if not named and (
                    schema.pattern_properties or (extra is not None and extra.verdict is not False)
                ):
                    is_open = True
            is_open = is_open or _says_nothing(schema)
        return tuple(found) if found else () if is_open else None

    def flatten(self, schemas: Iterable[Schema]) -> Iterator[Schema]:
        """Yield schemas with those that they are composed of, each once, references followed."""
        waiting, visited = list(schemas), set[object]()
        while waiting:
            schema = self.api.resolve(waiting.pop())
            if schema.location in visited:
                continue
            visited.add(schema.location)
            yield schema
            conditional = (subschema for keyword, subschema in schema.others if keyword in {"then", "else"})
            waiting += [*schema.all_of, *schema.one_of, *schema.any_of, *conditional]

    def property_names(self, schemas: Iterable[Schema]) -> tuple[str, ...]:
        """Return the names of the properties of objects."""
        schemas = tuple(schemas)
        key = tuple(schema.location for schema in schemas)
        if key not in self._properties:
            names = (property_.name for schema in self.flatten(schemas) for property_ in schema.properties)
            self._properties[key] = tuple(dict.fromkeys(names))
        return self._properties[key]

    def unknown_step(self, content: Iterable[MediaType], path: Path) -> tuple[int, tuple[str, ...]] | None:
        """Return the position of the first step that a body cannot have, and the names there; None if all are known."""
        schemas = self.schemas(content)
        for position, name in enumerate(path):
            below = self.step(schemas, name)
            if below is None:
                return position, self.property_names(schemas)
            if not below:
                return None
            schemas = below
        return None


def _says_nothing(schema: Schema) -> bool:
    """Return whether a schema allows anything: no type, no properties and nothing it is composed of."""
    return not (
        schema.types or schema.properties or schema.items or schema.all_of or schema.one_of
        or schema.any_of or schema.enum or schema.ref or schema.verdict is False
    )  # fmt: skip


def unknown_names(uses: Uses, api: Api) -> Iterator[Finding]:
    """Yield the names in a file of uses that a contract does not have."""
    document = uses.document
    if document is None:
        return
    names = ContractNames(api=api)
    for use in uses.uses:
        pointer = uses.pointer(use)
        operation = names.find(use)
        if operation is None:
            is_event = use.kind is UseKind.EVENT
            known = (
                names.events
                if is_event
                else [f"{operation.method} {operation.path}" for operation in api.operations]
            )
            yield unknown_name(document, pointer, use, known)
            continue
        yield from _unknown_parameters(document, pointer, use, operation)
        content = operation.request_content
        key = "fields" if use.kind is UseKind.EVENT else "request"
        yield from _unknown_fields(document, (*pointer, key), use.request or (), names, content)
        for status, fields in (use.responses or {}).items():
            responses = [response for response in operation.responses if has_status(response.status, status)]
            place = (*pointer, "responses", status)
            if not responses:
                known_statuses = ", ".join(response.status for response in operation.responses)
                yield problem(
                    document, place, f"{use.name} has no response {status!r}", f"use one of {known_statuses}"
                )
                continue
            response_content = tuple(media for response in responses for media in response.content)
            yield from _unknown_fields(document, place, fields, names, response_content)


def has_status(declared: str, used: str) -> bool:
    """Return whether a declared status, range or `default` includes a used one."""
    if used == declared or declared == "default":
        return True
    pairs = zip(declared.upper(), used.upper(), strict=False)
    return len(declared) == len(used) and all(
        first == other or "X" in (first, other) for first, other in pairs
    )


def _unknown_parameters(
    document: Document, pointer: Pointer, use: Use, operation: Operation
) -> Iterator[Finding]:
    known = [f"{parameter.location_in}.{parameter.name}" for parameter in operation.parameters]
    lower = {name.lower() for name in known if name.startswith("header.")}
    key = "headers" if use.kind is UseKind.EVENT else "parameters"
    for number, name in enumerate(use.parameters or ()):
        if name not in known and name.lower() not in lower:
            yield problem(
                document,
                (*pointer, key, str(number)),
                f"{use.name} has no parameter {name!r}",
                suggest_name(name, known, f"use one of {', '.join(known) or 'none'}"),
            )


def _unknown_fields(
    document: Document,
    pointer: Pointer,
    fields: Iterable[Path],
    names: ContractNames,
    content: tuple[MediaType, ...],
) -> Iterator[Finding]:
    for number, path in enumerate(fields):
        unknown = names.unknown_step(content, path) if path else None
        if unknown is None:
            continue
        position, known = unknown
        close = closest_name(path[position], known)
        meant = path_text((*path[:position], close)) if close else ""
        yield problem(
            document,
            (*pointer, str(number)),
            f"the contract has no field {path_text(path)!r} here",
            f"did you mean {meant!r}?"
            if meant
            else f"use one of {', '.join(known)}"
            if known
            else "remove it",
        )
