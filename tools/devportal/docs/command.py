"""`devportal docs`: its commands and options."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from devportal.command_line import CommandGroup, WholeNumber
from devportal.docs.site_source import open_site
from devportal.integrators.changes_file import IMPACTS

if TYPE_CHECKING:
    from devportal.docs.queries import QueryResult, SiteQueries

Command = Callable[..., Any]

SITE_OPTION = click.option(
    "--site",
    metavar="SITE",
    default="site",
    show_default=True,
    envvar="DEVPORTAL_SITE",
    help="The folder of a built site, or the http(s) address of a published one. Default: $DEVPORTAL_SITE, "
    "else the folder 'site'. Of an address, only files below it are requested.",
)
_API = click.option(
    "--api",
    metavar="NAME",
    default="",
    help="The API, if the site has several. Needed if it is not clear which.",
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
@click.option("--api", metavar="NAME", default="", help="Only results of this API, if the site has several.")
@SITE_OPTION
@_FORMAT
def search(*, query: tuple[str, ...], limit: int, api: str, site: str, form: str) -> None:
    """Search pages, operations, events, schemas, errors and fields.

    What is called exactly what you ask for comes first. Exits with 0 even if nothing is found.
    """
    queries = _queries(site)
    _print("search", queries, queries.search(" ".join(query), most=limit, api=api), form)


@docs.command()
@click.argument("page", help="A uri, an address, an operationId, or METHOD PATH in quotes.")
@SITE_OPTION
@_FORMAT
def read(*, page: str, site: str, form: str) -> None:
    """Print a page as Markdown: guides/start/, guides/start.md, its whole address, or an operationId."""
    queries = _queries(site)
    _print("read", queries, queries.page(page), form)


@docs.command()
@click.argument(
    "operation",
    nargs=-1,
    required=True,
    metavar="OPERATION...",
    help="METHOD PATH, an operationId, or the name of an event.",
)
@_API
@SITE_OPTION
@_FORMAT
def operation(*, operation: tuple[str, ...], api: str, site: str, form: str) -> None:
    """Print what you need to call an operation: credentials, parameters, body, responses, errors and a sample.

    Also shows the payload of an event. A path can have values: GET /v1/orders/42.
    """
    queries = _queries(site)
    _print("operation", queries, queries.operation(" ".join(operation), api=api), form)


@docs.command()
@click.argument("name", help="The name of a shared schema of the contract.")
@_API
@SITE_OPTION
@_FORMAT
def schema(*, name: str, api: str, site: str, form: str) -> None:
    """Print a shared schema: its fields with their rules, and the operations and events that use it."""
    queries = _queries(site)
    _print("schema", queries, queries.schema(name, api=api), form)


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
@_API
@SITE_OPTION
@_FORMAT
def changes(*, since: str, impacts: tuple[str, ...], operation: str, api: str, site: str, form: str) -> None:
    """List the changes of the API, the newest first.

    Exits with 0 also if there are changes.
    """
    queries = _queries(site)
    result = queries.changes(since=since, impacts=impacts, operation=operation, api=api)
    _print("changes", queries, result, form)


def _queries(site: str) -> "SiteQueries":
    from devportal.docs.queries import SiteQueries  # noqa: PLC0415 - slow to import

    return SiteQueries(source=open_site(site))


def _print(command: str, queries: "SiteQueries", result: "QueryResult", form: str) -> None:
    from devportal.docs.output import json_text  # noqa: PLC0415 - slow to import

    click.echo(json_text(command, result.data, queries.source.name) if form == "json" else result.text)
