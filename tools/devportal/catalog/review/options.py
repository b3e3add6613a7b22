"""The arguments and options of the review's commands: names, reasons, markets, days, hashes."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import click

from devportal.catalog.audit.lifecycle import State
from devportal.catalog.records.text import AnyVersion, Records
from devportal.catalog.records.version_ref import Kind
from devportal.catalog.review.folder import records_folder
from devportal.catalog.review.selection import VersionFilter, filter_versions, find_versions
from devportal.command_line import Day
from devportal.errors import InvalidSettings

_NAME = re.compile(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")
_MARKET = re.compile(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")
_SHA256 = re.compile(r"[0-9a-f]{12,64}")
_LONGEST_NAME = 80
_LONGEST_REASON = 2000


class Actor(click.ParamType[str]):
    """A name that the audit log allows."""

    name = "name"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return a name, or fail as click does."""
        if not _NAME.fullmatch(value) or len(value) > _LONGEST_NAME:
            self.fail(
                f"{value!r} is not a name of the audit log: it has small letters, digits and single . _ or -, "
                f"and at most {_LONGEST_NAME} of them",
                param,
                ctx,
            )
        return str(value)


class Reason(click.ParamType[str]):
    """One line of text."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return a reason, or fail as click does."""
        if not value.strip():
            self.fail("say why, in words", param, ctx)
        if any(unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"} for character in value):
            self.fail(f"{value[:60]!r} is not a line of plain text", param, ctx)
        if len(value) > _LONGEST_REASON:
            self.fail(
                f"it has {len(value):,} characters, more than the log's {_LONGEST_REASON:,}", param, ctx
            )
        return str(value)


class Market(click.ParamType[str]):
    """The key of a market, in upper or lower case. The rate book decides whether it exists."""

    name = "key"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return a key, or fail as click does."""
        if not _MARKET.fullmatch(str(value)):
            self.fail(
                f"{value!r} is neither a code of ISO 3166-1, such as NO, nor the key of a zone", param, ctx
            )
        return str(value)


class Digest(click.ParamType[str]):
    """The beginning of a SHA-256."""

    name = "sha256"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return digits in lower case, or fail as click does."""
        if not _SHA256.fullmatch(value.lower()):
            self.fail(f"{value!r} is not the first 12 digits, or more, of a SHA-256", param, ctx)
        return str(value).lower()


_ACTOR = "DEVPORTAL_ACTOR"
_NAMES = "Versions, such as no-parcel@3; without the number it is the latest."


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The versions that a command selects, as given on the command line."""

    kind: Kind
    names: Sequence[str]
    choice: VersionFilter

    def select(self, records: Records) -> Sequence[AnyVersion]:
        """Return the selected versions; all of them if nothing is selected."""
        if self.names and self.choice:
            raise InvalidSettings(
                "versions are named and chosen by options at once", help="leave out the one or the other"
            )
        return (
            find_versions(records, self.kind, self.names)
            if self.names
            else filter_versions(records, self.kind, self.choice)
        )


def names_argument(*, required: bool = False) -> click.Argument:
    """Return the argument that names versions."""
    metavar = "ID@VERSION..." if required else "[ID@VERSION]..."
    return click.Argument(["names"], nargs=-1, required=required, metavar=metavar, help=_NAMES)


def entry_names_argument() -> click.Argument:
    """Return the argument that names the records of log entries."""
    return click.Argument(
        ["names"], nargs=-1, metavar="[ID | ID@VERSION]...", help="Records by their id, or versions of them."
    )


def entry_filter_options() -> list[click.Parameter]:
    """Return the options that filter entries of the log."""
    return [
        click.Option(
            ["--actor", "actors"],
            type=Actor(),
            multiple=True,
            metavar="NAME",
            help="Only entries of this actor, denied ones included. Can be repeated.",
        ),
        click.Option(
            ["--since"],
            type=Day(),
            default=date.min,
            show_default=False,
            metavar="DAY",
            help="Only from this day, such as 2026-01-31 (UTC).",
        ),
        click.Option(
            ["--until"],
            type=Day(),
            default=date.max,
            show_default=False,
            metavar="DAY",
            help="Only up to and including this day (UTC).",
        ),
    ]


def records_option() -> click.Option:
    """Return the option for the folder of records."""
    return click.Option(
        ["--records"],
        type=click.Path(path_type=Path),
        metavar="FOLDER",
        default=lambda: records_folder(Path()),
        show_default="what mkdocs.yml says, or data",
        help="The folder of records with its audit log and roles.yaml.",
    )


def filter_options(kind: Kind) -> list[click.Parameter]:
    """Return the options that filter versions by their content."""
    sold = "product" if kind is Kind.RATE else "channel"
    return [
        click.Option(
            ["--state", "states"],
            type=click.Choice([state.value for state in State]),
            multiple=True,
            help="Only versions in this state. Can be repeated. Default for commands that write: all "
            "versions the step applies to.",
        ),
        click.Option(
            ["--market", "--country", "markets"],
            type=Market(),
            multiple=True,
            metavar="KEY",
            help="Only versions for this market: a country such as NO, or a zone of book.yaml. "
            "Can be repeated.",
        ),
        click.Option(
            [f"--{sold}", "sold"],
            multiple=True,
            metavar="KEY",
            help=f"Only versions for this {sold} of book.yaml. Can be repeated.",
        ),
    ]


def actor_option() -> click.Option:
    """Return the option for the actor. There is no default, so that nobody writes under another name by
    accident.
    """
    return click.Option(
        ["--actor"],
        type=Actor(),
        envvar=_ACTOR,
        show_envvar=True,
        metavar="NAME",
        help="Your name in roles.yaml. Required by every command that writes.",
    )


def reason_option(*, required: bool = False) -> click.Option:
    """Return the option for the reason."""
    return click.Option(
        ["--reason"],
        type=Reason(),
        required=required,
        metavar="TEXT",
        help="The reason, in one line, for the audit log.",
    )


def dry_run_option() -> click.Option:
    """Return the option for a dry run."""
    return click.Option(["--dry-run"], is_flag=True, help="Show the changes as a patch, and write nothing.")


def due_option() -> click.Option:
    """Return the option to leave out versions that are not due yet."""
    return click.Option(
        ["--due"],
        is_flag=True,
        help="Only versions whose first day has come and that have not ended.",
    )


def json_option() -> click.Option:
    """Return the option for JSON output."""
    return click.Option(["--json", "as_json"], is_flag=True, help="Print JSON instead of a table.")


def content_option() -> click.Option:
    """Return the option for the content that was read."""
    return click.Option(
        ["--content", "contents"],
        type=Digest(),
        multiple=True,
        metavar="SHA256",
        help="The content hash of the version you read, as 'show' prints it: its first 12 digits or "
        "more. Can be repeated, once per version; or give the combined hash of all of them. On a "
        "terminal you are asked instead.",
    )


def required_actor(name: str | None) -> str:
    """Return the actor. Raises InvalidSettings if none is given."""
    if name is None:
        raise InvalidSettings(
            "this writes to the audit log, and nobody is named who does it",
            help=f"give --actor NAME, or set {_ACTOR} in the environment",
        )
    return name
