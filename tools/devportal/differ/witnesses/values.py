"""The search for a value of a message that one contract allows and the other refuses."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice, takewhile
from typing import Any, NamedTuple

from devportal.contract import ABSENT
from devportal.contract.validate.validator import ValidationIssue
from devportal.differ.change import keyword_step, property_name
from devportal.differ.contract_sources import Contracts
from devportal.differ.located_changes import ComparedSchemas
from devportal.differ.normalise.all_of import canonical_json
from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.rule import FoundChange
from devportal.differ.schemas.position import Schemas, Side
from devportal.differ.witnesses.candidates import Target, candidate_values, values_of_branch
from devportal.differ.witnesses.chains import Link
from devportal.differ.witnesses.minimising import minimise
from devportal.differ.witnesses.sampling import Sampler
from devportal.differ.witnesses.validation import (
    AS_WRITTEN,
    BY_DISCRIMINATOR,
    TRAVELS,
    WITHOUT_OVERLAP,
    JoinedSchemas,
    MessageValidators,
    allowing_side,
)
from devportal.differ.witnesses.wrapping import Wrapped, Wrapper

_MAX_CANDIDATES = 600
"""Candidates for the part that has changed."""
_MAX_WRAPPED = 24
"""How many of those that differ there are put into a whole value."""
_BEAM = 2
"""How many values around a part are followed up."""
_THEN, _BEAM_OF_CONDITIONS = keyword_step("then"), 8
"""How many are if the part follows from a condition: the step does not say from which of several."""
_MAX_AROUND = 16
"""How many values around a part are validated to find those."""

_KEYWORDS = {
    "format": ("format", "minimum", "maximum", "pattern"),
    "enum": ("enum", "const"),
    "properties": ("required", "additionalProperties", "unevaluatedProperties"),
}
"""The keywords that refuse a value, if they are others than the one that has changed."""
_ABOUT_PROPERTIES = frozenset({"required", "properties"})
"""Keywords of changes of one property, which the refusal of another property does not show."""
_ASSERTIONS = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"}
    | {"pattern", "format", "enum", "minItems", "maxItems", "uniqueItems", "minProperties"}
    | {"maxProperties", "required", "properties", "type", "dependentRequired"}
    | {"contains", "minContains", "maxContains"}
)
"""Keywords whose change is shown best by a value that they refuse themselves."""
_APPLICATORS = frozenset(
    {"additionalProperties", "patternProperties", "propertyNames", "unevaluatedProperties"}
    | {"items", "prefixItems", "unevaluatedItems"}
)
"""Keywords whose schemas refuse a value in their place."""


IsSendable = Callable[[Any], bool]
"""Returns whether a message can have a value where the schemas stand."""


class FoundValue(NamedTuple):
    """A value that one contract allows and the other refuses, and why the other does."""

    value: Any
    issue: ValidationIssue


@dataclass(slots=True)
class Tries:
    """How many values were tried."""

    count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Compared schemas, seen from the side that is to allow a value."""

    side: Side
    allowing: Schemas
    refusing: Schemas
    text_depth: int


class _Validation(NamedTuple):
    """Validators of one reading of the schemas, and those that refuse properties which do not travel: a message
    has to show a change to both, as servers drop, refuse or take what is `readOnly` in a request.
    """

    validators: MessageValidators
    without_hidden: MessageValidators


class ValueSearch:
    """Searches values that show a change of schemas."""

    def __init__(self, contracts: Contracts) -> None:
        """Take both contracts."""
        forms = {side: contracts.includes.forms(side) for side in Side}
        joined = JoinedSchemas()
        self._as_written, self._by_discriminator, self._without_overlap = (
            _Validation(
                *(
                    MessageValidators(contracts.old, contracts.new, joined, candidate)
                    for candidate in (reading, replace(reading, has_hidden_properties=False))
                )
            )
            for reading in (AS_WRITTEN, BY_DISCRIMINATOR, WITHOUT_OVERLAP)
        )
        self.samplers = {
            direction: Sampler(forms, joined, self.validators, direction) for direction in TRAVELS
        }

    @property
    def validators(self) -> MessageValidators:
        """Return the validators that take schemas as they are written."""
        return self._as_written.validators

    def find(
        self, links: tuple[Link, ...], change: FoundChange, tries: Tries, *, is_sendable: IsSendable
    ) -> FoundValue | None:
        """Return a small value of the first link's schemas that shows a change of the last link's schemas.

        Schemas are taken as they are written first, then with discriminators that select their branches.
        """
        found = self._find(links, change, self._as_written, tries, is_sendable)
        if found is None and any(map(self._has_discriminator, links)):
            found = self._find(links, change, self._by_discriminator, tries, is_sendable)
        return found

    def is_shown_in_part(
        self, links: tuple[Link, ...], change: FoundChange, tries: Tries, *, is_sendable: IsSendable
    ) -> bool:
        """Return whether the change shows where validators do not look, or where nothing is valid as written:
        in the content of a text, in the subtype that a discriminator selects, in branches of `oneOf` that
        overlap by an oversight, beside a property that no value fits.
        """
        part = self._part_that_is_validated(links)
        is_whole = len(part) == len(links)
        can_travel = is_sendable if is_whole else _is_any_sendable
        return self._find(part, change, self._without_overlap, tries, can_travel) is not None

    def _part_that_is_validated(self, links: tuple[Link, ...]) -> tuple[Link, ...]:
        """Return the links after the last step that no validator takes, or around which no value is valid."""
        last = max(
            (
                number
                for number, link in enumerate(links[:-1])
                if self._is_beyond_validators(link) or self._has_no_valid_value(link)
            ),
            default=-1,
        )
        return links[last + 1 :]

    def _has_no_valid_value(self, link: Link) -> bool:
        """Say whether no value of the schemas of a link is found, with or without the part that it leads to."""
        place = _place_of(link.compared)
        direction = link.compared.direction
        return not any(
            self._without_overlap.validators.allows(
                place.side, place.allowing, value, TRAVELS[direction], text_depth=place.text_depth
            )
            for value in self.samplers[direction].bases(place.side, place.allowing)
        )

    def _is_beyond_validators(self, link: Link) -> bool:
        if link.step == keyword_step("contentSchema"):
            return True
        return link.step.startswith("|") and not any(
            form.unions or form.listed for form in self._forms_of(link)
        )

    def _has_discriminator(self, link: Link) -> bool:
        return any(form.discriminator is not None for form in self._forms_of(link))

    def _forms_of(self, link: Link) -> tuple[NormalSchema, NormalSchema]:
        sampler = self.samplers[link.compared.direction]
        return sampler.form(Side.OLD, link.compared.old), sampler.form(Side.NEW, link.compared.new)

    def _find(
        self,
        links: tuple[Link, ...],
        change: FoundChange,
        validation: _Validation,
        tries: Tries,
        is_sendable: IsSendable,
    ) -> FoundValue | None:
        sampler = self.samplers[links[0].compared.direction]
        walk = _LinkWalk(links, change, sampler, validation, tries, is_sendable)
        return walk.find()


class _LinkWalk:
    """One search along the links from a message to a change."""

    def __init__(
        self,
        links: tuple[Link, ...],
        change: FoundChange,
        sampler: Sampler,
        validation: _Validation,
        tries: Tries,
        is_sendable: IsSendable,
    ) -> None:
        self._links = links
        self._change = change
        self._sampler = sampler
        self._validators = validation.validators
        self._strict_validators = validation.without_hidden
        self._tries = tries
        self._is_sendable = is_sendable
        self._travel = TRAVELS[links[0].compared.direction]
        self._root = _place_of(links[0].compared)
        self._end = _place_of(links[-1].compared)
        self._has_no_path = any(link.step.startswith(":") for link in links)
        """Whether the change is surely not part of the value: the name of a member, what `not` forbids."""

    def find(self) -> FoundValue | None:
        """Return a small value, None if none is found within the bounds of the search.

        If no value made of the changed schemas is one, those made of what applies to the same value are tried.
        """
        end = len(self._links) - 1
        has_own_issue = self._change.keyword in _ASSERTIONS | _APPLICATORS
        for is_exact in (True, False) if has_own_issue else (False,):
            found = self._find_from(end, is_exact=is_exact)
            if found is not None:
                return found
        starts = takewhile(lambda number: _is_same_value(self._links[number].step), range(end - 1, -1, -1))
        tried = (self._find_from(number, is_exact=False) for number in starts)
        return next((item for item in tried if item is not None), None)

    def _find_from(self, start: int, *, is_exact: bool) -> FoundValue | None:
        """Return a small value made of the schemas of a link, None if none is found."""
        for candidate in islice(self._differing_values(start, is_exact=is_exact), _MAX_WRAPPED):
            for wrapped in self._wrap(start, candidate):
                if self._is_witness(wrapped, is_exact=is_exact):
                    return self._finish(wrapped, is_exact=is_exact)
        return None

    def _finish(self, wrapped: Wrapped, *, is_exact: bool) -> FoundValue:
        smallest = minimise(wrapped, lambda smaller: self._is_witness(smaller, is_exact=is_exact))
        issues = self._issues(self._root, smallest.value)
        nearest = min(issues, key=lambda issue: self._distance(issue, smallest))
        if not self._has_no_path and not _is_within(nearest, smallest):
            nearest = min(self._own_issues(smallest), key=lambda issue: self._distance(issue, smallest))
        return FoundValue(smallest.value, nearest)

    def _distance(self, issue: ValidationIssue, wrapped: Wrapped) -> tuple[bool, bool]:
        """Return how far an issue is from the change: the keyword and the place that changed come first."""
        return not self._is_of_change(issue), not _is_within(issue, wrapped)

    def _own_issues(self, wrapped: Wrapped) -> Iterator[ValidationIssue]:
        """Yield why the changed schemas refuse their part of a value: if it is in a union, the issues of the whole may
        be about no branch, or about another one.
        """
        path = _pointer_of(wrapped)
        for issue in self._issues(self._end, _part_at(wrapped)):
            yield replace(issue, pointer=(*path, *issue.pointer))

    def _differing_values(self, start: int, *, is_exact: bool) -> Iterator[Any]:
        """Yield values of the schemas of a link that show the change where it is."""
        place = _place_of(self._links[start].compared)
        target = Target(
            allowing=place.allowing,
            refusing=place.refusing,
            side=place.side,
            sampler=self._sampler,
        )
        seen: set[str] = set()
        for value in chain(islice(self._candidates(target), _MAX_CANDIDATES), _values_outside(target)):
            key = canonical_json(value)
            if key not in seen:
                seen.add(key)
                self._tries.count += 1
                if self._differs(value, is_exact=is_exact):
                    yield value

    def _candidates(self, target: Target) -> Iterator[Any]:
        change = self._change
        if change.keyword == "enum":
            changed = change.old if self._end.side is Side.OLD else change.new
            listed = changed if isinstance(changed, list) else (changed,)
            yield from (value for value in listed if value is not ABSENT)
        elif change.at.startswith("|"):
            yield from values_of_branch(target, change.at.removeprefix("|"))
        yield from candidate_values(target, change.keyword)

    def _differs(self, value: Any, *, is_exact: bool) -> bool:
        """Return whether a value of the changed schemas shows the change."""
        if not self._allows(self._end, value):
            return False
        issues = self._issues(self._end, value)
        return any(map(self._is_of_change, issues)) if is_exact else bool(issues)

    def _is_of_change(self, issue: ValidationIssue) -> bool:
        keyword = self._change.keyword
        if keyword in _APPLICATORS:
            return keyword in issue.path
        if issue.keyword not in _KEYWORDS.get(keyword, (keyword,)):
            return False
        return keyword not in _ABOUT_PROPERTIES or _is_about(issue, property_name(self._change.at))

    def _wrap(self, start: int, value: Any) -> Iterator[Wrapped]:
        """Yield whole values with a value of the schemas of a link."""
        parts = [Wrapped(value, ())]
        for link in reversed(self._links[:start]):
            parts = self._wrap_once(parts, link)
        return iter(parts)

    def _wrap_once(self, parts: list[Wrapped], link: Link) -> list[Wrapped]:
        place = _place_of(link.compared)
        wrapper = Wrapper(
            self._sampler,
            place.side,
            place.allowing,
            self._sampler.form(place.side, place.allowing),
            self._sampler.form(place.side.opposite, place.refusing),
        )
        around: list[Wrapped] = []
        for part in parts:
            for wrapped in islice(wrapper.around(link.step, part), _MAX_AROUND):
                if wrapped not in around and self._allows(place, wrapped.value):
                    around.append(wrapped)
                if len(around) >= (_BEAM_OF_CONDITIONS if link.step == _THEN else _BEAM):
                    return around
        return around

    def _is_witness(self, wrapped: Wrapped, *, is_exact: bool) -> bool:
        self._tries.count += 1
        if not self._is_sendable(wrapped.value):
            return False
        if not self._allows(self._root, wrapped.value) or not self._issues(self._root, wrapped.value):
            return False
        if not self._has_no_path and not self._differs(_part_at(wrapped), is_exact=is_exact):
            return False
        return self._is_shown_without_hidden(wrapped.value)

    def _is_shown_without_hidden(self, value: Any) -> bool:
        """Return whether a value shows the change even if properties that do not travel are refused."""
        root, allows = self._root, self._strict_validators.allows
        return allows(
            root.side, root.allowing, value, self._travel, text_depth=root.text_depth
        ) and not allows(root.side.opposite, root.refusing, value, self._travel, text_depth=root.text_depth)

    def _allows(self, place: _Place, value: Any) -> bool:
        return self._validators.allows(
            place.side, place.allowing, value, self._travel, text_depth=place.text_depth
        )

    def _issues(self, place: _Place, value: Any) -> tuple[ValidationIssue, ...]:
        return self._validators.issues(
            place.side.opposite, place.refusing, value, self._travel, text_depth=place.text_depth
        )


def _is_within(issue: ValidationIssue, wrapped: Wrapped) -> bool:
    """Say whether an issue is about the part of a value that changed, or something in it."""
    path = _pointer_of(wrapped)
    return issue.pointer[: len(path)] == path


def _pointer_of(wrapped: Wrapped) -> tuple[str, ...]:
    return tuple(map(str, wrapped.path))


def _is_about(issue: ValidationIssue, name: str) -> bool:
    """Say whether an issue is about the member of that name: it is missing, or not allowed."""
    if issue.member:
        return issue.member == name
    return issue.pointer[-1:] == (name,) or json.dumps(name, ensure_ascii=False) in issue.message


def _values_outside(target: Target) -> Iterator[Any]:
    """Yield a value that the schemas as a whole may allow on one side only."""
    value = target.sampler.value_outside(target.side, target.allowing, target.refusing)
    if value is not ABSENT:
        yield value


def _is_any_sendable(_: Any) -> bool:
    return True


def _place_of(compared: ComparedSchemas) -> _Place:
    side = allowing_side(compared.direction)
    schemas = {Side.OLD: compared.old, Side.NEW: compared.new}
    return _Place(
        side=side,
        allowing=schemas[side],
        refusing=schemas[side.opposite],
        text_depth=compared.text_depth,
    )


def _is_same_value(step: str) -> bool:
    """Say whether a step leads to other schemas for the same value: a branch, what `if` or `not` are about."""
    return step.startswith("|") or (step[:1] == ":" and step[1:].partition(" ")[0] in _SAME_VALUE_KEYWORDS)


_SAME_VALUE_KEYWORDS = frozenset({"not", "if", "then", "else", "dependentSchemas"})


def _part_at(wrapped: Wrapped) -> Any:
    value = wrapped.value
    for step in wrapped.path:
        value = value[step]
    return value
