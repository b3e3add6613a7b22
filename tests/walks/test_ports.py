"""Ports that a guide names give way to free ones, and other numbers stay."""

from .ports import Ports


def test_a_port_that_follows_an_address_is_replaced_wherever_it_stands() -> None:
    """In an address, in a call with two arguments, and alone."""
    ports = Ports.of(["curl http://127.0.0.1:9000/", 'HTTPServer(("127.0.0.1", 9001), Receiver)'])
    one, two = ports.free["9000"], ports.free["9001"]

    assert ports.at("listen(9000); 127.0.0.1:9001") == f"listen({one}); 127.0.0.1:{two}"
    assert ports.named_in(f"listen({one})") == {one}


def test_other_numbers_stay() -> None:
    """A number that is no port of this guide, or only contains one, is left as it is."""
    ports = Ports.of(["127.0.0.1:9000"])

    assert ports.at("order 4711, 90001, +12025559000") == "order 4711, 90001, +12025559000"


def test_the_sandbox_always_has_a_port() -> None:
    """Even where no text names it; and no two are the same."""
    ports = Ports.of(["127.0.0.1:9000"])

    assert ports.free.keys() == {"8080", "9000"}
    assert len({*ports.free.values()}) == 2
