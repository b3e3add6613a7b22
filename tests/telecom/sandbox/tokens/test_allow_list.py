"""Blocks of addresses: how they are written, and which addresses are in them."""

import pytest

from devportal.errors import InvalidSettings
from telecom.sandbox.tokens.roles import AllowList, parse_client_address


@pytest.mark.parametrize("address", ["198.51.100.17", "2001:db8::1", None, "testclient"])
def test_empty_list_allows_every_address(address: str | None) -> None:
    """A token without a list is good from anywhere, also where nobody knows from where."""
    assert AllowList.parse([]).allows(parse_client_address(address or ""))


@pytest.mark.parametrize(
    "address",
    ["198.51.100.0", "198.51.100.255", "2001:db8:4::1", "::ffff:198.51.100.17", "203.0.113.5"],
)
def test_address_in_a_block_is_allowed(address: str) -> None:
    """IPv4, IPv6, and IPv4 as sockets for both show it."""
    assert AllowList.parse(["198.51.100.0/24", "2001:db8:4::/48", "203.0.113.5"]).allows(
        parse_client_address(address)
    )


@pytest.mark.parametrize(
    "address",
    ["198.51.101.0", "2001:db8:5::1", "::ffff:198.51.101.0", "::198.51.100.17", "testclient", "", None],
)
def test_other_address_is_not_allowed(address: str | None) -> None:
    """What is in no block, and what is no address."""
    assert not AllowList.parse(["198.51.100.0/24", "2001:db8:4::/48"]).allows(
        parse_client_address(address or "")
    )


def test_list_is_written_as_it_is_read() -> None:
    """The text in the database gives the same list; what is written twice counts once."""
    allowed = AllowList.parse(["2001:DB8:4:0::/48", "198.51.100.17", " 198.51.100.17/32 "])

    assert str(allowed) == "2001:db8:4::/48 198.51.100.17/32"
    assert AllowList.parse(str(allowed).split()) == allowed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("198.51.100", "CIDR notation"),
        ("localhost", "CIDR notation"),
        ("198.51.100.0/33", "CIDR notation"),
        ("", "CIDR notation"),
        ("198.51.100.17/24", "write 198.51.100.0/24 for the whole block, or 198.51.100.17/32"),
        ("2001:db8::1/48", "write 2001:db8::/48 for the whole block, or 2001:db8::1/128"),
        ("::ffff:198.51.100.0/120", "count as IPv4"),
    ],
)
def test_what_is_no_block_is_told(text: str, message: str) -> None:
    """The message quotes it and says how blocks are written."""
    with pytest.raises(InvalidSettings) as caught:
        AllowList.parse([text])
    assert repr(text) in str(caught.value)
    assert message in str(caught.value)
