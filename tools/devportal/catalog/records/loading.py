"""Reads the folder of records and its audit log; whatever cannot be read is a finding, never left out.

book.yaml        the rate book: what may be sold, where, and which fields records have
rates/*.yaml     a list of rate versions under the key `rates`
coverage/*.yaml  a list of coverage records under the key `coverage`
audit.jsonl      the audit log
roles.yaml       who may write what
.pending.json    a write that was interrupted: until it is finished nothing else here can be relied on

Only regular files are read. What is reached through a link is a finding that quotes nothing of it.
"""

import os
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from devportal.catalog.audit.log import AuditLog, parse_audit
from devportal.catalog.audit.roles import Roles, parse_roles
from devportal.catalog.book.book import Book
from devportal.catalog.book.file import BOOK, parse_book
from devportal.catalog.records.fields import Fields
from devportal.catalog.records.json_schemas import record_shape
from devportal.catalog.records.parsing import parse_coverage, parse_rate
from devportal.catalog.records.text import Records, Source
from devportal.catalog.records.version_ref import Kind
from devportal.documents import Document, Scalars, read_document, read_text, why_irregular
from devportal.errors import Place, UnreadableInput
from devportal.findings import Finding, Level

PENDING = ".pending.json"
"""The file in the folder of records with a write that counts, but is not applied yet."""

_VersionT = TypeVar("_VersionT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """All records in every review state, and the log that explains them.

    If a write `is_interrupted`, parts of records or log may be missing, and the log is not complete. Records
    of `unread_kinds` are missing because their folder is not a folder, or because the rate book is missing or
    broken.
    """

    records: Records = field(default_factory=Records)
    audit: AuditLog = field(default_factory=AuditLog)
    is_interrupted: bool = False
    unread_kinds: frozenset[Kind] = frozenset()
    is_without_book: bool = False

    @property
    def is_readable(self) -> bool:
        """Say whether book, log and roles were read after the last write. Otherwise nothing is public."""
        return not (
            self.is_without_book or self.is_interrupted or self.audit.is_unread or self.audit.has_unread_roles
        )


def load_catalog(folder: Path, *, name: str, book: Book | None = None) -> tuple[Catalog, tuple[Finding, ...]]:
    """Return the catalog of a folder that messages call `name`, and a finding for each problem.

    A record with a finding is not in the catalog; without a readable rate book there are no records. `book`
    replaces a missing `book.yaml`. Findings of the log and the roles come first. An interrupted write is the
    only finding, because everything else may follow from it. Raises UnreadableInput if there is no such
    folder.
    """
    if not folder.is_dir():
        raise UnreadableInput(
            "there is no such folder of records",
            place=Place(file=name),
            help="run this in a project with records, name their folder, or leave the setting `records` empty",
        )
    findings: list[Finding] = []
    audit = _load_audit(folder, name, findings)
    project_book = _load_book(folder, name, book, findings)
    records = _load_records(folder, name, project_book, findings) if project_book is not None else Records()
    if os.path.lexists(folder / PENDING):
        incomplete_log = replace(audit, complete=False)
        return Catalog(records=records, audit=incomplete_log, is_interrupted=True), (
            _interrupted_write_finding(name),
        )
    unread = frozenset(kind for kind in Kind if project_book is None or _why_no_folder(folder / kind))
    return Catalog(
        records=records, audit=audit, unread_kinds=unread, is_without_book=project_book is None
    ), tuple(findings)


def _load_records(folder: Path, name: str, book: Book, findings: list[Finding]) -> Records:
    rates = tuple(_load_versions(folder, name, Kind.RATE, book, parse_rate, findings))
    coverage = tuple(_load_versions(folder, name, Kind.COVERAGE, book, parse_coverage, findings))
    return Records(book=book, rates=rates, coverage=coverage)


def _load_book(folder: Path, name: str, fallback: Book | None, findings: list[Finding]) -> Book | None:
    """Return the rate book, an empty one if there are no records either; None if it cannot be read."""
    path = folder / BOOK
    if reason := why_irregular(folder, path.name):
        findings.append(_unread_file_finding(f"{name}/{BOOK}", reason))
        return None
    if not path.exists():
        if fallback is None and any(_has_files(folder / kind) for kind in Kind):
            findings.append(_missing_book_finding(name))
            return None
        return fallback or Book()
    try:
        book, book_findings = parse_book(read_document(path, name=f"{name}/{BOOK}", scalars=Scalars.TEXT))
    except UnreadableInput as error:
        findings.append(_unreadable_finding(error))
        return None
    findings.extend(book_findings)
    return book


def _has_files(folder: Path) -> bool:
    return not _why_no_folder(folder) and any(
        not path.is_dir() or path.is_symlink() for path in folder.rglob("*")
    )


def _missing_book_finding(name: str) -> Finding:
    return Finding(
        rule="catalog-book",
        level=Level.ERROR,
        place=Place(file=f"{name}/{BOOK}"),
        message="there are records, but no rate book that declares what they may hold",
        help="write it: devportal init --with-rates makes one to begin with, and "
        "docs/toolkit/rate-book.md says what may stand in it",
    )


def recover_command(name: str) -> str:
    """Return the command that finishes an interrupted write in a folder that messages call `name`."""
    return f"devportal rates recover --records {shlex.quote(name)}"


def _load_audit(folder: Path, name: str, findings: list[Finding]) -> AuditLog:
    audit = _load_entries(folder, name, findings)
    roles, is_readable = _load_roles(folder, name, findings)
    return replace(
        audit, complete=audit.complete and is_readable, roles=roles, has_unread_roles=not is_readable
    )


def _load_entries(folder: Path, name: str, findings: list[Finding]) -> AuditLog:
    """Return the log without roles."""
    path = folder / "audit.jsonl"
    if reason := why_irregular(folder, path.name):
        findings.append(_unread_file_finding(f"{name}/{path.name}", reason))
        return AuditLog(complete=False, is_unread=True)
    if not path.exists():
        return AuditLog()
    try:
        audit, log_findings = parse_audit(
            read_text(path, name=f"{name}/{path.name}", max_bytes=None), name=f"{name}/{path.name}"
        )
    except UnreadableInput as error:
        findings.append(_unreadable_finding(error))
        return AuditLog(complete=False, is_unread=True)
    findings.extend(log_findings)
    return audit


def _load_roles(folder: Path, name: str, findings: list[Finding]) -> tuple[Roles | None, bool]:
    """Return who holds which role (None if the file is missing or unreadable), and whether an existing file
    was readable.
    """
    path = folder / "roles.yaml"
    if reason := why_irregular(folder, path.name):
        findings.append(_unread_file_finding(f"{name}/{path.name}", reason))
        return None, False
    if not path.exists():
        return None, True
    try:
        roles, roles_findings = parse_roles(
            read_document(path, name=f"{name}/roles.yaml", scalars=Scalars.TEXT)
        )
    except UnreadableInput as error:
        findings.append(_unreadable_finding(error))
        return None, False
    findings.extend(roles_findings)
    return (None if roles_findings else roles), not roles_findings


def _load_versions(
    folder: Path,
    name: str,
    kind: Kind,
    book: Book,
    parse: Callable[[Fields, Book], _VersionT | None],
    findings: list[Finding],
) -> Iterator[_VersionT]:
    for document in _read_documents(folder, name, kind, findings):
        shape_problems = list(record_shape(kind, book).misfits(document))
        findings.extend(misfit.finding for misfit in shape_problems)
        if any(len(misfit.pointer) < 2 for misfit in shape_problems):
            continue
        broken = {misfit.pointer[1] for misfit in shape_problems}
        without_data = replace(document, data=None)  # versions live on; what they were read from need not
        for position, data in enumerate(document.data[kind]):
            if str(position) not in broken:
                fields = Fields(
                    data=data, source=Source(document=without_data, pointer=(kind, str(position)))
                )
                version = parse(fields, book)
                findings.extend(fields.findings)
                if version is not None:
                    yield version


def _read_documents(folder: Path, name: str, kind: Kind, findings: list[Finding]) -> Iterator[Document]:
    """Yield the documents of a kind in the order of their names."""
    kind_folder = folder / kind
    if reason := _why_no_folder(kind_folder):
        findings.append(_unread_file_finding(f"{name}/{kind}", reason))
        return
    for path in sorted(kind_folder.rglob("*")):
        relative_path = path.relative_to(folder).as_posix()
        display_name = f"{name}/{relative_path}"
        if path.is_dir() and not path.is_symlink():
            continue
        if reason := why_irregular(folder, relative_path):
            findings.append(_unread_file_finding(display_name, reason))
            continue
        if path.suffix != ".yaml":
            findings.append(_unread_file_finding(display_name, "its name does not end in '.yaml'"))
            continue
        try:
            yield read_document(path, name=display_name, scalars=Scalars.TEXT)
        except UnreadableInput as error:
            findings.append(_unreadable_finding(error))


def _why_no_folder(path: Path) -> str:
    """Return why a path is not a folder; the text is empty if it is one, or if nothing is there."""
    if path.is_symlink():
        return "it is a link"
    return "it is not a folder" if path.exists() and not path.is_dir() else ""


def _interrupted_write_finding(name: str) -> Finding:
    return Finding(
        rule="catalog-interrupted",
        level=Level.ERROR,
        place=Place(file=f"{name}/{PENDING}"),
        message="a write to these records was interrupted: until it is finished nothing of them is published",
        help=f"run {recover_command(name)}, which finishes it; if nobody wrote to them, delete this file",
    )


def _unread_file_finding(name: str, why: str) -> Finding:
    return Finding(
        rule="catalog-unread",
        level=Level.ERROR,
        place=Place(file=name),
        message=f"this is not read: {why}",
        help="rename it, move what it holds here, or take it out of the folder of records",
    )


def _unreadable_finding(error: UnreadableInput) -> Finding:
    return Finding(
        rule="catalog-unreadable",
        level=Level.ERROR,
        place=error.place or Place(file="?"),
        message=error.message,
        help=error.help,
    )
