"""What a served portal shows while its build fails: the problem, on the last good pages or on a separate one."""

import logging
from collections.abc import Callable, Iterable
from html import escape
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import MkDocsException
from mkdocs.livereload import LiveReloadServer

from devportal.errors import PortalError
from devportal.site.mkdocs_messages import capture_mkdocs_log, to_portal_error
from devportal.site.plugin_errors import error_of_plugin
from devportal.site.wrong_settings import settings_files_of
from devportal.unexpected_errors import (
    frame_in_user_code,
    is_traceback_wanted,
    unexpected_error_text,
)

_log = logging.getLogger("mkdocs.plugins.devportal.serve")
_STYLESHEET_PATH = "/devportal-build-failure.css"
_STYLESHEET = b"""\
.dp-build-failure { background: #a11; color: #fff; font: 16px/1.5 system-ui, sans-serif; padding: 12px 20px; }
.dp-build-failure pre { font: 14px/1.5 ui-monospace, monospace; margin: 4px 0 0; white-space: pre-wrap;
  overflow-wrap: anywhere; }
.dp-build-failure-page { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; margin: 0 auto;
  max-width: 60rem; padding: 8vh clamp(16px, 4vw, 40px); }
.dp-build-failure-page .dp-build-failure { border-radius: 8px; }
"""
_SCRIPT_PATH = "/devportal-build-failure.js"
_SCRIPT = b"""\
// Reloads the page when another build has ended.
const { build } = document.documentElement.dataset;
setInterval(async () => {
  const response = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  if (response && response.headers.get("Devportal-Failed-Build") !== build) location.reload();
}, 1000);
"""
_BUILD_HEADER = "Devportal-Failed-Build"
_FILES = {_STYLESHEET_PATH: ("text/css", _STYLESHEET), _SCRIPT_PATH: ("text/javascript", _SCRIPT)}
_StartResponse = Callable[..., Any]
_App = Callable[[dict[str, Any], _StartResponse], Iterable[bytes]]


def show_build_failures(server: LiveReloadServer, config: MkDocsConfig, *, has_pages: bool = False) -> None:
    """Have a server show the problem on every page while its build fails, in place of waiting for a fix.

    Problems of settings name their place in the file of `config`. `has_pages` says that a build was good already. A
    server that does so is left as it is.
    """
    if isinstance(getattr(server.builder, "__self__", None), _BuildFailures):
        return
    failures = _BuildFailures(server.builder, server.serve_request, config, has_pages=has_pages)
    server.builder = failures.build
    server.set_app(failures.respond)


class _BuildFailures:
    def __init__(
        self, build: Callable[[], None], app: _App, config: MkDocsConfig, *, has_pages: bool
    ) -> None:
        self._build = build
        self._config = config
        self._app = app
        self._problem = ""
        self._builds = 0
        self._has_pages = has_pages

    def build(self) -> None:
        """Build, and keep the problem that stops it: the server then shows the pages that it has."""
        with capture_mkdocs_log() as heard:
            try:
                self._build()
            except (MkDocsException, PortalError) as error:
                files = settings_files_of(self._config)
                self._problem = str(to_portal_error(error, heard.errors, files=files))
                _log.error("Build failed. %s", self._what_is_served())
            except Exception as error:  # noqa: BLE001 - MkDocs shows a traceback and answers no request any more
                failed = (
                    None
                    if frame_in_user_code(error)
                    else error_of_plugin(error, self._config, logged=heard.errors)
                )
                self._problem = str(failed or unexpected_error_text(error))
                _log.error("%s", self._problem, exc_info=is_traceback_wanted())
                _log.error("Build failed. %s", self._what_is_served())
            else:
                self._problem = ""
                self._has_pages = True
        self._builds += 1

    def _what_is_served(self) -> str:
        if self._has_pages:
            return "The pages of the last build are served with a banner until the problem is fixed."
        return "Every page shows the problem until it is fixed. Saving a fix builds the site."

    def respond(self, environ: dict[str, Any], start_response: _StartResponse) -> Iterable[bytes]:
        """Answer a request, with the problem in each HTML page if the last build failed."""
        path = environ.get("PATH_INFO", "")
        if path in _FILES:
            return _respond_with(start_response, "200 OK", *_FILES[path])
        if not self._problem:
            return self._app(environ, start_response)
        if not self._has_pages and not path.startswith("/livereload/"):
            page = problem_page(self._problem, build=self._builds)
            headers = [(_BUILD_HEADER, str(self._builds)), ("Cache-Control", "no-store")]
            kind = "text/html; charset=utf-8"
            return _respond_with(start_response, "503 Service Unavailable", kind, page, headers)
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


def _respond_with(
    start_response: _StartResponse,
    status: str,
    content_type: str,
    body: bytes,
    headers: Iterable[tuple[str, str]] = (),
) -> Iterable[bytes]:
    start_response(status, [("Content-Type", content_type), ("Content-Length", str(len(body))), *headers])
    return [body]


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


def problem_page(problem: str, *, build: int) -> bytes:
    """Return a page that names the problem of a build by its number; it reloads itself after the next one."""
    return f"""\
<!doctype html>
<html lang="en" data-build="{build}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Build failed</title>
<link rel="stylesheet" href="{_STYLESHEET_PATH}">
<script src="{_SCRIPT_PATH}" defer></script>
<noscript><meta http-equiv="refresh" content="5"></noscript>
</head>
<body>
<main class="dp-build-failure-page">
<h1>Build failed</h1>
<p>There is no page to show yet. Fix the problem and save the file: this page then reloads.</p>
<div class="dp-build-failure"><pre>{escape(problem)}</pre></div>
</main>
</body>
</html>
""".encode()
