"""`devportal check`: its options, what it checks by them, and what it prints."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from devportal.command_line import ContractCommand
from devportal.errors import InvalidSettings, PortalError
from devportal.findings import Finding, count_errors, group_by_cause, in_order
from devportal.gc_pause import disable_gc_until_exit
from devportal.reporting.options import FormatOptions, format_options
from devportal.reporting.printable import count_noun
from devportal.site.commands.options import (
    names_project,
    reject_audience,
    reject_contract_options,
    reject_project_options,
    require_config_file,
    source_options,
)

if TYPE_CHECKING:
    from devportal.site.commands.check import CheckResult  # keeps --help fast


@click.command(cls=ContractCommand)
@source_options("each of them", has_language=False)
@click.option(
    "--records",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="A folder of records, with its audit log and roles.yaml, to check instead of a project.",
)
@click.option(
    "--since",
    metavar="REVISION",
    help="Also compare with a git revision, such as origin/main: its audit log must be the beginning "
    "of the current one, and everything it published must be unchanged.",
)
@click.option(
    "--no-baseline",
    is_flag=True,
    help="Report the known problems of the contract too: ignore its baseline.",
)
@click.option(
    "--update-baseline",
    is_flag=True,
    help="Accept every current error of the contract: write its baseline, baseline.yaml beside it, or remove "
    "it if there is none.",
)
@format_options
def check(
    config_file: Path,
    contract: Path | None,
    records: Path | None,
    *,
    audience: str | None,
    allow_outside_references: bool,
    overlays: tuple[Path, ...],
    since: str | None,
    no_baseline: bool,
    update_baseline: bool,
    formats: FormatOptions,
) -> None:
    """Check the contract, its examples, the records and the changelog; print all problems.

    Known problems of the contract, which its baseline lists, are counted in one note and do not fail the check.
    """
    disable_gc_until_exit()
    from devportal.reporting.findings_report import findings_report  # noqa: PLC0415 - keeps --help fast
    from devportal.reporting.output import outcome_line, refuse_overwriting, write_report  # noqa: PLC0415

    refuse_overwriting(formats.paths, inputs=(contract or config_file,))
    _reject_baseline_options(records, no_baseline=no_baseline, update_baseline=update_baseline)
    if contract is not None:
        _reject_since(since)
    result = _check(
        config_file,
        contract,
        records,
        audience=audience,
        allow_outside_references=allow_outside_references,
        overlays=overlays,
    )
    refuse_overwriting(formats.paths, inputs=result.sources)
    if update_baseline:
        result = _update_baselines(result)
    findings = result.all_findings(use_baseline=not no_baseline)
    if since is not None:
        findings = in_order([*findings, *_findings_since(since, config_file, records)])
    findings = group_by_cause(findings)
    checked = str(records or contract or config_file)
    folder = Path() if records or contract else config_file.parent
    report = findings_report(findings, tool="devportal check", heading="Check", title=checked, folder=folder)
    write_report(report, formats)
    if result.errors:
        _print_errors(result.errors, count_errors(findings))
        sys.exit(2)
    click.echo(outcome_line(report, formats, label="Check"), err=True)
    sys.exit(1 if report.fails else 0)


def _check(
    config_file: Path,
    contract: Path | None,
    records: Path | None,
    *,
    audience: str | None,
    allow_outside_references: bool,
    overlays: tuple[Path, ...],
) -> "CheckResult":
    """Check the records, the contract or else the project. Raises InvalidSettings for options that do not fit."""
    from devportal.project.caches import cache_folder  # noqa: PLC0415 - keeps --help fast
    from devportal.site.commands import check as checks  # noqa: PLC0415

    cache = cache_folder("comparisons")
    if records is not None:
        _reject_contract_with_records(contract)
        reject_contract_options(allow_outside_references=allow_outside_references, overlays=overlays)
        reject_audience(audience)
        return checks.check_records(records)
    if contract is not None:
        reject_project_options(audience=audience)
        return checks.check_contract_file(
            contract, allow_outside_references=allow_outside_references, overlays=overlays, cache=cache
        )
    reject_contract_options(allow_outside_references=allow_outside_references, overlays=overlays)
    return checks.check_audiences(require_config_file(config_file), audience=audience, cache=cache)


def _update_baselines(result: "CheckResult") -> "CheckResult":
    """Write the baselines of a result, and print which; return the result with them."""
    from devportal.site.commands.check import update_baselines  # noqa: PLC0415 - keeps --help fast

    result, written = update_baselines(result)
    for line in written:
        click.echo(line, err=True)
    return result


def _findings_since(revision: str, config_file: Path, records: Path | None) -> tuple[Finding, ...]:
    """Return what is wrong in comparison with a revision of git; prints what was compared."""
    from devportal.site.commands.since import check_project_since, check_records_since  # noqa: PLC0415 - as above

    compared = (
        check_records_since(records, revision) if records else check_project_since(config_file, revision)
    )
    click.echo(compared.summary, err=True)
    return compared.findings


def _print_errors(errors: Sequence[PortalError], error_findings: int) -> None:
    """Print why APIs could not be read, and how many errors were found in the others."""
    for error in errors:
        click.echo(f"error: {error}", err=True)
    others = f", and {count_noun(error_findings, 'error')} listed above" if error_findings else ""
    click.echo(f"Check failed: {count_noun(len(errors), 'API')} could not be read{others}.", err=True)


def _reject_contract_with_records(contract: Path | None) -> None:
    """Raise InvalidSettings for a contract or a project beside records: which of them is meant?"""
    other = "--contract" if contract is not None else "--config-file"
    if contract is not None or names_project():
        raise InvalidSettings(
            f"--records and {other} exclude each other",
            help="a project's records are checked with it; with --records alone only these are",
        )


def _reject_baseline_options(records: Path | None, *, no_baseline: bool, update_baseline: bool) -> None:
    """Raise InvalidSettings for options that exclude each other, or beside records, which have no baseline."""
    if no_baseline and update_baseline:
        raise InvalidSettings(
            "--no-baseline and --update-baseline exclude each other", help="leave out one of them"
        )
    if records is not None and (no_baseline or update_baseline):
        raise InvalidSettings(
            "--records goes without the options of a baseline",
            help="a baseline accepts problems of a contract: leave out --records or that option",
        )


def _reject_since(since: str | None) -> None:
    """Raise InvalidSettings for the option beside a contract alone, which nothing was published with."""
    if since is not None:
        raise InvalidSettings(
            "--since goes with a project or with --records", help="leave out --contract, or --since"
        )
