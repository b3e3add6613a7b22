"""Builds a site around pages that a test makes, with the theme and the frames of any other."""

from pathlib import Path
from typing import Any

from mkdocs.commands.build import build as build_with_mkdocs
from mkdocs.config import load_config

from devportal.markup import Artefact, Page
from devportal.site.cache.store import PageStore
from devportal.site.loaded_inputs import LoadedInputs
from devportal.site.mkdocs_messages import capture_mkdocs_log
from devportal.site.portal import Portal
from devportal.site.project_file import plugin_of

from .building import contents, write_project


def site_of(*made: Page | Artefact, folder: Path, **settings: Any) -> dict[str, bytes]:
    """Build a project with these generated pages and files, and return the files of its site."""
    config = load_config(
        str(write_project(folder, plugin={"contract": ""}, **settings)), site_dir=str(folder / "site")
    )
    plugin = plugin_of(config)
    store = PageStore()
    with store.writing():
        store.replace("1", (page for page in made if isinstance(page, Page)))
    portal = Portal(
        material=LoadedInputs(),
        store=store,
        pages=store.stored_pages(),
        artefacts=tuple(page for page in made if isinstance(page, Artefact)),
        rendered=0,
    )
    plugin._theme_language = config.theme.get("language") or ""  # as when the plug-in reads a configuration
    plugin._reader.keep(portal, plugin.read_inputs(config))
    with capture_mkdocs_log():
        try:
            build_with_mkdocs(config)
        finally:
            config.plugins.on_shutdown()  # MkDocs hands the same plug-in to each build of a process
    return contents(folder / "site")
