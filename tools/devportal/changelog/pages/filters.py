"""The lists of a changelog: everything, and a page for each API, impact and need for action that has entries."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from devportal.changelog.entries.entry import Entry, Impact

INDEX = "changelog/index.md"
ACTION_REQUIRED = "changelog/action-required.md"
ACTION_REQUIRED_LEAD = "Changes that need an update of your code, newest first."


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """One list of entries and its page: those of an API, and of these one impact or what requires action."""

    uri: str
    heading: str
    lead: str
    entries: tuple[Entry, ...]
    api: str = ""
    impact: Impact | None = None
    is_action: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterChoice:
    """One choice of a filter; `uri` is empty if no entry would be left. `value` is its name in addresses."""

    label: str
    value: str
    uri: str
    count: int
    is_current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterRow:
    """One filter and its choices, that of everything first."""

    name: str
    title: str
    choices: tuple[FilterChoice, ...]

    @property
    def current(self) -> FilterChoice:
        """Return the choice of the page at hand; that of everything if no choice is."""
        return next((choice for choice in self.choices if choice.is_current), self.choices[0])


def filters(entries: tuple[Entry, ...], *, title: str) -> tuple[Filter, ...]:
    """Return the filter for everything, then those by API, impact and need for action that match any entry."""
    everything = Filter(
        uri=INDEX,
        heading="Changelog",
        lead=f"Every change to {title}, newest first: what changed, who is affected, and what to do.",
        entries=entries,
    )
    others = (
        *_by_api(entries, title),
        *_by_impact(entries),
        *_by_api_and_impact(entries),
        *_by_action(entries, title),
    )
    return (everything, *others)


def filter_rows(shown: Filter, all_: tuple[Filter, ...]) -> tuple[FilterRow, ...]:
    """Return the filters on the page of one list: each choice changes one criterion.

    An impact and the need for action are not combined: a choice of one gives up the other.
    """
    by_choice = {(one.api, one.impact, one.is_action): one for one in all_}
    apis = sorted({one.api for one in all_ if one.api})
    impacts = [impact for impact in Impact if ("", impact, False) in by_choice]

    def choice(label: str, value: str, key: tuple[str, Impact | None, bool]) -> FilterChoice:
        target = by_choice.get(key)
        return FilterChoice(
            label=label,
            value=value,
            uri=target.uri if target else "",
            count=len(target.entries) if target else 0,
            is_current=target is shown,
        )

    slugs = api_slugs(all_[0].entries)
    by_api = [choice("All APIs", "", ("", shown.impact, shown.is_action))]
    by_api += [choice(name, slugs[name], (name, shown.impact, shown.is_action)) for name in apis]
    by_impact = [choice("All impacts", "", (shown.api, None, False))]
    by_impact += [choice(impact.label, impact.value, (shown.api, impact, False)) for impact in impacts]
    rows = [
        FilterRow(name="api", title="API", choices=tuple(by_api)),
        FilterRow(name="impact", title="Impact", choices=tuple(by_impact)),
    ]
    if ("", None, True) in by_choice:
        every = choice("All changes", "", (shown.api, None, False))
        action = choice("Action required", "required", (shown.api, None, True))
        rows.append(FilterRow(name="action", title="Action", choices=(every, action)))
    return tuple(rows)


def api_slugs(entries: tuple[Entry, ...]) -> dict[str, str]:
    """Return a unique slug for each API, in the order of the names."""
    slugs: dict[str, str] = {}
    for name in sorted({name for entry in entries for name in entry.apis}):
        base = re.sub(r"[\W_]+", "-", name.casefold()).strip("-") or "api"
        taken, number, slug = set(slugs.values()), 1, base
        while slug in taken:
            number += 1
            slug = f"{base}-{number}"
        slugs[name] = slug
    return slugs


def api_uris(entries: tuple[Entry, ...]) -> dict[str, str]:
    """Return the uri of each API's page, in the order of the names."""
    return {name: f"changelog/api/{slug}.md" for name, slug in api_slugs(entries).items()}


def impact_uri(impact: Impact, slug: str = "") -> str:
    """Return the uri of the page of an impact, or of that impact on the API with a slug."""
    return f"changelog/api/{slug}/{impact.value}.md" if slug else f"changelog/impact/{impact.value}.md"


def action_uri(slug: str = "") -> str:
    """Return the uri of the page of what requires action, or of that on the API with a slug."""
    return f"changelog/api/{slug}/action-required.md" if slug else ACTION_REQUIRED


def _by_api(entries: tuple[Entry, ...], title: str) -> Iterator[Filter]:
    for name, uri in api_uris(entries).items():
        yield Filter(
            uri=uri,
            heading=f"Changelog: {name}",
            lead=f"Every change to {name} in {title}, newest first.",
            entries=tuple(entry for entry in entries if name in entry.apis),
            api=name,
        )


def _by_impact(entries: tuple[Entry, ...]) -> Iterator[Filter]:
    for impact in Impact:
        kept = tuple(entry for entry in entries if entry.impact is impact)
        if kept:
            yield Filter(
                uri=impact_uri(impact),
                heading=f"Changelog: {impact.label}",
                lead=impact.meaning,
                entries=kept,
                impact=impact,
            )


def _by_api_and_impact(entries: tuple[Entry, ...]) -> Iterator[Filter]:
    for name, slug in api_slugs(entries).items():
        for impact in Impact:
            kept = tuple(entry for entry in entries if name in entry.apis and entry.impact is impact)
            if kept:
                yield Filter(
                    uri=impact_uri(impact, slug),
                    heading=f"Changelog: {name}, {impact.label.lower()}",
                    lead=impact.meaning,
                    entries=kept,
                    api=name,
                    impact=impact,
                )


def _by_action(entries: tuple[Entry, ...], title: str) -> Iterator[Filter]:
    kept = tuple(entry for entry in entries if entry.action_required)
    for name, slug in {"": "", **api_slugs(entries)}.items():
        own = tuple(entry for entry in kept if not name or name in entry.apis)
        if own:
            yield Filter(
                uri=action_uri(slug),
                heading=f"Changelog: {name}, action required" if name else "Changelog: action required",
                lead=f"Changes to {name} in {title} that need an update of your code, newest first."
                if name
                else ACTION_REQUIRED_LEAD,
                entries=own,
                api=name,
                is_action=True,
            )
