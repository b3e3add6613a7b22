"""A request that was answered, as logs and metrics tell of it: neither token nor body nor query is in it."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """One answer. `operation` is None where the request is none of the contract's, `account` where nobody
    had shown who asks."""

    method: str
    path: str
    operation: str | None
    account: str | None
    status: int
    duration_s: float
    correlation_id: str


Observe = Callable[[Served], None]
