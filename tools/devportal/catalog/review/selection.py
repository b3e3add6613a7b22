"""Which versions a command selects, and the messages of refused writes."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from devportal.catalog.audit.journal import Write
from devportal.catalog.audit.lifecycle import Action, State
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.text import AnyVersion, Records
from devportal.catalog.records.version_ref import Kind, RecordRef
from devportal.errors import InvalidSettings, Place, RefusedWrite

_NAME = re.compile(r"([a-z0-9]+(?:-[a-z0-9]+)*)@([1-9][0-9]{0,5})", re.ASCII)
"""The reference of a version, as the shapes of records and log define it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionFilter:
    """Conditions on versions; an empty one matches all. `sold` holds products or channels."""

    states: frozenset[State] = frozenset()
    markets: frozenset[str] = frozenset()
    sold: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        """Say whether there is any condition."""
        return bool(self.states or self.markets or self.sold)

    def matches(self, version: AnyVersion) -> bool:
        """Say whether a version matches."""
        sold = version.terms.product if isinstance(version.terms, RateTerms) else version.terms.channel
        return (
            (not self.states or version.status in self.states)
            and (not self.markets or version.terms.market in self.markets)
            and (not self.sold or sold.key in self.sold)
        )


def versions_of(records: Records, kind: Kind) -> Sequence[AnyVersion]:
    """Return the versions of a kind, ordered by name."""
    versions: Sequence[AnyVersion] = records.rates if kind is Kind.RATE else records.coverage
    return sorted(versions, key=lambda version: version.ref)


def filter_versions(records: Records, kind: Kind, choice: VersionFilter) -> Sequence[AnyVersion]:
    """Return the matching versions of a kind, ordered by name.

    Raises InvalidSettings for a market, product or channel that the rate book does not have.
    """
    book = records.book
    markets = book.markets.names
    key_by_lower = {key.lower(): key for key in markets}
    example = next(iter(markets), "") if book.markets.zones else "NO"
    unknown = [key for key in choice.markets if key.lower() not in key_by_lower]
    _refuse_unknown(unknown, (), str(book.markets.kind), [example])
    sold = book.product if kind is Kind.RATE else book.channel
    _refuse_unknown(choice.sold, sold, "product" if kind is Kind.RATE else "channel", [*sold])
    choice = replace(choice, markets=frozenset(key_by_lower.get(key.lower(), key) for key in choice.markets))
    return [version for version in versions_of(records, kind) if choice.matches(version)]


def _refuse_unknown(keys: Iterable[str], known: Collection[str], noun: str, examples: Sequence[str]) -> None:
    for key in sorted(set(keys) - set(known)):
        help_ = f"use one such as {', '.join(examples)}" if any(examples) else "book.yaml declares none"
        raise InvalidSettings(f"there is no {noun} {key!r}", help=help_)


def find_versions(records: Records, kind: Kind, names: Sequence[str]) -> Sequence[AnyVersion]:
    """Return the named versions, each once. A name without a version means the latest.

    Raises InvalidSettings for an unknown name.
    """
    versions = {version.ref: version for version in versions_of(records, kind)}
    latest = {ref.id: ref for ref in versions}
    refs = dict.fromkeys(_parse_ref(name, kind, latest) for name in names)
    for ref in refs:
        if ref not in versions:
            raise InvalidSettings(f"there is no {ref}", help=_known_versions_hint(ref, versions))
    return [versions[ref] for ref in refs]


def _parse_ref(name: str, kind: Kind, latest: dict[str, RecordRef]) -> RecordRef:
    without_kind = name.removeprefix(f"{kind}/")
    if without_kind in latest:
        return latest[without_kind]
    match = _NAME.fullmatch(without_kind)
    if match is None:
        example = f"{next(iter(latest), 'no-parcel')}@1"
        raise InvalidSettings(
            f"{name!r} names no version of {kind}",
            help=f"write its id, @ and the number of the version, such as {example}",
        )
    return RecordRef(kind=kind, id=match.group(1), version=int(match.group(2)))


def _known_versions_hint(ref: RecordRef, version_by_ref: dict[RecordRef, AnyVersion]) -> str:
    versions = list(_version_numbers(ref, version_by_ref))
    if not versions:
        return f"devportal {ref.kind} list shows what there is"
    return (
        f"there are {', '.join(str(number) for number in versions)}"
        if len(versions) > 1
        else (f"there is {ref.id}@{versions[0]}")
    )


def _version_numbers(ref: RecordRef, version_by_ref: dict[RecordRef, AnyVersion]) -> Iterator[int]:
    return (record_ref.version for record_ref in version_by_ref if record_ref.id == ref.id)


_MAX_LISTED = 50
"""How many refusals are listed at most."""
_MAX_REASON = 1900
"""How much of a reason is kept when text is added to it: the log allows 2,000 characters."""
_ItemT = TypeVar("_ItemT")


class Denied(RefusedWrite):
    """A step that its actor may not take, as opposed to one that nobody may take now."""

    def __init__(
        self,
        message: str,
        *,
        place: Place | None = None,
        help: str,  # noqa: A002 - as PortalError has it
        attempt: Write,
        others: int = 0,
    ) -> None:
        """Take the message, what to do, the first attempt, and how many more attempts were denied with it."""
        super().__init__(message, place=place, help=help)
        self.attempt = attempt
        self.others = others


def apply_to_each(items: Sequence[_ItemT], step: Callable[[_ItemT], object]) -> Sequence[_ItemT]:
    """Apply a step to each item, and return the items that it changed.

    Raises RefusedWrite at the end, with all refusals.
    """
    changed: list[_ItemT] = []
    refusals: list[RefusedWrite] = []
    for item in items:
        try:
            if step(item) is not False:
                changed.append(item)
        except RefusedWrite as error:
            refusals.append(error)
    if refusals:
        raise combine_refusals(refusals, count=len(items))
    return changed


def combine_refusals(refusals: Sequence[RefusedWrite], *, count: int) -> RefusedWrite:
    """Return one refusal for several of `count` versions, each with its place and what to do."""
    if len(refusals) == 1:
        return refusals[0]
    by_place = sorted(refusals, key=lambda error: error.place or Place(file=""))
    listed = "".join(f"\n{error}".replace("\n", "\n  ") for error in by_place[:_MAX_LISTED])
    more = f"\n  and {len(refusals) - _MAX_LISTED:,} more" if len(refusals) > _MAX_LISTED else ""
    message = f"nothing was written: {len(refusals):,} of {count:,} versions are refused{listed}{more}"
    if denied := [error for error in refusals if isinstance(error, Denied)]:
        others = sum(1 + error.others for error in denied) - 1
        return Denied(message, help="", attempt=denied[0].attempt, others=others)
    return RefusedWrite(message)


def reason_with_count(reason: str, others: int) -> str:
    """Return a reason for the log that includes how many other versions were denied with it."""
    if not others:
        return reason
    count_note = f"and {others:,} other version{'' if others == 1 else 's'}"
    return f"{reason[:_MAX_REASON]} ({count_note})" if reason else count_note


def step_command(name: str, record: RecordRef) -> str:
    """Return the command line, without the actor, of a step on a version."""
    return f"devportal {record.kind} {name} {record.id}@{record.version}"


def next_step_command(record: RecordRef, state: State | None, action: Action) -> str:
    """Return the command that leads on, if an action may not start from the state of a version."""

    def command(name: str) -> str:
        return step_command(name, record)

    match state:
        case None | State.DRAFT:
            return f"hand it in first: {command('submit')}"
        case State.SUBMITTED if action in {Action.SUBMIT, Action.ACTIVATE}:
            return f"it waits for an approver: {command('approve')}; {command('reject')} takes it back"
        case State.SUBMITTED:
            return f"have an approver take it back: {command('reject')} --reason …"
        case State.REJECTED:
            return f"make it a draft again: {command('revise')}"
        case State.APPROVED:
            return f"make it public: {command('activate')}, or end it: {command('withdraw')} --reason …"
        case State.ACTIVE:
            return f"write a change as a new version; this one ends by {command('withdraw')} --reason …"
        case State.SUPERSEDED | State.WITHDRAWN:
            return (
                f"it has ended: write a new version; devportal {record.kind} submit {record.id} hands it in"
            )
