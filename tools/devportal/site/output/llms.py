"""Files for programs at the root of a site: `llms.txt`, a sitemap, robots."""

import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import starmap
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote, urljoin, urlsplit

from devportal.language import OURS, is_of_interface
from devportal.markup import PageHead, SearchKind
from devportal.reference.addresses import (
    LLMS,
    LLMS_FULL,
    LLMS_SECTIONS,
    OPENAPI_JSON,
    OPENAPI_YAML,
    POSTMAN,
    SKILLS_INDEX,
)
from devportal.reference.markup import code_span, is_name_sentence, text_to_line
from devportal.site.cache.targets import remove_targets
from devportal.site.language import heading_id
from devportal.site.output.changed_text import write_changed_text
from devportal.translation import format_number, gettext, gettext_noop, ngettext

OPTIONAL = "Optional"
"""The section that a reader with little room may skip: its name is part of the format."""

EVENTS = gettext_noop("Events")
_API_REFERENCE = gettext_noop("API reference")
_TITLES = (
    EVENTS,
    _API_REFERENCE,
    *map(gettext_noop, ("Changelog", "Coverage", "Errors", "Rates", "Schemas")),
)
"""Sections that the toolkit names: their files are called in English in every language."""

MOST_CHARACTERS = 45_000
"""How many characters a file of the table of contents has at most. The Agent-Friendly Documentation Spec asks for
50,000 (`llms-txt-size`)."""

_PART_CHARACTERS = MOST_CHARACTERS - 1_000
"""How many of them are for the lines of a section that has its own file."""

_CONTRACT_FILES = (
    (OPENAPI_YAML, gettext_noop("the contract of the API in OpenAPI, as YAML")),
    (OPENAPI_JSON, gettext_noop("the same as JSON")),
    (POSTMAN, gettext_noop("its requests as a Postman collection")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmsEntry:
    """A page as `llms.txt` lists it; `uri` is that of its Markdown twin. `note` stands before the words,
    and so does `name`, such as an operationId.
    """

    section: str
    uri: str
    title: str
    description: str = ""
    note: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSummary:
    """What `llms.txt` says of a site as a whole. `changes` is the uri of the list of changes, empty without one."""

    title: str
    description: str = ""
    url: str = ""
    language: str = OURS
    has_contract: bool = False
    apis: Mapping[str, str] = field(default_factory=dict)
    """The titles of several APIs by the folders of their references."""
    has_skills: bool = False
    changes: str = ""
    pages: tuple[LlmsEntry, ...] = field(repr=False)

    root: str = ""
    """The way to the root of the site from the file that is written, such as `../`."""

    def address(self, uri: str) -> str:
        """Return the address of a file, relative to the file that is written where the site's own is not known."""
        return urljoin(f"{self.url.rstrip('/')}/", quote(uri)) if self.url else f"{self.root}{quote(uri)}"


def llms_entries(
    heads: Sequence[PageHead], *, overview: str, apis: Mapping[str, str] = MappingProxyType({})
) -> tuple[LlmsEntry, ...]:
    """Return generated pages by the folders they lie in; a folder is called as its first page is.

    `apis` are the titles of several APIs by the folders of their references: sections below these begin with them.
    A page that is alone in its folder, such as one of many countries, is listed with the folder above.
    """
    titles = {posixpath.dirname(head.uri): head.title for head in heads if head.uri.endswith("index.md")}
    titles[posixpath.dirname(overview) or "reference"] = gettext(_API_REFERENCE)
    if apis:
        titles = {folder: _title_of_api(folder, title, apis) for folder, title in titles.items()}
    pages = Counter(posixpath.dirname(head.uri) for head in heads)
    return tuple(
        LlmsEntry(
            section=_entry_section(head, titles, pages, overview, apis),
            uri=head.uri,
            title=head.title,
            description="" if note and is_name_sentence(head.description, note) else head.description,
            note=note,
            name=name,
        )
        for head in heads
        for note, name in (_operation_names(head),)
    )


def _title_of_api(folder: str, title: str, apis: Mapping[str, str]) -> str:
    """Return the title of a folder with that of its API before it."""
    for above, api in apis.items():
        if folder == above:
            return api
        if folder.startswith(f"{above}/"):
            return gettext("%(api)s: %(title)s", api=api, title=title)
    return title


def _entry_section(
    head: PageHead,
    titles: Mapping[str, str],
    pages: Mapping[str, int],
    overview: str,
    apis: Mapping[str, str],
) -> str:
    if head.uri == overview:
        return titles[posixpath.dirname(overview) or "reference"]
    own = head.search[0] if head.search else None  # the others are of parts of the page, such as callbacks
    if own is not None and own.kind is SearchKind.EVENT and own.tags:
        return _title_of_api(posixpath.dirname(head.uri), gettext(EVENTS), apis)
    if own is not None and own.kind is SearchKind.SCHEMA:
        return OPTIONAL
    folder = posixpath.dirname(head.uri)
    while (
        folder in titles and pages[folder] == 1 and (above := posixpath.dirname(folder)) in titles and above
    ):
        folder = above
    return titles.get(folder, OPTIONAL)


def _operation_names(head: PageHead) -> tuple[str, str]:
    """Return what a request is known by, such as `POST /v1/orders` and `createOrder`."""
    kinds = (SearchKind.OPERATION, SearchKind.EVENT)
    tags = next((entry.tags for entry in head.search if entry.kind in kinds and entry.tags), ())
    note, name, *_ = (*tags, "", "")
    return note, name


def write_llms(folder: Path, site: SiteSummary, twin: Callable[[str], str]) -> None:
    """Write the table of contents and the whole into the folder of a built site.

    `twin` returns the Markdown twin at a uri as it is to stand in the whole.
    """
    texts = llms_texts(site, _write_llms_full(folder, site, twin))
    written = {f"{LLMS_SECTIONS}/{file.name}" for file in (folder / LLMS_SECTIONS).glob("*.txt")}
    remove_targets(folder, written - texts.keys())
    for uri, text in texts.items():
        write_changed_text(folder / uri, text)


def _write_llms_full(folder: Path, site: SiteSummary, twin: Callable[[str], str]) -> int:
    """Write all twins, one after the other, each under its address; return how many bytes that makes."""
    with (folder / LLMS_FULL).open("wb") as whole:
        for number, page in enumerate(site.pages):
            rule = "\n---\n\n" if number else ""
            source = gettext("Source: %(address)s", address=site.address(page.uri))
            whole.write(f"{rule}{source}\n\n{twin(page.uri)}".encode())
        return whole.tell()


def llms_texts(site: SiteSummary, size_bytes: int) -> dict[str, str]:
    """Return the files of the table of contents by uri; `size_bytes` is that of the whole in one file.

    Programs cut long files off. So where `llms.txt` would have more than `MOST_CHARACTERS`, its longest
    sections get their own files, and it links to them (Agent-Friendly Documentation Spec, `llms-txt-size`).
    """
    head, sections = _head(site, size_bytes), _sections(site)
    moved = _sections_to_move(sections, len(head))
    texts: dict[str, str] = {}
    inside = replace(site, root="../")  # a file of a section is in a folder
    lines_inside = _sections(inside) if moved else {}
    for title, stem in _file_stems(moved).items():
        parts = _split_lines(lines_inside[title])
        uris = [
            f"{stem}.{number}.txt" if len(parts) > 1 else f"{stem}.txt" for number in range(1, len(parts) + 1)
        ]
        names = _part_names(title, len(parts))
        texts |= {
            uri: _section_file(name, title, part, inside)
            for uri, name, part in zip(uris, names, parts, strict=True)
        }
        sections[title] = [
            f"- [{text_to_line(name)}]({site.address(uri)}): {_count_pages(len(part))}"
            for uri, name, part in zip(uris, names, parts, strict=True)
        ]
    return {LLMS: "\n\n".join((head, *starmap(_section_text, sections.items()))) + "\n", **texts}


def _head(site: SiteSummary, size_bytes: int) -> str:
    parts = [f"# {text_to_line(site.title)}"]
    if site.description:
        parts.append(f"> {text_to_line(site.description)}")
    if not is_of_interface(site.language):
        parts.append(f"Language: {site.language}; the words around the texts of the API are English.")
    parts.append(
        gettext(
            "Every page of this site is also plain Markdown: the links below lead there. "
            "All of them in one file: %(link)s (%(size)s).",
            link=f"[{LLMS_FULL}]({site.address(LLMS_FULL)})",
            size=_format_size(size_bytes),
        )
    )
    return "\n\n".join(parts)


def _sections(site: SiteSummary) -> dict[str, list[str]]:
    """Return the lines of each section by its title, the optional section last."""
    sections: dict[str, list[str]] = {}
    for page in site.pages:
        sections.setdefault(page.section, []).append(_entry_line(page, site))
    optional = sections.pop(OPTIONAL, [])
    if site.changes:
        what = gettext("the changes of the API in all releases, as JSON")
        optional.insert(0, f"- [{site.changes}]({site.address(site.changes)}): {what}")
    for folder, title in site.apis.items():
        optional += [
            f"- [{folder}/{uri}]({site.address(f'{folder}/{uri}')}): {text_to_line(title)}, {gettext(what)}"
            for uri, what in _CONTRACT_FILES
        ]
    if site.has_contract:
        optional[:0] = [f"- [{uri}]({site.address(uri)}): {gettext(what)}" for uri, what in _CONTRACT_FILES]
    if site.has_skills:
        address = site.address(SKILLS_INDEX)
        words, about = gettext("Skills for agents"), gettext("steps to use the API, as Agent Skills")
        optional.insert(0, f"- [{words}]({address}): {about}")
    return {**sections, OPTIONAL: optional} if optional else sections


def _section_text(title: str, lines: Sequence[str]) -> str:
    return f"## {text_to_line(title)}\n\n" + "\n".join(lines)


def _section_file(name: str, title: str, lines: Sequence[str], site: SiteSummary) -> str:
    about = gettext(
        "A section of %(link)s, the pages of %(site)s.",
        link=f"[{LLMS}]({site.address(LLMS)})",
        site=text_to_line(site.title),
    )
    return f"# {text_to_line(name)}\n\n> {about}\n\n{_section_text(title, lines)}\n"


def _sections_to_move(sections: Mapping[str, Sequence[str]], head_characters: int) -> list[str]:
    """Return the titles of the longest sections: without their lines the rest is short enough."""
    sizes = {title: len(_section_text(title, lines)) for title, lines in sections.items()}
    rest = head_characters + sum(sizes.values())
    moved: list[str] = []
    for title, size in sorted(sizes.items(), key=lambda item: -item[1]):
        if rest <= MOST_CHARACTERS:
            break
        moved.append(title)
        rest -= size
    return moved


def _file_stems(titles: Iterable[str]) -> dict[str, str]:
    """Return the uri of the file of each section without its ending; titles may differ in signs only."""
    stems: dict[str, str] = {}
    english = {gettext(title): title for title in _TITLES}
    for title in titles:
        stem = f"{LLMS_SECTIONS}/{heading_id(english.get(title, title), '-') or 'section'}"
        while stem in stems.values():
            stem += "-"
        stems[title] = stem
    return stems


def _split_lines(lines: Iterable[str]) -> list[list[str]]:
    """Return the lines of a section in the parts that have room in one file each."""
    parts: list[list[str]] = [[]]
    characters = 0
    for line in lines:
        if parts[-1] and characters + len(line) > _PART_CHARACTERS:
            parts.append([])
            characters = 0
        parts[-1].append(line)
        characters += len(line) + 1
    return parts


def _part_names(title: str, parts: int) -> list[str]:
    if parts == 1:
        return [title]
    return [
        gettext("%(title)s, part %(number)s of %(parts)s", title=title, number=number, parts=parts)
        for number in range(1, parts + 1)
    ]


def _count_pages(count: int) -> str:
    return ngettext("%(number)s page", "%(number)s pages", count)


def _entry_line(page: LlmsEntry, site: SiteSummary) -> str:
    names = " ".join(code_span(text) for text in (page.note, page.name) if text)
    words = ": ".join(filter(None, (names, text_to_line(page.description))))
    return f"- [{text_to_line(page.title)}]({site.address(page.uri)}){': ' if words else ''}{words}"


def _format_size(size_bytes: int) -> str:
    """Return a size as people say it, in decimal units."""
    for unit, size in (("MB", 1_000_000), ("KB", 1_000)):
        if size_bytes >= size:
            return f"{_in_language(f'{size_bytes / size:.1f}'.removesuffix('.0'))} {unit}"
    return ngettext("%(number)s byte", "%(number)s bytes", size_bytes)


def _in_language(number: str) -> str:
    """Return a number with the decimal point of the language."""
    return number if "." not in number else format_number(float(number))


def write_for_crawlers(folder: Path, site_url: str) -> None:
    """Take away the sitemap where the site's address is not known: it is empty then, which no reader accepts.

    Where the site is the root of its host, `robots.txt` names the sitemap; one that is there already stays.
    """
    if not site_url:
        for name in ("sitemap.xml", "sitemap.xml.gz"):
            (folder / name).unlink(missing_ok=True)
        return
    robots = folder / "robots.txt"
    if urlsplit(site_url).path in ("", "/") and not robots.exists():
        sitemap = urljoin(f"{site_url.rstrip('/')}/", "sitemap.xml")
        robots.write_text(f"User-agent: *\nAllow: /\n\nSitemap: {sitemap}\n", encoding="utf-8")
