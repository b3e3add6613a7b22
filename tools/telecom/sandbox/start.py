"""The start of a sandbox with the options of `devportal sandbox`, and the lines that it prints."""

import secrets
import socket
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import click

from devportal.contract import Api
from devportal.errors import InvalidSettings
from devportal.listening import socket_url
from telecom.sandbox.api.cross_origin import ANY_ORIGIN, parse_origin
from telecom.sandbox.api.rate_limit import RateLimit
from telecom.sandbox.app import SandboxSettings
from telecom.sandbox.connections.client_address import UNIX_SOCKET, TrustedProxies
from telecom.sandbox.connections.mutual_tls import mutual_tls_setup
from telecom.sandbox.connections.sockets import MutualTlsListener, listening_socket
from telecom.sandbox.control.setup import control_setup
from telecom.sandbox.database.database import claim_database, is_file_address, open_database
from telecom.sandbox.delivery.attempt import STANDARD_SCHEDULE
from telecom.sandbox.delivery.webhook_setup import (
    Subscription,
    encryption_setup,
    webhook_reach,
    webhook_setup,
)
from telecom.sandbox.monitoring.request_log import LogFormat, log_to_stderr
from telecom.sandbox.processes import prepare_processes, run_processes
from telecom.sandbox.sources import read_api, read_catalog, scopes_of
from telecom.sandbox.stores.pacing import Throughput
from telecom.sandbox.tokens.token_cache import DEMO_ACCOUNT, DEMO_LIMITS, demo_token
from telecom.sandbox.tokens.tokens import DEFAULT_ACCOUNT, DEMO_TOKEN, Grant, Token, new_token, parse_token

_RECEIPT_AFTER_S = 1.0


def start_sandbox(
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
    """Start a sandbox with these options, and run it until it is stopped; raises PortalError."""
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
