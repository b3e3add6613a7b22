"""What was made the last time, each with all that it was made from: from the same, nothing is made again.

A served portal is built again after each edit, most of it from the same as before.
"""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

_Result = TypeVar("_Result")


class LastResults:
    """Results by name, each with its causes: values from which nothing else than this result can be made.

    Causes are compared with `==`, so nobody may change them. What was not asked for between two calls of `begin` is
    forgotten.
    """

    def __init__(self) -> None:
        """Start with nothing."""
        self._before: dict[Hashable, tuple[object, Any]] = {}
        self._now: dict[Hashable, tuple[object, Any]] = {}

    def begin(self) -> None:
        """Begin to ask for all that is needed now."""
        self._before, self._now = self._now, {}

    def has(self, name: Hashable, causes: object) -> bool:
        """Return whether there is a result of a name that was made from equal causes."""
        kept = self._now.get(name) or self._before.get(name)
        if kept is None or kept[0] != causes:
            return False
        self._now[name] = causes, kept[1]
        return True

    def forget(self) -> None:
        """Forget all results."""
        self._before, self._now = {}, {}

    def result(self, name: Hashable, causes: object, make: Callable[[], _Result]) -> _Result:
        """Return the result of a name as it was made from equal causes, or make it. Raises what `make` raises."""
        kept = self._now.get(name) or self._before.get(name)
        if kept is None or kept[0] != causes:
            kept = causes, make()
        self._now[name] = kept
        result: _Result = kept[1]
        return result
