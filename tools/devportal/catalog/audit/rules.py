"""The rules that forbid a step of the review, beyond those of the log, and what an activation replaces.

The commands and the review over HTTP check the same rules before they write.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from types import MappingProxyType
from typing import TypeVar

from devportal.catalog.audit.lifecycle import TRANSITIONS, Action, History, State
from devportal.catalog.book.book import Book
from devportal.catalog.records.content import content_sha256
from devportal.catalog.records.version_ref import Kind, RecordRef
from devportal.catalog.records.window import Terms, terms_key, windows_overlap

_TermsT = TypeVar("_TermsT", bound=Terms)
_STEPS = MappingProxyType(
    {Action.CREATE: "a new draft", Action.EDIT: "a change", Action.SUPERSEDE: "a replacement"}
)
"""Names of steps that have no command."""
_NOUNS = MappingProxyType({Kind.RATE: "rates", Kind.COVERAGE: "coverage records"})


class Rule(StrEnum):
    """The rule that a step would break. The value is the rule id of its finding."""

    STATE = "catalog-transition"
    FOUR_EYES = "catalog-four-eyes"
    CONTENT = "catalog-content"
    BACKDATED = "catalog-backdated"
    OVERLAP = "catalog-overlap"
    EXPIRED = "catalog-window"


@dataclass(frozen=True, slots=True, kw_only=True)
class Objection:
    """Why a step is not allowed, and what to do: sentences without a final period."""

    rule: Rule
    message: str
    help: str = ""


def step_objection(record: RecordRef, state: State | None, action: Action) -> Objection | None:
    """Return why an action may not start from the state of a version, or None if it may."""
    sources = TRANSITIONS[action].sources
    if state in sources:
        return None
    needed = " or ".join(sorted(f"'{source or 'nothing'}'" for source in sources))
    message = f"{record} is '{state or 'nothing'}'; {_STEPS.get(action, action)} needs {needed}"
    return Objection(rule=Rule.STATE, message=message)


def approval_objection(
    terms: Terms, history: History, *, actor: str, read_sha256: str, today: date
) -> Objection | None:
    """Return why somebody may not approve what they read, or None if they may.

    Nobody may approve what they wrote (decision 0013), content other than the one with the hash
    `read_sha256`, or a version whose first day is over: its price has already applied on that day or not.
    """
    if actor in history.writers:
        message = f"{actor} wrote or submitted {terms.ref}"
        return Objection(rule=Rule.FOUR_EYES, message=message, help="have somebody else approve it")
    if content_sha256(terms) != read_sha256:
        message = f"the content of {terms.ref} is not the one that you name"
        help_ = "read the version again, and name what you have read"
        return Objection(rule=Rule.CONTENT, message=message, help=help_)
    if terms.effective_from < today:
        message = f"effective_from is {terms.effective_from}, before today, {today}"
        return Objection(rule=Rule.BACKDATED, message=message, help="reject the version, and have it revised")
    return None


def versions_to_supersede(
    terms: _TermsT, active: Iterable[_TermsT], *, book: Book, today: date
) -> tuple[tuple[_TermsT, ...], Objection | None]:
    """Return the active versions that an activation today supersedes, and why it is not allowed, if so.

    A version that has begun replaces the earlier one of the same record. Any other overlap would give two
    prices for one day (decision 0015).
    """
    if terms.effective_to is not None and terms.effective_to <= today:
        message = f"{terms.ref} ended on {terms.effective_to}, and today is {today}"
        return (), Objection(
            rule=Rule.EXPIRED, message=message, help="withdraw it, and write these terms as a new version"
        )
    rivals = tuple(rival for rival in active if _are_rivals(rival, terms, book))
    for rival in rivals:
        if rival.id != terms.id:
            help_ = f"they are versions of two {_NOUNS[terms.kind]}: withdraw one of the two"
            return (), _overlap_objection(terms, rival, help_)
        if rival.version > terms.version:
            help_ = f"{rival.ref} is the newer one: write these terms as a new version"
            return (), _overlap_objection(terms, rival, help_)
        if terms.effective_from > today:
            help_ = f"activate {terms.ref} on that day, or withdraw {rival.ref}"
            return (), _overlap_objection(terms, rival, help_)
    return rivals, None


def _are_rivals(version: Terms, other: Terms, book: Book) -> bool:
    """Say whether two versions apply to the same key, or belong to one record, on the same day."""
    is_same = version.id == other.id or terms_key(book, version) == terms_key(book, other)
    return (
        version.kind is other.kind
        and version.ref != other.ref
        and is_same
        and windows_overlap(version, other)
    )


def _overlap_objection(terms: Terms, rival: Terms, help_: str) -> Objection:
    first_day = max(terms.effective_from, rival.effective_from)
    message = f"{terms.ref} and {rival.ref} would both hold from {first_day} on for the same thing"
    return Objection(rule=Rule.OVERLAP, message=message, help=help_)
