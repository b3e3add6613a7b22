"""`devportal rates` and `devportal coverage`: what there is of each; each is imported when it is used."""

from importlib import import_module

import click

from devportal.command_line import WritingGroup

_NAMES = (
    *("list", "show", "diff", "draft", "submit", "approve", "reject", "revise", "activate", "withdraw"),
    *("import", "export", "log", "recover"),
)


class _ReviewCommands(WritingGroup):
    """The commands for one kind of record, in the order of the lifecycle."""

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


rates = _ReviewCommands("rates", help="Review rate versions: who drafts, approves and activates what.")
coverage = _ReviewCommands(
    "coverage", help="Review coverage records: who drafts, approves and activates what."
)
