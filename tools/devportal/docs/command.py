"""`devportal docs`: its commands and options."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from devportal.command_line import CommandGroup, WholeNumber
from devportal.docs.changes import IMPACTS, read_site_changes, select_changes
from devportal.docs.records import SiteRecords, read_records
from devportal.docs.site_source import SiteSource, open_site
from devportal.errors import UnreadableInput

Command = Callable[..., Any]

_SITE = click.option(
    "--site",
    metavar="SITE",
    default="site",
    show_default=True,
    envvar="DEVPORTAL_SITE",
    help="The folder of a built site, or the http(s) address of a published one. Default: $DEVPORTAL_SITE, "
    "else the folder 'site'. Of an address, only files below it are requested.",
)
_FORMAT = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Format of the result.",
)


@click.group(cls=CommandGroup)
def docs() -> None:
    """Search and read the documentation of a built site, its operations and changes, as text or JSON.

    Each result shows its stability, the version it appeared in, when it was last verified, and its address, if
    the site says it.
    """


@docs.command()
@click.argument(
    "query", nargs=-1, required=True, metavar="QUERY...", help="Words, an operationId, a path or a field."
)
@click.option("--limit", type=WholeNumber(1, 100), default=10, show_default=True, help="The most results.")
@_SITE
@_FORMAT
def search(*, query: tuple[str, ...], limit: int, site: str, form: str) -> None:
    """Search pages, operations, events, schemas, errors and fields.

    What is called exactly what you ask for comes first. Exits with 0 even if nothing is found.
    """
    from devportal.docs import output  # noqa: PLC0415 - slow to import
    from devportal.docs.search import search as find  # noqa: PLC0415
    from devportal.docs.search_index import SEARCH_INDEX, read_index  # noqa: PLC0415

    source = open_site(site)
    text = source.read(SEARCH_INDEX)
    if text is None:
        raise UnreadableInput(
            f"{source.name} has no {SEARCH_INDEX}",
            help="give --site a site that devportal built, with the plugin 'search'",
        )
    asked, records = " ".join(query), read_records(source)
    results = find(read_index(text), asked, most=limit)
    if form == "json":
        click.echo(output.json_text("search", output.search_data(records, asked, results), source.name))
    else:
        click.echo(output.search_text(records, asked, results))


@docs.command()
@click.argument("page", help="A uri, an address, an operationId, or METHOD PATH in quotes.")
@_SITE
@_FORMAT
def read(*, page: str, site: str, form: str) -> None:
    """Print a page as Markdown: guides/start/, guides/start.md, its whole address, or an operationId."""
    from devportal.docs import output  # noqa: PLC0415 - slow to import
    from devportal.docs.pages import read_page  # noqa: PLC0415

    source = open_site(site)
    records = _records_with_operations(source, is_needed=False)
    text = read_page(source, records, page)
    if form == "json":
        click.echo(output.json_text("read", output.page_data(records, text), source.name))
    else:
        click.echo(output.page_text(records, text))


@docs.command()
@click.argument(
    "operation",
    nargs=-1,
    required=True,
    metavar="OPERATION...",
    help="METHOD PATH, an operationId, or the name of an event.",
)
@_SITE
@_FORMAT
def operation(*, operation: tuple[str, ...], site: str, form: str) -> None:
    """Print what you need to call an operation: credentials, parameters, body, responses, errors and a sample.

    Also shows the payload of an event. A path can have values: GET /v1/orders/42.
    """
    from devportal.docs import output  # noqa: PLC0415 - slow to import
    from devportal.docs.operations import describe_operation, read_api, require_name  # noqa: PLC0415

    source = open_site(site)
    records = _records_with_operations(source, is_needed=True)
    found = require_name(records.operations, " ".join(operation))
    description = describe_operation(read_api(source), found.name)
    if form == "json":
        click.echo(
            output.json_text("operation", output.operation_data(records, found, description), source.name)
        )
    else:
        click.echo(output.operation_text(records, found, description))


@docs.command()
@click.option(
    "--since",
    metavar="VERSION|DATE",
    default="",
    help="Only changes after a version, or from a day on, such as 2026-01-31. Default: all.",
)
@click.option(
    "--impact",
    "impacts",
    type=click.Choice(IMPACTS),
    multiple=True,
    help="Only changes with this impact. Can be repeated.",
)
@click.option(
    "--operation", metavar="NAME", default="", help="Only changes that affect this operation or event."
)
@_SITE
@_FORMAT
def changes(*, since: str, impacts: tuple[str, ...], operation: str, site: str, form: str) -> None:
    """List the changes of the API, the newest first.

    Exits with 0 also if there are changes.
    """
    from devportal.docs import output  # noqa: PLC0415 - slow to import

    source = open_site(site)
    records = read_records(source)
    changes = read_site_changes(source, records)
    selected = select_changes(records, changes, since=since, impacts=impacts, operation=operation)
    if form == "json":
        click.echo(output.json_text("changes", output.changes_data(records, selected), source.name))
    else:
        click.echo(output.changes_text(records, selected))


def _records_with_operations(source: SiteSource, *, is_needed: bool) -> SiteRecords:
    """Return the records of a site; the operations of its contract if it has no records and they are needed."""
    records = read_records(source)
    if records.operations or not is_needed:
        return records
    from devportal.docs.operations import operations_of, read_api  # noqa: PLC0415 - slow to import

    return replace(records, operations=operations_of(read_api(source)))
