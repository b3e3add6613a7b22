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
        {"version": text, "date": f"2026-0{n}-01"} for n, text in ((1, "1.0.0"), (2, "1.1.0"), (3, "1.2.0"))
    ],
}


def _entry(name: str, **members: Any) -> dict[str, Any]:
    """Return an entry of the list of changes."""
    return {
        "summary": "",
        "url": f"{SITE_URL}changelog/{name}/",
        "apis": [],
        "operations": [],
        "kind": "changed",
        "effective": None,
        "sunset": None,
        "action_required": False,
        "beside_contract": False,
        "what_to_do": "",
        "release": None,
        **members,
    }


CHANGE: dict[str, Any] = {
    "fingerprint": "0123456789abcdef",
    "rule": "schema.type.changed",
    "impact": "breaking-beta",
    "verdict": "risky",
    "area": "schema",
    "action": "changed",
    "direction": "to consumer",
    "subject": {"kind": "operation", "name": OPERATION, "section": ""},
    "field": "response.200",
    "schema_path": None,
    "places": [],
    "message": "the type is changed",
    "hint": "",
    "sunset": None,
    "entries": ["weight"],
    "witness": None,
}
CHANGES: dict[str, Any] = {
    "version": 1,
    "title": "Parcels",
    "site": SITE_URL,
    "operations": [OPERATION],
    "releases": [
        {"version": "1.0.0", "date": "2026-01-01", "previous": None, "url": None, "changes": []},
        {"version": "1.1.0", "date": "2026-02-01", "previous": "1.0.0", "url": None, "changes": []},
        {"version": "1.2.0", "date": "2026-03-01", "previous": "1.1.0", "url": None, "changes": [CHANGE]},
    ],
    "entries": {
        "opened": _entry(
            "opened",
            title="Find parcels",
            date="2026-02-01",
            release="1.1.0",
            impact="additive",
            severity="additive",
            kind="added",
            operations=[OPERATION],
        ),
        "weight": _entry(
            "weight",
            title="The weight is a number",
            summary="It was a text.",
            what_to_do="Read a number.",
            date="2026-03-01",
            release="1.2.0",
            impact="risky",
            severity="breaking-beta",
            action_required=True,
            apis=["Parcels"],
            operations=[OPERATION, "GET /gone"],
        ),
        "later": _entry("later", title="A notice", date="2026-03-09", impact="docs", severity="docs"),
    },
}
CHANGES_JSON = "changelog/changes.json"


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


def changes_text(**changed: Any) -> str:
    """Return `changelog/changes.json` with some members changed."""
    return json.dumps({**CHANGES, **changed})


@contextmanager
def serve_responses(responses: Mapping[str, Response]) -> Iterator[tuple[str, list[str]]]:
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
