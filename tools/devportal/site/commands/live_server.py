"""The server of `devportal serve`: builds a site, serves it, and builds it again when an input changes.

MkDocs has such a server too, but ends if the first build fails. This one shows the problem until it is fixed.
"""

import logging
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.livereload import LiveReloadServer

from devportal.interruptions import INTERRUPTIONS
from devportal.site.commands.build import error_of_machine, refuse_non_utf8_sources
from devportal.site.commands.build_failures import show_build_failures
from devportal.site.mkdocs_messages import without_warning_of_partial_builds
from devportal.site.plugin import watch_path
from devportal.site.project_file import plugin_of, settings_file_of
from devportal.site.wrong_settings import settings_files
from devportal.unexpected_errors import frame_in_user_code

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
            with without_warning_of_partial_builds():
                plugin = plugin_of(config)
                plugin.follow_served(config)
                build(config, serve_url=self.url, dirty=plugin.takes_over_writing(config))
        except UnicodeDecodeError:
            refuse_non_utf8_sources(config)
            raise
        except OSError as error:
            if frame_in_user_code(error):
                raise
            raise error_of_machine(error, config) from error


def _watch_nothing(file: Path) -> None:
    """Leave a file alone: nobody serves the site."""


def _serve(builder: SiteBuilder, folder: Path) -> None:
    config = builder.first_config
    host, port = config.dev_addr
    mount_path = urlsplit(config.site_url or "/").path
    server = _Server(builder=builder, host=host, port=port, root=str(folder), mount_path=mount_path)
    builder.url, builder.watch = server.url, partial(watch_path, server)
    server.error_handler = partial(_error_page, folder)
    show_build_failures(server, settings_file_of(config))
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
    """A server of MkDocs that every Ctrl-C and SIGTERM ends."""

    def __init__(self, **options: Any) -> None:
        """Take the options of the server. Its thread keeps no process alive whose end a second Ctrl-C cuts short."""
        super().__init__(**options)
        self.serve_thread.daemon = True

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
