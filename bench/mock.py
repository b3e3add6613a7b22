"""Measures a mock: requests per second of creations, readings and lists, their latency, CPU seconds of a request.

`devportal mock` is started on a free port with a contract, and the first of its resources that can be created, read
and listed is used: a third of the requests each, on connections that are kept. Each sends its next request when it
has the response (a closed loop, bench/sandbox_load.py). The client takes its share of the processors, so CPU seconds
of a request compare better between machines than requests per second. It needs Linux, for /proc.
"""

import argparse
import base64
import json
import os
import re
import selectors
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.cpu_times import process_s
from bench.sandbox_load import Connection, Tally

from devportal.contract import Api, Operation, load_contract
from devportal.contract.media_types import json_media_type
from devportal.contract.path_templates import parent_path
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.synthesis import synthesise
from devportal.documents import member_at
from devportal.mock.http.credentials import USER
from devportal.mock.http.routing import main_base_path
from devportal.mock.resources.plan import ResourceType
from devportal.mock.resources.planner import make_plan

CONTRACT = Path("tests/mock/contracts/styles/bulk.yaml")
_TOKEN = "a-token-of-the-bench"
_RESOURCES = 200
"""How many resources there are before the load; those are read."""
_PATIENCE_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What is asked of a mock: the path of a collection, the key of its items, a body that creates one, and headers."""

    collection: str
    key: tuple[str, ...]
    body: bytes
    headers: Mapping[str, str]


def main() -> None:
    """Start a mock, load it, and print what came back."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("contract", nargs="?", type=Path, default=CONTRACT, metavar="FILE")
    parser.add_argument("--seconds", type=float, default=10, help="how long to send requests (10)")
    parser.add_argument("--connections", type=int, default=16, help="requests under way at a time (16)")
    parser.add_argument("--database", type=Path, metavar="FILE", help="keep the state in a new SQLite file")
    asked = parser.parse_args()
    target = find_target(load_contract(asked.contract).api)
    options = ["--database", str(asked.database)] if asked.database is not None else []
    with mock(asked.contract, options) as (pid, url):
        ids = [str(member_at(_post(url, target), target.key)) for _ in range(_RESOURCES)]
        before, started = process_s(pid), time.perf_counter()
        tally = load(url, target, ids, asked.connections, asked.seconds)
        seconds, cpu_s = time.perf_counter() - started, process_s(pid) - before
    report(tally, seconds, cpu_s, asked.connections)


def find_target(api: Api) -> Target:
    """Return the first resource of a contract that can be created, read and listed. Ends the program without one."""
    plan = make_plan(api)
    for kind in plan.types:
        listed = any(
            assignment.type is kind and assignment.listing is not None
            for assignment in plan.assignments.values()
        )
        content = (
            kind.create.request_body.content if kind.create is not None and kind.create.request_body else ()
        )
        media_type = json_media_type(content)
        if kind.create is None or kind.scope_names or not kind.key or not listed or kind.read is None:
            continue
        if media_type is not None and media_type.schema is not None and not kind.is_created_by_put:
            body = synthesise(api, media_type.schema, Direction.REQUEST)
            headers = {"Content-Type": media_type.name, **_credential(api, kind.create)}
            return Target(
                collection=main_base_path(api) + parent_path(kind.path),
                key=_key(kind),
                body=json.dumps(body).encode(),
                headers=headers,
            )
    sys.exit("the contract has no resource without a parent that can be created with JSON, read and listed")


def _key(kind: ResourceType) -> tuple[str, ...]:
    return (kind.envelope, *kind.key) if kind.envelope else kind.key


def _credential(api: Api, operation: Operation) -> Mapping[str, str]:
    """Return the header that the first security requirement of an operation asks for."""
    names = (
        [required_scheme.scheme for required_scheme in operation.security[0]] if operation.security else []
    )
    for scheme in (
        security_scheme for security_scheme in api.security_schemes if security_scheme.name in names
    ):
        if scheme.kind == "apiKey":
            return {scheme.parameter: _TOKEN}
        if scheme.kind == "http" and scheme.scheme.lower() == "basic":
            return {"Authorization": f"Basic {base64.b64encode(f'{USER}:{_TOKEN}'.encode()).decode()}"}
        return {"Authorization": f"Bearer {_TOKEN}"}
    return {}


@contextmanager
def mock(contract: Path, options: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Start a mock on a free port; yield its process and its address, and end it."""
    command = [sys.executable, "-m", "devportal", "mock", "--contract", str(contract), "--token", _TOKEN]
    process = subprocess.Popen([*command, "--step", "0", *options], stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None  # noqa: S101 - it is a pipe
        first = process.stderr.readline()
        address = re.search(r"http://[^\s/]+", first)
        if address is None:
            sys.exit(f"the mock does not start:\n{first}{process.stderr.read()}")
        while process.stderr.readline().strip() not in ("", "Press Ctrl-C to stop."):
            pass
        yield process.pid, address[0]
    finally:
        process.terminate()
        process.wait(_PATIENCE_S)


def _post(url: str, target: Target) -> Any:
    request = urllib.request.Request(  # noqa: S310 - our own mock
        f"{url}{target.collection}", data=target.body, headers=dict(target.headers)
    )
    with urllib.request.urlopen(request, timeout=_PATIENCE_S) as response:  # noqa: S310
        return json.load(response)


def load(url: str, target: Target, ids: Sequence[str], connections: int, seconds: float) -> Tally:
    """Keep connections busy for so long, with a third of each kind of request."""
    host, _, port = url.removeprefix("http://").rpartition(":")
    requests = _requests(f"{host}:{port}", target, ids)
    tally, started, number = Tally(), time.perf_counter(), 0
    with selectors.DefaultSelector() as selector:
        lines = [Connection((host, int(port))) for _ in range(connections)]
        for line in lines:
            selector.register(line.socket, selectors.EVENT_READ, line)
            line.send(requests[number % len(requests)])
            number += 1
        while time.perf_counter() - started < seconds:
            for key, _ in selector.select(0.1):
                status = key.data.status()
                if status is not None:
                    tally.statuses[status] += 1
                    tally.latencies_s.append(time.perf_counter() - key.data.sent_at)
                    key.data.send(requests[number % len(requests)])
                    number += 1
        for line in lines:
            line.socket.close()
    return tally


def _requests(host: str, target: Target, ids: Sequence[str]) -> list[bytes]:
    """Return creations, readings of each resource, and lists, in turn."""
    fields = "".join(f"{name}: {value}\r\n" for name, value in target.headers.items())
    end = f"Host: {host}\r\n{fields}"
    create = f"POST {target.collection} HTTP/1.1\r\n{end}Content-Length: {len(target.body)}\r\n\r\n".encode()
    listed = f"GET {target.collection} HTTP/1.1\r\n{end}\r\n".encode()
    return [
        chunk
        for each in ids
        for chunk in (
            create + target.body,
            f"GET {target.collection}/{each} HTTP/1.1\r\n{end}\r\n".encode(),
            listed,
        )
    ]


def report(tally: Tally, seconds: float, cpu_s: float, connections: int) -> None:
    """Print a row for each thing that was measured."""
    count = tally.statuses.total()
    ranks = statistics.quantiles(tally.latencies_s, n=100) if len(tally.latencies_s) > 1 else [0.0] * 99
    rows = {
        "requests": f"{count:,} in {seconds:.1f} s on {connections} connections: {count / seconds:,.0f} per second",
        "latency": "p50 {:.1f} ms, p95 {:.1f} ms, p99 {:.1f} ms".format(
            *(ranks[n] * 1e3 for n in (49, 94, 98))
        ),
        "statuses": ", ".join(f"{status}: {times:,}" for status, times in sorted(tally.statuses.items())),
        "a request": f"{cpu_s / max(1, count) * 1e6:,.0f} µs CPU of the mock",
        "load of the machine": f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} processors",
    }
    for name, text in rows.items():
        print(f"{name:<22} {text}", flush=True)


if __name__ == "__main__":
    main()
