"""The ports that a guide names, each with a free one in its place, so that walks do not meet."""

import random
import re
import socket
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Self

SANDBOX = "8080"
_NAMED = re.compile(r"127\.0\.0\.1[:\"', ]+(\d{4,5})\b")


@dataclass(frozen=True, slots=True)
class Ports:
    """A free port for each one that is written."""

    free: Mapping[str, str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        """Choose a port for each that follows an address of this machine in one of the texts."""
        written = sorted({SANDBOX, *(port for text in texts for port in _NAMED.findall(text))})
        return cls(dict(zip(written, _free(len(written)), strict=True)))

    def at(self, text: str) -> str:
        """Return a text with the free ports, however they are written in it."""
        return re.sub(r"\b\d{4,5}\b", lambda found: self.free.get(found[0], found[0]), text)

    def named_in(self, text: str) -> set[str]:
        """Return the free ports that a text with free ports names."""
        return {port for port in self.free.values() if re.search(rf"\b{port}\b", text)}


def listens(port: str) -> bool:
    """Say whether a program listens at a port of this machine."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", int(port))) == 0


def _free(count: int) -> Iterator[str]:
    """Return free ports below those that Linux hands out, from 32,768 on: nobody is given one meanwhile."""
    chosen = random.sample(range(20_000, 32_768), 4 * count)
    return islice((str(port) for port in chosen if _is_free(port)), count)


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
