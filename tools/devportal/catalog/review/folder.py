"""An open folder of records, and where a project keeps its folder."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from textwrap import indent

from devportal.catalog import Catalog, check_catalog, load_catalog
from devportal.catalog.audit.history import histories
from devportal.catalog.audit.lifecycle import History, State
from devportal.catalog.audit.log import AuditEntry
from devportal.catalog.records.loading import recover_command
from devportal.catalog.review.lock import read_lock, write_lock
from devportal.catalog.review.write_ahead import LOG, RecordChange, commit_changes
from devportal.documents import why_irregular
from devportal.errors import EnvironmentProblem, InvalidSettings, Place, RefusedWrite, UnreadableInput
from devportal.findings import Finding, Level, describe_findings
from devportal.project.settings_file import SETTINGS_FILE, plugin_options, read_settings_file

Clock = Callable[[], datetime]
"""Returns the time, aware, in UTC, in whole seconds."""

_MAX_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenFolder:
    """The content of a folder, its findings, and the bytes of its log; `at` is the time it was read."""

    at: datetime
    folder: Path
    name: str
    catalog: Catalog
    findings: tuple[Finding, ...]
    log: bytes

    def write(self, changes: Sequence[RecordChange], entries: Iterable[AuditEntry]) -> None:
        """Change files and append entries, both or neither. The folder must be held exclusively."""
        lines = "".join(f"{entry.line()}\n" for entry in entries)
        commit_changes(self.folder, changes, log=self.log, lines=lines.encode())

    def require_sound(self, *, except_for: frozenset[Finding] = frozenset()) -> None:
        """Raise RefusedWrite if records and log have errors: nothing is written next to errors."""
        errors = [
            finding for finding in self.findings if finding.level is Level.ERROR and finding not in except_for
        ]
        if errors:
            listed = indent("\n".join(describe_findings(errors[:_MAX_SHOWN])), "  ")
            more = f"\n  and {len(errors) - _MAX_SHOWN:,} more" if len(errors) > _MAX_SHOWN else ""
            raise RefusedWrite(
                f"nothing was written, because something is wrong in {self.name}:\n{listed}{more}",
                help=f"{check_command(self.name)} lists all of it; fix that first",
            )


def check_command(name: str) -> str:
    """Return the command that checks a folder."""
    return f"devportal check --records {shlex.quote(name)}"


@contextmanager
def open_for_reading(folder: Path, clock: Clock) -> Iterator[OpenFolder]:
    """Hold a folder for reading. Raises PortalError if it cannot be read, or a write was interrupted."""
    with read_lock(folder):
        opened = _read_folder(folder, clock())
        if opened.catalog.is_interrupted:
            raise EnvironmentProblem(
                f"{opened.name}: a write to these records was interrupted, and they are in parts as before it",
                help=f"run {recover_command(opened.name)}, which finishes it",
            )
        yield opened


@contextmanager
def open_for_writing(folder: Path, clock: Clock) -> Iterator[OpenFolder]:
    """Hold a folder exclusively for a write. Raises PortalError if it cannot be held or read.

    The time is taken after the lock is acquired, so a write that waited has a later time than the one before
    it.
    """
    with write_lock(folder):
        yield _read_folder(folder, clock())


def _read_folder(folder: Path, at: datetime) -> OpenFolder:
    name = folder.as_posix()
    catalog, findings = load_catalog(folder, name=name)
    log = folder / LOG
    has_log = log.exists() and not why_irregular(folder, LOG)
    return OpenFolder(
        at=at,
        folder=folder,
        name=name,
        catalog=catalog,
        findings=(*findings, *check_catalog(catalog, today=at.date())),
        log=log.read_bytes() if has_log else b"",
    )


def findings_at(opened: OpenFolder, rule: str, places: Iterable[Place]) -> frozenset[Finding]:
    """Return the findings of a rule at some places."""
    place_set = set(places)
    return frozenset(
        finding for finding in opened.findings if finding.rule == rule and finding.place in place_set
    )


def drafts_unknown_to_log(opened: OpenFolder) -> frozenset[Finding]:
    """Return the findings that only report that a draft, written by hand, is not in the log yet."""
    history_by_ref = histories(opened.catalog.audit)
    return findings_at(
        opened,
        "catalog-state",
        (
            version.source.place("status")
            for version in opened.catalog.records.all()
            if version.status is State.DRAFT and history_by_ref.get(version.ref, History()).state is None
        ),
    )


_DEFAULT = Path("data")


def records_folder(folder: Path) -> Path:
    """Return the folder of records of the project in a folder.

    Raises InvalidSettings if `mkdocs.yml` exists but does not name it clearly: writes never guess.
    """
    path = folder / SETTINGS_FILE
    if not path.exists():
        return _DEFAULT
    try:
        settings = read_settings_file(path)
    except UnreadableInput as error:
        raise _unclear_folder_error("it cannot be read") from error
    if isinstance(settings, dict) and "INHERIT" in settings:
        raise _unclear_folder_error("it inherits from another file")
    records = (plugin_options(settings) or {}).get("records")
    if records and not isinstance(records, str):
        raise _unclear_folder_error("the setting 'records' is not text")
    return Path(records) if records else _DEFAULT


def _unclear_folder_error(why: str) -> InvalidSettings:
    return InvalidSettings(
        f"mkdocs.yml does not say where the records are: {why}", help="name their folder with --records"
    )
