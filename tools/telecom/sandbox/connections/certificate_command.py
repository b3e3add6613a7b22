"""`devportal sandbox certificate`: makes an authority and its certificates, to try mutual TLS."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from devportal.command_line import CommandGroup, WholeNumber
from devportal.errors import EnvironmentProblem, InvalidSettings, Place
from telecom.sandbox.connections.certificates import (
    Identity,
    Purpose,
    issue_certificate,
    new_authority,
    write_private,
)

_AUTHORITY = "authority"
_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_LOCAL = ("localhost", "127.0.0.1", "::1")
_LONGEST_DAYS = 3650

_FOLDER = click.option(
    "--folder",
    default="var/certificates",
    show_default=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder of the files. Nothing is ever overwritten.",
)


def _days_option(default: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(
        "--days",
        default=default,
        show_default=True,
        type=WholeNumber(1, _LONGEST_DAYS),
        help="Validity in days; never longer than its authority.",
    )


@click.group(cls=CommandGroup)
def certificate() -> None:
    """Create certificates to try mutual TLS. Prints the created files."""


@certificate.command()
@_FOLDER
@click.option("--name", default="Sandbox authority", show_default=True, help="The name of the authority.")
@_days_option(1825)
def authority(*, folder: Path, name: str, days: int) -> None:
    """Create a certificate authority for clients and servers: authority.pem and its key."""
    _write_identity(folder, _AUTHORITY, new_authority(name, datetime.now(UTC), timedelta(days=days)))


@certificate.command()
@_FOLDER
@click.option(
    "--name", default="client", show_default=True, help="The machine it is for; also the name of the files."
)
@_days_option(365)
def client(*, folder: Path, name: str, days: int) -> None:
    """Create a client certificate, signed by the authority in the folder."""
    _issue_files(folder, name, Purpose.CLIENT, days, ())


@certificate.command()
@_FOLDER
@click.option("--name", default="server", show_default=True, help="The name of the files.")
@click.option(
    "--host",
    "hosts",
    multiple=True,
    default=_LOCAL,
    show_default=True,
    help="A host name or address of the server. Can be repeated.",
)
@_days_option(365)
def server(*, folder: Path, name: str, hosts: tuple[str, ...], days: int) -> None:
    """Create a server certificate, signed by the authority in the folder."""
    _issue_files(folder, name, Purpose.SERVER, days, hosts)


def _issue_files(folder: Path, name: str, purpose: Purpose, days: int, hosts: tuple[str, ...]) -> None:
    if not _FILE_NAME.fullmatch(name):
        raise InvalidSettings(
            f"{name[:80]!r} cannot name a file",
            help="give up to 64 letters, digits, hyphens, underscores and dots",
        )
    signer, now = _read_authority(folder), datetime.now(UTC)
    if now >= signer.certificate.not_valid_after_utc:
        raise InvalidSettings(
            "the authority has expired",
            place=Place(file=str(folder / f"{_AUTHORITY}.pem")),
            help="create another one in a separate folder",
        )
    _write_identity(
        folder, name, issue_certificate(signer, name, purpose, now, timedelta(days=days), hosts=hosts)
    )


def _read_authority(folder: Path) -> Identity:
    file, key_file = _identity_files(folder, _AUTHORITY)
    try:
        return Identity.parse(file.read_bytes(), key_file.read_bytes())
    except OSError as error:
        raise InvalidSettings(
            f"there is no authority: {error.strerror}",
            place=Place(file=str(error.filename)),
            help=f"make one first: devportal sandbox certificate authority --folder {folder}",
        ) from error
    except InvalidSettings as error:
        raise InvalidSettings(error.message, place=Place(file=str(file)), help=error.help) from error


def _write_identity(folder: Path, name: str, identity: Identity) -> None:
    """Write a certificate and its key, if neither file exists."""
    file, key_file = _identity_files(folder, name)
    for path in (file, key_file):
        if path.exists():
            raise EnvironmentProblem(
                "this file exists, and is not overwritten",
                place=Place(file=str(path)),
                help="give another --name or --folder",
            )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_private(key_file, identity.key_pem)
        with file.open("xb") as public:
            public.write(identity.certificate_pem)
    except OSError as error:
        raise EnvironmentProblem(
            f"it cannot be written: {error.strerror}",
            place=Place(file=str(error.filename or folder)),
            help="give another --folder",
        ) from error
    click.echo(f"{file}\n{key_file}")
    click.echo(
        f"Valid until {identity.certificate.not_valid_after_utc:%Y-%m-%d}. The key is a secret.", err=True
    )


def _identity_files(folder: Path, name: str) -> tuple[Path, Path]:
    return folder / f"{name}.pem", folder / f"{name}-key.pem"
