"""Signatures against the vectors of the standard, and what a verifier refuses."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.errors import InvalidSettings
from telecom.signature import Secret, SignatureRefusal, SignatureRefused, sign, verify

from .signature_vectors import VECTORS, body_of

SECRET = Secret.parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
OTHER = Secret(b"another secret of 24 bytes!")
NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
BODY = b'{"test": 2432232314}'


def sign_body(*secrets: Secret, at: datetime = NOW) -> dict[str, str]:
    return sign(BODY, event_id="evt_1", at=at, secrets=secrets or (SECRET,))


def refusal(headers: dict[str, str], body: bytes = BODY, *secrets: Secret) -> SignatureRefusal:
    with pytest.raises(SignatureRefused) as caught:
        verify(body, headers, secrets=secrets or (SECRET,), now=NOW)
    return caught.value.refusal


def test_upstream_vector_is_signed_alike() -> None:
    """The test vector of the reference libraries gives the same signature."""
    headers = sign(
        BODY,
        event_id="msg_p5jXN8AQM9LWM0D4loKWxJek",
        at=datetime.fromtimestamp(1614265330, UTC),
        secrets=(SECRET,),
    )

    assert headers == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_vectors_are_judged_as_they_say(vector: dict[str, Any]) -> None:
    """What is accepted, and the reason for each refusal; the playground is held to the same file."""
    headers = {f"webhook-{name}": vector[name] for name in ("id", "timestamp", "signature")}
    secrets, now = (Secret.parse(vector["secret"]),), datetime.fromtimestamp(vector["now"], UTC)

    if vector["refusal"] is None:
        assert verify(body_of(vector), headers, secrets=secrets, now=now) == vector["id"].strip()
        return
    with pytest.raises(SignatureRefused) as caught:
        verify(body_of(vector), headers, secrets=secrets, now=now)
    assert caught.value.refusal == vector["refusal"]


def test_vectors_have_every_outcome() -> None:
    """A genuine one, and one for each reason to refuse."""
    assert {vector["refusal"] for vector in VECTORS} == {None, *SignatureRefusal}


@given(st.binary(max_size=200), st.lists(st.binary(min_size=24, max_size=64), min_size=1, max_size=3))
def test_what_is_signed_is_verified_with_any_of_its_secrets(body: bytes, keys: list[bytes]) -> None:
    """Signing with several secrets satisfies a receiver that has only one of them."""
    secrets = [Secret(key) for key in keys]

    headers = sign(body, event_id="evt_1", at=NOW, secrets=secrets)

    for secret in secrets:
        assert verify(body, headers, secrets=(secret,), now=NOW) == "evt_1"


def test_one_secret_of_several_is_enough_for_the_receiver() -> None:
    """During a rotation the receiver knows two secrets and the sender may sign with one."""
    assert verify(BODY, sign_body(), secrets=(OTHER, SECRET), now=NOW) == "evt_1"


@pytest.mark.parametrize("position", range(len(BODY)))
def test_changed_body_is_refused(position: int) -> None:
    """Each byte of the body counts."""
    changed = BODY[:position] + bytes([BODY[position] ^ 1]) + BODY[position + 1 :]

    assert refusal(sign_body(), changed) is SignatureRefusal.WRONG_SIGNATURE


def test_other_secret_is_refused() -> None:
    """A signature under another secret proves nothing."""
    assert refusal(sign_body(OTHER)) is SignatureRefusal.WRONG_SIGNATURE


def test_identifier_and_timestamp_are_signed() -> None:
    """Neither can be changed without breaking the signature."""
    assert refusal({**sign_body(), "webhook-id": "evt_2"}) is SignatureRefusal.WRONG_SIGNATURE
    later = str(int(NOW.timestamp()) + 1)
    assert refusal({**sign_body(), "webhook-timestamp": later}) is SignatureRefusal.WRONG_SIGNATURE


@pytest.mark.parametrize("name", ["webhook-id", "webhook-timestamp", "webhook-signature"])
def test_missing_header_is_named(name: str) -> None:
    """Each of the three headers is required."""
    headers = {key: value for key, value in sign_body().items() if key != name}

    with pytest.raises(SignatureRefused, match=name) as caught:
        verify(BODY, headers, secrets=(SECRET,), now=NOW)
    assert caught.value.refusal is SignatureRefusal.MISSING_HEADER


@pytest.mark.parametrize(
    ("minutes", "expected"),
    [(-5.1, SignatureRefusal.TOO_OLD), (5.1, SignatureRefusal.TOO_NEW)],
)
def test_timestamp_is_bound_both_ways(minutes: float, expected: SignatureRefusal) -> None:
    """A replay of old deliveries and a clock far ahead are both refused."""
    assert refusal(sign_body(at=NOW + timedelta(minutes=minutes))) is expected


@pytest.mark.parametrize("minutes", [-5, 0, 5])
def test_timestamp_within_tolerance_is_accepted(minutes: int) -> None:
    """Five minutes either way are still fresh."""
    headers = sign_body(at=NOW + timedelta(minutes=minutes))

    assert verify(BODY, headers, secrets=(SECRET,), now=NOW) == "evt_1"


@pytest.mark.parametrize(
    "headers",
    [
        {"webhook-timestamp": "yesterday"},
        {"webhook-timestamp": "١٦١٤٢٦٥٣٣٠"},
        {"webhook-timestamp": "9" * 400},
        {"webhook-signature": "v1,é"},
        {"webhook-id": "evt.1"},
    ],
)
def test_malformed_header_is_refused_as_such(headers: dict[str, str]) -> None:
    """What a stranger sends raises the one error of this module and nothing else."""
    assert refusal({**sign_body(), **headers}) is SignatureRefusal.MALFORMED_HEADER


@pytest.mark.parametrize("signature", ["v1", "v1,", ",", "v1a,abc", "v2,abc", "abc"])
def test_signature_without_a_fitting_entry_is_refused(signature: str) -> None:
    """Entries of other versions and entries without a comma are passed over."""
    assert refusal({**sign_body(), "webhook-signature": signature}) is SignatureRefusal.WRONG_SIGNATURE


@pytest.mark.parametrize("version", ["v2", "V1", "v1a"])
def test_a_right_digest_of_another_version_is_refused(version: str) -> None:
    """The digest of version v1 under another name proves nothing: that version may be weaker."""
    digest = sign_body()["webhook-signature"].removeprefix("v1,")

    assert (
        refusal({**sign_body(), "webhook-signature": f"{version},{digest}"})
        is SignatureRefusal.WRONG_SIGNATURE
    )


def test_unknown_versions_beside_a_good_signature_are_passed_over() -> None:
    """A sender may add newer versions."""
    headers = sign_body()
    headers["webhook-signature"] = f"v1a,abc nonsense {headers['webhook-signature']}"

    assert verify(BODY, headers, secrets=(SECRET,), now=NOW) == "evt_1"


def test_headers_are_found_in_any_case() -> None:
    """Header names are case-insensitive."""
    headers = {key.title(): value for key, value in sign_body().items()}

    assert verify(BODY, headers, secrets=(SECRET,), now=NOW) == "evt_1"


@pytest.mark.parametrize("event_id", ["", "evt.1"])
def test_identifier_that_makes_the_content_ambiguous_is_not_signed(event_id: str) -> None:
    """A dot would let one identifier pass for another."""
    with pytest.raises(ValueError, match="dot"):
        sign(BODY, event_id=event_id, at=NOW, secrets=(SECRET,))


def test_naive_time_is_not_signed() -> None:
    """A local time taken for UTC would be refused by every receiver."""
    with pytest.raises(ValueError, match="aware"):
        sign(BODY, event_id="evt_1", at=NOW.replace(tzinfo=None), secrets=(SECRET,))


@given(st.binary(min_size=24, max_size=64))
def test_secret_is_read_back(key: bytes) -> None:
    """A secret survives being written, with and without its prefix and padding."""
    text = Secret(key).reveal()

    assert Secret.parse(text) == Secret.parse(text.removeprefix("whsec_").rstrip("=")) == Secret(key)


@pytest.mark.parametrize("text", ["", "whsec_", "whsec_c2hvcnQ=", "whsec_not base64 at all!!"])
def test_bad_secret_is_refused_without_being_shown(text: str) -> None:
    """The message says what is wrong with the secret and does not quote it."""
    with pytest.raises(InvalidSettings) as caught:
        Secret.parse(text)
    assert "base64 at all" not in str(caught.value)
    assert "c2hvcnQ" not in str(caught.value)


def test_secret_has_no_readable_repr() -> None:
    """A secret in a traceback or a log stays a secret."""
    assert SECRET.reveal()[6:] not in repr(SECRET)
    assert "key" not in repr(SECRET)
