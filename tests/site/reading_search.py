"""A site's search index, read back without looking at what wrote it."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_NUMBER = re.compile(r"([a-z]*)([A-Z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An entry as it was before it was packed; `fields` are anchors with the words of their part."""

    kind: str
    address: str
    title: str
    tags: tuple[str, ...]
    text: str
    fields: frozenset[tuple[str, str]]


def entries(text: str) -> tuple[Entry, ...]:
    """Return the entries of an index in its order."""
    index = json.loads(text)
    shapes = _shapes(index)
    return tuple(
        entry for kind, columns in index["pages"].items() for entry in _entries(kind, columns, index, shapes)
    )


def _entries(
    kind: str, columns: list[str], index: Mapping[str, Any], shapes: Mapping[int, list[str]]
) -> Iterator[Entry]:
    for address, title, tags, words, parts in zip(*(one.split("\n") for one in columns), strict=True):
        numbers = list(_numbers(parts))
        names = tuple(_path_id(tags) if one == "" else one for one in tags.split("\t")) if tags else ()
        shown = title or _spaced(names[-1])
        source = names[-1] if names else shown
        is_short = address.endswith("*") and "#" not in address
        yield Entry(
            kind=kind,
            address=f"{address[:-1]}{_dashed(source)}/" if is_short else address,
            title=shown,
            tags=names,
            text=words,
            fields=frozenset(
                (f"{anchor}.{below}" if anchor else below, words)
                for part, shape in zip(numbers[::2], numbers[1::2], strict=True)
                for words, anchor in [index["parts"][part]]
                for below in shapes[shape]
            ),
        )


def _shapes(index: Mapping[str, Any]) -> dict[int, list[str]]:
    """Return for each shape the anchors of all fields in it and below, without what stands before them."""
    members: dict[int, list[tuple[str, int | None]]] = {}
    for line, places in zip(index["names"].split("\n"), index["where"].split("\n"), strict=True):
        name, _, end = line.partition("\t")
        piece = end + re.sub(r"\s+", "-", name) if not end or end.endswith(".") else end
        shape = 0
        for step, below in re.findall(r"([a-z]*[A-Z])(?:!([a-z]*[A-Z]))?", places):
            shape += next(_numbers(step))
            members.setdefault(shape, []).append((piece, next(_numbers(below)) if below else None))

    def anchors(shape: int) -> Iterator[str]:
        for piece, below in members[shape]:
            yield piece
            if below is not None:
                yield from (f"{piece}.{one}" for one in anchors(below))

    return {shape: list(anchors(shape)) for shape in members}


def _numbers(letters: str) -> Iterator[int]:
    for head, last in _NUMBER.findall(letters):
        number = 0
        for letter in head:
            number = number * 26 + ord(letter) - ord("a")
        yield number * 26 + ord(last) - ord("A")


def _words(text: str) -> list[str]:
    seam = r"([a-z0-9])(?=[A-Z])|(?!OAuth)([A-Z])(?=[A-Z](?!s(?![a-z]))[a-z])"
    apart = re.sub(seam, r"\1\2 ", text)
    return [word for word in re.split(r"[^A-Za-z0-9]+", apart) if word]


def _path_id(tags: str) -> str:
    method, path = tags.rstrip().split(" ")
    words = [one for one in re.split(r"[^A-Za-z0-9]+", path) if one and not re.fullmatch(r"v[0-9]+", one)]
    return method.capitalize() + "".join(one[0].upper() + one[1:] for one in words)


def _spaced(text: str) -> str:
    words = [word if re.search(r".[A-Z]|^[A-Z][^a-z]+$", word) else word.lower() for word in _words(text)]
    title = " ".join(words)
    return title[:1].upper() + title[1:]


def _dashed(text: str) -> str:
    return "-".join(_words(text)).lower()
