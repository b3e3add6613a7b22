"""The results of a command, in the model that every format is written from."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from importlib import import_module
from typing import Any

from devportal.errors import Place
from devportal.findings import Level
from devportal.reporting.formats import Format
from devportal.reporting.printable import count_noun

__all__ = [
    "AffectedUses",
    "CheckedCase",
    "Evidence",
    "PageTemplate",
    "Report",
    "ReportedResult",
    "ReportedRule",
    "ResultGroup",
    "SharedSubjects",
    "Suite",
    "Total",
    "Waiver",
    "render_report",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedRule:
    """A rule that results break. `page` is the absolute address of its documentation, if there is one."""

    id: str
    title: str
    description: str = ""
    help: str = ""
    page: str = ""
    level: Level | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    """Why a result does not make the command fail. If `is_accepted`, somebody decided so, on `day` if known.

    `until` is the last day on which it is accepted, None if there is none.
    """

    reason: str
    day: date | None = None
    is_accepted: bool = True
    until: date | None = None

    @property
    def label(self) -> str:
        """Return the label before the reason."""
        if self.day is None:
            return "Not counted"
        return f"Accepted on {self.day} until {self.until}" if self.until else f"Accepted on {self.day}"

    def __str__(self) -> str:
        """Return the reason, after its day."""
        return f"{self.day}: {self.reason}" if self.day is not None else self.reason


@dataclass(frozen=True, slots=True, kw_only=True)
class AffectedUses:
    """The uses that a result affects indirectly: the first ones by name, and the number of others.

    `count_text` is the number of all with what they are: `404 operations and 1 event`.
    """

    named: tuple[str, ...] = ()
    more: int = 0
    count_text: str = ""

    @property
    def count(self) -> int:
        """Return how many there are."""
        return len(self.named) + self.more

    def first(self, most: int) -> "AffectedUses":
        """Return them with at most this many names."""
        named = self.named[:most]
        return replace(self, named=named, more=self.count - len(named))

    def join_names(self, write: Callable[[str], str] = str) -> str:
        """Return them in a sentence, each name as `write` writes it."""
        names = ", ".join(map(write, self.named))
        return f"{names} and {self.more:,} more" if self.more else names


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedSubjects:
    """The subjects of one and the same result, which is reported once for all of them.

    `relation` joins the part and the subjects: `429` *added to* 161 operations. `fingerprints` are those of
    the results of the named subjects. A heading has room for `named_in_heading` names, which are those in `heading`
    if it calls the subjects something else.
    """

    relation: str
    subjects: AffectedUses
    fingerprints: tuple[str, ...] = ()
    named_in_heading: int = 2
    heading: AffectedUses | None = None

    @property
    def first_subjects(self) -> AffectedUses:
        """Return the subjects with as many names as a heading has room for."""
        return (self.heading or self.subjects).first(self.named_in_heading)

    @property
    def is_abridged(self) -> bool:
        """Return whether a heading leaves out names of subjects."""
        return self.heading is not None or bool(self.first_subjects.more)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What proves a result, in one line, as facts with their labels, and as the message that was sent.

    A fact without a label is a sentence. The first of two facts is the message on one line.
    """

    summary: str
    facts: tuple[tuple[str, str], ...]
    message: str = ""

    def lines(self) -> Iterator[str]:
        """Yield each fact on a line."""
        return (": ".join(filter(None, fact)) for fact in self.facts)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedResult:
    """One result. Its creator makes sure that no text contains terminal control characters.

    One that `is_stop` says why the command has no result. `subject` and its `part` are what it is about, in
    some `context`; `subject_name` is the end of `subject` that is a name. If `shared_by` is given, the result
    stands for the same result of many subjects, of which `subject` is the first. `message` is one sentence,
    `text` sentences that stand alone if those made of the other texts do not say enough, `details` all that
    there is to say, in several lines. The file of `place` is called as messages call it, that of `forge_place`
    as a forge does. `code` narrows the rule.
    """

    rule: str
    level: Level
    message: str
    place: Place
    forge_place: Place
    fails: bool
    is_stop: bool = False
    title: str = ""
    subject: str = ""
    subject_name: str = ""
    part: str = ""
    context: str = ""
    shared_by: SharedSubjects | None = None
    text: str = ""
    details: str = ""
    values: str = ""
    evidence: Evidence | None = None
    help: str = ""
    code: str = ""
    fingerprint: str = ""
    waiver: Waiver | None = None
    places: tuple[tuple[str, str], ...] = ()
    """Labels and places, if there are several."""
    related: tuple[tuple[str, Place], ...] = ()
    """Other places as a forge calls them, each with what it is."""
    other_places: tuple[Place, ...] = ()
    """Where else the same cause makes the same result, as messages call these places."""
    affected: AffectedUses = AffectedUses()
    commands: tuple[str, ...] = ()
    """Command lines that show it again, in their order."""
    accept_command: str = ""
    """The command line that accepts it, for whoever decides."""
    properties: Mapping[str, Any] = field(default_factory=dict)

    @property
    def where(self) -> str:
        """Return subject, part and context in one text."""
        return ", ".join(filter(None, (self.place_text, self.context)))

    @property
    def place_text(self) -> str:
        """Return subject and part: `POST /things request.n`, or `429 added to 161 operations`."""
        if self.shared_by is None:
            return " ".join(filter(None, (self.subject, self.part)))
        subjects = self.shared_by.subjects.count_text
        return f"{self.part} {self.shared_by.relation} {subjects}" if self.part else subjects

    @property
    def count(self) -> int:
        """Return how many results of the command it stands for."""
        return self.shared_by.subjects.count if self.shared_by is not None else 1

    @property
    def is_accepted(self) -> bool:
        """Say whether somebody has accepted it."""
        return self.waiver is not None and self.waiver.is_accepted


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultGroup:
    """Results that are listed together. `kind` is a word for anchors and classes, `mark` an emoji."""

    kind: str
    results: tuple[ReportedResult, ...]
    meaning: str = ""
    mark: str = ""
    colour: str = ""
    is_open: bool = True
    """Whether the group is expanded."""

    @property
    def count(self) -> int:
        """Return how many results of the command the group stands for."""
        return sum(result.count for result in self.results)

    def lines_text(self, noun: str) -> str:
        """Return `161 changes in 1 line`, nothing if each result has its own line."""
        lines = len(self.results)
        return f"{count_noun(self.count, noun)} in {count_noun(lines, 'line')}" if self.count > lines else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """How many results of a kind count, and what they are called."""

    kind: str
    count: int
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedCase:
    """One rule on one subject, with its results. Without results it passed, unless `untested` says why it
    was not tested.
    """

    subject: str
    rule: str
    results: tuple[ReportedResult, ...] = ()
    untested: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """All checks, passed or not, as a test suite. Without cases, each result is one."""

    name: str = ""
    cases: tuple[CheckedCase, ...] = ()
    properties: tuple[tuple[str, str], ...] = ()
    """Names and values that belong to the suite as a whole."""
    started_at: datetime | None = None
    duration_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTemplate:
    """The template and the style sheet of the HTML page: in the folder `templates` of a package."""

    package: str = "devportal.reporting"
    template: str = "report.html.jinja"
    style: str = "report.css"
    values: Mapping[str, Any] = field(default_factory=dict)


_LEVELS = {
    Level.ERROR: ("🔴", True),
    Level.WARNING: ("🟠", True),
    Level.NOTE: ("⚪", False),
}
"""The mark of each level, and whether its results are expanded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All that a command found.

    `heading` says what kind of report it is, `title`, `version` and `sources` what was looked at, `outcome`
    what it comes to, by `gate_option`. `results` has every result for programs, `groups` what people read.
    `suite`, `data`, `page` are what only this command can say: tests that passed, the JSON document of its
    published shape, a separate page.
    """

    tool: str
    heading: str
    title: str
    version: str = ""
    sources: tuple[str, ...] = ()
    rules: tuple[ReportedRule, ...] = ()
    results: tuple[ReportedResult, ...] = ()
    groups: tuple[ResultGroup, ...] = ()
    grouped_by: str = ""
    """What the groups are. If it is given, a terminal shows them too, not one line for each result."""
    totals: tuple[Total, ...] = ()
    accepted: int = 0
    noun: str = "result"
    empty_total: str = "none"
    empty_message: str = "No problems found."
    outcome: str = ""
    gate_option: str = ""
    more_hint: str = ""
    """How to see what a terminal has no room for."""
    fails: bool = False
    fingerprint_key: str = ""
    suite: Suite = Suite()
    notes: tuple[str, ...] = ()
    """Lines after those of results, where each result is a line."""
    data: Callable[[], Any] | None = None
    more_data: Mapping[str, Any] = field(default_factory=dict)
    """Members of the JSON document beside those of the shared shape."""
    is_ascii: bool = False
    """Whether JSON has escapes for all that is not ASCII."""
    page: PageTemplate = PageTemplate()

    def total_texts(self) -> Iterator[str]:
        """Yield `2 errors` and the like, then how many are accepted; no zeros."""
        for total in self.totals:
            if total.count:
                yield f"{total.count:,} {total.label}"
        if self.accepted:
            yield f"{self.accepted:,} accepted"

    @property
    def is_empty(self) -> bool:
        """Say whether there are no results."""
        return not any(self.total_texts())

    @property
    def outcome_text(self) -> str:
        """Return the outcome in one sentence."""
        return f"{self.outcome} ({self.gate_option})." if self.gate_option else f"{self.outcome}."

    def result_groups(self) -> tuple[ResultGroup, ...]:
        """Return the groups of the command, or else groups by level."""
        return self.groups or tuple(_groups_by_level(self.results))


def _groups_by_level(results: tuple[ReportedResult, ...]) -> Iterator[ResultGroup]:
    for level, (mark, is_open) in _LEVELS.items():
        if found := tuple(result for result in results if result.level is level):
            yield ResultGroup(kind=f"{level}s", results=found, mark=mark, is_open=is_open)


def render_report(report: Report, form: Format) -> str:
    """Return a report in a format, with a final newline unless it is empty."""
    module, _, name = form.writer.partition(":")
    text: str = getattr(import_module(f"devportal.reporting.{module}"), name)(report)
    return text
