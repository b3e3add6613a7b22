"""The options that `devportal diff`, `accept` and `pull-request` share."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import click

from devportal.command_line import Day

VERDICT_NAMES = ("breaking", "risky", "compatible", "lifecycle", "documentation")
"""The verdicts as they are written, the most severe first. They are not imported, which keeps --help fast."""

NEW_OPTION = click.option(
    "--new",
    metavar="NEW",
    show_default="that of mkdocs.yml, or openapi.yaml",
    help="The contract that takes its place.",
)


def old_option(*, default: str) -> Callable[[Any], Any]:
    """Return the option for the old contract; `default` says which one it is otherwise."""
    return click.option(
        "--old",
        metavar="OLD",
        show_default=default,
        help="The contract that clients have: FILE or REVISION:PATH.",
    )


def today_option(use: str) -> Callable[[Any], Any]:
    """Return the option for the day of a comparison, by default today in UTC; `use` says what it is for."""
    return click.option(
        "--today",
        type=Day(),
        metavar="YYYY-MM-DD",
        default=lambda: dt.datetime.now(dt.UTC).date(),
        show_default="the present day, UTC",
        help=use,
    )
