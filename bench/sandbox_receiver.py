"""Receives webhooks for `bench/sandbox.py`, in a process of its own: answers each with 204 and counts them.

It looks at nothing but their identifiers, so that the sandbox is measured and not the receiver. `GET`
answers with the counts as JSON. The first line on standard output is the port.
"""

import asyncio
import json
import re
from collections import Counter
from typing import cast

_ID = re.compile(rb"\r\nwebhook-id: *([^\r]+)", re.IGNORECASE)
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_TAKEN = b"HTTP/1.1 204 No Content\r\n\r\n"


class Receiver(asyncio.Protocol):
    """One connection; all of them share the counts of identifiers."""

    def __init__(self, counts: Counter[bytes]) -> None:
        """Take the counts that are added to."""
        self._counts = counts
        self._received = b""
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep what answers are written to."""
        self._transport = cast("asyncio.WriteTransport", transport)

    def data_received(self, data: bytes) -> None:
        """Answer each request that is whole."""
        self._received += data
        while self._transport is not None:
            head, end, rest = self._received.partition(b"\r\n\r\n")
            found = _LENGTH.search(head)
            length = int(found.group(1)) if found is not None else 0
            if not end or len(rest) < length:
                return
            self._received = rest[length:]
            self._transport.write(self._answer(head))

    def _answer(self, head: bytes) -> bytes:
        name = _ID.search(head)
        if name is not None:
            self._counts[name.group(1)] += 1
            return _TAKEN
        told = json.dumps({"distinct": len(self._counts), "all": self._counts.total()}).encode()
        return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(told), told)


async def main() -> None:
    """Listen at a free port until killed."""
    counts: Counter[bytes] = Counter()
    server = await asyncio.get_running_loop().create_server(lambda: Receiver(counts), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
