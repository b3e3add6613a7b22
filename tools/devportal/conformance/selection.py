"""Which operations of a contract a run tests: those that are asked for, of one shard of several."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import takewhile

from devportal.contract import Operation
from devportal.errors import InvalidSettings

_SHARD = re.compile(r"([1-9][0-9]{0,3})/([1-9][0-9]{0,3})")


def shard_of(text: str) -> tuple[int, int]:
    """Return which shard of how many a text such as `2/5` means; raises InvalidSettings."""
    found = _SHARD.fullmatch(text.strip())
    number, of = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 1 <= number <= of:
        raise InvalidSettings(f"{text!r} is no shard", help="give it like 2/5: the second of five")
    return number, of


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Patterns of operations to test and to leave out, and which part of several (from 1).

    A pattern is an operationId, a tag, a path, or a method and a path; `*` stands for any text.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    shard: int = 1
    shards: int = 1

    def of(self, operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
        """Return the selected operations, in their order.

        Operations on one kind of thing are in one shard: most checks need several of them. Raises
        InvalidSettings for a pattern that fits none, and where nothing is left.
        """
        for pattern in (*self.include, *self.exclude):
            if not any(_fits(one, pattern) for one in operations):
                raise InvalidSettings(
                    f"no operation of the contract fits {pattern!r}",
                    help="give an operationId, a tag, a path such as '/v1/orders*', or 'POST /v1/orders'",
                )
        wanted = [one for one in operations if self._has(one)]
        if not wanted:
            raise InvalidSettings(
                "--include and --exclude leave no operation", help="exclude fewer operations"
            )
        shard = parts(wanted, self.shards)[self.shard - 1]
        if not shard:
            raise InvalidSettings(
                f"shard {self.shard} of {self.shards} has no operation: {len(wanted)} are selected, and "
                "those on one kind of thing stay together",
                help="make fewer shards",
            )
        return shard

    def _has(self, operation: Operation) -> bool:
        asked = not self.include or any(_fits(operation, pattern) for pattern in self.include)
        return asked and not any(_fits(operation, pattern) for pattern in self.exclude)


def parts(operations: Sequence[Operation], count: int) -> tuple[tuple[Operation, ...], ...]:
    """Return so many parts of about one size, each in the order given; the same for the same operations.

    Operations on one kind of thing stay together: those whose paths agree up to the first parameter.
    """
    things: dict[str, list[Operation]] = {}
    for one in operations:
        things.setdefault(_thing(one.path), []).append(one)
    found: list[list[Operation]] = [[] for _ in range(count)]
    for members in sorted(things.values(), key=len, reverse=True):
        min(found, key=len).extend(members)
    order = {id(one): position for position, one in enumerate(operations)}
    return tuple(tuple(sorted(part, key=lambda one: order[id(one)])) for part in found)


def _thing(path: str) -> str:
    steps = takewhile(lambda step: "{" not in step, path.strip("/").split("/"))
    return "/".join(steps)


def _fits(operation: Operation, pattern: str) -> bool:
    names = (operation.id, operation.path, f"{operation.method} {operation.path}", *operation.tags)
    return any(fnmatchcase(name, pattern) for name in names)
