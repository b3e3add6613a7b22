"""Where each old address leads in the end, and which rows of redirects lead nowhere."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate

from devportal.contract import Api
from devportal.findings import Finding, Level
from devportal.reference.addresses import Addresses, events
from devportal.reference.redirect_ways import Way, address_of, chained, ways_of
from devportal.reference.redirects import Move, Redirects, RedirectTable, wrong_redirect

IdsOf = Callable[[str], frozenset[str] | None]
"""The ids on the page at an address; None where there is no page, empty where they are not known."""
PartsOf = Callable[[str], Iterable[str]]
"""The addresses of the pages that hold what the page at an address has no room for."""


def redirect_table(
    redirects: Redirects,
    api: Api,
    addresses: Addresses,
    ids_of: IdsOf,
    is_file: Callable[[str], bool],
    parts_of: PartsOf = lambda _: (),
    is_elsewhere: Callable[[str], bool] = lambda _: False,
) -> tuple[RedirectTable, tuple[Finding, ...]]:
    """Return old and new addresses, and what is wrong with the rows; wrong rows lead nowhere.

    `is_file` says whether the site has a file of a name that is no page. What a page is divided into has
    moved with it: the same parts are looked for below its old address. `is_elsewhere` says whether a page
    that is not there may be one of another site that the same rows are for.
    """
    ways, found = ways_of(redirects, api, addresses)
    graph = _Graph(
        ids_of=ids_of,
        is_file=is_file,
        parts_of=parts_of,
        is_elsewhere=is_elsewhere,
        ways_in=folders_without_page(api, addresses),
    )
    for way in ways:
        graph.add(way)
    table = graph.table()
    return table, (*found, *graph.findings)


def asked_pages(redirects: Redirects, api: Api, addresses: Addresses) -> frozenset[str]:
    """Return the addresses of the pages, there or not, that `redirect_table` wants to know the ids of."""
    asked: set[str] = set()

    def note(address: str) -> None:
        asked.add(address)

    redirect_table(redirects, api, addresses, note, lambda _: False)
    return frozenset(asked)


def folders_without_page(api: Api, addresses: Addresses, *, folder: str = "reference") -> dict[str, str]:
    """Return where to go from folders that hold pages and are none: who cuts an address short comes there."""
    overview = address_of(addresses.overview)
    found = {f"{folder}/": overview} if overview != f"{folder}/" else {}
    return {**found, f"{folder}/events/": f"{overview}#events"} if events(api) else found


@dataclass
class _Graph:
    """The ways by their old addresses; gathers what is wrong with them."""

    ids_of: IdsOf
    is_file: Callable[[str], bool]
    parts_of: PartsOf
    is_elsewhere: Callable[[str], bool]
    ways_in: Mapping[str, str]
    """Where folders without a page lead, whatever the rows say."""
    ways: dict[str, Way] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def _tell(self, move: Move, rule: str, message: str, advice: str) -> None:
        self.findings.append(wrong_redirect(move, rule, message, advice))

    def _tell_elsewhere(self, move: Move, page: str) -> None:
        message = f"{page!r} is outside the reference, so the redirect {move.old!r} is left out of this site"
        advice = "run `devportal check` in the project whose site has this page: it says whether it is right"
        self.findings.append(wrong_redirect(move, "elsewhere", message, advice, Level.NOTE))

    def add(self, way: Way) -> None:
        """Take a way; of several from one address the first wins."""
        first = self.ways.get(way.old)
        if way.old == way.new:
            if way.is_written:
                self._tell(way.move, "loop", f"{way.old!r} leads to itself", "remove this row")
        elif first is not None:
            if way.is_written or first.new != way.new:
                message = f"{way.old!r} is redirected twice: {first.move.place} leads to {first.new!r}"
                self._tell(way.move, "twice", message, "keep one of the two")
        elif self._is_gone(way) and self._has_room(way, self._is_published):
            self.ways[way.old] = way

    def _is_gone(self, way: Way) -> bool:
        """Say whether nothing is at an old address any more."""
        page, _, anchor = way.old.partition("#")
        ids = self.ids_of(page)
        if ids is None or (anchor and anchor not in ids):
            return True
        if way.is_written or not anchor:
            what = (
                f"the anchor {anchor!r} is still on {page!r}"
                if anchor
                else f"{page!r} is a page of this site"
            )
            self._tell(way.move, "source", what, "remove this row: nobody would be led on from there")
        return False

    def _has_room(self, way: Way, is_file: Callable[[str], bool]) -> bool:
        """Say whether a page can be written at an old address: no folder of it is a file."""
        page, hash_mark, _ = way.old.partition("#")
        names = accumulate(page.rstrip("/").split("/"), "{}/{}".format)
        file = next((one for one in names if one != page and is_file(one)), None)
        if hash_mark or file is None:
            return True
        message = f"{file!r} is a file of this site, so no page can be at {page!r}"
        self._tell(way.move, "source", message, "remove this row: its address cannot be published")
        return False

    def _is_published(self, name: str) -> bool:
        """Say whether a name is that of a file, or of the Markdown twin of a page."""
        is_twin = name.endswith(".md") and self.ids_of(address_of(name)) is not None
        return is_twin or self.is_file(name)

    def table(self) -> RedirectTable:
        """Return where each old address leads in the end."""
        pages: dict[str, str] = {}
        anchors: dict[str, str] = {}
        for way in self.ways.values():
            end = self._end(way)
            if end is not None and self._has_page(way) and self._has_room(way, self.ways.__contains__):
                (anchors if "#" in way.old else pages)[way.old] = end
        parts = dict(part for old, end in pages.items() for part in self._parts(old, end))
        return RedirectTable(pages={**parts, **pages}, anchors=anchors)

    def _parts(self, old: str, end: str) -> Iterator[tuple[str, str]]:
        """Yield where the parts of a page were, and where they are; the rows say nothing of them."""
        if "#" in end or not old.endswith("/"):
            return
        for part in self.parts_of(end):
            was = old + part.removeprefix(end)
            if self.ids_of(was) is None and not self.is_file(was.rstrip("/")):
                yield was, part

    def _has_page(self, way: Way) -> bool:
        """Say whether a browser that asks for an old address gets a page that leads it on."""
        page, hash_mark, _ = way.old.partition("#")
        if not hash_mark or self.ids_of(page) is not None or page in self.ways or page in self.ways_in:
            return True
        if self.is_elsewhere(page):
            self._tell_elsewhere(way.move, page)
            return False
        message = f"nothing is at {page!r} any more, so nobody is led on from {way.old!r}"
        self._tell(way.move, "source", message, f"add a row for {page!r} itself")
        return False

    def _end(self, way: Way) -> str | None:
        """Return where a way leads after all that follow from it; None where that is nowhere."""
        end, passed = way.new, {way.old}
        while (following := self._next(end)) is not None:
            if end in passed:
                advice = "let one of its rows lead to a page"
                self._tell(way.move, "loop", f"{way.old!r} leads in a circle", advice)
                return None
            passed.add(end)
            end = following
        if end != way.new and way.is_written:
            self.findings.append(chained(way.move, way.new, end))
        return self._target(self._inside(end), way.move)

    def _inside(self, address: str) -> str:
        """Return where an address leads that is a folder without a page; any other as it is."""
        page, _, anchor = address.partition("#")
        if page not in self.ways_in or self.ids_of(page) is not None:
            return address
        return self._anchored(self.ways_in[page], anchor)

    @staticmethod
    def _anchored(address: str, anchor: str) -> str:
        """Return an address with the anchor that a reader came with, unless it has one itself."""
        return f"{address}#{anchor}" if anchor and "#" not in address else address

    def _next(self, address: str) -> str | None:
        """Return where an address leads itself; an anchor is taken along from a page that has moved."""
        page, _, anchor = address.partition("#")
        if address in self.ways:
            return self.ways[address].new
        if anchor and page in self.ways:
            return self._anchored(self.ways[page].new, anchor)
        return None

    def _target(self, address: str, move: Move) -> str | None:
        """Return the address if it is there; without its anchor where only that is missing."""
        page, _, anchor = address.partition("#")
        ids = self.ids_of(page)
        if ids is None:
            if self.is_elsewhere(page):
                self._tell_elsewhere(move, page)
            else:
                message = f"{address!r} is no page of this site"
                self._tell(move, "target", message, "lead to one that is there")
            return None
        if anchor and ids and anchor not in ids:
            message = f"the page {page!r} has no anchor {anchor!r}"
            self._tell(move, "target", message, "lead to one that is there, or to the page")
            return page
        return address
