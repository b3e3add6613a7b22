"""The lists of a changelog: everything, and a page for each API, impact and need for action that has entries."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from devportal.changelog.entries.entry import Entry
from devportal.changelog.proof.severity import Severity
from devportal.translation import gettext, gettext_noop, in_sentence

INDEX = "changelog/index.md"
ACTION_REQUIRED = "changelog/action-required.md"
ACTION_REQUIRED_LEAD = gettext_noop("Changes that need an update of your code, newest first.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactChoice:
    """The entries of one impact or of several, as readers choose them; `value` is its name in addresses."""

    value: str
    label: str
    meaning: str
    severities: frozenset[Severity]


BREAKING_OR_BETA = "breaking-or-beta"
"""The name of the choice of everything that breaks code."""


def _breaking_or_beta() -> ImpactChoice:
    return ImpactChoice(
        value=BREAKING_OR_BETA,
        label=gettext("Breaking, beta included"),
        meaning=gettext(
            "Everything that stops working until you change your code, in stable parts and in beta."
        ),
        severities=frozenset({Severity.BREAKING, Severity.BREAKING_BETA}),
    )


def impact_choices(*, has_beta: bool) -> tuple[ImpactChoice, ...]:
    """Return the choices of impacts; those of beta parts only for a contract that has some.

    Risky has what breaks beta parts too, as their entries say that they are risky (docs/decisions/0057).
    """
    own = {severity: frozenset({severity}) for severity in Severity}
    own[Severity.RISKY] |= {Severity.BREAKING_BETA}
    single = (
        ImpactChoice(
            value=severity.value, label=severity.label, meaning=severity.meaning, severities=own[severity]
        )
        for severity in Severity
        if has_beta or severity is not Severity.BREAKING_BETA
    )
    breaking, *others = single
    return (breaking, *((_breaking_or_beta(),) if has_beta else ()), *others)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """One list of entries and its page: those of an API, and of these one impact or what requires action."""

    uri: str
    heading: str
    subject: str
    """What the heading says besides that it is the changelog; empty for everything."""
    lead: str
    entries: tuple[Entry, ...]
    api: str = ""
    impact: ImpactChoice | None = None
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


def filters(
    entries: tuple[Entry, ...],
    *,
    title: str,
    severities: Mapping[str, Severity],
    impacts: tuple[ImpactChoice, ...],
    slugs: Mapping[str, str],
    subject: str = "",
) -> tuple[Filter, ...]:
    """Return the filter for everything, then those by API, impact and need for action that match any entry.

    `severities` are those of the entries, by their keys; `slugs` are the names of APIs in addresses. `subject` is
    what everything is about, by default the title.
    """
    everything = Filter(
        uri=INDEX,
        heading=gettext("Changelog"),
        subject="",
        lead=gettext(
            "Every change to %(api)s, newest first: what changed, who is affected, and what to do.",
            api=subject or title,
        ),
        entries=entries,
    )
    by_impact = {
        impact: tuple(entry for entry in entries if severities[entry.key] in impact.severities)
        for impact in impacts
    }
    others = (
        *_by_api(entries, title, slugs),
        *_by_impact(by_impact),
        *_by_api_and_impact(by_impact, slugs),
        *_by_action(entries, title, slugs),
    )
    return (everything, *others)


def _heading(subject: str) -> str:
    return gettext("Changelog: %(subject)s", subject=subject)


def api_subject(api: str, choice: str) -> str:
    """Return what a list has of an API: `Orders, action required`."""
    return gettext("%(api)s, %(choice)s", api=api, choice=in_sentence(choice))


def filter_rows(shown: Filter, all_: tuple[Filter, ...], slugs: Mapping[str, str]) -> tuple[FilterRow, ...]:
    """Return the filters on the page of one list: each choice changes one criterion.

    `slugs` are the names of APIs in addresses.

    An impact and the need for action are not combined: a choice of one gives up the other.
    """
    by_choice = {(filter_.api, filter_.impact, filter_.is_action): filter_ for filter_ in all_}
    apis = sorted({filter_.api for filter_ in all_ if filter_.api})
    impacts = [filter_.impact for filter_ in all_ if filter_.impact and not filter_.api]

    def choice(label: str, value: str, key: tuple[str, ImpactChoice | None, bool]) -> FilterChoice:
        target = by_choice.get(key)
        return FilterChoice(
            label=label,
            value=value,
            uri=target.uri if target else "",
            count=len(target.entries) if target else 0,
            is_current=target is shown,
        )

    by_api = [choice(gettext("All APIs"), "", ("", shown.impact, shown.is_action))]
    by_api += [choice(name, slugs[name], (name, shown.impact, shown.is_action)) for name in apis]
    by_impact = [choice(gettext("All impacts"), "", (shown.api, None, False))]
    by_impact += [choice(impact.label, impact.value, (shown.api, impact, False)) for impact in impacts]
    rows = [
        FilterRow(name="api", title=gettext("API"), choices=tuple(by_api)),
        FilterRow(name="impact", title=gettext("Impact"), choices=tuple(by_impact)),
    ]
    if ("", None, True) in by_choice:
        every = choice(gettext("All changes"), "", (shown.api, None, False))
        action = choice(gettext("Action required"), "required", (shown.api, None, True))
        rows.append(FilterRow(name="action", title=gettext("Action"), choices=(every, action)))
    return tuple(rows)


def api_slugs(entries: tuple[Entry, ...]) -> dict[str, str]:
    """Return a unique slug for each API, in the order of the names."""
    slugs: dict[str, str] = {}
    for name in sorted({name for entry in entries for name in entry.listed_apis}):
        base = re.sub(r"[\W_]+", "-", name.casefold()).strip("-") or "api"
        taken, number, slug = set(slugs.values()), 1, base
        while slug in taken:
            number += 1
            slug = f"{base}-{number}"
        slugs[name] = slug
    return slugs


def api_uris(slugs: Mapping[str, str]) -> dict[str, str]:
    """Return the uri of each API's page, in the order of the names."""
    return {name: f"changelog/api/{slug}.md" for name, slug in slugs.items()}


def impact_uri(impact: ImpactChoice | Severity, slug: str = "") -> str:
    """Return the uri of the page of an impact, or of that impact on the API with a slug."""
    return f"changelog/api/{slug}/{impact.value}.md" if slug else f"changelog/impact/{impact.value}.md"


def action_uri(slug: str = "") -> str:
    """Return the uri of the page of what requires action, or of that on the API with a slug."""
    return f"changelog/api/{slug}/action-required.md" if slug else ACTION_REQUIRED


def _by_api(entries: tuple[Entry, ...], title: str, slugs: Mapping[str, str]) -> Iterator[Filter]:
    for name, uri in api_uris(slugs).items():
        yield Filter(
            uri=uri,
            heading=_heading(name),
            subject=name,
            lead=gettext("Every change to %(api)s in %(title)s, newest first.", api=name, title=title),
            entries=tuple(entry for entry in entries if name in entry.listed_apis),
            api=name,
        )


def _by_impact(by_impact: Mapping[ImpactChoice, tuple[Entry, ...]]) -> Iterator[Filter]:
    for impact, entries in by_impact.items():
        if entries:
            yield Filter(
                uri=impact_uri(impact),
                heading=_heading(impact.label),
                subject=impact.label,
                lead=impact.meaning,
                entries=entries,
                impact=impact,
            )


def _by_api_and_impact(
    by_impact: Mapping[ImpactChoice, tuple[Entry, ...]], slugs: Mapping[str, str]
) -> Iterator[Filter]:
    for name, slug in slugs.items():
        for impact, entries in by_impact.items():
            if kept := tuple(entry for entry in entries if name in entry.listed_apis):
                yield Filter(
                    uri=impact_uri(impact, slug),
                    heading=_heading(subject := api_subject(name, impact.label)),
                    subject=subject,
                    lead=impact.meaning,
                    entries=kept,
                    api=name,
                    impact=impact,
                )


def _by_action(entries: tuple[Entry, ...], title: str, slugs: Mapping[str, str]) -> Iterator[Filter]:
    kept = tuple(entry for entry in entries if entry.action_required)
    for name, slug in {"": "", **slugs}.items():
        own = tuple(entry for entry in kept if not name or name in entry.listed_apis)
        if own:
            yield Filter(
                uri=action_uri(slug),
                heading=_heading(
                    subject := api_subject(name, gettext("Action required"))
                    if name
                    else in_sentence(gettext("Action required"))
                ),
                subject=subject,
                lead=gettext(
                    "Changes to %(api)s in %(title)s that need an update of your code, newest first.",
                    api=name,
                    title=title,
                )
                if name
                else gettext(ACTION_REQUIRED_LEAD),
                entries=own,
                api=name,
                is_action=True,
            )
