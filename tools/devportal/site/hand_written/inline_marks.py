"""Marks in lines of prose that extensions of PyMdown know and CommonMark does not: `==marked==`, `++ctrl+c++`."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

_OPAQUE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)|\]\([^)\n]*\)|</?[a-zA-Z][^>\n]*>|https?://\S+")
"""What has no marks: code, the targets of links, tags and addresses."""
_KEY_NAMES = {
    "cmd": "Cmd",
    "ctrl": "Ctrl",
    "del": "Del",
    "esc": "Esc",
    "arrow-up": "Up",
    "arrow-down": "Down",
}


class _Notation(NamedTuple):
    pattern: re.Pattern[str]
    plain: str | Callable[[re.Match[str]], str]


def _keys(match: re.Match[str]) -> str:
    """Return a combination of keys as code: `Ctrl+Alt+F4`. A key in quotes is its text."""
    keys = re.findall(r'"[^"]+"|[\w-]+', match[1])
    names = (key.strip('"') if key.startswith('"') else _key_name(key) for key in keys)
    return f"`{'+'.join(names)}`"


def _key_name(key: str) -> str:
    return _KEY_NAMES.get(key.lower(), " ".join(word.capitalize() for word in key.split("-")))


def _between(mark: str) -> re.Pattern[str]:
    """Return what matches a text between two marks, each of which touches it."""
    sign = re.escape(mark)
    return re.compile(rf"(?<!{sign[-1:]}){sign}(?![\s{sign[-1:]}])(.+?)(?<![\s]){sign}(?!{sign[-1:]})")


_NOTATIONS = {
    "pymdownx.critic": (
        _Notation(re.compile(r"\{~~(.*?)~>(.*?)~~\}"), r"\2"),
        _Notation(re.compile(r"\{(?:\+\+|==)(.*?)(?:\+\+|==)\}"), r"\1"),
        _Notation(re.compile(r"\{(?:--.*?--|>>.*?<<)\}"), ""),
    ),
    "pymdownx.keys": (
        _Notation(re.compile(r'\+\+((?:"[^"\n]+"|[\w-]+)(?:\+(?:"[^"\n]+"|[\w-]+))*)\+\+'), _keys),
    ),
    "pymdownx.mark": (_Notation(_between("=="), r"\1"),),
    "pymdownx.caret": (
        _Notation(re.compile(r"\^\^(?!\s)(.+?)(?<!\s)\^\^"), r"\1"),
        _Notation(re.compile(r"(?<=\S)\^([^\s^]+)\^"), r"^\1"),
    ),
    "pymdownx.tilde": (_Notation(re.compile(r"(?<=[^\s~])~([^\s~]+)~(?!~)"), r"\1"),),
}
"""How each extension writes something, and its plain form. Text that is struck out, `~~so~~`, is plain already."""


_FENCE = re.compile(r"\s*(`{3,}|~{3,})[^`]*")


def expand_inline_marks(source: str, extensions: Collection[str]) -> str:
    """Return a page with the marks of these extensions in a plain form; blocks of code are kept."""
    notations = [notation for name, known in _NOTATIONS.items() if name in extensions for notation in known]
    return "\n".join(_plain_lines(source.split("\n"), notations)) if notations else source


def _plain_lines(lines: Iterable[str], notations: Sequence[_Notation]) -> Iterator[str]:
    fence = ""
    for line in lines:
        found = _FENCE.fullmatch(line)
        if fence or found:
            yield line
        else:
            yield _plain_line(line, notations)
        if found and not fence:
            fence = found[1]
        elif found and line.strip().startswith(fence):
            fence = ""


def _plain_line(line: str, notations: Sequence[_Notation]) -> str:
    opaque: list[str] = []

    def hide(match: re.Match[str]) -> str:
        opaque.append(match.group())
        return f"\0{len(opaque) - 1}\0"

    hidden = _OPAQUE.sub(hide, line)
    for notation in notations:
        hidden = notation.pattern.sub(notation.plain, hidden)
    return re.sub("\0(\\d+)\0", lambda match: opaque[int(match[1])], hidden)
