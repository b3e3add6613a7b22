"""The ways to break what a deployment keeps, for the faults in things."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.apps.faults.proxy import Asked, Fault, Forward, Given, Twist
from tests.apps.faults.twists import (
    Make,
    answer,
)


def fault(check: str, name: str, breaks: str, make: Make, operations: tuple[str, ...], *beside: str) -> Fault:
    """Return the fault that a check finds, where the checks `beside` it ask for what it looks at."""
    return Fault(name=name, breaks=breaks, check=check, operations=operations, make=make, beside=beside)


def members(label: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Make:
    """Change members in the good answers of an operation."""
    return answer(label, lambda given: given.with_members(**change(given.json)))


def at(asked: Asked, path: str) -> Asked:
    """Return the request for another address."""
    return replace(asked, path=path)


def reading(asked: Asked) -> Asked:
    """Return the request that reads what another is about."""
    return replace(asked, method="GET", query="", body=b"")


def in_turns(label: str, *changes: Callable[[Given], Given]) -> Make:
    """Change the answers of an operation in turns."""

    def make() -> Twist:
        turn = itertools.cycle(changes)

        async def twist(asked: Asked, forward: Forward) -> Given:
            given = await forward(asked)
            return next(turn)(given) if asked.has(label) and given.status < 300 else given

        return twist

    return make
