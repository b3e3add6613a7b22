"""The publication gate: the one place where a record becomes something that a page may show.

Public is a version that is approved AND active, whose content is the content approved, on a day within
its effective window (service.md, What the service does 5). Whatever is in doubt is not public: a log that is
broken or unreadable publishes nothing, and a version that is written down twice is not published.
"""

from collections.abc import Iterator, Mapping
from dataclasses import InitVar, dataclass, field
from datetime import date
from typing import Final, TypeVar, final

from devportal.catalog.audit import AuditLog
from devportal.catalog.content import content_sha256
from devportal.catalog.coverage import CoverageTerms, Support
from devportal.catalog.history import History, trusted_histories
from devportal.catalog.lifecycle import State
from devportal.catalog.rate import RateTerms
from devportal.catalog.ref import RecordRef
from devportal.catalog.version import Records, Version
from devportal.catalog.window import holds


@final
class _Seal:
    """What only this module can hand to the types below."""


_SEAL: Final = _Seal()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sealed:
    """Refuses to be made, or copied with other values, by anything but the gate."""

    seal: InitVar[_Seal]

    def __post_init__(self, seal: _Seal) -> None:
        if seal is not _SEAL:
            raise TypeError(f"only devportal.catalog.published makes a {type(self).__name__}")


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedRate(_Sealed):
    """A rate version that anybody may see. Only `published` makes one."""

    terms: RateTerms
    approved_on: date
    content_sha256: str


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedCoverage(_Sealed):
    """A coverage record that anybody may see. Only `published` makes one."""

    terms: CoverageTerms
    approved_on: date
    content_sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What is public on the day `on` (UTC): rates and coverage in the order of their names."""

    on: date
    rates: tuple[PublishedRate, ...] = field(default=())
    coverage: tuple[PublishedCoverage, ...] = field(default=())


def published(records: Records, audit: AuditLog, today: date) -> Published:
    """Return exactly what is public on the day `today` (UTC)."""
    trusted = trusted_histories(records, audit)
    rates = (
        PublishedRate(seal=_SEAL, terms=terms, approved_on=approved_on, content_sha256=sha256)
        for terms, approved_on, sha256 in _public(records.rates, trusted, today)
    )
    coverage = (
        PublishedCoverage(seal=_SEAL, terms=terms, approved_on=approved_on, content_sha256=sha256)
        for terms, approved_on, sha256 in _public(records.coverage, trusted, today)
        if terms.support is not Support.UNAVAILABLE
    )
    return Published(
        on=today,
        rates=tuple(sorted(rates, key=lambda rate: rate.terms.ref)),
        coverage=tuple(sorted(coverage, key=lambda record: record.terms.ref)),
    )


_TermsT = TypeVar("_TermsT", RateTerms, CoverageTerms)


def _public(
    versions: tuple[Version[_TermsT], ...], known: Mapping[RecordRef, History], today: date
) -> Iterator[tuple[_TermsT, date, str]]:
    """Yield the terms, day of approval and content hash of the versions that are public."""
    for version in versions:
        history = known.get(version.ref)
        sha256 = content_sha256(version.terms)
        if history is None or history.approved_at is None or not _is_in_force(history, today):
            continue
        if version.status is State.ACTIVE and history.pinned_sha256 == sha256 and holds(version.terms, today):
            yield version.terms, history.approved_at.date(), sha256


def _is_in_force(history: History, today: date) -> bool:
    """Say whether the log explains, by that day, an approved version that is active."""
    return (
        not history.faults
        and history.state is State.ACTIVE
        and history.activated_at is not None
        and history.activated_at.date() <= today
    )
