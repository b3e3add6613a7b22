"""Mutual TLS: its listener, certificate authorities, and certificates of clients."""

import ssl
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import Encoding

from devportal.errors import EnvironmentProblem, InvalidSettings, Place
from devportal.listening import listen_tcp
from telecom.sandbox.connections.certificates import (
    check_not_expired,
    check_server,
    self_signed_server,
    write_private,
)
from telecom.sandbox.connections.sockets import MutualTlsListener
from telecom.sandbox.tokens.tokens import check_account


def mutual_tls_setup(
    host: str,
    port: int | None,
    authorities: tuple[str, ...],
    certificate: Path | None,
    key: Path | None,
) -> AbstractContextManager[MutualTlsListener | None]:
    """Return the listener for mutual TLS, None if it is not configured; raises InvalidSettings."""
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

    return listen_mutual_tls(
        MutualTlsOptions(host=host, port=port, authorities=authorities, certificate=certificate, key=key)
    )


_NOT_ISSUED = (ValueError, TypeError, InvalidSignature, UnsupportedAlgorithm)


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """An account with the certificate of its authority."""

    account: str
    certificate: x509.Certificate


@dataclass(frozen=True, slots=True)
class Authorities:
    """All registered authorities. An account can have several, and several accounts the same one."""

    registrations: tuple[Registration, ...]

    @classmethod
    def parse(cls, texts: Iterable[str], now: datetime) -> "Authorities":
        """Read `ACCOUNT=FILE`, each a PEM file with one or more certificates; raises InvalidSettings."""
        return cls(tuple(registered for text in texts for registered in _registrations(text, now)))

    @property
    def accounts(self) -> frozenset[str]:
        """The accounts that have an authority."""
        return frozenset(registration.account for registration in self.registrations)

    @property
    def pem(self) -> str:
        """All certificates as PEM text, to verify chains against."""
        return "".join(
            registration.certificate.public_bytes(Encoding.PEM).decode("ascii")
            for registration in self.registrations
        )

    def accounts_of(self, client_certificate: bytes) -> frozenset[str]:
        """Return the accounts whose authority issued a client's certificate (DER) directly.

        Its validity is not checked here: the handshake does that.
        """
        certificate = x509.load_der_x509_certificate(client_certificate)
        return frozenset(
            registration.account
            for registration in self.registrations
            if _has_issued(registration.certificate, certificate)
        )


def _has_issued(authority: x509.Certificate, certificate: x509.Certificate) -> bool:
    try:
        certificate.verify_directly_issued_by(authority)
    except _NOT_ISSUED:
        return False
    return True


def _registrations(text: str, now: datetime) -> list[Registration]:
    account, separator, name = text.partition("=")
    if not separator or not name:
        raise InvalidSettings(
            f"{text!r} registers no authority", help="give it as ACCOUNT=FILE, such as sandbox=authority.pem"
        )
    check_account(account)
    place = Place(file=name)
    try:
        certificates = x509.load_pem_x509_certificates(Path(name).read_bytes())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InvalidSettings(
            f"this is not a file with certificates: {reason}",
            place=place,
            help="give a PEM file; devportal sandbox certificate authority makes one",
        ) from error
    for certificate in certificates:
        _check_authority(certificate, place, now)
    return [Registration(account=account, certificate=certificate) for certificate in certificates]


def _check_authority(certificate: x509.Certificate, place: Place, now: datetime) -> None:
    try:
        constraints = certificate.extensions.get_extension_for_class(x509.BasicConstraints).value
        is_authority = constraints.ca
    except (x509.ExtensionNotFound, ValueError):
        is_authority = False
    subject = certificate.subject.rfc4514_string()
    if not is_authority:
        raise InvalidSettings(
            f"the certificate of {subject!r} is not an authority's",
            place=place,
            help="give the certificate that signs those of the clients",
        )
    check_not_expired(certificate, place, now)


_LIFETIME = timedelta(days=365)
_LOCAL = ("localhost", "127.0.0.1", "::1")
_NO_PASSWORD = "-"
"""A key with a password is refused; nobody is prompted for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MutualTlsOptions:
    """The options of a start. `authorities` are `ACCOUNT=FILE`; without a certificate one is made, and
    without a key it is in the certificate's file."""

    host: str
    port: int
    authorities: tuple[str, ...]
    certificate: Path | None
    key: Path | None


@contextmanager
def listen_mutual_tls(options: MutualTlsOptions) -> Iterator[MutualTlsListener]:
    """Listen for the time of a `with` block; raises InvalidSettings, EnvironmentProblem."""
    now = datetime.now(UTC)
    authorities = Authorities.parse(options.authorities, now)
    with ExitStack() as stack:
        if options.certificate is not None:
            certificate = options.certificate
            context = server_context(authorities, certificate, options.key)
            _check_server_certificate(certificate, now)
        else:
            certificate, key = _make_certificate(Path(stack.enter_context(_temporary_folder())), now)
            context = server_context(authorities, certificate, key)
            key.unlink()
        yield MutualTlsListener(
            listener=stack.enter_context(closing(listen_tcp(options.host, options.port))),
            context=context,
            accounts=authorities.accounts,
            certified_for=authorities.accounts_of,
            certificate=certificate,
        )


def server_context(authorities: Authorities, certificate: Path, key: Path | None) -> ssl.SSLContext:
    """Return the TLS context. Each handshake verifies the client's certificate again, as no session is
    resumed.

    Raises InvalidSettings for files that are not a certificate with its key.
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


def _check_server_certificate(path: Path, now: datetime) -> None:
    """Raise InvalidSettings if clients would reject the first certificate in the server's file."""
    place = Place(file=str(path))
    try:
        certificate, *_ = x509.load_pem_x509_certificates(path.read_bytes())
    except ValueError as error:
        raise InvalidSettings(f"the server's certificate cannot be read: {error}", place=place) from error
    check_server(certificate, place, now)


def _temporary_folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="devportal-mtls-")


def _make_certificate(folder: Path, now: datetime) -> tuple[Path, Path]:
    """Make a certificate for this machine in files of a folder; raises EnvironmentProblem."""
    identity = self_signed_server("devportal sandbox", now, _LIFETIME, hosts=_LOCAL)
    certificate, key = folder / "server.pem", folder / "server-key.pem"
    try:
        certificate.write_bytes(identity.certificate_pem)
        write_private(key, identity.key_pem)
    except OSError as error:
        raise EnvironmentProblem(
            f"the certificate of the listener for mutual TLS cannot be written: {error.strerror}",
            place=Place(file=str(folder)),
            help="free some space there, or give a certificate with --mtls-certificate and --mtls-key",
        ) from error
    return certificate, key
