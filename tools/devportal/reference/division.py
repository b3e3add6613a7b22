"""Fields that are too many for one page, divided: what does not fit moves to pages of its own below.

The outermost rows stay where they are, and the heaviest of what is inside them goes first, so that a page
is cut in few places, each worth a page. A row whose inside has moved keeps its anchor, its words and its
rules, and leads to the page with the rest; that page is divided in the same way. Lists that are too long by
themselves are folded first: their first rows stay, the others become groups, which are rows with an inside.

Weights are elements of HTML, because those are what makes a page slow.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from heapq import heapify, heappop, heappush
from typing import Any, TypeVar

from devportal.reference.anchors import Anchors
from devportal.reference.fields import Field, Union
from devportal.reference.sayings import Saying, TypeLabel
from devportal.reference.shapes import Kind

MAX_GROUPS = 30
"""So many groups stand in one list; more of them make groups of groups."""
MAX_VALUES = {"facts": 60, "enum": 60, "examples": 12, "mapping": 60}
"""So many of each stand in one row, where each takes elements of its own; the others make groups."""
LITTLE = 60
"""A row that takes no more with all inside is rather moved together with others than by itself."""
LITTLE_PART = 150
"""A part that takes no more shares a page with others."""
_WORDS = {"facts": "rules", "enum": "values", "examples": "examples", "mapping": "values"}
_LINK = 2
"""Elements of the link to a part."""

T = TypeVar("T")
Weigh = Callable[[Field], int]
"""Says how many elements a field takes without what is inside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The field whose inside moved to the page at `uri`."""

    field: Field
    uri: str


def divided(view: T, room: int, weigh: Weigh, uri_of: Callable[[Field], str]) -> tuple[T, tuple[Part, ...]]:
    """Return a view whose fields take at most `room` elements, if that can be, and what moved away.

    The view is a field, or any value with fields in it. `uri_of` is asked once for the page of each part.
    """
    folding = _Folding(view, max(room, 1), weigh)
    folded = mapped(view, folding.rows)
    roots = [_Node(one, weigh) for rows in found(folded) for one in rows]
    moved: dict[int, TypeLabel] = {}
    parts = []
    gone = _in_order(roots, _to_move(roots, room, may_move_bodies=not isinstance(view, Field)))
    for pack in _packs([one for one in gone if not one.field.home], room):
        part = pack[0] if len(pack) == 1 else folding.pack(pack)
        parts.append(Part(field=part, uri=uri_of(part)))
        for one in pack:
            anchor = f"#{one.anchor}" if len(pack) > 1 else ""
            moved[id(one)] = TypeLabel(text=_size_words(one), target=f"{parts[-1].uri}{anchor}")
    homes = {id(one.field): TypeLabel(text=one.field.said.type.text, target=one.field.home) for one in gone}
    moved = {**homes, **moved}
    return mapped(folded, lambda rows: tuple(_lightened(one, moved) for one in rows)), tuple(parts)


def _in_order(roots: Iterable["_Node"], chosen: Iterable["_Node"]) -> list["_Node"]:
    """Return those nodes that were chosen as they stand on the page."""
    wanted = {id(one) for one in chosen}
    found = []
    pending = list(roots)[::-1]
    while pending:
        one = pending.pop()
        if id(one) in wanted:
            found.append(one)
        pending += one.children[::-1]
    return found


def _packs(gone: list["_Node"], room: int) -> Iterator[list[Field]]:
    """Yield what goes to one page together: rows with little inside share pages, others have their own."""
    pack: list[Field] = []
    left = room
    for one in gone:
        whole = one.own + one.inside
        if whole > LITTLE_PART or one.field.kind is Kind.BODY:
            yield [one.field]
            continue
        if whole > left and pack:
            yield pack
            pack, left = [], room
        pack.append(one.field)
        left -= whole
    if pack:
        yield pack


def weight(view: Any, weigh: Weigh) -> int:
    """Return how many elements the fields of a view take."""
    return sum(_weight(one, weigh) for rows in found(view) for one in rows)


def _weight(one: Field, weigh: Weigh) -> int:
    return weigh(one) + _around(one) + sum(_weight(below, weigh) for below in _below(one))


def count(view: Any) -> int:
    """Return how many fields there are in a view, those inside others included."""
    return sum(1 for rows in found(view) for _ in _all(rows))


def emptied(view: T) -> T:
    """Return a view with its fields but nothing inside them."""
    return mapped(view, lambda rows: tuple(replace(one, fields=(), unions=()) for one in rows))


def found(view: Any) -> Iterator[tuple[Field, ...]]:
    """Yield the lists of fields in a view, in order; a field that stands alone is a list of one."""
    if isinstance(view, Field):
        yield (view,)
    elif isinstance(view, tuple):
        if view and isinstance(view[0], Field):
            yield view
        else:
            for one in view:
                yield from found(one)
    elif isinstance(view, dict):
        yield from found(tuple(view.values()))
    elif is_dataclass(view):
        for one in fields(view):
            yield from found(getattr(view, one.name))


def mapped(view: T, change: Callable[[tuple[Field, ...]], tuple[Field, ...]]) -> T:
    """Return a view with its lists of fields changed; a field that stands alone stays alone."""
    return _mapped(view, change)  # type: ignore[no-any-return]


def _mapped(view: Any, change: Callable[[tuple[Field, ...]], tuple[Field, ...]]) -> Any:
    if isinstance(view, Field):
        return change((view,))[0]
    if isinstance(view, tuple):
        is_list = bool(view) and isinstance(view[0], Field)
        return change(view) if is_list else tuple(_mapped(one, change) for one in view)
    if isinstance(view, dict):
        return {name: _mapped(one, change) for name, one in view.items()}
    if not is_dataclass(view) or isinstance(view, type) or not any(True for _ in found(view)):
        return view
    changed = {one.name: _mapped(getattr(view, one.name), change) for one in fields(view)}
    return replace(view, **changed)


class _Folding:
    """Makes groups of what stands in too long a list."""

    def __init__(self, view: Any, room: int, weigh: Weigh) -> None:
        self._room = room
        self._weigh = weigh
        self._anchors = Anchors(*(one.anchor for rows in found(view) for one in _all(rows)))

    def rows(self, rows: tuple[Field, ...]) -> tuple[Field, ...]:
        """Return a list of which the first part fits, the rest in groups of what fits on one page."""
        folded = [self._row(one) for one in rows]
        if sum(map(self._weigh, folded)) <= self._room:
            return tuple(folded)
        kept, *rest = _chunks(folded, [self._light_weight(one) for one in folded], self._room)
        while len(rest) > MAX_GROUPS:
            rest = [
                [self._group(one) for one in rest[first : first + MAX_GROUPS]]
                for first in range(0, len(rest), MAX_GROUPS)
            ]
        return (*kept, *(self._group(one) for one in rest))

    def pack(self, rows: Sequence[Field]) -> Field:
        """Return rows that are together on one page."""
        names = [one.name or one.label for one in rows]
        more = f" and {len(names) - 2} more" if len(names) > 3 else f" and {names[2]}" if names[2:] else ""
        return Field(
            name=f"{', '.join(names[:2])}{more}" if more else " and ".join(names),
            anchor=self._anchors.take(f"{rows[0].anchor}.and-more"),
            kind=Kind.GROUP,
            fields=tuple(rows),
        )

    def _light_weight(self, one: Field) -> int:
        """Return what a field takes with its inside, if that is little; without, if it will move anyway."""
        whole = weight(one, self._weigh)
        return whole if whole <= LITTLE else self._weigh(one) + _LINK

    def _row(self, one: Field) -> Field:
        """Return a field with nothing too long in it or anywhere inside."""
        groups = tuple(self._overlong(one))
        inside = self.rows((*one.fields, *groups)) if one.fields or groups else ()
        unions = tuple(Union(words=each.words, branches=self._branches(each)) for each in one.unions)
        if not groups and inside == one.fields and unions == one.unions:
            return one
        kept = {name: getattr(one.said, name)[:most] for name, most in _limits(one.said)}
        return replace(one, said=replace(one.said, **kept), fields=inside, unions=unions)

    def _branches(self, union: Union) -> tuple[Field, ...]:
        return tuple(_as_branch(one, union.words) for one in self.rows(union.branches))

    def _overlong(self, one: Field) -> Iterator[Field]:
        for name, most in _limits(one.said):
            values = getattr(one.said, name)
            for first in range(most, len(values), most):
                last = min(first + most, len(values))
                yield Field(
                    name=f"{_WORDS[name]} {first + 1:,} to {last:,}",
                    anchor=self._anchors.take(f"{one.anchor}.{_WORDS[name]}-{first + 1}"),
                    said=Saying(**{name: values[first:last]}),
                    kind=Kind.GROUP,
                )

    def _group(self, rows: Sequence[Field]) -> Field:
        first, last = _edge(rows[0], 0), _edge(rows[-1], -1)
        count = sum(_count(one) for one in rows)
        return Field(
            name=f"{count:,} more: {first} to {last}" if first != last else f"1 more: {first}",
            anchor=self._anchors.take(f"{rows[0].anchor}.and-more"),
            kind=Kind.GROUP,
            fields=tuple(rows),
        )


def _as_branch(one: Field, words: str) -> Field:
    """Return a group of branches with a union of them inside instead of rows."""
    if one.kind is not Kind.GROUP or one.unions:
        return one
    branches = tuple(_as_branch(each, words) for each in one.fields)
    return replace(one, fields=(), unions=(Union(words=words, branches=branches),))


def _limits(said: Saying) -> list[tuple[str, int]]:
    """Return which lists of a saying are too long, each with how much of it stays."""
    return [
        (name, most)
        for name, most in MAX_VALUES.items()
        if len(getattr(said, name)) > most and (name != "enum" or said.enum_is_described)
    ]


def _chunks(rows: Sequence[Field], weights: Sequence[int], room: int) -> list[list[Field]]:
    """Return a list cut where `room` is full, or half full at first: other things stand there too."""
    chunks: list[list[Field]] = [[]]
    left = room // 2
    for one, weight in zip(rows, weights, strict=True):
        if weight > left and chunks[-1]:
            chunks.append([])
            left = room
        chunks[-1].append(one)
        left -= weight
    return chunks


def _edge(one: Field, at: int) -> str:
    """Return what the first or last row of a group is called."""
    while one.kind is Kind.GROUP and (one.fields or one.unions):
        one = (one.fields or one.unions[0].branches)[at]
    return one.name or one.said.type.text


def _count(one: Field) -> int:
    return sum(map(_count, _below(one))) if one.kind is Kind.GROUP else 1


class _Node:
    """A field with what it weighs alone and with everything inside."""

    __slots__ = ("children", "field", "inside", "own")

    def __init__(self, field: Field, weigh: Weigh) -> None:
        self.field = field
        self.children = [_Node(one, weigh) for one in _below(field)]
        self.own = weigh(field)
        self.inside: int = _around(field) + sum(one.own + one.inside for one in self.children)


def _around(one: Field) -> int:
    """Return how many elements stand around what is inside a field: lists, what opens them, words."""
    rows = (1 if one.kind is Kind.BODY else 3) if one.fields else 0
    return rows + 2 * len(one.unions)


def _to_move(roots: list[_Node], room: int, *, may_move_bodies: bool) -> Iterator[_Node]:
    """Yield what has to go, the heaviest first, of equals the last; whole bodies only where rows do not do,
    that of the request last: it is what most readers come for.

    One that is too heavy even for a page of its own is opened up instead, while its own rows fit.
    """
    total = sum(one.own + one.inside for one in roots)
    bodies = [one for one in roots if one.field.kind is Kind.BODY]
    rows = [one for one in roots if one.field.kind is not Kind.BODY]
    rows += [child for one in bodies for child in one.children]
    opened = sum(one.own for one in (*bodies, *rows))
    requested = [one for one in bodies if one.field.anchor.split(".")[0] == "body"]
    answered = [one for one in bodies if one not in requested]
    steps = [(rows, True), *([(answered, False), (requested, False)] if may_move_bodies else [])]
    for candidates, may_open in steps:
        heap = [(-one.inside, -number, one) for number, one in enumerate(candidates) if one.inside > _LINK]
        number = len(heap) + len(candidates)
        heapify(heap)
        while heap and total > room:
            _, _, node = heappop(heap)
            below = sum(one.own for one in node.children)
            if may_open and node.inside > room and opened + below <= room // 2:
                opened += below
                for child in node.children:
                    number += 1
                    if child.inside > _LINK:
                        heappush(heap, (-child.inside, -number, child))
            else:
                total -= node.inside - _LINK
                yield node


def _lightened(one: Field, moved: dict[int, TypeLabel]) -> Field:
    """Return a field without what moved away, and with links to it."""
    if id(one) in moved:
        return replace(one, fields=(), unions=(), more=(*one.more, moved[id(one)]))
    if not (one.fields or one.unions):
        return one
    inside = tuple(_lightened(each, moved) for each in one.fields)
    unions = tuple(
        Union(words=each.words, branches=tuple(_lightened(branch, moved) for branch in each.branches))
        for each in one.unions
    )
    is_same = all(new is old for new, old in zip(_of(inside, unions), _below(one), strict=True))
    return one if is_same else replace(one, fields=inside, unions=unions)


def _of(inside: Iterable[Field], unions: Iterable[Union]) -> Iterator[Field]:
    yield from inside
    for union in unions:
        yield from union.branches


def _below(one: Field) -> Iterable[Field]:
    return _of(one.fields, one.unions) if one.unions else one.fields


def _all(rows: Iterable[Field]) -> Iterator[Field]:
    for one in rows:
        yield one
        yield from _all(_below(one))


def _size_words(one: Field) -> str:
    """Return how much is behind the link to a part: `12 fields`, `3 variants`."""
    count = sum(map(_count, one.fields))
    variants = sum(_count(branch) for union in one.unions for branch in union.branches)
    told = [(count, "field"), (variants, "variant")]
    return " and ".join(f"{each:,} {word if each == 1 else word + 's'}" for each, word in told if each)
