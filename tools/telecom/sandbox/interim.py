"""Interim answers (RFC 9110 §15.2) of receivers: passed over, but not for ever.

The client's own loop over them does not yield while more are there: one receiver that sends nothing else
would hold up the deliveries to all others, and their time-outs as well.
"""

from functools import partial

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.http import RawResponseMessage
from aiohttp.streams import StreamReader

MOST = 100
"""So many a receiver may send before the final answer; useful are one or two."""
_PIECE_BYTES = 8192
"""Little enough that no more is parsed than the first of too many."""
_SWITCHING_PROTOCOLS = 101


class TooManyInterimAnswers(aiohttp.ClientError):
    """A receiver that seems to have no final answer."""


class _Handler(ResponseHandler):
    """A connection that keeps interim answers to itself, and ends where there are too many."""

    _passed_over = 0

    def data_received(self, data: bytes) -> None:
        """Read piece by piece, as far as there is reason to; nothing at all means to go on as before."""
        for start in range(0, max(len(data), 1), _PIECE_BYTES):
            if self._passed_over <= MOST:
                super().data_received(data[start : start + _PIECE_BYTES])

    def feed_data(self, data: tuple[RawResponseMessage, StreamReader], size: int = 0) -> None:
        """Pass a final answer on."""
        code = data[0].code
        if not 100 <= code <= 199 or code == _SWITCHING_PROTOCOLS:
            self._passed_over = 0
            super().feed_data(data, size)
            return
        self._passed_over += 1
        if self._passed_over == MOST + 1:
            self.set_exception(TooManyInterimAnswers())
            self.close()


def connector() -> aiohttp.TCPConnector:
    """Return a connector of such connections, any number of them at a time."""
    made = aiohttp.TCPConnector(limit=0)
    made._factory = partial(_Handler, loop=made._loop)  # type: ignore[assignment]  # noqa: SLF001 - no other way in
    return made
