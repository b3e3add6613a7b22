"""What is wrong with `nav`: pages that it names and the site lacks, and pages that it lacks."""

import logging
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files

from devportal.findings import Finding, error_finding
from devportal.project.inputs import Inputs
from devportal.project.settings import path_settings
from devportal.project.settings_file import PLUGIN
from devportal.site.generated_pages import GeneratedPages
from devportal.site.mkdocs_messages import setting_warnings, warning_text
from devportal.site.rendering.page_texts import area_of
from devportal.site.wrong_settings import find_setting, find_value, settings_files_of
from devportal.suggestions import closest_name

_RULE = "project-setting"
_CLOSE = 0.8
"""How alike the uri of another page is that a message suggests, as `difflib` measures it."""
_MISSING_PAGE = re.compile(
    r"A reference to '(.+)' is included in the 'nav' configuration, which is not found .*"
)
_OMITTED_PAGES = re.compile(
    r"The following pages exist in the docs directory, but are not included .*", re.DOTALL
)
"""How MkDocs reports them; each omitted page has a line."""


def missing_pages(
    config: MkDocsConfig, inputs: Inputs, uris: Collection[str], generated: GeneratedPages
) -> Iterator[Finding]:
    """Yield a problem for each entry of `nav` that leads to none of the files with these `uris` and to no generated
    page.
    """
    if config.validation.nav.not_found < logging.WARNING:
        return
    for uri in _paths(config.nav):
        if uri not in uris and not _may_be_a_file(uri) and not generated.has(uri):
            yield missing_page(uri, config, inputs, {*uris, *generated.candidates})


def pages_to_add(
    config: MkDocsConfig, inputs: Inputs, files: Files, generated: GeneratedPages
) -> Iterator[Finding]:
    """Yield a problem for each page that `nav` lacks, if the project wants to know of them."""
    if config.nav is None or config.validation.nav.omitted_files < logging.WARNING:
        return
    listed = {*_paths(config.nav)}
    written = {
        file.src_uri
        for file in files.documentation_pages()
        if file.inclusion.is_in_nav()  # type: ignore[no-untyped-call]
    }
    for uri in sorted({*written, *generated.indexes} - listed):
        yield omitted_page(uri, config, inputs)


def missing_page(uri: str, config: MkDocsConfig, inputs: Inputs, pages: Collection[str]) -> Finding:
    """Return the problem of an entry of `nav` whose page the site lacks. `pages` are what it may mean."""
    return error_finding(
        _RULE,
        find_value(_path_of_nav(inputs), uri, settings_files_of(config)),
        f"'nav' names {uri!r}, but the site has no such page",
        _advice(uri, config, inputs, pages),
    )


def omitted_page(uri: str, config: MkDocsConfig, inputs: Inputs) -> Finding:
    """Return the problem of a page that is missing in `nav`."""
    is_written = Path(config.docs_dir, uri).is_file()  # MkDocs hides no other pages
    return error_finding(
        _RULE,
        find_setting(_path_of_nav(inputs), settings_files_of(config))[1],
        f"'nav' does not have the page {uri!r}",
        f"add it, as in '- {_title(uri)}: {uri}'{', or list it under not_in_nav' if is_written else ''}",
    )


def with_places(
    messages: Iterable[str], config: MkDocsConfig, inputs: Inputs, generated: Iterable[str]
) -> Iterator[str]:
    """Yield messages of MkDocs, those about settings with the place and what to do. `generated` are uris of pages."""
    files = settings_files_of(config)
    for message in messages:
        if missing := _MISSING_PAGE.fullmatch(message):
            docs = Path(config.docs_dir)
            written = (path.relative_to(docs).as_posix() for path in docs.rglob("*.md"))
            yield warning_text(missing_page(missing[1], config, inputs, {*written, *generated}))
        elif _OMITTED_PAGES.fullmatch(message):
            for line in message.splitlines()[1:]:
                uri = Path(line.removeprefix("  - ")).as_posix()
                yield warning_text(omitted_page(uri, config, inputs))
        elif message.startswith("section-index plugin couldn't detect a supported theme"):
            finding = error_finding(
                _RULE, find_setting(("plugins", "section-index"), files)[1], *_NO_SECTION_INDEX
            )
            yield warning_text(finding)
        else:
            yield from [*setting_warnings(message, files)] or [message]


_NO_SECTION_INDEX = (
    "the plugin 'section-index' does not know the navigation of this theme",
    "remove it: the first page of a group is the page of the group if it is an index.md",
)


def _paths(nav: Any) -> Iterator[str]:
    """Yield the paths of all entries below `nav` that lead to a page of the site."""
    match nav:
        case str():
            parts = urlsplit(nav)
            if not parts.scheme and not parts.netloc and not nav.startswith("/"):
                yield nav
        case list():
            for item in nav:
                yield from _paths(item)
        case dict():
            for item in nav.values():
                yield from _paths(item)


def _may_be_a_file(uri: str) -> bool:
    """Say whether an entry may lead to a generated file, such as a feed, in place of a page."""
    path = PurePosixPath(uri)
    return path.suffix not in ("", ".md") or path.name.startswith(".")


def _path_of_nav(inputs: Inputs) -> tuple[str, ...]:
    """Return the path of the `nav` of the audience that the site is for, or else of the project's."""
    audience = inputs.chosen_audience
    if audience is None or audience.nav is None:
        return ("nav",)
    return ("plugins", PLUGIN, "audiences", audience.name, "nav")


def _advice(uri: str, config: MkDocsConfig, inputs: Inputs, pages: Collection[str]) -> str:
    """Return what to do about an entry whose page the site lacks."""
    if meant := closest_name(uri, pages, likeness=_CLOSE):
        return f"did you mean {meant!r}?"
    setting = next((name for name, kind in path_settings().items() if area_of(uri) in kind.pages), "")
    if setting and all(getattr(project, setting) is None for project in (inputs, *inputs.apis)):
        return f"the setting '{setting}' makes the pages of '{area_of(uri)}/': set it, or remove the entry from 'nav'"
    return f"add the page {Path(config.docs_dir).name}/{uri}, or remove the entry from 'nav'"


def _title(uri: str) -> str:
    """Return a title for a page that has none yet, from its uri."""
    path = PurePosixPath(uri)
    name = path.parent.name if path.stem in ("index", "README") else path.stem
    return name.replace("-", " ").replace("_", " ").capitalize() or "Home"
