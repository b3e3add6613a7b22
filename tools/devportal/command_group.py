"""Groups of commands that tell what they have: whole summaries, and all names where one is wrong."""

import click

_WHOLE = 500
"""More code points than any summary of a command has."""


class CommandGroup(click.Group):
    """A group whose help is not cut off and whose errors name the commands."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command with its whole summary, where click would cut it to one line."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.get_short_help_str(_WHOLE)) for name, one in commands if one])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is asked for; an unknown one is answered with those there are."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            names = ", ".join(self.list_commands(ctx))
            raise click.UsageError(f"{error.format_message()} There are {names}.", ctx) from error
