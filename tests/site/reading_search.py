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
    rows = [(kind, *row) for kind, columns in index["pages"].items() for row in _rows(columns)]
    named = _Named()
    parts = [list(_parts(letters.rpartition(" ")[2], named)) for *_, letters in rows]
    shapes = _shapes(index, named)
    return tuple(
        _entry(*row, fields=frozenset(_fields(shown, index["parts"], shapes)))
        for row, shown in zip(rows, parts, strict=True)
    )


def _rows(columns: list[str]) -> Iterator[tuple[str, ...]]:
    *cells, parts = columns
    addresses = _texts(cells[0])
    read = [_texts(cell) if cell else [""] * len(addresses) for cell in cells]
    return zip(*read, parts.split("\x7f") if parts else [""] * len(addresses), strict=True)


def _texts(column: str) -> list[str]:
    found, above = [], ""
    for line in column.split("\x7f"):
        (letters,) = re.findall(r"^[a-z]*[A-Z]", line)
        found.append(above[: next(_numbers(letters))] + line[len(letters) :])
        above = found[-1] or above
    return found


def _entry(
    kind: str,
    address: str,
    title: str,
    code: str,
    names: str,
    text: str,
    parts: str,
    *,
    fields: frozenset[tuple[str, str]],
) -> Entry:
    method, blank, _ = parts.partition(" ")
    first = f"{method} {code}" if blank else code
    tags = (
        (first, *(_path_id(first) if names == " " else names).split("\t"))
        if names
        else (first,) * bool(first)
    )
    shown = title or _sentence_case(tags[-1])
    if shown.endswith(" "):
        shown = shown[:-1] + tags[-1]
    if address.endswith(" "):
        source = tags[-1] if tags else shown
        address = address[:-1] + (source if "#" in address else f"{_kebab_case(source)}/")
    return Entry(kind=kind, address=address, title=shown, tags=tags, text=text, fields=fields)


class _Named:
    """Shapes are called 0 where they are the next, otherwise by one more than their number."""

    def __init__(self) -> None:
        self._next = 0

    def __call__(self, number: int) -> int:
        self._next += not number
        return number - 1 if number else self._next - 1


def _parts(letters: str, named: _Named) -> Iterator[tuple[int, int]]:
    numbers = list(_numbers(letters))
    for part, shape in zip(numbers[::2], numbers[1::2], strict=True):
        yield part, named(shape)


def _fields(
    shown: list[tuple[int, int]], parts: list[list[str]], shapes: Mapping[int, list[str]]
) -> Iterator[tuple[str, str]]:
    for part, shape in shown:
        words, anchor = parts[part]
        yield from ((f"{anchor}.{below}" if anchor else below, words) for below in shapes[shape])


def _shapes(index: Mapping[str, Any], named: _Named) -> dict[int, list[str]]:
    """Return for each shape the anchors of all fields in it and below, without what stands before them."""
    pieces = []
    for line in _texts(index["fields"]) if index["fields"] else ():
        name, _, end = line.partition("\t")
        pieces.append(end + re.sub(r"\s+", "-", name) if not end or end.endswith(".") else end)
    below = [named(next(_numbers(part))) if part else None for part in index["below"].split("\x7f")]
    sets: list[set[int]] = []
    known = 0
    for line in index["shapes"].split("\x7f") if index["shapes"] else ():
        back, added, *steps = _numbers(line)
        differing = {sum(steps[: end + 1]) for end in range(len(steps))}
        sets.append((sets[-back] if back else set()) ^ differing | set(range(known, known + added)))
        known += added

    def anchors(shape: int) -> Iterator[str]:
        for number in sets[shape]:
            yield pieces[number]
            if (inside := below[number]) is not None:
                yield from (f"{pieces[number]}.{under}" for under in anchors(inside))

    return {shape: list(anchors(shape)) for shape in range(len(sets))}


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
    words = [part for part in re.split(r"[^A-Za-z0-9]+", path) if part and not re.fullmatch(r"v[0-9]+", part)]
    return method.capitalize() + "".join(word[0].upper() + word[1:] for word in words)


def _sentence_case(text: str) -> str:
    words = [word if re.search(r".[A-Z]|^[A-Z][^a-z]+$", word) else word.lower() for word in _words(text)]
    title = " ".join(words)
    return title[:1].upper() + title[1:]


def _kebab_case(text: str) -> str:
    return "-".join(_words(text)).lower()
