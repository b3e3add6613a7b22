"""The final target of each redirect, and the problems in the rows of redirects."""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from urllib.parse import unquote

from devportal.contract import Api, Operation
from devportal.findings import Finding, Level
from devportal.markup import url_of
from devportal.reference.addresses import Addresses, anchor_text, event_operations, group_key, slug
from devportal.reference.pages.sidebar import groups_by_page
from devportal.reference.redirects.redirects import RedirectRow, Redirects, RedirectTable, redirect_finding
from devportal.suggestions import suggest_name

_METHOD_AND_PATH = re.compile(r"([A-Za-z]+) +(/.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedRedirect:
    """A redirect from one row: the row has the addresses itself (`is_written`), or names what was renamed."""

    old: str
    new: str
    row: RedirectRow
    is_written: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherSites:
    """Says which addresses, and which operations and tags by name, other sites have that share the rows.

    A row that leads to them is left out of this site, which is not an error; `advice` says what to do then.
    """

    has_address: Callable[[str], bool] = lambda _: False
    has_name: Callable[[str], bool] = lambda _: False
    advice: str = ""


NO_OTHER_SITES = OtherSites()


def resolve_redirects(
    redirects: Redirects, api: Api, addresses: Addresses, others: OtherSites = NO_OTHER_SITES
) -> tuple[tuple[ResolvedRedirect, ...], list[Finding]]:
    """Return the redirects of all rows, and the problems with the names in them."""
    names = _CurrentNames(api, addresses, others)
    renames = (*names.of_tags(redirects.tags), *names.of_operations(redirects.operations))
    return (*renames, *_address_redirects(redirects.pages, names.findings)), names.findings


def address_of(uri: str) -> str:
    """Return the address of a page from the root of the site, unquoted."""
    return unquote(url_of(uri))


def normalise_address(text: str) -> str | None:
    """Return the normal form of an address from the root of the site; None if it is not valid.

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


def _address_redirects(rows: tuple[RedirectRow, ...], findings: list[Finding]) -> Iterator[ResolvedRedirect]:
    """Yield the redirects of rows that contain addresses."""
    for row in rows:
        old, new = normalise_address(row.old), normalise_address(row.new)
        if old is not None and new is not None:
            yield ResolvedRedirect(old=old, new=new, row=row, is_written=True)
        else:
            message = f"{(row.old if old is None else row.new)!r} is not an address of this site"
            advice = "write it from the root of the site, such as reference/messages/send/#body.to"
            findings.append(redirect_finding(row, "address", message, advice))


@dataclass
class _CurrentNames:
    """The current names in the contract; collects the problems with names in rows."""

    api: Api
    addresses: Addresses
    others: OtherSites
    findings: list[Finding] = field(default_factory=list)
    old_folders: dict[str, list[str]] = field(default_factory=dict)
    """By the folder of a group's pages: their folders under former names of its tag."""

    def of_tags(self, rows: tuple[RedirectRow, ...]) -> Iterator[ResolvedRedirect]:
        """Yield the redirects of renamed tags, whose pages have all moved to another folder."""
        groups = {group.name: group for group in reversed(self.api.groups)}
        overview = address_of(self.addresses.overview)
        listed = {
            group_key(group): address_of(page.uri)
            for page in groups_by_page(self.api, self.addresses.overview)
            for _, group in page.items
        }
        for row, name in self._current_names(rows, groups, "tag"):
            group = groups[name]
            new_folder = address_of(self.addresses.group_of(group))
            old_folder = f"{posixpath.dirname(new_folder.rstrip('/'))}/{slug(row.old)}/"
            self.old_folders.setdefault(new_folder, []).append(old_folder)
            yield ResolvedRedirect(old=old_folder, new=new_folder, row=row)
            anchor = self.addresses.group_anchors[group_key(group)]
            old_anchor = anchor_text(f"group.{row.old}")
            yield ResolvedRedirect(
                old=f"{overview}#{old_anchor}", new=f"{listed[group_key(group)]}#{anchor}", row=row
            )
            for address in map(self._page, group.operations):
                if address.startswith(new_folder):
                    yield ResolvedRedirect(
                        old=old_folder + address.removeprefix(new_folder), new=address, row=row
                    )

    def of_operations(self, rows: tuple[RedirectRow, ...]) -> Iterator[ResolvedRedirect]:
        """Yield the redirects of operations with a new id, method or path: page and anchors."""
        operations = {
            name: operation for operation in self.api.operations for name in operation_names(operation)
        }
        for row, name in self._current_names(rows, operations, "operation"):
            new_page = self._page(operations[name])
            method_and_path = _METHOD_AND_PATH.fullmatch(row.old)
            old_anchor = anchor_text(
                f"{method_and_path.group(1).upper()}-{method_and_path.group(2)}"
                if method_and_path
                else row.old
            )
            yield ResolvedRedirect(old=f"{new_page}#{old_anchor}", new=new_page, row=row)
            if method_and_path and operations[name].id_is_declared:
                continue  # the page is named after the operationId, which is unchanged
            folder = posixpath.dirname(new_page.rstrip("/")) + "/"
            for item in (folder, *self.old_folders.get(folder, ())):
                yield ResolvedRedirect(old=f"{item}{slug(row.old)}/", new=new_page, row=row)

    def _page(self, operation: Operation) -> str:
        return address_of(self.addresses.operation(operation))

    def _current_names(
        self, rows: tuple[RedirectRow, ...], current: Mapping[str, object], noun: str
    ) -> Iterator[tuple[RedirectRow, str]]:
        """Yield each row with the current name it leads to, following other rows."""
        renamed = {_normalise_operation_name(row.old): _normalise_operation_name(row.new) for row in rows}
        for row in rows:
            name, visited = _normalise_operation_name(row.new), [_normalise_operation_name(row.old)]
            while name not in current and name in renamed and name not in visited:
                visited.append(name)
                name = renamed[name]
            finding = _name_finding(row, name, visited, current, noun, self.others)
            if finding is not None:
                self.findings.append(finding)
            if name in current and (finding is None or finding.level is not Level.ERROR):
                yield row, name


def _name_finding(
    row: RedirectRow,
    name: str,
    visited: list[str],
    current: Mapping[str, object],
    noun: str,
    others: OtherSites,
) -> Finding | None:
    """Return the problem with a row whose new name leads to `name` through the `visited` names."""
    if visited[0] in current:
        message = f"the {noun} {row.old!r} is still in the contract"
        return redirect_finding(row, "source", message, "remove this row, or take the old name away")
    if name in visited:
        message = f"the {noun} {row.old!r} ends up as itself"
        return redirect_finding(row, "loop", message, "let one of its rows name what is in the contract")
    if name not in current and others.has_name(name):
        return _elsewhere_finding(row, f"the {noun} {name!r}", others)
    if name not in current:
        advice = suggest_name(name, current, f"name a present {noun} of the contract")
        return redirect_finding(row, "target", f"the contract has no {noun} {name!r}", advice)
    return chain_finding(row, row.new, name) if len(visited) > 1 else None


def _elsewhere_finding(row: RedirectRow, target: str, others: OtherSites) -> Finding:
    message = f"this site does not have {target}, so the redirect {row.old!r} is left out of it"
    return redirect_finding(row, "elsewhere", message, others.advice, Level.NOTE)


def chain_finding(row: RedirectRow, named: str, end: str) -> Finding:
    """Return the finding on a row whose target has moved again."""
    message = f"{row.old!r} leads to {named!r}, which has moved itself"
    return redirect_finding(row, "chain", message, f"write {end!r}", Level.WARNING)


def operation_names(operation: Operation) -> tuple[str, ...]:
    """Return the names that rows may use for an operation."""
    return operation.id, f"{operation.method} {operation.path}"


def _normalise_operation_name(name: str) -> str:
    """Return `METHOD /path` with the method in upper case; other names as they are."""
    match = _METHOD_AND_PATH.fullmatch(name)
    return f"{match.group(1).upper()} {match.group(2)}" if match else name


IdsOf = Callable[[str], frozenset[str] | None]
"""The ids on the page at an address; None if there is no page, empty if the ids are not known."""
PartsOf = Callable[[str], Iterable[str]]
"""The addresses of the pages with parts that the page at an address has no room for."""


def redirect_table(
    redirects: Redirects,
    api: Api,
    addresses: Addresses,
    ids_of: IdsOf,
    is_file: Callable[[str], bool],
    parts_of: PartsOf = lambda _: (),
    others: OtherSites = NO_OTHER_SITES,
) -> tuple[RedirectTable, tuple[Finding, ...]]:
    """Return the redirects, and the problems with the rows; rows with errors are left out.

    `is_file` says whether the site has a file with this name that is not a page. The parts of a page
    move with it: they are redirected from below its old address.
    """
    resolved, findings = resolve_redirects(redirects, api, addresses, others)
    graph = _RedirectGraph(
        ids_of=ids_of,
        is_file=is_file,
        parts_of=parts_of,
        others=others,
        folder_targets=folders_without_page(api, addresses),
    )
    for redirect in resolved:
        graph.add(redirect)
    table = graph.table()
    return table, (*findings, *graph.findings)


def pages_to_check(redirects: Redirects, api: Api, addresses: Addresses) -> frozenset[str]:
    """Return the addresses of the pages, existing or not, whose ids `redirect_table` looks up."""
    looked_up: set[str] = set()

    def record(address: str) -> None:
        looked_up.add(address)

    redirect_table(redirects, api, addresses, record, lambda _: False)
    return frozenset(looked_up)


def folders_without_page(api: Api, addresses: Addresses) -> dict[str, str]:
    """Return the targets of folders without an index page, for readers who shorten an address."""
    overview, folder = address_of(addresses.overview), addresses.folder
    targets = {f"{folder}/": overview} if overview != f"{folder}/" else {}
    return (
        {**targets, f"{addresses.events_folder}/": f"{overview}#events"} if event_operations(api) else targets
    )


def _page_of_pattern(address: str) -> str:
    """Return the page of an address that stands for several anchors, such as `a/#x-*`; empty for any other."""
    page, _, anchor = address.partition("#")
    return page if anchor.endswith("*") else ""


@dataclass
class _RedirectGraph:
    """The redirects by old address; collects the problems with them."""

    ids_of: IdsOf
    is_file: Callable[[str], bool]
    parts_of: PartsOf
    others: OtherSites
    folder_targets: Mapping[str, str]
    """The targets of folders without a page, regardless of the rows."""
    redirects: dict[str, ResolvedRedirect] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def _report_redirect(self, row: RedirectRow, rule: str, message: str, advice: str) -> None:
        self.findings.append(redirect_finding(row, rule, message, advice))

    def _report_elsewhere(self, row: RedirectRow, address: str) -> None:
        noun = "anchor" if "#" in address else "page"
        self.findings.append(_elsewhere_finding(row, f"the {noun} {address!r}", self.others))

    def add(self, redirect: ResolvedRedirect) -> None:
        """Add a redirect. If an address has several, the first one wins."""
        first = self.redirects.get(redirect.old)
        if redirect.new == (_page_of_pattern(redirect.old) or redirect.old):
            if redirect.is_written:
                self._report_redirect(
                    redirect.row, "loop", f"{redirect.old!r} leads to itself", "remove this row"
                )
        elif first is not None:
            if redirect.is_written or first.new != redirect.new:
                message = f"{redirect.old!r} is redirected twice: {first.row.place} leads to {first.new!r}"
                self._report_redirect(redirect.row, "twice", message, "keep one of the two")
        elif self._is_gone(redirect) and self._has_room(redirect, self._is_published):
            self.redirects[redirect.old] = redirect

    def _is_gone(self, redirect: ResolvedRedirect) -> bool:
        """Say whether the old address no longer exists."""
        page, _, anchor = redirect.old.partition("#")
        ids = self.ids_of(page)
        if ids is None or (anchor and anchor not in ids):
            return True
        if redirect.is_written or not anchor:
            message = (
                f"the anchor {anchor!r} is still on {page!r}"
                if anchor
                else f"{page!r} is a page of this site"
            )
            self._report_redirect(
                redirect.row, "source", message, "remove this row: nobody would be led on from there"
            )
        return False

    def _has_room(self, redirect: ResolvedRedirect, is_file: Callable[[str], bool]) -> bool:
        """Say whether a page can be written at an old address: none of its folders is a file."""
        page, hash_mark, _ = redirect.old.partition("#")
        names = accumulate(page.rstrip("/").split("/"), "{}/{}".format)
        file = next((name for name in names if name != page and is_file(name)), None)
        if hash_mark or file is None:
            return True
        message = f"{file!r} is a file of this site, so no page can be at {page!r}"
        self._report_redirect(
            redirect.row, "source", message, "remove this row: its address cannot be published"
        )
        return False

    def _is_published(self, name: str) -> bool:
        """Say whether a file or the Markdown twin of a page has this name."""
        is_twin = name.endswith(".md") and self.ids_of(address_of(name)) is not None
        return is_twin or self.is_file(name)

    def table(self) -> RedirectTable:
        """Return the final target of each old address."""
        pages: dict[str, str] = {}
        anchors: dict[str, str] = {}
        for redirect in self.redirects.values():
            end = self._final_address(redirect)
            if (
                end is not None
                and self._has_page(redirect)
                and self._has_room(redirect, self.redirects.__contains__)
            ):
                (anchors if "#" in redirect.old else pages)[redirect.old] = end
        parts = dict(part for old, end in pages.items() for part in self._part_redirects(old, end))
        return RedirectTable(pages={**parts, **pages}, anchors=anchors)

    def _part_redirects(self, old: str, end: str) -> Iterator[tuple[str, str]]:
        """Yield the old and new addresses of the parts of a page, which have no rows."""
        if "#" in end or not old.endswith("/"):
            return
        for part in self.parts_of(end):
            old_part = old + part.removeprefix(end)
            if self.ids_of(old_part) is None and not self.is_file(old_part.rstrip("/")):
                yield old_part, part

    def _has_page(self, redirect: ResolvedRedirect) -> bool:
        """Say whether a page exists at the old address that can redirect a browser."""
        page, hash_mark, _ = redirect.old.partition("#")
        if (
            not hash_mark
            or self.ids_of(page) is not None
            or page in self.redirects
            or page in self.folder_targets
        ):
            return True
        if self.others.has_address(page):
            self._report_elsewhere(redirect.row, page)
            return False
        message = f"nothing is at {page!r} any more, so nobody is led on from {redirect.old!r}"
        self._report_redirect(redirect.row, "source", message, f"add a row for {page!r} itself")
        return False

    def _final_address(self, redirect: ResolvedRedirect) -> str | None:
        """Return the final target after following all redirects; None if there is none."""
        end, visited = redirect.new, {redirect.old}
        while (following := self._next_address(end)) is not None:
            if end in visited:
                advice = "let one of its rows lead to a page"
                self._report_redirect(redirect.row, "loop", f"{redirect.old!r} leads in a circle", advice)
                return None
            visited.add(end)
            end = following
        if end != redirect.new and redirect.is_written:
            self.findings.append(chain_finding(redirect.row, redirect.new, end))
        return self._existing_target(self._resolve_folder(end), redirect.row)

    def _resolve_folder(self, address: str) -> str:
        """Return the target of a folder without a page; any other address as it is."""
        page, _, anchor = address.partition("#")
        if page not in self.folder_targets or self.ids_of(page) is not None:
            return address
        return self._with_anchor(self.folder_targets[page], anchor)

    @staticmethod
    def _with_anchor(address: str, anchor: str) -> str:
        """Return an address with the anchor of the old one, unless it has its own."""
        return f"{address}#{anchor}" if anchor and "#" not in address else address

    def _next_address(self, address: str) -> str | None:
        """Return the next target of an address. An anchor moves along with its page."""
        page, _, anchor = address.partition("#")
        if address in self.redirects:
            return self.redirects[address].new
        if anchor and page in self.redirects:
            return self._with_anchor(self.redirects[page].new, anchor)
        return None

    def _existing_target(self, address: str, row: RedirectRow) -> str | None:
        """Return the address if it exists; without its anchor if only the anchor is missing."""
        page, _, anchor = address.partition("#")
        ids = self.ids_of(page)
        if ids is None:
            if self.others.has_address(page):
                self._report_elsewhere(row, page)
            else:
                message = f"{address!r} is not a page of this site"
                self._report_redirect(row, "target", message, "lead to one that is there")
            return None
        if anchor and ids and anchor not in ids:
            if self.others.has_address(address):
                self._report_elsewhere(row, address)
                return None
            message = f"the page {page!r} has no anchor {anchor!r}"
            self._report_redirect(row, "target", message, "lead to one that is there, or to the page")
            return page
        return address
