"""The publication gate: the only place that lets records onto pages.

A version is public if it is approved AND active, its content is the approved content, and the day is within
its effective window (service.md, What the service does 5). When in doubt, nothing is public: a log that is
broken or unreadable publishes nothing. A version that is recorded twice, or conflicts with another version in
force, is not published either.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import InitVar, dataclass, field
from datetime import date
from typing import Final, Generic, TypeVar, final

from devportal.catalog.audit.history import trusted_histories
from devportal.catalog.audit.lifecycle import History, State
from devportal.catalog.audit.log import AuditLog
from devportal.catalog.book.book import Book
from devportal.catalog.records.content import content_sha256
from devportal.catalog.records.coverage import CoverageTerms, Support
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.text import Records, Version
from devportal.catalog.records.version_ref import RecordRef
from devportal.catalog.records.window import holds, terms_key


@final
class _Seal:
    """A token that only this module can pass to the types below."""


_SEAL: Final = _Seal()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sealed:
    """Can only be created, or copied with other values, by the publication gate."""

    seal: InitVar[_Seal]

    def __post_init__(self, seal: _Seal) -> None:
        if seal is not _SEAL:
            raise TypeError(f"only devportal.catalog.published makes a {type(self).__name__}")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedRate(_Sealed):
    """A public rate version, in force since `held_from`. Only `published` creates one."""

    terms: RateTerms
    approved_on: date
    content_sha256: str
    held_from: date


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedCoverage(_Sealed):
    """A public coverage record, in force since `held_from`. Only `published` creates one."""

    terms: CoverageTerms
    approved_on: date
    content_sha256: str
    held_from: date


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacedRate(_Sealed):
    """A rate version that was public until another version of the same rate, which is public now, replaced
    it.

    It was in force from the day `held_from`, and no longer on the day `held_until`. Only `published` creates
    one.
    """

    terms: RateTerms
    approved_on: date
    content_sha256: str
    held_from: date
    held_until: date


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacedCoverage(_Sealed):
    """A version of a coverage record that was public, like `ReplacedRate`. Only `published` creates one."""

    terms: CoverageTerms
    approved_on: date
    content_sha256: str
    held_from: date
    held_until: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What is public on the day `on` (UTC), and the versions it replaced, ordered by name and version.

    Replaced versions are for histories only: no list of rates or markets may contain them.
    """

    on: date
    book: Book = field(default_factory=Book, compare=False, repr=False)
    rates: tuple[PublishedRate, ...] = field(default=())
    coverage: tuple[PublishedCoverage, ...] = field(default=())
    replaced_rates: tuple[ReplacedRate, ...] = field(default=())
    replaced_coverage: tuple[ReplacedCoverage, ...] = field(default=())


def published(records: Records, audit: AuditLog, today: date) -> Published:
    """Return what is public on the day `today` (UTC), and the versions it replaced."""
    trusted, book = trusted_histories(records, audit), records.book
    rates = tuple(_approved_versions(records.rates, trusted))
    coverage = tuple(
        approved_version
        for approved_version in _approved_versions(records.coverage, trusted)
        if approved_version.terms.support is not Support.UNAVAILABLE
    )
    rates_in_force, coverage_in_force = _in_force(rates, book, today), _in_force(coverage, book, today)
    return Published(
        on=today,
        book=book,
        rates=tuple(map(_published_rate, rates_in_force)),
        coverage=tuple(map(_published_coverage, coverage_in_force)),
        replaced_rates=tuple(map(_replaced_rate, _replaced_versions(rates, rates_in_force, today))),
        replaced_coverage=tuple(
            map(_replaced_coverage, _replaced_versions(coverage, coverage_in_force, today))
        ),
    )


_TermsT = TypeVar("_TermsT", RateTerms, CoverageTerms)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Approved(Generic[_TermsT]):
    """A version that was approved with its present content and activated, whatever its state is now."""

    terms: _TermsT
    state: State
    approved_on: date
    activated_on: date
    sha256: str
    held_until: date

    @property
    def held_from(self) -> date:
        return max(self.terms.effective_from, self.activated_on)


def _approved_versions(
    versions: tuple[Version[_TermsT], ...], trusted: Mapping[RecordRef, History]
) -> Iterator[_Approved[_TermsT]]:
    """Yield the versions that the log proves as approved, pinned and activated, without findings."""
    for version in versions:
        history = trusted.get(version.ref)
        if history is None or history.findings or version.status is not history.state:
            continue
        sha256 = content_sha256(version.terms)
        if history.approved_at is None or history.activated_at is None or history.pinned_sha256 != sha256:
            continue
        ended = history.ended_at.date() if history.ended_at else date.max
        yield _Approved(
            terms=version.terms,
            state=version.status,
            approved_on=history.approved_at.date(),
            activated_on=history.activated_at.date(),
            sha256=sha256,
            held_until=min(version.terms.effective_to or date.max, ended),
        )


def _in_force(versions: Iterable[_Approved[_TermsT]], book: Book, today: date) -> list[_Approved[_TermsT]]:
    """Return the versions that are active and in force, in order.

    If two versions of one record, or two with the same key, are in force, neither is returned: it is not
    clear which one applies.
    """
    candidates = [
        version
        for version in versions
        if version.state is State.ACTIVE and version.activated_on <= today and holds(version.terms, today)
    ]
    keys = [terms_key(book, candidate.terms) for candidate in candidates]
    id_counts, key_counts = Counter(candidate.terms.id for candidate in candidates), Counter(keys)
    unambiguous = (
        candidate
        for candidate, key in zip(candidates, keys, strict=True)
        if id_counts[candidate.terms.id] == key_counts[key] == 1
    )
    return sorted(unambiguous, key=_sort_key)


def _replaced_versions(
    versions: Iterable[_Approved[_TermsT]], in_force: Iterable[_Approved[_TermsT]], today: date
) -> list[_Approved[_TermsT]]:
    """Return the earlier versions of what is in force that applied for at least a day, in order.

    Withdrawn versions are left out: they must not be returned again (service.md, What the service does 5).
    """
    latest = {approved.terms.id: approved.terms.version for approved in in_force}
    earlier = (
        version
        for version in versions
        if version.state in {State.ACTIVE, State.SUPERSEDED}
        and version.terms.version < latest.get(version.terms.id, 0)
        and version.held_from < version.held_until <= today
    )
    return sorted(earlier, key=_sort_key)


def _sort_key(version: _Approved[_TermsT]) -> tuple[str, int]:
    return version.terms.id, version.terms.version


def _published_rate(version: _Approved[RateTerms]) -> PublishedRate:
    return PublishedRate(
        seal=_SEAL,
        terms=version.terms,
        approved_on=version.approved_on,
        content_sha256=version.sha256,
        held_from=version.held_from,
    )


def _published_coverage(version: _Approved[CoverageTerms]) -> PublishedCoverage:
    return PublishedCoverage(
        seal=_SEAL,
        terms=version.terms,
        approved_on=version.approved_on,
        content_sha256=version.sha256,
        held_from=version.held_from,
    )


def _replaced_rate(version: _Approved[RateTerms]) -> ReplacedRate:
    return ReplacedRate(
        seal=_SEAL,
        terms=version.terms,
        approved_on=version.approved_on,
        content_sha256=version.sha256,
        held_from=version.held_from,
        held_until=version.held_until,
    )


def _replaced_coverage(version: _Approved[CoverageTerms]) -> ReplacedCoverage:
    return ReplacedCoverage(
        seal=_SEAL,
        terms=version.terms,
        approved_on=version.approved_on,
        content_sha256=version.sha256,
        held_from=version.held_from,
        held_until=version.held_until,
    )
