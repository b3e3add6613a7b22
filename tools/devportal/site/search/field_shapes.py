"""The fields of search entries as shapes that many entries share, each written once."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from devportal.site.search.columns import COLUMN_SEPARATOR, encode_number, pack_column

ShapeMember = tuple[str, int]
"""A field: its name, behind a tab the end of its anchor, and the number of the shape below it, or -1."""
NEAR_FIELDS, NEAR_SHAPES = 8, 16
"""A shape is compared with the last ones that have its rarest fields: more find hardly better ones."""


@dataclass(slots=True)
class FieldShapes:
    """The shapes in outlines of fields, numbered as they are read."""

    _by_text: dict[tuple[ShapeMember, ...], int] = field(default_factory=dict)
    _read: dict[tuple[str, ...], int] = field(default_factory=dict)
    """The shapes of lines that were read already: most are there many times."""

    def read(self, lines: tuple[str, ...], depth: int = 1) -> int:
        """Return the number of the shape of fields with an indent of `depth`, and what is below them."""
        shape_number = self._read.get(lines)
        if shape_number is None:
            starts = [number for number, line in enumerate(lines) if line[depth] != " "]
            shape = sorted(
                (_short_name(lines[start][depth:]), self.read(below, depth + 1) if below else -1)
                for start, end in pairwise((*starts, len(lines)))
                for below in (lines[start + 1 : end],)
            )
            shape_number = self._read[lines] = self._by_text.setdefault(tuple(shape), len(self._by_text))
        return shape_number

    def numbered_shapes(self) -> "NumberedShapes":
        """Return what gives those shapes their numbers in the index."""
        return NumberedShapes(list(self._by_text))


def _short_name(line: str) -> str:
    """Return the name of a field, its own end of the anchor left out where that ends in the name."""
    name, tab, rest = line.partition("\t")
    return f"{name}\t{rest.removesuffix(name)}" if tab and rest.endswith(f".{name}") else line


class NumberedShapes:
    """Shapes in the order in which the index names them, so that most need no number there."""

    def __init__(self, shapes: Sequence[tuple[ShapeMember, ...]]) -> None:
        """Take the shapes by the numbers that they were read with."""
        self._shapes = shapes
        self._order: dict[int, int] = {}
        self._fields: dict[ShapeMember, int] = {}
        self._below: list[str] = []
        self._sets: list[int] = []
        """For each shape so far its fields: one bit for each."""
        self._having: list[list[int]] = []
        """For each field the shapes so far that it is in."""

    def reference(self, shape: int) -> str:
        """Return the name of a shape: 0 for the next not named before, or one more than its number."""
        if shape in self._order:
            return encode_number(self._order[shape] + 1)
        self._order[shape] = len(self._order)
        return encode_number(0)

    def columns(self) -> dict[str, str]:
        """Return the fields, the shapes below them, and the shapes; all that pages show have been named."""
        shapes = list(self._lines())
        return {
            "fields": pack_column(name for name, _ in self._fields),
            "below": COLUMN_SEPARATOR.join(self._below),
        } | {"shapes": COLUMN_SEPARATOR.join(shapes)}

    def _lines(self) -> Iterator[str]:
        """Yield a line for each shape.

        It says how far back the shape is that this one is made from, or 0; how many fields are new; and the
        steps from one to the next of the other fields in which the two differ.
        """
        for number, shape in enumerate(self._all()):
            members = self._shapes[shape]
            known_fields = [self._fields[member] for member in members if member in self._fields]
            new_fields = [self._add_field(member) for member in members if member not in self._fields]
            old = _bit_set(known_fields)
            base = self._nearest(known_fields, old)
            differing = old if base is None else old ^ self._sets[base]
            yield "".join(
                map(
                    encode_number,
                    (0 if base is None else number - base, len(new_fields), *_bit_gaps(differing)),
                )
            )
            self._sets.append(old | _bit_set(new_fields))
            for item in (*known_fields, *new_fields):
                self._having[item].append(number)

    def _all(self) -> Iterator[int]:
        """Yield the shapes in order, with those that are named meanwhile."""
        done = 0
        while done < len(self._order):
            named = list(self._order)[done:]
            yield from named
            done += len(named)

    def _add_field(self, member: ShapeMember) -> int:
        self._fields[member] = len(self._fields)
        self._below.append(self.reference(member[1]) if member[1] >= 0 else "")
        self._having.append([])
        return self._fields[member]

    def _nearest(self, fields: Iterable[int], old: int) -> int | None:
        """Return the shape with the fewest differences, the last of them, if it saves something."""
        rarest = sorted(fields, key=lambda item: len(self._having[item]))[:NEAR_FIELDS]
        candidates = {shape for number in rarest for shape in self._having[number][-NEAR_SHAPES:]}
        ranked = (((self._sets[candidate] ^ old).bit_count(), -candidate) for candidate in candidates)
        differences, shape = min(ranked, default=(old.bit_count(), 0))
        return -shape if differences + 1 < old.bit_count() else None


def _bit_set(numbers: Iterable[int]) -> int:
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits


def _bit_gaps(bits: int) -> Iterator[int]:
    """Yield the steps from one bit that is set to the next, from bit 0."""
    last = 0
    while bits:
        number = (bits & -bits).bit_length() - 1
        yield number - last
        last = number
        bits &= bits - 1
