"""Follows every link of a built site. Those to other hosts are listed: a visit tells whether they answer."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from json import JSONDecodeError
from pathlib import Path
from urllib.parse import unquote, urlsplit

from devportal.errors import Place, UnreadableInput
from devportal.findings import Finding, Level, in_order
from devportal.site.links.addresses import is_address
from devportal.site.links.markup import Link, links_and_anchors
from devportal.site.links.texts import reader_for

_CANONICAL = re.compile(r'<link\s+rel="canonical"\s+href="([^"]+)"')
_OWN_SCHEMES = {"", "http", "https"}
_ERROR_PAGE = "404.html"
"""Shown at any address: what is relative in it depends on that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What is wrong with the links of a site, and the files that link to each address of another host."""

    findings: tuple[Finding, ...]
    external: Mapping[str, tuple[str, ...]]
    links: int
    """How many links were followed."""


def check_links(site: Path, *, site_url: str = "") -> Checked:
    """Follow every link of the site in a folder. Raises UnreadableInput where that holds no site.

    Absolute links lead into the site where they begin with `site_url`; without it with what the first page
    names as its own address, if it does.
    """
    if not (site / "index.html").is_file():
        raise UnreadableInput(
            f"{site}: there is no site in this folder: it has no index.html",
            help="build the site first with 'devportal build', and name the folder that it prints",
        )
    return _Check(_Files(site), site_url).made()


class _Files:
    """The files of a site, each read once; anchors are kept."""

    def __init__(self, site: Path) -> None:
        self.site = site
        self.names = frozenset(
            path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()
        )
        self._anchors: dict[str, frozenset[str]] = {}
        self._links: dict[str, list[Link]] = {}

    def text(self, name: str) -> str:
        """Return what a file says. Raises UnreadableInput where it is no text."""
        try:
            return (self.site / name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UnreadableInput(
                f"{self.site / name}: cannot be read: {error}", help="build the site again"
            ) from error

    def links(self, name: str) -> Iterable[Link]:
        """Return the links of a file."""
        if name.endswith(".html"):
            self._read(name)
            return self._links.pop(name, [])
        reader = reader_for(name)
        return reader(self.text(name)) if reader else ()

    def anchors(self, name: str) -> frozenset[str]:
        """Return the anchors of a page."""
        self._read(name)
        return self._anchors[name]

    def _read(self, name: str) -> None:
        if name not in self._anchors:
            self._links[name], self._anchors[name] = links_and_anchors(self.text(name))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fault:
    """What is wrong with a link: the rule that it breaks, and the words behind the link."""

    rule: str
    words: str


class _Check:
    def __init__(self, files: _Files, site_url: str) -> None:
        self._files = files
        named = _CANONICAL.search(files.text("index.html"))
        own = site_url or (named[1] if named and is_address(named[1]) else "")
        self._own = urlsplit(own if own.endswith("/") or not own else f"{own}/")
        self._external: dict[str, list[str]] = {}
        self._links = 0

    def made(self) -> Checked:
        findings = in_order(one for name in sorted(self._files.names) for one in self._of_file(name))
        external = {url: tuple(dict.fromkeys(names)) for url, names in sorted(self._external.items())}
        return Checked(findings=findings, external=external, links=self._links)

    def _of_file(self, name: str) -> Iterator[Finding]:
        text = ""
        try:
            links = [*self._files.links(name)]
        except (ValueError, RecursionError) as error:
            yield _unreadable(name, error)
            return
        for link in links:
            self._links += 1
            fault = self._fault(name, link.target.strip())
            if fault:
                text = text or self._files.text(name)
                yield _finding(name, text, link, fault)

    def _fault(self, name: str, target: str) -> _Fault | None:
        """Return what is wrong with a link, if anything is."""
        try:
            url = urlsplit(target)
        except ValueError:
            return _Fault(rule="link-address", words="is no address")
        if url.scheme not in _OWN_SCHEMES:
            return None
        if url.netloc and not self._is_own(url.netloc, url.path):
            self._external.setdefault(target, []).append(name)
            return None
        if name == _ERROR_PAGE and not url.path.startswith("/"):
            return None
        found = self._file(name, unquote(url.path or ("/" if url.netloc else "")))
        if found is None:
            return _Fault(rule="link-nowhere", words="leads to no file of the site")
        return self._anchor_fault(found, url.fragment)

    def _is_own(self, host: str, path: str) -> bool:
        return host == self._own.netloc and (path or "/").startswith(self._own.path)

    def _file(self, name: str, path: str) -> str | None:
        """Return the file that a path leads to from another one."""
        if path.startswith("/"):
            root = unquote(self._own.path) or "/"
            if not path.startswith(root):
                return None
            joined = posixpath.normpath(path.removeprefix(root) or ".")
        elif path:
            joined = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
        else:
            return name
        joined = "" if joined == "." else joined
        if joined in self._files.names and not path.endswith("/"):
            return joined
        index = f"{joined}/index.html".lstrip("/")
        return index if index in self._files.names else None

    def _anchor_fault(self, name: str, fragment: str) -> _Fault | None:
        anchor = unquote(fragment.partition(":~:")[0])
        if not name.endswith(".html") or anchor in {"", "top"} or anchor in self._files.anchors(name):
            return None
        return _Fault(rule="link-anchor", words=f"leads to '#{anchor}', which is not on '{name}'")


def _unreadable(name: str, error: ValueError | RecursionError) -> Finding:
    at = (error.lineno, error.colno) if isinstance(error, JSONDecodeError) else (0, 0)
    return Finding(
        rule="link-unreadable",
        level=Level.ERROR,
        place=Place(file=name, line=at[0], column=at[1]),
        message=f"the links of this file cannot be read: {error}",
        help="build the site again; if the file is written by hand, mend it",
    )


def _finding(name: str, text: str, link: Link, fault: _Fault) -> Finding:
    before = text[: link.offset]
    return Finding(
        rule=fault.rule,
        level=Level.ERROR,
        place=Place(file=name, line=before.count("\n") + 1, column=link.offset - before.rfind("\n")),
        message=f"the link '{link.target}' {fault.words}",
        help="mend it where the page is made: contract, record, changelog entry or hand-written page",
    )
