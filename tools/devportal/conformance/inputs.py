"""The places in a request where a client's values stand: parameters, and members of a JSON body."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from devportal.conformance.conventions import is_called
from devportal.conformance.exchange import Request
from devportal.conformance.subject import Subject
from devportal.conformance.valid_request import Filling, fillings, is_json, written
from devportal.contract import ABSENT, In, Operation, Parameter, Property, Schema
from devportal.contract.conjunction import Conjunction, conjunction
from devportal.contract.json_schema import Direction, hidden_properties
from devportal.contract.synthesis import synthesise
from devportal.contract.validation import Violation
from devportal.documents import format_pointer

DEEPEST = 3
"""How many names or positions lead to the innermost value that is changed."""
MOST_INPUTS = 40
"""How many places of one operation are tried: the first ones, parameters before members."""
SHARP = frozenset(
    {
        "type",
        "enum",
        "const",
        "pattern",
        "required",
        "minLength",
        "maxLength",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minItems",
        "maxItems",
        "additionalProperties",
    }
)
"""The keywords that every validator reads alike; `format`, for one, need not be checked (JSON Schema
2020-12 Validation §7.2.1).
"""

Steps = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One place in a valid request. `steps` lead to it in the body, `parameter` is set for one outside of it;
    `schema` is as the contract says it, `meaning` the same with all references and parts put together.
    `value` is the one there, or a good one where the request does without; ABSENT where none is known.
    """

    filling: Filling
    parameter: Parameter | None = None
    steps: Steps = ()
    schema: Schema
    meaning: Schema
    is_required: bool
    is_present: bool
    value: Any

    @property
    def name(self) -> str:
        """What the place is called in messages: `query 'limit'`, `'/to'`."""
        if self.parameter is not None:
            return f"{self.parameter.location_in} {self.parameter.name!r}"
        return repr(format_pointer(tuple(map(str, self.steps))))

    def having(self, value: Any) -> Filling:
        """Return the request with another value there; ABSENT leaves it out."""
        return self.put_into(self.filling, value)

    def put_into(self, filling: Filling, value: Any) -> Filling:
        """Return a request with a value at this place, the rest as it is there."""
        if self.parameter is not None:
            return filling.with_parameter(self.parameter, value)
        return filling.with_body(_replaced(filling.body, self.steps, value))


def bases(subject: Subject, operation: Operation) -> tuple[Filling, ...]:
    """Return the valid requests of an operation that changes start from: one for each example."""
    fresh = subject.conventions.idempotency_key
    made = fillings(subject.api, operation, subject.values, fresh)
    return tuple(one for one in made if not violations(subject, one))


def inputs(subject: Subject, valid: Sequence[Filling]) -> tuple[Input, ...]:
    """Return the places of an operation's valid requests, each once, in the first that has a value there."""
    found: dict[tuple[str, object], Input] = {}
    for base in valid:
        for one in (*_parameters(subject, base), *_members(subject, base)):
            known = found.setdefault((one.name, one.schema.location), one)
            if one.is_present and not known.is_present:
                found[one.name, one.schema.location] = one
    return tuple(found.values())[:MOST_INPUTS]


def request_of(subject: Subject, filling: Filling) -> Request:
    """Return the request that a filling makes, with credentials."""
    return subject.authorised(filling.operation, written(filling, subject.base_url))


def violations(subject: Subject, filling: Filling) -> tuple[Violation, ...]:
    """Return in which ways a request breaks its schemas."""
    checked = [(parameter.schema, value) for parameter, value in filling.parameters]
    if filling.media_type is not None and is_json(filling.media_type.name):
        checked.append((filling.media_type.schema, filling.body))
    return tuple(
        one
        for schema, value in checked
        if schema is not None and value is not ABSENT
        for one in subject.validator.violations(schema, value, Direction.REQUEST)
    )


def is_forbidden(subject: Subject, filling: Filling) -> bool:
    """Say whether a request is one that nobody can take for valid."""
    found = violations(subject, filling)
    return bool(found) and all(one.keyword in SHARP for one in found)


def is_reference(subject: Subject, one: Input) -> bool:
    """Say whether a value only makes sense if the deployment gave it: a cursor, or the name of a thing."""
    names = subject.conventions.cursor
    return one.parameter is not None and (
        one.parameter.location_in is In.PATH or is_called(one.parameter.name, names)
    )


def _parameters(subject: Subject, base: Filling) -> Iterator[Input]:
    for parameter in base.operation.parameters:
        if parameter.schema is None or parameter.location_in is In.QUERYSTRING:
            continue
        given = (one.value for one in parameter.examples if not one.external)
        value = base.value_of(parameter)
        yield Input(
            filling=base,
            parameter=parameter,
            schema=parameter.schema,
            meaning=conjunction(subject.api, [parameter.schema]).schema,
            is_required=parameter.required,
            is_present=value is not ABSENT,
            value=value if value is not ABSENT else next(given, _made(subject, parameter.schema)),
        )


def _made(subject: Subject, schema: Schema) -> Any:
    return synthesise(subject.api, schema, Direction.REQUEST)


def _members(subject: Subject, base: Filling) -> Iterator[Input]:
    if base.media_type is None or base.media_type.schema is None or not is_json(base.media_type.name):
        return
    yield from _below(subject, base, base.media_type.schema, base.body, ())


def _below(subject: Subject, base: Filling, schema: Schema, value: Any, steps: Steps) -> Iterator[Input]:
    """Yield the places in a value that is described by a schema."""
    if len(steps) >= DEEPEST:
        return
    asked = met(subject, schema, value)
    children: list[tuple[str | int, Schema, bool]] = []
    if isinstance(value, dict):
        children = [(one.name, one.schema, one.required) for one in _travelling(subject, asked)]
    elif isinstance(value, list) and value and asked.schema.items is not None:
        children = [(0, asked.schema.items, False)]
    for step, below, is_required in children:
        inner = _step(value, step)
        here = (*steps, step)
        yield Input(
            filling=base,
            steps=here,
            schema=below,
            meaning=met(subject, below, inner).schema,
            is_required=is_required,
            is_present=inner is not ABSENT,
            value=inner if inner is not ABSENT else _made(subject, below),
        )
        yield from _below(subject, base, below, inner, here)


def _travelling(subject: Subject, asked: Conjunction) -> Iterator[Property]:
    hidden = {
        name for part in asked.parts for name in hidden_properties(subject.api, part, Direction.REQUEST)
    }
    return (one for one in asked.schema.properties if one.name not in hidden)


def met(
    subject: Subject, schema: Schema, value: Any, direction: Direction = Direction.REQUEST
) -> Conjunction:
    """Return what a schema asks, those branches of its unions taken that a value fits."""
    taken, chosen = [schema], frozenset[int]()
    together = conjunction(subject.api, taken)
    for _ in range(DEEPEST):
        fitting = [
            (union, branch)
            for union in together.unions
            for branch in union
            if value is not ABSENT and subject.validator.is_valid(branch, value, direction)
        ]
        if not fitting:
            break
        union, branch = fitting[0]
        taken, chosen = [*taken, branch], chosen | {id(union)}
        together = conjunction(subject.api, taken, chosen)
    return together


def _step(value: Any, step: str | int) -> Any:
    if isinstance(value, dict):
        return value.get(step, ABSENT)
    return value[step] if isinstance(value, list) and isinstance(step, int) else ABSENT


def _replaced(value: Any, steps: Sequence[str | int], new: Any) -> Any:
    """Return a JSON value with another one at a place; ABSENT takes away what is there."""
    if not steps:
        return new
    step, rest = steps[0], steps[1:]
    inner = _replaced(_step(value, step), rest, new)
    if isinstance(value, list):
        kept = [one for position, one in enumerate(value) if position != step]
        return kept if inner is ABSENT else [*value[: int(step)], inner, *value[int(step) + 1 :]]
    others = {name: one for name, one in value.items() if name != step or inner is not ABSENT}
    return others if inner is ABSENT else {**others, str(step): inner}
