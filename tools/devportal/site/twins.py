"""Markdown twins of hand-written pages: their source, without what only this theme understands.

Front matter is gone before this; attribute lists, HTML that only lays out, admonitions, tabs and directives
become plain CommonMark, lists of definitions plain lists. Code is left as it is.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

_FENCE = re.compile(r"(\s*)(`{3,}|~{3,})(.*)")
_FENCE_TITLE = re.compile(r"""\btitle=(?:"([^"]*)"|'([^']*)')""")
_ADMONITION = re.compile(r"""(?:!!!|\?\?\?\+?)\s*([\w-]+)[^"]*(?:"(.*)")?\s*""")
_TAB = re.compile(r"""===[!+]*\s*(?:"(.*)"|'(.*)')\s*""")
_DIRECTIVE = re.compile(r":::\s*(\S+)\s*")
_ATTRIBUTES = re.compile(r"""\s*\{:?(?:\s*(?:[#.][\w-]+|[\w-]+=(?:"[^"]*"|'[^']*'|[\w-]+)))+\s*\}""")
_LAYOUT = re.compile(r"</?(?:div|section|article|figure|span)\b[^>]*>|</?(?:ol|ul|li)(?:\s[^>]*)?>")
_ICON = re.compile(r":(?:material|octicons|fontawesome|simple)-[\w-]+:\s?")
_COMMENT = re.compile(r"<!--.*?-->")
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
_CODE_BLOCK = re.compile(r"^(`{3,}|~{3,}).*?(?:^\1|\Z)", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^# ", re.MULTILINE)
_DEFINITION = re.compile(r":(?= {3}\S)")
_INDENT = "    "


def plain_markdown(source: str, *, title: str = "") -> str:
    """Return the source of a hand-written page as plain CommonMark; it starts with a heading of level one."""
    lines = source.replace("\r\n", "\n").split("\n")
    body = "\n".join(_single_blanks(_blocks(lines))).strip("\n")
    is_headed = _HEADING.search(_CODE_BLOCK.sub("", body))
    head = "" if is_headed or not title else f"# {title}\n\n"
    return f"{head}{body}".strip() + "\n"


def _single_blanks(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines with no two empty ones in a row but in code."""
    before, fence = "", ""
    for line in lines:
        mark = _FENCE.fullmatch(line)
        if mark and not fence:
            fence = mark.group(2)
        elif mark and mark.group(2).startswith(fence) and not mark.group(3).strip():
            fence = ""
        if line.strip() or before.strip() or fence:
            yield line
        before = line


def _blocks(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines as they stand in plain CommonMark; blocks of the theme hold blocks themselves."""
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if fence := _FENCE.fullmatch(line):
            end = _end_of_code(lines, number, fence.group(2))
            yield from _code(fence, lines[number:end])
            number = end
        elif line.lstrip().startswith("<!--") and "-->" not in line:
            ends = (end + 1 for end in range(number, len(lines)) if "-->" in lines[end])
            number = next(ends, len(lines))
        elif _opens_theme_block(line):
            indent = line[: len(line) - len(line.lstrip())]
            end = _end_of_indented(lines, number, indent + _INDENT)
            inside = [one.removeprefix(indent + _INDENT) for one in lines[number:end]]
            yield from (f"{indent}{one}".rstrip() for one in _theme_block(line.strip(), inside))
            number = end
        else:
            plain = _text(line)
            if plain.strip() or not line.strip():
                yield plain


def _end_of_code(lines: Sequence[str], start: int, fence: str) -> int:
    """Return the number of the line behind a block of code, its closing fence included."""
    closing = re.compile(rf"\s*{re.escape(fence[0])}{{{len(fence)},}}\s*")
    return next(
        (number + 1 for number in range(start, len(lines)) if closing.fullmatch(lines[number])), len(lines)
    )


def _opens_theme_block(line: str) -> bool:
    text = line.strip()
    return any(one.fullmatch(text) for one in (_ADMONITION, _TAB, _DIRECTIVE))


def _end_of_indented(lines: Sequence[str], start: int, indent: str) -> int:
    end = start
    for number in range(start, len(lines)):
        if lines[number].startswith(indent):
            end = number + 1
        elif lines[number].strip():
            break
    return end


def _code(fence: re.Match[str], lines: Sequence[str]) -> Iterator[str]:
    """Yield a block of code; its title becomes a line before it, other options go."""
    indent, marks, options = fence.groups()
    title = _FENCE_TITLE.search(options)
    if title:
        yield f"{indent}{title.group(1) or title.group(2)}:"
        yield ""
    language = re.match(r"\s*\{?\s*\.?([\w+#-]*)", options)
    yield f"{indent}{marks}{language.group(1) if language else ''}"
    yield from lines


def _theme_block(opening: str, inside: Sequence[str]) -> Iterator[str]:
    """Yield an admonition as a quote, a tab under its label, a directive as the name it is about."""
    body = "\n".join(_blocks(inside)).strip("\n").split("\n") if inside else []
    yield ""
    if directive := _DIRECTIVE.fullmatch(opening):
        yield f"`{directive.group(1)}`"
    elif tab := _TAB.fullmatch(opening):
        yield f"**{tab.group(1) or tab.group(2)}**"
        yield ""
        yield from body
    elif admonition := _ADMONITION.fullmatch(opening):
        kind, label = admonition.groups()
        label = kind.replace("-", " ").capitalize() if label is None else label
        yield from (f"> {one}".rstrip() for one in ([f"**{label}**", ""] if label else []) + body)
    yield ""


def _text(line: str) -> str:
    """Return a line of prose without layout; what stands in code spans is kept."""
    if line.strip() == "[TOC]":
        return ""
    line = _DEFINITION.sub("-", line, count=1) if line.startswith(":") else line
    pieces, end = [], 0
    for code in _CODE.finditer(line):
        pieces += [_without_layout(line[end : code.start()]), code.group()]
        end = code.end()
    return "".join((*pieces, _without_layout(line[end:])))


def _without_layout(text: str) -> str:
    for pattern in (_COMMENT, _LAYOUT, _ATTRIBUTES, _ICON):
        text = pattern.sub("", text)
    return text
