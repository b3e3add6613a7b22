"""From names that have changed to the addresses that have moved with them: the ways of each row."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from urllib.parse import unquote

from devportal.contract import Api, Operation
from devportal.findings import Finding, Level
from devportal.pages import url_of
from devportal.reference.addresses import Addresses, group_key, slug
from devportal.reference.anchors import anchor_text
from devportal.reference.redirects import Move, Redirects, wrong_redirect
from devportal.reference.sections import groups_by_page

_METHOD_AND_PATH = re.compile(r"([A-Za-z]+) +(/.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """Where an old address leads by one row: as it is written there, or because of a name in it."""

    old: str
    new: str
    move: Move
    is_written: bool = False


def ways_of(redirects: Redirects, api: Api, addresses: Addresses) -> tuple[tuple[Way, ...], list[Finding]]:
    """Return the ways of all rows, and what is wrong with the names in them."""
    names = _Names(api, addresses)
    ways = (*names.of_tags(redirects.tags), *names.of_operations(redirects.operations))
    return (*ways, *_written(redirects.pages, names.findings)), names.findings


def address_of(uri: str) -> str:
    """Return the address of a page from the root of the site, unquoted."""
    return unquote(url_of(uri))


def parsed_address(text: str) -> str | None:
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


def _written(moves: tuple[Move, ...], findings: list[Finding]) -> Iterator[Way]:
    """Yield the ways of rows that are addresses themselves."""
    for move in moves:
        old, new = parsed_address(move.old), parsed_address(move.new)
        if old is not None and new is not None:
            yield Way(old=old, new=new, move=move, is_written=True)
        else:
            message = f"{(move.old if old is None else move.new)!r} is no address of this site"
            advice = "write it from the root of the site, such as reference/messages/send/#body.to"
            findings.append(wrong_redirect(move, "address", message, advice))


@dataclass
class _Names:
    """What the contract calls things now; gathers what is wrong with the names in rows."""

    api: Api
    addresses: Addresses
    findings: list[Finding] = field(default_factory=list)
    old_folders: dict[str, list[str]] = field(default_factory=dict)
    """By the folder of a group's pages: the folders that they were in when its tag had other names."""

    def of_tags(self, moves: tuple[Move, ...]) -> Iterator[Way]:
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
            yield Way(old=old, new=there, move=move)
            anchor = self.addresses.group_anchors[group_key(group)]
            was = anchor_text(f"group.{move.old}")
            yield Way(old=f"{overview}#{was}", new=f"{listed[group_key(group)]}#{anchor}", move=move)
            for address in map(self._page, group.operations):
                if address.startswith(there):
                    yield Way(old=old + address.removeprefix(there), new=address, move=move)

    def of_operations(self, moves: tuple[Move, ...]) -> Iterator[Way]:
        """Yield the ways of operations that have another id, method or path now: page and anchors."""
        operations = {name: one for one in self.api.operations for name in _names(one)}
        for move, name in self._present(moves, operations, "operation"):
            there = self._page(operations[name])
            spelt = _METHOD_AND_PATH.fullmatch(move.old)
            was = anchor_text(f"{spelt.group(1).upper()}-{spelt.group(2)}" if spelt else move.old)
            yield Way(old=f"{there}#{was}", new=there, move=move)
            if spelt and operations[name].id_is_declared:
                continue  # the page is called after the operationId, which is what it was
            folder = posixpath.dirname(there.rstrip("/")) + "/"
            for one in (folder, *self.old_folders.get(folder, ())):
                yield Way(old=f"{one}{slug(move.old)}/", new=there, move=move)

    def _page(self, operation: Operation) -> str:
        return address_of(self.addresses.operation(operation))

    def _present(
        self, moves: tuple[Move, ...], known: Mapping[str, object], noun: str
    ) -> Iterator[tuple[Move, str]]:
        """Yield each row with the present name that it leads to, by way of other rows if need be."""
        renamed = {_spelt(move.old): _spelt(move.new) for move in moves}
        for move in moves:
            name, passed = _spelt(move.new), [_spelt(move.old)]
            while name not in known and name in renamed and name not in passed:
                passed.append(name)
                name = renamed[name]
            fault = _fault(move, name, passed, known, noun)
            if fault is not None:
                self.findings.append(fault)
            if fault is None or fault.level is not Level.ERROR:
                yield move, name


def _fault(
    move: Move, name: str, passed: list[str], known: Mapping[str, object], noun: str
) -> Finding | None:
    """Return what is wrong with a row whose new name leads to `name`, past the names of other rows."""
    if passed[0] in known:
        message = f"the {noun} {move.old!r} is still in the contract"
        return wrong_redirect(move, "source", message, "remove this row, or take the old name away")
    if name in passed:
        message = f"the {noun} {move.old!r} ends up as itself"
        return wrong_redirect(move, "loop", message, "let one of its rows name what is in the contract")
    if name not in known:
        close = get_close_matches(name, known, n=1)
        advice = f"did you mean {close[0]!r}?" if close else f"name a present {noun} of the contract"
        return wrong_redirect(move, "target", f"the contract has no {noun} {name!r}", advice)
    return chained(move, move.new, name) if len(passed) > 1 else None


def chained(move: Move, named: str, end: str) -> Finding:
    """Return the finding on a row that leads to what has moved on itself."""
    message = f"{move.old!r} leads to {named!r}, which has moved itself"
    return wrong_redirect(move, "chain", message, f"write {end!r}", Level.WARNING)


def _names(operation: Operation) -> tuple[str, ...]:
    """Return what rows may call an operation."""
    return operation.id, f"{operation.method} {operation.path}"


def _spelt(name: str) -> str:
    """Return the name of an operation with its method in capitals, if it has one; other names as they are."""
    match = _METHOD_AND_PATH.fullmatch(name)
    return f"{match.group(1).upper()} {match.group(2)}" if match else name
