"""`devportal mcp`: its options."""

from pathlib import Path

import click
from click.core import ParameterSource

from devportal.command_line import ALLOW_OUTSIDE_REFERENCES_OPTION, WholeNumber
from devportal.docs.command import SITE_OPTION
from devportal.docs.site_source import open_site, refuse_empty_site
from devportal.extras import Extra, require_extra

DEFAULT_PORT = 8765


@click.command("mcp")
@SITE_OPTION
@click.option(
    "--contract",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="An OpenAPI file for get_operation, get_schema and check_request. Default: the contract of the site.",
)
@ALLOW_OUTSIDE_REFERENCES_OPTION
@click.option(
    "--http",
    "is_http",
    is_flag=True,
    help="Serve by streamable HTTP on 127.0.0.1 until Ctrl-C. Default: standard input and output, for the client "
    "that starts the command.",
)
@click.option(
    "--port",
    type=WholeNumber(0, 65535),
    default=DEFAULT_PORT,
    show_default=True,
    help="With --http: the port; 0 is any free one. The address is printed to standard error.",
)
def mcp_command(
    *, site: str, contract: Path | None, allow_outside_references: bool, is_http: bool, port: int
) -> None:
    """Serve the documentation of a built site to agents, by the Model Context Protocol.

    It only reads: tools search the site, describe operations, list changes, and check requests by the contract.
    """
    is_port_given = click.get_current_context().get_parameter_source("port") is not ParameterSource.DEFAULT
    if is_port_given and not is_http:
        raise click.UsageError("--port is for --http, which is not given")
    require_extra(Extra.MCP, needed_by="devportal mcp")
    from devportal.docs.mcp_server import DocsServer, serve_http, serve_stdio  # noqa: PLC0415
    from devportal.docs.queries import SiteQueries  # noqa: PLC0415
    from devportal.project.named_contract import load_named_contract  # noqa: PLC0415

    api = (
        load_named_contract(contract, allow_outside_references=allow_outside_references).api
        if contract is not None
        else None
    )
    source = open_site(site)
    refuse_empty_site(source)  # an agent would find out by its first question only
    server = DocsServer(queries=SiteQueries(source=source, contract=api)).server()
    if is_http:
        serve_http(server, port=port)
    else:
        serve_stdio(server)
