"""Follows every link of a built site. Links to other hosts are only listed."""

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from json import JSONDecodeError
from pathlib import Path
from urllib.parse import unquote, urlsplit

from devportal.errors import Place, UnreadableInput
from devportal.findings import Finding, Level, in_order
from devportal.project.site_url import is_web_address
from devportal.site.links.files import UNREADABLE, Files
from devportal.site.links.link import Link, SiteAddress

_OWN_SCHEMES = {"", "http", "https"}
_ERROR_PAGE = "404.html"
"""Shown at any address: what is relative in it depends on that, except for its anchors."""

_VIEW = "svgView("
"""How a fragment begins that names a part of a drawing by its place (SVG 2, 16.3.1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkReport:
    """What is wrong with the links of a site, and the files that link to each address of another host."""

    findings: tuple[Finding, ...]
    external: Mapping[str, tuple[str, ...]]
    links: int
    """How many links were followed."""


def check_links(site: Path, *, site_url: str = "") -> LinkReport:
    """Follow every link of the site in a folder. Raises UnreadableInput if the folder has no site.

    Absolute links lead into the site if they begin with `site_url`; without it, with the canonical address of
    the first page, if it has one.
    """
    if not (site / "index.html").is_file():
        raise UnreadableInput(
            f"{site}: there is no site in this folder: it has no index.html"
            if site.is_dir()
            else f"{site}: there is no such folder",
            help="build the site first with 'devportal build', and name the folder that it prints",
        )
    return _LinkCheck(Files(site), site_url).make_report()


@dataclass(frozen=True, slots=True, kw_only=True)
class _LinkProblem:
    """What is wrong with a link: the rule that it breaks, and the end of the message."""

    rule: str
    words: str


class _LinkCheck:
    def __init__(self, files: Files, site_url: str) -> None:
        self._files = files
        self._home = SiteAddress(site_url or _own_address(files))
        self._external: dict[str, list[str]] = {}
        self._links = 0

    def make_report(self) -> LinkReport:
        findings = in_order(
            finding for name in sorted(self._files.names) for finding in self.check_file(name)
        )
        external = {url: tuple(dict.fromkeys(names)) for url, names in sorted(self._external.items())}
        return LinkReport(findings=findings, external=external, links=self._links)

    def check_file(self, name: str) -> Iterator[Finding]:
        try:
            reading = self._files.reading(name)
            address = self._home.address_of(name, reading.base)
        except UNREADABLE as error:
            yield _unreadable(name, error)
            return
        self._links += len(reading.links)
        text = ""
        for link in reading.links:
            problem = self._link_problem(name, address, link.target.strip())
            if problem and not (name == _ERROR_PAGE and _is_page_relative(link, reading.base)):
                text = text or self._files.text(name)
                yield _finding(_place(name, text, link), link, problem)
        for link in reading.repeated:
            text = text or self._files.text(name)
            yield _duplicate_id(_place(name, text, link), link)

    def _link_problem(self, name: str, address: str, target: str) -> _LinkProblem | None:
        """Return the problem of a link, resolved against an address; None if it has none."""
        try:
            if urlsplit(target).scheme not in _OWN_SCHEMES:
                return None
            url = self._home.resolve_link(target, address)
            is_own = self._home.is_host_of(url)
        except ValueError:
            return _LinkProblem(rule="link-address", words="is not an address")
        path = self._home.path_of(url) if is_own else None
        if not is_own or (path is None and urlsplit(target).netloc):
            self._external.setdefault(target if urlsplit(target).netloc else url.geturl(), []).append(name)
            return None
        linked_file = self._linked_file(path)
        if linked_file is None:
            return _LinkProblem(rule="link-nowhere", words="leads to no file of the site")
        return self._anchor_problem(linked_file, url.fragment)

    def _linked_file(self, path: str | None) -> str | None:
        """Return the file that a path below the root of the site leads to."""
        if path is None:
            return None
        joined = posixpath.normpath(path or ".")
        joined = "" if joined == "." else joined
        if joined in self._files.names and not path.endswith("/"):
            return joined
        index = f"{joined}/index.html".lstrip("/")
        return index if index in self._files.names else None

    def _anchor_problem(self, name: str, fragment: str) -> _LinkProblem | None:
        """Return the problem of an anchor, looked up as written, then decoded (HTML, 7.4.6.4)."""
        written = fragment.partition(":~:")[0]
        anchor = unquote(written)
        if not written or anchor.lower() == "top" or anchor.startswith(_VIEW):
            return None
        anchors = self._files.anchors(name)
        if anchors is None or written in anchors or anchor in anchors:
            return None
        return _LinkProblem(rule="link-anchor", words=f"leads to '#{anchor}', which is not on '{name}'")


def _own_address(files: Files) -> str:
    """Return the canonical address of the first page; empty if it has none."""
    try:
        named = files.reading("index.html").canonical
    except UNREADABLE:
        return ""
    return named.removesuffix("index.html") if is_web_address(named) and not urlsplit(named).query else ""


def _is_page_relative(link: Link, base: str) -> bool:
    """Return whether the target of a link of the error page depends on the address that shows it."""
    return not any(text.strip().startswith(("/", "#", "http:", "https:")) for text in (link.target, base))


def _unreadable(name: str, error: Exception) -> Finding:
    at = (error.lineno, error.colno) if isinstance(error, JSONDecodeError) else (0, 0)
    why = _reason(error)
    return Finding(
        rule="link-unreadable",
        level=Level.ERROR,
        place=Place(file=name, line=at[0], column=at[1]),
        message=f"the links of this file cannot be read: {why}",
        help="build the site again; if the file is hand-written, fix it",
    )


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"it is not UTF-8: {error.reason} at byte {error.start}"
    return str(error.strerror) if isinstance(error, OSError) else str(error)


def _place(name: str, text: str, link: Link) -> Place:
    line = text.count("\n", 0, link.offset) + 1
    return Place(file=name, line=line, column=link.offset - text.rfind("\n", 0, link.offset))


_LINK_HELP = "fix it where the page is made: contract, record, changelog entry or hand-written page"
_ROOT_LINK_HELP = f"{_LINK_HELP}. If a contract's author wrote it for another site, set contract_links"


def _finding(place: Place, link: Link, problem: _LinkProblem) -> Finding:
    is_root_relative = link.target.strip().startswith("/")
    return Finding(
        rule=problem.rule,
        level=Level.ERROR,
        place=place,
        message=f"the link '{link.target}' {problem.words}",
        help=_ROOT_LINK_HELP if is_root_relative and problem.rule == "link-nowhere" else _LINK_HELP,
    )


def _duplicate_id(place: Place, link: Link) -> Finding:
    return Finding(
        rule="link-id-twice",
        level=Level.WARNING,
        place=place,
        message=f"the id '{link.target}' is on this page already: a link to it leads to the first element",
        help="give one of the two another id",
    )
