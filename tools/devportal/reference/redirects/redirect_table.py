"""Where each old address leads in the end, and which rows of redirects lead nowhere."""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import accumulate
from urllib.parse import unquote

from devportal.contract import Api, Operation
from devportal.findings import Finding, Level
from devportal.markup import url_of
from devportal.reference.addresses import Addresses, anchor_text, event_operations, group_key, slug
from devportal.reference.pages.sidebar import groups_by_page
from devportal.reference.redirects.redirects import RedirectRow, Redirects, RedirectTable, redirect_finding

_METHOD_AND_PATH = re.compile(r"([A-Za-z]+) +(/.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedRedirect:
    """Where an old address leads by one row: as it is written there, or because of a name in it."""

    old: str
    new: str
    move: RedirectRow
    is_written: bool = False


def resolve_redirects(
    redirects: Redirects, api: Api, addresses: Addresses
) -> tuple[tuple[ResolvedRedirect, ...], list[Finding]]:
    """Return the ways of all rows, and what is wrong with the names in them."""
    names = _CurrentNames(api, addresses)
    ways = (*names.of_tags(redirects.tags), *names.of_operations(redirects.operations))
    return (*ways, *_address_redirects(redirects.pages, names.findings)), names.findings


def address_of(uri: str) -> str:
    """Return the address of a page from the root of the site, unquoted."""
    return unquote(url_of(uri))


def normalise_address(text: str) -> str | None:
    """Return an address from the root of the site in the one form that is compared; None if it is none.

    `/reference/a`, `reference/a/index.html` and `reference/a.md` are all `reference/a/`.
    """
    path, _, anchor = text.strip().partition("#")
    path, anchor = unquote(path).removeprefix("/"), unquote(anchor)
    if "://" in text or set(path) & set('\\?*<>"|') or not f"{path}{anchor}".isprintable():
        return None
    if path.startswith("/") or "//" in path or set(path.split("/")) & {".", ".."}:
        return None
    path = address_of(path) if path.endswith(".md") else path.removesuffix("index.html")
    if path and not path.endswith(("/", ".html")):
        path += "/"
    return f"{path}#{anchor}" if anchor else path


def _address_redirects(moves: tuple[RedirectRow, ...], findings: list[Finding]) -> Iterator[ResolvedRedirect]:
    """Yield the ways of rows that are addresses themselves."""
    for move in moves:
        old, new = normalise_address(move.old), normalise_address(move.new)
        if old is not None and new is not None:
            yield ResolvedRedirect(old=old, new=new, move=move, is_written=True)
        else:
            message = f"{(move.old if old is None else move.new)!r} is no address of this site"
            advice = "write it from the root of the site, such as reference/messages/send/#body.to"
            findings.append(redirect_finding(move, "address", message, advice))


@dataclass
class _CurrentNames:
    """What the contract calls things now; gathers what is wrong with the names in rows."""

    api: Api
    addresses: Addresses
    findings: list[Finding] = field(default_factory=list)
    old_folders: dict[str, list[str]] = field(default_factory=dict)
    """By the folder of a group's pages: the folders that they were in when its tag had other names."""

    def of_tags(self, moves: tuple[RedirectRow, ...]) -> Iterator[ResolvedRedirect]:
        """Yield the ways of tags that have other names now: all pages below their folders have moved."""
        groups = {group.name: group for group in reversed(self.api.groups)}
        overview = address_of(self.addresses.overview)
        listed = {
            group_key(group): address_of(page.uri)
            for page in groups_by_page(self.api, self.addresses.overview)
            for _, group in page.items
        }
        for move, name in self._present(moves, groups, "tag"):
            group = groups[name]
            there = address_of(self.addresses.group_of(group))
            old = f"{posixpath.dirname(there.rstrip('/'))}/{slug(move.old)}/"
            self.old_folders.setdefault(there, []).append(old)
            yield ResolvedRedirect(old=old, new=there, move=move)
            anchor = self.addresses.group_anchors[group_key(group)]
            was = anchor_text(f"group.{move.old}")
            yield ResolvedRedirect(
                old=f"{overview}#{was}", new=f"{listed[group_key(group)]}#{anchor}", move=move
            )
            for address in map(self._page, group.operations):
                if address.startswith(there):
                    yield ResolvedRedirect(old=old + address.removeprefix(there), new=address, move=move)

    def of_operations(self, moves: tuple[RedirectRow, ...]) -> Iterator[ResolvedRedirect]:
        """Yield the ways of operations that have another id, method or path now: page and anchors."""
        operations = {name: one for one in self.api.operations for name in _operation_names(one)}
        for move, name in self._present(moves, operations, "operation"):
            there = self._page(operations[name])
            spelt = _METHOD_AND_PATH.fullmatch(move.old)
            was = anchor_text(f"{spelt.group(1).upper()}-{spelt.group(2)}" if spelt else move.old)
            yield ResolvedRedirect(old=f"{there}#{was}", new=there, move=move)
            if spelt and operations[name].id_is_declared:
                continue  # the page is called after the operationId, which is what it was
            folder = posixpath.dirname(there.rstrip("/")) + "/"
            for one in (folder, *self.old_folders.get(folder, ())):
                yield ResolvedRedirect(old=f"{one}{slug(move.old)}/", new=there, move=move)

    def _page(self, operation: Operation) -> str:
        return address_of(self.addresses.operation(operation))

    def _present(
        self, moves: tuple[RedirectRow, ...], known: Mapping[str, object], noun: str
    ) -> Iterator[tuple[RedirectRow, str]]:
        """Yield each row with the present name that it leads to, by way of other rows if need be."""
        renamed = {_normalise_operation_name(move.old): _normalise_operation_name(move.new) for move in moves}
        for move in moves:
            name, passed = _normalise_operation_name(move.new), [_normalise_operation_name(move.old)]
            while name not in known and name in renamed and name not in passed:
                passed.append(name)
                name = renamed[name]
            fault = _name_finding(move, name, passed, known, noun)
            if fault is not None:
                self.findings.append(fault)
            if fault is None or fault.level is not Level.ERROR:
                yield move, name


def _name_finding(
    move: RedirectRow, name: str, passed: list[str], known: Mapping[str, object], noun: str
) -> Finding | None:
    """Return what is wrong with a row whose new name leads to `name`, past the names of other rows."""
    if passed[0] in known:
        message = f"the {noun} {move.old!r} is still in the contract"
        return redirect_finding(move, "source", message, "remove this row, or take the old name away")
    if name in passed:
        message = f"the {noun} {move.old!r} ends up as itself"
        return redirect_finding(move, "loop", message, "let one of its rows name what is in the contract")
    if name not in known:
        close = get_close_matches(name, known, n=1)
        advice = f"did you mean {close[0]!r}?" if close else f"name a present {noun} of the contract"
        return redirect_finding(move, "target", f"the contract has no {noun} {name!r}", advice)
    return chain_finding(move, move.new, name) if len(passed) > 1 else None


def chain_finding(move: RedirectRow, named: str, end: str) -> Finding:
    """Return the finding on a row that leads to what has moved on itself."""
    message = f"{move.old!r} leads to {named!r}, which has moved itself"
    return redirect_finding(move, "chain", message, f"write {end!r}", Level.WARNING)


def _operation_names(operation: Operation) -> tuple[str, ...]:
    """Return what rows may call an operation."""
    return operation.id, f"{operation.method} {operation.path}"


def _normalise_operation_name(name: str) -> str:
    """Return the name of an operation with its method in capitals, if it has one; other names as they are."""
    match = _METHOD_AND_PATH.fullmatch(name)
    return f"{match.group(1).upper()} {match.group(2)}" if match else name


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
    ways, found = resolve_redirects(redirects, api, addresses)
    graph = _RedirectGraph(
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


def pages_to_check(redirects: Redirects, api: Api, addresses: Addresses) -> frozenset[str]:
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
    return {**found, f"{folder}/events/": f"{overview}#events"} if event_operations(api) else found


@dataclass
class _RedirectGraph:
    """The ways by their old addresses; gathers what is wrong with them."""

    ids_of: IdsOf
    is_file: Callable[[str], bool]
    parts_of: PartsOf
    is_elsewhere: Callable[[str], bool]
    ways_in: Mapping[str, str]
    """Where folders without a page lead, whatever the rows say."""
    ways: dict[str, ResolvedRedirect] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def _tell(self, move: RedirectRow, rule: str, message: str, advice: str) -> None:
        self.findings.append(redirect_finding(move, rule, message, advice))

    def _tell_elsewhere(self, move: RedirectRow, page: str) -> None:
        message = f"{page!r} is outside the reference, so the redirect {move.old!r} is left out of this site"
        advice = "run `devportal check` in the project whose site has this page: it says whether it is right"
        self.findings.append(redirect_finding(move, "elsewhere", message, advice, Level.NOTE))

    def add(self, way: ResolvedRedirect) -> None:
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

    def _is_gone(self, way: ResolvedRedirect) -> bool:
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

    def _has_room(self, way: ResolvedRedirect, is_file: Callable[[str], bool]) -> bool:
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

    def _has_page(self, way: ResolvedRedirect) -> bool:
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

    def _end(self, way: ResolvedRedirect) -> str | None:
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
            self.findings.append(chain_finding(way.move, way.new, end))
        return self._target(self._inside(end), way.move)

    def _inside(self, address: str) -> str:
        """Return where an address leads that is a folder without a page; any other as it is."""
        page, _, anchor = address.partition("#")
        if page not in self.ways_in or self.ids_of(page) is not None:
            return address
        return self._with_anchor(self.ways_in[page], anchor)

    @staticmethod
    def _with_anchor(address: str, anchor: str) -> str:
        """Return an address with the anchor that a reader came with, unless it has one itself."""
        return f"{address}#{anchor}" if anchor and "#" not in address else address

    def _next(self, address: str) -> str | None:
        """Return where an address leads itself; an anchor is taken along from a page that has moved."""
        page, _, anchor = address.partition("#")
        if address in self.ways:
            return self.ways[address].new
        if anchor and page in self.ways:
            return self._with_anchor(self.ways[page].new, anchor)
        return None

    def _target(self, address: str, move: RedirectRow) -> str | None:
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
