"""What is made once for a contract, and kept until another contract needs it."""

from collections.abc import Callable
from typing import Generic, TypeVar

from devportal.contract.model import Api

_Made = TypeVar("_Made")


class PerContract(Generic[_Made]):
    """Makes something for a contract. A contract that is asked for again gets the same."""

    def __init__(self, make: Callable[[Api], _Made]) -> None:
        self._make = make
        self._last: tuple[Api, _Made] | None = None

    def __call__(self, api: Api) -> _Made:
        """Return what is made for a contract."""
        if self._last is None or self._last[0] is not api:
            self._last = (api, self._make(api))
        return self._last[1]
