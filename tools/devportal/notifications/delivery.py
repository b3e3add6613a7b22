"""Sends messages: by SMTP, or by POST to https. No message of an error has an address or a secret."""

import base64
import binascii
import hashlib
import hmac
import smtplib
import ssl
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from http.client import HTTPException

from devportal.errors import EnvironmentProblem, InvalidSettings
from devportal.notifications.settings import MailSecurity, MailServer
from devportal.web_requests import is_safe_address, open_request

_TIMEOUT_S = 30
_SECRET_PREFIX = "whsec_"
_MIN_SECRET_BYTES = 24
"""The shortest secret (Standard Webhooks, "Signature scheme"); 64 is the longest."""
_MAX_SECRET_BYTES = 64


class FailedDelivery(EnvironmentProblem):
    """A message that was not taken; it is sent again in the next run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A JSON body, and the headers that belong to it."""

    body: bytes = field(repr=False)
    headers: Mapping[str, str]


def read_address(variable: str, environment: Mapping[str, str]) -> str:
    """Return the address that an environment variable has. Raises InvalidSettings, without the address."""
    address = _variable(variable, environment)
    if not is_safe_address(address):
        raise InvalidSettings(
            f"the environment variable {variable} has no https address",
            help="set it to the address of the webhook; http is allowed for this machine only",
        )
    return address


def read_secret(variable: str, environment: Mapping[str, str]) -> bytes:
    """Return the key that an environment variable has, as `whsec_` and base64. Raises InvalidSettings."""
    text = _variable(variable, environment)
    try:
        key = base64.b64decode(text.removeprefix(_SECRET_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not text.startswith(_SECRET_PREFIX) or not _MIN_SECRET_BYTES <= len(key) <= _MAX_SECRET_BYTES:
        raise InvalidSettings(
            f"the environment variable {variable} has no signing secret",
            help=f"set it to whsec_ and the base64 of {_MIN_SECRET_BYTES} to {_MAX_SECRET_BYTES} random bytes",
        )
    return key


def read_account(server: MailServer, environment: Mapping[str, str]) -> tuple[str, str] | None:
    """Return name and password of the account, None without one. Raises InvalidSettings."""
    if not server.username_env:
        return None
    return _variable(server.username_env, environment), _variable(server.password_env, environment)


def _variable(name: str, environment: Mapping[str, str]) -> str:
    value = environment.get(name, "").strip()
    if not value:
        raise InvalidSettings(
            f"the environment variable {name} is not set", help="set it in the job, from a secret"
        )
    return value


def sign(key: bytes, *, id: str, timestamp: int, body: bytes) -> str:  # noqa: A002 - as the standard calls it
    """Return the value of `webhook-signature` (Standard Webhooks, "Signature scheme")."""
    content = f"{id}.{timestamp}.".encode() + body
    return f"v1,{base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()}"


def webhook_headers(key: bytes, body: bytes, *, id: str, at: datetime) -> Mapping[str, str]:  # noqa: A002
    """Return the headers that identify and sign a message."""
    timestamp = int(at.timestamp())
    return {
        "webhook-id": id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": sign(key, id=id, timestamp=timestamp, body=body),
    }


def post(address: str, message: Post, *, receiver: str) -> None:
    """Send a body to an address; `receiver` is what messages call it. Raises FailedDelivery."""
    request = urllib.request.Request(  # noqa: S310 - the scheme is checked
        address,
        data=message.body,
        method="POST",
        headers={"Content-Type": "application/json", "User-Agent": "devportal", **message.headers},
    )
    try:
        with open_request(request, timeout_s=_TIMEOUT_S) as response:
            response.read(65_536)
    except urllib.error.HTTPError as error:
        with error:
            why = (
                "it redirects, and redirects are not followed"
                if 300 <= error.code < 400
                else f"it returned {error.code}"
            )
            raise FailedDelivery(f"{receiver} did not take the message: {why}") from None
    except (OSError, ValueError, HTTPException) as error:
        reason = getattr(error, "reason", error)
        why = getattr(reason, "strerror", None) or type(reason).__name__
        raise FailedDelivery(f"{receiver} cannot be reached: {why}") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The recipients of an email that a mail server did not take: those to ask for again, and the others.

    Replies from 400 to 499 are for now (RFC 5321 §4.2.1), such as those of servers that know a sender only from
    the second time on.
    """

    for_now: tuple[str, ...] = ()
    for_good: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.for_now, *self.for_good)


NOBODY_REFUSED = Refused()


def send_email(
    message: EmailMessage, recipients: tuple[str, ...], server: MailServer, account: tuple[str, str] | None
) -> Refused:
    """Send an email; return the recipients that the server refused, which may be all. Raises FailedDelivery."""
    try:
        client = _connect(server)
        try:
            if account is not None:
                client.login(*account)
            try:
                refused = _sort_refused(client.send_message(message, to_addrs=recipients))
            except smtplib.SMTPRecipientsRefused as error:
                refused = _sort_refused(error.recipients)
            with suppress(
                smtplib.SMTPException, OSError
            ):  # the message is accepted, however the server parts
                client.quit()
        finally:
            client.close()
    except smtplib.SMTPResponseException as error:
        raise FailedDelivery(f"the mail server {server.host} returned {error.smtp_code}") from None
    except smtplib.SMTPException as error:
        raise FailedDelivery(
            f"the mail server {server.host} did not take the message: {type(error).__name__}"
        ) from None
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or type(error).__name__
        raise FailedDelivery(f"the mail server {server.host} cannot be reached: {why}") from None
    return refused


def _sort_refused(replies: Mapping[str, tuple[int, bytes]]) -> Refused:
    """Sort the recipients by the replies of the server."""
    for_now = tuple(value for value, (code, _) in replies.items() if 400 <= code < 500)
    return Refused(for_now=for_now, for_good=tuple(reply for reply in replies if reply not in for_now))


def _connect(server: MailServer) -> smtplib.SMTP:
    """Return a connection that is protected as the settings say. Certificates are checked."""
    context = ssl.create_default_context()
    if server.security is MailSecurity.TLS:
        return smtplib.SMTP_SSL(server.host, server.port, timeout=_TIMEOUT_S, context=context)
    client = smtplib.SMTP(server.host, server.port, timeout=_TIMEOUT_S)
    if server.security is MailSecurity.STARTTLS:
        try:
            client.starttls(context=context)
        except BaseException:
            client.close()
            raise
    return client
