"""The options of commands that report: formats to print, and files to write."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any

import click

from devportal.command_line import STANDARD_STREAM, OutputFile, ReportFile, with_options
from devportal.reporting.formats import FILE_FORMATS, Format

Command = Callable[..., Any]


class FormatFile(click.ParamType[tuple[Format, Path]]):
    """A format and the file to write it to."""

    name = "format=file"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[Format, Path]:
        """Return both, or fail as click does."""
        name, equals, file = str(value).partition("=")
        if not equals or not file or name not in tuple(Format):
            self.fail(f"{value!r} is not FORMAT=FILE with a format of {', '.join(Format)}", param, ctx)
        if file == STANDARD_STREAM:
            self.fail(
                f"Standard output gets another format. To print {name} there, use --format {name}.",
                param,
                ctx,
            )
        return Format(name), Path(file)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatOptions:
    """In which format a result is written, to which file if not to standard output, and further files."""

    form: Format = Format.TEXT
    output: Path | None = None
    files: tuple[tuple[Format, Path], ...] = ()

    @property
    def paths(self) -> tuple[Path, ...]:
        """Return all files that are written."""
        output = (self.output,) if self.output is not None else ()
        return (*output, *(path for _, path in self.files))


def format_options(command: Command) -> Command:
    """Give a command that prints its result `--format`, `--output`, `--write`: one argument, `formats`."""

    @wraps(command)
    def with_formats(
        *, form: str, output: Path | None, files: tuple[tuple[Format, Path], ...], **others: Any
    ) -> None:
        command(formats=FormatOptions(form=Format(form), output=output, files=files), **others)

    return with_options(with_formats, _FORMAT_OPTIONS)


_FORMAT_OPTIONS = (
    click.option(
        "--format",
        "form",
        type=click.Choice([str(format_) for format_ in Format]),
        default=str(Format.TEXT),
        show_default=True,
        help="Format of the result.",
    ),
    click.option(
        "--output",
        type=OutputFile(),
        metavar="FILE",
        help="Write the result to a file instead of the terminal.",
    ),
    click.option(
        "--write",
        "files",
        type=FormatFile(),
        multiple=True,
        metavar="FORMAT=FILE",
        help="Also write the result to a file in another format. Can be repeated.",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """The files to write beside what the terminal gets, and whether annotations are printed."""

    files: Mapping[Format, Path] = field(default_factory=dict)
    github: bool = False


def report_options(command: Command) -> Command:
    """Give a command that prints for people an option for each format's file: one argument, `reports`."""

    @wraps(command)
    def with_reports(*, github: bool, **others: Any) -> None:
        paths = {form: others.pop(_parameter(form)) for form in FILE_FORMATS}
        files = {form: path for form, path in paths.items() if path is not None}
        command(reports=ReportOptions(files=files, github=github), **others)

    return with_options(with_reports, (*map(_file_option, FILE_FORMATS), _GITHUB_OPTION))


def _file_option(form: Format) -> Callable[[Command], Command]:
    return click.option(f"--{form}", _parameter(form), type=ReportFile(), metavar="FILE", help=form.purpose)


def _parameter(form: Format) -> str:
    return f"{form}_file"


_GITHUB_OPTION = click.option(
    "--github", is_flag=True, help="Also print annotations for GitHub Actions at the contract's lines."
)
