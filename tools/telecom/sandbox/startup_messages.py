"""What the sandbox says of itself when it has started: where it is, and the secrets that it made just now."""

import socket
from collections.abc import Iterable, Iterator

import click

from telecom.sandbox.connections.sockets import MutualTlsListener, socket_url
from telecom.sandbox.delivery.webhook_options import Subscription
from telecom.sandbox.tokens.tokens import Token


def print_startup_lines(lines: Iterable[str]) -> None:
    """Say lines on standard error."""
    for line in lines:
        click.echo(line, err=True)


def monitoring_lines(listener: socket.socket) -> Iterator[str]:
    """Yield the lines about where to see how the sandbox fares, and what happened in it."""
    address = "" if listener.family is socket.AF_UNIX else socket_url(listener)
    yield f"Pages:    {address}/_sandbox/  (what happened: timelines, event log)"
    yield f"Monitors: {address}/health and {address}/metrics"


def mutual_tls_lines(secured: MutualTlsListener | None) -> Iterator[str]:
    """Yield the line about the listener for mutual TLS, and the certificate by which clients know it."""
    if secured is not None:
        yield f"mTLS:     {socket_url(secured.listener, 'https')}  (certificate: {secured.certificate})"


def token_lines(tokens: Iterable[Token], scopes: frozenset[str], *, are_new: bool) -> Iterator[str]:
    """Yield the lines about the tokens of the start; only those that were made just now are shown."""
    for token in tokens:
        shown = token.text if are_new else "as configured"
        yield f"Token:    {shown}  (scopes: {_format_scopes(token, scopes)})"


def webhook_lines(subscription: Subscription | None, *, is_new: bool) -> Iterator[str]:
    """Yield the lines about webhooks; a secret is shown only where it was made just now."""
    if subscription is None:
        yield "Webhooks: none; give --webhook-url to receive delivery receipts"
        return
    yield f"Webhooks: {subscription.url}"
    yield f"Secret:   {subscription.secrets[0].reveal() if is_new else 'as configured'}"


def _format_scopes(token: Token, scopes: frozenset[str]) -> str:
    """Return the scopes of a token on a line that fits: most tokens have them all."""
    if token.grant.scopes == scopes:
        return f"all {len(scopes)}" if scopes else "none"
    return " ".join(sorted(token.grant.scopes)) or "none"
