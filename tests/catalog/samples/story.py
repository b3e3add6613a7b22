"""What happened to each sample version, when, and who did it: the steps that make the audit log."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from devportal.catalog.audit.lifecycle import Action, State
from devportal.catalog.records.rate import RateTerms
from devportal.catalog.records.version_ref import RecordRef
from tests.catalog.own_book import replace

from .sample import Sample

IN_WORK = date(2026, 11, 2)
"""From this day on people write what is not yet in force."""
HOURS = {
    Action.ACTIVATE: time(5),
    Action.SUPERSEDE: time(5),
    Action.WITHDRAW: time(8),
    Action.CREATE: time(9),
    Action.REVISE: time(9),
    Action.EDIT: time(10),
    Action.SUBMIT: time(11),
    Action.REJECT: time(14),
    Action.APPROVE: time(15),
}
"""When in a day (UTC) each step is taken, so that no step of a day comes before what it needs."""

AMERICAS = frozenset({"AR", "BR", "CA", "CL", "CO", "CR", "JM", "MX", "PE", "US"})
EUROPE = frozenset(
    {
        *("AT", "BE", "CH", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GB", "GR", "HR", "IE", "IS"),
        *("IT", "LT", "MT", "NL", "PL", "PT", "RO", "SE", "UA"),
    }
)
APPROVALS = (
    "Compared with the carrier's offer",
    "Offer and margin are right",
    "Checked line by line",
    "Agrees with the signed contract",
)
REVIEWED = "Agrees with what the carriers and the regulator say"
SENT_BACK = ("The offer has other prefixes", "The date is before the contract begins", "A digit is missing")


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Step:
    """One entry of the log to be."""

    at: datetime
    record: RecordRef
    action: Action
    actor: str
    reason: str = ""


def steps(samples: list[Sample]) -> Iterator[Step]:
    """Yield the steps of each version, in its order; the position of a version decides what is by chance."""
    for position, sample in enumerate(samples):
        yield from _Story(sample=sample, position=position).steps()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Story:
    """What happened to one version."""

    sample: Sample
    position: int

    @property
    def is_in_work(self) -> bool:
        """Say whether the version is yet to come into force."""
        return self.sample.terms.effective_from > date(2026, 11, 20)

    @property
    def made(self) -> date:
        """Return the day on which the version was written."""
        if self.is_in_work:
            return IN_WORK + timedelta(days=self.position % 7)
        return self.sample.terms.effective_from - timedelta(days=27)

    @property
    def decided(self) -> date:
        """Return the day on which it was approved or rejected."""
        return self.made + timedelta(days=5 if self.is_in_work else 13)

    def steps(self) -> Iterator[Step]:
        """Yield what was done to the version until it was in its state."""
        state = self.sample.state
        yield self._step(Action.CREATE, self.made, self.sample.reason if state is State.ACTIVE else "")
        if state is State.DRAFT:
            if self.position % 2:
                yield self._step(Action.EDIT, self.made + timedelta(days=1), "Digits corrected")
            return
        yield self._step(Action.SUBMIT, self.made + timedelta(days=1))
        if not self.is_in_work and self.position % 23 == 7:
            yield from self._sent_back()
        if state is State.REJECTED:
            why = self.sample.reason or "No carrier answers for this route yet"
            yield self._step(Action.REJECT, self.decided, why)
        elif state is not State.SUBMITTED:
            yield from self._after_approval()

    def _sent_back(self) -> Iterator[Step]:
        why = SENT_BACK[self.position % len(SENT_BACK)]
        yield self._step(Action.REJECT, self.made + timedelta(days=3), why)
        yield self._step(Action.REVISE, self.made + timedelta(days=6), "Mended")
        yield self._step(Action.SUBMIT, self.made + timedelta(days=6))

    def _after_approval(self) -> Iterator[Step]:
        sample, terms = self.sample, self.sample.terms
        is_rate = isinstance(terms, RateTerms)
        why = APPROVALS[self.position % len(APPROVALS)] if is_rate else REVIEWED
        yield self._step(Action.APPROVE, self.decided, why)
        if sample.state is State.ACTIVE and self.is_in_work:
            yield self._step(Action.ACTIVATE, self.decided + timedelta(days=3))
        elif sample.state is not State.APPROVED and not self.is_in_work:
            yield self._step(Action.ACTIVATE, terms.effective_from)
        if sample.state is State.SUPERSEDED and sample.ended:
            following = replace(terms.ref, version=terms.version + 1)
            yield self._step(Action.SUPERSEDE, sample.ended, f"Replaced by {following}.")
        if sample.state is State.WITHDRAWN:
            ended = sample.ended or terms.effective_from + timedelta(days=105)
            yield self._step(Action.WITHDRAW, ended, sample.reason or "The carrier closes the route")

    def _step(self, action: Action, day: date, reason: str = "") -> Step:
        """Return a step at the hour of its kind; what takes effect does so on weekends as well."""
        takes_effect = action in {Action.ACTIVATE, Action.SUPERSEDE}
        at = datetime.combine(day if takes_effect else _workday(day), HOURS[action], UTC)
        at += timedelta(seconds=0 if takes_effect else 4 * self.position)
        actor = _actor(action, self.sample.terms.market, at.date(), self.position)
        return Step(at=at, record=self.sample.terms.ref, action=action, actor=actor, reason=reason)


def _workday(day: date) -> date:
    """Return the day, or the Friday before it where it falls on a weekend."""
    return day - timedelta(days=max(day.weekday() - 4, 0))


def _actor(action: Action, country: str, day: date, position: int) -> str:
    """Return who takes a step: editors have their regions, and Tomás left at the end of August."""
    match action:
        case Action.APPROVE | Action.REJECT:
            return "omar.haddad" if position % 5 < 3 else "grace.kim"
        case Action.ACTIVATE | Action.SUPERSEDE | Action.WITHDRAW:
            return "lin.zhao"
    if country in AMERICAS:
        return "tomas.vega" if day < date(2026, 9, 1) else "amara.obi"
    return "ida.berg" if country in EUROPE else "amara.obi"
