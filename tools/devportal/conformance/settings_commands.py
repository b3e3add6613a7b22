"""`devportal conformance schema` and `explain`: the schema of settings, and what each line of them wakes."""

import sys
from pathlib import Path

import click

from devportal.command_line import OutputFile
from devportal.conformance.init_command import DEFAULT_SETTINGS_FILE
from devportal.extras import Extra, require_extra

_settings_argument = click.argument(
    "settings",
    default=DEFAULT_SETTINGS_FILE,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="[FILE]",
    help="The settings file. Default: conformance.yaml.",
)


@click.command()
@click.option(
    "--output",
    type=OutputFile(),
    metavar="FILE",
    help="Write the schema to this file, and print the comment that names it in a settings file.",
)
def schema(*, output: Path | None) -> None:
    """Print the JSON Schema of settings files, for completion and checks in editors.

    It includes the settings of all installed plug-ins. Editors with the YAML language server find it by the
    comment `# yaml-language-server: $schema=FILE` in the first line of the settings.
    """
    require_extra(Extra.CONFORMANCE, needed_by="devportal conformance schema")
    from devportal.conformance.settings import editor_schema_text, schema_comment  # noqa: PLC0415 - slow to import
    from devportal.errors import PortalError  # noqa: PLC0415
    from devportal.reporting.output import write_file  # noqa: PLC0415

    try:
        text = editor_schema_text()
        if output is None:
            click.echo(text, nl=False)
            return
        write_file(output, text)
        click.echo(schema_comment(output.name))
    except PortalError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(2)


@click.command()
@_settings_argument
def explain(*, settings: Path) -> None:
    """List the checks that each line of a settings file wakes.

    Exits with 2 if the file is invalid.
    """
    require_extra(Extra.CONFORMANCE, needed_by="devportal conformance explain")
    from devportal.conformance.settings import parse_settings, settings_schema_of  # noqa: PLC0415
    from devportal.conformance.settings_checks import settings_lines  # noqa: PLC0415 - slow to import
    from devportal.documents import read_document  # noqa: PLC0415
    from devportal.errors import PortalError  # noqa: PLC0415

    try:
        document = read_document(settings)
        parse_settings(document, folder=settings.parent)
        for line in settings_lines(document, settings_schema_of(document)):
            checks = ", ".join(line.checks) or "no check: it is for all requests or for reports"
            click.echo(f"{line.place}: {line.name}: {checks}")
    except PortalError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(2)
