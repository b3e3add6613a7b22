"""Certificates for one machine, in files that only their owner can read."""

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from devportal.errors import InvalidSettings, Place

_CLOCK_SKEW = timedelta(minutes=5)


class Purpose(StrEnum):
    """The end of a connection that a certificate is for."""

    CLIENT = "client"
    SERVER = "server"


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """A certificate with its private key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey = field(repr=False)

    @property
    def certificate_pem(self) -> bytes:
        """The certificate as text."""
        return self.certificate.public_bytes(Encoding.PEM)

    @property
    def key_pem(self) -> bytes:
        """The private key as text, without a password."""
        return self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())

    @classmethod
    def parse(cls, certificate: bytes, key: bytes) -> "Identity":
        """Read PEM; raises InvalidSettings if one is invalid, or they do not belong together."""
        try:
            parsed, private_key = x509.load_pem_x509_certificate(certificate), load_pem_private_key(key, None)
        except (ValueError, TypeError) as error:
            raise InvalidSettings(f"this is not a certificate with its key: {error}") from error
        if (
            not isinstance(private_key, ec.EllipticCurvePrivateKey)
            or parsed.public_key() != private_key.public_key()
        ):
            raise InvalidSettings(
                "this key is not the certificate's", help="give files that were made together"
            )
        return cls(certificate=parsed, key=private_key)


def check_server(certificate: x509.Certificate, place: Place, now: datetime) -> None:
    """Raise InvalidSettings for a certificate with which no client would accept a server now."""
    check_not_expired(certificate, place, now)
    subject = certificate.subject.rfc4514_string()
    if now < certificate.not_valid_before_utc:
        raise InvalidSettings(
            f"the certificate of {subject!r} is not valid before {_format_minute(certificate.not_valid_before_utc)}",
            place=place,
            help="give one that is valid, or set the clock of this machine right",
        )
    if not _is_for_servers(certificate):
        raise InvalidSettings(
            f"the certificate of {subject!r} is not for servers",
            place=place,
            help="give one whose extended key usage is serverAuth (RFC 5280 §4.2.1.12)",
        )


def check_not_expired(certificate: x509.Certificate, place: Place, now: datetime) -> None:
    """Raise InvalidSettings for a certificate that is no longer valid."""
    if now >= certificate.not_valid_after_utc:
        raise InvalidSettings(
            f"the certificate of {certificate.subject.rfc4514_string()!r} expired at "
            f"{_format_minute(certificate.not_valid_after_utc)}",
            place=place,
            help="give one that is valid",
        )


def _format_minute(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _is_for_servers(certificate: x509.Certificate) -> bool:
    try:
        usage = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    except x509.ExtensionNotFound:
        return True
    except (ValueError, x509.DuplicateExtension):
        return False
    return bool({ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE} & {*usage})


def new_authority(name: str, now: datetime, lifetime: timedelta) -> Identity:
    """Return an authority that issues certificates to clients and servers, and to no other authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = _subject(name)
    builder = (
        _builder(subject, subject, key, now, now + lifetime)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_key_usage(signs_certificates=True), critical=True)
        .add_extension(_key_identifier(key), critical=False)
    )
    return Identity(certificate=builder.sign(key, hashes.SHA256()), key=key)


def issue_certificate(
    authority: Identity,
    name: str,
    purpose: Purpose,
    now: datetime,
    lifetime: timedelta,
    *,
    hosts: Iterable[str] = (),
) -> Identity:
    """Return a certificate that an authority issues; it does not outlive the authority's."""
    key = ec.generate_private_key(ec.SECP256R1())
    not_after = min(now + lifetime, authority.certificate.not_valid_after_utc)
    builder = _builder(_subject(name), authority.certificate.subject, key, now, not_after)
    signed = _sign_for_purpose(builder, key, authority.key, purpose, hosts or (name,))
    return Identity(certificate=signed.sign(authority.key, hashes.SHA256()), key=key)


def self_signed_server(name: str, now: datetime, lifetime: timedelta, *, hosts: Iterable[str]) -> Identity:
    """Return a self-signed certificate of a server: clients must be given it."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = _subject(name)
    builder = _builder(subject, subject, key, now, now + lifetime)
    signed = _sign_for_purpose(builder, key, key, Purpose.SERVER, hosts)
    return Identity(certificate=signed.sign(key, hashes.SHA256()), key=key)


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, now: datetime, not_after: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _CLOCK_SKEW)
        .not_valid_after(not_after)
    )


def _sign_for_purpose(
    builder: x509.CertificateBuilder,
    key: ec.EllipticCurvePrivateKey,
    issuer: ec.EllipticCurvePrivateKey,
    purpose: Purpose,
    hosts: Iterable[str],
) -> x509.CertificateBuilder:
    usage = {
        Purpose.CLIENT: ExtendedKeyUsageOID.CLIENT_AUTH,
        Purpose.SERVER: ExtendedKeyUsageOID.SERVER_AUTH,
    }[purpose]
    return (
        builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_key_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
        .add_extension(
            x509.SubjectAlternativeName([_alternative_name(host) for host in hosts]), critical=False
        )
        .add_extension(_key_identifier(key), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.public_key()), critical=False
        )
    )


def _subject(name: str) -> x509.Name:
    try:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    except ValueError as error:
        raise InvalidSettings(
            f"{name[:80]!r} is not a name for a certificate", help="give 1 to 64 characters"
        ) from error


def _alternative_name(host: str) -> x509.GeneralName:
    with suppress(ValueError):
        return x509.IPAddress(ip_address(host))
    try:
        return x509.DNSName(host)
    except ValueError as error:
        raise InvalidSettings(
            f"{host[:80]!r} is not a host", help="give a name in ASCII such as localhost, or an IP address"
        ) from error


def _key_identifier(key: ec.EllipticCurvePrivateKey) -> x509.SubjectKeyIdentifier:
    return x509.SubjectKeyIdentifier.from_public_key(key.public_key())


def _key_usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


PRIVATE_MODE = 0o600


def open_private(path: Path, flags: int) -> int:
    """Open a file and return its descriptor; a new file has the mode 0600 whatever the umask.

    With `os.O_EXCL` among the flags an existing file is refused (FileExistsError).
    """
    try:
        descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE_MODE)
    except FileExistsError:
        if flags & os.O_EXCL:
            raise
        return os.open(path, flags | os.O_CREAT | os.O_CLOEXEC, PRIVATE_MODE)
    os.fchmod(descriptor, PRIVATE_MODE)
    return descriptor


def write_private(path: Path, content: bytes) -> None:
    """Write a new file; raises FileExistsError if there is one."""
    with os.fdopen(open_private(path, os.O_WRONLY | os.O_EXCL), "wb") as file:
        file.write(content)


def ensure_private(path: Path) -> None:
    """Create an empty file if there is none; otherwise remove the permissions of group and others.

    A link stands for its target. A file that belongs to somebody else, or is on a read-only file system,
    stays as it is.
    """
    file = path.resolve()
    try:
        os.close(open_private(file, os.O_WRONLY | os.O_EXCL))
    except FileExistsError:
        restrict_permissions(file)


def restrict_permissions(path: Path) -> None:
    """Remove the permissions of group and others from a file, if it exists and is ours."""
    with suppress(OSError):
        mode = path.stat().st_mode & 0o777
        if mode & 0o077:
            path.chmod(mode & 0o700)
