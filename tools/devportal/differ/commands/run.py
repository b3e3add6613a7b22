"""One comparison from start to end: reads the inputs, reports problems, writes the results."""

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

import click

from devportal.command_line import print_findings
from devportal.contract import Contract
from devportal.differ import Change, Comparison, Policy, SubjectKind, Verdict, compare
from devportal.differ.acknowledgements import ReviewedRow, policy_rows, review_rows
from devportal.differ.contract_sources import STDIN, checkout_paths, load_source
from devportal.differ.output import ComparedContracts, DiffResult, diff_report
from devportal.differ.output.wording import place_text
from devportal.differ.policy_file import parse_policy, retired_rule_findings
from devportal.documents import Document, parse_document, read_document
from devportal.errors import PortalError
from devportal.findings import Finding, Level
from devportal.reporting import Format, github_workspace
from devportal.reporting.options import FormatOptions
from devportal.reporting.output import print_bytes, refuse_overwriting, write_file, write_report
from devportal.reporting.printable import printable_line

_RULE = "diff-acknowledged"


def check_acknowledgements(
    document: Document, policy: Policy, comparison: Comparison, *, today: dt.date
) -> Iterator[Finding]:
    """Yield a warning for each acknowledgement to rewrite, and for each change that it does not accept."""
    rows = review_rows(policy.acknowledged, comparison.changes, today=today)
    for fingerprint, reviewed in rows.items():
        warning = _row_warning(fingerprint, reviewed, today)
        if warning is not None:
            yield _warning(document, (fingerprint,), *warning)
        if reviewed.row.date > today:
            yield _warning(
                document,
                (fingerprint, "date"),
                f"the day of this acknowledgement, '{reviewed.row.date}', has not come: today is {today}",
                "write the day on which the change was accepted",
            )


def _row_warning(fingerprint: str, reviewed: ReviewedRow, today: dt.date) -> tuple[str, str] | None:
    """Return what is wrong with a row and what to do about it, None if it is in order."""
    changes, row = reviewed.changes, reviewed.row
    if not changes:
        message = f"no change has the fingerprint {fingerprint!r}: there is nothing to acknowledge"
        return message, _NOTHING_TO_ACKNOWLEDGE
    if len(changes) > 1:
        message = f"{len(changes)} changes had the fingerprint {fingerprint!r} in earlier versions: none is accepted"
        return message, f"review each, and add a row for those to accept:\n{_rows_text(changes, '', today)}"
    if reviewed.new_places:
        named = ", ".join(reviewed.new_places)
        message = f"the change also affects {named}, which `places` does not list: it is not accepted"
        return message, f"review it again, and to accept it write:\n{_rows_text(changes, row.reason, today)}"
    if reviewed.is_expired:
        message = f"this acknowledgement ended on {row.until}: the change is not accepted any more"
        return message, f"review it again, and to accept it write:\n{_rows_text(changes, row.reason, today)}"
    renewed = f"replace this row with:\n{_rows_text(changes, row.reason, row.date, row.until)}"
    if reviewed.is_former:
        return f"{fingerprint!r} is a fingerprint of earlier versions: the change is accepted", renewed
    subject = changes[0].subject
    if row.places is None and subject.kind is SubjectKind.COMPONENT:
        message = f"this row has no `places`: it accepts the change wherever the {subject} is used"
        return message, renewed
    return None


_NOTHING_TO_ACKNOWLEDGE = (
    "delete it if the change is released or gone; if its values have become others, look at the change again, "
    "and acknowledge it under its new fingerprint"
)


def _rows_text(changes: tuple[Change, ...], reason: str, day: dt.date, until: dt.date | None = None) -> str:
    return "\n".join(policy_rows(changes, today=day, reason=reason, until=until))


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
    acknowledge: bool = False
    """Whether to print rows for the policy in place of a report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _PolicyFile:
    """A policy with its file."""

    policy: Policy = field(default_factory=Policy)
    document: Document = field(default_factory=lambda: parse_document("", name=""))


def run(options: DiffOptions) -> int:
    """Compare and write; return the exit code. Raises PortalError for what cannot be written."""
    result = compare_inputs(options)
    if result is None:
        return 2
    if options.acknowledge:
        _print_rows(result, options)
        return 0
    report = diff_report(result)
    write_report(report, options.formats, is_complete=options.lists_all)
    return 1 if report.fails else 0


def compare_inputs(options: DiffOptions) -> DiffResult | None:
    """Return the comparison, None if an input cannot be read; prints every problem on standard error.

    Raises InvalidSettings if a result would take the place of an input.
    """
    read_files = [Path(text) for text in (options.old, options.new) if text != STDIN]
    read_files += [options.policy] if options.policy else []
    refuse_overwriting(options.formats.paths, inputs=read_files)
    read = _InputReader()
    old = read(lambda: _read_contract(options.old, options, is_released=True))
    new = read(lambda: _read_contract(options.new, options, is_released=False))
    policy = read(lambda: _read_policy(options.policy))
    if old is None or new is None or policy is None:
        return None
    for written, contract in ((options.old, old), (options.new, new)):
        refuse_overwriting(options.formats.paths, inputs=contract.files_at(Path(written)))
    result = _compare_contracts(options, old, new, policy)
    _print_warnings(result)
    return result


def _print_rows(result: DiffResult, options: DiffOptions) -> None:
    """Print the rows of a policy that accept the changes which make the comparison fail."""
    changes = [change for change in result.listed if result.makes_fail(change)]
    lines: list[str] = []
    for change in changes:
        lines.append(f"  # {printable_line(f'{change.verdict}: {place_text(change)}: {change.message}')}")
        lines += policy_rows([change], today=options.today)
    text = "\n".join(["acknowledged:", *lines, ""]) if changes else "# No change has to be acknowledged.\n"
    if options.formats.output is not None:
        write_file(options.formats.output, text)
    else:
        print_bytes(text)


def list_rules(form: Format, output: Path | None) -> int:
    """Write every rule; return the exit code. Raises InvalidSettings for a format that has no such list."""
    from devportal.differ.commands.rule_lists import rules_in  # noqa: PLC0415 - slow to import

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


def _read_contract(written: str, options: DiffOptions, *, is_released: bool) -> Contract:
    return load_source(
        written,
        allow_outside_references=options.allow_outside_references,
        allow_repeated_keys=is_released,
    )


def _read_policy(path: Path | None) -> _PolicyFile | None:
    """Return the policy, None after printing its problems."""
    if path is None:
        return _PolicyFile()
    document = read_document(path)
    policy, findings = parse_policy(document)
    print_findings(findings)
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
            *retired_rule_findings(written.document),
            *check_acknowledgements(written.document, written.policy, comparison, today=options.today),
            *dict.fromkeys((*_unreadable_parts(old), *_unreadable_parts(new))),
        ),
    )


def _unreadable_parts(contract: Contract) -> tuple[Finding, ...]:
    """Return which parts of a contract are left out: they are compared as if they were not there."""
    return tuple(
        replace(finding, level=Level.WARNING)
        for finding in contract.findings
        if finding.level is Level.ERROR or finding.rule in _RULES_OF_DOUBT
    )


_RULES_OF_DOUBT = frozenset({"contract-stability", "contract-duplicate-key"})
"""Rules of warnings that make the result doubtful as well."""


def _print_warnings(result: DiffResult) -> None:
    """Tell what makes the result doubtful: of what may be thousands, the first ones."""
    print_findings(result.warnings[:_MAX_PRINTED_WARNINGS])
    left = len(result.warnings) - _MAX_PRINTED_WARNINGS
    if left > 0:
        click.echo(f"warning: and {left:,} more; --format json lists them all", err=True)
