"""The fields of a view: found, changed, counted, and how many elements each takes on a page."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from operator import is_
from typing import Any, TypeVar

from devportal.reference.schema.fields import Field, UnionView
from devportal.reference.schema.shapes import RowKind

T = TypeVar("T")
CountOwnNodes = Callable[[Field], int]
"""Returns how many elements a field takes without its nested fields."""


class FieldWeights:
    """How many elements the fields of one page take, each counted once while the page and its parts are divided."""

    def __init__(self, weigh: CountOwnNodes) -> None:
        """Take what counts the elements of a field without its nested fields."""
        self._weigh = weigh
        self._own: dict[int, tuple[Field, int]] = {}
        self._whole: dict[int, int] = {}

    def own(self, field: Field) -> int:
        """Return how many elements a field takes without its nested fields."""
        known = self._own.get(id(field))
        if known is None:
            known = self._own[id(field)] = field, self._weigh(field)  # kept, so that its id stays its own
        return known[1]

    def whole(self, field: Field) -> int:
        """Return how many elements a field takes with all nested fields."""
        known = self._whole.get(id(field))
        if known is None:
            known = self.own(field)
            if field.fields or field.unions:
                known += _frame_nodes(field) + sum(map(self.whole, child_fields(field)))
            self._whole[id(field)] = known
        return known


def count_field_nodes(view: Any, weights: FieldWeights) -> int:
    """Return how many elements the fields of a view take."""
    return sum(weights.whole(row) for rows in field_lists(view) for row in rows)


def count_top_nodes(view: Any, weigh: CountOwnNodes) -> int:
    """Return how many elements the fields of a view take without the nested ones."""
    return sum(weigh(_without_nested(row)) for rows in field_lists(view) for row in rows)


def count_fields(view: Any) -> int:
    """Return how many fields a view has, nested ones included."""
    return sum(_count_with_nested(row) for rows in field_lists(view) for row in rows)


def _count_with_nested(field: Field) -> int:
    if not (field.fields or field.unions):
        return 1
    return 1 + sum(map(_count_with_nested, child_fields(field)))


def without_nested_fields(view: T) -> T:
    """Return a view without the nested fields of its fields."""
    return map_field_lists(view, lambda rows: tuple(map(_without_nested, rows)))


def _without_nested(field: Field) -> Field:
    return field._replace(fields=(), unions=()) if field.fields or field.unions else field


def field_lists(view: Any) -> list[tuple[Field, ...]]:
    """Return the lists of fields in a view, in order; a single field is a list of one."""
    found: list[tuple[Field, ...]] = []
    _add_field_lists(view, found)
    return found


def _add_field_lists(view: Any, found: list[tuple[Field, ...]]) -> None:
    if view is None or isinstance(view, (str, bool)):  # what most members are
        return
    if isinstance(view, Field):
        found.append((view,))
    elif isinstance(view, tuple):
        if view and isinstance(view[0], Field):
            found.append(view)
        else:
            for item in view:
                _add_field_lists(item, found)
    elif isinstance(view, dict):
        _add_field_lists(tuple(view.values()), found)
    else:
        for _, member in _members(view):
            _add_field_lists(member, found)


def _members(view: Any) -> list[tuple[str, Any]]:
    """Return the members of a dataclass by name; other values have none."""
    kind: Any = type(view)
    return [(name, getattr(view, name)) for name in _member_names(kind)]


@cache
def _member_names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


def map_field_lists(view: T, change: Callable[[tuple[Field, ...]], tuple[Field, ...]]) -> T:
    """Return a view with its lists of fields changed; a single field stays single."""
    return _map_field_lists(view, change)  # type: ignore[no-any-return]


def _map_field_lists(view: Any, change: Callable[[tuple[Field, ...]], tuple[Field, ...]]) -> Any:
    """Return a view with its lists changed; what has none, or is the same after the change, stays as it is."""
    if view is None or isinstance(view, (str, bool)):
        return view
    if isinstance(view, Field):
        return change((view,))[0]
    if isinstance(view, tuple):
        if view and isinstance(view[0], Field):
            return change(view)
        mapped = tuple(_map_field_lists(item, change) for item in view)
        return view if all(map(is_, mapped, view)) else mapped
    if isinstance(view, dict):
        return {name: _map_field_lists(value, change) for name, value in view.items()}
    changed = {name: new for name, old in _members(view) if (new := _map_field_lists(old, change)) is not old}
    return replace(view, **changed) if changed else view


def _frame_nodes(field: Field) -> int:
    """Return how many elements frame the nested fields of a field: lists, summaries, words."""
    rows = (1 if field.kind is RowKind.BODY else 3) if field.fields else 0
    return rows + 2 * len(field.unions)


def fields_and_branches(inside: Iterable[Field], unions: Iterable[UnionView]) -> Iterator[Field]:
    """Yield fields, and the branches of unions."""
    yield from inside
    for union in unions:
        yield from union.branches


def child_fields(field: Field) -> Iterable[Field]:
    """Return the fields and branches directly below a field."""
    return fields_and_branches(field.fields, field.unions) if field.unions else field.fields
