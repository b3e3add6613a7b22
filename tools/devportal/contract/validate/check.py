"""Checks of a contract beyond reading it: the OAS, the examples, and what no page would show."""

from collections.abc import Iterable, Iterator

from devportal.contract.internal.required_parts import check_required_internal_parts
from devportal.contract.load import Contract
from devportal.contract.model import Example, Header, MediaType, Operation, Parameter
from devportal.contract.operation_names import every_operation, every_schema
from devportal.contract.schemas import ABSENT, Location, Schema
from devportal.contract.validate.direction import check_directions
from devportal.contract.validate.header_values import check_header_values, is_json
from devportal.contract.validate.json_schema import Direction, is_cheap_to_validate
from devportal.contract.validate.model_rules import check_model_rules
from devportal.contract.validate.oas_schemas import check_against_oas
from devportal.contract.validate.object_rules import check_objects
from devportal.contract.validate.schema_rules import check_schemas
from devportal.contract.validate.unshown import check_unshown
from devportal.contract.validate.validator import Validator
from devportal.contract.wording import quote_value, truncate_text
from devportal.findings import Finding, Level, in_order

_FIELD_RULES = frozenset({"contract-unknown", "contract-version", "contract-ignored"})
"""The rules for what is not shown because its object has no such field."""
_ExampleCase = tuple[Example, Schema, Direction]


def check_contract(contract: Contract) -> tuple[Finding, ...]:
    """Return everything that is wrong with a contract: on reading, against the OAS, in its examples, and what
    it says that the portal does not show.
    """
    invalid = list(check_against_oas(contract))
    checks = (
        check_model_rules(contract),
        check_objects(contract),
        check_header_values(contract),
        check_required_internal_parts(contract),
        check_directions(contract),
        check_schemas(contract),
        check_examples(contract),
        _without_reported_fields(invalid, check_unshown(contract)),
    )
    return in_order([*contract.findings, *invalid, *(finding for check in checks for finding in check)])


def _without_reported_fields(invalid: Iterable[Finding], unshown: Iterable[Finding]) -> Iterator[Finding]:
    """Yield what is not shown, without fields of which it has been said already that the OAS forbids them."""
    places = {finding.place for finding in invalid}
    return (one for one in unshown if one.rule not in _FIELD_RULES or one.place not in places)


def check_examples(contract: Contract) -> Iterator[Finding]:
    """Yield each example and each default that does not keep its schema, with the place in the value."""
    validator = Validator(contract.api)
    for example, schema, direction in _example_cases(contract):
        if is_cheap_to_validate(contract.api, schema, example.value):
            yield from _check_example(contract, validator, example, schema, direction)
        else:
            yield _unchecked_example_finding(contract, example)
    for schema in every_schema(contract.api):
        yield from _check_schema_examples(contract, validator, schema)
        yield from _check_default(contract, validator, schema)


def _check_schema_examples(contract: Contract, validator: Validator, schema: Schema) -> Iterator[Finding]:
    """Yield the examples in a schema that it allows in no direction."""
    for number, value in enumerate(schema.examples):
        example = Example(name="", value=value, location=schema.example_location(number))
        if not is_cheap_to_validate(contract.api, schema, value):
            yield _unchecked_example_finding(contract, example)
        elif not any(validator.is_valid(schema, value, direction) for direction in Direction):
            yield from _check_example(contract, validator, example, schema, Direction.RESPONSE)


def _check_default(contract: Contract, validator: Validator, schema: Schema) -> Iterator[Finding]:
    """Yield the ways in which the default of a schema breaks it (OAS 3.0.3 §4.7.24, `default`)."""
    if schema.default is ABSENT or not is_cheap_to_validate(contract.api, schema, schema.default):
        return
    if not any(validator.is_valid(schema, schema.default, direction) for direction in Direction):
        for violation in validator.violations(schema, schema.default, Direction.REQUEST):
            yield Finding(
                rule="contract-default",
                level=Level.ERROR,
                place=contract.place(schema.location.child("default", *violation.pointer)),
                message=f"this default breaks its schema: {truncate_text(violation.message, 240)}",
                help="mend the default, or the schema if the default is right",
            )


def _example_cases(contract: Contract) -> Iterator[_ExampleCase]:
    """Yield each example beside a schema once, with the direction it travels in."""
    seen: set[Location] = set()
    for operation in every_operation(contract.api):
        for case in _operation_cases(operation):
            if case[0].location not in seen:
                seen.add(case[0].location)
                yield case


def _operation_cases(operation: Operation) -> Iterator[_ExampleCase]:
    for parameter in operation.parameters:
        yield from _parameter_cases(parameter, Direction.REQUEST)
    for media in operation.request_body.content if operation.request_body else ():
        yield from _media_type_cases(media, Direction.REQUEST)
    for response in operation.responses:
        for header in response.headers:
            yield from _parameter_cases(header, Direction.RESPONSE)
        for media in response.content:
            yield from _media_type_cases(media, Direction.RESPONSE)


def _parameter_cases(named: Parameter | Header, direction: Direction) -> Iterator[_ExampleCase]:
    if named.content is not None:
        yield from _media_type_cases(named.content, direction)
    for example in named.examples:
        if named.schema is not None and not example.external:
            yield example, named.schema, direction


def _media_type_cases(media: MediaType, direction: Direction) -> Iterator[_ExampleCase]:
    """Yield the examples of a body; text in a media type that is not JSON is no value to validate."""
    for encoding in media.encodings:
        for header in encoding.headers:
            yield from _parameter_cases(header, direction)
    for example in media.examples:
        is_text = isinstance(example.value, str) and not is_json(media.name)
        if media.schema is not None and not example.external and not is_text:
            yield example, media.schema, direction


def _unchecked_example_finding(contract: Contract, example: Example) -> Finding:
    return Finding(
        rule="contract-example-unchecked",
        level=Level.WARNING,
        place=contract.place(example.location),
        message="this example was not validated: its schemas are made of each other too often, or too deep",
        help="name each schema once among the parts of another",
    )


def _check_example(
    contract: Contract, validator: Validator, example: Example, schema: Schema, direction: Direction
) -> Iterator[Finding]:
    label = f"the example {quote_value(example.name)}" if example.name else "this example"
    for violation in validator.violations(schema, example.value, direction):
        inside = example.location.child("value") if example.name else example.location
        yield Finding(
            rule="contract-example",
            level=Level.ERROR,
            place=contract.place(inside.child(*violation.pointer)),
            message=f"{label} breaks its schema: {truncate_text(violation.message, 240)}",
            help="mend the example, or the schema if the example is right",
        )
