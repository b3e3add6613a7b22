"""Checks of a contract beyond reading it: the OAS, the examples, and what no page would show."""

from collections.abc import Iterable, Iterator

from devportal.contract.contents import every_operation, every_schema
from devportal.contract.demands import check_demands
from devportal.contract.direction import check_directions
from devportal.contract.effort import is_bearable
from devportal.contract.header_values import check_header_values
from devportal.contract.json_schema import Direction
from devportal.contract.load import Contract
from devportal.contract.media_types import is_json
from devportal.contract.model import Example, Header, MediaType, Operation, Parameter
from devportal.contract.object_rules import check_objects
from devportal.contract.quoting import cut, quoted
from devportal.contract.rules import check_rules
from devportal.contract.schema_rules import check_schemas
from devportal.contract.schemas import ABSENT, Location, Schema
from devportal.contract.unshown import check_unshown
from devportal.contract.validation import Validator
from devportal.contract.validity import check_validity
from devportal.findings import Finding, Level, in_order

_OF_FIELDS = frozenset({"contract-unknown", "contract-version", "contract-ignored"})
"""The rules for what is not shown because its object has no such field."""
_Case = tuple[Example, Schema, Direction]


def check_contract(contract: Contract) -> tuple[Finding, ...]:
    """Return everything that is wrong with a contract: on reading, against the OAS, in its examples, and what
    it says that the portal does not show.
    """
    invalid = list(check_validity(contract))
    checks = (
        check_rules(contract),
        check_objects(contract),
        check_header_values(contract),
        check_demands(contract),
        check_directions(contract),
        check_schemas(contract),
        check_examples(contract),
        _not_told_by(invalid, check_unshown(contract)),
    )
    return in_order([*contract.findings, *invalid, *(finding for check in checks for finding in check)])


def _not_told_by(invalid: Iterable[Finding], unshown: Iterable[Finding]) -> Iterator[Finding]:
    """Yield what is not shown, without fields of which it has been said already that the OAS forbids them."""
    places = {finding.place for finding in invalid}
    return (one for one in unshown if one.rule not in _OF_FIELDS or one.place not in places)


def check_examples(contract: Contract) -> Iterator[Finding]:
    """Yield each example and each default that does not keep its schema, with the place in the value."""
    validator = Validator(contract.api)
    for example, schema, direction in _cases(contract):
        if is_bearable(contract.api, schema, example.value):
            yield from _check(contract, validator, example, schema, direction)
        else:
            yield _unbearable(contract, example)
    for schema in every_schema(contract.api):
        yield from _check_own(contract, validator, schema)
        yield from _check_default(contract, validator, schema)


def _check_own(contract: Contract, validator: Validator, schema: Schema) -> Iterator[Finding]:
    """Yield the examples in a schema that it allows in no direction."""
    for number, value in enumerate(schema.examples):
        example = Example(name="", value=value, location=schema.example_location(number))
        if not is_bearable(contract.api, schema, value):
            yield _unbearable(contract, example)
        elif not any(validator.is_valid(schema, value, direction) for direction in Direction):
            yield from _check(contract, validator, example, schema, Direction.RESPONSE)


def _check_default(contract: Contract, validator: Validator, schema: Schema) -> Iterator[Finding]:
    """Yield the ways in which the default of a schema breaks it (OAS 3.0.3 §4.7.24, `default`)."""
    if schema.default is ABSENT or not is_bearable(contract.api, schema, schema.default):
        return
    if not any(validator.is_valid(schema, schema.default, direction) for direction in Direction):
        for violation in validator.violations(schema, schema.default, Direction.REQUEST):
            yield Finding(
                rule="contract-default",
                level=Level.ERROR,
                place=contract.place(schema.location.child("default", *violation.pointer)),
                message=f"this default breaks its schema: {cut(violation.message, 240)}",
                help="mend the default, or the schema if the default is right",
            )


def _cases(contract: Contract) -> Iterator[_Case]:
    """Yield each example beside a schema once, with the direction it travels in."""
    seen: set[Location] = set()
    for operation in every_operation(contract.api):
        for case in _examples_of(operation):
            if case[0].location not in seen:
                seen.add(case[0].location)
                yield case


def _examples_of(operation: Operation) -> Iterator[_Case]:
    for parameter in operation.parameters:
        yield from _of_named(parameter, Direction.REQUEST)
    for media in operation.request_body.content if operation.request_body else ():
        yield from _of_media(media, Direction.REQUEST)
    for response in operation.responses:
        for header in response.headers:
            yield from _of_named(header, Direction.RESPONSE)
        for media in response.content:
            yield from _of_media(media, Direction.RESPONSE)


def _of_named(named: Parameter | Header, direction: Direction) -> Iterator[_Case]:
    if named.content is not None:
        yield from _of_media(named.content, direction)
    for example in named.examples:
        if named.schema is not None and not example.external:
            yield example, named.schema, direction


def _of_media(media: MediaType, direction: Direction) -> Iterator[_Case]:
    """Yield the examples of a body; text in a media type that is not JSON is no value to validate."""
    for encoding in media.encodings:
        for header in encoding.headers:
            yield from _of_named(header, direction)
    for example in media.examples:
        is_text = isinstance(example.value, str) and not is_json(media.name)
        if media.schema is not None and not example.external and not is_text:
            yield example, media.schema, direction


def _unbearable(contract: Contract, example: Example) -> Finding:
    return Finding(
        rule="contract-example-unchecked",
        level=Level.WARNING,
        place=contract.place(example.location),
        message="this example was not validated: its schemas are made of each other too often, or too deep",
        help="name each schema once among the parts of another",
    )


def _check(
    contract: Contract, validator: Validator, example: Example, schema: Schema, direction: Direction
) -> Iterator[Finding]:
    label = f"the example {quoted(example.name)}" if example.name else "this example"
    for violation in validator.violations(schema, example.value, direction):
        inside = example.location.child("value") if example.name else example.location
        yield Finding(
            rule="contract-example",
            level=Level.ERROR,
            place=contract.place(inside.child(*violation.pointer)),
            message=f"{label} breaks its schema: {cut(violation.message, 240)}",
            help="mend the example, or the schema if the example is right",
        )
