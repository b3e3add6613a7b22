"""Searches for a witness of each breaking change, and lowers verdicts about values that nothing shows."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from devportal.contract import Schema
from devportal.differ.change import Change, Subject, SubjectKind
from devportal.differ.contract_sources import Contracts, schemas_of
from devportal.differ.located_changes import ChangeLocation, ComparedSchemas
from devportal.differ.match.parameters import is_sendable, schema_of
from devportal.differ.message_part import MessagePart
from devportal.differ.places.change_collector import ChangeOrigin
from devportal.differ.policy import Policy, UnknownInput
from devportal.differ.rule import Verdict
from devportal.differ.schemas.position import WHOLE_TEXT, Side
from devportal.differ.witness import Witness, WitnessSearch
from devportal.differ.witnesses.chains import Chain, Chains, Link
from devportal.differ.witnesses.facts import Fact, parameter_name, witness_of_fact
from devportal.differ.witnesses.messages import (
    Message,
    MessageWriter,
    UnwritableMessageError,
    concrete_media_type,
)
from devportal.differ.witnesses.rule_classes import NEEDING_WITNESS
from devportal.differ.witnesses.validation import allowing_side
from devportal.differ.witnesses.values import FoundValue, IsSendable, Tries, ValueSearch
from devportal.documents import format_pointer

_MAX_SIZE = 100_000
"""Characters of the largest value that is shown, as JSON."""
_MAX_ORIGINS = 3
"""At how many of its places a change is looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """The result of a search. A change may be shown although no whole message can be written."""

    witness: Witness | None = None
    tries: int = 0
    is_shown: bool = False


class WitnessFinder:
    """Finds messages that one contract allows and the other refuses."""

    def __init__(
        self, contracts: Contracts, starts: Sequence[tuple[ComparedSchemas, ChangeLocation]]
    ) -> None:
        """Take both contracts, and the compared schemas of their messages."""
        self._policy = contracts.policy
        self._chains = Chains(starts)
        self._chains_of_subjects: dict[Subject, Chains] = {}
        self._starts_of_subjects: dict[Subject, list[tuple[ComparedSchemas, ChangeLocation]]] = {}
        for start in starts:
            self._starts_of_subjects.setdefault(start[1].use.subject, []).append(start)
        self._values = ValueSearch(contracts)
        self._writer = MessageWriter(samplers=self._values.samplers, validators=self._values.validators)

    def with_witness(self, change: Change, origins: Sequence[ChangeOrigin]) -> Change:
        """Return a change with its witness, if it breaks; risky if it is about values and nothing shows it."""
        if change.verdict is not Verdict.BREAKING:
            return change
        if change.rule not in NEEDING_WITNESS:
            witness = self._witness_of_fact(change.rule, origins)
            return replace(change, witness_search=WitnessSearch(witness=witness)) if witness else change
        outcome = self._search(change.subject, origins)
        change = replace(change, witness_search=WitnessSearch(witness=outcome.witness, tries=outcome.tries))
        if outcome.is_shown or self._is_decided_by_policy(change):
            return change
        return replace(change, verdict=Verdict.RISKY, softened_from=change.verdict)

    def _is_decided_by_policy(self, change: Change) -> bool:
        """Say whether the policy makes a change breaking, whatever messages say."""
        if change.rule in self._policy.levels:
            return True
        match change.rule:
            case "schema.format.set" | "schema.format.changed":
                return change.new in self._policy.format_enforced - Policy().format_enforced
            case "schema.property.removed":
                return self._policy.unknown_input is UnknownInput.REJECTED
            case "schema.write-only.set":
                return self._policy.response_optional_removed is Verdict.BREAKING
        return False

    def _witness_of_fact(self, rule: str, origins: Sequence[ChangeOrigin]) -> Witness | None:
        for origin in origins[:_MAX_ORIGINS]:
            location = origin.location
            if location is None or location.part is None:
                continue
            fact = Fact(
                change=origin.change,
                part=location.part,
                subject=location.use.subject.name,
                writer=self._writer,
            )
            try:
                witness = witness_of_fact(rule, fact)
            except UnwritableMessageError:
                continue
            if witness is not None:
                return witness
        return None

    def _search(self, subject: Subject, origins: Sequence[ChangeOrigin]) -> _Outcome:
        tries = Tries()
        chains = [
            (chain, origin.change)
            for origin in _distinct(origins)
            for chain in self._chains_to(origin, subject)
        ]
        is_shown = False
        for chain, change in chains:
            found = self._values.find(chain.links, change, tries, is_sendable=_sendable_in(chain))
            if found is not None:
                is_shown = True
                witness = self._write(chain, found)
                if witness is not None:
                    return _Outcome(witness=witness, tries=tries.count, is_shown=True)
        is_shown = is_shown or any(
            self._values.is_shown_in_part(chain.links, change, tries, is_sendable=_sendable_in(chain))
            for chain, change in chains
            if not change.is_of_double_match
        )
        return _Outcome(tries=tries.count, is_shown=is_shown)

    def _chains_to(self, origin: ChangeOrigin, subject: Subject) -> Iterator[Chain]:
        if origin.compared is not None:
            yield from self._chains_from(subject, origin.compared)
        elif origin.location is not None and origin.location.part is not None:
            compared = _compared_part(origin.location.part)
            yield Chain(origin.location, (Link(compared, ""),))

    def _write(self, chain: Chain, found: FoundValue) -> Witness | None:
        part = chain.location.part
        assert part is not None  # noqa: S101 - chains only begin at parts of messages
        try:
            if len(json.dumps(found.value)) > _MAX_SIZE:
                return None
            message, refusal, pointer = _message_with(part, found)
            return self._writer.write(
                part, chain.location.use.subject.name, message, refusal=refusal, pointer=pointer
            )
        except UnwritableMessageError:
            return None

    def _chains_from(self, subject: Subject, compared: ComparedSchemas) -> Iterable[Chain]:
        """Return the chains to compared schemas, which other operations may share: those of a change of one operation
        begin there.
        """
        chains = tuple(self._chains.to(compared))
        if subject.kind not in (SubjectKind.OPERATION, SubjectKind.EVENT):
            return chains
        own = tuple(chain for chain in chains if chain.location.use.subject == subject)
        if own:
            return own
        if subject not in self._chains_of_subjects:
            self._chains_of_subjects[subject] = Chains(self._starts_of_subjects.get(subject, []))
        return tuple(self._chains_of_subjects[subject].to(compared)) or chains


def _distinct(origins: Sequence[ChangeOrigin]) -> Iterable[ChangeOrigin]:
    """Return a few origins that are not the same compared schemas."""
    distinct = {id(origin.compared or origin): origin for origin in origins}
    return tuple(distinct.values())[:_MAX_ORIGINS]


def _compared_part(part: MessagePart) -> ComparedSchemas:
    """Return the schemas of a part of a message as if they had been compared."""
    old, new = _schemas_of_part(part)
    return ComparedSchemas(
        direction=part.direction,
        old_location=part.old.location,
        new_location=part.new.location,
        old=schemas_of(old),
        new=schemas_of(new),
        text_depth=WHOLE_TEXT if part.parameters is not None else 0,
    )


def _schemas_of_part(part: MessagePart) -> tuple[Schema | None, Schema | None]:
    if part.parameters is not None:
        old, new = part.parameters
        return schema_of(old), schema_of(new)
    if part.media is not None:
        return part.media[0].schema, part.media[1].schema
    return None, None


def _sendable_in(chain: Chain) -> IsSendable:
    """Return which values a message can have at the beginning of a chain."""
    part = chain.location.part
    described = part.parameters if part is not None and part.parameters is not None else ()
    return lambda value: all(
        is_sendable(parameter, value) for parameter in described if parameter is not None
    )


def _message_with(part: MessagePart, found: FoundValue) -> tuple[Message, str, str]:
    """Return the message with a value in a part, why it is refused, and where in its body."""
    message, issue = Message(), found.issue
    is_old = allowing_side(part.direction) is Side.OLD
    if part.headers is not None:
        header = part.headers[0 if is_old else 1]
        if part.responses is None or header is None:
            raise UnwritableMessageError
        message.headers[header.name.lower()] = found.value
        return message, f"the header {header.name}: {issue.message}", ""
    if part.parameters is not None:
        parameter = part.parameters[0 if is_old else 1]
        if parameter is None:
            raise UnwritableMessageError
        message.parameters[parameter.location_in, parameter.name] = found.value
        return message, f"{parameter_name(parameter)}: {issue.message}", ""
    if part.media is None:
        raise UnwritableMessageError
    message.has_own_body = True
    message.body = [found.value] if part.is_item else found.value
    message.media = concrete_media_type(part.media[0 if is_old else 1].name)
    pointer = ("0", *issue.pointer) if part.is_item else issue.pointer
    return message, issue.message, format_pointer(pointer)
