"""What the sandbox says of itself when it has started: where it is, and the secrets that it made just now."""

import socket

import click

from telecom.sandbox.listening import address_of
from telecom.sandbox.subscription import Subscription
from telecom.sandbox.tokens import Token


def introduce(
    listener: socket.socket,
    tokens: tuple[Token, ...],
    scopes: frozenset[str],
    subscription: Subscription | None,
    token_texts: tuple[str, ...],
    secret_texts: tuple[str, ...],
) -> None:
    """Say where the sandbox is and, of secrets, only those that were made just now."""
    click.echo(f"Sandbox:  {address_of(listener)}", err=True)
    for token in tokens:
        shown = "as configured" if token_texts else token.text
        click.echo(f"Token:    {shown}  (scopes: {_granted(token, scopes)})", err=True)
    if subscription is None:
        click.echo("Webhooks: none; give --webhook-url to receive delivery receipts", err=True)
        return
    click.echo(f"Webhooks: {subscription.url}", err=True)
    shown = "as configured" if secret_texts else subscription.secrets[0].reveal()
    click.echo(f"Secret:   {shown}", err=True)


def _granted(token: Token, scopes: frozenset[str]) -> str:
    """Return the scopes of a token on a line that fits: most tokens have them all."""
    if token.grant.scopes == scopes:
        return f"all {len(scopes)}" if scopes else "none"
    return " ".join(sorted(token.grant.scopes)) or "none"
