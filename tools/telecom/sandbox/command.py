"""`devportal sandbox`: its options, and the commands below it."""

from importlib import import_module
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from devportal.command_line import CommandGroup, Number, WholeNumber
from telecom.sandbox.monitoring.request_log import LogFormat
from telecom.sandbox.options import (
    CONTRACT,
    DATABASE,
    ENCRYPTION_KEY,
    RECORDS,
    control_options,
    mutual_tls_options,
    webhook_options,
)
from telecom.sandbox.tokens.tokens import DEMO_TOKEN

_SUBCOMMANDS = {
    "token": "telecom.sandbox.tokens.command",
    "certificate": "telecom.sandbox.connections.certificate_command",
}


class _SandboxCommands(CommandGroup):
    """The command that starts the sandbox, and the commands below it, imported only when needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click calls it
        return list(_SUBCOMMANDS)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - as click calls it
        cmd_name: str,
    ) -> click.Command | None:
        if cmd_name not in _SUBCOMMANDS:
            return None
        command: click.Command = getattr(import_module(_SUBCOMMANDS[cmd_name]), cmd_name)
        return command


@click.group(cls=_SandboxCommands, invoke_without_command=True)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    default=8080,
    show_default=True,
    type=WholeNumber(0, 65535),
    help="The port to listen on; 0 picks a free one.",
)
@click.option(
    "--unix-socket",
    type=click.Path(path_type=Path),
    help="Listen on this Unix socket instead of --host and --port. The permissions of its folder "
    "decide who may connect.",
)
@click.option(
    "--trusted-proxy",
    "trusted_proxies",
    multiple=True,
    metavar="ADDRESS",
    help="A proxy whose X-Forwarded-For or Forwarded header names the client: an address, a block such as "
    "10.0.0.0/24, or 'unix' for whoever connects to --unix-socket. Can be repeated. Without it, a "
    "client's address is that of its connection, and these headers are ignored.",
)
@CONTRACT
@RECORDS
@DATABASE
@ENCRYPTION_KEY
@click.option(
    "--token",
    "token_texts",
    multiple=True,
    envvar="DEVPORTAL_SANDBOX_TOKEN",
    show_envvar=True,
    help="A valid token, as 'TOKEN' (all scopes) or 'TOKEN=SCOPE,SCOPE'. Can be repeated. Without "
    "it, a new one is created and printed.",
)
@click.option(
    "--demo-token",
    "with_demo",
    is_flag=True,
    help=f"Make '{DEMO_TOKEN}' valid, the public token of the documentation: it can read, and send "
    f"messages that are never delivered, in a separate account with tight limits.",
)
@webhook_options
@click.option(
    "--time-scale",
    default=1.0,
    show_default=True,
    type=Number(0, 10),
    help="Multiplies the pauses before receipts and between attempts. Use 0.01 in tests.",
)
@click.option(
    "--rate-limit",
    default=6000,
    show_default=True,
    type=WholeNumber(1, 999_999_999),
    help="Requests per minute, account and API (tag). More are rejected with 429.",
)
@click.option(
    "--messages-per-second",
    default=1000,
    show_default=True,
    type=WholeNumber(1, 999_999),
    help="Segments sent per second and account. Production starts with 10.",
)
@click.option(
    "--calls-per-second",
    default=100,
    show_default=True,
    type=WholeNumber(1, 999_999),
    help="Calls per second and account. More are rejected with 429. Production starts with 1.",
)
@click.option(
    "--allowed-origin",
    "allowed_origins",
    multiple=True,
    metavar="ORIGIN",
    help="An origin whose pages may call the sandbox from a browser, such as "
    "'https://docs.example.com'. Can be repeated. Without it, all origins may.",
)
@mutual_tls_options
@control_options
@click.option(
    "--api-processes",
    default=1,
    show_default=True,
    type=WholeNumber(1, 64),
    help="Number of processes that handle requests; more than 1 require PostgreSQL. They share one --rate-limit.",
)
@click.option(
    "--workers",
    default=1,
    show_default=True,
    type=WholeNumber(0, 64),
    help="Number of processes that deliver webhooks and advance time. More than 1, or 0, require PostgreSQL.",
)
@click.option(
    "--log-format",
    type=click.Choice([format_.value for format_ in LogFormat]),
    default=LogFormat.TEXT.value,
    show_default=True,
    help="Log format on standard error: text lines or JSON objects.",
)
@click.pass_context
def sandbox(context: click.Context, /, **options: Any) -> None:
    """Start a sandbox of the API: it conforms to the contract, and sends nothing to any carrier.

    The commands below work on the database of a sandbox, running or not.
    """
    if context.invoked_subcommand is not None:
        _refuse_options(context, context.invoked_subcommand)
        return
    from telecom.sandbox.start import start_sandbox  # noqa: PLC0415 - it loads the server, which help does not need

    start_sandbox(**options)


def _refuse_options(context: click.Context, command: str) -> None:
    """Raise UsageError for options of the start before a subcommand."""
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if source is ParameterSource.COMMANDLINE:
            raise click.UsageError(
                f"{parameter.opts[0]} is for the start of a sandbox, and {command!r} starts none: "
                "write options of the command behind it.",
                context,
            )
