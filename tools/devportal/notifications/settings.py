"""`notify.yaml`: who gets which changes, and by which channel. It has names of secrets, never secrets."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.headerregistry import Address
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from typing import Any

from devportal.documents import Document, Shape
from devportal.findings import Finding, Level
from devportal.web_requests import LOOPBACK

RULE = "notify-file"


class Channel(StrEnum):
    """How a subscriber is notified."""

    EMAIL = "email"
    SLACK = "slack"
    TEAMS = "teams"
    WEBHOOK = "webhook"


class MailSecurity(StrEnum):
    """How the connection to a mail server is protected."""

    STARTTLS = "starttls"
    TLS = "tls"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServer:
    """A mail server; `username_env` and `password_env` name environment variables, empty for no account."""

    host: str
    port: int
    security: MailSecurity
    username_env: str = ""
    password_env: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """A filter and a channel.

    `apis` and `impacts` are None for all. `prices` has tags of feed items, is empty for all prices and None for none.
    `url_env` and `secret_env` name environment variables; `sender` and `recipients` are email addresses.
    """

    name: str
    channel: Channel
    apis: tuple[str, ...] | None = None
    impacts: tuple[str, ...] | None = None
    since: str = ""
    uses: str = ""
    prices: tuple[str, ...] | None = None
    url_env: str = ""
    secret_env: str = ""
    sender: str = ""
    recipients: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NotifySettings:
    """The whole file; `smtp` is None if emails are written to files."""

    subscriptions: tuple[Subscription, ...] = ()
    smtp: MailServer | None = None


def read_settings(document: Document) -> tuple[NotifySettings, tuple[Finding, ...]]:
    """Return the settings of a file and what is wrong in it; with findings, they are empty."""
    misfits = notify_shape().misfits(document)
    findings = tuple(misfit.finding for misfit in misfits) or tuple(_problems(document))
    if findings:
        return NotifySettings(), findings
    data = document.data
    subscriptions = tuple(
        _subscription(name, subscription) for name, subscription in data["subscriptions"].items()
    )
    return NotifySettings(subscriptions=subscriptions, smtp=_mail_server(data.get("smtp"))), ()


@lru_cache(maxsize=1)
def notify_shape() -> Shape:
    """Return the shape of the file."""
    return Shape(notify_schema(), rule=RULE, root="the file")


def notify_schema() -> dict[str, Any]:
    """Return the JSON Schema of the file, for editors."""
    text = files("devportal.notifications").joinpath("schemas", "notify.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def _problems(document: Document) -> Iterator[Finding]:
    """Yield what the schema cannot say: each subscription has one channel, and passwords are protected."""
    for name, subscription in document.data["subscriptions"].items():
        channels = [channel for channel in Channel if channel in subscription]
        if len(channels) != 1:
            named = " and ".join(channels) or "no channel"
            yield _problem(
                document,
                ("subscriptions", name),
                f"the subscription {name!r} has {named}",
                "give it one channel",
            )
        yield from _address_problems(document, name)
    smtp = document.data.get("smtp", {})
    if ("username_env" in smtp) != ("password_env" in smtp):
        yield _problem(
            document, ("smtp",), "an account has a name and a password", "write both, or none of them"
        )
    if smtp.get("security") == MailSecurity.NONE and "password_env" in smtp and smtp["host"] not in LOOPBACK:
        yield _problem(
            document,
            ("smtp", "security"),
            "the password would be sent without protection",
            "write starttls or tls, or leave out the account",
        )


def _address_problems(document: Document, name: str) -> Iterator[Finding]:
    """Yield addresses that no email can have, such as those with two dots in a row."""
    email = document.data["subscriptions"][name].get("email", {})
    written: list[tuple[tuple[str, ...], str]] = [(("from",), email["from"])] if email else []
    written += [(("to", str(number)), value) for number, value in enumerate(email.get("to", ()))]
    for pointer, address in written:
        try:
            Address(addr_spec=address)
        except (ValueError, HeaderParseError):
            place = ("subscriptions", name, "email", *pointer)
            yield _problem(
                document, place, f"{address!r} is not an email address", "write one such as api@example.com"
            )


def _problem(document: Document, pointer: tuple[str, ...], message: str, help_: str) -> Finding:
    return Finding(rule=RULE, level=Level.ERROR, place=document.place(pointer), message=message, help=help_)


def _subscription(name: str, data: dict[str, Any]) -> Subscription:
    channel = next(channel for channel in Channel if channel in data)
    target = data[channel]
    prices = data.get("prices", False)
    return Subscription(
        name=name,
        channel=channel,
        apis=_names(data.get("apis")),
        impacts=_names(data.get("impacts")),
        since=data.get("since", ""),
        uses=data.get("uses", ""),
        prices=(() if prices else None) if isinstance(prices, bool) else tuple(prices),
        url_env=target.get("url_env", ""),
        secret_env=target.get("secret_env", ""),
        sender=target.get("from", ""),
        recipients=tuple(target.get("to", ())),
    )


def _names(names: list[str] | None) -> tuple[str, ...] | None:
    return None if names is None else tuple(names)


def _mail_server(data: dict[str, Any] | None) -> MailServer | None:
    if data is None:
        return None
    security = MailSecurity(data.get("security", MailSecurity.STARTTLS))
    return MailServer(
        host=data["host"],
        port=data.get("port", 465 if security is MailSecurity.TLS else 587),
        security=security,
        username_env=data.get("username_env", ""),
        password_env=data.get("password_env", ""),
    )
