"""Authorities of client certificates: which account has registered which (decision 0028)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import Encoding

from devportal.errors import InvalidSettings, Place
from telecom.sandbox.connections.certificates import check_not_expired
from telecom.sandbox.tokens.tokens import check_account

_NO_ISSUER = (ValueError, TypeError, InvalidSignature, UnsupportedAlgorithm)


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """An account with a certificate of an authority of its own."""

    account: str
    certificate: x509.Certificate


@dataclass(frozen=True, slots=True)
class Authorities:
    """All that is registered. An account can have several, and several accounts the same."""

    registrations: tuple[Registration, ...]

    @classmethod
    def parse(cls, texts: Iterable[str], now: datetime) -> "Authorities":
        """Read `ACCOUNT=FILE`, each a PEM file with one certificate or more; raises InvalidSettings."""
        return cls(tuple(registered for text in texts for registered in _registrations(text, now)))

    @property
    def accounts(self) -> frozenset[str]:
        """The accounts that have registered one."""
        return frozenset(one.account for one in self.registrations)

    @property
    def pem(self) -> str:
        """All certificates as text, for those who look whether a chain ends at one of them."""
        return "".join(
            one.certificate.public_bytes(Encoding.PEM).decode("ascii") for one in self.registrations
        )

    def accounts_of(self, client: bytes) -> frozenset[str]:
        """Return the accounts whose authority issued a client's certificate itself, which is given in DER.

        Whether it is valid now is not looked at: that is done by the handshake.
        """
        certificate = x509.load_der_x509_certificate(client)
        return frozenset(
            one.account for one in self.registrations if _has_issued(one.certificate, certificate)
        )


def _has_issued(authority: x509.Certificate, certificate: x509.Certificate) -> bool:
    try:
        certificate.verify_directly_issued_by(authority)
    except _NO_ISSUER:
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
            f"this is no file with certificates: {reason}",
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
            f"the certificate of {subject!r} is no authority's",
            place=place,
            help="give the certificate that signs those of the clients",
        )
    check_not_expired(certificate, place, now)
