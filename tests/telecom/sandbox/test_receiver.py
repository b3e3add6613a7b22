"""Where webhooks may go, and where not."""

import pytest

from devportal.errors import InvalidSettings
from telecom.sandbox.receiver import ForbiddenTarget, Receiver, parse_receiver, pin

PRIVATE = ["10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "0.0.0.0", "fe80::1", "fc00::1"]  # noqa: S104


@pytest.mark.parametrize(
    "url",
    [
        "",
        "127.0.0.1:9000",
        "ftp://127.0.0.1/",
        "http://",
        "http://127.0.0.1:0/",
        "http://127.0.0.1:99999/",
        "http://[::1/",
        "http://127.0.0.1/ with space",
        "http://exämple.test/",
        "http://127.0.0.1/\r\nX: y",
    ],
)
def test_unusable_address_is_refused(url: str) -> None:
    """The message quotes the address and shows what a good one looks like."""
    with pytest.raises(InvalidSettings, match=r"webhooks"):
        parse_receiver(url, public=False)


def test_credentials_in_the_address_are_refused_and_not_shown() -> None:
    """A password does not belong into an address, nor into a message."""
    with pytest.raises(InvalidSettings) as caught:
        parse_receiver("http://user:hunter2@127.0.0.1/", public=False)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "address", "pinned"),
    [
        ("http://localhost:9000/a?b=c#d", "127.0.0.1", "http://127.0.0.1:9000/a?b=c"),
        ("https://localhost/", "::1", "https://[::1]:443/"),
        ("http://localhost", "::ffff:127.0.0.1", "http://[::ffff:127.0.0.1]:80"),
    ],
)
def test_loopback_is_pinned_to_its_address(url: str, address: str, pinned: str) -> None:
    """The request goes to the address that was tested, and names the host that was meant."""
    target = pin(parse_receiver(url, public=False), lambda _host, _port: (address,))

    assert target.url == pinned
    assert target.tls_name == "localhost"


@pytest.mark.parametrize("address", [*PRIVATE, "93.184.215.14", "::ffff:10.0.0.1", "not an address"])
def test_only_loopback_is_allowed(address: str) -> None:
    """Unless the operator says otherwise webhooks stay on this machine."""
    with pytest.raises(ForbiddenTarget, match="may not go"):
        pin(Receiver(url="http://example.test/"), lambda _host, _port: ("127.0.0.1", address))


def test_public_addresses_are_allowed_where_the_operator_says_so() -> None:
    """The public internet, and still no private network."""
    receiver = Receiver(url="http://example.test/", public=True)

    assert pin(receiver, lambda _host, _port: ("93.184.215.14",)).url == "http://93.184.215.14:80/"
    for address in [*PRIVATE, "224.0.0.1", "ff02::1", "100.64.0.1"]:
        with pytest.raises(ForbiddenTarget):
            pin(receiver, lambda _host, _port, address=address: (address,))  # type: ignore[misc]


@pytest.mark.parametrize(
    "address",
    [
        *("64:ff9b::a00:1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1"),
        *("2002:a00:1::", "::10.0.0.1", "::ffff:0:10.0.0.1", "fec0::1", "192.0.0.8", "192.88.99.1"),
    ],
)
def test_no_way_round_leads_into_a_private_network(address: str) -> None:
    """Forms of IPv6 that embed an IPv4 address, and what no host of the internet has."""
    receiver = Receiver(url="https://example.test/", public=True)

    with pytest.raises(ForbiddenTarget):
        pin(receiver, lambda _host, _port: (address,))


def test_public_address_behind_a_gateway_is_allowed() -> None:
    """Networks without IPv4 see all of it so (RFC 6052 §2.1)."""
    receiver = Receiver(url="https://example.test/", public=True)

    target = pin(receiver, lambda _host, _port: ("64:ff9b::5db8:d70e",))

    assert target.url == "https://[64:ff9b::5db8:d70e]:443/"


def test_host_without_address_is_an_error_of_the_network() -> None:
    """No address is like no answer: the delivery is tried again."""
    with pytest.raises(OSError, match="no address"):
        pin(Receiver(url="http://example.test/"), lambda _host, _port: ())
