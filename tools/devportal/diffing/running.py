"""One comparison from end to end: reads what it is asked for, says what is wrong, writes the results."""

import datetime as dt
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

import click

from devportal.contract import Contract
from devportal.differ import Policy, Verdict, compare
from devportal.differ.policy_file import parse_policy
from devportal.diffing.acknowledgements import doubtful
from devportal.diffing.checkout import checkout_paths
from devportal.diffing.formats import Format, rendered
from devportal.diffing.report import Report, Sides
from devportal.diffing.sources import STDIN, load_source
from devportal.diffing.text import to_text
from devportal.diffing.writing import print_bytes, print_text, screen, write_file
from devportal.documents import Document, parse_document, read_document
from devportal.errors import InvalidSettings, PortalError
from devportal.findings import Finding, Level
from devportal.garbage import no_search_for_garbage

_NEVER = "never"
_MOST_WARNINGS = 20
"""How many parts of a contract that cannot be read are told one by one."""
_WORKSPACE = "GITHUB_WORKSPACE"
"""The environment variable with the folder of the checkout (GitHub Actions, default variables)."""
_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the command line asks for."""

    old: str
    new: str
    fail_on: str
    form: Format
    output: Path | None
    files: tuple[tuple[Format, Path], ...]
    verdicts: tuple[str, ...]
    policy: Path | None
    today: dt.date
    allow_outside_references: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _WrittenPolicy:
    """A policy with the file that it stands in."""

    policy: Policy = field(default_factory=Policy)
    document: Document = field(default_factory=lambda: parse_document("", name=""))


@no_search_for_garbage()
def run(asked: Asked) -> int:
    """Compare and write; return the exit code. Raises PortalError for what cannot be written."""
    _refuse_overwriting(asked)
    read = _Reading()
    old = read(lambda: _contract(asked.old, asked))
    new = read(lambda: _contract(asked.new, asked))
    policy = read(lambda: _policy(asked.policy))
    if old is None or new is None or policy is None:
        return 2
    report = _report(asked, old, new, policy)
    _warn(report)
    for form, path in asked.files:
        write_file(path, rendered(report, form))
    if asked.output is not None:
        write_file(asked.output, rendered(report, asked.form))
    elif asked.form is Format.TEXT:
        print_text(to_text(report, screen()))
    else:
        print_bytes(rendered(report, asked.form))
    return 1 if report.fails else 0


def list_rules(form: Format, output: Path | None) -> int:
    """Write every rule; return the exit code. Raises InvalidSettings for a format that has no such list."""
    from devportal.diffing.rule_list import rules_in  # noqa: PLC0415 - slow to import

    text = rules_in(form)
    if output is not None:
        write_file(output, text)
    else:
        print_bytes(text)
    return 0


class _Reading:
    """Reads one thing after the other and tells all that cannot be read, not only the first."""

    def __call__(self, load: Callable[[], _Read]) -> _Read | None:
        try:
            return load()
        except PortalError as error:
            click.echo(f"error: {error}", err=True)
            return None


def _contract(written: str, asked: Asked) -> Contract:
    return load_source(written, allow_outside_references=asked.allow_outside_references)


def _policy(path: Path | None) -> _WrittenPolicy | None:
    """Return the policy, None after telling what is wrong in it."""
    if path is None:
        return _WrittenPolicy()
    document = read_document(path)
    policy, findings = parse_policy(document)
    for finding in findings:
        click.echo(str(finding), err=True)
    return None if findings else _WrittenPolicy(policy=policy, document=document)


def _report(asked: Asked, old: Contract, new: Contract, written: _WrittenPolicy) -> Report:
    comparison = compare(old.api, new.api, written.policy, today=asked.today)
    workspace = os.environ.get(_WORKSPACE)
    paths = checkout_paths((old, new), workspace=Path(workspace) if workspace else None)
    return Report(
        comparison=comparison,
        sides=Sides(old=old, new=new, paths=paths),
        fail_on=None if asked.fail_on == _NEVER else Verdict(asked.fail_on),
        shown=frozenset(map(Verdict, asked.verdicts)) or frozenset(Verdict),
        warnings=(
            *doubtful(written.document, written.policy, comparison, today=asked.today),
            *_unread(old),
            *_unread(new),
        ),
    )


def _unread(contract: Contract) -> tuple[Finding, ...]:
    """Return which parts of a contract are left out: they are compared as if they were not there."""
    return tuple(replace(one, level=Level.WARNING) for one in contract.findings if one.level is Level.ERROR)


def _warn(report: Report) -> None:
    """Tell what makes the result doubtful: of what may be thousands, the first ones."""
    for finding in report.warnings[:_MOST_WARNINGS]:
        click.echo(str(finding), err=True)
    left = len(report.warnings) - _MOST_WARNINGS
    if left > 0:
        click.echo(f"warning: and {left:,} more; --format json lists them all", err=True)


def _refuse_overwriting(asked: Asked) -> None:
    """Raise InvalidSettings where a result would take the place of what it is made of, or of another one."""
    read = [Path(one) for one in (asked.old, asked.new) if one != STDIN]
    inputs = {path.resolve() for path in (*read, *([asked.policy] if asked.policy else []))}
    written: set[Path] = set()
    for path in (*((asked.output,) if asked.output else ()), *(file for _, file in asked.files)):
        if path.resolve() in inputs:
            raise InvalidSettings(
                f"{path}: this file is read, and would be overwritten", help="name another one"
            )
        if path.resolve() in written:
            raise InvalidSettings(f"{path}: two results would go into this file", help="name another one")
        written.add(path.resolve())
