"""Click groups, types of options, and options that all commands share."""

import ast
import inspect
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import EntryPoint
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import click

from devportal.errors import RefusedWrite, hide_credentials
from devportal.findings import Finding, describe_findings

_LONGEST_SUMMARY = 500
"""More code points than any summary of a command has."""
_NEXT_STATEMENT = re.compile(r"^[^\s)#]", re.MULTILINE)
"""The beginning of a statement of a module; a `)` ends the parameters of a function."""
STANDARD_STREAM = "-"
"""What commands call standard input and output, in place of a path."""
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")

_CommandT = TypeVar("_CommandT", bound=Callable[..., Any])


def with_options(command: _CommandT, options: Sequence[Callable[[Any], Any]]) -> _CommandT:
    """Return a command with options, which `--help` lists in this order."""
    for option in reversed(options):
        command = option(command)
    return command


class CommandGroup(click.Group):
    """A group whose help is not cut off and whose errors name the commands."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command with its whole summary, where click would cut it to one line."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.summary(ctx, name)) for name in self.list_commands(ctx)])

    def summary(self, ctx: click.Context, cmd_name: str) -> str:
        """Return the first sentence of a command's help."""
        command = self.get_command(ctx, cmd_name)
        return command.get_short_help_str(_LONGEST_SUMMARY) if command is not None else ""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is asked for; for an unknown one, the error names those there are."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            names, advice = self.list_commands(ctx), self.advise(error.command_name)
            suggested = click.exceptions.NoSuchCommand(
                error.command_name, possibilities=() if advice else names, ctx=ctx
            )
            message = " ".join(filter(None, (suggested.format_message(), advice)))
            raise click.UsageError(f"{message} There are {', '.join(names)}.", ctx) from error

    def advise(self, cmd_name: str) -> str:  # noqa: ARG002
        """Return what to run in place of an unknown command, as a sentence; empty for the names that are like it."""
        return ""


class WritingGroup(CommandGroup):
    """A group of commands that write: a write that is refused becomes a message and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; RefusedWrite ends it."""
        try:
            return super().invoke(ctx)
        except RefusedWrite as error:
            click.echo(f"error: {error}", err=True)
            ctx.exit(1)


class EntryPointGroup(CommandGroup):
    """A group whose commands can be entry points: each is imported when it runs, and none for the list.

    A command can take a second to import. So the list has the docstrings of the functions, read from source.
    """

    def entry_points(self) -> Mapping[str, EntryPoint]:
        """Return the commands that are not imported, by their names."""
        return {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all names in alphabetical order."""
        return sorted({*super().list_commands(ctx), *self.entry_points()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, imported by now."""
        own = super().get_command(ctx, cmd_name)
        point = self.entry_points().get(cmd_name)
        return own if own is not None or point is None else self.load_command(point)

    def load_command(self, point: EntryPoint) -> click.Command:
        """Import the command of an entry point."""
        command: click.Command = point.load()
        return command

    def summary(self, ctx: click.Context, cmd_name: str) -> str:
        """Return the first sentence of a command's help; imports it only if its source does not have it."""
        point = self.entry_points().get(cmd_name)
        help_text = function_docstring(point.module, point.attr) if point is not None else ""
        if not help_text:
            return super().summary(ctx, cmd_name)
        return click.Command(cmd_name, help=help_text).get_short_help_str(_LONGEST_SUMMARY)


def function_docstring(module: str, function: str) -> str:
    """Return the docstring of a function of a module that is not imported; empty if there is none to read."""
    with suppress(ImportError, SyntaxError):
        for node in ast.parse(_function_source(_module_source(module), function)).body:
            if isinstance(node, ast.FunctionDef):
                return inspect.cleandoc(ast.get_docstring(node) or "")
    return ""


def _function_source(source: str, function: str) -> str:
    """Return the definition of a function in a module; parsing all of the module would take much longer."""
    start = re.search(rf"^def {re.escape(function)}\(", source, re.MULTILINE)
    if start is None:
        return ""
    end = _NEXT_STATEMENT.search(source, start.end())
    return source[start.start() : end.start() if end else None]


def _module_source(module: str) -> str:
    """Return the source of a module; empty if there is none. Raises ImportError if it is not readable."""
    spec = _find_module_spec(module)
    get_source = getattr(spec.loader, "get_source", None) if spec is not None else None
    return (get_source(module) if get_source is not None else None) or ""


def _find_module_spec(module: str) -> ModuleSpec | None:
    """Return where a module is. `importlib.util.find_spec` would import its packages."""
    package, _, _ = module.rpartition(".")
    if not package:
        return PathFinder.find_spec(module)
    parent = _find_module_spec(package)
    return (
        PathFinder.find_spec(module, parent.submodule_search_locations or ()) if parent is not None else None
    )


def print_findings(findings: Iterable[Finding], *, err: bool = True) -> None:
    """Print findings, on standard error by default; advice that several in a row share is printed once."""
    for text in describe_findings(findings):
        click.echo(text, err=err)


class ContractCommand(click.Command):
    """A command with the option `--contract`: it suggests it for a file that is given without it, and takes one."""

    allow_extra_args = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse arguments; one too many, or an existing file, may be a contract whose option is missing."""
        given = tuple(args)
        _refuse_second_contract(given, ctx)
        try:
            remaining = super().parse_args(ctx, args)
        except click.MissingParameter as error:
            file = next((argument for argument in given if Path(argument).is_file()), "")
            if file and error.param is not None and error.param.name == "contract":
                ctx.fail(f"{error.format_message()} To use {file}, write --contract {file}.")
            raise
        if remaining and not ctx.resilient_parsing:
            has_contract = ctx.params.get("contract") is not None
            advice = "" if has_contract else f" To use an OpenAPI file, write --contract {remaining[0]}."
            ctx.fail(f"Got an unexpected extra argument ({remaining[0]}).{advice}")
        return remaining


def _refuse_second_contract(arguments: Sequence[str], ctx: click.Context) -> None:
    """Fail if `--contract` names several files: click would use the last one, and ignore the others."""
    option = "--contract"
    following = pairwise(arguments)
    files = [value for name, value in following if name == option]
    files += [
        argument.removeprefix(f"{option}=") for argument in arguments if argument.startswith(f"{option}=")
    ]
    if len({*files}) > 1:
        ctx.fail(
            f"{option} names several files: {', '.join(files)}. Give one. To have several APIs in one portal, list "
            "their files under 'contracts' in mkdocs.yml."
        )


class _FilePath(click.Path):
    """The path of a file."""

    def __init__(self) -> None:
        """Take any path but that of a folder."""
        super().__init__(path_type=Path, dir_okay=False)


class ContractFile(_FilePath):
    """The path of an OpenAPI file. A URL is rejected: nothing is read from the network."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        """Return the path; a file may have a name that looks like a URL."""
        if _URL.match(os.fspath(value)) and not Path(value).exists():
            address = hide_credentials(os.fspath(value))
            self.fail(f"{address} is a URL. Download the file first, and give its path.", param, ctx)
        if os.fspath(value) == STANDARD_STREAM and not Path(value).exists():
            self.fail("A contract is not read from standard input. Save it as a file first.", param, ctx)
        return super().convert(value, param, ctx)


class OutputFile(_FilePath):
    """The path of a file to write in place of standard output, which `-` is: None, as without the option."""

    def convert(  # type: ignore[override]  # click takes None as no value
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str] | None:
        """Return the path, or None."""
        return None if os.fspath(value) == STANDARD_STREAM else super().convert(value, param, ctx)


class ReportFile(_FilePath):
    """The path of a file to write beside what standard output gets; so `-` is rejected."""

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        """Return the path."""
        if os.fspath(value) == STANDARD_STREAM:
            self.fail("Standard output has another result. Give the path of a file.", param, ctx)
        return super().convert(value, param, ctx)


class WholeNumber(click.IntRange):
    """An integer within bounds."""

    name = "integer"


class Number(click.FloatRange):
    """A number within bounds."""

    name = "number"


class Day(click.ParamType[date]):
    """A day of the calendar, written as YYYY-MM-DD."""

    name = "day"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """Return a day, or fail as click does."""
        day = value if isinstance(value, date) else _parse_day(str(value))
        if day is None:
            self.fail(f"{value!r} is not a day: write it as YYYY-MM-DD", param, ctx)
        return day


def _parse_day(text: str) -> date | None:
    """Return the day that a text is; None for other forms of ISO 8601 too, such as 20260131."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.isoformat() == text else None


ALLOW_OUTSIDE_REFERENCES_OPTION = click.option(
    "--allow-outside-references",
    is_flag=True,
    help="Allow references to files outside the contract's folder. Default: what mkdocs.yml allows its contract. "
    "Nothing is ever read from the network.",
)
PROJECT_OPTION = click.option(
    "--config-file",
    "-f",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("mkdocs.yml"),
    show_default=True,
    help="The project's mkdocs.yml.",
)
