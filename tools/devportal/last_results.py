"""Results of the last build, each with what it was made from: a build that would make the same uses it again.

A served portal is built again after each edit, most of it from the same inputs as before.
"""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

_Result = TypeVar("_Result")


class LastResults:
    """Results by name, each with its causes: all values that the result depends on.

    Causes are compared with `==`, so nobody may change them. A result that is not asked for in one build, between two
    calls of `begin`, is forgotten.
    """

    def __init__(self) -> None:
        """Start with nothing."""
        self._before: dict[Hashable, tuple[object, Any]] = {}
        self._now: dict[Hashable, tuple[object, Any]] = {}

    def begin(self) -> None:
        """Begin a build: results of the one before the last are forgotten."""
        self._before, self._now = self._now, {}

    def has(self, name: Hashable, causes: object) -> bool:
        """Say whether there is a result of a name that was made from equal causes; if so, keep it."""
        kept = self._now.get(name) or self._before.get(name)
        if kept is None or kept[0] != causes:
            return False
        self._now[name] = causes, kept[1]
        return True

    def forget(self) -> None:
        """Forget all results."""
        self._before, self._now = {}, {}

    def result(self, name: Hashable, causes: object, make: Callable[[], _Result]) -> _Result:
        """Return the kept result of a name if its causes were equal, else make it. Raises what `make` raises."""
        kept = self._now.get(name) or self._before.get(name)
        if kept is None or kept[0] != causes:
            kept = causes, make()
        self._now[name] = kept
        result: _Result = kept[1]
        return result
