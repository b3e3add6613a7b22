"""A folder of records that is open: as it was read, and, for who holds it alone, what is written to it."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from devportal.catalog import Catalog, check_catalog, load_catalog
from devportal.catalog.audit import AuditEntry
from devportal.catalog.history import History, histories
from devportal.catalog.lifecycle import State
from devportal.catalog.loading import recover_command
from devportal.documents import why_irregular
from devportal.errors import EnvironmentProblem, Place, RefusedWrite
from devportal.findings import Finding, Level
from devportal.review.lock import reading, writing
from devportal.review.pending import LOG
from devportal.review.write_ahead import Change, commit

Clock = Callable[[], datetime]
"""Tells the time, aware, in UTC, in whole seconds."""

_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """What a folder holds, all that is wrong in it, and the bytes of its log; `at` is when it was read."""

    at: datetime
    folder: Path
    name: str
    catalog: Catalog
    findings: tuple[Finding, ...]
    log: bytes

    def write(self, changes: Sequence[Change], entries: Iterable[AuditEntry]) -> None:
        """Change files and append entries, both or neither; only for who holds the folder alone."""
        lines = "".join(f"{entry.line()}\n" for entry in entries)
        commit(self.folder, changes, log=self.log, lines=lines.encode())

    def refuse_unsound(self, *, except_for: frozenset[Finding] = frozenset()) -> None:
        """Raise RefusedWrite where records and log are not sound: nothing is written beside what is wrong."""
        wrong = [one for one in self.findings if one.level is Level.ERROR and one not in except_for]
        if wrong:
            listed = "\n".join(f"  {finding}".replace("\n", "\n  ") for finding in wrong[:_SHOWN])
            more = f"\n  and {len(wrong) - _SHOWN:,} more" if len(wrong) > _SHOWN else ""
            raise RefusedWrite(
                f"nothing was written, because something is wrong in {self.name}:\n{listed}{more}",
                help=f"{check_of(self.name)} lists all of it; fix that first",
            )


def check_of(name: str) -> str:
    """Return the command that checks a folder, wherever the project is."""
    return f"devportal check --records {shlex.quote(name)}"


@contextmanager
def opened(folder: Path, clock: Clock) -> Iterator[Opened]:
    """Hold a folder for reading; raises PortalError where it cannot be read, or a write was interrupted."""
    with reading(folder):
        found = _read(folder, clock())
        if found.catalog.is_interrupted:
            raise EnvironmentProblem(
                f"{found.name}: a write to these records was interrupted, and they are in parts as before it",
                help=f"run {recover_command(found.name)}, which finishes it",
            )
        yield found


@contextmanager
def opened_alone(folder: Path, clock: Clock) -> Iterator[Opened]:
    """Hold a folder alone, for a write; raises PortalError where it cannot be held or read.

    The time is taken once the folder is held: who waited writes later than who was waited for.
    """
    with writing(folder):
        yield _read(folder, clock())


def _read(folder: Path, at: datetime) -> Opened:
    name = folder.as_posix()
    catalog, findings = load_catalog(folder, name=name)
    log = folder / LOG
    is_there = log.exists() and not why_irregular(folder, LOG)
    return Opened(
        at=at,
        folder=folder,
        name=name,
        catalog=catalog,
        findings=(*findings, *check_catalog(catalog, today=at.date())),
        log=log.read_bytes() if is_there else b"",
    )


def findings_of(opened: Opened, rule: str, places: Iterable[Place]) -> frozenset[Finding]:
    """Return the findings of a rule at any of some places."""
    wanted = set(places)
    return frozenset(one for one in opened.findings if one.rule == rule and one.place in wanted)


def drafts_unknown_to_log(opened: Opened) -> frozenset[Finding]:
    """Return the findings that only say that a draft, written by hand, is not on the log yet."""
    known = histories(opened.catalog.audit)
    return findings_of(
        opened,
        "catalog-state",
        (
            version.source.place("status")
            for version in opened.catalog.records.all()
            if version.status is State.DRAFT and known.get(version.ref, History()).state is None
        ),
    )
