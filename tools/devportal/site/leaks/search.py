"""One pass over the bytes of each file for all needles, and what leaks as findings."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from ahocorasick_rs import BytesAhoCorasick, Implementation

from devportal.catalog import Catalog, Published, Records
from devportal.errors import Place
from devportal.findings import Finding, Level
from devportal.site.leaks.codes import codes_of
from devportal.site.leaks.identifiers import Identifiers
from devportal.site.leaks.markets import Markets
from devportal.site.leaks.needles import Facts, Needle, Secret, facts_of, needles_of
from devportal.site.leaks.phrases import Phrases
from devportal.site.leaks.prices import Prices
from devportal.site.leaks.scene import NEAR, Scene
from devportal.site.leaks.unpacking import Budget, Unread, views_of
from devportal.site.leaks.view import View, smoothings, view_of
from devportal.site.leaks.watches import Leak, Watch
from devportal.site.leaks.words import breaking_hooks, breaks_in, said_in

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


_SHOWN = 160
"""How many characters of a value and of what is around it are shown."""
_HELP = {
    Secret.NOTE: "take it out: notes are never published",
    Secret.REASON: "take it out: the audit log is never published",
}
_NOT_PUBLIC = (
    "take it out of the page that says it: this file, or the one it is made from, where it is generated; "
    "pages of records show public versions only, so in these it is a chance hit: see docs/toolkit/leaks.md"
)


def find_leaks(
    site: Path, catalog: Catalog, public: Published, *, sources: Iterable[Path] = ()
) -> tuple[Finding, ...]:
    """Return a finding for each value in a site that only versions have that are not public.

    `sources` are hand-written pages and contract: restrictions and reasons that stand there are public.
    """
    said = said_in("\n".join(_text(path) for path in sources))
    facts = facts_of(public)
    needles = needles_of(catalog.records, catalog.audit, public, said=said, facts=facts)
    return tuple(_findings(Search(needles, catalog.records, public, facts=facts).folder(site)))


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _findings(found: Iterable[Leak | Unread]) -> Iterator[Finding]:
    for one in found:
        if isinstance(one, Unread):
            yield _unread(one)
        else:
            whose = "" if one.secret in _HELP else ", which is not public,"
            yield _finding(
                "leak",
                one.file,
                f"the {one.what} {_cut(one.text)!r} of {one.ref}{whose} stands at byte {one.offset}: "
                f"{_cut(one.excerpt)!r}",
                _HELP.get(one.secret, _NOT_PUBLIC),
            )


def _unread(one: Unread) -> Finding:
    if one.is_partial:
        message = f"this file cannot be searched as a whole for what is not public: {one.why}"
        found = _finding("leak-unread", one.name, message, "read it before it is published")
        return replace(found, level=Level.WARNING)
    message = f"this file is not searched for what is not public: {one.why}"
    return _finding("leak-unread", one.name, message, "leave it out, or pack it as gzip, bzip2, xz or zip")


def _finding(rule: str, file: str, message: str, help: str) -> Finding:  # noqa: A002 - Finding's word
    return Finding(rule=rule, level=Level.ERROR, place=Place(file=file), message=message, help=help)


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
