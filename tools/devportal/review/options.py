"""The options of the review's commands, and what is made of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import click

from devportal.catalog.lifecycle import State
from devportal.catalog.ref import Kind
from devportal.catalog.version import AnyVersion, Records
from devportal.errors import InvalidSettings
from devportal.review.option_values import Actor, Day, Digest, Market, Reason
from devportal.review.project import records_folder
from devportal.review.selection import Choice, chosen, named

_ACTOR = "DEVPORTAL_ACTOR"
_NAMES = "Versions, such as no-parcel@3; without the number it is the latest."


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


def names(*, required: bool = False) -> click.Argument:
    """Return the argument that names versions."""
    shown = "ID@VERSION..." if required else "[ID@VERSION]..."
    return click.Argument(["names"], nargs=-1, required=required, metavar=shown, help=_NAMES)


def entry_names() -> click.Argument:
    """Return the argument that names what entries of the log are about."""
    return click.Argument(
        ["names"], nargs=-1, metavar="[ID | ID@VERSION]...", help="Records by their id, or versions of them."
    )


def entries() -> list[click.Parameter]:
    """Return the options that choose entries of the log."""
    return [
        click.Option(
            ["--actor", "actors"],
            type=Actor(),
            multiple=True,
            metavar="NAME",
            help="Only what this actor did or tried. Can be repeated.",
        ),
        click.Option(
            ["--since"],
            type=Day(),
            default=date.min,
            show_default=False,
            metavar="DAY",
            help="Only from this day on, such as 2026-01-31 (UTC).",
        ),
        click.Option(
            ["--until"],
            type=Day(),
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
    sold = "product" if kind is Kind.RATE else "channel"
    return [
        click.Option(
            ["--state", "states"],
            type=click.Choice([state.value for state in State]),
            multiple=True,
            help="Only versions in this state. Can be repeated. A command that writes takes, without it, the "
            "versions that its step can start from.",
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


def actor() -> click.Option:
    """Return the option for who acts. There is no default: nobody writes as somebody else by accident."""
    return click.Option(
        ["--actor"],
        type=Actor(),
        envvar=_ACTOR,
        show_envvar=True,
        metavar="NAME",
        help="Who writes this: a name of roles.yaml. Every command that writes needs it.",
    )


def reason(*, required: bool = False) -> click.Option:
    """Return the option for why."""
    return click.Option(
        ["--reason"],
        type=Reason(),
        required=required,
        metavar="TEXT",
        help="Why, in one line, for the audit log.",
    )


def dry_run() -> click.Option:
    """Return the option to write nothing."""
    return click.Option(
        ["--dry-run"], is_flag=True, help="Show what would be written as a patch, and write nothing."
    )


def due() -> click.Option:
    """Return the option to leave out what is not to be public yet."""
    return click.Option(
        ["--due"],
        is_flag=True,
        help="Of these versions only those whose first day has come, and that are not over.",
    )


def json_output() -> click.Option:
    """Return the option for output to be read by programs."""
    return click.Option(["--json", "as_json"], is_flag=True, help="Print JSON instead of a table.")


def content() -> click.Option:
    """Return the option for the content that was read."""
    return click.Option(
        ["--content", "contents"],
        type=Digest(),
        multiple=True,
        metavar="SHA256",
        help="The hash of the content that you have read, its first 12 digits or more, as 'show' prints it. "
        "Can be repeated, once for each version; or give the one hash that is shown for all of them "
        "together. On a terminal you are asked instead.",
    )


def required_actor(name: str | None) -> str:
    """Return who acts; raises InvalidSettings where nobody is named."""
    if name is None:
        raise InvalidSettings(
            "nobody is named who writes this", help=f"give --actor NAME, or set {_ACTOR} in the environment"
        )
    return name
