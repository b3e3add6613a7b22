"""TLS with the deployment: the client certificate that is given, why a handshake fails, and what to do."""

import re
from datetime import datetime
from pathlib import Path

from cryptography import x509

from devportal.errors import InvalidSettings

_UNTRUSTED = re.compile(r"certificate verify failed[^()]*")
"""What OpenSSL reports about a server whose certificate it does not accept."""
_ALERT = re.compile(r"\[SSL: [^]]+\] [^()]*\balert ([a-z]+(?: [a-z]+)*)")
"""The alert with which the other side ended a handshake (RFC 8446 §6)."""
_ENDED = "it ended the TLS handshake with the alert "
_ADVICE_ON_SERVERS = (
    (
        "has expired",
        "the deployment, or its authority, needs a new one; or set the clock of this machine right",
    ),
    ("not yet valid", "set the clock of this machine right, or wait until it is valid"),
    ("mismatch", "use a host in URL that its certificate names"),
    ("unsuitable certificate purpose", "the deployment needs a certificate for servers"),
    ("", "give the authority that issued its certificate with --ca FILE, if this is the right deployment"),
)
"""What to do, by a part of what OpenSSL reports about the certificate of a server; the first row counts."""
_ADVICE_ON_CLIENTS = (
    ("certificate expired", "give a client certificate with --cert that is valid"),
    ("unknown ca", "give a client certificate with --cert whose authority the deployment trusts"),
    ("unsupported certificate", "give a certificate with --cert that is for clients"),
    ("certificate required", "the deployment asks for a client certificate: give --cert and --cert-key"),
    ("handshake failure", "does the deployment ask for a client certificate? Give --cert and --cert-key"),
    ("certificate", "give a client certificate with --cert that the deployment accepts"),
)
"""The same by the alert of a deployment."""


def tls_failure(error: Exception) -> str:
    """Return why TLS failed, without what names a place in OpenSSL; the empty text for other errors."""
    text = str(error)
    if found := _UNTRUSTED.search(text):
        return found.group().strip()
    if found := _ALERT.search(text):
        return f"{_ENDED}'{found.group(1)}'"
    return ""


def tls_advice(failure: str) -> str:
    """Return what to do about a failure of TLS; the empty text for others."""
    if _UNTRUSTED.match(failure):
        return next(advice for part, advice in _ADVICE_ON_SERVERS if part in failure)
    if failure.startswith(_ENDED):
        return next((advice for part, advice in _ADVICE_ON_CLIENTS if part in failure), "")
    return ""


def check_client_certificate(path: Path, now: datetime) -> None:
    """Raise InvalidSettings for a certificate that no deployment accepts now: the first in a PEM file."""
    try:
        certificate, *_ = x509.load_pem_x509_certificates(path.read_bytes())
    except ValueError as error:
        raise InvalidSettings(f"{path} cannot be read as a client certificate: {error}") from error
    begins, ends = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    if now >= ends:
        raise InvalidSettings(
            f"the client certificate {path} expired at {ends:%Y-%m-%d %H:%M} UTC",
            help="give one with --cert that is valid",
        )
    if now < begins:
        raise InvalidSettings(
            f"the client certificate {path} is not valid before {begins:%Y-%m-%d %H:%M} UTC",
            help="give one with --cert that is valid, or set the clock of this machine right",
        )
