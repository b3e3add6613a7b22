"""`devportal rates` and `devportal coverage`: what there is of each; each is imported when it is used."""

from importlib import import_module
from typing import Any

import click

from devportal.command_line import CommandGroup
from devportal.errors import RefusedWrite

_NAMES = (
    *("list", "show", "diff", "draft", "submit", "approve", "reject", "revise", "activate", "withdraw"),
    *("import", "export", "log", "recover"),
)


class _ReviewCommands(CommandGroup):
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
        commands = import_module("devportal.catalog.review.commands").commands(self.name)
        found: click.Command = commands[cmd_name]
        return found

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except RefusedWrite as error:
            click.echo(f"error: {error}", err=True)
            ctx.exit(1)


rates = _ReviewCommands("rates", help="Review rate versions: who drafts, approves and activates what.")
coverage = _ReviewCommands(
    "coverage", help="Review coverage records: who drafts, approves and activates what."
)
