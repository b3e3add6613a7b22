"""The hand-written pages of a site: their Markdown twins, and their places in the table of contents."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from pathlib import Path

from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as SitePage

from devportal.markup import SearchEntry, plain_text, url_of
from devportal.site.hand_written.inserting import definitions_in
from devportal.site.hand_written.python_objects import described_objects
from devportal.site.output.changed_text import write_changed_text
from devportal.site.output.llms import LlmsEntry
from devportal.site.output.skills import Skill, guide_skill, is_skill_name
from devportal.site.output.twins import TwinPublisher
from devportal.translation import gettext, gettext_noop

_FENCE = re.compile(r"(\s*)(`{3,}|~{3,})(.*)")
_FENCE_TITLE = re.compile(r"""\btitle=(?:"([^"]*)"|'([^']*)')""")
_ADMONITION = re.compile(r"""(?:!!!|\?\?\?\+?)\s*([\w-]+)[^"]*(?:"(.*)")?\s*""")
_TAB = re.compile(r"""===[!+]*\s*(?:"(.*)"|'(.*)')\s*""")
_BLOCK = re.compile(r"(\s*)(/{3,})\s*([\w-]+)\s*(?:\|\s*(.*?))?\s*")
"""The first line of a block of `pymdownx.blocks`, which ends with as many slashes alone: `/// note | Title`."""
_BLOCK_OPTION = re.compile(r"\s{4,}([\w-]+):\s*(.*?)\s*")
_QUOTED_BLOCKS = frozenset(
    {
        "admonition",
        "details",
        "note",
        "attention",
        "caution",
        "danger",
        "error",
        "tip",
        "hint",
        "warning",
        "important",
    }
)
"""Blocks that are admonitions; others, such as `html` and `caption`, are what they contain."""
_DIRECTIVE = re.compile(r":::\s*(\S+)\s*")
_ATTRIBUTES = re.compile(r"""\s*\{:?(?:\s*(?:[#.][\w-]+|[\w-]+=(?:"[^"]*"|'[^']*'|[\w-]+)))+\s*\}""")
_LAYOUT = re.compile(r"</?(?:div|section|article|figure|span)\b[^>]*>|</?(?:ol|ul|li)(?:\s[^>]*)?>")
_FOLD = re.compile(r"</?details(?:\s[^>]*)?>")
_SUMMARY = re.compile(r"<summary>(.*)</summary>")
_ICON = re.compile(r":(?:material|octicons|fontawesome|simple)-[\w-]+:\s?")
_COMMENT = re.compile(r"<!--.*?-->")
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
_CODE_BLOCK = re.compile(r"^(`{3,}|~{3,}).*?(?:^\1|\Z)", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^# ", re.MULTILINE)
_DEFINITION = re.compile(r":(?= {3}\S)")
_INDENT = "    "


def plain_markdown(source: str, *, title: str = "", objects: Iterable[str] = ()) -> str:
    """Return the source of a hand-written page as plain CommonMark; it starts with a heading of level one.

    `objects` is CommonMark to stand behind the name of the object of each directive `:::`.
    """
    lines = source.replace("\r\n", "\n").split("\n")
    body = "\n".join(_single_blanks(_plain_blocks(lines, iter(objects)))).strip("\n")
    is_headed = _HEADING.search(_CODE_BLOCK.sub("", body))
    head = "" if is_headed or not title else f"# {title}\n\n"
    return f"{head}{body}".strip() + "\n"


def _single_blanks(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines with no two empty ones in a row but in code."""
    before, fence = "", ""
    for line in lines:
        fence_line = _FENCE.fullmatch(line)
        if fence_line and not fence:
            fence = fence_line.group(2)
        elif fence_line and fence_line.group(2).startswith(fence) and not fence_line.group(3).strip():
            fence = ""
        if line.strip() or before.strip() or fence:
            yield line
        before = line


def _plain_blocks(lines: Sequence[str], objects: Iterator[str]) -> Iterator[str]:
    """Yield lines as plain CommonMark; blocks of the theme may contain further blocks."""
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if fence := _FENCE.fullmatch(line):
            end = _end_of_code(lines, number, fence.group(2))
            yield from _code_block_lines(fence, lines[number:end])
            number = end
        elif (opening := _BLOCK.fullmatch(line)) and (end := _end_of_block(lines, number, opening[2])):
            yield from _slash_block(opening, lines[number : end - 1], objects)
            number = end
        elif line.lstrip().startswith("<!--") and "-->" not in line:
            ends = (end + 1 for end in range(number, len(lines)) if "-->" in lines[end])
            number = next(ends, len(lines))
        elif _opens_theme_block(line):
            indent = line[: len(line) - len(line.lstrip())]
            end = _end_of_indented(lines, number, indent + _INDENT)
            inside = [line.removeprefix(indent + _INDENT) for line in lines[number:end]]
            block = _theme_block(line.strip(), inside, objects)
            yield from (f"{indent}{text}".rstrip() for text in block)
            number = end
        else:
            plain = _prose_line(line)
            if plain.strip() or not line.strip():
                yield plain


def _end_of_code(lines: Sequence[str], start: int, fence: str) -> int:
    """Return the number of the line behind a block of code, its closing fence included."""
    closing = re.compile(rf"\s*{re.escape(fence[0])}{{{len(fence)},}}\s*")
    return next(
        (number + 1 for number in range(start, len(lines)) if closing.fullmatch(lines[number])), len(lines)
    )


def _end_of_block(lines: Sequence[str], start: int, slashes: str) -> int:
    """Return the number of the line behind a block of `pymdownx.blocks`, 0 if nothing ends it."""
    return next((number + 1 for number in range(start, len(lines)) if lines[number].strip() == slashes), 0)


def _slash_block(opening: re.Match[str], inside: Sequence[str], objects: Iterator[str]) -> Iterator[str]:
    """Yield a block of `pymdownx.blocks` as the older syntaxes for the same are shown. Its options go."""
    indent, _, kind, title = opening.groups()
    own = [line.removeprefix(indent) for line in inside]
    options = [
        (option[1], option[2]) for option in takewhile(bool, map(_BLOCK_OPTION.fullmatch, own)) if option
    ]
    body = "\n".join(_plain_blocks(own[len(options) :], objects)).strip("\n").split("\n")
    is_quoted = kind in _QUOTED_BLOCKS
    named = dict(options).get("type", kind) if is_quoted else ""
    label = title or named.replace("-", " ").capitalize()
    block = [*([f"**{label}**", ""] if label else []), *body]
    lines = (f"> {text}".rstrip() for text in block) if is_quoted else block
    yield from ("", *(f"{indent}{text}".rstrip() for text in lines), "")


def _opens_theme_block(line: str) -> bool:
    text = line.strip()
    return any(pattern.fullmatch(text) for pattern in (_ADMONITION, _TAB, _DIRECTIVE))


def _end_of_indented(lines: Sequence[str], start: int, indent: str) -> int:
    end = start
    for number in range(start, len(lines)):
        if lines[number].startswith(indent):
            end = number + 1
        elif lines[number].strip():
            break
    return end


def _code_block_lines(fence: re.Match[str], lines: Sequence[str]) -> Iterator[str]:
    """Yield a block of code; its title becomes a line before it, other options go."""
    indent, fence_characters, options = fence.groups()
    title = _FENCE_TITLE.search(options)
    if title:
        yield f"{indent}{title.group(1) or title.group(2)}:"
        yield ""
    language = re.match(r"\s*\{?\s*\.?([\w+#-]*)", options)
    yield f"{indent}{fence_characters}{language.group(1) if language else ''}"
    yield from lines


def _theme_block(opening: str, inside: Sequence[str], objects: Iterator[str]) -> Iterator[str]:
    """Yield an admonition as a quote, a tab under its label, a directive as the name of its object and what is
    written about that.
    """
    yield ""
    if directive := _DIRECTIVE.fullmatch(opening):
        yield f"`{directive.group(1)}`"
        yield ""
        yield from next(objects, "").split("\n")
        yield ""
        return
    body = "\n".join(_plain_blocks(inside, objects)).strip("\n").split("\n") if inside else []
    if tab := _TAB.fullmatch(opening):
        yield f"**{tab.group(1) or tab.group(2)}**"
        yield ""
        yield from body
    elif admonition := _ADMONITION.fullmatch(opening):
        kind, label = admonition.groups()
        label = kind.replace("-", " ").capitalize() if label is None else label
        yield from (f"> {text}".rstrip() for text in ([f"**{label}**", ""] if label else []) + body)
    yield ""


def _prose_line(line: str) -> str:
    """Return a line of prose without layout; code spans are kept."""
    if line.strip() == "[TOC]" or _FOLD.fullmatch(line.strip()):
        return ""
    line = f"**{summary[1]}**" if (summary := _SUMMARY.fullmatch(line.strip())) else line
    line = _DEFINITION.sub("-", line, count=1) if line.startswith(":") else line
    parts, end = [], 0
    for code in _CODE.finditer(line):
        parts += [_without_layout(line[end : code.start()]), code.group()]
        end = code.end()
    return "".join((*parts, _without_layout(line[end:])))


def _without_layout(text: str) -> str:
    for pattern in (_COMMENT, _LAYOUT, _ATTRIBUTES, _ICON):
        text = pattern.sub("", text)
    return text


NO_SECTION = gettext_noop("Pages")
"""The section of pages that are in no section of the navigation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _PageRecord:
    llms_entry: LlmsEntry
    skill: str
    twin: str
    definitions: tuple[SearchEntry, ...]


class HandWrittenPages:
    """Gathers the pages of one build as MkDocs renders them."""

    def __init__(self) -> None:
        self._records: dict[str, _PageRecord] = {}

    def take(self, page: SitePage, markdown: str, html: str) -> None:
        """Take a rendered page, whose title is known, with its Markdown and HTML."""
        uri = page.file.src_uri
        title = plain_text(str(page.title or ""))
        sections = [item.title for item in page.ancestors]  # from the nearest one on
        self._records[uri] = _PageRecord(
            llms_entry=LlmsEntry(
                section=(sections[-1] if sections else "") or gettext(NO_SECTION),
                uri=uri,
                title=title or uri,
                description=str(page.meta.get("description") or ""),
            ),
            skill=str(page.meta.get("skill") or ""),
            twin=_plain_markdown_once(markdown, title, _objects_of(markdown, html)),
            definitions=_definitions_once(html) if _is_searched(page) else (),
        )

    def definitions(self) -> Iterator[tuple[str, SearchEntry]]:
        """Yield the definitions on the pages that search knows, each with the address of its page."""
        for uri, taken in self._records.items():
            yield from ((url_of(uri), definition) for definition in taken.definitions)

    def write_twins(self, folder: Path, twins: TwinPublisher) -> None:
        """Write the twins, as they are published, into the folder of the built site, each at the path of its source."""
        for uri, taken in self._records.items():
            write_changed_text(folder / uri, twins.publish(uri, taken.twin))

    def skills(self, twins: TwinPublisher) -> Iterator[Skill]:
        """Yield the pages whose front matter names a skill, in the order of their uris."""
        for uri, taken in sorted(self._records.items()):
            if is_skill_name(taken.skill):
                entry = taken.llms_entry
                yield guide_skill(
                    taken.skill, entry.description or entry.title, twins.publish(uri, taken.twin)
                )

    def llms_entries(self, nav: Navigation) -> tuple[LlmsEntry, ...]:
        """Return the pages in the order of the navigation, then those that are not in it."""
        in_order = (page.file.src_uri for page in nav.pages)
        uris = dict.fromkeys((*(uri for uri in in_order if uri in self._records), *sorted(self._records)))
        return tuple(self._records[uri].llms_entry for uri in uris)


@lru_cache(maxsize=2_000)
def _plain_markdown_once(source: str, title: str, objects: tuple[str, ...]) -> str:
    """Return `plain_markdown`, worked out once for all builds of a process, such as those of a served portal."""
    return plain_markdown(source, title=title, objects=objects)


def _objects_of(markdown: str, html: str) -> tuple[str, ...]:
    """Return what the HTML of a page has for each of its directives; nothing if they cannot be distinguished."""
    if ":::" not in markdown:
        return ()
    directives = sum(_DIRECTIVE.fullmatch(line.strip()) is not None for line in markdown.splitlines())
    objects = described_objects(html) if directives else ()
    return objects if len(objects) == directives else ()


@lru_cache(maxsize=2_000)
def _definitions_once(html: str) -> tuple[SearchEntry, ...]:
    """Return `definitions_in`, worked out once as well."""
    return tuple(definitions_in(html))


def _is_searched(page: SitePage) -> bool:
    """Return whether the search includes a page: its front matter does not exclude it."""
    search_options = page.meta.get("search")
    return not (isinstance(search_options, dict) and search_options.get("exclude"))
