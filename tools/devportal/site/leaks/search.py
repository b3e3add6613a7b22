"""One pass over the bytes of each file for all needles at once, and a careful look at what it finds.

The pass is an Aho-Corasick automaton over the hooks of all needles. What it cannot see is a value that is
broken or escaped, so it also stops at what may do that; such a part is smoothed and searched again.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from ahocorasick_rs import BytesAhoCorasick, Implementation

from devportal.catalog import Published, Records
from devportal.site.leaks.breaks import breaking_hooks, breaks_in
from devportal.site.leaks.codes import codes_of
from devportal.site.leaks.identifiers import Identifiers
from devportal.site.leaks.markets import Markets
from devportal.site.leaks.needles import Facts, Needle, facts_of
from devportal.site.leaks.phrases import Phrases
from devportal.site.leaks.prices import Prices
from devportal.site.leaks.scene import NEAR, Scene
from devportal.site.leaks.unpacking import Budget, Unread, views_of
from devportal.site.leaks.view import View, smoothings, view_of
from devportal.site.leaks.watches import Leak, Watch

_DEEPEST = 3
"""How often text may be escaped: `&amp;#52;` is twice."""


class Search:
    """Searches files for needles."""

    def __init__(
        self, needles: Iterable[Needle], records: Records, public: Published, *, facts: Facts | None = None
    ) -> None:
        """Take the needles, and what public records say; `facts` as for `needles_of`."""
        facts = facts or facts_of(public)
        needles = tuple(needles)
        self._markets = Markets(records)
        watches: tuple[Watch, ...] = (
            Identifiers(needles, facts),
            Prices(needles, facts, records.book.units),
            *codes_of(needles, records.book, facts.codes),
            Phrases(needles, facts),
        )
        owners: defaultdict[bytes, list[Watch]] = defaultdict(list)
        for watch in watches:
            for hook in dict.fromkeys(watch.hooks()):
                owners[hook].append(watch)
        self._is_idle = not owners
        for hook in breaking_hooks():
            owners[hook] += ()
        self._owners = tuple(tuple(found) for found in owners.values())
        self._automaton = BytesAhoCorasick(owners, implementation=Implementation.DFA)

    def folder(self, site: Path) -> Iterator[Leak | Unread]:
        """Yield what leaks in the files below a folder, in the order of their names."""
        budget = Budget()
        if self._is_idle:
            return
        for path in sorted(site.rglob("*")):
            if path.is_file():
                yield from self.file(path.relative_to(site).as_posix(), path.read_bytes(), budget)

    def file(self, name: str, data: bytes, budget: Budget | None = None) -> Iterator[Leak | Unread]:
        """Yield what leaks in a file and in its name, each value once."""
        seen: set[tuple[object, ...]] = set()
        found = [*self._name(name), *self._content(name, data, budget or Budget())]
        for one in found:
            key = (one.file, one.ref, one.secret) if isinstance(one, Leak) else (one,)
            if key not in seen:
                seen.add(key)
                yield one

    def _name(self, name: str) -> Iterator[Leak]:
        return self._view(view_of(name, name.encode(errors="replace")))

    def _content(self, name: str, data: bytes, budget: Budget) -> Iterator[Leak | Unread]:
        for one in views_of(name, data, budget):
            if isinstance(one, Unread):
                yield one
            else:
                yield from sorted(self._view(one), key=lambda leak: leak.offset)

    def _view(self, view: View) -> Iterator[Leak]:
        scene = Scene(view, self._markets)
        breaks: list[tuple[int, int]] = []
        for number, start, end in self._automaton.find_matches_as_indexes(view.data, overlapping=True):
            owners = self._owners[number]
            for watch in owners:
                yield from watch.look(scene, start, end)
            if not owners:
                breaks.append((start, end))
        if breaks and view.level < _DEEPEST and not view.is_binary:
            for start, end in breaks_in(view.data, breaks):
                low, _ = scene.record(max(0, start - NEAR), start)
                for smooth in smoothings(view, low, min(end + NEAR, len(view.data))):
                    yield from self._view(smooth)
