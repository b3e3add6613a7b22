"""`devportal diff`: its options, the contracts it reads, and where results go."""

import datetime as dt
import sys
from datetime import date
from pathlib import Path
from typing import Any

import click

from devportal.reporting.options import FormatOptions, format_options


class Day(click.ParamType[date]):
    """A day of the calendar."""

    name = "day"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """Return a day, or fail as click does."""
        day = value if isinstance(value, date) else _parse_day(str(value))
        if day is None:
            self.fail(f"{value!r} is no day: write it as YYYY-MM-DD", param, ctx)
        return day


def _parse_day(text: str) -> date | None:
    """Return the day that a text names in the one form that is taken, None if it names none."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.isoformat() == text else None


_VERDICTS = ("breaking", "risky", "compatible", "lifecycle", "documentation")
_CONTRACT = click.Path(path_type=str, allow_dash=True)
_FILE = click.Path(path_type=Path)


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
    type=click.Choice([*_VERDICTS, "never"]),
    default="breaking",
    show_default=True,
    help="The least verdict with which the exit code is 1. What the policy acknowledges does not count.",
)
@format_options
@click.option(
    "--verdict",
    "verdicts",
    type=click.Choice(_VERDICTS),
    multiple=True,
    help="List changes with this verdict only. All are counted. Can be repeated.",
)
@click.option(
    "--policy",
    type=_FILE,
    metavar="FILE",
    help="A file that says how changes are judged, and which are accepted.",
)
@click.option(
    "--today",
    type=Day(),
    metavar="YYYY-MM-DD",
    show_default="the present day, UTC",
    help="The day on which a sunset has passed or not.",
)
@click.option(
    "--allow-outside-references",
    is_flag=True,
    help="Let the contracts refer to files outside their folders.",
)
@click.option("--rules", is_flag=True, help="List every rule instead, as 'text', 'json' or 'markdown'.")
def diff(
    *,
    old: str | None,
    new: str | None,
    fail_on: str,
    formats: FormatOptions,
    verdicts: tuple[str, ...],
    policy: Path | None,
    today: dt.date | None,
    allow_outside_references: bool,
    rules: bool,
) -> None:
    """Tell what a change of a contract means: what breaks from OLD to NEW, what is risky, what is not.

    OLD and NEW are OpenAPI files, 3.0, 3.1 or 3.2; one of them may be - for standard input, each may be
    REVISION:PATH for a file as git has it, such as main:openapi.yaml. Exits with 0 where nothing is as grave
    as --fail-on, 1 where something is, 2 where the contracts could not be compared.
    """
    from devportal.differ import run  # noqa: PLC0415 - keeps --help fast

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
        policy=policy,
        today=today if today is not None else dt.datetime.now(dt.UTC).date(),
        allow_outside_references=allow_outside_references,
    )
    sys.exit(run.run(options))
