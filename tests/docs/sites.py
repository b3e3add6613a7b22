"""Small sites for the tests of `devportal docs`, and a server for them."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Response = tuple[int, Mapping[str, str], bytes]
"""Status, headers and body."""
SITE_URL = "https://dev.example/portal/"
OPERATION = "GET /parcels/{id}"
RECORDS: dict[str, Any] = {
    "format": 1,
    "title": "Parcels",
    "version": "1.2.0",
    "site_url": SITE_URL,
    "operations": [
        {
            "operation": OPERATION,
            "operation_id": "getParcel",
            "title": "Find a parcel",
            "stability": "beta",
            "deprecated": False,
            "sunset": None,
            "since": "1.1.0",
            "page": "reference/parcels/get-parcel.md",
            "verified": [
                {
                    "deployment": "Sandbox",
                    "date": "2026-11-21",
                    "result": "passed",
                    "text": "verified 2026-11-21",
                    "page": "conformance/status.md#sandbox.get-parcels-id",
                }
            ],
        }
    ],
    "events": [],
    "releases": [
        {"version": one, "date": f"2026-0{n}-01"} for n, one in ((1, "1.0.0"), (2, "1.1.0"), (3, "1.2.0"))
    ],
    "changes": [
        {
            "id": "later",
            "title": "A notice",
            "summary": "",
            "page": "changelog/later.md",
            "date": "2026-03-09",
            "impact": "docs",
            "severity": "docs",
            "kind": "changed",
            "version": None,
            "operations": [],
        },
        {
            "id": "weight",
            "title": "The weight is a number",
            "summary": "It was a text.",
            "page": "changelog/weight.md",
            "date": "2026-03-01",
            "version": "1.2.0",
            "impact": "risky",
            "severity": "breaking-beta",
            "kind": "changed",
            "action_required": True,
            "apis": ["Parcels"],
            "operations": [OPERATION, "GET /gone"],
            "changes": [{"fingerprint": "0123456789abcdef", "rule": "schema.type.changed"}],
        },
        {
            "id": "opened",
            "title": "Find parcels",
            "summary": "",
            "page": "changelog/opened.md",
            "date": "2026-02-01",
            "version": "1.1.0",
            "impact": "additive",
            "severity": "additive",
            "kind": "added",
            "operations": [OPERATION],
        },
    ],
}


def write_site(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write the files of a site into a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def records_text(**changed: Any) -> str:
    """Return `docs.json` with some members changed."""
    return json.dumps({**RECORDS, **changed})


@contextmanager
def served(responses: Mapping[str, Response]) -> Iterator[tuple[str, list[str]]]:
    """Serve responses by path on a free port; yield the address and the requests so far."""
    requests: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requests.append(f"GET {self.path}")
            status, headers, body = responses.get(self.path, (404, {}, b""))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", requests
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
