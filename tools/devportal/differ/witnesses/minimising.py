"""Makes a value smaller as long as it shows the same."""

from collections.abc import Callable, Iterator
from typing import Any

from devportal.differ.witnesses.wrapping import Path, Wrapped

_MAX_TRIES = 60


def minimise(wrapped: Wrapped, is_witness: Callable[[Wrapped], bool]) -> Wrapped:
    """Return a value without the members and items that it can do without, within a bounded search."""
    tries_left = _MAX_TRIES
    smaller = _smaller_values(wrapped)
    while tries_left and (candidate := next(smaller, None)) is not None:
        tries_left -= 1
        if is_witness(candidate):
            wrapped = candidate
            smaller = _smaller_values(wrapped)
    return wrapped


def _smaller_values(wrapped: Wrapped) -> Iterator[Wrapped]:
    """Yield a value without one of its members or items, the outermost first; the path stays."""
    for value, path in _without_one_part(wrapped.value, wrapped.path):
        yield Wrapped(value, path)


def _without_one_part(value: Any, path: Path) -> Iterator[tuple[Any, Path]]:
    match value:
        case dict():
            for name in reversed(value):
                if path[:1] != (name,):
                    yield {key: content for key, content in value.items() if key != name}, path
            for name, member in value.items():
                is_on_path = path[:1] == (name,)
                for smaller, below in _without_one_part(member, path[1:] if is_on_path else ()):
                    yield {**value, name: smaller}, (name, *below) if is_on_path else path
        case list():
            yield from _without_one_item(value, path)


def _without_one_item(items: list[Any], path: Path) -> Iterator[tuple[Any, Path]]:
    kept = path[0] if path and isinstance(path[0], int) else None
    for number in reversed(range(min(len(items), _MAX_TRIES))):
        if number != kept:
            moved = (kept - 1, *path[1:]) if kept is not None and number < kept else path
            yield [*items[:number], *items[number + 1 :]], moved
    for number, item in enumerate(items[:_MAX_TRIES]):
        for smaller, below in _without_one_part(item, path[1:] if number == kept else ()):
            yield (
                [*items[:number], smaller, *items[number + 1 :]],
                ((number, *below) if number == kept else path),
            )
