"""Where a search leads: the addresses in its index, that of the theme or our own.

What our index leaves out of an address is written out as `assets/devportal/matching.js` does it, for which
only ASCII letters and digits make words; `devportal.site.search` says what is left out.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from devportal.contract.words import apart
from devportal.site.columns import END, lines_of
from devportal.site.links.json_texts import offsets_in, written_at
from devportal.site.links.link import Link, Reading

_MADE = " "
"""Stands for the end of a cell that is made from others."""
_END = re.compile(r"\x7f|\\u007[fF]")
"""The end of a line of a column, as JSON may write it."""
_TEXTS, _METHODS = 5, 5
"""How many columns hold texts: address, title, first tag, other tags, text; and the one that has methods."""


def read_search_index(text: str) -> Reading:
    """Read the index of a search. Raises ValueError where it is none."""
    index, offsets = json.loads(text), offsets_in(text)
    try:
        links = (
            _of_theme(index["docs"], offsets) if "docs" in index else _of_ours(index["pages"], text, offsets)
        )
        return Reading(links=tuple(links), base="../")
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise ValueError("it is no index of a search") from error


def _of_theme(entries: Sequence[Any], offsets: Mapping[str, int]) -> Iterator[Link]:
    for entry in entries:
        address = str(entry["location"])
        yield Link(address, offsets.get(address, 0))


def _of_ours(pages: Mapping[str, Sequence[str]], text: str, offsets: Mapping[str, int]) -> Iterator[Link]:
    """Yield the address of each entry, and where its line of the column begins."""
    for columns in pages.values():
        start = offsets.get(columns[0], 0)
        lines = [start + 1, *(start + one.end() for one in _END.finditer(written_at(text, start)))]
        for address, offset in zip(addresses_of(columns), lines, strict=False):
            page, *anchor = address.split("#")
            yield Link("#".join((page, *anchor[:1])), offset)


def addresses_of(columns: Sequence[str]) -> Iterator[str]:
    """Yield the whole address of each entry of a kind of page."""
    addresses, *cells = (list(lines_of(column)) for column in columns[:_TEXTS])
    methods = columns[_METHODS].split(END) if len(columns) > _METHODS else []
    for row, address in enumerate(addresses):
        title, path, others = ([*(column[row] if row < len(column) else "" for column in cells), "", "", ""])[
            :3
        ]
        *_, method, _ = ("", *(methods[row] if row < len(methods) else "").split(" "))
        code = f"{method} {path}" if method else path
        names = [one for one in (code, *_completed(others, _path_id(code)).split("\t")) if one]
        name = names[-1] if names else title
        yield _completed(address, name if "#" in address else f"{_dashed(name)}/")


def _completed(cell: str, made: str) -> str:
    return cell.removesuffix(_MADE) + made if cell.endswith(_MADE) else cell


def _path_id(code: str) -> str:
    """Return what `pathId` makes of method and path: `POST /v1/charges` → `PostCharges`."""
    method, _, rest = code.partition(" ")
    words = [one for one in _pieces(rest.partition(" ")[0]) if not re.fullmatch(r"v[0-9]+", one)]
    return "".join(word[:1].upper() + word[1:] for word in (method.lower(), *words))


def _dashed(name: str) -> str:
    return "-".join(_pieces(apart(name, " "))).lower()


def _pieces(text: str) -> list[str]:
    return [one for one in re.split(r"[^A-Za-z0-9]+", text) if one]
