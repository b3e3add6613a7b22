"""Where webhooks may go, and where not."""

import pytest

from devportal.errors import InvalidSettings
from devportal.serving.receivers import (
    ForbiddenTarget,
    Reach,
    Receiver,
    forbidden_reason,
    parse_receiver,
    pin_address,
    resolve_host,
)

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
        parse_receiver(url, Reach.LOCAL)


def test_credentials_in_the_address_are_refused_and_not_shown() -> None:
    """A password does not belong into an address, nor into a message."""
    with pytest.raises(InvalidSettings) as caught:
        parse_receiver("http://user:hunter2@127.0.0.1/", Reach.LOCAL)
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
    target = pin_address(parse_receiver(url, Reach.LOCAL), lambda _host, _port: (address,))

    assert target.url == pinned
    assert target.tls_name == "localhost"


@pytest.mark.parametrize("address", [*PRIVATE, "93.184.215.14", "::ffff:10.0.0.1", "not an address"])
def test_only_loopback_is_allowed(address: str) -> None:
    """Unless the operator says otherwise webhooks stay on this machine."""
    with pytest.raises(ForbiddenTarget, match="may not go"):
        pin_address(Receiver(url="http://example.test/"), lambda _host, _port: ("127.0.0.1", address))


def test_public_reach_is_the_public_internet_only() -> None:
    """Neither this machine nor a private network, whichever of the addresses of a name it is."""
    receiver = Receiver(url="https://example.test/", reach=Reach.PUBLIC)

    assert pin_address(receiver, lambda _host, _port: ("93.184.215.14",)).url == "https://93.184.215.14:443/"
    for address in [*PRIVATE, "127.0.0.1", "::1", "224.0.0.1", "ff02::1", "100.64.0.1", "fe80::1%eth0"]:
        with pytest.raises(ForbiddenTarget):
            pin_address(receiver, lambda _host, _port, address=address: ("93.184.215.14", address))  # type: ignore[misc]


def test_both_reaches_together_are_their_union() -> None:
    """For who tries a tunnel and a local receiver at the same time."""
    receiver = Receiver(url="https://example.test/", reach=Reach.LOCAL | Reach.PUBLIC)

    for address in ("127.0.0.1", "93.184.215.14"):
        assert address in pin_address(receiver, lambda _host, _port, address=address: (address,)).url  # type: ignore[misc]
    with pytest.raises(ForbiddenTarget):
        pin_address(receiver, lambda _host, _port: ("10.0.0.1",))


def test_public_address_needs_tls_at_each_attempt() -> None:
    """An endpoint that was made when the sandbox had another reach gets nothing in plain text."""
    with pytest.raises(ForbiddenTarget, match="only https"):
        pin_address(
            Receiver(url="http://example.test/", reach=Reach.PUBLIC), lambda _host, _port: ("93.184.215.14",)
        )


def test_private_address_of_a_name_is_not_shown() -> None:
    """Attempts are shown to the account: what the resolver of the sandbox knows is not for customers."""
    with pytest.raises(ForbiddenTarget, match="private use, RFC 1918") as caught:
        pin_address(
            Receiver(url="https://example.test/", reach=Reach.PUBLIC), lambda _host, _port: ("10.1.2.3",)
        )

    assert "10.1.2.3" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        *("https://localhost/", "https://LOCALHOST./", "https://shop.localhost/", "https://127.0.0.1/"),
        *("https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://[::ffff:93.184.215.14]/"),
        *("https://[64:ff9b::5db8:d70e]/", "https://[3fff::1]/", "https://[5f00::1]/"),
        *("https://169.254.169.254/latest", "https://[fe80::1%25eth0]/", "http://93.184.215.14/"),
    ],
)
def test_address_that_no_attempt_would_reach_is_refused_when_it_is_written(url: str) -> None:
    """Before anything is looked up, for a sandbox that delivers to the public internet."""
    assert forbidden_reason(url, Reach.PUBLIC) is not None


@pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "0177.0.0.1", "127.1"])
def test_other_spellings_of_an_address_are_looked_up(host: str) -> None:
    """The system's resolver reads them; what it makes of them is tested like the address of a name."""
    receiver = Receiver(url=f"https://{host}/", reach=Reach.PUBLIC)

    assert not receiver.is_literal
    with pytest.raises((ForbiddenTarget, OSError)):
        pin_address(receiver, resolve_host)


@pytest.mark.parametrize("host", ["a..example", f"{'a' * 64}.example", "127.0.0.1.."])
def test_what_no_name_server_knows_is_an_error_in_words(host: str) -> None:
    """Attempts are shown to the account, which knows nothing of the codecs of Python."""
    with pytest.raises(OSError, match=r"is not a host name$"):
        resolve_host(host, 443)


def test_host_without_address_is_an_error_of_the_network() -> None:
    """No address is like no answer: the delivery is tried again."""
    with pytest.raises(OSError, match="no address"):
        pin_address(Receiver(url="http://example.test/"), lambda _host, _port: ())


@pytest.mark.parametrize(
    ("url", "is_forbidden"),
    [
        ("http://localhost:9/", False), ("http://127.9.9.9/", False), ("http://[::1]/", False),
        ("http://example.com/", True), ("https://10.0.0.1/", True), ("http://localhost.example.com/", True),
    ],
)  # fmt: skip
def test_without_another_reach_only_this_machine_is_allowed(url: str, *, is_forbidden: bool) -> None:
    """Addresses of examples belong to somebody. `ANY` allows them all."""
    assert (forbidden_reason(url, Reach.LOCAL) is not None) is is_forbidden
    assert forbidden_reason(url, Reach.ANY) is None
    assert pin_address(parse_receiver(url, Reach.ANY), lambda _host, _port: ("10.0.0.1",)).url
