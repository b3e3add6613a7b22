"""The filter bar: for each API and each impact a page of its own, as plain links with counts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from devportal.changelog.entry import Entry, Impact

INDEX = "changelog/index.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """One list of entries: the page it is on, the word in the bar, and what belongs to it.

    `group` is the row of the bar; the filter that keeps everything has none.
    """

    uri: str
    group: str
    label: str
    heading: str
    lead: str
    entries: tuple[Entry, ...]
    impact: Impact | None = None


def filters(entries: tuple[Entry, ...], *, title: str) -> tuple[Filter, ...]:
    """Return the filter for everything, then those by API and by impact that keep any entry."""
    everything = Filter(
        uri=INDEX,
        group="",
        label="All",
        heading="Changelog",
        lead=f"Every change to {title}, the newest first: what it is, whom it touches, and what to do.",
        entries=entries,
    )
    return (everything, *_by_api(entries, title), *_by_impact(entries))


def api_uris(entries: tuple[Entry, ...]) -> dict[str, str]:
    """Return the uri of each API's page, in the order of the names; no two are the same."""
    uris: dict[str, str] = {}
    for name in sorted({name for entry in entries for name in entry.apis}):
        slug = re.sub(r"[\W_]+", "-", name.casefold()).strip("-") or "api"
        taken, number = set(uris.values()), 1
        uri = f"changelog/api/{slug}.md"
        while uri in taken:
            number += 1
            uri = f"changelog/api/{slug}-{number}.md"
        uris[name] = uri
    return uris


def impact_uri(impact: Impact) -> str:
    """Return the uri of an impact's page."""
    return f"changelog/impact/{impact.value}.md"


def _by_api(entries: tuple[Entry, ...], title: str) -> Iterator[Filter]:
    for name, uri in api_uris(entries).items():
        yield Filter(
            uri=uri,
            group="API",
            label=name,
            heading=f"Changelog: {name}",
            lead=f"Every change to {name} in {title}, the newest first.",
            entries=tuple(entry for entry in entries if name in entry.apis),
        )


def _by_impact(entries: tuple[Entry, ...]) -> Iterator[Filter]:
    for impact in Impact:
        kept = tuple(entry for entry in entries if entry.impact is impact)
        if kept:
            yield Filter(
                uri=impact_uri(impact),
                group="Impact",
                label=impact.label,
                heading=f"Changelog: {impact.label}",
                lead=impact.meaning,
                entries=kept,
                impact=impact,
            )
