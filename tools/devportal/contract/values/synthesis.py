"""An example value for a schema that has none: deterministic, short, and validated."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from devportal.contract.keyword_columns import Sampling
from devportal.contract.keywords import KEYWORDS, names_of
from devportal.contract.model import Api
from devportal.contract.read.references import has_no_keywords
from devportal.contract.schemas import ABSENT, Schema
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import ValidationIssue, Validator
from devportal.contract.values.build_plan import MAX_DEPTH, MAX_VALUES, BuildPlan
from devportal.contract.values.member_rules.agreement import MemberAgreement
from devportal.contract.values.omissions import Omission, describe_omissions, find_omissions
from devportal.contract.values.per_contract import PerContract
from devportal.contract.values.placeholders import NoExample, Placeholder, placeholders, without_placeholders
from devportal.contract.values.value_builder import ValueBuilder
from devportal.contract.wording import truncate_text
from devportal.documents import Pointer, format_pointer

MAX_OPTIONAL_PROPERTIES = {Direction.REQUEST: (6, 3, 1), Direction.RESPONSE: (12, 6, 3)}
"""Optional properties shown in a synthesised object, by nesting depth; the required ones are always there."""
_TYPICAL = (30, 12, 6, 3)
_LEVELS_OF_ALL = (MAX_DEPTH + 1, 3, 2, 1)
"""On how many levels of nesting objects have all of their fields, in the order in which it is tried."""
_CONDITIONAL = frozenset(names_of(row for row in KEYWORDS if row.sampling is Sampling.TRIED))

_MAX_MESSAGE_LENGTH = 120
"""How many characters of a message a sample shows."""
_LISTED_NAMES = re.compile(r'("[^"]*", "[^"]*")((?:, "[^"]*")*) and ("[^"]*"|[\d,]+ more)')
"""Three names or more in a message of the validator."""

WHOLE_PLACEHOLDER = "<value>"
"""What stands for a value of which nothing can be made."""


class Selection(StrEnum):
    """Which optional properties a sample has. `TYPICAL` are those that the contract gives an example for."""

    TYPICAL = "typical"
    MANY = "many"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A place in a sample for which no value can be made. A reader has to replace its `placeholder`."""

    pointer: Pointer
    placeholder: str
    reason: str

    @property
    def sentence(self) -> str:
        """What a reader has to do, and why."""
        place = f" at {format_pointer(self.pointer)}" if self.pointer else ""
        return f"Replace {self.placeholder}{place}: {self.reason}."


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleValue:
    """A value to show, with its gaps and with what else its schema does not allow.

    `omissions` are looked for in a sample that is to have all fields.
    """

    value: Any
    gaps: tuple[Gap, ...] = ()
    issues: tuple[ValidationIssue, ...] = ()
    omissions: tuple[Omission, ...] = ()

    @property
    def is_valid(self) -> bool:
        """Whether it can be sent as it is."""
        return not self.gaps and not self.issues

    def without_gaps(self) -> Any:
        """Return the value without the places that a reader has to fill, ABSENT if nothing is left."""
        return _without_places(self.value, frozenset(gap.pointer for gap in self.gaps))

    @property
    def notes(self) -> tuple[str, ...]:
        """What readers have to know of the value, in sentences."""
        return (
            *(gap.sentence for gap in self.gaps),
            *_describe_issues(self.issues),
            *describe_omissions(self.omissions),
        )


def _describe_issues(issues: tuple[ValidationIssue, ...]) -> Iterator[str]:
    """Yield one short sentence: the first problem, and how many more there are."""
    for first in issues[:1]:
        place = f" {format_pointer(first.pointer)}:" if first.pointer else ""
        more = f" ({len(issues) - 1:,} more)" if len(issues) > 1 else ""
        message = truncate_text(_LISTED_NAMES.sub(_shorten_names, first.message), _MAX_MESSAGE_LENGTH)
        yield f"Does not validate:{place} {message}{more}"


def _shorten_names(listed: re.Match[str]) -> str:
    """Return the first two of a list of names and the number of the others."""
    first, others, last = listed.groups()
    left = others.count(', "') + (1 if last.startswith('"') else int(last.split()[0].replace(",", "")))
    return listed.group() if left == 1 else f"{first} and {left:,} more"


def _without_places(value: Any, places: frozenset[Pointer], at: Pointer = ()) -> Any:
    if at in places:
        return ABSENT
    if isinstance(value, dict):
        members = ((name, _without_places(member, places, (*at, name))) for name, member in value.items())
        return {name: member for name, member in members if member is not ABSENT}
    if isinstance(value, list):
        items = (_without_places(member, places, (*at, str(number))) for number, member in enumerate(value))
        return [item for item in items if item is not ABSENT]
    return value


def synthesise(api: Api, schema: Schema, direction: Direction) -> Any:
    """Return an example value for a schema, from its own examples and defaults if it has some; ABSENT if
    there is no value, or none that satisfies its conditions.

    Other rules may exclude each other, such as parts that allow no further properties: then the example shows
    what was meant.
    """
    plan = BuildPlan(direction=direction, optional=MAX_OPTIONAL_PROPERTIES[direction])
    validator = _samples_of(api).validator
    meant: Any = ABSENT
    for value, is_valid in _built_values(api, schema, plan, validator):
        if is_valid:
            return value
        meant = value if meant is ABSENT else meant
    if meant is ABSENT:
        return meant
    broken_keywords = {
        word for violation in validator.violations(schema, meant, direction) for word in violation.path
    }
    return ABSENT if broken_keywords & _CONDITIONAL else meant


def synthesise_smallest(api: Api, schema: Schema, direction: Direction) -> Any:
    """Return a value with nothing but what a schema requires, ABSENT if there is none. It may break
    conditions, and rules that exclude each other.
    """
    return _build(api, schema, BuildPlan(direction=direction, optional=()), _samples_of(api).validator)


class _Samples:
    """The samples made for one contract, and the values that they are made of: pages, consoles and exports ask for
    the same ones. A schema is kept with its sample, so that its id stays its own.
    """

    def __init__(self, api: Api) -> None:
        self.validator = Validator(api, is_sliced=True)
        self.agreement = {
            direction: MemberAgreement(api, self.validator, direction) for direction in Direction
        }
        self.values: dict[tuple[int, Direction, Selection], tuple[Schema, SampleValue]] = {}
        self.built: dict[tuple[int, BuildPlan], tuple[Schema, tuple[Any, bool]]] = {}
        self.complete: dict[tuple[int, Direction, int], tuple[Schema, SampleValue | None]] = {}


_samples_of = PerContract(_Samples)


def is_valid_value(api: Api, schema: Schema, value: Any, direction: Direction) -> bool:
    """Say whether a schema allows a value, with the validator that samples share."""
    return _samples_of(api).validator.is_valid(schema, value, direction)


def sample_value(
    api: Api, schema: Schema, direction: Direction, selection: Selection = Selection.MANY
) -> SampleValue:
    """Return a value to show for a schema. There is always one: what cannot be made is a gap, and the issues
    name what the schema does not allow. Callers share the value and must not change it.
    """
    samples = _samples_of(api)
    named = _named_schema(api, schema)
    key = (id(named), direction, selection)
    if key not in samples.values:
        samples.values[key] = (named, _make_sample(api, schema, direction, selection, samples.validator))
    return samples.values[key][1]


def _named_schema(api: Api, schema: Schema) -> Schema:
    """Return the schema that one with nothing but a reference leads to, or the schema itself."""
    target = api.schemas.get(schema.ref) if schema.ref is not None and has_no_keywords(schema) else None
    return target or schema


def complete_sample(
    api: Api, schema: Schema, direction: Direction, most_characters: int
) -> SampleValue | None:
    """Return a valid sample with all fields, or with those of as many levels as it has room for: what is missing
    is among its omissions. None if no valid one is short enough. Callers share the value and must not change it.
    """
    samples = _samples_of(api)
    key = (id(schema), direction, most_characters)
    if key not in samples.complete:
        made = _make_complete_sample(api, schema, direction, most_characters, samples.validator)
        samples.complete[key] = (schema, made)
    return samples.complete[key][1]


def _make_complete_sample(
    api: Api, schema: Schema, direction: Direction, most_characters: int, validator: Validator
) -> SampleValue | None:
    limits = (*((MAX_VALUES,) * levels for levels in _LEVELS_OF_ALL), MAX_OPTIONAL_PROPERTIES[direction])
    for optional in limits:
        plan = BuildPlan(direction=direction, optional=optional)
        sample = _build_sample(api, schema, plan, validator)
        length = len(json.dumps(sample.value, ensure_ascii=False, default=str))
        if sample.is_valid and length <= most_characters:
            levels = len(optional) if plan.is_complete else 0
            found = find_omissions(api, validator, schema, sample.value, direction, levels)
            return replace(sample, omissions=found)
    return None


def _make_sample(
    api: Api, schema: Schema, direction: Direction, selection: Selection, validator: Validator
) -> SampleValue:
    is_typical = selection is Selection.TYPICAL
    optional = _TYPICAL if is_typical else MAX_OPTIONAL_PROPERTIES[direction]
    plan = BuildPlan(direction=direction, optional=optional, is_typical=is_typical)
    return _build_sample(api, schema, plan, validator)


def _build_sample(api: Api, schema: Schema, plan: BuildPlan, validator: Validator) -> SampleValue:
    direction = plan.direction
    for value, is_valid in _built_values(api, schema, plan, validator):
        if is_valid:
            return SampleValue(value=value)
    value = _build(api, schema, replace(plan, is_checked=True, has_placeholders=True), validator)
    gaps = tuple(
        Gap(pointer=pointer, placeholder=str(placeholder), reason=placeholder.reason)
        for pointer, placeholder in placeholders(value)
    )
    value = without_placeholders(value)
    places = {gap.pointer for gap in gaps}
    issues = tuple(
        violation
        for violation in validator.violations(schema, value, direction)
        if violation.pointer not in places
    )
    return SampleValue(value=value, gaps=gaps, issues=issues)


def _built_values(
    api: Api, schema: Schema, plan: BuildPlan, validator: Validator
) -> Iterator[tuple[Any, bool]]:
    """Yield the value built by a plan, then the one with its parts checked; each with whether it is valid. The members
    of a valid one agree as their descriptions say, but for those of an example of the whole.
    """
    samples, named = _samples_of(api), _named_schema(api, schema)
    built = samples.built
    for tried in (plan, replace(plan, is_checked=True)):
        key = (id(named), tried)
        if key not in built:
            value = _build(api, schema, tried, validator)
            is_present = value is not ABSENT
            is_valid = is_present and validator.is_valid(schema, value, plan.direction)
            if is_valid and not named.examples:
                value = samples.agreement[plan.direction].apply(named, value)
            built[key] = (named, (value, is_valid))
        yield built[key][1]


def _build(api: Api, schema: Schema, plan: BuildPlan, validator: Validator) -> Any:
    """Return a value built by a plan, ABSENT if there is none, or a placeholder for all of it."""
    reason = ""
    for is_exact in (True, False):
        try:
            return ValueBuilder(api, replace(plan, is_exact=is_exact), validator).value(schema)
        except NoExample as error:
            reason = str(error)
    return Placeholder(WHOLE_PLACEHOLDER, reason) if plan.has_placeholders else ABSENT
