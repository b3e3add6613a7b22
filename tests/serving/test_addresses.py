"""The table of addresses that no host of the public internet has."""

import ipaddress
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.serving.receivers import (
    SPECIAL_RANGES,
    Address,
    SpecialRange,
    is_loopback,
    parse_address,
    special_range,
)

PUBLIC = ["93.184.215.14", "1.1.1.1", "223.255.255.255", "2001:200::1", "2606:4700::1111", "2a00:1450::1"]
SPECIAL = {
    "127.0.0.1": "loopback",
    "10.0.0.1": "private use",
    "172.31.255.255": "private use",
    "192.168.0.1": "private use",
    "169.254.169.254": "link-local",
    "100.127.255.255": "shared address space",
    "192.0.0.9": "PCP anycast",
    "192.0.0.171": "NAT64 and DNS64 discovery",
    "192.0.2.1": "documentation",
    "198.19.255.255": "benchmarking",
    "224.0.0.251": "multicast",
    "255.255.255.255": "limited broadcast",
    "0.0.0.0": "this network",  # noqa: S104 - an address, not where to listen
    "::": "unspecified",
    "::1": "loopback",
    "::10.0.0.1": "IPv4-compatible",
    "::ffff:8.8.8.8": "IPv4-mapped",
    "::ffff:0:8.8.8.8": "IPv4-translated",
    "64:ff9b::8.8.8.8": "NAT64",
    "64:ff9b:1::8.8.8.8": "local NAT64",
    "100::1": "discard-only",
    "100:0:0:1::1": "dummy prefix",
    "2001:0:808:808::1": "Teredo",
    "2001:2::1": "benchmarking",
    "2001:1ff::1": "protocol assignments",
    "2001:db8::1": "documentation",
    "2002:808:808::1": "6to4",
    "3fff:fff::1": "documentation",
    "5f00::1": "segment routing identifiers",
    "fd00::1": "unique-local",
    "fe80::1": "link-local",
    "fec0::1": "site-local",
    "ff02::1": "multicast",
    "4000::1": "outside of global unicast",
}


@pytest.mark.parametrize("text", PUBLIC)
def test_public_address_is_in_no_special_range(text: str) -> None:
    """The neighbours of the ranges among them."""
    address = parse_address(text)

    assert address is not None
    assert special_range(address) is None


@pytest.mark.parametrize(("text", "purpose"), SPECIAL.items())
def test_special_address_is_named_by_its_narrowest_range(text: str, purpose: str) -> None:
    """So that a message says what the address is."""
    address = parse_address(text)

    assert address is not None
    found = special_range(address)
    assert found is not None
    assert found.purpose == purpose


@given(st.ip_addresses())
def test_what_python_knows_to_be_special_is_so_here(address: Address) -> None:
    """The table leaves out nothing that the standard library has, in any version of it."""
    known = not address.is_global or address.is_multicast or address.is_loopback

    assert not known or special_range(address) is not None


@given(st.sampled_from(SPECIAL_RANGES), st.data())
def test_every_address_of_a_range_is_special(range_: SpecialRange, data: st.DataObject) -> None:
    """Its first and its last, and any between."""
    network = range_.network
    address = network[data.draw(st.integers(0, network.num_addresses - 1))]

    assert special_range(address) is not None
    assert special_range(network[0]) is not None
    assert special_range(network[-1]) is not None


def test_table_is_in_the_order_of_the_registries() -> None:
    """IPv4 before IPv6, by address, and no range twice: so that the two can be compared line by line."""
    keys = [
        (range_.network.version, int(range_.network.network_address), range_.network.prefixlen)
        for range_ in SPECIAL_RANGES
    ]

    assert all(before < after for before, after in pairwise(keys))


def test_loopback_is_known_in_each_form() -> None:
    """IPv4, IPv6, and IPv4 in IPv6."""
    loopback = ("127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1")

    assert all(is_loopback(ipaddress.ip_address(text)) for text in loopback)
    assert not any(
        is_loopback(ipaddress.ip_address(item)) for item in ("128.0.0.1", "::2", "::ffff:10.0.0.1")
    )


@pytest.mark.parametrize(
    "text", ["", "localhost", "127.1", "0x7f.0.0.1", "fe80::1%eth0", "[::1]", "1.2.3.4 "]
)
def test_what_is_no_address_is_none(text: str) -> None:
    """An address with a zone included, which other machines do not know."""
    assert parse_address(text) is None
