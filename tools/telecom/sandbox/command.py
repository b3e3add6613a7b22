"""`devportal sandbox`: its options, and the lines it prints at the start."""

import secrets
import socket
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from devportal.command_line import CommandGroup, Number, WholeNumber
from devportal.contract import Api
from devportal.errors import InvalidSettings
from devportal.listening import socket_url
from telecom.sandbox.api.cross_origin import ANY_ORIGIN, parse_origin
from telecom.sandbox.api.rate_limit import RateLimit
from telecom.sandbox.app import SandboxSettings
from telecom.sandbox.connections.client_address import UNIX_SOCKET, TrustedProxies
from telecom.sandbox.connections.mutual_tls import mutual_tls_options, mutual_tls_setup
from telecom.sandbox.connections.sockets import MutualTlsListener, listening_socket
from telecom.sandbox.control.setup import control_options, control_setup
from telecom.sandbox.database.database import claim_database, is_file_address, open_database
from telecom.sandbox.database.encryption import KEY_VARIABLE
from telecom.sandbox.delivery.attempt import STANDARD_SCHEDULE
from telecom.sandbox.delivery.webhook_options import (
    Subscription,
    encryption_setup,
    webhook_options,
    webhook_reach,
    webhook_setup,
)
from telecom.sandbox.monitoring.request_log import LogFormat, log_to_stderr
from telecom.sandbox.processes import prepare_processes, run_processes
from telecom.sandbox.sources import read_api, read_catalog, scopes_of
from telecom.sandbox.stores.pacing import Throughput
from telecom.sandbox.tokens.token_cache import DEMO_ACCOUNT, DEMO_LIMITS, DEMO_TOKEN, demo_token
from telecom.sandbox.tokens.tokens import DEFAULT_ACCOUNT, Grant, Token, new_token, parse_token


def print_startup_lines(lines: Iterable[str]) -> None:
    """Print lines to standard error."""
    for line in lines:
        click.echo(line, err=True)


def monitoring_lines(listener: socket.socket) -> Iterator[str]:
    """Yield the lines with the addresses of the pages and of the monitoring endpoints."""
    address = "" if listener.family is socket.AF_UNIX else socket_url(listener)
    yield f"Pages:    {address}/_sandbox/  (what happened: timelines, event log)"
    yield f"Monitors: {address}/health and {address}/metrics"


def mutual_tls_lines(mtls_listener: MutualTlsListener | None) -> Iterator[str]:
    """Yield the line about the listener for mutual TLS, with the server's certificate."""
    if mtls_listener is not None:
        yield f"mTLS:     {socket_url(mtls_listener.listener, 'https')}  (certificate: {mtls_listener.certificate})"


def token_lines(tokens: Iterable[Token], scopes: frozenset[str], *, are_new: bool) -> Iterator[str]:
    """Yield the lines about the tokens of the start; only new tokens are shown."""
    for token in tokens:
        text = token.text if are_new else "as configured"
        yield f"Token:    {text}  (scopes: {_format_scopes(token, scopes)})"


def webhook_lines(subscription: Subscription | None, *, is_new: bool) -> Iterator[str]:
    """Yield the lines about webhooks; the secret is shown only if it is new."""
    if subscription is None:
        yield "Webhooks: none; give --webhook-url to receive delivery receipts"
        return
    yield f"Webhooks: {subscription.url}"
    yield f"Secret:   {subscription.secrets[0].reveal() if is_new else 'as configured'}"


def _format_scopes(token: Token, scopes: frozenset[str]) -> str:
    """Return the scopes of a token on one line; most tokens have all of them."""
    if token.grant.scopes == scopes:
        return f"all {len(scopes)}" if scopes else "none"
    return " ".join(sorted(token.grant.scopes)) or "none"


CONTRACT = click.option(
    "--contract",
    "contract_path",
    default="openapi/openapi.yaml",
    show_default=True,
    type=click.Path(path_type=Path),
    help="The OpenAPI file to serve.",
)
RECORDS = click.option(
    "--records",
    "records_path",
    default="data",
    show_default=True,
    type=click.Path(path_type=Path),
    help="The folder of rate and coverage records. Without it the sandbox has none.",
)
DATABASE = click.option(
    "--database",
    default="var/sandbox.sqlite3",
    show_default=True,
    envvar="DEVPORTAL_SANDBOX_DATABASE",
    show_envvar=True,
    help="Storage of messages and events: a SQLite file, created if it is missing, or a PostgreSQL "
    "database as 'postgresql://USER@HOST/NAME'. A file can be used by one sandbox at a time. "
    "PostgreSQL "
    "needs the extra 'devportal[postgresql]'; what the address leaves out comes from libpq's "
    "variables and files (PGPASSWORD, '~/.pgpass', services).",
)
ENCRYPTION_KEY = click.option(
    "--encryption-key-file",
    "key_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file with the key that webhook secrets are encrypted with in the database: the Base64 of 32 "
    "bytes. It is created if it is missing. To replace a key, write the new one in front of the old one. "
    f"The key can also be in {KEY_VARIABLE}. Without a key, secrets are stored unencrypted; --public-webhooks "
    "needs one.",
)


_RECEIPT_AFTER_S = 1.0
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
def sandbox(
    context: click.Context,
    /,
    *,
    host: str,
    port: int,
    unix_socket: Path | None,
    trusted_proxies: tuple[str, ...],
    contract_path: Path,
    records_path: Path,
    database: str,
    key_file: Path | None,
    token_texts: tuple[str, ...],
    with_demo: bool,
    webhook_url: str | None,
    secret_texts: tuple[str, ...],
    public_webhooks: bool,
    local_webhooks: bool,
    time_scale: float,
    rate_limit: int,
    messages_per_second: int,
    calls_per_second: int,
    allowed_origins: tuple[str, ...],
    api_processes: int,
    workers: int,
    log_format: str,
    mtls_port: int | None,
    mtls_authorities: tuple[str, ...],
    mtls_certificate: Path | None,
    mtls_key: Path | None,
    **control_arguments: Any,
) -> None:
    """Start a sandbox of the API: it conforms to the contract, and sends nothing to any carrier.

    The commands below work on the database of a sandbox, running or not.
    """
    if context.invoked_subcommand is not None:
        _refuse_options(context, context.invoked_subcommand)
        return
    if is_file_address(database) and (api_processes, workers) != (1, 1):
        raise InvalidSettings(
            f"{api_processes} API processes and {workers} workers cannot share a SQLite file",
            help="leave out --api-processes and --workers, or give a postgresql:// address with --database",
        )
    proxies = _trusted_proxies(trusted_proxies, unix_socket)
    origins = tuple(map(parse_origin, allowed_origins)) or ANY_ORIGIN
    control = control_setup(secrets.token_bytes, **control_arguments)
    reach = webhook_reach(public=public_webhooks, local=local_webhooks)
    subscription = webhook_setup(webhook_url, secret_texts, reach)
    api = read_api(contract_path)
    tokens = _start_tokens(api, token_texts)
    cipher = encryption_setup(key_file, reach)
    settings = SandboxSettings(
        tokens=control.with_control_token((*tokens, demo_token(scopes_of(api))) if with_demo else tokens),
        account_limits={DEMO_ACCOUNT: DEMO_LIMITS} if with_demo else {},
        subscription=subscription,
        webhook_reach=reach,
        schedule=replace(STANDARD_SCHEDULE, scale=time_scale),
        rate_limit=RateLimit(quota=rate_limit),
        throughput=Throughput(messages_per_s=messages_per_second, calls_per_s=calls_per_second),
        settles_after=timedelta(seconds=_RECEIPT_AFTER_S * time_scale),
        allowed_origins=origins,
        trusted_proxies=proxies,
        catalog=read_catalog(records_path),
        clock=control.clock,
        control=control.contract,
    )
    with (
        listening_socket(host, port, unix_socket) as listener,
        mutual_tls_setup(host, mtls_port, mtls_authorities, mtls_certificate, mtls_key) as mtls_listener,
        claim_database(database),
        open_database(database, cipher=cipher) as opened_database,
    ):
        tasks = prepare_processes(
            api,
            opened_database,
            settings,
            listener,
            mtls_listener,
            api_processes=api_processes,
            workers=workers,
        )
        print_startup_lines(
            (
                f"Sandbox:  {socket_url(listener)}",
                *mutual_tls_lines(mtls_listener),
                *token_lines(tokens, scopes_of(api), are_new=not token_texts),
                *((f"Demo:     {DEMO_TOKEN}  (for everybody)",) if with_demo else ()),
                *webhook_lines(subscription, is_new=not secret_texts),
                *control.startup_lines(),
                *monitoring_lines(listener),
            )
        )
        log_to_stderr(LogFormat(log_format))
        run_processes(tasks)


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


def _trusted_proxies(texts: tuple[str, ...], unix_socket: Path | None) -> TrustedProxies:
    """Read the proxies; raises InvalidSettings, also for one at a Unix socket that the sandbox does not have."""
    proxies = TrustedProxies.parse(texts)
    if proxies.unix_socket and unix_socket is None:
        raise InvalidSettings(
            f"the proxy {UNIX_SOCKET!r} connects to a Unix socket, and this sandbox has none",
            help="give the socket with --unix-socket, or the address of the proxy with --trusted-proxy",
        )
    return proxies


def _start_tokens(api: Api, texts: tuple[str, ...]) -> tuple[Token, ...]:
    scopes = scopes_of(api)
    if texts:
        return tuple(parse_token(text, account=DEFAULT_ACCOUNT, known_scopes=scopes) for text in texts)
    return (new_token(Grant(account=DEFAULT_ACCOUNT, scopes=scopes), secrets.token_bytes),)
