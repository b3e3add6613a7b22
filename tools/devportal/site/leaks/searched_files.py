"""What the search found in the files of a site, kept for the next one: a file that is the same has the same leaks."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Generic, TypeVar

from devportal.site.cache.file_sizes import sizes_below

Outcome = TypeVar("Outcome")
_Searcher = TypeVar("_Searcher")


class SearchedFiles(Generic[Outcome]):
    """The outcomes of searches for the same values in the files of one folder, which is built again and again."""

    def __init__(self) -> None:
        """Start with no file."""
        self._sought: object = None
        self._searcher: Any = None
        self._outcomes: dict[str, tuple[list[int], Outcome]] = {}

    def searcher(self, sought: object, make: Callable[[], _Searcher]) -> _Searcher:
        """Return what searches for the values of the last time, if the same are sought; else what `make` returns."""
        if self._searcher is None or self._sought != sought:
            self._sought, self._searcher, self._outcomes = sought, make(), {}
        searcher: _Searcher = self._searcher
        return searcher

    def search(self, site: Path, search: Callable[[list[str]], Iterable[Outcome]]) -> list[Outcome]:
        """Return the outcome of each file below a folder, in the order of `pathlib`, searched where it has changed."""
        sizes = sizes_below(site)
        names = [name.as_posix() for name in sorted(map(Path, sizes))]
        changed = [
            name for name in names if name not in self._outcomes or self._outcomes[name][0] != sizes[name]
        ]
        found = dict(zip(changed, search(changed), strict=True))
        self._outcomes = {
            name: (sizes[name], found[name]) if name in found else self._outcomes[name] for name in names
        }
        return [outcome for _, outcome in self._outcomes.values()]
