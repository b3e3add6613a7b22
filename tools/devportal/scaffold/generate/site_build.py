"""One build of the site as MkDocs makes it, watched: what the pages hold, and what lies beside them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mkdocs.commands.build import build as build_with_mkdocs
from mkdocs.config import load_config
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as SitePage
from mkdocs.structure.toc import AnchorLink
from mkdocs.utils.templates import TemplateContext

from devportal.findings import Finding
from devportal.project.inputs import Inputs
from devportal.site.commands.build import mkdocs_build, site_warnings
from devportal.site.mkdocs_messages import capture_mkdocs_log
from devportal.site.portal import Portal
from devportal.site.project_file import plugin_of


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedPage:
    """A hand-written page as it was rendered, its inserts in it; `headings` are tokens of `toc`."""

    uri: str
    title: str
    is_home: bool
    meta: dict[str, Any] = field(repr=False)
    html: str = field(repr=False)
    headings: tuple[dict[str, Any], ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedBuild:
    """A finished build. `site` is its folder, which is gone behind the `with` block."""

    config: MkDocsConfig = field(repr=False)
    inputs: Inputs = field(repr=False)
    portal: Portal = field(repr=False)
    written: tuple[RenderedPage, ...] = field(repr=False)
    site: Path
    findings: tuple[Finding, ...]
    warnings: tuple[str, ...]


class _EmptyConfig(Config):  # type: ignore[no-untyped-call]  # as below
    """There is nothing to set."""


class _PageCollector(BasePlugin[_EmptyConfig]):  # type: ignore[no-untyped-call]  # MkDocs leaves it untyped
    """Takes every hand-written page when all plugins are done with it."""

    def __init__(self) -> None:
        self.pages: list[RenderedPage] = []

    @event_priority(-1000)
    def on_page_context(
        self,
        context: TemplateContext,
        /,
        *,
        page: SitePage,
        config: MkDocsConfig,  # noqa: ARG002
        nav: Navigation,  # noqa: ARG002
    ) -> TemplateContext:
        if "devportal" not in page.meta:
            self.pages.append(
                RenderedPage(
                    uri=page.file.src_uri,
                    title=str(page.title or ""),
                    is_home=page.is_homepage,
                    meta=dict(page.meta),
                    html=page.content or "",
                    headings=tuple(map(toc_token, page.toc)),
                )
            )
        return context


def toc_token(link: AnchorLink) -> dict[str, Any]:
    """Return a heading as the extension `toc` passes it to engines."""
    return {
        "level": link.level,
        "id": link.id,
        "name": link.title,
        "html": link.title,
        "data-toc-label": "",
        "children": [*map(toc_token, link.children)],
    }


@contextmanager
def observe_build(config_file: Path) -> Iterator[ObservedBuild]:
    """Build a project into a separate folder. Raises PortalError."""
    with TemporaryDirectory(prefix="devportal-") as folder, capture_mkdocs_log() as heard:
        with mkdocs_build(lambda: load_config(str(config_file), site_dir=folder), heard) as config:
            watch = config.plugins["devportal-watch"] = _PageCollector()
            build_with_mkdocs(config)
        plugin = plugin_of(config)
        generated = {head.uri for head in plugin.portal.heads}
        yield ObservedBuild(
            config=config,
            inputs=plugin.inputs,
            portal=plugin.portal,
            written=tuple(page for page in watch.pages if page.uri not in generated),
            site=Path(folder),
            findings=plugin.findings,
            warnings=site_warnings(heard.messages, config),
        )
