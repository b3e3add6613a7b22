"""The quota of requests: whose is counted together, and what is forgotten."""

from datetime import UTC, datetime, timedelta

from telecom.sandbox.limits import Limiter, RateLimit

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


def test_account_with_a_limit_of_its_own_is_held_to_it() -> None:
    """The others have the usual one."""
    limiter = Limiter(RateLimit(quota=2), {"demo": RateLimit(quota=1)})

    allowed = {
        account: [limiter.take(account, "a", NOW).allowed for _ in range(3)] for account in ("demo", "ada")
    }

    assert allowed == {"demo": [True, False, False], "ada": [True, True, False]}


def test_addresses_count_apart_only_where_many_share_an_account() -> None:
    """An account that calls from several machines has one quota."""
    limiter = Limiter(RateLimit(quota=1), {"demo": RateLimit(quota=1, is_per_address=True)})

    allowed = [
        limiter.take(account, "a", NOW, address=address).allowed
        for account in ("demo", "ada")
        for address in ("192.0.2.1", "192.0.2.2", "192.0.2.1")
    ]

    assert allowed == [True, True, False, True, False, False]


def test_windows_of_strangers_are_forgotten_when_they_end() -> None:
    """Whoever has many addresses cannot fill the memory; a window that goes on is kept."""
    limiter = Limiter(RateLimit(quota=1, is_per_address=True))
    for number in range(10_000):
        limiter.take("demo", "a", NOW, address=str(number))
    later = NOW + timedelta(seconds=30)
    limiter.take("demo", "a", later, address="later")
    limiter.take("demo", "a", NOW + timedelta(seconds=61), address="last")

    assert len(limiter._windows) == 2
    assert not limiter.take("demo", "a", NOW + timedelta(seconds=61), address="later").allowed
