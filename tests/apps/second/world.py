"""What every part of the server shares: time, identifiers, what is due, and things by account."""

import base64
import hashlib
import heapq
import itertools
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Generic, TypeVar

from tests.apps.second.refusals import not_found

_T = TypeVar("_T")


class World:
    """Time and chance. Everything is done while `lock` is held; the same seed gives the same identifiers."""

    def __init__(self, *, seed: str, clock: Callable[[], datetime]) -> None:
        self.seed = seed
        self.clock = clock
        self.lock = threading.RLock()
        self._serials = itertools.count(1)
        self._due: list[tuple[datetime, int, Callable[[datetime], object]]] = []

    def now(self) -> datetime:
        """Return the time, in UTC."""
        return self.clock().astimezone(UTC)

    def serial(self) -> int:
        """Return a number that is higher than all before."""
        return next(self._serials)

    def new_bytes(self, count: int) -> bytes:
        """Return bytes that nobody has seen yet."""
        return hashlib.blake2b(f"{self.seed}/{self.serial()}".encode(), digest_size=count).digest()

    def new_id(self, prefix: str) -> str:
        """Return a new identifier."""
        return f"{prefix}_{base64.urlsafe_b64encode(self.new_bytes(15)).decode()}"

    def schedule(self, at: datetime, step: Callable[[datetime], object]) -> None:
        """Have a step taken at a time; it is given that time."""
        heapq.heappush(self._due, (at, self.serial(), step))

    def settle(self) -> None:
        """Take all steps that are due, in the order of their times."""
        while self._due and self._due[0][0] <= self.now():
            at, _, step = heapq.heappop(self._due)
            step(at)


class Shelf(Generic[_T]):
    """The things of one kind, by account and identifier, in the order in which they came."""

    def __init__(self) -> None:
        self._things: dict[str, dict[str, _T]] = {}

    def put(self, account: str, name: str, thing: _T) -> _T:
        """Keep a thing, in place of the one before with this name, and return it."""
        self._things.setdefault(account, {})[name] = thing
        return thing

    def find(self, account: str, name: str) -> _T | None:
        """Return a thing of an account, None where it has no such thing."""
        return self._things.get(account, {}).get(name)

    def get(self, account: str, name: str) -> _T:
        """Return a thing of an account; raises Refusal where it has no such thing."""
        thing = self.find(account, name)
        if thing is None:
            raise not_found(name)
        return thing

    def remove(self, account: str, name: str) -> None:
        """Forget a thing."""
        del self._things[account][name]

    def newest_first(self, account: str) -> Iterator[_T]:
        """Yield the things of an account."""
        return reversed(self._things.get(account, {}).values())


def shown_time(at: datetime) -> str:
    """Return a time as the contract writes it, with six decimals or, where they are zeros, none."""
    return at.isoformat().replace("+00:00", "Z")


def shown_or_null(at: datetime | None) -> str | None:
    """Return a time, or null where there is none."""
    return None if at is None else shown_time(at)


def seconds(count: float) -> timedelta:
    """Return so many seconds."""
    return timedelta(seconds=count)
