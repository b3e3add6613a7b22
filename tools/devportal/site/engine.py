"""How generated pages become pages of MkDocs: files, bodies, table of contents, place in the navigation."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import escape
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page as SitePage
from mkdocs.structure.toc import AnchorLink, TableOfContents

from devportal.pages import Heading, Page, href, url_of
from devportal.site.portal import Portal

FEATURES = (
    "content.code.copy",
    "navigation.tabs",
    "navigation.indexes",
    "navigation.prune",
    "navigation.footer",
    "search.highlight",
    "toc.follow",
)
PALETTE = (
    {
        "media": "(prefers-color-scheme: light)",
        "scheme": "default",
        "primary": "custom",
        "accent": "custom",
        "toggle": {"icon": "material/weather-night", "name": "Switch to dark mode"},
    },
    {
        "media": "(prefers-color-scheme: dark)",
        "scheme": "slate",
        "primary": "custom",
        "accent": "custom",
        "toggle": {"icon": "material/weather-sunny", "name": "Switch to light mode"},
    },
)


def set_theme_defaults(config: MkDocsConfig, theme: Path) -> None:
    """Put our templates between the user's own and the theme's, and choose what the user left open.

    Fonts are never loaded from elsewhere: a page makes no third-party request.
    """
    if config.theme.name != "material":
        raise PluginError("the plugin devportal needs 'theme: {name: material}' in mkdocs.yml")
    if not config.use_directory_urls:
        raise PluginError("the plugin devportal needs 'use_directory_urls: true', which is the default")
    if str(theme) not in config.theme.dirs:
        config.theme.dirs.insert(1 if config.theme.custom_dir else 0, str(theme))
    config.theme["font"] = False
    config.theme["features"] = list(dict.fromkeys([*config.theme.get("features", []), *FEATURES]))
    if not config.theme.get("palette"):
        config.theme["palette"] = [dict(option) for option in PALETTE]
    config.extra.setdefault("generator", False)


def add_files(files: Files, portal: Portal, config: MkDocsConfig) -> None:
    """Add the generated pages and files. Raises PluginError where a hand-written file has the same place."""
    areas = {_area_index(page.uri) for page in portal.pages}
    for page in portal.pages:
        _refuse_conflict(files, page.uri)
        file = File.generated(config, page.uri, content="")
        file.inclusion = InclusionLevel.INCLUDED if page.uri in areas else InclusionLevel.NOT_IN_NAV
        files.append(file)
    for artefact in portal.artefacts:
        _refuse_conflict(files, artefact.uri)
        files.append(File.generated(config, artefact.uri, content=artefact.content))


def _refuse_conflict(files: Files, uri: str) -> None:
    known = files.get_file_from_path(uri)
    if known is not None:
        where = known.abs_src_path or known.src_uri
        raise PluginError(f"{where}: this file stands where the portal puts a generated one; rename it")


def _area_index(uri: str) -> str:
    """Return the uri of the first page of the area that a page belongs to."""
    return f"{uri.split('/', 1)[0]}/index.md" if "/" in uri else uri


def attach_pages(files: Files, portal: Portal, config: MkDocsConfig) -> None:
    """Give each generated page its body, and make the first page of its area its parent, so that the
    area's tab is marked."""
    for generated in portal.pages:
        file = files.get_file_from_path(generated.uri)
        if file is None:
            continue
        page = file.page or SitePage(None, file, config)
        assert isinstance(page, SitePage)  # noqa: S101 - what MkDocs made, or the line above
        _fill(page, generated)
        parent = files.get_file_from_path(_area_index(generated.uri))
        home = files.get_file_from_path("index.md") if parent is None else parent
        if home is not None and home is not file and page.parent is None:
            page.parent = home.page  # type: ignore[assignment]  # any item with `active` will do


def _fill(page: SitePage, generated: Page) -> None:
    """Replace reading and rendering of one page by handing over what is ready.

    MkDocs escapes nothing in templates, so texts are escaped here, and marked so that nobody does it again.
    """
    if "title" not in vars(page):
        page.title = escape(generated.title)
    meta: dict[str, Any] = {
        "title": escape(generated.title),
        "description": escape(generated.description),
        "search": {"exclude": True},
        "devportal": {
            "layout": generated.layout,
            "sidebar": generated.sidebar,
            "area": generated.uri.split("/", 1)[0].removesuffix(".md"),
            "twin": href(generated.uri, generated.uri) + _twin(generated.uri),
            "feeds": [
                {"type": kind, "title": escape(title), "href": href(generated.uri, uri)}
                for kind, title, uri in generated.feeds
            ],
        },
    }

    def read_source(_: MkDocsConfig) -> None:
        page.meta = meta
        page.markdown = ""

    def render(_: MkDocsConfig, __: Files) -> None:
        page.content = generated.body
        page.toc = _table_of_contents(generated.headings)
        page.present_anchor_ids = None  # links between generated pages are checked in the built site

    page.read_source = read_source  # type: ignore[method-assign, assignment]
    page.render = render  # type: ignore[method-assign, assignment]


def _twin(uri: str) -> str:
    """Return the name of a page's Markdown twin as a link from the page's own folder."""
    folder, _, name = uri.rpartition("/")
    if name == "index.md":
        return name
    depth = url_of(uri).count("/") - folder.count("/") - (1 if folder else 0)
    return "../" * depth + name


def _table_of_contents(headings: tuple[Heading, ...]) -> TableOfContents:
    top: list[AnchorLink] = []
    for heading in headings:
        link = AnchorLink(escape(heading.title), quote(heading.anchor), heading.level - 1)
        if heading.level > 2 and top:
            top[-1].children.append(link)
        else:
            top.append(link)
    return TableOfContents(top)
