"""How generated pages become pages of MkDocs: files, bodies, headings, navigation, neighbours."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from markupsafe import escape
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure import StructureItem
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as SitePage
from mkdocs.structure.toc import TableOfContents

from devportal.language import without_directions
from devportal.markup import PageHead
from devportal.reference.addresses import LLMS, LLMS_FULL, LLMS_SECTIONS
from devportal.site.cache.spooled_files import GeneratedFile, SpooledFile
from devportal.site.portal import Portal
from devportal.site.rendering.page_texts import SiteTexts, area_index, set_page_texts, slot_texts
from devportal.site.rendering.site_logo import DEFAULT_FAVICON
from devportal.site.rendering.theme_settings import refuse_unfit_theme
from devportal.translation import gettext, gettext_noop

FEATURES = (
    "content.code.copy",
    "navigation.tabs",
    "navigation.sections",
    "navigation.indexes",
    "navigation.prune",
    "navigation.footer",
    "content.tabs.link",
    "toc.follow",
)
_TO_DARK, _TO_LIGHT = gettext_noop("Switch to dark mode"), gettext_noop("Switch to light mode")
PALETTE = (
    {
        "media": "(prefers-color-scheme: light)",
        "scheme": "default",
        "primary": "custom",
        "accent": "custom",
        "toggle": {"icon": "material/weather-night", "name": _TO_DARK},
    },
    {
        "media": "(prefers-color-scheme: dark)",
        "scheme": "slate",
        "primary": "custom",
        "accent": "custom",
        "toggle": {"icon": "material/weather-sunny", "name": _TO_LIGHT},
    },
)
_FAVICON_OF_THE_THEME = "assets/images/favicon.png"
FILLED_TEMPLATE = "devportal-filled.html"
"""The template of the pages whose text comes from a frame: it is empty."""


def translate_theme_defaults(config: MkDocsConfig) -> None:
    """Call the colour schemes as the language of the site does, unless the project has named its own."""
    palette = config.theme.get("palette")
    if isinstance(palette, list):
        for scheme in palette:
            toggle = scheme.get("toggle") if isinstance(scheme, dict) else None
            if isinstance(toggle, dict) and toggle.get("name") in (_TO_DARK, _TO_LIGHT):
                scheme["toggle"] = {**toggle, "name": gettext(toggle["name"])}


def set_theme_defaults(config: MkDocsConfig, theme: Path) -> None:
    """Put our templates between the user's own and the theme's, and choose what the user left open.

    Fonts are never loaded from elsewhere: a page makes no third-party request.
    """
    refuse_unfit_theme(config, theme)
    if str(theme) not in config.theme.dirs:
        config.theme.dirs.insert(1 if config.theme.custom_dir else 0, str(theme))
    config.theme["font"] = False
    if config.theme.get("favicon") == _FAVICON_OF_THE_THEME:
        config.theme["favicon"] = DEFAULT_FAVICON
    config.theme["features"] = list(dict.fromkeys([*(config.theme.get("features") or []), *FEATURES]))
    if not config.theme.get("palette"):
        config.theme["palette"] = [dict(option) for option in PALETTE]
    config.extra.setdefault("generator", False)


def add_files(files: Files, portal: Portal, config: MkDocsConfig) -> None:
    """Add the generated pages and files. Raises PluginError if a hand-written file has the same place."""
    areas = {area_index(head.uri) for head in portal.heads}
    for head in portal.heads:
        _refuse_conflict(files, head.uri)
        file = File.generated(config, head.uri, content="")
        file.inclusion = InclusionLevel.INCLUDED if head.uri in areas else InclusionLevel.NOT_IN_NAV
        files.append(file)
    for artefact in (*portal.artefacts, *portal.logo_files):
        _refuse_conflict(files, artefact.uri)
        file = _file_of(artefact, config)
        file.inclusion = InclusionLevel.INCLUDED  # MkDocs leaves out what starts with a dot
        files.append(file)
    sections = {file.src_uri for file in files if file.src_uri.startswith(f"{LLMS_SECTIONS}/")}
    for uri in (LLMS, LLMS_FULL, *sorted(section for section in sections if section.endswith(".txt"))):
        _refuse_conflict(files, uri)  # they are written when all pages are there


def _file_of(artefact: GeneratedFile, config: MkDocsConfig) -> File:
    """Return what MkDocs knows a generated file as."""
    if not isinstance(artefact, SpooledFile):
        return File.generated(config, artefact.uri, content=artefact.content)
    file = _FileOnDisk.generated(config, artefact.uri, content=b"")
    assert isinstance(file, _FileOnDisk)  # noqa: S101 - the class makes its own
    file.spooled = artefact
    return file


class _FileOnDisk(File):
    """A generated file whose content is read only when it is asked for.

    MkDocs takes `abs_src_path` of a generated file as one that is there; to it, this one is in memory as any other.
    """

    spooled: SpooledFile | None = None
    _changed_content: str | bytes | None = b""

    @property
    def _content(self) -> str | bytes | None:
        return self.spooled.content if self.spooled is not None else self._changed_content

    @_content.setter
    def _content(self, value: str | bytes | None) -> None:
        """Take another content, as a plug-in may set it."""
        self.spooled, self._changed_content = None, value

    def is_modified(self) -> bool:
        """Return that it is to be written, as any file in memory."""
        return self.spooled is not None or super().is_modified()

    def copy_file(self, dirty: bool = False) -> None:  # noqa: FBT001, FBT002 - as MkDocs has it
        """Write the file into the folder of the site."""
        if self.spooled is None:
            super().copy_file(dirty)
            return
        if dirty and not self.is_modified():
            return
        path = Path(self.abs_dest_path)
        path.parent.mkdir(parents=True, exist_ok=True)
        self.spooled.write_to(path)


def _refuse_conflict(files: Files, uri: str) -> None:
    existing = files.get_file_from_path(uri)
    if existing is not None:
        path = existing.abs_src_path or existing.src_uri
        raise PluginError(f"{path}: this file has the path of a generated one; rename it")


def attach_pages(
    files: Files, portal: Portal, config: MkDocsConfig, site: SiteTexts, *, use_frames: bool
) -> dict[str, SitePage]:
    """Tie each generated page to one of MkDocs; return those, by uri, that a frame is to be filled for.

    The first page of an area becomes the parent of its other pages, so that the area's tab is marked. It
    stands in the navigation itself, and is rendered as any other page.
    """
    framed = {}
    for head in portal.heads:
        file = files.get_file_from_path(head.uri)
        if file is None:
            continue
        page = file.page or SitePage(None, file, config)
        assert isinstance(page, SitePage)  # noqa: S101 - what MkDocs made, or the line above
        is_named = "title" in vars(page)  # by the navigation: other pages show it, so it is rendered whole
        if not is_named:
            page.title = escape(without_directions(head.title))
        parent = files.get_file_from_path(area_index(head.uri)) or files.get_file_from_path("index.md")
        if parent is not None and parent is not file and page.parent is None:
            page.parent = parent.page  # type: ignore[assignment]  # any item with `active` will do
        if use_frames and file.inclusion is InclusionLevel.NOT_IN_NAV and not is_named:
            page.meta = {
                "template": FILLED_TEMPLATE,
                "search": {"exclude": True},
                "unlisted": not head.is_listed,
            }
            page.content, page.toc = "", TableOfContents([])
            framed[head.uri] = page
            _replace_rendering(page, lambda: None)
        else:
            _replace_rendering(page, partial(_fill_whole_page, page, head, portal, site))
    return framed


def _fill_whole_page(page: SitePage, head: PageHead, portal: Portal, site: SiteTexts) -> None:
    """Give a page all its texts; what the navigation calls it stays."""
    title = page.title
    set_page_texts(page, head, slot_texts(page, portal.store.page(head), site))
    page.title = title


def _replace_rendering(page: SitePage, fill: Callable[[], None]) -> None:
    """Replace reading and rendering of one page by handing over what is ready."""

    def read_source(_: MkDocsConfig) -> None:
        page.markdown = page.content = ""
        fill()

    def render(_: MkDocsConfig, __: Files) -> None:
        page.present_anchor_ids = None  # links between generated pages are checked in the built site

    page.read_source = read_source  # type: ignore[method-assign, assignment]
    page.render = render  # type: ignore[method-assign, assignment]


_FOLDER_TITLES = (
    gettext_noop("Reference"),
    gettext_noop("Changelog"),
    gettext_noop("Conformance"),
    gettext_noop("Coverage"),
    gettext_noop("Rates"),
)
"""What MkDocs calls the folders of generated pages if a project has no `nav`."""


def translate_folder_titles(nav: Navigation) -> None:
    """Call the folders of generated pages in the language of the site; for projects without `nav` only."""
    for item in nav.items:
        if item.is_section and item.title in _FOLDER_TITLES:
            item.title = gettext(item.title)


def separate_areas(nav: Navigation) -> None:
    """Part pages of different areas; a navigation without sections is one area."""
    if not any(item.is_section for item in nav.items):
        return
    for page in nav.pages:
        after = page.next_page
        if after is not None and _area_of(page) is not _area_of(after):
            page.next_page = after.previous_page = None


def _area_of(item: StructureItem) -> StructureItem:
    """Return the entry of the navigation that an item is below, or the item itself."""
    return item if item.parent is None else _area_of(item.parent)
