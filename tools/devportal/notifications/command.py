"""`devportal notify`: its options."""

import datetime as dt
import os
import sys
from pathlib import Path

import click

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.option(
    "--changes",
    metavar="SOURCE",
    required=True,
    help="The changes of the API: the folder of a built portal, or its https address. Nothing but that origin is read.",
)
@click.option(
    "--settings",
    type=_FILE,
    metavar="FILE",
    default=Path("notify.yaml"),
    show_default=True,
    help="The subscriptions.",
)
@click.option(
    "--state",
    type=_FILE,
    metavar="FILE",
    default=Path("notify-state.json"),
    show_default=True,
    help="Remembers what each subscriber got. Keep it from one run to the next.",
)
@click.option(
    "--outbox",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    default=Path("outbox"),
    show_default=True,
    help="Where emails are written if the settings name no mail server, and all messages with --dry-run.",
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Write every message into the outbox. Sends and remembers nothing, needs no secret.",
)
def notify(*, changes: str, settings: Path, state: Path, outbox: Path, dry_run: bool) -> None:
    """Notify subscribers of the changes since the last run, of each change once.

    Run it in CI after a release. Sends by email, Slack, Microsoft Teams or signed webhook. Exits with 1 if a message
    could not be delivered, which the next run sends again, and with 2 if settings or changes cannot be read.
    """
    from devportal.notifications.run import NotifyOptions, run_notify  # noqa: PLC0415 - keeps --help fast

    options = NotifyOptions(
        changes=changes, settings=settings, state=state, outbox=outbox, is_dry_run=dry_run
    )
    sys.exit(run_notify(options, environment=os.environ, at=_now(os.environ.get("SOURCE_DATE_EPOCH", ""))))


def _now(epoch: str) -> dt.datetime:
    """Return the time of the run: that of SOURCE_DATE_EPOCH if it is set (reproducible-builds.org)."""
    if epoch.isascii() and epoch.isdecimal() and len(epoch) <= 11:
        return dt.datetime.fromtimestamp(int(epoch), dt.UTC)
    return dt.datetime.now(dt.UTC)
