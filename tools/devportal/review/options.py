"""The options of the review's commands, and what is made of them."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import click

from devportal.catalog.codes import country_names
from devportal.catalog.coverage import Channel
from devportal.catalog.lifecycle import State
from devportal.catalog.rate import Product
from devportal.catalog.ref import Kind
from devportal.catalog.version import Records
from devportal.errors import InvalidSettings
from devportal.review.project import records_folder
from devportal.review.selection import AnyVersion, Choice, chosen, named

_ACTOR = "DEVPORTAL_ACTOR"
_NAME = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")
_SHA256 = re.compile(r"[0-9a-f]{12,64}")
_LENGTH_OF_DAY = len("2026-01-31")
_LONGEST_NAME = 80
_LONGEST_REASON = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The versions that a command is about, as they were asked for."""

    kind: Kind
    names: Sequence[str]
    choice: Choice

    def of(self, records: Records) -> Sequence[AnyVersion]:
        """Return the versions; all of them where nothing was asked for."""
        if self.names and self.choice:
            raise InvalidSettings(
                "versions are named and chosen by options at once", help="leave out the one or the other"
            )
        return (
            named(records, self.kind, self.names) if self.names else chosen(records, self.kind, self.choice)
        )


class _Actor(click.ParamType[str]):
    """A name as the audit log takes it."""

    name = "name"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not _NAME.fullmatch(value) or len(value) > _LONGEST_NAME:
            self.fail(
                f"{value!r} is no name of the audit log: it has small letters, digits and single . _ or -, "
                f"and at most {_LONGEST_NAME} of them",
                param,
                ctx,
            )
        return str(value)


class _Reason(click.ParamType[str]):
    """One line of text."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not value.strip():
            self.fail("say why, in words", param, ctx)
        if any(unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"} for character in value):
            self.fail(f"{value[:60]!r} is no line of plain text", param, ctx)
        if len(value) > _LONGEST_REASON:
            self.fail(
                f"it has {len(value):,} characters, more than the log's {_LONGEST_REASON:,}", param, ctx
            )
        return str(value)


class _Country(click.ParamType[str]):
    """A country's code, in capitals whatever was typed."""

    name = "code"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        code = str(value).upper()
        if code not in country_names():
            self.fail(f"{value!r} is no code of ISO 3166-1, such as NO", param, ctx)
        return code


class _Day(click.ParamType[date]):
    """A day of the calendar."""

    name = "day"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        found = value if isinstance(value, date) else _day(value)
        if found is None:
            self.fail(f"{value!r} is no day: write it as YYYY-MM-DD", param, ctx)
        return found


def _day(text: str) -> date | None:
    """Return the day that a text names, None where it names none."""
    try:
        return date.fromisoformat(text) if len(text) == _LENGTH_OF_DAY else None
    except ValueError:
        return None


class _Digest(click.ParamType[str]):
    """The beginning of a SHA-256."""

    name = "sha256"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not _SHA256.fullmatch(value.lower()):
            self.fail(f"{value!r} is not the first 12 digits, or more, of a SHA-256", param, ctx)
        return str(value).lower()


def names(*, required: bool = False) -> click.Argument:
    """Return the argument that names versions."""
    shown = "ID@VERSION..." if required else "[ID@VERSION]..."
    return click.Argument(["names"], nargs=-1, required=required, metavar=shown)


def entry_names() -> click.Argument:
    """Return the argument that names what entries of the log are about."""
    return click.Argument(["names"], nargs=-1, metavar="[ID | ID@VERSION]...")


def entries() -> list[click.Parameter]:
    """Return the options that choose entries of the log."""
    return [
        click.Option(
            ["--actor", "actors"],
            type=_Actor(),
            multiple=True,
            metavar="NAME",
            help="Only what this actor did or tried. Can be repeated.",
        ),
        click.Option(
            ["--since"],
            type=_Day(),
            default=date.min,
            show_default=False,
            metavar="DAY",
            help="Only from this day on, such as 2026-01-31 (UTC).",
        ),
        click.Option(
            ["--until"],
            type=_Day(),
            default=date.max,
            show_default=False,
            metavar="DAY",
            help="Only until this day, with it (UTC).",
        ),
    ]


def records() -> click.Option:
    """Return the option for the folder of records."""
    return click.Option(
        ["--records"],
        type=click.Path(path_type=Path),
        metavar="FOLDER",
        default=lambda: records_folder(Path()),
        show_default="what mkdocs.yml says, or data",
        help="The folder of records with its audit log and roles.yaml.",
    )


def filters(kind: Kind) -> list[click.Parameter]:
    """Return the options that choose versions by what they say."""
    sold: tuple[str, type[Product] | type[Channel]] = (
        ("product", Product) if kind is Kind.RATE else ("channel", Channel)
    )
    return [
        click.Option(
            ["--state", "states"],
            type=click.Choice([state.value for state in State]),
            multiple=True,
            help="Only versions in this state. Can be repeated.",
        ),
        click.Option(
            ["--country", "countries"],
            type=_Country(),
            multiple=True,
            metavar="CODE",
            help="Only versions for this country, such as NO. Can be repeated.",
        ),
        click.Option(
            [f"--{sold[0]}", "sold"],
            type=click.Choice([each.value for each in sold[1]]),
            multiple=True,
            help=f"Only versions for this {sold[0]}. Can be repeated.",
        ),
    ]


def actor() -> click.Option:
    """Return the option for who acts. There is no default: nobody writes as somebody else by accident."""
    return click.Option(
        ["--actor"],
        type=_Actor(),
        envvar=_ACTOR,
        show_envvar=True,
        metavar="NAME",
        help="Who writes this. The name is on the audit log, and its roles are in roles.yaml.",
    )


def reason(*, required: bool = False) -> click.Option:
    """Return the option for why."""
    return click.Option(
        ["--reason"],
        type=_Reason(),
        required=required,
        metavar="TEXT",
        help="Why, in one line: it goes on the audit log.",
    )


def dry_run() -> click.Option:
    """Return the option to write nothing."""
    return click.Option(["--dry-run"], is_flag=True, help="Show what would be written, and write nothing.")


def due() -> click.Option:
    """Return the option to leave out what is not to be public yet."""
    return click.Option(
        ["--due"],
        is_flag=True,
        help="Of these versions only those whose first day has come.",
    )


def json_output() -> click.Option:
    """Return the option for output to be read by programs."""
    return click.Option(["--json", "as_json"], is_flag=True, help="Print JSON instead of a table.")


def content() -> click.Option:
    """Return the option for the content that was read."""
    return click.Option(
        ["--content", "contents"],
        type=_Digest(),
        multiple=True,
        metavar="SHA256",
        help="The hash of the content that you have read, its first 12 digits or more, as 'show' prints it. "
        "Can be repeated. On a terminal you are asked instead.",
    )


def required_actor(name: str | None) -> str:
    """Return who acts; raises InvalidSettings where nobody is named."""
    if name is None:
        raise InvalidSettings(
            "nobody is named who writes this", help=f"give --actor NAME, or set {_ACTOR} in the environment"
        )
    return name
