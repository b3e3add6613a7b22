"""A folder on a free port, packed and with the policy that a careful host would send."""

import gzip
import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, BinaryIO

from devportal.site.rendering.bundles import IMMUTABLE

POLICY = "default-src 'self'"
_PACKED = (".html", ".css", ".js", ".json", ".md", ".svg", ".txt", ".xml", ".yaml")
"""What hosts pack; fonts and pictures are packed by themselves."""
_PART = 8 * 1024


@lru_cache(maxsize=512)
def _gzip_file(path: Path, _: int) -> bytes:
    return gzip.compress(path.read_bytes(), compresslevel=6, mtime=0)


class _Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, *args: Any, policy: str, caches: bool, pause_s: float, **options: Any) -> None:
        self._policy = policy
        self._caches = caches
        self._pause_s = pause_s
        super().__init__(*args, **options)

    def send_head(self) -> BinaryIO | None:
        path = Path(self.translate_path(self.path))
        if path.is_dir() and self.path.partition("?")[0].endswith("/"):
            path /= "index.html"
        accepts_gzip = "gzip" in self.headers.get("Accept-Encoding", "") and not self._pause_s
        packs = accepts_gzip and path.suffix in _PACKED
        if not packs or not path.is_file():
            return super().send_head()
        body = _gzip_file(path, path.stat().st_mtime_ns)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return io.BytesIO(body)

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a page in parts, with a pause after each, if there is to be one."""
        if not self._pause_s or "text/html" not in self.headers.get("Accept", ""):
            super().copyfile(source, outputfile)
            return
        while part := source.read(_PART):
            outputfile.write(part)
            outputfile.flush()
            threading.Event().wait(self._pause_s)

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", self._policy)
        self.send_header("Cache-Control", self._cache_control() if self._caches else "no-store")
        super().end_headers()

    def _cache_control(self) -> str:
        """Return what the manual tells hosts to send."""
        return "public, max-age=31536000, immutable" if f"/{IMMUTABLE}" in self.path else "no-cache"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        """Say nothing; tests look at what the browser saw."""


@contextmanager
def serving(folder: Path, policy: str = POLICY, *, caches: bool = False, pause_s: float = 0) -> Iterator[str]:
    """Serve a folder under the strict policy, or another; yield its address without a slash at the end.

    With `caches`, browsers may keep what the manual says; otherwise nothing. With `pause_s`, pages come unpacked
    in parts of 8 KB, with a pause of so many seconds after each, as over a slow line.
    """
    handler = partial(_Handler, directory=str(folder), policy=policy, caches=caches, pause_s=pause_s)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=10)
