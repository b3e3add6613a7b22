"""One changelog entry: what changed, for whom, how bad it is, and what to do about it."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from devportal.documents import Document
from devportal.errors import Place
from devportal.project.settings import PortalApi
from devportal.translation import gettext, gettext_noop

TO_WRITE = "WRITE:"
"""The marker in a draft for what a person has to write."""


class Impact(StrEnum):
    """What a change means for code that works today, the most severe first."""

    BREAKING = "breaking"
    RISKY = "risky"
    DEPRECATION = "deprecation"
    ADDITIVE = "additive"
    FIX = "fix"
    DOCS = "docs"

    @property
    def label(self) -> str:
        """Return the word that people read."""
        return gettext(_LABELS[self])

    @property
    def meaning(self) -> str:
        """Return one sentence that defines the impact."""
        return gettext(_MEANINGS[self])


_LABELS = {
    Impact.BREAKING: gettext_noop("Breaking"),
    Impact.RISKY: gettext_noop("Risky"),
    Impact.DEPRECATION: gettext_noop("Deprecation"),
    Impact.ADDITIVE: gettext_noop("Additive"),
    Impact.FIX: gettext_noop("Fix"),
    Impact.DOCS: gettext_noop("Documentation"),
}
_MEANINGS = {
    Impact.BREAKING: gettext_noop("Code that follows the contract stops working until you change it."),
    Impact.RISKY: gettext_noop(
        "Code that follows the contract keeps working. Code that relies on more than the contract promises, "
        "such as a closed list of values, may not."
    ),
    Impact.DEPRECATION: gettext_noop(
        "Still works, but will be removed. Plan the move before the sunset date."
    ),
    Impact.ADDITIVE: gettext_noop("Something new that existing code can ignore."),
    Impact.FIX: gettext_noop("The service now does what the contract already said."),
    Impact.DOCS: gettext_noop("Only descriptions changed. Requests and responses stay the same."),
}


class Kind(StrEnum):
    """What was done, in the words of Keep a Changelog 1.1."""

    ADDED = "added"
    CHANGED = "changed"
    DEPRECATED = "deprecated"
    REMOVED = "removed"
    FIXED = "fixed"
    SECURITY = "security"

    @property
    def label(self) -> str:
        """Return the word that people read."""
        return gettext(_KIND_LABELS[self])


_KIND_LABELS = {
    Kind.ADDED: gettext_noop("Added"),
    Kind.CHANGED: gettext_noop("Changed"),
    Kind.DEPRECATED: gettext_noop("Deprecated"),
    Kind.REMOVED: gettext_noop("Removed"),
    Kind.FIXED: gettext_noop("Fixed"),
    Kind.SECURITY: gettext_noop("Security"),
}


class Audience(StrEnum):
    """Whose code or work a change touches."""

    REST = "rest"
    WEBHOOKS = "webhooks"
    SANDBOX = "sandbox"
    SDK = "sdk"

    @property
    def label(self) -> str:
        """Return the word that people read."""
        return gettext(_AUDIENCE_LABELS[self])


_AUDIENCE_LABELS = {
    Audience.REST: gettext_noop("REST"),
    Audience.WEBHOOKS: gettext_noop("Webhooks"),
    Audience.SANDBOX: gettext_noop("Sandbox"),
    Audience.SDK: gettext_noop("SDK"),
}


class SectionName(StrEnum):
    """The level-2 headings of an entry's body, in the order in which they stand."""

    WHAT = "What changed"
    WHO = "Who is affected"
    MIGRATION = "Migration"
    TIMELINE = "Timeline"

    @property
    def anchor(self) -> str:
        """Return the heading's id in the page."""
        return self.value.lower().replace(" ", "-")

    @property
    def heading(self) -> str:
        """Return the heading that readers see."""
        return gettext(_HEADINGS[self])


_HEADINGS = {
    SectionName.WHAT: gettext_noop("What changed"),
    SectionName.WHO: gettext_noop("Who is affected"),
    SectionName.MIGRATION: gettext_noop("What to do"),
    SectionName.TIMELINE: gettext_noop("Timeline"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section of the body: its CommonMark without the heading, and where the heading stands.

    `source` is the same with all its lines, the first of them `first_line` of the file; those of facts are empty.
    """

    name: SectionName
    text: str
    place: Place
    source: str = field(default="", repr=False, compare=False)
    first_line: int = field(default=0, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover:
    """A selector of changes of the contract: it selects those that match every field that is given.

    `operation` is `POST /v1/orders` or the name of an event, `schema` and `component` are where a shared
    part is written (`responses/NotFound`), `field` a place in them, `rule` the id of a differ's rule or its
    beginning and `*`, `finding` the fingerprint of a single change.
    """

    operation: str = ""
    schema: str = ""
    component: str = ""
    field: str = ""
    rule: str = ""
    finding: str = ""

    @property
    def subject(self) -> str:
        """Return the name of what changed, from the most specific field that is given."""
        return self.operation or self.schema or self.component or self.rule or self.finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Further reading: an absolute address, or a path relative to the entry's file."""

    title: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Amendment:
    """A correction made after publication, and what it was."""

    date: dt.date
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A changelog entry as its file says it. `id` is the file's stem and never changes.

    `effective` is the first day on which the change is live, if it differs from the day of publication.
    """

    id: str
    title: str
    date: dt.date
    apis: tuple[str, ...]
    impact: Impact
    kind: Kind
    sections: tuple[Section, ...]
    effective: dt.date | None = None
    sunset: dt.date | None = None
    action_required: bool = False
    audience: tuple[Audience, ...] = ()
    only_for: tuple[str, ...] = ()
    """The audiences of the project whose sites show the entry; empty for all."""
    covers: tuple[Cover, ...] = ()
    deprecates: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    amended: tuple[Amendment, ...] = ()
    spec_from: str = ""
    spec_to: str = ""
    is_beside_contract: bool = False
    """Whether the entry is about behaviour only, without a change of the contract: `contract: none`."""
    asks_audience: bool = False
    """Whether it is a draft that does not name yet whose code is affected."""
    api: PortalApi | None = None
    """The API that the entry is of, in a portal of several; None in any other."""
    document: Document = field(repr=False, compare=False)

    @property
    def key(self) -> str:
        """Return what no other entry of the portal has: two APIs may have entries with one id."""
        return f"{self.api.name}/{self.id}" if self.api is not None else self.id

    @property
    def listed_apis(self) -> tuple[str, ...]:
        """Return the APIs that readers can choose: the one of several, or else tags of the contract."""
        return (self.api.title,) if self.api is not None else self.apis

    @property
    def folder(self) -> str:
        """Return the folder of its page."""
        return changelog_folder(self.api)

    @property
    def live(self) -> dt.date:
        """Return the first day on which the change is live."""
        return self.effective or self.date

    def section(self, name: SectionName) -> Section | None:
        """Return the section of that name, if the body has it."""
        return next((section for section in self.sections if section.name is name), None)

    def place(self, *pointer: str) -> Place:
        """Return the place of a field of the front matter in the entry's file."""
        return self.document.place(pointer)


def changelog_folder(api: PortalApi | None) -> str:
    """Return the folder of the pages of a changelog, or of those that are of one of several APIs only."""
    return f"changelog/api/{api.name}" if api is not None else "changelog"


def newest_first(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the entries by date, the newest first; those of one day by id, backwards."""
    return tuple(sorted(entries, key=lambda entry: (entry.date, entry.id, entry.key), reverse=True))
