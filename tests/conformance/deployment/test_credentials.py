"""Credentials in their places."""

from devportal.conformance.deployment.credentials import Carrier, CredentialSlot
from devportal.conformance.deployment.exchange import Request

BARE = Request(
    method="GET", url="http://127.0.0.1:1/v1/boxes?limit=2&size=%2Fa", headers=(("Cookie", "a=b; c=d"),)
)


def test_a_request_changes_hands() -> None:
    """A second secret takes the place of the first, wherever it travels; nothing else changes."""
    slots = {carrier: CredentialSlot(scheme="key", carrier=carrier, name="key") for carrier in Carrier}

    requests = {name: slot.fill(slot.fill(BARE, "first:one"), "two") for name, slot in slots.items()}

    assert requests[Carrier.QUERY].url == f"{BARE.url}&key=two"
    assert dict(requests[Carrier.COOKIE].headers)["Cookie"] == "a=b; c=d; key=two"
    assert dict(requests[Carrier.HEADER].headers)["key"] == "two"
    assert dict(requests[Carrier.BEARER].headers)["Authorization"] == "Bearer two"
    assert dict(requests[Carrier.BASIC].headers)["Authorization"] == "Basic dHdv"
    assert all(len(request.headers) <= 2 for request in requests.values())


def test_an_empty_secret_can_be_sent() -> None:
    """No header ends with a space: clients refuse to send one that does."""
    for carrier in (Carrier.BEARER, Carrier.BASIC):
        request = CredentialSlot(scheme="key", carrier=carrier, name="Authorization").fill(BARE, "")

        assert dict(request.headers)["Authorization"] == carrier.value.capitalize()
