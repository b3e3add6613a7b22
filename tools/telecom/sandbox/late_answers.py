"""Answers that come later than clients wait.

What was asked for is done by then. The wait has no thread, no connection of the database and no idempotency
key, so it holds up nobody, and who asks again with the same key is answered at once.
"""

from collections.abc import Awaitable, Callable

from anyio import create_task_group
from starlette.requests import Request

from telecom.sandbox.http_protocol import ENDING

Sleep = Callable[[float], Awaitable[None]]
"""Lets so many seconds go by."""


async def kept_waiting(request: Request, wait_s: float, sleep: Sleep) -> None:
    """Wait, but no longer than the client does, nor than the server runs."""
    ending = request.scope.get("extensions", {}).get(ENDING)
    async with create_task_group() as waits:

        async def until(over: Awaitable[object]) -> None:
            await over
            waits.cancel_scope.cancel()

        waits.start_soon(until, sleep(wait_s))
        waits.start_soon(until, _hung_up(request))
        if ending is not None:
            waits.start_soon(until, ending["event"].wait())


async def _hung_up(request: Request) -> None:
    """Wait until the client closes the connection; the request was read before."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
