"""What a start says of webhooks: its options, and the subscription that comes of them."""

import secrets
from collections.abc import Callable
from typing import Any, TypeVar

import click

from devportal.errors import InvalidSettings
from telecom.sandbox.receiver import parse_receiver, why_forbidden
from telecom.sandbox.subscription import Subscription
from telecom.sandbox.tokens import ACCOUNT
from telecom.signature import Secret

_CommandT = TypeVar("_CommandT", bound=Callable[..., Any])
_SECRETS_OF_A_ROTATION = 2


def webhook_options(command: _CommandT) -> _CommandT:
    """Add the options to a command; its parameters are `webhook_url`, `secret_texts`, `public_webhooks`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def webhook_setup(url: str | None, texts: tuple[str, ...], *, public: bool) -> Subscription | None:
    """Return who gets delivery receipts, None where nobody does; raises InvalidSettings."""
    signing = tuple(Secret.parse(text) for text in texts) or (Secret(secrets.token_bytes(32)),)
    if len(signing) > _SECRETS_OF_A_ROTATION:
        raise InvalidSettings(
            f"there are {len(signing)} webhook secrets",
            help="give --webhook-secret once, or twice for a rotation: the new one first",
        )
    if url is None:
        return None
    return Subscription(account=ACCOUNT, url=_receiver(url, public=public), secrets=signing)


def _receiver(url: str, *, public: bool) -> str:
    """Return the address that webhooks go to; raises InvalidSettings for one that each delivery would refuse,
    as the API does where an endpoint is made.
    """
    address = parse_receiver(url, public=public).url
    if (reason := why_forbidden(address, public=public)) is not None:
        here = "give one of this machine, such as http://127.0.0.1:9000/"
        more = "" if public else "; with --public-webhooks one on the public internet may be given too"
        raise InvalidSettings(reason, help=here + more)
    return address


_OPTIONS = (
    click.option(
        "--webhook-url",
        help="Where delivery receipts are sent: the webhook endpoint 'we_command_line', which exists until a "
        "start without this option. An address outside this machine is refused without --public-webhooks.",
    ),
    click.option(
        "--webhook-secret",
        "secret_texts",
        multiple=True,
        envvar="DEVPORTAL_WEBHOOK_SECRET",
        show_envvar=True,
        help="The secret that they are signed with ('whsec_…'); twice for a rotation, the new one first: "
        "both sign for 24 hours. Can be repeated. Without it a new one is made and shown.",
    ),
    click.option(
        "--public-webhooks",
        is_flag=True,
        help="Let webhooks go to public addresses with https, not only to this machine.",
    ),
)
