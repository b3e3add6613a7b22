"""The signature scheme of deliveries, from the settings, and the verification of signatures.

The preset is Standard Webhooks 1.0.0; the settings can declare any other scheme of keyed hashes.
"""

import base64
import binascii
import hashlib
import hmac
import re
from dataclasses import dataclass
from typing import Any

from devportal.conformance.deployment.exchange import Headers, parse_json_or_none
from devportal.documents import value_at
from devportal.errors import InvalidSettings

STANDARD_WEBHOOKS_NAME = "standard-webhooks"
SMALLEST_TIME_IN_MS = 10**11
"""Unix times above are milliseconds: in seconds they would be after the year 5000."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderPart:
    """A value in the headers: the first group of each match of a pattern in one header."""

    header: str
    pattern: str = r"(.+)"

    def header_values(self, headers: Headers) -> list[str]:
        """Return all values."""
        texts = [value for name, value in headers if name.lower() == self.header.lower()]
        return [item for text in texts for item in re.findall(self.pattern, text.strip())]


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyPart:
    """A value in the JSON body, at a pointer."""

    pointer: str

    def text(self, body: bytes) -> str:
        """Return the value as text, empty if there is none."""
        value = value_at(parse_json_or_none(body), self.pointer)
        return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureScheme:
    """How a delivery is signed and identified. `signed` is the signed text, with `{id}`, `{timestamp}` and
    `{body}`. Without `signature` deliveries are not signed.
    """

    signature: HeaderPart | None = None
    id: HeaderPart | BodyPart | None = None
    timestamp: HeaderPart | None = None
    signed: str = "{body}"
    algorithm: str = "sha256"
    encoding: str = "hex"
    key_encoding: str = "text"
    key_prefix: str = ""
    tolerance_s: float = 300.0

    def key(self, secret: str) -> bytes:
        """Return the bytes of a secret; raises InvalidSettings if it is not encoded as declared."""
        text = secret.removeprefix(self.key_prefix)
        try:
            match self.key_encoding:
                case "base64":
                    return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
                case "hex":
                    return bytes.fromhex(text)
        except (binascii.Error, ValueError):
            raise InvalidSettings(
                f"a webhook secret is not written in {self.key_encoding}",
                help="see `key_encoding` and `key_prefix` of `webhooks.signature`",
            ) from None
        return text.encode()

    def expected_signature(self, headers: Headers, body: bytes, secret: str) -> str:
        """Return the signature that a delivery should have with a secret."""
        parts = {
            b"{id}": self.event_id(headers, body).encode(),
            b"{timestamp}": (self.timestamp_text(headers)).encode(),
            b"{body}": body,
        }
        content = re.sub(rb"\{(?:id|timestamp|body)\}", lambda match: parts[match[0]], self.signed.encode())
        digest = hmac.new(self.key(secret), content, getattr(hashlib, self.algorithm)).digest()
        return base64.b64encode(digest).decode() if self.encoding == "base64" else digest.hex()

    def is_signed_with(self, headers: Headers, body: bytes, secret: str) -> bool:
        """Return whether one of the signatures of a delivery was made with a secret."""
        if self.signature is None:
            return False
        expected = self.expected_signature(headers, body, secret)
        signatures = self.signature.header_values(headers)
        if self.encoding == "hex":
            signatures = [signature.lower() for signature in signatures]
        return any(hmac.compare_digest(signature.encode(), expected.encode()) for signature in signatures)

    def event_id(self, headers: Headers, body: bytes) -> str:
        """Return the identifier of the event, empty if neither headers nor body have it."""
        if isinstance(self.id, BodyPart):
            return self.id.text(body)
        found = self.id.header_values(headers) if self.id is not None else []
        return found[0] if found else ""

    def timestamp_text(self, headers: Headers) -> str:
        """Return the timestamp as it is written, empty if no header has it."""
        found = self.timestamp.header_values(headers) if self.timestamp is not None else []
        return found[0] if found else ""

    def timestamp_s(self, headers: Headers) -> float | None:
        """Return the timestamp in seconds since 1970, None if it is invalid."""
        text = self.timestamp_text(headers)
        if not (text.isascii() and text.isdigit() and len(text) < 16):
            return None
        return int(text) / 1000 if int(text) > SMALLEST_TIME_IN_MS else float(text)


STANDARD_WEBHOOKS = SignatureScheme(
    signature=HeaderPart(header="webhook-signature", pattern=r"(?:^| )v1,([^ ]+)"),
    id=HeaderPart(header="webhook-id"),
    timestamp=HeaderPart(header="webhook-timestamp"),
    signed="{id}.{timestamp}.{body}",
    encoding="base64",
    key_encoding="base64",
    key_prefix="whsec_",
)
"""Standard Webhooks 1.0.0, symmetric signatures."""


def parse_scheme(declared: Any) -> SignatureScheme | None:
    """Return the scheme that settings declare, None if they declare none."""
    if declared is None:
        return None
    if declared == STANDARD_WEBHOOKS_NAME:
        return STANDARD_WEBHOOKS
    words = dict(declared)
    plain = {name: words[name] for name in words if name not in ("signature", "id", "timestamp")}
    return SignatureScheme(
        signature=_parse_header_part(words["signature"]) if "signature" in words else None,
        id=_parse_id_part(words["id"]) if "id" in words else None,
        timestamp=_parse_header_part(words["timestamp"]) if "timestamp" in words else None,
        **plain,
    )


def _parse_id_part(declared: Any) -> HeaderPart | BodyPart:
    """Return where the identifier of an event is: in the body if it is given as a JSON Pointer."""
    if isinstance(declared, str) and declared.startswith("/"):
        return BodyPart(pointer=declared)
    return _parse_header_part(declared)


def _parse_header_part(declared: Any) -> HeaderPart:
    if isinstance(declared, str):
        return HeaderPart(header=declared)
    part = HeaderPart(header=declared["header"], pattern=declared.get("pattern", r"(.+)"))
    try:
        groups = re.compile(part.pattern).groups
    except re.error as error:
        raise InvalidSettings(f"webhooks.signature: {part.pattern!r} is not a pattern: {error}") from error
    if groups != 1:
        raise InvalidSettings(
            f"webhooks.signature: the pattern {part.pattern!r} has {groups} groups",
            help="put the part that is meant, and nothing else, into parentheses",
        )
    return part
