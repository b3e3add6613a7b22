"""Rules that entries keep beyond their shape: dates, APIs, versions, and what a breaking change requires."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from datetime import date

from devportal.changelog.entries.entry import TO_WRITE, Audience, Entry, Impact, Kind, Section, SectionName
from devportal.changelog.entries.placeholders import is_marked, placeholder_lines
from devportal.changelog.proof.comparing import VersionStep
from devportal.changelog.releases.folder import Release, Releases
from devportal.contract.wording import truncate_text
from devportal.errors import PortalError
from devportal.findings import Finding, Level, error_finding
from devportal.markup import plain_text
from devportal.suggestions import suggest_name

_WORD = re.compile(r"\w")
_ANNOUNCED_IMPACTS = frozenset({Impact.BREAKING, Impact.RISKY, Impact.DEPRECATION})
"""Impacts that have to be announced no later than the day on which the change is live."""


def check_changelog(
    entries: Iterable[Entry], *, today: date, apis: Collection[str], releases: Releases | None = None
) -> Iterator[Finding]:
    """Yield what is wrong in entries that are well-formed; `apis` are the names of the contract's tags.

    An entry may also name a tag of the `releases` that it is about: it may have been renamed or removed since.
    """
    entries = tuple(entries)
    history = _TagHistory(releases.releases if releases is not None else ())
    yield from _check_unique(entries)
    for entry in entries:
        yield from _check_apis(entry, apis, history)
        yield from _check_publication_date(entry, today)
        for rule in _RULES:
            yield from rule(entry)


def _check_unique(entries: tuple[Entry, ...]) -> Iterator[Finding]:
    times = Counter(entry.id for entry in entries)
    for entry in entries:
        if times[entry.id] > 1:
            message = f"the id {entry.id!r} belongs to {times[entry.id]} entries"
            yield error_finding("changelog-id", entry.place("id"), message, "give each entry a different id")


class _TagHistory:
    """The tags of the releases that entries are about; each release is read once."""

    def __init__(self, releases: tuple[Release, ...]) -> None:
        self._releases = releases
        self._numbers = {release.version: number for number, release in enumerate(releases, start=1)}
        self._tags: dict[str, frozenset[str]] = {}

    def tags(self, entry: Entry) -> frozenset[str]:
        """Return the tags of the release that an entry belongs to, and of the one before it. An entry that belongs to
        none yet is about changes since the last one.
        """
        end = self._numbers.get(entry.spec_to, len(self._releases))
        first = max(end - (2 if entry.spec_to else 1), 0)
        return frozenset[str]().union(*map(self._read_tags, self._releases[first:end]))

    def _read_tags(self, release: Release) -> frozenset[str]:
        """Return the tags of a release. One that cannot be read has none; that is reported elsewhere."""
        if release.version not in self._tags:
            try:
                groups = release.contract().api.groups
            except PortalError:
                groups = ()
            self._tags[release.version] = frozenset(group.name for group in groups)
        return self._tags[release.version]


def _check_apis(entry: Entry, apis: Collection[str], history: _TagHistory) -> Iterator[Finding]:
    unknown = [name for name in entry.apis if name not in apis]
    earlier = history.tags(entry) if unknown else frozenset()
    for position, name in enumerate(entry.apis):
        if name in unknown and name not in earlier:
            yield error_finding(
                "changelog-api",
                entry.place("apis", str(position)),
                f"{name!r} is not an API of the contract",
                suggest_name(
                    name, apis, f"use the contract's tags: {', '.join(sorted(apis)) or 'it has none yet'}"
                ),
            )


def _check_publication_date(entry: Entry, today: date) -> Iterator[Finding]:
    help_ = "date it on the day it is published, and publish it then"
    if entry.date > today:
        message = f"`date` is {entry.date}, which is after today, {today}"
        yield error_finding("changelog-date", entry.place("date"), message, help_)
    for position, amendment in enumerate(entry.amended):
        place = entry.place("amended", str(position), "date")
        if amendment.date > today:
            message = f"the correction's date is {amendment.date}, which is after today, {today}"
            yield error_finding("changelog-date", place, message, help_)
        if amendment.date < entry.date:
            message = f"the correction's date is {amendment.date}, before the entry's own, {entry.date}"
            yield error_finding(
                "changelog-date", place, message, "date the correction on the day it was made"
            )


def _check_effective(entry: Entry) -> Iterator[Finding]:
    """Check that a change that may break code is announced before it is live; others may be announced later."""
    if entry.effective is None or entry.effective >= entry.date:
        return
    hurts = entry.impact in _ANNOUNCED_IMPACTS
    yield Finding(
        rule="changelog-effective",
        level=Level.ERROR if hurts else Level.WARNING,
        place=entry.place("effective"),
        message=f"`effective` is {entry.effective}, before the entry's `date`, {entry.date}",
        help=f"announce a change of impact {entry.impact} on the day it is live, or before"
        if hurts
        else "check both dates: the change was live before it was announced",
    )


def _check_sunset(entry: Entry) -> Iterator[Finding]:
    if entry.sunset is None:
        return
    if entry.sunset <= entry.live:
        yield error_finding(
            "changelog-sunset",
            entry.place("sunset"),
            f"`sunset` is {entry.sunset}, not after the day the deprecation is live, {entry.live}",
            "leave integrators time between the deprecation and its sunset",
        )
    if entry.impact not in {Impact.DEPRECATION, Impact.BREAKING}:
        yield error_finding(
            "changelog-sunset",
            entry.place("sunset"),
            f"`sunset` is {entry.sunset}, but the impact {entry.impact} takes nothing away",
            "remove `sunset`, or change the impact to deprecation or breaking",
        )


def _check_breaking(entry: Entry) -> Iterator[Finding]:
    if entry.impact is not Impact.BREAKING:
        return
    if entry.effective is None:
        yield error_finding(
            "changelog-breaking",
            entry.place("impact"),
            "this entry is breaking and has no `effective`",
            "add `effective`: the first day on which old code stops working",
        )
    if not entry.action_required:
        yield error_finding(
            "changelog-breaking",
            entry.place("action_required"),
            "this entry is breaking, but `action_required` is not true",
            "set `action_required: true`, or choose a lower impact",
        )


def _check_migration(entry: Entry) -> Iterator[Finding]:
    if entry.section(SectionName.MIGRATION) is not None:
        return
    if entry.impact is Impact.BREAKING or entry.action_required:
        why = "breaking" if entry.impact is Impact.BREAKING else "one that requires action"
        yield error_finding(
            "changelog-migration",
            entry.place("impact" if entry.impact is Impact.BREAKING else "action_required"),
            f"this entry is {why} and has no section `## {SectionName.MIGRATION}`",
            f"add `## {SectionName.MIGRATION}` after `## {SectionName.WHO}`, with before and after",
        )


def _check_kind(entry: Entry) -> Iterator[Finding]:
    if (entry.impact is Impact.DEPRECATION) != (entry.kind is Kind.DEPRECATED):
        yield error_finding(
            "changelog-kind",
            entry.place("kind"),
            f"`kind` is {entry.kind.value!r} while `impact` is {entry.impact.value!r}",
            "the kind `deprecated` and the impact `deprecation` go together",
        )


def _check_prose(entry: Entry) -> Iterator[Finding]:
    """Check that the placeholders of the draft are replaced, by visible text."""
    yield from _check_title_and_audience(entry)
    for section in entry.sections:
        if section.text.strip() and not _WORD.search(plain_text(section.text)):
            yield error_finding(
                "changelog-prose",
                section.place,
                f"the section `## {section.name}` has no visible text: {truncate_text(section.text)!r}",
                "write it, or remove the heading",
            )
        yield from _check_placeholders(section)


def _check_placeholders(section: Section) -> Iterator[Finding]:
    """Check that no text of a draft is left in a section, with its marker or without it."""
    lines = section.source.split("\n")
    for number in placeholder_lines(section):
        yield error_finding(
            "changelog-prose",
            replace(section.place, line=section.first_line + number, column=1),
            f"`## {section.name}` still has a placeholder of the draft: {truncate_text(lines[number])!r}",
            _PROMPT_HELP[section.name],
        )


_PROMPT_HELP = {
    SectionName.WHAT: "write what changed and why, in your own words",
    SectionName.WHO: "write who is affected and how they can check it, in your own words",
    SectionName.MIGRATION: "write the steps that readers have to take, or remove the section if there are none",
    SectionName.TIMELINE: "write it, or remove the section",
}


def _check_title_and_audience(entry: Entry) -> Iterator[Finding]:
    """Check that the proposed title and audience have been replaced."""
    if is_marked(entry.title):
        yield error_finding(
            "changelog-prose",
            entry.place("title"),
            f"`title` is still a placeholder: {truncate_text(entry.title)!r}",
            f"write one sentence about what changed, without `{TO_WRITE}`",
        )
    if entry.asks_audience:
        yield error_finding(
            "changelog-prose",
            entry.place("audience"),
            f"`audience` is still a placeholder: {TO_WRITE!r}",
            f"list whose code is affected ({', '.join(Audience)}), or remove the field",
        )


def _check_contract(entry: Entry) -> Iterator[Finding]:
    if entry.is_beside_contract and entry.covers:
        yield error_finding(
            "changelog-phantom",
            entry.place("covers"),
            "this entry covers changes of the contract, but has `contract: none`",
            "remove `contract`, or remove `covers` if the contract did not change",
        )


_RULES: tuple[Callable[[Entry], Iterator[Finding]], ...] = (
    _check_effective,
    _check_sunset,
    _check_breaking,
    _check_migration,
    _check_kind,
    _check_contract,
    _check_prose,
)


def names_version(entry: Entry) -> bool:
    """Return whether an entry names a version: `spec_from` or `spec_to`."""
    return bool(entry.spec_from or entry.spec_to)


def check_releases_exist(entries: Iterable[Entry], releases: Releases) -> Iterator[Finding]:
    """Yield a finding if entries name releases and there are none: nothing can be proven of them."""
    naming = [entry for entry in entries if names_version(entry)]
    if naming and not releases.releases and releases.manifest.document is None:
        first, more = naming[0], len(naming) - 1
        yield error_finding(
            "changelog-release",
            first.place("spec_to" if first.spec_to else "spec_from"),
            f"{f'this entry and {more} more name' if more else 'this entry names'} releases, but neither "
            f"frozen contracts nor {releases.manifest_name} exist",
            "restore the folder of releases from your version control, or fix the setting `releases`",
        )


def check_steps(
    entries: Iterable[Entry], steps: Iterable[VersionStep], releases: Releases
) -> Iterator[Finding]:
    """Yield what is wrong with the versions that entries name; of steps that cannot be proven, nothing."""
    published = {*(release.version for release in releases.releases), *releases.missing}
    olds: dict[str, str] = {}
    for step in steps:
        olds[step.new.version if step.new else ""] = step.old.version if step.old else ""
    for entry in entries:
        if entry.spec_to not in olds:
            versions = ", ".join(sorted(published)) or "none yet"
            message = f"`spec_to` is {entry.spec_to!r}, which is not a release"
            help_ = f"releases are {versions}; leave it out: `devportal release` writes it"
            if entry.spec_to and entry.spec_to not in published:
                yield error_finding("changelog-release", entry.place("spec_to"), message, help_)
        elif entry.spec_from != olds[entry.spec_to] and (entry.spec_to or entry.spec_from):
            old = olds[entry.spec_to]
            yield error_finding(
                "changelog-release",
                entry.place("spec_from" if entry.spec_from else "spec_to"),
                f"`spec_from` is {entry.spec_from!r}, but the release before is {old!r}",
                f'write `spec_from: "{old}"`' if old else "remove it: the first release follows none",
            )
