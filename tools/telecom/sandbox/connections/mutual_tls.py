"""The listener for mutual TLS: its handshake fails without a certificate of a registered authority."""

import ssl
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from cryptography import x509

from devportal.errors import EnvironmentProblem, InvalidSettings, Place
from telecom.sandbox.connections.authorities import Authorities
from telecom.sandbox.connections.certificates import check_server, self_signed_server
from telecom.sandbox.connections.private_file import write_private
from telecom.sandbox.connections.sockets import MutualTlsListener, listen_tcp

_LIFETIME = timedelta(days=365)
_LOCAL = ("localhost", "127.0.0.1", "::1")
_NO_PASSWORD = "-"
"""A key with a password is refused, and nobody is asked for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MutualTlsOptions:
    """What a start asks for. `authorities` are `ACCOUNT=FILE`; without a certificate one is made, and without
    a key it is in the certificate's file."""

    host: str
    port: int
    authorities: tuple[str, ...]
    certificate: Path | None
    key: Path | None


@contextmanager
def listen_mutual_tls(wanted: MutualTlsOptions) -> Iterator[MutualTlsListener]:
    """Listen for the time of a `with` block; raises InvalidSettings, EnvironmentProblem."""
    now = datetime.now(UTC)
    authorities = Authorities.parse(wanted.authorities, now)
    with ExitStack() as stack:
        if wanted.certificate is not None:
            certificate = wanted.certificate
            context = server_context(authorities, certificate, wanted.key)
            _check_given_certificate(certificate, now)
        else:
            certificate, key = _make_certificate(Path(stack.enter_context(_temporary_folder())), now)
            context = server_context(authorities, certificate, key)
            key.unlink()
        yield MutualTlsListener(
            listener=stack.enter_context(closing(listen_tcp(wanted.host, wanted.port))),
            context=context,
            accounts=authorities.accounts,
            certified_for=authorities.accounts_of,
            certificate=certificate,
        )


def server_context(authorities: Authorities, certificate: Path, key: Path | None) -> ssl.SSLContext:
    """Return how handshakes go: each looks at the client's certificate anew, as no session is resumed.

    Raises InvalidSettings for files that are no certificate with its key.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.verify_mode = ssl.CERT_REQUIRED
    context.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
    context.options |= ssl.OP_NO_TICKET
    context.num_tickets = 0
    context.load_verify_locations(cadata=authorities.pem)
    try:
        context.load_cert_chain(certificate, key, _NO_PASSWORD)
    except OSError as error:
        is_refused = isinstance(error, ssl.SSLError)
        raise InvalidSettings(
            "the server's certificate or its key cannot be used: "
            f"{'they are none, or not of each other' if is_refused else error.strerror}",
            place=Place(file=str(certificate)),
            help="devportal sandbox certificate server makes both",
        ) from error
    return context


def _check_given_certificate(path: Path, now: datetime) -> None:
    """Raise InvalidSettings for a server's certificate that clients would refuse; the first in its file."""
    place = Place(file=str(path))
    try:
        certificate, *_ = x509.load_pem_x509_certificates(path.read_bytes())
    except ValueError as error:
        raise InvalidSettings(f"the server's certificate cannot be read: {error}", place=place) from error
    check_server(certificate, place, now)


def _temporary_folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="devportal-mtls-")


def _make_certificate(folder: Path, now: datetime) -> tuple[Path, Path]:
    """Make a certificate for this machine, which clients find in its file; raises EnvironmentProblem."""
    made = self_signed_server("devportal sandbox", now, _LIFETIME, hosts=_LOCAL)
    certificate, key = folder / "server.pem", folder / "server-key.pem"
    try:
        certificate.write_bytes(made.certificate_pem)
        write_private(key, made.key_pem)
    except OSError as error:
        raise EnvironmentProblem(
            f"the certificate of the listener for mutual TLS cannot be written: {error.strerror}",
            place=Place(file=str(folder)),
            help="free some space there, or give a certificate with --mtls-certificate and --mtls-key",
        ) from error
    return certificate, key
