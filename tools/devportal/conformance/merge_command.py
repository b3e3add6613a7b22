"""`devportal conformance merge`: the shards of a run as one result. What is slow is imported when it runs."""

import sys
from pathlib import Path

import click

from devportal.conformance.report_options import Reports, report_options
from devportal.extras import Extra, require_extra


@click.command()
@click.argument(
    "files",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE…",
    help="The JSON reports of all shards of one run.",
)
@report_options
def merge(*, files: tuple[Path, ...], reports: Reports) -> None:
    """Join the JSON reports of a run's shards into one result.

    Exits as the run would have without shards: with 0 where the contract is kept, 1 where it is broken, 2
    where the reports are not all shards of one run.
    """
    require_extra(Extra.CONFORMANCE, needed_by="devportal conformance merge")
    from devportal.conformance.execute import EXIT_NOT_RUN, exit_code  # noqa: PLC0415 - keeps --help fast
    from devportal.conformance.merging import merged  # noqa: PLC0415
    from devportal.conformance.reports.json_reading import from_json  # noqa: PLC0415
    from devportal.conformance.writing import report  # noqa: PLC0415
    from devportal.documents import read_text  # noqa: PLC0415
    from devportal.errors import PortalError  # noqa: PLC0415

    try:
        names = {str(file): read_text(file, name=str(file), max_bytes=None) for file in files}
        result = merged({name: from_json(text, name=name) for name, text in names.items()})
        report(result, reports)
    except PortalError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(EXIT_NOT_RUN)
    sys.exit(exit_code(result))
