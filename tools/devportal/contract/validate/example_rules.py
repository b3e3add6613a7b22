"""Examples and defaults of a contract: whether their schemas allow them, and whether they are shown as written."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from devportal.contract.load import Contract
from devportal.contract.media_types import is_json
from devportal.contract.model import Api, Example, Header, MediaType, Operation, Parameter
from devportal.contract.operation_names import every_operation, every_schema
from devportal.contract.schemas import ABSENT, Location, Schema, walk_schema
from devportal.contract.streams import UnreadableItem, items_schema, stream_items
from devportal.contract.validate.example_values import carried_value
from devportal.contract.validate.json_schema import Direction, is_cheap_to_validate
from devportal.contract.validate.validator import ValidationIssue, Validator, missing_members_message
from devportal.contract.wording import join_names, quote_value, truncate_text
from devportal.findings import Finding, Level

_Directions = tuple[Direction, ...]
_ExampleCase = tuple[Example, Schema, _Directions]
"""An example, its schema, and the directions it may travel in: it is right if it is right in one of them."""


def check_examples(contract: Contract) -> Iterator[Finding]:
    """Yield each example and default that breaks its schema, and each that is not shown as it is written."""
    validator = Validator(contract.api)
    for case in _example_cases(contract):
        yield from _check_example(contract, validator, *case)
        yield from _note_hidden_members(contract, case[0], case[2][-1])
    schemas = tuple(every_schema(contract.api))
    for schema in schemas:
        for number, value in enumerate(schema.examples):
            texts = carried_value(contract.api, schema, value, Direction.RESPONSE).json_texts
            example = Example(
                name="", value=value, json_texts=texts, location=schema.example_location(number)
            )
            yield from _check_example(contract, validator, example, schema, tuple(Direction))
        yield from _check_default(contract, validator, schema)
    yield from _check_streams(contract, validator)
    yield from _note_schema_examples(contract, schemas)


def _check_default(contract: Contract, validator: Validator, schema: Schema) -> Iterator[Finding]:
    """Yield each violation of a schema by its default (OAS 3.0.3 §4.7.24, `default`)."""
    if schema.default is ABSENT or not is_cheap_to_validate(contract.api, schema, schema.default):
        return
    if not any(validator.is_valid(schema, schema.default, direction) for direction in Direction):
        for violation in validator.violations(schema, schema.default, Direction.REQUEST):
            yield Finding(
                rule="contract-default",
                level=Level.ERROR,
                place=contract.place(schema.location.child("default", *violation.pointer)),
                message=f"this default breaks its schema: {truncate_text(violation.message, 240)}",
                help="fix the default, or the schema if the default is correct",
            )


def _example_cases(contract: Contract) -> Iterator[_ExampleCase]:
    """Yield each example beside a schema once."""
    seen: set[Location] = set()
    for operation, is_event in _operations(contract.api):
        for case in _operation_cases(operation, is_event=is_event):
            if case[0].location not in seen:
                seen.add(case[0].location)
                yield case


def _operation_cases(operation: Operation, *, is_event: bool) -> Iterator[_ExampleCase]:
    """Yield the examples of an operation. Authors describe the body of an event as a request or as a response."""
    for parameter in operation.parameters:
        yield from _parameter_cases(parameter, (Direction.REQUEST,))
    for response in operation.responses:
        for header in response.headers:
            yield from _parameter_cases(header, (Direction.RESPONSE,))
    for media, directions in _media_types(operation, is_event=is_event):
        yield from _media_type_cases(media, directions)


def _media_types(operation: Operation, *, is_event: bool) -> Iterator[tuple[MediaType, _Directions]]:
    """Yield the media types of all bodies of an operation."""
    for media in operation.request_content:
        yield media, tuple(Direction) if is_event else (Direction.REQUEST,)
    for response in operation.responses:
        for media in response.content:
            yield media, (Direction.RESPONSE,)


def _parameter_cases(parameter: Parameter | Header, directions: _Directions) -> Iterator[_ExampleCase]:
    if parameter.content is not None:
        yield from _media_type_cases(parameter.content, directions)
    for example in parameter.examples:
        if parameter.schema is not None and example.has_value:
            yield example, parameter.schema, directions


def _media_type_cases(media: MediaType, directions: _Directions) -> Iterator[_ExampleCase]:
    """Yield the examples of a body; text in a media type that is not JSON is not a value to validate."""
    for encoding in media.encodings:
        for header in encoding.headers:
            yield from _parameter_cases(header, directions)
    for example in media.examples:
        is_text = isinstance(example.value, str) and not is_json(media.name)
        if media.schema is not None and example.has_value and not is_text:
            yield example, media.schema, directions


def _check_streams(contract: Contract, validator: Validator) -> Iterator[Finding]:
    """Yield each example of a stream with items that `itemSchema` does not allow (OAS 3.2.0 §4.14.4)."""
    seen: set[Location] = set()
    for operation, is_event in _operations(contract.api):
        for media, directions in _media_types(operation, is_event=is_event):
            schema = items_schema(media)
            if schema is None or media.location in seen:
                continue
            seen.add(media.location)
            for example in media.examples:
                if example.has_value:
                    yield from _check_stream(contract, validator, example, media.name, schema, directions)


def _check_stream(
    contract: Contract,
    validator: Validator,
    example: Example,
    media_type: str,
    schema: Schema,
    directions: _Directions,
) -> Iterator[Finding]:
    written = example.value if example.serialised is None else example.serialised
    try:
        items = stream_items(media_type, written)
    except UnreadableItem as problem:
        yield Finding(
            rule="contract-example",
            level=Level.ERROR,
            place=contract.place(_value_location(example)),
            message=f"{_example_label(example)} is not {media_type}: {problem}",
            help="write one JSON value a line",
        )
        return
    yield from _check_example(contract, validator, replace(example, value=items), schema, directions)


def _unchecked_example_finding(contract: Contract, example: Example) -> Finding:
    return Finding(
        rule="contract-example-unchecked",
        level=Level.WARNING,
        place=contract.place(example.location),
        message="this example was not validated: its schemas are made of each other too often, or too deep",
        help="name each schema once among the parts of another",
    )


def _check_example(
    contract: Contract, validator: Validator, example: Example, schema: Schema, directions: _Directions
) -> Iterator[Finding]:
    if not is_cheap_to_validate(contract.api, schema, example.value):
        yield _unchecked_example_finding(contract, example)
        return
    if not example.json_texts and any(
        validator.is_valid(schema, example.value, direction) for direction in directions
    ):
        return
    inside = _value_location(example)
    if example.json_texts:
        yield Finding(
            rule="contract-example",
            level=Level.ERROR,
            place=contract.place(inside.child(*example.json_texts[0])),
            message=f"{_example_label(example)} holds JSON as text where its schema has an object or array",
            help="remove the quotation marks around the JSON: the portal shows what the text holds",
        )
        return
    issues = [*validator.violations(schema, example.value, directions[-1])]
    mistyped = {issue.pointer for issue in issues if issue.keyword == "type"}
    causes: dict[str, list[ValidationIssue]] = {}
    for issue in issues:
        if issue.keyword == "type" or issue.pointer not in mistyped:
            causes.setdefault(issue.cause or issue.message, []).append(issue)
    for cause, group in causes.items():
        names = [
            *dict.fromkeys(validation_issue.member for validation_issue in group if validation_issue.member)
        ]
        place, *others = dict.fromkeys(
            contract.place(inside.child(*validation_issue.pointer)) for validation_issue in group
        )
        message = missing_members_message(names) if names else group[0].message
        yield Finding(
            rule="contract-example",
            level=Level.ERROR,
            place=place,
            message=f"{_example_label(example)} breaks its schema: {truncate_text(message, 240)}",
            help="fix the example, or the schema if the example is correct",
            cause=f"{example.name}: {cause} {sorted(names)}" if example.name else "",
            other_places=tuple(others),
        )


def _example_label(example: Example) -> str:
    return f"the example {quote_value(example.name)}" if example.name else "this example"


def _value_location(example: Example) -> Location:
    return example.location.child("value") if example.name else example.location


def _note_schema_examples(contract: Contract, schemas: Iterable[Schema]) -> Iterator[Finding]:
    """Yield a note for each example of a schema that requests or responses show without some of its members."""
    hiding = {
        Direction.REQUEST: any(schema.read_only for schema in schemas),
        Direction.RESPONSE: any(schema.write_only for schema in schemas),
    }
    for direction in (direction for direction in Direction if hiding[direction]):
        for schema in _carried_schemas(contract.api, direction):
            for number, value in enumerate(schema.examples):
                hidden = carried_value(contract.api, schema, value, direction).hidden
                example = Example(
                    name="", value=value, hidden=hidden, location=schema.example_location(number)
                )
                yield from _note_hidden_members(contract, example, direction)


def _note_hidden_members(contract: Contract, example: Example, direction: Direction) -> Iterator[Finding]:
    """Yield a note for an example that is shown without some of its members."""
    if not example.hidden:
        return
    names = [*dict.fromkeys(".".join(n for n in item if not n.isdigit()) for item in example.hidden)]
    verb, pronoun = ("is", "it") if len(names) == 1 else ("are", "them")
    keyword = "readOnly" if direction is Direction.REQUEST else "writeOnly"
    yield Finding(
        rule="contract-example-hidden",
        level=Level.NOTE,
        place=contract.place(_value_location(example).child(*example.hidden[0])),
        message=f"{_example_label(example)} has {join_names(names)}, which {verb} {keyword}: "
        f"it is shown without {pronoun} in {direction}s",
        help=f"nothing to do, unless '{keyword}' is wrong",
    )


def _carried_schemas(api: Api, direction: Direction) -> Iterator[Schema]:
    """Yield all schemas of the bodies that travel in a direction, each once."""
    pending = [*_body_schemas(api, direction)]
    seen: set[Location] = set()
    while pending:
        root = pending.pop()
        if root.location in seen:
            continue
        for schema in walk_schema(root):
            seen.add(schema.location)
            yield schema
            if schema.ref is not None and schema.ref in api.schemas:
                pending.append(api.schemas[schema.ref])


def _body_schemas(api: Api, direction: Direction) -> Iterator[Schema]:
    for operation, is_event in _operations(api):
        has_body = operation.request_body and is_event == (direction is Direction.RESPONSE)
        content = operation.request_body.content if operation.request_body and has_body else ()
        if direction is Direction.RESPONSE:
            content = (*content, *(media for response in operation.responses for media in response.content))
        for media in content:
            yield from filter(None, (media.schema, media.item_schema))


def _operations(api: Api) -> Iterator[tuple[Operation, bool]]:
    """Yield each operation, and whether it is the request of an event: the provider sends its body."""
    requests = {id(operation) for operation in api.operations}
    yield from ((operation, id(operation) not in requests) for operation in every_operation(api))
