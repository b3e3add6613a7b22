"""Where a search leads: the addresses in its index, and where a JSON file has its texts."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from devportal.contract.wording import split_camel_case
from devportal.site.links.link import Link, Reading
from devportal.site.search.index import COLUMN_SEPARATOR, lines_of

_TEXT = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')


def string_offsets(text: str) -> Mapping[str, int]:
    """Return where each text first stands in JSON that parses, names of members included: at its quote."""
    found: dict[str, int] = {}
    for match in _TEXT.finditer(text):
        written = match.group()
        found.setdefault(json.loads(written) if "\\" in written else written[1:-1], match.start())
    return found


def json_string_at(text: str, offset: int) -> str:
    """Return the text that stands at an offset as it is written, quotes included; nothing where none does."""
    match = _TEXT.match(text, offset)
    return match.group() if match else ""


_DERIVED_MARK = " "
"""Stands for the end of a cell that is made from others."""
_COLUMN_END = re.compile(r"\x7f|\\u007[fF]")
"""The end of a line of a column, as JSON may write it."""
_TEXTS, _METHODS = 5, 5
"""How many columns hold texts: address, title, first tag, other tags, text; and the one that has methods."""


def read_search_index(text: str) -> Reading:
    """Read the index of a search. Raises ValueError where it is none."""
    index, offsets = json.loads(text), string_offsets(text)
    try:
        links = (
            _theme_index_links(index["docs"], offsets)
            if "docs" in index
            else _own_index_links(index["pages"], text, offsets)
        )
        return Reading(links=tuple(links), base="../")
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise ValueError("it is no index of a search") from error


def _theme_index_links(entries: Sequence[Any], offsets: Mapping[str, int]) -> Iterator[Link]:
    for entry in entries:
        address = str(entry["location"])
        yield Link(address, offsets.get(address, 0))


def _own_index_links(
    pages: Mapping[str, Sequence[str]], text: str, offsets: Mapping[str, int]
) -> Iterator[Link]:
    """Yield the address of each entry, and where its line of the column begins."""
    for columns in pages.values():
        start = offsets.get(columns[0], 0)
        lines = [start + 1, *(start + one.end() for one in _COLUMN_END.finditer(json_string_at(text, start)))]
        for address, offset in zip(addresses_of(columns), lines, strict=False):
            page, *anchor = address.split("#")
            yield Link("#".join((page, *anchor[:1])), offset)


def addresses_of(columns: Sequence[str]) -> Iterator[str]:
    """Yield the whole address of each entry of a kind of page."""
    addresses, *cells = (list(lines_of(column)) for column in columns[:_TEXTS])
    methods = columns[_METHODS].split(COLUMN_SEPARATOR) if len(columns) > _METHODS else []
    for row, address in enumerate(addresses):
        title, path, others = ([*(column[row] if row < len(column) else "" for column in cells), "", "", ""])[
            :3
        ]
        *_, method, _ = ("", *(methods[row] if row < len(methods) else "").split(" "))
        code = f"{method} {path}" if method else path
        names = [one for one in (code, *_complete_cell(others, _path_id(code)).split("\t")) if one]
        name = names[-1] if names else title
        yield _complete_cell(address, name if "#" in address else f"{_slugify(name)}/")


def _complete_cell(cell: str, made: str) -> str:
    return cell.removesuffix(_DERIVED_MARK) + made if cell.endswith(_DERIVED_MARK) else cell


def _path_id(code: str) -> str:
    """Return what `pathId` makes of method and path: `POST /v1/charges` → `PostCharges`."""
    method, _, rest = code.partition(" ")
    words = [one for one in _alphanumeric_parts(rest.partition(" ")[0]) if not re.fullmatch(r"v[0-9]+", one)]
    return "".join(word[:1].upper() + word[1:] for word in (method.lower(), *words))


def _slugify(name: str) -> str:
    return "-".join(_alphanumeric_parts(split_camel_case(name, " "))).lower()


def _alphanumeric_parts(text: str) -> list[str]:
    return [one for one in re.split(r"[^A-Za-z0-9]+", text) if one]
