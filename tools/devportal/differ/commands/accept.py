"""Accepts changes by their fingerprints: writes rows into the policy, and commits the file if asked to."""

import datetime as dt
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from devportal.atomic_files import FileWrite, write_atomically
from devportal.command_line import print_findings
from devportal.differ import Change, Policy, compare
from devportal.differ.acknowledgements import change_places
from devportal.differ.commands.default_base import old_contract
from devportal.differ.contract_sources import load_source
from devportal.differ.output.wording import place_text
from devportal.differ.policy import Acknowledgement
from devportal.differ.policy_file import parse_policy
from devportal.documents import Document, parse_document, read_document
from devportal.documents.member_edits import UneditableText, remove_member, set_member
from devportal.errors import EnvironmentProblem, InvalidSettings, RefusedWrite, UnreadableInput
from devportal.reporting.output import print_text
from devportal.reporting.printable import count_noun, printable_line

_KEY = "acknowledged"
_MOST_LISTED = 20
"""How many changes an error lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptOptions:
    """What the command line asks for."""

    fingerprints: tuple[str, ...]
    reason: str
    until: dt.date | None
    old: str | None
    new: str
    policy: Path
    today: dt.date
    allow_outside_references: bool
    commit: bool


def run_accept(options: AcceptOptions) -> int:
    """Write the rows; return the exit code. Raises PortalError."""
    _refuse_useless(options)
    written = _read_policy_document(options.policy)
    policy, findings = parse_policy(written)
    print_findings(findings)
    if findings:
        return 2
    changes = _select(_compare(options, policy), options.fingerprints)
    rows = {change.fingerprint: _acknowledgement(change, options) for change in changes}
    new_rows = {key: row for key, row in rows.items() if not _is_written(policy.acknowledged.get(key), row)}
    if new_rows:
        text = add_rows(written, new_rows)
        write_atomically([FileWrite(path=options.policy.resolve(), content=text.encode())])
    print_text("".join(f"{line}\n" for line in _summary(changes, new_rows, options)))
    if options.commit and new_rows:
        commit_file(options.policy, _commit_message(changes, options))
        print_text(f"Committed {options.policy}.\n")
    return 0


def _refuse_useless(options: AcceptOptions) -> None:
    """Raise InvalidSettings for a blank reason and for a last day that has passed."""
    if not options.reason.strip():
        raise InvalidSettings(
            "--reason: it is empty",
            help="say why the change is accepted: whoever reads the policy wants to know",
        )
    if options.until is not None and options.until < options.today:
        raise InvalidSettings(
            f"--until: '{options.until}' has passed: today is {options.today}", help="name a day to come"
        )


def _read_policy_document(path: Path) -> Document:
    """Return the policy file, an empty one if there is none yet. Raises UnreadableInput."""
    return read_document(path) if path.exists() else parse_document("", name=str(path))


def _compare(options: AcceptOptions, policy: Policy) -> tuple[Change, ...]:
    old = options.old if options.old is not None else old_contract(options.new)
    sides = [
        load_source(
            source,
            allow_outside_references=options.allow_outside_references,
            allow_repeated_keys=is_released,
        )
        for source, is_released in ((old, True), (options.new, False))
    ]
    return compare(sides[0].api, sides[1].api, policy, today=options.today).changes


def _select(changes: tuple[Change, ...], fingerprints: Iterable[str]) -> tuple[Change, ...]:
    """Return the changes of fingerprints, each once. Raises InvalidSettings for those that no change has."""
    by_fingerprint = {change.fingerprint: change for change in changes}
    wanted = tuple(dict.fromkeys(fingerprint.strip().lower() for fingerprint in fingerprints))
    unknown = [text for text in wanted if text not in by_fingerprint]
    if unknown:
        named = ", ".join(repr(printable_line(text)) for text in unknown)
        verb = "is not a fingerprint" if len(unknown) == 1 else "are not fingerprints"
        raise InvalidSettings(
            f"{named} {verb} of a change of this comparison: nothing was written",
            help=_present_changes(changes, unknown[0]),
        )
    return tuple(by_fingerprint[text] for text in wanted)


def _present_changes(changes: tuple[Change, ...], unknown: str) -> str:
    """Return the changes of the comparison, those with the most similar fingerprints first."""
    if not changes:
        return "the contracts do not differ: check --old and --new"
    nearest = sorted(changes, key=lambda change: -SequenceMatcher(a=unknown, b=change.fingerprint).ratio())
    lines = ["these are the changes:", *(f"  {change_text(change)}" for change in nearest[:_MOST_LISTED])]
    left = len(changes) - _MOST_LISTED
    return "\n".join((*lines, *([f"  and {left:,} more: see devportal diff --all"] if left > 0 else [])))


def change_text(change: Change) -> str:
    """Return a change in a line: fingerprint, verdict, place and message."""
    return printable_line(f"{change.fingerprint}  {change.verdict}: {place_text(change)}: {change.message}")


def _acknowledgement(change: Change, options: AcceptOptions) -> Acknowledgement:
    return Acknowledgement(
        reason=options.reason.strip(),
        date=options.today,
        places=change_places(change) or None,
        until=options.until,
    )


def _is_written(row: Acknowledgement | None, wanted: Acknowledgement) -> bool:
    """Return whether a row says what is to be written already, but for the day of the review."""
    return row is not None and (row.reason, row.until, row.places) == (
        wanted.reason,
        wanted.until,
        wanted.places,
    )


def add_rows(document: Document, rows: Mapping[str, Acknowledgement]) -> str:
    """Return the text of a policy with rows, and all else as it was. Raises RefusedWrite."""
    before = document.data if isinstance(document.data, dict) else {}
    present = before.get(_KEY) or {}
    text, expected = document.text, dict(present)
    try:
        for fingerprint, row in rows.items():
            data = _row_data(row)
            if fingerprint in present:
                for name, value in data.items():
                    text = set_member(text, (_KEY, fingerprint, name), value)
                for name in present[fingerprint].keys() - data.keys():
                    text = remove_member(text, (_KEY, fingerprint, name))
            else:
                text = set_member(text, (_KEY, fingerprint), data)
            expected[fingerprint] = _as_read(data)
        edited = parse_document(text, name=document.name)
    except (UneditableText, UnreadableInput) as error:
        raise _refusal(document, str(error)) from error
    if edited.data != {**before, _KEY: expected}:
        raise _refusal(document, "the rows would not be read as they are meant")
    return text


def _row_data(row: Acknowledgement) -> dict[str, Any]:
    optional = {"until": row.until, "places": list(row.places) if row.places else None}
    return {
        "reason": row.reason,
        "date": row.date,
        **{name: value for name, value in optional.items() if value is not None},
    }


def _as_read(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, dt.date) else value for name, value in data.items()}


def _refusal(document: Document, why: str) -> RefusedWrite:
    return RefusedWrite(
        f"{document.name}: this file cannot be added to without changing more of it: {why}",
        help="add the rows yourself: devportal diff OLD NEW --acknowledge prints them",
    )


def _summary(
    changes: tuple[Change, ...], new_rows: Mapping[str, Acknowledgement], options: AcceptOptions
) -> Iterator[str]:
    end = f" until {options.until}" if options.until else ""
    written = [change for change in changes if change.fingerprint in new_rows]
    if written:
        yield f"Accepted{end} in {options.policy}: {count_noun(len(written), 'change')}"
        yield from (f"  {change_text(change)}" for change in written)
    if len(written) < len(changes):
        others = [change for change in changes if change.fingerprint not in new_rows]
        yield f"Already accepted{end} in {options.policy} for this reason: {count_noun(len(others), 'change')}"
        yield from (f"  {change_text(change)}" for change in others)


def _commit_message(changes: tuple[Change, ...], options: AcceptOptions) -> str:
    end = f" until {options.until}" if options.until else ""
    subject = f"Accept {count_noun(len(changes), 'change')} of {Path(options.new).name}{end}"
    return "\n\n".join((subject, options.reason.strip(), "\n".join(map(change_text, changes)))) + "\n"


def commit_file(path: Path, message: str) -> None:
    """Commit a file, and nothing else that is staged. Raises EnvironmentProblem if git refuses."""
    file = path.resolve()
    for arguments, given in (
        (("add", "--", file.name), ""),
        (("commit", "--quiet", "--only", "--file=-", "--", file.name), message),
    ):
        try:
            ran = subprocess.run(  # noqa: S603 - no shell
                ["git", *arguments],  # noqa: S607 - the one of the machine
                cwd=file.parent,
                input=given,
                capture_output=True,
                check=False,
                text=True,
                encoding="utf-8",
                errors="backslashreplace",
            )
        except OSError as error:
            raise EnvironmentProblem(
                f"git cannot be run: {error.strerror or error}", help="install git, or leave out --commit"
            ) from error
        if ran.returncode:
            git_error = printable_line(ran.stderr or ran.stdout)
            raise EnvironmentProblem(
                f"{path} is written, but git did not commit it: {git_error}", help="commit it yourself"
            )
