"""What a served portal shows while its build fails: the last good pages with a banner that names the problem."""

import logging
from collections.abc import Callable, Iterable
from html import escape
from typing import TYPE_CHECKING, Any

from mkdocs.exceptions import Abort, MkDocsException

if TYPE_CHECKING:
    from mkdocs.livereload import LiveReloadServer  # builds need no server

_log = logging.getLogger("mkdocs.plugins.devportal")
_STYLESHEET_PATH = "/devportal-build-failure.css"
_STYLESHEET = b"""\
.dp-build-failure { background: #a11; color: #fff; font: 16px/1.5 system-ui, sans-serif; padding: 12px 20px; }
.dp-build-failure pre { font: 14px/1.5 ui-monospace, monospace; margin: 4px 0 0; white-space: pre-wrap;
  overflow-wrap: anywhere; }
"""
_StartResponse = Callable[..., Any]
_App = Callable[[dict[str, Any], _StartResponse], Iterable[bytes]]


def show_build_failures(server: "LiveReloadServer") -> None:
    """Have a server show the problem on every page while its build fails, in place of waiting for a fix."""
    failures = _BuildFailures(server.builder, server.serve_request)
    server.builder = failures.build
    server.set_app(failures.respond)


class _BuildFailures:
    def __init__(self, build: Callable[[], None], app: _App) -> None:
        self._build = build
        self._app = app
        self._problem = ""

    def build(self) -> None:
        """Build, and keep the problem that stops it: the server then shows the pages that it has."""
        try:
            self._build()
        except MkDocsException as error:
            # MkDocs has logged the error already, and says no more than that it was one
            self._problem = str(error.__context__ if isinstance(error, Abort) else error)
            _log.error(
                "Build failed. The pages of the last build are served with a banner until it is fixed."
            )
        else:
            self._problem = ""

    def respond(self, environ: dict[str, Any], start_response: _StartResponse) -> Iterable[bytes]:
        """Answer a request, with a banner in each HTML page if the last build failed."""
        if environ.get("PATH_INFO") == _STYLESHEET_PATH:
            start_response(
                "200 OK", [("Content-Type", "text/css"), ("Content-Length", str(len(_STYLESHEET)))]
            )
            return [_STYLESHEET]
        if not self._problem:
            return self._app(environ, start_response)
        return self._respond_with_banner(environ, start_response)

    def _respond_with_banner(
        self, environ: dict[str, Any], start_response: _StartResponse
    ) -> Iterable[bytes]:
        head: list[Any] = []
        body = self._app(environ, lambda *values: head.extend(values))
        status, headers, *_ = head
        if not dict(headers).get("Content-Type", "").startswith("text/html"):
            start_response(status, headers)
            return body
        page = with_banner(b"".join(body), self._problem)
        kept = [(name, value) for name, value in headers if name.lower() != "content-length"]
        start_response(status, [*kept, ("Content-Length", str(len(page)))])
        return [page]


def with_banner(page: bytes, problem: str) -> bytes:
    """Return an HTML page with a banner that names a problem at the start of its body."""
    banner = (
        f'<link rel="stylesheet" href="{_STYLESHEET_PATH}">'
        '<div class="dp-build-failure" role="alert"><strong>The last build failed. '
        f"This page may be out of date.</strong><pre>{escape(problem)}</pre></div>"
    ).encode()
    start = page.find(b"<body")
    end = page.find(b">", start) + 1 if start >= 0 else 0
    return page[:end] + banner + page[end:]
