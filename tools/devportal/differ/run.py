"""One comparison from start to end: reads the inputs, reports problems, writes the results."""

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

import click

from devportal.contract import Contract
from devportal.differ import Comparison, Policy, Verdict, compare
from devportal.differ.contract_sources import STDIN, checkout_paths, load_source
from devportal.differ.output import ComparedContracts, DiffResult, diff_report
from devportal.differ.policy_file import parse_policy
from devportal.documents import Document, parse_document, read_document
from devportal.errors import PortalError
from devportal.findings import Finding, Level
from devportal.gc_pause import gc_paused
from devportal.reporting import Format, github_workspace
from devportal.reporting.options import FormatOptions
from devportal.reporting.output import print_bytes, refuse_overwriting, write_file, write_report

_RULE = "diff-acknowledged"


def check_acknowledgements(
    document: Document, policy: Policy, comparison: Comparison, *, today: dt.date
) -> Iterator[Finding]:
    """Yield a warning for each acknowledgement of no change, or of a day that has not come."""
    fingerprints = {change.fingerprint for change in comparison.changes}
    for fingerprint, accepted in policy.acknowledged.items():
        if fingerprint not in fingerprints:
            yield _warning(
                document,
                (fingerprint,),
                f"no change has the fingerprint {fingerprint!r}: there is nothing to acknowledge",
                "delete it if the change is released or gone; if its values have become others, look at the "
                "change again, and acknowledge it under its new fingerprint",
            )
        if accepted.date > today:
            yield _warning(
                document,
                (fingerprint, "date"),
                f"the day of this acknowledgement, '{accepted.date}', has not come: today is {today}",
                "write the day on which the change was accepted",
            )


def _warning(document: Document, pointer: tuple[str, ...], message: str, advice: str) -> Finding:
    return Finding(
        rule=_RULE,
        level=Level.WARNING,
        place=document.place(("acknowledged", *pointer)),
        message=message,
        help=advice,
    )


_NEVER = "never"
_MAX_PRINTED_WARNINGS = 20
"""How many unreadable parts of a contract are reported individually."""
_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffOptions:
    """What the command line asks for."""

    old: str
    new: str
    fail_on: str
    formats: FormatOptions
    verdicts: tuple[str, ...]
    lists_all: bool
    policy: Path | None
    today: dt.date
    allow_outside_references: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _PolicyFile:
    """A policy with its file."""

    policy: Policy = field(default_factory=Policy)
    document: Document = field(default_factory=lambda: parse_document("", name=""))


@gc_paused()
def run(options: DiffOptions) -> int:
    """Compare and write; return the exit code. Raises PortalError for what cannot be written."""
    read_files = [Path(one) for one in (options.old, options.new) if one != STDIN]
    refuse_overwriting(options.formats, inputs=(*read_files, *([options.policy] if options.policy else [])))
    read = _InputReader()
    old = read(lambda: _read_contract(options.old, options))
    new = read(lambda: _read_contract(options.new, options))
    policy = read(lambda: _read_policy(options.policy))
    if old is None or new is None or policy is None:
        return 2
    result = _compare_contracts(options, old, new, policy)
    _print_warnings(result)
    report = diff_report(result)
    write_report(report, options.formats, is_complete=options.lists_all)
    return 1 if report.fails else 0


def list_rules(form: Format, output: Path | None) -> int:
    """Write every rule; return the exit code. Raises InvalidSettings for a format that has no such list."""
    from devportal.differ.rule_lists import rules_in  # noqa: PLC0415 - slow to import

    text = rules_in(form)
    if output is not None:
        write_file(output, text)
    else:
        print_bytes(text)
    return 0


class _InputReader:
    """Reads inputs one after the other and reports all that cannot be read, not only the first."""

    def __call__(self, load: Callable[[], _Read]) -> _Read | None:
        try:
            return load()
        except PortalError as error:
            click.echo(f"error: {error}", err=True)
            return None


def _read_contract(written: str, options: DiffOptions) -> Contract:
    return load_source(written, allow_outside_references=options.allow_outside_references)


def _read_policy(path: Path | None) -> _PolicyFile | None:
    """Return the policy, None after printing its problems."""
    if path is None:
        return _PolicyFile()
    document = read_document(path)
    policy, findings = parse_policy(document)
    for finding in findings:
        click.echo(str(finding), err=True)
    return None if findings else _PolicyFile(policy=policy, document=document)


def _compare_contracts(
    options: DiffOptions, old: Contract, new: Contract, written: _PolicyFile
) -> DiffResult:
    comparison = compare(old.api, new.api, written.policy, today=options.today)
    paths = checkout_paths((old, new), workspace=github_workspace())
    return DiffResult(
        comparison=comparison,
        sides=ComparedContracts(old=old, new=new, paths=paths),
        fail_on=None if options.fail_on == _NEVER else Verdict(options.fail_on),
        shown=frozenset(map(Verdict, options.verdicts)) or frozenset(Verdict),
        warnings=(
            *check_acknowledgements(written.document, written.policy, comparison, today=options.today),
            *_unreadable_parts(old),
            *_unreadable_parts(new),
        ),
    )


def _unreadable_parts(contract: Contract) -> tuple[Finding, ...]:
    """Return which parts of a contract are left out: they are compared as if they were not there."""
    return tuple(replace(one, level=Level.WARNING) for one in contract.findings if one.level is Level.ERROR)


def _print_warnings(result: DiffResult) -> None:
    """Tell what makes the result doubtful: of what may be thousands, the first ones."""
    for finding in result.warnings[:_MAX_PRINTED_WARNINGS]:
        click.echo(str(finding), err=True)
    left = len(result.warnings) - _MAX_PRINTED_WARNINGS
    if left > 0:
        click.echo(f"warning: and {left:,} more; --format json lists them all", err=True)
