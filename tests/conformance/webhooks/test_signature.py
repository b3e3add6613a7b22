"""Schemes of signatures, the preset and declared ones."""

import base64
import hashlib
import hmac

import pytest

from devportal.conformance.webhooks.signature import STANDARD_WEBHOOKS, parse_scheme
from devportal.errors import InvalidSettings

SECRET = "whsec_" + base64.b64encode(b"k" * 24).decode()


def test_the_preset_verifies_the_published_example() -> None:
    """A signature of Standard Webhooks' own test vectors fits, and fits no other body.

    https://github.com/standard-webhooks/standard-webhooks, libraries/python/tests.
    """
    secret, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", b'{"test": 2432232314}'
    headers = (
        ("Webhook-Id", "msg_p5jXN8AQM9LWM0D4loKWxJek"),
        ("Webhook-Timestamp", "1614265330"),
        ("Webhook-Signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="),
    )

    assert STANDARD_WEBHOOKS.is_signed_with(headers, body, secret)
    assert not STANDARD_WEBHOOKS.is_signed_with(headers, body + b" ", secret)
    assert STANDARD_WEBHOOKS.event_id(headers, body) == "msg_p5jXN8AQM9LWM0D4loKWxJek"
    assert STANDARD_WEBHOOKS.timestamp_s(headers) == 1614265330


def test_one_of_several_signatures_is_enough() -> None:
    """During a rotation each of the two secrets fits."""
    other = "whsec_" + base64.b64encode(b"o" * 24).decode()
    headers = (("webhook-id", "e"), ("webhook-timestamp", "1"))
    both = " ".join(
        "v1," + STANDARD_WEBHOOKS.expected_signature(headers, b"{}", text) for text in (SECRET, other)
    )
    signed = (*headers, ("webhook-signature", both))

    assert STANDARD_WEBHOOKS.is_signed_with(signed, b"{}", SECRET)
    assert STANDARD_WEBHOOKS.is_signed_with(signed, b"{}", other)


def test_a_scheme_with_parts_of_one_header_is_declared() -> None:
    """Time and signature can stand in one header, in hexadecimal, under a secret that is text."""
    scheme = parse_scheme(
        {
            "signature": {"header": "X-Signature", "pattern": "v1=([0-9a-f]+)"},
            "timestamp": {"header": "X-Signature", "pattern": r"t=(\d+)"},
            "signed": "{timestamp}.{body}",
        }
    )
    made = hmac.new(b"secret", b'1700000000.{"id": 1}', hashlib.sha256).hexdigest()
    headers = (("x-signature", f"t=1700000000,v1={made}"),)

    assert scheme is not None
    assert scheme.is_signed_with(headers, b'{"id": 1}', "secret")
    assert not scheme.is_signed_with(headers, b'{"id": 2}', "secret")
    assert scheme.timestamp_s(headers) == 1_700_000_000


def test_braces_in_a_body_are_no_placeholders() -> None:
    """A body that holds the word of a placeholder is signed as it is."""
    scheme = parse_scheme({"signature": "X-Hub", "signed": "{body}"})
    body = b'{"text": "{timestamp}"}'
    headers = (("X-Hub", hmac.new(b"s", body, hashlib.sha256).hexdigest()),)

    assert scheme is not None
    assert scheme.is_signed_with(headers, body, "s")


@pytest.mark.parametrize("pattern", ["v1=.*", "(v1)=(.*)", "("])
def test_a_pattern_without_exactly_one_group_is_refused(pattern: str) -> None:
    """Which part is meant has to be clear before anything is sent."""
    with pytest.raises(InvalidSettings, match="pattern"):
        parse_scheme({"signature": {"header": "X-Signature", "pattern": pattern}})


def test_a_secret_in_another_encoding_is_told() -> None:
    """A secret that cannot be read as declared is a mistake in the settings, and is not quoted."""
    with pytest.raises(InvalidSettings) as told:
        STANDARD_WEBHOOKS.key("whsec_???")

    assert "???" not in str(told.value)
