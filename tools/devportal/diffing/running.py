"""One comparison from end to end: reads what it is asked for, says what is wrong, writes the results."""

import datetime as dt
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import click

from devportal.contract import Contract, load_contract
from devportal.differ import Policy, Verdict, compare, load_policy
from devportal.diffing.formats import Format, rendered
from devportal.diffing.report import Report, Sides
from devportal.diffing.text import Screen, to_text
from devportal.errors import EnvironmentProblem, InvalidSettings, PortalError
from devportal.findings import Finding, Level

_NEVER = "never"
_MOST_WARNINGS = 20
"""How many parts of a contract that cannot be read are told one by one."""
_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the command line asks for."""

    old: Path
    new: Path
    fail_on: str
    form: Format
    output: Path | None
    files: tuple[tuple[Format, Path], ...]
    verdicts: tuple[str, ...]
    policy: Path | None
    today: dt.date
    allow_outside_references: bool


def run(asked: Asked) -> int:
    """Compare and write; return the exit code. Raises PortalError for what cannot be written."""
    _refuse_overwriting(asked)
    read = _Reading()
    old = read(lambda: _contract(asked.old, asked))
    new = read(lambda: _contract(asked.new, asked))
    policy = read(lambda: _policy(asked.policy))
    if old is None or new is None or policy is None:
        return 2
    for contract in (old, new):
        _warn(contract)
    report = Report(
        comparison=compare(old.api, new.api, policy, today=asked.today),
        sides=Sides(old=old, new=new),
        fail_on=None if asked.fail_on == _NEVER else Verdict(asked.fail_on),
        shown=frozenset(map(Verdict, asked.verdicts)) or frozenset(Verdict),
    )
    for form, path in asked.files:
        _write(path, rendered(report, form))
    if asked.output is not None:
        _write(asked.output, rendered(report, asked.form))
    elif asked.form is Format.TEXT:
        _print(to_text(report, _screen()))
    else:
        click.echo(_bytes(rendered(report, asked.form)), nl=False)
    return 1 if report.fails else 0


def list_rules(form: Format, output: Path | None) -> int:
    """Write every rule; return the exit code. Raises InvalidSettings for a format that has no such list."""
    from devportal.diffing.rule_list import rules_in  # noqa: PLC0415 - slow to import

    text = rules_in(form)
    if output is not None:
        _write(output, text)
    else:
        click.echo(_bytes(text), nl=False)
    return 0


class _Reading:
    """Reads one thing after the other and tells all that cannot be read, not only the first."""

    def __call__(self, load: Callable[[], _Read]) -> _Read | None:
        try:
            return load()
        except PortalError as error:
            click.echo(f"error: {error}", err=True)
            return None


def _contract(path: Path, asked: Asked) -> Contract:
    return load_contract(path, allow_outside_references=asked.allow_outside_references)


def _policy(path: Path | None) -> Policy | None:
    """Return the policy, None after telling what is wrong in it."""
    if path is None:
        return Policy()
    policy, findings = load_policy(path)
    for finding in findings:
        click.echo(str(finding), err=True)
    return None if findings else policy


def _warn(contract: Contract) -> None:
    """Tell which parts of a contract are left out: they are compared as if they were not there."""
    errors = [one for one in contract.findings if one.level is Level.ERROR]
    for finding in errors[:_MOST_WARNINGS]:
        click.echo(str(_as_warning(finding)), err=True)
    if len(errors) > _MOST_WARNINGS:
        click.echo(f"warning: and {len(errors) - _MOST_WARNINGS:,} more parts cannot be read", err=True)


def _as_warning(finding: Finding) -> Finding:
    return replace(finding, level=Level.WARNING)


def _refuse_overwriting(asked: Asked) -> None:
    """Raise InvalidSettings where a result would take the place of what it is made of, or of another one."""
    inputs = {path.resolve() for path in (asked.old, asked.new, asked.policy) if path is not None}
    written: set[Path] = set()
    for path in (*((asked.output,) if asked.output else ()), *(file for _, file in asked.files)):
        if path.resolve() in inputs:
            raise InvalidSettings(
                f"{path}: this file is read, and would be overwritten", help="name another one"
            )
        if path.resolve() in written:
            raise InvalidSettings(f"{path}: two results would go into this file", help="name another one")
        written.add(path.resolve())


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_bytes(text))
    except OSError as error:
        raise EnvironmentProblem(
            f"{path}: this file cannot be written: {error.strerror or error}",
            help="check the path and its permissions",
        ) from error


def _bytes(text: str) -> bytes:
    """Return text as UTF-8. Half a surrogate pair, which JSON can bring in, has no bytes: it is an escape."""
    return text.encode("utf-8", "backslashreplace")


def _print(text: str) -> None:
    """Print text with the characters that the terminal has."""
    encoding = sys.stdout.encoding or "utf-8"
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), nl=False)


def _screen() -> Screen:
    """Return what standard output is: a terminal, with colours unless NO_COLOR asks for none, or a file."""
    if not sys.stdout.isatty():
        return Screen()
    return Screen(
        colour="NO_COLOR" not in os.environ,
        width=shutil.get_terminal_size().columns,
    )
