"""`devportal rates` and `devportal coverage`: what there is of each; each is imported when it is used."""

from importlib import import_module
from typing import Any

import click

from devportal.errors import RefusedWrite

_NAMES = (
    *("list", "show", "diff", "draft", "submit", "approve", "reject", "revise", "activate", "withdraw"),
    *("import", "export", "log"),
)
_WHOLE = 500
"""More code points than any summary of a command has."""


class _Review(click.Group):
    """The commands for one kind of record, in the order of the lifecycle.

    Also the place where a write that is refused becomes a message and exit code 1.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click calls it
        return list(_NAMES)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - as click calls it
        cmd_name: str,
    ) -> click.Command | None:
        if cmd_name not in _NAMES:
            return None
        commands = import_module("devportal.review.commands").commands(self.name)
        found: click.Command = commands[cmd_name]
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command with its whole summary, where click would cut it to one line."""
        found = [(name, self.get_command(ctx, name)) for name in _NAMES]
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.get_short_help_str(_WHOLE)) for name, one in found if one])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is asked for; an unknown one is answered with those there are."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            message = f"{error.format_message()} There are {', '.join(_NAMES)}."
            raise click.UsageError(message, ctx) from error

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except RefusedWrite as error:
            click.echo(f"error: {error}", err=True)
            ctx.exit(1)


rates = _Review("rates", help="Review rate versions: who drafts, approves and activates what.")
coverage = _Review("coverage", help="Review coverage records: who drafts, approves and activates what.")
