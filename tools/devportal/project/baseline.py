"""The baseline: problems of a contract that are known and accepted, so that only new ones fail a check.

An entry accepts one problem: same rule, same file, same message. Lines may move. An entry whose problem no
longer occurs is reported, so that the file shrinks as the contract gets better.
"""

import json
import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from devportal.contract import Contract
from devportal.documents import Document, Shape, read_document, to_yaml
from devportal.errors import InvalidSettings, Place
from devportal.findings import Finding, Level, join_errors
from devportal.reporting.printable import count_noun

FILE_NAME = "baseline.yaml"
"""What the file is called: it is looked for beside the contract."""
_HEAD = """\
# Known problems of the contract. `devportal check` accepts them and fails only for new ones.
# Fix a problem, then delete its entry: `devportal check` warns about entries that no longer occur.
# `devportal check --no-baseline` lists them with their help, `--update-baseline` writes this file again.
"""
_POSITION = re.compile(r":\d+:\d+$")
_Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownProblem:
    """An accepted problem. `at` is where it was, relative to the baseline; `place` is the entry's own place."""

    rule: str
    at: str
    message: str
    accepted: date
    reason: str
    place: Place | None = None

    @property
    def key(self) -> _Key:
        """Return what a problem must have in common with this entry: rule, file and message."""
        return self.rule, _POSITION.sub("", self.at), self.message


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineComparison:
    """The problems of a contract beside its baseline."""

    new: tuple[Finding, ...]
    """The findings that no entry accepts."""
    known: tuple[KnownProblem, ...]
    """The entries that accept a problem."""
    stale: tuple[KnownProblem, ...]
    """The entries whose problem no longer occurs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """The known problems of a contract. `name` is what messages call the file, which lies beside the contract."""

    name: str
    problems: tuple[KnownProblem, ...] = field(default=(), repr=False)

    def compare(self, findings: Iterable[Finding]) -> BaselineComparison:
        """Compare the findings of a contract with the entries. Only errors are accepted: nothing else fails."""
        entries: defaultdict[_Key, list[KnownProblem]] = defaultdict(list)
        for entry in self.problems:
            entries[entry.key].append(entry)
        new, known = list[Finding](), list[KnownProblem]()
        for finding in findings:
            fitting = entries[self._key(finding)] if finding.level is Level.ERROR else []
            if fitting:
                known.append(fitting.pop(0))
            else:
                new.append(finding)
        stale = [entry for left in entries.values() for entry in left]
        return BaselineComparison(new=tuple(new), known=tuple(known), stale=tuple(stale))

    def apply(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Return the findings with a note in place of those that are known, and a warning for each stale entry."""
        compared = self.compare(findings)
        notes = (_known_note(self.name, compared.known),) if compared.known else ()
        return (*compared.new, *notes, *map(_stale_warning, compared.stale))

    def accept(self, findings: Iterable[Finding], *, day: date, reason: str) -> tuple[KnownProblem, ...]:
        """Return the entries that accept every error: those that still occur as they are, then new ones."""
        compared = self.compare(findings)
        added = (
            KnownProblem(
                rule=finding.rule,
                at=self._relative_place(finding),
                message=finding.message,
                accepted=day,
                reason=reason,
            )
            for finding in compared.new
            if finding.level is Level.ERROR
        )
        return (*compared.known, *added)

    def _key(self, finding: Finding) -> _Key:
        return finding.rule, self._relative_file(finding.place.file), finding.message

    def _relative_place(self, finding: Finding) -> str:
        place = finding.place
        return str(Place(file=self._relative_file(place.file), line=place.line, column=place.column))

    def _relative_file(self, file: str) -> str:
        return posixpath.relpath(file, posixpath.dirname(self.name) or ".")


def acceptable_findings(contract: Contract, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings of a checked contract that a baseline can accept: all but those from reading it."""
    return (finding for finding in findings if finding not in contract.findings)


def read_baseline(path: Path, *, name: str) -> Baseline:
    """Return the baseline in a file. Raises UnreadableInput, and InvalidSettings for everything wrong in it."""
    document = read_document(path, name=name)
    if wrong := [misfit.finding for misfit in _shape().misfits(document)]:
        raise InvalidSettings(join_errors(wrong))
    entries = enumerate(document.data["problems"])
    return Baseline(
        name=name, problems=tuple(_read_entry(document, value, number) for number, value in entries)
    )


def _read_entry(document: Document, entry: dict[str, Any], number: int) -> KnownProblem:
    return KnownProblem(
        rule=entry["rule"],
        at=entry["place"],
        message=entry["message"],
        accepted=date.fromisoformat(entry["accepted"]),
        reason=entry["reason"],
        place=document.place(("problems", str(number))),
    )


def baseline_text(problems: Iterable[KnownProblem]) -> str:
    """Return the text of a baseline with these problems."""
    entries = [
        {
            "rule": problem.rule,
            "place": problem.at,
            "message": problem.message,
            "accepted": problem.accepted.isoformat(),
            "reason": problem.reason,
        }
        for problem in problems
    ]
    return _HEAD + to_yaml({"problems": entries})


def _known_note(name: str, known: Sequence[KnownProblem]) -> Finding:
    counts = Counter(known_problem.rule for known_problem in known)
    listed = ", ".join(f"{count:,} {rule}" for rule, count in sorted(counts.items()))
    return Finding(
        rule="baseline-known",
        level=Level.NOTE,
        place=Place(file=name),
        message=f"{count_noun(len(known), 'known problem')} accepted: {listed}",
        help="run devportal check --no-baseline to list them",
    )


def _stale_warning(entry: KnownProblem) -> Finding:
    return Finding(
        rule="baseline-stale",
        level=Level.WARNING,
        place=entry.place or Place(file=entry.at),
        message=f"this problem no longer occurs: {entry.rule} in {entry.at}",
        help="delete the entry, or run devportal check --update-baseline",
    )


@lru_cache(maxsize=1)
def _shape() -> Shape:
    text = files("devportal.project").joinpath("schemas", "baseline.json").read_text("utf-8")
    return Shape(json.loads(text), rule="baseline-file", root="the baseline")
