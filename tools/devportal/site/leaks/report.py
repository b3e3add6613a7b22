"""What leaks in a site, as findings: file, byte, version, and what to do."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from devportal.catalog import Catalog, Published
from devportal.errors import Place
from devportal.findings import Finding, Level
from devportal.site.leaks.needles import Secret, facts_of, needles_of
from devportal.site.leaks.search import Search
from devportal.site.leaks.unpacking import Unread
from devportal.site.leaks.watches import Leak
from devportal.site.leaks.words import said_in

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
