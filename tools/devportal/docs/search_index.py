"""A site's search index, unpacked: its entries, and the fields of the contract with the places that show them.

`devportal.site.search.index` writes it, and `matching.js` reads it in the browser.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from devportal.docs.records import parse_json
from devportal.errors import UnreadableInput
from devportal.site.links.files import addresses_of
from devportal.site.search.columns import COLUMN_SEPARATOR, decode_numbers, lines_of
from devportal.site.search.index import derived_operation_id, derived_title

SEARCH_INDEX = "search/search_index.json"
SEARCH_DETAILS = "search/search_details.json"
_DERIVED_MARK = " "
_TEXT_COLUMNS = 5
MAX_WAY = 12
"""How many fields a way to a field has at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexEntry:
    """An entry. `code` is `POST /v1/orders`, the name of an event, a status, or empty; `names` are further ones.

    `address` is below the root of the site, perhaps with an anchor; `text` has lines.
    """

    kind: str
    address: str
    title: str
    code: str
    names: tuple[str, ...]
    text: str
    method: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldPlace:
    """Where a page shows fields: the entry of the page, the words of its part (`Request body`), and its anchor."""

    entry: IndexEntry
    words: str
    anchor: str


@dataclass(slots=True, kw_only=True)
class FieldNames:
    """The fields of all shapes. A shape is a set of fields; each may have fields of another shape below it."""

    lines: Sequence[str] = ()
    """The name of each field, and how its anchor ends behind a tab."""
    shapes_of: Mapping[int, Sequence[int]] = field(default_factory=dict)
    """The shapes that have a field, by its number."""
    above: Mapping[int, Sequence[tuple[int, int]]] = field(default_factory=dict)
    """The shapes and fields above a shape."""
    roots: Mapping[int, Sequence[FieldPlace]] = field(default_factory=dict)
    """The places of pages that show a shape."""

    def name(self, number: int) -> str:
        """Return the name of a field."""
        return self.lines[number].partition("\t")[0]

    def anchor_step(self, number: int) -> str:
        """Return the step of a field in an anchor."""
        name, _, end = self.lines[number].partition("\t")
        return end + re.sub(r"\s+", "-", name) if not end or end.endswith(".") else end

    def places(self, number: int, most: int) -> Iterator[tuple[FieldPlace, tuple[int, ...]]]:
        """Yield at most this many places of a field, with the fields on the way to it, short ways first."""
        level: list[tuple[int, tuple[int, ...]]] = [
            (shape, (number,)) for shape in self.shapes_of.get(number, ())
        ]
        left = most
        for _ in range(MAX_WAY):
            for shape, way in level if left > 0 else ():
                for place in self.roots.get(shape, ())[: max(left, 0)]:
                    left -= 1
                    yield place, way
            level = [
                (upper, (above, *way))
                for shape, way in level[:most]
                for upper, above in self.above.get(shape, ())[:most]
                if above not in way
            ]
            level = level[:most]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnpackedIndex:
    """The whole index. `secondary` are folders of pages for few readers; `has_details` says that the site has another
    index with details.
    """

    entries: tuple[IndexEntry, ...]
    fields: FieldNames = field(repr=False)
    synonyms: tuple[tuple[str, ...], ...] = ()
    secondary: tuple[str, ...] = ()
    has_details: bool = False

    def part_of(self, is_wanted: Callable[[str], bool]) -> "UnpackedIndex":
        """Return the part of the index that is on pages whose addresses are wanted."""
        roots = {
            shape: tuple(place for place in places if is_wanted(place.entry.address))
            for shape, places in self.fields.roots.items()
        }
        return replace(
            self,
            entries=tuple(entry for entry in self.entries if is_wanted(entry.address)),
            fields=replace(self.fields, roots=roots),
        )


def read_index(text: str) -> UnpackedIndex:
    """Return an index. Raises UnreadableInput if it is none of ours."""
    data = parse_json(text, SEARCH_INDEX)
    try:
        return _unpack(data)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise UnreadableInput(
            f"{SEARCH_INDEX} of the site has an unknown form",
            help="use the version of devportal that built the site",
        ) from error


def _unpack(data: Mapping[str, Any]) -> UnpackedIndex:
    names = _ShapeNumbers()
    entries: list[IndexEntry] = []
    roots: dict[int, list[FieldPlace]] = defaultdict(list)
    for kind, columns in data["pages"].items():
        letters = columns[_TEXT_COLUMNS].split(COLUMN_SEPARATOR)
        for row, entry in enumerate(_entries(str(kind), columns)):
            entries.append(entry)
            shown = letters[row].rpartition(" ")[2] if row < len(letters) else ""
            numbers = decode_numbers(shown)
            for part, shape in zip(numbers[::2], numbers[1::2], strict=True):
                words, anchor = data["parts"][part]
                roots[names(shape)].append(FieldPlace(entry=entry, words=words, anchor=anchor))
    return UnpackedIndex(
        entries=tuple(entries),
        fields=_fields(data, names, roots),
        synonyms=tuple(tuple(map(str, group)) for group in data.get("synonyms", ())),
        secondary=tuple(map(str, data.get("secondary", ()))),
        has_details=bool(data.get("details")),
    )


def _entries(kind: str, columns: Sequence[str]) -> Iterator[IndexEntry]:
    titles, codes, others, texts = (list(lines_of(column)) for column in columns[1:_TEXT_COLUMNS])
    methods = columns[_TEXT_COLUMNS].split(COLUMN_SEPARATOR)
    for row, address in enumerate(addresses_of(columns)):
        method = _cell(methods, row).partition(" ")[0] if " " in _cell(methods, row) else ""
        path = _cell(codes, row)
        code = f"{method} {path}" if method else path
        names = tuple(filter(None, _complete(_cell(others, row), derived_operation_id(code)).split("\t")))
        name = (*filter(None, (code,)), *names)[-1:] or ("",)
        title = _cell(titles, row)
        yield IndexEntry(
            kind=kind,
            address=address,
            title=_complete(title, name[0]) if title else derived_title(name[0]),
            code=code,
            names=names,
            text=_cell(texts, row).replace("\t\t", "\n").replace("\t", "\n"),
            method=method,
        )


def _cell(column: Sequence[str], row: int) -> str:
    return column[row] if row < len(column) else ""


def _complete(cell: str, ending: str) -> str:
    return cell.removesuffix(_DERIVED_MARK) + ending if cell.endswith(_DERIVED_MARK) else cell


class _ShapeNumbers:
    """Gives shapes their numbers: 0 in the index is the next one, any other is one more than its number."""

    def __init__(self) -> None:
        self._next = 0

    def __call__(self, number: int) -> int:
        if number:
            return number - 1
        self._next += 1
        return self._next - 1


def _fields(
    data: Mapping[str, Any], names: _ShapeNumbers, roots: Mapping[int, Sequence[FieldPlace]]
) -> FieldNames:
    lines = list(lines_of(data["fields"]))
    below = [
        names(decode_numbers(part)[0]) if part else None for part in data["below"].split(COLUMN_SEPARATOR)
    ]
    shapes_of: dict[int, list[int]] = defaultdict(list)
    above: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for shape, members in enumerate(_shape_sets(_shape_rows(data["shapes"]), len(lines))):
        for member in sorted(members):
            shapes_of[member].append(shape)
            lower = below[member]
            if lower is not None:
                above[lower].append((shape, member))
    return FieldNames(lines=lines, shapes_of=shapes_of, above=above, roots=roots)


def _shape_rows(column: str) -> Iterator[Sequence[int]]:
    """Yield the numbers of each shape."""
    yield from map(decode_numbers, column.split(COLUMN_SEPARATOR) if column else ())


def _shape_sets(rows: Iterable[Sequence[int]], fields: int) -> Iterator[set[int]]:
    """Yield the fields of each shape. A row says how far back its model is, how many fields are new, and the
    steps between the other fields in which the two differ.
    """
    sets: list[set[int]] = []
    known = 0
    for back, added, *steps in rows:
        if known + added > fields:
            raise ValueError("a shape has more fields than there are")
        members = set(sets[-back]) if back else set()
        position = 0
        for step in steps:
            position += step
            members ^= {position}
        members |= set(range(known, known + added))
        known += added
        sets.append(members)
        yield members
