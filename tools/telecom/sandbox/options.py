"""The options of `devportal sandbox` and of the commands below it. Nothing here loads the server: help needs none."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from devportal.command_line import WholeNumber, with_options
from devportal.serving.clock import ClockMode
from telecom.sandbox.database import KEY_VARIABLE

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
_MUTUAL_TLS = (
    click.option(
        "--mtls-port",
        type=WholeNumber(0, 65535),
        help="The port of a second listener for mutual TLS; 0 picks a free one.",
    ),
    click.option(
        "--mtls-authority",
        "mtls_authorities",
        multiple=True,
        metavar="ACCOUNT=FILE",
        help="The certificate authority of an account's client certificates, as a PEM file. Can be "
        "repeated. The account's tokens then work only on that listener, with a certificate issued "
        "directly by this authority.",
    ),
    click.option(
        "--mtls-certificate",
        type=click.Path(path_type=Path),
        help="The certificate of that listener, as a PEM file. Without it, a temporary one is "
        "created for this machine and printed.",
    ),
    click.option(
        "--mtls-key",
        type=click.Path(path_type=Path),
        help="The key of that certificate, if it is in a separate file. A key with a password is rejected.",
    ),
)
_CONTROL = (
    click.option(
        "--clock",
        default=ClockMode.REAL.value,
        show_default=True,
        metavar="[real|manual|60x]",
        help="The sandbox clock: 'real', 'manual' (it only moves when you advance it), or a multiple "
        "of real time, such as '60x' (up to '86400x').",
    ),
    click.option(
        "--clock-start",
        metavar="TIME",
        help="The start time of a new database, such as '2026-01-01T00:00:00Z'. Default: now. Not with '--clock real'.",
    ),
    click.option(
        "--control-token",
        envvar="DEVPORTAL_SANDBOX_CONTROL_TOKEN",
        show_envvar=True,
        help="The token of the control API, which moves the clock and resets the sandbox. Without "
        "it, a new one is created and printed.",
    ),
    click.option("--no-control", is_flag=True, help="Disable the control API."),
)
_WEBHOOKS = (
    click.option(
        "--webhook-url",
        help="Where delivery receipts are sent: the webhook endpoint 'we_command_line', which exists until a "
        "start without this option. Webhooks must be allowed to this address.",
    ),
    click.option(
        "--webhook-secret",
        "secret_texts",
        multiple=True,
        envvar="DEVPORTAL_WEBHOOK_SECRET",
        show_envvar=True,
        help="The signing secret ('whsec_…'). Give two for a rotation, the new one first: both sign "
        "for 24 hours. Without it, a new one is created and printed.",
    ),
    click.option(
        "--public-webhooks",
        is_flag=True,
        help="For a hosted sandbox: deliver webhooks to the public internet only, over https. Private, "
        "loopback and other special addresses are rejected, also when a name resolves to one.",
    ),
    click.option(
        "--local-webhooks",
        is_flag=True,
        help="Deliver webhooks to this machine. This is the default. With --public-webhooks both are "
        "allowed; do not do that in a hosted sandbox.",
    ),
)

_CommandT = TypeVar("_CommandT", bound=Callable[..., Any])


def mutual_tls_options(command: _CommandT) -> _CommandT:
    """Add the options to a command; its parameters are those of `mutual_tls_setup`, with the prefix `mtls_`."""
    return with_options(command, _MUTUAL_TLS)


def control_options(command: _CommandT) -> _CommandT:
    """Add the options to a command; its parameters are those of `control_setup`."""
    return with_options(command, _CONTROL)


def webhook_options(command: _CommandT) -> _CommandT:
    """Add the options to a command; its parameters are `webhook_url`, `secret_texts`, `public_webhooks` and
    `local_webhooks`."""
    return with_options(command, _WEBHOOKS)
