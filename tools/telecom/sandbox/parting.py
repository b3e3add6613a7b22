"""The end of a connection whose client is still sending.

Where a connection is closed before all is read that came, the system resets it, and the client may lose what
it was told last (RFC 9112 §9.6). So our side ends first, and what still comes is dropped for a while.
"""

import asyncio
from asyncio import Transport
from collections.abc import Callable
from typing import Any

LINGERS_S = 5.0
"""How long a client may go on sending after the last answer."""


class Parting:
    """A transport that lets a client who still sends read the last answer. Whoever has it asks `is_closing`
    before anything is read; its other methods are those of the transport.

    Once it ends, what is written is dropped: a client may go away while several of its requests are answered,
    and the transport itself would raise.
    """

    def __init__(self, transport: Transport, still_sends: Callable[[], bool]) -> None:
        """Take the transport, and what says whether the client has more to send."""
        self._transport = transport
        self._still_sends = still_sends
        self._ends: asyncio.TimerHandle | None = None

    def __getattr__(self, name: str) -> Any:
        """Return what the transport has."""
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send something, unless the connection ends."""
        if not self.is_closing():
            self._transport.write(data)

    def pause_reading(self) -> None:
        """Read no more for now, unless the connection ends."""
        if not self.is_closing():
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Read on, unless the connection ends."""
        if not self.is_closing():
            self._transport.resume_reading()

    def close(self) -> None:
        """Say nothing more, and close: at once where nothing comes any more, or where it is asked for again,
        or over TLS, which cannot end one side only."""
        if self.is_closing() or not self._still_sends() or not self._transport.can_write_eof():
            self.gone()
            self._transport.close()
            return
        self._transport.write_eof()
        self._transport.resume_reading()
        self._ends = asyncio.get_running_loop().call_later(LINGERS_S, self._transport.abort)

    def gone(self) -> None:
        """Wait for nothing more."""
        if self._ends is not None:
            self._ends.cancel()

    def is_closing(self) -> bool:
        """Say whether it ends."""
        return self._ends is not None or self._transport.is_closing()
