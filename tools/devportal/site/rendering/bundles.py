"""The bundles of a site: the style sheets and scripts of a kind of page, each joined into one file.

Their names have digests of what they hold, and so have the fonts and icons that they use: hosts may let browsers
keep them for ever. Which files a bundle has follows from what pages name. What the pages of operations load, the most
pages of a site, is in the bundles that every page loads; the bundles of other kinds of pages come on top.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from posixpath import basename, relpath, splitext
from typing import Any
from urllib.parse import quote, unquote, unquote_to_bytes

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from devportal.markup import PageHead
from devportal.site.rendering.joined_modules import join_modules, module_graph
from devportal.site.rendering.joined_styles import Sheet, join_styles, packed_styles
from devportal.site.rendering.page_assets import packed_script
from devportal.site.rendering.page_texts import area_of

_OURS = "assets/devportal/"
IMMUTABLE = f"{_OURS}immutable/"
"""The folder of the files that never change, because their names do."""
_PRINT = f"{_OURS}print.css"
_HAND_WRITTEN = f"{_OURS}guides.css"
_AREAS = {"rates": "catalog", "coverage": "catalog", "changelog": "changelog"}
"""The style sheets of areas of a site."""
_FIRST_FONTS = ("inter", "jetbrains-mono")
"""The fonts that every page is drawn with."""
_START = ("start", "early")
"""Scripts that run before the page is there."""
_THEME_SHEET = re.compile(r"assets/stylesheets/(main|palette)\.[0-9a-f]+\.min\.css")
_THEME_NOTICE = (
    "Material for MkDocs, Copyright (c) 2016-2025 Martin Donath, MIT License: "
    "https://github.com/squidfunk/mkdocs-material/blob/master/LICENSE"
)
_ICON = re.compile(r"data:image/svg\+xml(?:;charset=utf-8)?,(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundles:
    """The bundles of a site, for its templates. Uris are from the root of the site."""

    joins_theme: bool
    """Whether the style sheets of the theme are joined, too."""
    fonts: tuple[str, ...]
    """The fonts to load before a style sheet asks for them."""
    start: str
    """The script that runs before the page is there."""
    sheets_of_every_page: tuple[str, ...] = field(repr=False)
    scripts_of_every_page: tuple[str, ...] = field(repr=False)
    parts: frozenset[str] = field(repr=False)
    """What can be joined: all that is ours, but not what a project has in its place."""
    bundle_by_parts: Mapping[tuple[str, ...], str] = field(repr=False)
    files: Mapping[str, bytes] = field(repr=False)
    """Bundles, and the fonts and icons that they use, by their uris."""
    sources: frozenset[str] = field(repr=False)
    """The files of the site that all of these are made of."""

    @property
    def names(self) -> tuple[object, ...]:
        """All that decides which files a page loads."""
        bundles = sorted(self.bundle_by_parts.items())
        return (
            self.joins_theme,
            self.fonts,
            self.start,
            self.sheets_of_every_page,
            self.scripts_of_every_page,
            sorted(self.parts),
            bundles,
        )

    def sheets(self, meta: Mapping[str, Any]) -> list[str]:
        """Return the style sheets of a page, by its metadata, in their order, quoted."""
        generated = meta.get("devportal")
        if generated:
            own = _sheets_of(generated["area"], map(unquote, generated["styles"]))
        else:
            own = [_HAND_WRITTEN, *meta.get("styles", ())] if meta else []
        return self._links([self.sheets_of_every_page, *self._runs_of_sheets(own)])

    def scripts(self, uris: Iterable[str]) -> list[str]:
        """Return the modules to load for those that a generated page names, in their order, all quoted."""
        return self._links(self._runs_of_scripts(map(unquote, uris)))

    def common_scripts(self) -> list[str]:
        """Return the modules that every page loads, in their order, quoted."""
        return self._links(_runs(self.scripts_of_every_page, self.parts))

    def _runs_of_sheets(self, uris: Iterable[str]) -> list[tuple[str, ...]]:
        own = [uri for uri in uris if uri not in self.sheets_of_every_page]
        return _runs(_before_print(own), self.parts)

    def _runs_of_scripts(self, uris: Iterable[str]) -> list[tuple[str, ...]]:
        return _runs((uri for uri in uris if uri not in self.scripts_of_every_page), self.parts)

    def _links(self, runs: Iterable[tuple[str, ...]]) -> list[str]:
        return [quote(self.bundle_by_parts.get(run, run[0])) for run in runs]


def _sheets_of(area: str, styles: Iterable[str]) -> list[str]:
    return [*([f"{_OURS}{_AREAS[area]}.css"] if area in _AREAS else []), *styles]


def _before_print(sheets: Sequence[str]) -> list[str]:
    """Return style sheets that come after those of every page, and once more the one for paper: it is the last."""
    return [*sheets, _PRINT] if sheets else []


def _runs(uris: Iterable[str], parts: frozenset[str]) -> list[tuple[str, ...]]:
    """Return what can be joined and stands together, and what cannot one by one, in their order."""
    runs: list[tuple[str, ...]] = []
    for is_part, group in groupby(uris, parts.__contains__):
        run = tuple(group)
        runs += [run] if is_part else [(uri,) for uri in run]
    return runs


def bundle_assets(
    files: Files, config: MkDocsConfig, heads: Sequence[PageHead], *, theme: Path, has_theme_scripts: bool
) -> Bundles:
    """Return the bundles of a site whose generated pages have these heads.

    `theme` is the folder of our templates; `files` has what a project puts in the place of a file of it.
    """
    writer = _BundleWriter(files, theme)
    options = config.extra["devportal"]
    of_operations = [head for head in heads if head.layout == "samples"]
    theme_sheets = sorted(file.src_uri for file in files if _THEME_SHEET.fullmatch(file.src_uri))
    sheets = (
        *theme_sheets,
        *([f"{_OURS}fonts.css"] if options["fonts"] else []),
        f"{_OURS}tokens.css",
        *([] if has_theme_scripts else [f"{_OURS}chrome.css"]),
        f"{_OURS}portal.css",
        *([f"{_OURS}switcher.css", f"{_OURS}apis.css"] if options["has_apis"] else []),
        *writer.distinct_parts(operation.styles for operation in of_operations),
        _PRINT,
    )
    scripts = (
        *([f"{_OURS}search.js"] if _has_search(config) else []),
        *writer.distinct_parts(operation.scripts for operation in of_operations),
        f"{_OURS}portal.js",
        *([] if has_theme_scripts else [f"{_OURS}chrome.js"]),
        f"{_OURS}copy.js",
    )
    for run in _runs(scripts, writer.parts):
        writer.join_scripts(run, "portal.js")
    writer.join_sheets(sheets, "portal.css")
    for run in _own_script_runs(heads, scripts, writer.parts):
        writer.join_scripts(run, basename(run[0]))
    for run in _own_sheet_runs(heads, sheets, writer.parts):
        writer.join_sheets(run, basename(run[0]))
    return Bundles(
        joins_theme=bool(theme_sheets),
        fonts=tuple(
            writer.publish(f"{_OURS}fonts/{name}.woff2")
            for name in (_FIRST_FONTS if options["fonts"] else ())
        ),
        start=writer.join_start(),
        sheets_of_every_page=sheets,
        scripts_of_every_page=scripts,
        parts=writer.parts,
        bundle_by_parts=writer.bundles,
        files=writer.written,
        sources=frozenset(writer.sources),
    )


def _own_script_runs(
    heads: Sequence[PageHead], common: tuple[str, ...], parts: frozenset[str]
) -> list[tuple[str, ...]]:
    """Return the runs of modules that some pages load beside those that are common to all."""
    return sorted(
        {run for head in heads for run in _runs((uri for uri in head.scripts if uri not in common), parts)}
    )


def _own_sheet_runs(
    heads: Sequence[PageHead], common: tuple[str, ...], parts: frozenset[str]
) -> list[tuple[str, ...]]:
    """Return the runs of style sheets that some pages load beside those that are common to all."""
    sheets_of_pages = (
        [_HAND_WRITTEN],
        [_HAND_WRITTEN, ""],  # with a style sheet of the project
        *(_sheets_of(area_of(head.uri), head.styles) for head in heads),
    )
    own = ([uri for uri in sheets if uri not in common] for sheets in sheets_of_pages)
    return sorted({run for sheets in own for run in _runs(_before_print(sheets), parts)})


def _has_search(config: MkDocsConfig) -> bool:
    """Return whether pages have a search dialog (`partials/header.html`)."""
    search: Any = config.plugins.get("material/search")
    return search is not None and bool(search.config.enabled)


class _BundleWriter:
    """Makes bundles of the files of a site."""

    def __init__(self, files: Files, theme: Path) -> None:
        self._files = files
        ours = {
            file.src_uri: file
            for file in files
            if file.src_uri.startswith(_OURS) and file.src_dir == str(theme)
        }
        self._modules = {uri: file.content_string for uri, file in ours.items() if uri.endswith(".js")}
        sheets = {
            file.src_uri for file in files if file.src_uri.startswith(_OURS) and file.src_uri.endswith(".css")
        }
        self.parts = frozenset({*sheets, *filter(self._can_join, self._modules)})
        self._packed_sheets = {uri for uri in ours if uri.endswith(".css")}
        self.bundles: dict[tuple[str, ...], str] = {}
        self.written: dict[str, bytes] = {}
        self.sources: set[str] = set()

    def _can_join(self, uri: str) -> bool:
        """Return whether a module and all that it imports are ours."""
        try:
            module_graph([uri], self._modules)
        except KeyError:
            return False
        return True

    def distinct_parts(self, names: Iterable[Iterable[str]]) -> tuple[str, ...]:
        """Return all names that can be joined, once each, in the order in which they appear."""
        return tuple(dict.fromkeys(uri for some in names for uri in some if uri in self.parts))

    def join_scripts(self, run: tuple[str, ...], name: str) -> None:
        """Join modules, if they can be, under a name that gets their digest."""
        if self.parts.issuperset(run):
            text = join_modules(run, self._modules, folder=IMMUTABLE)
            self.sources.update(run)
            self.bundles[run] = self._write(name, packed_script(text).encode())

    def join_start(self) -> str:
        """Join the scripts that run before the page is there; return the uri."""
        text = "".join(self._file(f"{_OURS}{name}.js").content_string for name in _START)
        return self._write("start.js", packed_script(text).encode())

    def join_sheets(self, run: tuple[str, ...], name: str) -> None:
        """Join style sheets, if they can be, under a name that gets their digest."""
        if self.parts.issuperset(uri for uri in run if not _THEME_SHEET.fullmatch(uri)):
            text = join_styles(map(self._sheet, run), self._link)
            self.bundles[run] = self._write(name, text.encode())

    def _sheet(self, uri: str) -> Sheet:
        text = self._file(uri).content_string
        return Sheet(
            uri=uri,
            text=packed_styles(text) if uri in self._packed_sheets else text,
            notice=_THEME_NOTICE if uri.startswith("assets/stylesheets/main.") else "",
            media="print" if uri == _PRINT else "",
        )

    def _link(self, target: str) -> str:
        """Return the link from a bundle to a file, by its uri, or to an image in a `data:` address."""
        if target.startswith("data:"):
            icon = _ICON.fullmatch(target)
            uri = self._write("icon.svg", unquote_to_bytes(icon[1])) if icon else target
        else:
            uri = self.publish(unquote(target))
        return uri if uri == target and uri.startswith("data:") else quote(relpath(uri, IMMUTABLE))

    def publish(self, uri: str) -> str:
        """Return the uri of a copy of a file that never changes; its own if the site has no such file."""
        file = self._files.get_file_from_path(uri)
        if file is None:
            return uri
        self.sources.add(uri)
        return self._write(basename(uri), file.content_bytes)

    def _file(self, uri: str) -> File:
        file = self._files.get_file_from_path(uri)
        if file is None:
            raise RuntimeError(f"{uri}: the theme has no such file")
        self.sources.add(uri)
        return file

    def _write(self, name: str, content: bytes) -> str:
        stem, ending = splitext(name)
        uri = f"{IMMUTABLE}{stem}.{hashlib.sha256(content).hexdigest()[:12]}{ending}"
        self.written[uri] = content
        return uri


def add_bundles(files: Files, config: MkDocsConfig, bundles: Bundles) -> None:
    """Put bundles into a site, and take out what only they need.

    A project with its own templates may name any of that: there it stays.
    """
    for uri, content in bundles.files.items():
        files.append(File.generated(config, uri, content=content))
    if config.theme.custom_dir:
        return
    for file in [file for file in files if file.src_uri.removesuffix(".map") in bundles.sources]:
        files.remove(file)
