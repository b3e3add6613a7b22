"""Known failures: what somebody has looked at and accepted for a time, with a reason and a last day.

What a baseline knows does not make a run red. An entry past its day knows nothing any more, and one that fits
nothing is reported, so that the file cannot outlive what it excuses.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from devportal.conformance.results.result import (
    RED_STANDINGS,
    BaselineWarning,
    Failure,
    KnownFailure,
    Result,
    Standing,
)
from devportal.documents import Document, Shape, read_document, to_yaml
from devportal.errors import InvalidSettings, Place
from devportal.findings import join_errors

DEFAULT_EXPIRY = timedelta(days=90)
"""How long what `--baseline-write` writes is accepted, unless somebody changes it."""
_HEAD = """\
# Known failures of a deployment. Give each entry a reason (an empty one is refused), an owner if there is
# one, and the last day on which it is accepted. Without `fingerprint`, all of that title are accepted, and
# without `title` too, all of that check.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineEntry:
    """One known failure: what is empty fits any. `place` is its location in the file."""

    check: str
    operation: str = ""
    title: str = ""
    fingerprint: str = ""
    known: KnownFailure
    place: Place

    def fits(self, failure: Failure) -> bool:
        """Return whether this entry is about a failure, or about one that is joined with it."""
        return any(self._fits_one(member) for member in failure.members)

    def _fits_one(self, failure: Failure) -> bool:
        pairs = (
            (self.check, failure.check),
            (self.operation, failure.operation),
            (self.title, failure.title),
            (self.fingerprint, failure.fingerprint),
        )
        return all(not wanted or wanted == given for wanted, given in pairs)

    @property
    def about(self) -> str:
        """What people call it."""
        return (
            f"{self.operation or 'any operation'}: {self.title or self.fingerprint or 'all'} [{self.check}]"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """The entries of a file, and the day on which they are asked. Without a file, none."""

    entries: tuple[BaselineEntry, ...] = ()
    today: date = date.min

    def mark_known(self, failure: Failure) -> Failure:
        """Return a failure, marked `KNOWN` where it would make the run red and an entry accepts it."""
        if failure.standing not in RED_STANDINGS:
            return failure
        for entry in self.entries:
            if entry.fits(failure) and not self._is_over(entry):
                return replace(failure, standing=Standing.KNOWN, known=entry.known)
        return failure

    def doubts(
        self, failures: Sequence[Failure], tested: Iterable[str], declared: Iterable[str]
    ) -> Iterator[BaselineWarning]:
        """Yield what is doubtful about the entries: expired, or about nothing that the run has seen.

        An entry about an operation of the contract (`declared`) that was not tested is not judged.
        """
        untested = set(declared) - set(tested)
        for entry in self.entries:
            is_met = any(entry.fits(failure) for failure in failures)
            if is_met and self._is_over(entry):
                yield _entry_warning(entry, f"expired on {entry.known.expires}: the failure counts again")
            if not is_met and entry.operation not in untested:
                yield _entry_warning(entry, "was not met in this run: delete the entry if it is fixed")

    def _is_over(self, entry: BaselineEntry) -> bool:
        return entry.known.expires < self.today


def load_baseline(path: Path, *, today: date) -> Baseline:
    """Return the baseline of a file. Raises UnreadableInput, and InvalidSettings that lists all problems."""
    return parse_baseline(read_document(path), today=today)


def parse_baseline(document: Document, *, today: date) -> Baseline:
    """Return the baseline of a document; raises InvalidSettings for all that is wrong in it at once."""
    wrong = [misfit.finding for misfit in _shape().misfits(document)]
    if wrong:
        raise InvalidSettings(join_errors(wrong))
    entries = tuple(
        _parse_entry(value, document.place(("known", str(position))))
        for position, value in enumerate(document.data["known"])
    )
    return Baseline(entries=entries, today=today)


def baseline_text(result: Result, kept: Baseline) -> str:
    """Return a baseline of all failures that make a result red, each with a reason to fill in.

    The entries of `kept` that fit a failure which is known stay as they are; the others go.
    """
    known = [failure for failure in result.failures if failure.standing is Standing.KNOWN]
    entries = [
        _entry_fields(entry) for entry in kept.entries if any(entry.fits(failure) for failure in known)
    ]
    until = result.started_at.date() + DEFAULT_EXPIRY
    red = {failure.fingerprint: failure for failure in result.failures if failure.fails}
    entries += [_new_entry_fields(failure, until) for failure in red.values()]
    return _HEAD + to_yaml({"known": entries})


def _parse_entry(given: dict[str, Any], place: Place) -> BaselineEntry:
    names = ("operation", "check", "title", "fingerprint")
    known = KnownFailure(
        reason=given["reason"], expires=date.fromisoformat(given["expires"]), owner=given.get("owner", "")
    )
    return BaselineEntry(**{name: given.get(name, "") for name in names}, known=known, place=place)


def _entry_fields(entry: BaselineEntry) -> dict[str, str]:
    fields = {
        "operation": entry.operation,
        "check": entry.check,
        "title": entry.title,
        "fingerprint": entry.fingerprint,
        "reason": entry.known.reason,
        "owner": entry.known.owner,
        "expires": entry.known.expires.isoformat(),
    }
    return {name: value for name, value in fields.items() if value}


def _new_entry_fields(failure: Failure, until: date) -> dict[str, str]:
    return {
        **({"operation": failure.operation} if failure.operation else {}),
        "check": failure.check,
        "title": failure.title,
        "fingerprint": failure.fingerprint,
        "reason": "",
        "expires": until.isoformat(),
    }


def _entry_warning(entry: BaselineEntry, reason: str) -> BaselineWarning:
    return BaselineWarning(place=entry.place, operation=entry.operation, about=entry.about, reason=reason)


@lru_cache(maxsize=1)
def _shape() -> Shape:
    text = files("devportal.conformance").joinpath("schemas", "baseline.schema.json").read_text("utf-8")
    return Shape(json.loads(text), rule="conformance-baseline", root="the baseline")
