"""`devportal diff`: its options, the contracts it reads, and where results go."""

import datetime as dt
import sys
from pathlib import Path

import click

from devportal.command_line import ALLOW_OUTSIDE_REFERENCES_OPTION
from devportal.differ.commands.options import VERDICT_NAMES, today_option
from devportal.gc_pause import disable_gc_until_exit
from devportal.reporting.options import FormatOptions, format_options

_CONTRACT = click.Path(path_type=str, allow_dash=True)


@click.command()
@click.argument(
    "old",
    type=_CONTRACT,
    required=False,
    metavar="OLD",
    help="The contract that clients have: FILE or REVISION:PATH.",
)
@click.argument(
    "new", type=_CONTRACT, required=False, metavar="NEW", help="The contract that takes its place."
)
@click.option(
    "--fail-on",
    type=click.Choice([*VERDICT_NAMES, "never"]),
    default="breaking",
    show_default=True,
    help="Exit with 1 for changes of this verdict or worse. Acknowledged changes do not count.",
)
@format_options
@click.option(
    "--verdict",
    "verdicts",
    type=click.Choice(VERDICT_NAMES),
    multiple=True,
    help="List only changes with this verdict. All are counted. Can be repeated.",
)
@click.option(
    "--all",
    "lists_all",
    is_flag=True,
    help="List every change in the terminal, however many there are.",
)
@click.option(
    "--policy",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A policy file: how to judge changes, and which ones are accepted.",
)
@today_option("The date to compare sunsets with.")
@ALLOW_OUTSIDE_REFERENCES_OPTION
@click.option(
    "--acknowledge",
    is_flag=True,
    help="Print policy rows that accept the changes which fail, to review and paste, instead of a report.",
)
@click.option("--rules", is_flag=True, help="List all rules instead, as 'text', 'json' or 'markdown'.")
def diff(
    *,
    old: str | None,
    new: str | None,
    fail_on: str,
    formats: FormatOptions,
    verdicts: tuple[str, ...],
    lists_all: bool,
    policy: Path | None,
    today: dt.date,
    allow_outside_references: bool,
    acknowledge: bool,
    rules: bool,
) -> None:
    """Compare two versions of a contract: what breaks from OLD to NEW, what is risky, what is not.

    OLD and NEW are OpenAPI files, 3.0, 3.1 or 3.2, or Swagger 2.0. One of them can be - for standard input, and each
    can be REVISION:PATH for a file in git, such as main:openapi.yaml. Exits with 0 if no change reaches
    --fail-on, 1 if one does, 2 if the contracts could not be compared.
    """
    disable_gc_until_exit()
    from devportal.differ.commands import run  # noqa: PLC0415 - keeps --help fast
    from devportal.differ.commands.project_inputs import project_allows_outside_references  # noqa: PLC0415

    if rules:
        if old is not None:
            raise click.UsageError("--rules lists every rule and takes no contracts: leave them out")
        sys.exit(run.list_rules(formats.form, formats.output))
    if old is None or new is None:
        raise click.UsageError("two contracts are needed: devportal diff OLD NEW")
    if old == new == "-":
        raise click.UsageError("only one of OLD and NEW can be -: standard input is read once")
    options = run.DiffOptions(
        old=old,
        new=new,
        fail_on=fail_on,
        formats=formats,
        verdicts=verdicts,
        lists_all=lists_all,
        policy=policy,
        today=today,
        allow_outside_references=allow_outside_references or project_allows_outside_references(new),
        acknowledge=acknowledge,
    )
    sys.exit(run.run(options))
