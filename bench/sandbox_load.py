"""Sends messages as fast as a server takes them: the load of `bench/sandbox.py`, in a process of its own.

As cheap as Python allows, as it shares the processors with the server: the bytes of a request are made
before, only its key is written into them, and of an answer only status and length are read. Each connection
sends its next request when it has the answer (a closed loop), so a slow server is asked less often.
"""

import argparse
import json
import os
import re
import resource
import selectors
import socket
import statistics
import time
from array import array
from collections import Counter

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_ACCEPTED = 202
_TIMEOUT_S = 30.0
_BODY = {"to": "+12025550123", "channel": "sms", "body": "Your code is 482913. It is valid for ten minutes."}


class Tally:
    """What came back: how often which status (0 if the connection broke with a request under way), and
    after how long."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.statuses: Counter[int] = Counter()
        self.latencies_s = array("d")


class Connection:
    """A connection that is kept, with at most one request under way."""

    def __init__(self, address: tuple[str, int]) -> None:
        """Connect."""
        self.address = address
        self.socket = socket.create_connection(address, timeout=_TIMEOUT_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.settimeout(0)
        self.sent_at = 0.0
        self.is_idle = True
        self._received = b""

    def send(self, request: bytes) -> None:
        """Send a request, which is shorter than the socket's buffer."""
        self.sent_at = time.perf_counter()
        self.is_idle = False
        self.socket.send(request)

    def status(self) -> int | None:
        """Read on; return the status of an answer that is whole, None of one that is not.

        Raises ConnectionError if no more comes.
        """
        came = self.socket.recv(65_536)
        if not came:
            raise ConnectionError
        self._received += came
        head, end, body = self._received.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if not end or length is None or len(body) < int(length.group(1)):
            return None
        self._received, self.is_idle = b"", True
        return int(head[9:12])


def main() -> None:
    """Send for this many seconds; write what came back to standard output, as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--rate", type=float, default=0, help="requests per second at most; 0: no limit")
    asked = parser.parse_args()
    token = os.environ["DEVPORTAL_SANDBOX_TOKEN"]
    tally, started = Tally(), time.perf_counter()
    _send((asked.host, asked.port), token, tally, asked.connections, asked.seconds, asked.rate)
    print(json.dumps(_tally_json(tally, time.perf_counter() - started)))


def _send(
    address: tuple[str, int], token: str, tally: Tally, connections: int, seconds: float, rate: float
) -> None:
    """Keep all connections busy until the time is over, then wait for the last answers."""
    head, tail = _request(address, token)
    number, started = 0, time.perf_counter()
    idle = [Connection(address) for _ in range(connections)]
    with selectors.DefaultSelector() as selector:
        for connection in idle:
            selector.register(connection.socket, selectors.EVENT_READ, connection)
        while True:
            passed = time.perf_counter() - started
            allowed = passed * rate if rate else float("inf")
            while idle and passed < seconds and number < allowed:
                number += 1
                idle.pop().send(b"%s%012d%s" % (head, number, tail))
            if passed >= seconds and (len(idle) == connections or passed > seconds + _TIMEOUT_S):
                return
            for key, _ in selector.select(0.002 if rate else 0.1):
                if key.data.is_idle:
                    idle.remove(key.data)
                free = _read(key.data, tally)
                if free is not None:
                    idle.append(free)
                if free is not None and free is not key.data:
                    selector.unregister(key.fileobj)
                    selector.register(free.socket, selectors.EVENT_READ, free)


def _read(connection: Connection, tally: Tally) -> Connection | None:
    """Count a response; return the connection that is free then, None if the response is not complete yet.

    A connection that is idle has nothing to be answered: the server ends it, and it is replaced.
    """
    if connection.is_idle:
        return Connection(connection.address)
    try:
        status = connection.status()
    except ConnectionError:
        tally.statuses[0] += 1
        return Connection(connection.address)
    if status is None:
        return None
    tally.statuses[status] += 1
    tally.latencies_s.append(time.perf_counter() - connection.sent_at)
    return connection


def _request(address: tuple[str, int], token: str) -> tuple[bytes, bytes]:
    """Return a request up to where its key is numbered, and what follows."""
    body = json.dumps(_BODY)
    run = f"{time.time_ns():x}"
    head = (
        f"POST /v1/messages HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nIdempotency-Key: bench-{run}-"
    )
    return head.encode(), f"\r\n\r\n{body}".encode()


def _tally_json(tally: Tally, seconds: float) -> dict[str, object]:
    used = resource.getrusage(resource.RUSAGE_SELF)
    ranks = statistics.quantiles(tally.latencies_s, n=100) if len(tally.latencies_s) > 1 else [0.0] * 99
    return {
        "seconds": seconds,
        "accepted": tally.statuses[_ACCEPTED],
        "others": {str(status): count for status, count in tally.statuses.items() if status != _ACCEPTED},
        "latencies_ms": [ranks[rank - 1] * 1e3 for rank in (50, 95, 99)],
        "cpu_s": used.ru_utime + used.ru_stime,
    }


if __name__ == "__main__":
    main()
