"""What a start says of mutual TLS: its options, and the listener that comes of them."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, TypeVar

import click

from devportal.command_line import WholeNumber
from devportal.errors import InvalidSettings
from telecom.sandbox.connections.sockets import MutualTlsListener

_CommandT = TypeVar("_CommandT", bound=Callable[..., Any])


def mutual_tls_options(command: _CommandT) -> _CommandT:
    """Add the options to a command; its parameters are those of `mutual_tls_setup`, with `mtls_` before."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def mutual_tls_setup(
    host: str,
    port: int | None,
    authorities: tuple[str, ...],
    certificate: Path | None,
    key: Path | None,
) -> AbstractContextManager[MutualTlsListener | None]:
    """Return the listener for mutual TLS, None where it is not asked for; raises InvalidSettings."""
    if port is None:
        if authorities or certificate is not None or key is not None:
            raise InvalidSettings(
                "there is no listener for mutual TLS",
                help="give its port with --mtls-port (0 takes a free one)",
            )
        return nullcontext()
    if not authorities:
        raise InvalidSettings(
            "nobody could come in: no account has an authority",
            help="give --mtls-authority ACCOUNT=FILE; devportal sandbox certificate authority makes one",
        )
    if key is not None and certificate is None:
        raise InvalidSettings("--mtls-key has no certificate", help="give it with --mtls-certificate")
    from telecom.sandbox.connections.mutual_tls import MutualTlsOptions, listen_mutual_tls  # noqa: PLC0415 - rarely needed, and slow to load

    return listen_mutual_tls(
        MutualTlsOptions(host=host, port=port, authorities=authorities, certificate=certificate, key=key)
    )


_OPTIONS = (
    click.option(
        "--mtls-port",
        type=WholeNumber(0, 65535),
        help="The port of a second listener, for mutual TLS; 0 takes a free one.",
    ),
    click.option(
        "--mtls-authority",
        "mtls_authorities",
        multiple=True,
        metavar="ACCOUNT=FILE",
        help="The authority of an account's client certificates, as a PEM file. Can be repeated, for one "
        "account too. The tokens of the account are good at that listener only, with a certificate that this "
        "authority issued itself.",
    ),
    click.option(
        "--mtls-certificate",
        type=click.Path(path_type=Path),
        help="The certificate of that listener, as a PEM file. Without it one is made for this machine: it "
        "is told, and gone at the end.",
    ),
    click.option(
        "--mtls-key",
        type=click.Path(path_type=Path),
        help="The key of that certificate, where it is not in the same file. A key with a password is "
        "refused.",
    ),
)
