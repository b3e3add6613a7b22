"""Pages that would be too long: fields move to pages below."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from heapq import heapify, heappop, heappush
from operator import attrgetter
from typing import Any

from devportal.reference.addresses import Anchors
from devportal.reference.pages.field_weights import (
    FieldWeights,
    T,
    child_fields,
    field_lists,
    fields_and_branches,
    map_field_lists,
)
from devportal.reference.schema.described_values import TypeLabel, ValueDescription
from devportal.reference.schema.fields import Field, UnionView
from devportal.reference.schema.shapes import RowKind
from devportal.translation import (
    ENGLISH,
    current_interface,
    format_number,
    gettext,
    gettext_noop,
    interface_of,
    join_list,
    ngettext,
    pgettext,
)

MAX_GROUPS = 30
"""How many groups one list has; more are grouped again."""
MAX_LISTED_VALUES = {"facts": 60, "enum": 60, "examples": 12, "mapping": 60}
"""How many of each one row has; the others are grouped."""
MAX_GROUPED_ROW_NODES = 60
"""Rows of at most this many elements, nested ones included, move together with others."""
MAX_SHARED_PART_NODES = 150
"""Parts of at most this many elements share a page."""
_LIST_WORDS = {
    "facts": ("rules", gettext_noop("rules %(first)s to %(last)s")),
    "enum": ("values", gettext_noop("values %(first)s to %(last)s")),
    "examples": ("examples", gettext_noop("examples %(first)s to %(last)s")),
    "mapping": ("values", gettext_noop("values %(first)s to %(last)s")),
}
"""What anchors call the lists of a row, and what names of a part of one say."""
_LINK_NODES = 2
"""Elements of the link to a part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedPart:
    """A field whose nested fields moved to the page at `uri`."""

    field: Field
    uri: str


def divide_fields(
    view: T, room: int, weights: "FieldWeights", uri_of: Callable[[Field], str]
) -> tuple[T, tuple[MovedPart, ...]]:
    """Return a view whose fields take at most `room` elements, if possible, and the parts that moved away.

    The view is a field, or any value with fields in it. `uri_of` is called once for the page of each part.
    """
    folding = _FieldGrouping(view, max(room, 1), weights)
    folded = map_field_lists(view, folding.rows)
    roots = [_WeightedField(row, weights) for rows in field_lists(folded) for row in rows]
    moved: dict[int, TypeLabel] = {}
    parts = []
    moved_nodes = _nodes_in_page_order(
        roots, _fields_to_move(roots, room, may_move_bodies=not isinstance(view, Field))
    )
    for page_rows in _group_by_page(
        [moved_node for moved_node in moved_nodes if not moved_node.field.home], room
    ):
        part = page_rows[0] if len(page_rows) == 1 else folding.group_rows(page_rows)
        parts.append(MovedPart(field=part, uri=uri_of(part)))
        for page_row in page_rows:
            anchor = f"#{page_row.anchor}" if len(page_rows) > 1 else ""
            moved[id(page_row)] = TypeLabel(
                text=_field_count_label(page_row), target=f"{parts[-1].uri}{anchor}"
            )
    homes = {id(node.field): node.field.home for node in moved_nodes if node.field.home}
    moved = {**homes, **moved}
    return map_field_lists(
        folded, lambda rows: tuple(_without_moved_fields(row, moved) for row in rows)
    ), tuple(parts)


def _nodes_in_page_order(
    roots: Iterable["_WeightedField"], chosen: Iterable["_WeightedField"]
) -> list["_WeightedField"]:
    """Return the chosen nodes in page order: none is inside one that was never opened."""
    chosen_ids = {id(weighted_field) for weighted_field in chosen}
    found = []
    pending = list(roots)[::-1]
    while pending:
        node = pending.pop()
        if id(node) in chosen_ids:
            found.append(node)
        pending += node.opened[::-1]
    return found


def _group_by_page(nodes: list["_WeightedField"], room: int) -> Iterator[list[Field]]:
    """Yield the rows of each page: small rows share a page, others have their own."""
    page_rows: list[Field] = []
    left = room
    for node in nodes:
        node_count = node.own + node.inside
        if node_count > MAX_SHARED_PART_NODES or node.field.kind is RowKind.BODY:
            yield [node.field]
            continue
        if node_count > left and page_rows:
            yield page_rows
            page_rows, left = [], room
        page_rows.append(node.field)
        left -= node_count
    if page_rows:
        yield page_rows


class _FieldGrouping:
    """Groups the rows of lists that are too long."""

    def __init__(self, view: Any, room: int, weights: FieldWeights) -> None:
        self._view = view
        self._room = room
        self._weights = weights

    @cached_property
    def _anchors(self) -> Anchors:
        """The ids of the page, which most lists do not ask for: they are short enough."""
        return Anchors(*(field.anchor for rows in field_lists(self._view) for field in _every_field(rows)))

    def rows(self, rows: tuple[Field, ...]) -> tuple[Field, ...]:
        """Return a list of which the first part fits, the rest in groups of what fits on one page."""
        folded = [self._row(row) for row in rows]
        if sum(map(self._weights.own, folded)) <= self._room:
            return tuple(folded)
        kept, *rest = _split_by_weight(folded, [self._light_weight(field) for field in folded], self._room)
        while len(rest) > MAX_GROUPS:
            rest = [
                [self._group(item) for item in rest[first : first + MAX_GROUPS]]
                for first in range(0, len(rest), MAX_GROUPS)
            ]
        return (*kept, *(self._group(item) for item in rest))

    def group_rows(self, rows: Sequence[Field]) -> Field:
        """Return rows that are together on one page."""
        return _named_group(
            lambda: _title_of_rows(rows),
            anchor=self._anchors.take(f"{rows[0].anchor}.and-more"),
            fields=tuple(rows),
        )

    def _light_weight(self, field: Field) -> int:
        """Return what a field takes with its inside, if that is little; without, if it will move anyway."""
        whole = self._weights.whole(field)
        return whole if whole <= MAX_GROUPED_ROW_NODES else self._weights.own(field) + _LINK_NODES

    def _row(self, field: Field) -> Field:
        """Return a field with nothing too long in it or anywhere inside."""
        overlong = _overlong_lists(field.value)
        if not (overlong or field.fields or field.unions):
            return field
        groups = tuple(self._groups_of_values(field, overlong))
        inside = self.rows((*field.fields, *groups)) if field.fields or groups else ()
        unions = tuple(UnionView(words=each.words, branches=self._branches(each)) for each in field.unions)
        if not groups and inside == field.fields and unions == field.unions:
            return field
        kept = {name: getattr(field.value, name)[:most] for name, most in overlong}
        return field._replace(value=replace(field.value, **kept), fields=inside, unions=unions)

    def _branches(self, union: UnionView) -> tuple[Field, ...]:
        return tuple(_group_as_union(row, union.words) for row in self.rows(union.branches))

    def _groups_of_values(self, field: Field, overlong: Iterable[tuple[str, int]]) -> Iterator[Field]:
        for name, most in overlong:
            values = getattr(field.value, name)
            for first in range(most, len(values), most):
                last = min(first + most, len(values))
                word, title = _LIST_WORDS[name]
                yield _named_group(
                    partial(_title_of_range, title, first + 1, last),
                    anchor=self._anchors.take(f"{field.anchor}.{word}-{first + 1}"),
                    value=ValueDescription(**{name: values[first:last]}),
                )

    def _group(self, rows: Sequence[Field]) -> Field:
        return _named_group(
            lambda: _title_of_group(rows),
            anchor=self._anchors.take(f"{rows[0].anchor}.and-more"),
            fields=tuple(rows),
        )


def _named_group(title: Callable[[], str], **members: Any) -> Field:
    """Return a group of rows with a title of ours, for its address in English too."""
    in_english = ""
    if current_interface() is not ENGLISH:
        with interface_of(ENGLISH):
            in_english = title()
    return Field(name=title(), title_in_address=in_english, kind=RowKind.GROUP, **members)


def _title_of_rows(rows: Sequence[Field]) -> str:
    names = [name_in_interface(row) or row.label for row in rows]
    if len(names) > 3:
        return ngettext(
            "%(names)s and %(number)s more",
            "%(names)s and %(number)s more",
            len(names) - 2,
            names=join_list(names[:2]),
        )
    if len(names) == 1:
        return names[0]
    return pgettext("names", "%(names)s and %(last)s", names=join_list(names[:-1]), last=names[-1])


def _title_of_range(message: str, first: int, last: int) -> str:
    return gettext(message, first=format_number(first), last=format_number(last))


def _title_of_group(rows: Sequence[Field]) -> str:
    first, last = _edge_label(rows[0], 0), _edge_label(rows[-1], -1)
    count = sum(_count_grouped(row) for row in rows)
    if first == last:
        return gettext("1 more: %(first)s", first=first)
    return ngettext(
        "%(number)s more: %(first)s to %(last)s",
        "%(number)s more: %(first)s to %(last)s",
        count,
        first=first,
        last=last,
    )


def name_in_interface(field: Field) -> str:
    """Return the name of a row in the language that is asked for now, which is English for an address."""
    return field.title_in_address if field.title_in_address and current_interface() is ENGLISH else field.name


def _group_as_union(field: Field, words: str) -> Field:
    """Return a group of branches with a union of them inside instead of rows."""
    if field.kind is not RowKind.GROUP or field.unions:
        return field
    branches = tuple(_group_as_union(each, words) for each in field.fields)
    return field._replace(fields=(), unions=(UnionView(words=words, branches=branches),))


@lru_cache(maxsize=16_384)
def _overlong_lists(description: ValueDescription) -> tuple[tuple[str, int], ...]:
    """Return the lists of a description that are too long, each with the number of values that stay: most rows share
    theirs.
    """
    return tuple(
        (name, most)
        for name, most in MAX_LISTED_VALUES.items()
        if len(getattr(description, name)) > most and (name != "enum" or description.enum_is_described)
    )


def _split_by_weight(rows: Sequence[Field], weights: Sequence[int], room: int) -> list[list[Field]]:
    """Split a list at `room` elements, the first part at half of that: its page has other content."""
    chunks: list[list[Field]] = [[]]
    left = room // 2
    for row, weight in zip(rows, weights, strict=True):
        if weight > left and chunks[-1]:
            chunks.append([])
            left = room
        chunks[-1].append(row)
        left -= weight
    return chunks


def _edge_label(field: Field, at: int) -> str:
    """Return what the first or last row of a group is called."""
    while field.kind is RowKind.GROUP and (field.fields or field.unions):
        field = (field.fields or field.unions[0].branches)[at]
    return name_in_interface(field) or field.value.type.in_interface()


def _count_grouped(field: Field) -> int:
    return sum(map(_count_grouped, child_fields(field))) if field.kind is RowKind.GROUP else 1


class _WeightedField:
    """A field with what it weighs alone and with everything inside."""

    __slots__ = ("_weights", "field", "inside", "opened", "own")

    def __init__(self, field: Field, weights: FieldWeights) -> None:
        self.field = field
        self.own = weights.own(field)
        self.inside = weights.whole(field) - self.own
        self.opened: list[_WeightedField] = []
        self._weights = weights

    @property
    def children(self) -> "list[_WeightedField]":
        """The fields directly inside, made on first use: few fields are opened."""
        if not self.opened:
            self.opened = [_WeightedField(child, self._weights) for child in child_fields(self.field)]
        return self.opened

    @property
    def saving(self) -> int:
        """How many elements fewer there are if a link takes the place of what is inside."""
        return self.inside - _LINK_NODES


def _fields_to_move(
    roots: list[_WeightedField], room: int, *, may_move_bodies: bool
) -> Iterator[_WeightedField]:
    """Yield what has to go. The fields of the request stay longest: they are what most readers come for.

    Rows of responses go first, or whole bodies of responses if these are enough and their rows are not. Then rows
    of the request go, and whole bodies only if nothing else helps.
    """
    bodies = [root for root in roots if root.field.kind is RowKind.BODY]
    rows = [root for root in roots if root.field.kind is not RowKind.BODY]
    rows += [child for body in bodies for child in body.children]
    answered, asked = (
        [row for row in rows if _is_in_response(row) is in_response] for in_response in (True, False)
    )
    choice = _HeaviestFirst(
        room=room,
        total=sum(root.own + root.inside for root in roots),
        opened=sum(body.own for body in (*bodies, *rows)),
    )
    movable = bodies if may_move_bodies else []
    left = [weighted_field for weighted_field in movable if _is_in_response(weighted_field)]
    excess = choice.total - room
    if (
        sum(weighted_field.saving for weighted_field in answered)
        < excess
        <= sum(item.saving for item in left)
    ):
        yield from choice.take(left, may_open=False)
        left = []
    else:
        yield from choice.take(answered, may_open=True)
    yield from choice.take(asked, may_open=True)
    yield from choice.take(left, may_open=False)
    yield from choice.take(
        [weighted_field for weighted_field in movable if not _is_in_response(weighted_field)], may_open=False
    )


def _is_in_response(weighted_field: _WeightedField) -> bool:
    return weighted_field.field.anchor.startswith("response.")


@dataclass(slots=True, kw_only=True)
class _HeaviestFirst:
    """Chooses what moves until the rest fits the room: the heaviest first, and at the end the lightest that is
    enough.
    """

    room: int
    total: int
    """How many elements all fields take that have not moved."""
    opened: int
    """How many of these are rows of fields that stay in any case."""

    def take(self, candidates: list[_WeightedField], *, may_open: bool) -> Iterator[_WeightedField]:
        """Yield those that move. With `may_open`, one that is too heavy even for a separate page is opened up
        instead, while its own rows fit.
        """
        heap = [
            (-candidate.inside, -number, candidate)
            for number, candidate in enumerate(candidates)
            if candidate.saving > 0
        ]
        number = len(heap) + len(candidates)
        heapify(heap)
        while heap and self.total > self.room:
            _, _, node = heappop(heap)
            is_too_heavy = may_open and node.inside > self.room
            below = sum(child.own for child in node.children) if is_too_heavy else 0
            if is_too_heavy and self.opened + below <= self.room // 2:
                self.opened += below
                for child in node.children:
                    number += 1
                    if child.saving > 0:
                        heappush(heap, (-child.inside, -number, child))
            else:
                enough = (
                    weighted_field
                    for *_, weighted_field in heap
                    if weighted_field.saving >= self.total - self.room
                )
                node = min((node, *enough), key=attrgetter("saving"))
                self.total -= node.saving
                yield node


def _without_moved_fields(field: Field, moved: dict[int, TypeLabel]) -> Field:
    """Return a field without what moved away, and with links to it."""
    if id(field) in moved:
        return field._replace(fields=(), unions=(), more=(*field.more, moved[id(field)]))
    if not (field.fields or field.unions):
        return field
    inside = tuple(_without_moved_fields(each, moved) for each in field.fields)
    unions = tuple(
        UnionView(
            words=each.words, branches=tuple(_without_moved_fields(branch, moved) for branch in each.branches)
        )
        for each in field.unions
    )
    is_same = all(
        new is old for new, old in zip(fields_and_branches(inside, unions), child_fields(field), strict=True)
    )
    return field if is_same else field._replace(fields=inside, unions=unions)


def _every_field(rows: Iterable[Field]) -> Iterator[Field]:
    for row in rows:
        yield row
        yield from _every_field(child_fields(row))


def _field_count_label(field: Field) -> str:
    """Return the label of the link to a part: `12 fields`, `3 variants`."""
    count = sum(map(_count_grouped, field.fields))
    variants = sum(_count_grouped(branch) for union in field.unions for branch in union.branches)
    counts = [ngettext("%(number)s field", "%(number)s fields", count)] if count else []
    counts += [ngettext("%(number)s variant", "%(number)s variants", variants)] if variants else []
    return pgettext("between two counts", " and ").join(counts)
