"""A folder on a free port, packed with gzip as hosts do it, and under a strict policy where that is asked."""

import gzip
import mimetypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

POLICY = "default-src 'self'"
_PACKED = ("text/", "application/json", "application/javascript", "application/xml", "image/svg+xml")


@cache
def _gzip_file(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), 6, mtime=0)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, *request: object, folder: Path, strict: bool) -> None:
        self._folder, self._strict = folder, strict
        super().__init__(*request)  # type: ignore[arg-type]  # what the server hands over

    def do_GET(self) -> None:
        path = self._folder / unquote(urlsplit(self.path).path).lstrip("/")
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self.send_error(404)
            return
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        is_packed = kind.startswith(_PACKED)
        content = _gzip_file(path) if is_packed else path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", kind + ("; charset=utf-8" if kind.startswith("text/") else ""))
        self.send_header("Content-Length", str(len(content)))
        if is_packed:
            self.send_header("Content-Encoding", "gzip")
        if self._strict:
            self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        """Say nothing."""


@contextmanager
def serving(folder: Path, *, strict: bool = False) -> Iterator[str]:
    """Serve a folder, and yield its address without a slash at the end."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, folder=folder, strict=strict))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
