"""Changes of a contract as pages show them: by operation or part, the most severe first."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from devportal.changelog.proof.edits import DirectedChange
from devportal.changelog.proof.severity import Severity, change_severity
from devportal.changelog.proof.witnesses import WitnessView, witness_view
from devportal.contract import ABSENT
from devportal.differ import Direction, Subject, SubjectKind, Use
from devportal.differ.output.wording import shown_values
from devportal.differ.phrase import ShownText, shown_text
from devportal.differ.rule import is_exclusive_bound, quote_value
from devportal.translation import gettext, gettext_noop, in_sentence

Places = Callable[[str, str], str]
"""Where a part of the contract is shown: for what `subject_name` says and a place in it, a uri, or nothing."""
LONGEST = 100
"""So many code points of a value are shown."""
MOST_USES = 6
"""How many operations affected by a change of a shared part are named; the page counts the others."""
ROW_NODES = 9
"""About how many elements a change takes on a page."""
WITNESS_NODES = 6
"""About how many more it takes with a message that one release allows and the other refuses."""
GROUP_NODES = 24
"""About how many elements the head of a group takes on a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRow:
    """One change and its place, with the values before and after, as plain text.

    `directions` says what it means if the part is sent and if it is received, for a part that is both.
    """

    severity: Severity
    sentence: ShownText
    hint: ShownText
    rule: str
    place: str
    uri: str
    before: str | None
    after: str | None
    directions: str = ""
    witness: WitnessView | None = None

    @property
    def nodes(self) -> int:
        """Return about how many elements the row takes on a page."""
        return ROW_NODES + (WITNESS_NODES if self.witness else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class AffectedOperation:
    """An operation or event that a change affects, and its page."""

    name: str
    uri: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeGroup:
    """The changes of one operation, event or shared part. `method` is set apart where it has one."""

    word: str
    method: str
    name: str
    uri: str
    rows: tuple[ChangeRow, ...]
    users: tuple[AffectedOperation, ...] = ()
    further: int = 0
    """How many more use it than are named."""

    @property
    def nodes(self) -> int:
        """Return about how many elements the group takes on a page."""
        return GROUP_NODES + sum(row.nodes for row in self.rows)


def group_changes(
    changes: Iterable[DirectedChange], places: Places, versions: tuple[str, str]
) -> tuple[ChangeGroup, ...]:
    """Return changes by their subjects, the most severe first; `versions` are the two that are compared."""
    by_subject: dict[Subject, list[DirectedChange]] = {}
    for directed in sorted(changes, key=lambda change: change_severity(change.change).position):
        by_subject.setdefault(directed.change.subject, []).append(directed)
    return tuple(_change_group(subject, listed, places, versions) for subject, listed in by_subject.items())


def split_into_pages(groups: Iterable[ChangeGroup], *, most: int) -> tuple[tuple[ChangeGroup, ...], ...]:
    """Return groups in parts of about this many elements; a group that is larger than that is divided."""
    parts: list[list[ChangeGroup]] = [[]]
    left = most
    for group in _split_large_groups(groups, most):
        if parts[-1] and group.nodes > left:
            parts.append([])
            left = most
        parts[-1].append(group)
        left -= group.nodes
    return tuple(map(tuple, parts))


def _split_large_groups(groups: Iterable[ChangeGroup], most: int) -> Iterator[ChangeGroup]:
    for group in groups:
        rows: list[ChangeRow] = []
        for row in group.rows:
            if rows and GROUP_NODES + sum(row.nodes for row in rows) + row.nodes > most:
                yield replace(group, rows=tuple(rows))
                rows = []
            rows.append(row)
        yield replace(group, rows=tuple(rows))


def subject_name(subject: Subject) -> str:
    """Return what a subject is called where parts of the contract are shown.

    That is `schemas/Order`, `POST /v1/orders` or the name of an event; nothing for the contract itself.
    """
    if subject.kind is SubjectKind.COMPONENT:
        return f"{subject.section}/{subject.name}"
    return subject.name


def _change_group(
    subject: Subject, changes: Sequence[DirectedChange], places: Places, versions: tuple[str, str]
) -> ChangeGroup:
    owner = subject_name(subject)
    method, name = "", subject.name
    if subject.kind is SubjectKind.OPERATION:
        method, _, name = subject.name.rpartition(" ")
    all_uses = (use for directed in changes for change in directed.both for use in change.used_by)
    uses = dict.fromkeys(use for use in all_uses if use.subject != subject)
    users = tuple({use.subject.name: _affected_operation(use, places) for use in reversed(uses)}.values())[
        ::-1
    ]
    return ChangeGroup(
        word=_subject_word(subject),
        method=method,
        name=name,
        uri=places(owner, ""),
        rows=tuple(_change_row(directed, owner, places, versions) for directed in changes),
        users=users[:MOST_USES],
        further=max(0, len(users) - MOST_USES),
    )


def _subject_word(subject: Subject) -> str:
    word = _SUBJECT_WORDS.get(subject.kind) or _COMPONENT_WORDS.get(subject.section)
    return gettext(word) if word else subject.section.capitalize()


_SUBJECT_WORDS = {
    SubjectKind.DOCUMENT: gettext_noop("The contract"),
    SubjectKind.OPERATION: gettext_noop("Operation"),
    SubjectKind.EVENT: gettext_noop("Event"),
}
_COMPONENT_WORDS = {
    "schemas": gettext_noop("Schema"),
    "parameters": gettext_noop("Parameter"),
    "responses": gettext_noop("Response"),
    "requestBodies": gettext_noop("Request body"),
    "headers": gettext_noop("Header"),
    "securitySchemes": gettext_noop("Security scheme"),
    "callbacks": gettext_noop("Callback"),
    "links": gettext_noop("Link"),
    "examples": gettext_noop("Example"),
    "pathItems": gettext_noop("Path item"),
}


def _affected_operation(use: Use, places: Places) -> AffectedOperation:
    return AffectedOperation(name=use.subject.name, uri=places(use.subject.name, use.field))


def _change_row(directed: DirectedChange, owner: str, places: Places, versions: tuple[str, str]) -> ChangeRow:
    change = directed.change
    searches = (change.witness_search for change in directed.both)
    before, after = shown_values(change)
    return ChangeRow(
        severity=change_severity(change),
        sentence=shown_text(change.message),
        hint=shown_text(change.hint),
        rule=change.rule,
        place=change.field,
        uri=places(owner, change.field) if change.field else "",
        before=value_text(before),
        after=value_text(after),
        directions=_directions(directed),
        witness=next(filter(None, (witness_view(search, *versions) for search in searches)), None),
    )


def _directions(directed: DirectedChange) -> str:
    """Return what a change means in each direction; nothing if it has only one."""
    if directed.opposite is None:
        return ""
    severities = [change_severity(change).label for change in directed.both]
    if len(set(severities)) == 1:
        return gettext("The part is both sent and received by clients")
    message = (
        gettext_noop("%(first)s if sent by clients, %(second)s if received by clients")
        if directed.change.direction is Direction.TO_PROVIDER
        else gettext_noop("%(first)s if received by clients, %(second)s if sent by clients")
    )
    return gettext(message, first=severities[0], second=in_sentence(severities[1]))


def value_text(value: Any) -> str | None:
    """Return a value as pages show it; None if there is none."""
    if value is ABSENT:
        return None
    if is_exclusive_bound(value):
        value = quote_value(value)
    text = shown_text(value).text if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeverityCount:
    """How many there are of one severity."""

    severity: Severity
    count: int

    @property
    def words(self) -> str:
        """Return the number with the severity: `3 breaking`."""
        return self.severity.count_text(self.count)


def severity_counts(severities: Iterable[Severity]) -> tuple[SeverityCount, ...]:
    """Return how many there are of each severity that occurs, the most severe first."""
    counted = Counter(severities)
    return tuple(
        SeverityCount(severity=severity, count=counted[severity])
        for severity in Severity
        if counted[severity]
    )
