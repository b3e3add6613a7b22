"""The MkDocs plugin: hands generated pages to the theme past the Markdown pipeline. Thin on purpose.

Only this module and `devportal.site.engine` know MkDocs; what they hand over comes from `portal`.
"""

import logging
from pathlib import Path
from typing import Any, Literal

from markupsafe import escape
from mkdocs.config.base import ConfigErrors, ConfigWarnings, ValidationError
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation

from devportal.errors import PortalError
from devportal.findings import Level
from devportal.site import clock
from devportal.site.engine import add_files, attach_pages, set_theme_defaults
from devportal.site.policy import externalise_icons
from devportal.site.portal import Inputs, Portal, fingerprint, read_portal, watched
from devportal.site.search import merge_search_entries
from devportal.site.settings import Settings

log = logging.getLogger("mkdocs.plugins.devportal")

THEME = Path(__file__).parent / "theme"


class DevportalPlugin(BasePlugin[Settings]):  # type: ignore[no-untyped-call]  # as in settings
    """Generates the reference, rates, coverage and changelog of a portal, and puts them into the site."""

    def __init__(self) -> None:
        """Start with nothing read; MkDocs keeps the plugin between rebuilds of `mkdocs serve`."""
        self._fingerprint = ""
        self._portal: Portal | None = None
        self._server: LiveReloadServer | None = None

    def load_config(
        self, options: dict[str, Any], config_file_path: str | None = None
    ) -> tuple[ConfigErrors, ConfigWarnings]:
        """Take the settings; one that does not exist is an error, where MkDocs would only warn."""
        errors, warnings = super().load_config(options, config_file_path)
        return [*errors, *((name, ValidationError(text)) for name, text in warnings)], []

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Tell MkDocs, by being there, to keep this plugin between rebuilds."""

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Read and render everything, unless nothing has changed since the last build."""
        set_theme_defaults(config, THEME)
        inputs = self.inputs(config)
        if self._portal is None or fingerprint(inputs, self._portal.contract) != self._fingerprint:
            try:
                self._portal = read_portal(inputs)
            except PortalError as error:
                raise PluginError(str(error)) from error
            self._fingerprint = fingerprint(inputs, self._portal.contract)
            self._watch(config)
        contract = self.portal.contract
        if self.config.name_from_contract and contract is not None:
            config.site_name = escape(contract.api.title)  # MkDocs escapes nothing
        self._report(self.portal)
        return config

    @property
    def portal(self) -> Portal:
        """What was read last. Raises RuntimeError before the configuration is loaded."""
        if self._portal is None:
            raise RuntimeError("the portal is read when MkDocs loads its configuration")
        return self._portal

    def inputs(self, config: MkDocsConfig) -> Inputs:
        """Return where the inputs of the portal are, by the settings."""
        root = Path(config.config_file_path).parent if config.config_file_path else Path.cwd()

        def path(setting: str) -> Path | None:
            return (root / setting).resolve() if setting else None

        return Inputs(
            root=root.resolve(),
            contract=path(self.config.contract),
            overview=self.config.overview,
            records=path(self.config.records),
            changelog=path(self.config.changelog),
            site_url=config.site_url or "",
            title=config.site_name,
            feed=self.config.feed,
            feed_authority=self.config.feed_authority,
            today=clock.today(),
        )

    def _report(self, portal: Portal) -> None:
        """Log what is wrong: errors as warnings of MkDocs, which fail a strict build."""
        levels = {Level.ERROR: logging.WARNING, Level.WARNING: logging.INFO, Level.NOTE: logging.INFO}
        for finding in portal.findings:
            log.log(levels[finding.level], "%s", finding)

    def on_files(self, files: Files, config: MkDocsConfig) -> Files:
        """Add the generated pages and files."""
        add_files(files, self.portal, config)
        return files

    def on_nav(self, nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
        """Give each generated page its ready body."""
        attach_pages(files, self.portal, config)
        return nav

    @event_priority(-100)
    def on_post_build(self, config: MkDocsConfig) -> None:
        """Write the Markdown twins, and mend what the theme wrote: its search index and its style sheets."""
        site = Path(config.site_dir)
        for page in self.portal.pages:
            twin = site / page.uri
            twin.parent.mkdir(parents=True, exist_ok=True)
            twin.write_text(page.markdown, encoding="utf-8")
        externalise_icons(site)
        merge_search_entries(site / "search" / "search_index.json", self.portal.pages)

    def on_serve(self, server: LiveReloadServer, config: MkDocsConfig, builder: Any) -> LiveReloadServer:  # noqa: ARG002
        """Rebuild when an input changes."""
        self._server = server
        self._watch(config)
        return server

    def _watch(self, config: MkDocsConfig) -> None:
        """Have the inputs watched while serving; references may have led to new files since the last time."""
        if self._server is not None:
            for path in watched(self.inputs(config), self.portal.contract):
                self._server.watch(str(path))
