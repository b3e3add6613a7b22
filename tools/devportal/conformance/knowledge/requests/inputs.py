"""The inputs of a valid request: its parameters and the members of its body, with their values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from devportal.conformance.deployment.exchange import Request
from devportal.conformance.knowledge.requests.encoded_bodies import is_file, is_form, is_multipart
from devportal.conformance.knowledge.requests.ignorable_headers import is_ignorable_header
from devportal.conformance.knowledge.requests.raw_bodies import is_text
from devportal.conformance.knowledge.requests.valid_request import (
    RequestValues,
    example_request_values,
    parameter_examples,
    request_from_values,
)
from devportal.conformance.knowledge.subject import Subject
from devportal.contract import ABSENT, Location, Operation, Parameter, ParameterLocation, Property, Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.keywords import KEYWORDS, names_of
from devportal.contract.media_types import is_json, is_xml
from devportal.contract.validate.json_schema import Direction, hidden_properties
from devportal.contract.validate.validator import ValidationIssue
from devportal.contract.values.conjunction import CombinedSchema, combine_schemas
from devportal.contract.values.synthesis import synthesise
from devportal.documents import format_pointer

DEEPEST = 4
"""The maximum depth of a value that is changed."""
MOST_BRANCHES = 4
"""How many branches of unions are tried that no example has."""
MOST_INPUTS = 60
"""How many inputs of one operation are tried: the first ones, parameters before members."""
UNAMBIGUOUS_KEYWORDS = frozenset(names_of(row for row in KEYWORDS if row.is_unambiguous))
"""The keywords that every validator reads alike; `format`, for example, need not be checked (JSON Schema
2020-12 Validation §7.2.1).
"""

PathSteps = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One input of a valid request: a parameter, or the value in the body that `steps` lead to.

    `schema` is as the contract has it, `meaning` is the same with all references and `allOf` combined.
    `value` is the current one, or a valid one if the request has none; ABSENT if none is known.
    """

    request_values: RequestValues
    parameter: Parameter | None = None
    steps: PathSteps = ()
    schema: Schema
    meaning: Schema
    is_required: bool
    is_present: bool
    value: Any

    @property
    def name(self) -> str:
        """The name of the input in messages: `query 'limit'`, `'/to'`."""
        if self.parameter is not None:
            return f"{self.parameter.location_in} {self.parameter.name!r}"
        return repr(format_pointer(tuple(map(str, self.steps)))) if self.steps else "the body"

    @property
    def is_in_form(self) -> bool:
        """Whether the input is a body that is not JSON, or a field of one: then its value is written as text."""
        media_type = self.request_values.media_type
        return self.parameter is None and media_type is not None and not is_json(media_type.name)

    @property
    def location(self) -> Location:
        """Where the contract describes the input: the parameter, or the schema of the value in the body."""
        return self.parameter.location if self.parameter is not None else self.schema.location

    def request_values_with(self, value: Any) -> RequestValues:
        """Return the request with another value for this input; ABSENT leaves it out."""
        return self.put_into(self.request_values, value)

    def put_into(self, request_values: RequestValues, value: Any) -> RequestValues:
        """Return a request with a value for this input, the rest unchanged."""
        if self.parameter is not None:
            return request_values.with_parameter(self.parameter, value)
        return request_values.with_body(replace_value(request_values.body, self.steps, value))


def is_described(media_type: str) -> bool:
    """Return whether bodies of a media type are JSON values, forms, XML or texts, whose values schemas describe."""
    return any(is_kind(media_type) for is_kind in (is_json, is_form, is_multipart, is_xml, is_text))


def valid_request_values(subject: Subject, operation: Operation) -> tuple[RequestValues, ...]:
    """Return the valid requests of an operation that changes start from: one for each example, one with the
    optional members that the examples leave out, and one for each branch of a union that no example has.
    """
    unique_names = subject.conventions.idempotency_key
    examples = example_request_values(subject.api, operation, subject.values, unique_names)
    valid = tuple(example for example in examples if not violations(subject, example))
    whole = _with_optional_members(subject, valid[0]) if valid else None
    branches = tuple(islice(_with_other_branches(subject, valid), MOST_BRANCHES))
    return (*valid, *((whole,) if whole is not None else ()), *branches)


def _with_other_branches(subject: Subject, valid: Sequence[RequestValues]) -> Iterator[RequestValues]:
    """Yield valid requests with objects of those branches of unions that no valid request has."""
    if not valid or valid[0].media_type is None or valid[0].media_type.schema is None:
        return
    schema = valid[0].media_type.schema
    if not is_described(valid[0].media_type.name):
        return
    known = {
        branch.location
        for request_values in valid
        for _, branch in _union_branches(subject, schema, request_values.body, is_fitting=True)
    }
    for steps, branch in _union_branches(subject, schema, valid[0].body, is_fitting=False):
        sample = _sample_value(subject, branch)
        if branch.location in known or not isinstance(sample, dict):
            continue
        current = value_at(valid[0].body, steps)
        value = _with_allowed_values(subject, branch, sample, current)
        changed = valid[0].with_body(replace_value(valid[0].body, steps, value))
        if not violations(subject, changed):
            yield _with_optional_members(subject, changed) or changed


def _with_allowed_values(
    subject: Subject, branch: Schema, sample: Mapping[str, Any], known: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return a sample with those known values that its branch allows: not those that select another branch."""
    value = dict(sample)
    for name in sample:
        changed = {**value, name: known.get(name, value[name])}
        if subject.validator.is_valid(branch, changed, Direction.REQUEST):
            value = changed
    return value


def _union_branches(
    subject: Subject, schema: Schema, value: Any, *, is_fitting: bool, steps: PathSteps = ()
) -> Iterator[tuple[PathSteps, Schema]]:
    """Yield the branches of the unions of objects in a value that these fit, or do not fit, with their places."""
    if not isinstance(value, dict) or len(steps) >= DEEPEST:
        return
    for union in combine_schemas(subject.api, [schema]).unions:
        for branch in union:
            if subject.validator.is_valid(branch, value, Direction.REQUEST) == is_fitting:
                yield steps, subject.api.resolve(branch)
    for request_property in _request_properties(subject, conjunction_for_value(subject, schema, value)):
        if request_property.name in value:
            yield from _union_branches(
                subject,
                request_property.schema,
                value[request_property.name],
                is_fitting=is_fitting,
                steps=(*steps, request_property.name),
            )


def _with_optional_members(subject: Subject, base: RequestValues) -> RequestValues | None:
    """Return a request whose JSON body has the members that it leaves out; None if that changes nothing, or
    is not valid.
    """
    if base.media_type is None or base.media_type.schema is None or not is_described(base.media_type.name):
        return None
    whole = base.with_body(_with_members(subject, base.media_type.schema, base.body, depth=0))
    return None if whole.body == base.body or violations(subject, whole) else whole


def _with_members(subject: Subject, schema: Schema, value: Any, *, depth: int) -> Any:
    """Return a valid JSON value with those left-out members of its objects that keep it valid."""
    if depth >= DEEPEST:
        return value
    if isinstance(value, list) and value:
        items = combine_schemas(subject.api, [schema]).schema.items
        return (
            value if items is None else [_with_members(subject, items, value[0], depth=depth + 1), *value[1:]]
        )
    if not isinstance(value, dict):
        return value
    for request_property in _request_properties(subject, conjunction_for_value(subject, schema, value)):
        inner = value.get(request_property.name, ABSENT)
        inner = _sample_value(subject, request_property.schema) if inner is ABSENT else inner
        if inner is ABSENT:
            continue
        changed = {
            **value,
            request_property.name: _with_members(subject, request_property.schema, inner, depth=depth + 1),
        }
        if changed != value and subject.validator.is_valid(schema, changed, Direction.REQUEST):
            value = changed
    return value


def inputs(subject: Subject, valid: Sequence[RequestValues]) -> tuple[Input, ...]:
    """Return the inputs of an operation's valid requests, each once, from the first that has a value for it."""
    by_place: dict[tuple[str, object], Input] = {}
    for base in valid:
        for request_input in (*_parameter_inputs(subject, base), *_body_inputs(subject, base)):
            first = by_place.setdefault((request_input.name, request_input.schema.location), request_input)
            if request_input.is_present and not first.is_present:
                by_place[request_input.name, request_input.schema.location] = request_input
    return tuple(by_place.values())[:MOST_INPUTS]


def authorised_request(subject: Subject, request_values: RequestValues) -> Request:
    """Return the request with these values, with credentials."""
    return subject.with_credential(
        request_values.operation, request_from_values(request_values, subject.base_url)
    )


def violations(subject: Subject, request_values: RequestValues) -> tuple[ValidationIssue, ...]:
    """Return the schema violations of a request."""
    schema_values = [(parameter.schema, value) for parameter, value in request_values.parameters]
    if request_values.media_type is not None and is_described(request_values.media_type.name):
        schema_values.append((request_values.media_type.schema, request_values.body))
    return tuple(
        violation
        for schema, value in schema_values
        if schema is not None and value is not ABSENT
        for violation in subject.validator.violations(schema, value, Direction.REQUEST)
    )


def is_forbidden(
    subject: Subject, request_values: RequestValues, keywords: frozenset[str] = frozenset()
) -> bool:
    """Return whether a request is certainly invalid: by unambiguous keywords, and by `keywords` that are
    unambiguous for its values. Headers that a server may ignore make none invalid.
    """
    certain = UNAMBIGUOUS_KEYWORDS | keywords
    considered = tuple(
        pair
        for pair in request_values.parameters
        if not is_ignorable_header(pair[0].location_in.value, pair[0].name)
    )
    issues = violations(subject, replace(request_values, parameters=considered))
    return bool(issues) and all(
        issue.keyword in certain or (bool(issue.branch_keywords) and issue.branch_keywords <= certain)
        for issue in issues
    )


def is_server_issued(subject: Subject, request_input: Input) -> bool:
    """Return whether only the deployment can issue a valid value: a cursor, or the identifier of a resource."""
    names = subject.conventions.cursor
    return request_input.parameter is not None and (
        request_input.parameter.location_in is ParameterLocation.PATH
        or matches_any_name(request_input.parameter.name, names)
    )


def _parameter_inputs(subject: Subject, base: RequestValues) -> Iterator[Input]:
    for parameter in base.operation.parameters:
        if parameter.schema is None or parameter.location_in is ParameterLocation.QUERYSTRING:
            continue
        examples = (
            example
            for example in parameter_examples(subject.api, parameter)
            if subject.validator.is_valid(parameter.schema, example, Direction.REQUEST)
        )
        value = base.value_of(parameter)
        yield Input(
            request_values=base,
            parameter=parameter,
            schema=parameter.schema,
            meaning=combine_schemas(subject.api, [parameter.schema]).schema,
            is_required=parameter.required,
            is_present=value is not ABSENT,
            value=value if value is not ABSENT else next(examples, _sample_value(subject, parameter.schema)),
        )


def _sample_value(subject: Subject, schema: Schema) -> Any:
    return synthesise(subject.api, schema, Direction.REQUEST)


def _body_inputs(subject: Subject, base: RequestValues) -> Iterator[Input]:
    if base.media_type is None or base.media_type.schema is None or not is_described(base.media_type.name):
        return
    yield from _nested_inputs(subject, base, base.media_type.schema, base.body, ())


def body_input(subject: Subject, base: RequestValues) -> Input | None:
    """Return the JSON body, form or text of a request as one input, None if it has none."""
    media_type = base.media_type
    if media_type is None or media_type.schema is None or not is_described(media_type.name):
        return None
    return Input(
        request_values=base,
        schema=media_type.schema,
        meaning=conjunction_for_value(subject, media_type.schema, base.body).schema,
        is_required=True,
        is_present=True,
        value=base.body,
    )


def _nested_inputs(
    subject: Subject, base: RequestValues, schema: Schema, value: Any, steps: PathSteps
) -> Iterator[Input]:
    """Yield the places in a value that is described by a schema."""
    if len(steps) >= DEEPEST:
        return
    combined = conjunction_for_value(subject, schema, value)
    children: list[tuple[str | int, Schema, bool]] = []
    if isinstance(value, dict):
        children = [
            (request_property.name, request_property.schema, request_property.required)
            for request_property in _request_properties(subject, combined)
        ]
    elif isinstance(value, list) and value and combined.schema.items is not None:
        children = [(0, combined.schema.items, False)]
    for step, child_schema, is_required in children:
        inner = child_value(value, step)
        inner_steps = (*steps, step)
        meaning = conjunction_for_value(subject, child_schema, inner).schema
        if not steps and _is_file(subject, base, step):
            meaning = replace(
                meaning, types=(), format="", constraints=(), content=()
            )  # bytes have other bounds
        yield Input(
            request_values=base,
            steps=inner_steps,
            schema=child_schema,
            meaning=meaning,
            is_required=is_required,
            is_present=inner is not ABSENT,
            value=_value_or_sample(subject, child_schema, inner),
        )
        yield from _nested_inputs(subject, base, child_schema, inner, inner_steps)


def _is_file(subject: Subject, base: RequestValues, step: str | int) -> bool:
    media_type = base.media_type
    is_parts = media_type is not None and is_multipart(media_type.name)
    return is_parts and media_type is not None and is_file(subject.api, media_type, str(step))


def _value_or_sample(subject: Subject, schema: Schema, value: Any) -> Any:
    """Return a value, or a valid one if there is none; the bounds of texts and numbers start from one, not from
    null.
    """
    sample = _sample_value(subject, schema) if value is ABSENT or value is None else value
    return value if value is None and sample is ABSENT else sample


def _request_properties(subject: Subject, combined: CombinedSchema) -> Iterator[Property]:
    hidden = {
        name for part in combined.parts for name in hidden_properties(subject.api, part, Direction.REQUEST)
    }
    return (property_ for property_ in combined.schema.properties if property_.name not in hidden)


def conjunction_for_value(
    subject: Subject, schema: Schema, value: Any, direction: Direction = Direction.REQUEST
) -> CombinedSchema:
    """Return a schema combined with those branches of its unions that a value matches."""
    schemas, used_unions = [schema], frozenset[int]()
    combined = combine_schemas(subject.api, schemas)
    for _ in range(DEEPEST):
        fitting = [
            (union, branch)
            for union in combined.unions
            for branch in union
            if value is not ABSENT and subject.validator.is_valid(branch, value, direction)
        ]
        if not fitting:
            break
        union, branch = fitting[0]
        schemas, used_unions = [*schemas, branch], used_unions | {id(union)}
        combined = combine_schemas(subject.api, schemas, used_unions)
    return combined


def child_value(value: Any, step: str | int) -> Any:
    """Return the value of a member or an element; ABSENT if there is none."""
    if isinstance(value, dict):
        return value.get(step, ABSENT)
    has_element = isinstance(value, list) and isinstance(step, int) and step < len(value)
    return value[step] if has_element else ABSENT


def value_at(value: Any, steps: PathSteps) -> Any:
    """Return the value that steps lead to, ABSENT if there is none."""
    for step in steps:
        value = child_value(value, step)
    return value


def replace_value(value: Any, steps: Sequence[str | int], new: Any) -> Any:
    """Return a JSON value with another value at a place; ABSENT removes the current one."""
    if not steps:
        return new
    step, rest = steps[0], steps[1:]
    inner = replace_value(child_value(value, step), rest, new)
    if isinstance(value, list):
        remaining = [member for position, member in enumerate(value) if position != step]
        return remaining if inner is ABSENT else [*value[: int(step)], inner, *value[int(step) + 1 :]]
    others = {name: member for name, member in value.items() if name != step or inner is not ABSENT}
    return others if inner is ABSENT else {**others, str(step): inner}
