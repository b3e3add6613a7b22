"""The server of `devportal serve`: builds a site, serves it, and builds it again when an input changes.

MkDocs has such a server too, but ends if the first build fails. This one shows the problem until it is fixed.
"""

import logging
import posixpath
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.livereload import LiveReloadServer

from devportal.gc_pause import gc_paused
from devportal.interruptions import INTERRUPTIONS
from devportal.site.commands.build import error_of_machine, refuse_non_utf8_sources
from devportal.site.commands.build_failures import show_build_failures
from devportal.site.mkdocs_messages import without_warning_of_partial_builds
from devportal.site.plugin import watch_path
from devportal.site.project_file import plugin_of, settings_file_of
from devportal.site.wrong_settings import settings_files
from devportal.unexpected_errors import frame_in_user_code

_MARKDOWN = "text/markdown"
_MEDIA_TYPES = {
    ".md": _MARKDOWN,
    ".yaml": "application/yaml",  # RFC 9512
    ".yml": "application/yaml",
    ".atom": "application/atom+xml",
    ".rss": "application/rss+xml",
}
"""The media types of files that not every machine knows, by their endings."""
_log = logging.getLogger("mkdocs.plugins.devportal.serve")


def serve_site(config_file: Path, *, host: str, port: int) -> None:
    """Serve the site of a project until Ctrl-C.

    Raises what MkDocs raises for settings that it cannot load, and OSError for an address that cannot be used.
    """
    with (
        TemporaryDirectory(prefix="devportal-site-") as folder,
        building(config_file, Path(folder), address=f"{host}:{port}") as builder,
    ):
        _serve(builder, Path(folder))


@contextmanager
def building(config_file: Path, folder: Path, *, address: str) -> Iterator["SiteBuilder"]:
    """Yield what builds the site of a project into a folder again and again, to be served at HOST:PORT."""
    load = partial(load_config, str(config_file), site_dir=str(folder), dev_addr=address)
    with gc_paused():
        config = load()
    config.plugins.on_startup(command="serve", dirty=False)
    try:
        yield SiteBuilder(config, load)
    finally:
        config.plugins.on_shutdown()


class SiteBuilder:
    """Builds the site: first with the settings that are loaded already, then with what the file holds.

    After the first time, only what an edit can show is made again.
    """

    def __init__(self, config: MkDocsConfig, load: Callable[[], MkDocsConfig]) -> None:
        """Take the settings, and what loads them again."""
        self.first_config = config
        host, port = config.dev_addr
        self.url = f"http://{host}:{port}/"
        self.watch: Callable[[Path], None] = _watch_nothing
        """Takes each file of settings: one may name another file to inherit from than in the last build."""
        self._next_config: MkDocsConfig | None = config
        self._load = load

    def __call__(self) -> None:
        """Build. Raises what MkDocs raises, and PortalError for what only the machine or an encoding is to blame."""
        for file in settings_files(settings_file_of(self.first_config)):
            self.watch(file)
        config, self._next_config = self._next_config or self._load(), None
        config.site_url = self.url
        try:
            with gc_paused(), without_warning_of_partial_builds():
                plugin = plugin_of(config)
                plugin.follow_served(config)
                is_partial = plugin.takes_over_writing(config)
                with nullcontext() if is_partial else _restored_after_failure(Path(config.site_dir)):
                    build(config, serve_url=self.url, dirty=is_partial)
        except UnicodeDecodeError:
            refuse_non_utf8_sources(config)
            raise
        except OSError as error:
            if frame_in_user_code(error):
                raise
            raise error_of_machine(error, config) from error


@contextmanager
def _restored_after_failure(folder: Path) -> Iterator[None]:
    """Put the files of a site back if the block, in which MkDocs empties its folder before it renders, fails."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="devportal-last-site-", dir=folder.parent) as last:
        _move_all(folder, Path(last))
        try:
            yield
        except BaseException:
            with TemporaryDirectory(prefix="devportal-failed-site-", dir=folder.parent) as failed:
                _move_all(folder, Path(failed))
                _move_all(Path(last), folder)
            raise


def _move_all(source: Path, target: Path) -> None:
    for path in [*source.iterdir()]:
        path.rename(target / path.name)


def _watch_nothing(file: Path) -> None:
    """Leave a file alone: nobody serves the site."""


def _serve(builder: SiteBuilder, folder: Path) -> None:
    config = builder.first_config
    host, port = config.dev_addr
    mount_path = urlsplit(config.site_url or "/").path
    server = _Server(builder=builder, host=host, port=port, root=str(folder), mount_path=mount_path)
    builder.url, builder.watch = server.url, partial(watch_path, server)
    server.error_handler = partial(_error_page, folder)
    show_build_failures(server, config)
    with server.ended_by_signals():
        server.builder()
        server.watch(config.docs_dir)
        config.plugins.on_serve(server, config=config, builder=server.builder)
        for path in config.watch:
            server.watch(path)
        try:
            with suppress(KeyboardInterrupt):
                server.serve()  # type: ignore[no-untyped-call]  # MkDocs leaves it so
            _log.info("Shutting down")
        finally:
            server.shutdown()


class _Server(LiveReloadServer):
    """A server of MkDocs that every Ctrl-C and SIGTERM ends, and that sends pages as the manual has servers do it."""

    def __init__(self, **options: Any) -> None:
        """Take the options of the server. Its thread keeps no process alive whose end a second Ctrl-C cuts short."""
        super().__init__(**options)
        self.serve_thread.daemon = True

    def serve_request(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Respond to a request; with the Markdown twin of a page if the request asks for Markdown."""
        if _MARKDOWN in environ.get("HTTP_ACCEPT", "").lower():
            environ = {**environ, "PATH_INFO": self._path_of_twin(environ["PATH_INFO"])}
        response: Iterable[bytes] = super().serve_request(environ, start_response)
        return response

    def _path_of_twin(self, path: str) -> str:
        """Return the path of the Markdown twin of a page, and any other path as it is. Both are as WSGI has them:
        bytes of UTF-8, each as a character (PEP 3333).
        """
        decoded = path.encode("latin-1").decode("utf-8", "ignore")
        page = posixpath.normpath(f"/{decoded.removeprefix(self.mount_path)}").lstrip("/")
        twins = (f"{page}.md", f"{page}/index.md") if page else ("index.md",)
        there = (twin for twin in twins if path.endswith("/") and Path(self.root, twin).is_file())
        return next((f"{self.mount_path}{twin}".encode().decode("latin-1") for twin in there), path)

    @classmethod
    def _guess_type(cls, path: str) -> str:
        """Return the media type of a file, with the encoding of text."""
        kind: str = _MEDIA_TYPES.get(Path(path).suffix) or super()._guess_type(path)  # type: ignore[no-untyped-call]  # MkDocs leaves it so
        return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind

    @contextmanager
    def ended_by_signals(self) -> Iterator[None]:
        """Have Ctrl-C and SIGTERM end the server in the block, except those that the process ignores.

        What a handler raises interrupts a build at once, but Python drops it in a finalizer or a callback of the
        garbage collector. The server then ends after the build.
        """

        def end(*_: Any) -> None:
            self._shutdown = True
            raise KeyboardInterrupt

        handlers = {number: signal.getsignal(number) for number in INTERRUPTIONS}
        replaced = {number: handler for number, handler in handlers.items() if callable(handler)}
        for number in replaced:
            signal.signal(number, end)
        try:
            yield
        finally:
            for number, handler in replaced.items():
                signal.signal(number, handler)


def _error_page(folder: Path, status: int) -> bytes | None:
    """Return the page of the site for a status, if it has one."""
    page = folder / f"{status}.html"
    return page.read_bytes() if page.is_file() else None
