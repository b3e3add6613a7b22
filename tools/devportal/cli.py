"""The command line: the composition root. Results go to standard output, everything else to standard error.

Exit codes: 0 clean, 1 findings, 2 could not run.
"""

import sys
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import click

from devportal import __version__
from devportal.command_line import EntryPointGroup
from devportal.errors import EnvironmentProblem, PortalError
from devportal.interruptions import interrupted_exit_code
from devportal.plugins import COMMANDS_GROUP, load_entry_point
from devportal.standard_streams import ending_at_a_closed_pipe, prepare_streams


class _Commands(EntryPointGroup):
    """Our commands and those of plug-ins (entry points `devportal.commands`).

    Also the one place where errors of ours become a message and exit code 2.
    """

    def entry_points(self) -> Mapping[str, EntryPoint]:
        return _entry_points(tuple(sys.path))

    def load_command(self, point: EntryPoint) -> click.Command:
        """Import a command; one of a plug-in that cannot be imported says why, beside all that can."""
        return super().load_command(point) if point.dist is None else _load_plugin_command(point)

    def advise(self, cmd_name: str) -> str:
        """Return the question whether our command was meant that does what this one of another tool does."""
        from devportal.other_tools import same_command  # noqa: PLC0415 - keeps --help fast

        same = same_command(cmd_name)
        return f"Did you mean {same!r}?" if same else ""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read the arguments, which can print the help."""
        with ending_at_a_closed_pipe():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what ends it becomes an exit code."""
        with ending_at_a_closed_pipe():
            return self._invoke(ctx)

    def _invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except click.NoSuchOption as error:
            raise _advised_error(error) from error
        except PortalError as error:
            click.echo(f"error: {error}", err=True)
            _print_failure(ctx.invoked_subcommand)
            ctx.exit(2)
        except PermissionError as error:
            from devportal.unexpected_errors import frame_in_user_code  # noqa: PLC0415 - keeps --help fast

            if not error.filename or frame_in_user_code(error):
                raise
            refused = EnvironmentProblem(
                f"{error.filename}: {error.strerror}",
                help="check the permissions of the file and its folders",
            )
            click.echo(f"error: {refused}", err=True)
            _print_failure(ctx.invoked_subcommand)
            ctx.exit(2)
        except KeyboardInterrupt as error:
            exec("")  # noqa: S102 - Python forgets an interrupted exec(), for which it would end by the signal
            ctx.exit(interrupted_exit_code(error))


def _advised_error(error: click.NoSuchOption) -> click.UsageError:
    """Return the error about an option, with what does the same as this one of another tool."""
    from devportal.other_tools import option_advice  # noqa: PLC0415 - keeps --help fast

    command = (error.ctx.info_name if error.ctx is not None else None) or ""
    advice = option_advice(command, error.option_name)
    return click.UsageError(f"{error.message} {advice}", error.ctx) if advice else error


_OUTCOME_LABELS = {"build": "Build", "check": "Check", "links": "Link check"}
"""The commands that end with their outcome, and what they call it."""


def _print_failure(command: str | None) -> None:
    """Print the outcome of a command that an error stopped, if it is one that ends with its outcome."""
    if command in _OUTCOME_LABELS:
        click.echo(f"{_OUTCOME_LABELS[command]} failed: the error is shown above.", err=True)


def _load_plugin_command(point: EntryPoint) -> click.Command:
    """Return the command of a plug-in; if it cannot be loaded, one that says why, beside all that can."""
    try:
        command: click.Command = load_entry_point(point)
    except EnvironmentProblem as error:
        return _BrokenPluginCommand(error, point.name)
    return command


class _BrokenPluginCommand(click.Command):
    """A command of a plug-in that cannot be loaded: whatever it is called with, it raises the reason."""

    def __init__(self, error: EnvironmentProblem, name: str) -> None:
        super().__init__(name, help=f"Not available: {error.message}.")
        self._error = error

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:  # noqa: ARG002
        return []

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ARG002
        raise self._error


_LAZY_COMMANDS = tuple(
    EntryPoint(name, value, COMMANDS_GROUP)
    for name, value in (
        ("accept", "devportal.differ.commands.accept_command:accept"),
        ("affected", "devportal.integrators.command:affected_command"),
        ("build", "devportal.site.commands.build_command:build"),
        ("changelog", "devportal.releasing.command:changelog"),
        ("check", "devportal.site.commands.check_command:check"),
        ("conformance", "devportal.conformance.command:conformance"),
        ("coverage", "devportal.review_command:coverage"),
        ("diff", "devportal.differ.commands.diff_command:diff"),
        ("docs", "devportal.docs.command:docs"),
        ("generate", "devportal.scaffold.generate.command:generate"),
        ("init", "devportal.scaffold.command:init"),
        ("links", "devportal.site.links.command:links"),
        ("mcp", "devportal.docs.mcp_command:mcp_command"),
        ("mock", "devportal.mock.command:mock"),
        ("notify", "devportal.notifications.command:notify"),
        ("pull-request", "devportal.pull_request.command:pull_request"),
        ("rates", "devportal.review_command:rates"),
        ("release", "devportal.releasing.command:release"),
        ("serve", "devportal.site.commands.serve_command:serve"),
        ("translations", "devportal.scaffold.translations_command:translations"),
        ("uses", "devportal.integrators.command:uses"),
    )
)


@lru_cache(maxsize=1)
def _entry_points(path: tuple[str, ...]) -> Mapping[str, EntryPoint]:  # noqa: ARG001 - where packages are
    """Return the commands that are imported when they run, looked for once: each package has metadata."""
    return {point.name: point for point in (*entry_points(group=COMMANDS_GROUP), *_LAZY_COMMANDS)}


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="devportal")
def cli() -> None:
    """Build a developer portal from an OpenAPI contract, and prove that it is right."""


def main() -> None:
    """Run the command line. An unexpected error becomes a message; its traceback is shown on request."""
    prepare_streams()
    try:
        cli.main(prog_name="devportal")
    except Exception as error:
        from devportal.unexpected_errors import (  # noqa: PLC0415 - keeps --help fast
            is_traceback_wanted,
            unexpected_error_text,
        )

        if is_traceback_wanted():
            raise
        click.echo(f"error: {unexpected_error_text(error)}", err=True)
        sys.exit(2)
