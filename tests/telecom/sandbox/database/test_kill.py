"""Violent deaths: whatever is killed, and whenever, no accepted message and no event is lost, nothing is
done twice, and nothing is told that did not happen."""

import json
import os
import random
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.telecom.sandbox.tokens.test_command import Running, running
from tests.waiting import PATIENCE_S, wait_until

from telecom.sandbox.database.database import is_file_address

TOKEN = "configured-token"
HEADERS = {"Authorization": f"Bearer {TOKEN}"}
ROUNDS, SENDERS = 3, 4
PAUSE_S = 0.05
"""Between two messages of a sender: kills are to hit all kinds of work, not only the taking of messages."""
AT_LEAST = 10
"""How many messages are to be accepted before the sandbox is killed again, however slow the machine is."""
RECEIPTS = "message.delivery_receipt"


@dataclass(slots=True)
class Receiver:
    """What came in at a receiver that is slow at times and breaks at times: events by their identifiers."""

    bodies: dict[str, set[bytes]] = field(default_factory=dict)
    messages: set[str] = field(default_factory=set)
    """The messages of which it has a receipt."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, event_id: str, body: bytes) -> None:
        """Remember a delivery that is answered with success."""
        with self.lock:
            self.bodies.setdefault(event_id, set()).add(body)
            self.messages.add(json.loads(body)["data"]["message_id"])

    def has_all(self, messages: set[str]) -> bool:
        """Say whether it has a receipt of each of these messages."""
        with self.lock:
            return self.messages >= messages


@pytest.fixture
def listening() -> Iterator[tuple[str, Receiver]]:
    """Return the address of a receiver, and what came in there."""
    receiver, rng = Receiver(), random.Random(3)  # noqa: S311 - it only varies what happens

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            fails = rng.random() < 0.1
            if not fails:
                receiver.take(self.headers["webhook-id"], body)
            self.send_response(500 if fails else 204)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/hooks", receiver
    server.shutdown()
    server.server_close()
    thread.join(timeout=PATIENCE_S)


@dataclass(slots=True)
class Senders:
    """Clients that send until told to stop, and repeat with the same key what had no answer."""

    address: str
    accepted: dict[str, str] = field(default_factory=dict)
    """Identifiers of messages by the keys with which they were sent."""
    unanswered: set[str] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def run(self, name: str) -> None:
        """Send one message after the other."""
        with httpx.Client(trust_env=False, timeout=PATIENCE_S) as client:
            number = 0
            while not self.stop.is_set():
                number += 1
                self.send(client, f"{name}-{number:04}")
                self.stop.wait(PAUSE_S)

    def have_sent(self, count: int) -> bool:
        """Say whether so many messages were accepted."""
        return len(self.accepted) >= count

    def send(self, client: httpx.Client, key: str) -> None:
        """Send one message, once."""
        body = {"to": "+12025550123", "channel": "sms", "body": f"Message {key}"}
        try:
            answer = client.post(
                f"{self.address}/v1/messages", json=body, headers={**HEADERS, "Idempotency-Key": key}
            )
        except httpx.TransportError:
            self.unanswered.add(key)
            return
        if answer.status_code == 202:
            first = self.accepted.setdefault(key, answer.json()["id"])
            if first != answer.json()["id"]:
                self.wrong.append(f"{key}: {first} and then {answer.json()['id']}")
            self.unanswered.discard(key)
        else:
            self.wrong.append(f"{key}: {answer.status_code} {answer.text}")


def list_all(address: str, path: str, **query: str) -> list[dict[str, Any]]:
    """Return all that a list of the API has."""
    found: list[dict[str, Any]] = []
    cursor: dict[str, str] = {}
    with httpx.Client(trust_env=False, headers=HEADERS, timeout=PATIENCE_S) as client:
        while True:
            page = client.get(f"{address}{path}", params={"limit": "100", **query, **cursor}).json()
            found += page["data"]
            if page["next_cursor"] is None:
                return found
            cursor = {"cursor": page["next_cursor"]}


def children(process: int) -> list[int]:
    """Return the processes that a process has begun."""
    return [int(part) for part in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def kill(server: Running, victim: str) -> None:
    """Kill the whole sandbox by its first process, or one of its processes."""
    begun = children(server.process.pid)
    assert len(begun) > 1
    match victim:
        case "sandbox":
            server.process.kill()
            server.process.wait(timeout=PATIENCE_S)
            wait_until(lambda: not any(is_alive(number) for number in begun))
        case "requests":
            os.kill(begun[0], signal.SIGKILL)
        case _:
            os.kill(begun[-1], signal.SIGKILL)


def is_alive(process: int) -> bool:
    """Say whether a process runs: one that has ended and was not yet waited for does not."""
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@pytest.mark.deep
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("victim", ["sandbox", "requests", "webhooks"])
@pytest.mark.timeout(900)
def test_nothing_is_lost_and_nothing_is_done_twice(
    contract_path: Path, address: str | Path, listening: tuple[str, Receiver], victim: str
) -> None:
    """Killed in the middle of its work, several times."""
    url, receiver = listening
    rng = random.Random(victim)  # noqa: S311 - tests are to be repeatable
    options: tuple[str | Path, ...] = ("--contract", contract_path, "--database", address)
    options = (*options, "--webhook-url", url, "--time-scale", "0.002", "--rate-limit", "100000000")
    if not is_file_address(address):
        options = (*options, "--api-processes", "2", "--workers", "2")
    senders = Senders(address="")

    def start(stack: ExitStack) -> Running:
        server = stack.enter_context(running(*options, token=TOKEN))
        senders.address = server.address
        return server

    with ExitStack() as stack:
        server = start(stack)
        threads = [threading.Thread(target=senders.run, args=(f"client-{n}",)) for n in range(SENDERS)]
        for thread in threads:
            thread.start()
        for _ in range(ROUNDS):
            more = AT_LEAST + rng.randrange(AT_LEAST)  # so that it does not always die at the same work
            wait_until(partial(senders.have_sent, len(senders.accepted) + more))
            kill(server, victim)
            if victim == "sandbox":
                server = start(stack)
            else:
                wait_until(partial(answers, server))
        wait_until(partial(senders.have_sent, len(senders.accepted) + AT_LEAST))
        senders.stop.set()
        for thread in threads:
            thread.join()
        with httpx.Client(trust_env=False, timeout=PATIENCE_S) as client:
            for key in sorted(senders.unanswered):
                senders.send(client, key)
        identifiers = set(senders.accepted.values())
        wait_until(lambda: receiver.has_all(identifiers))
        messages = list_all(server.address, "/v1/messages", created_after="2026-01-01T00:00:00Z")
        events = list_all(server.address, "/v1/events", type=RECEIPTS)

    own = [message for message in messages if message["body"].startswith("Message client-")]
    receipts = Counter(event["subject"] for event in events)
    assert senders.wrong == []
    assert senders.unanswered == set()
    assert len(identifiers) == len(senders.accepted) >= ROUNDS * AT_LEAST
    assert {item["id"] for item in own} == identifiers, "one message for each key, and no other"
    assert {item["status"] for item in own} == {"delivered"}
    assert {identifier: receipts[identifier] for identifier in identifiers} == dict.fromkeys(identifiers, 1)
    assert set(receiver.bodies) <= {event["id"] for event in events}, (
        "nothing came that the log does not have"
    )
    assert all(len(bodies) == 1 for bodies in receiver.bodies.values()), "an event is always the same"


def answers(server: Running) -> bool:
    """Say whether a sandbox answers requests."""
    with suppress(httpx.TransportError):
        found = httpx.get(
            f"{server.address}/v1/messages", headers=HEADERS, trust_env=False, timeout=PATIENCE_S
        )
        return found.status_code == 200
    return False
