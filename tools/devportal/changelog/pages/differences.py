"""Changes of a contract as pages show them: by operation or part, the most severe first."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from devportal.changelog.entries.entry import Impact
from devportal.changelog.proof.severity import least_impact
from devportal.contract import ABSENT
from devportal.differ import Change, Subject, SubjectKind, Use

Places = Callable[[str, str], str]
"""Where a part of the contract is shown: for what `subject_name` says and a place in it, a uri, or nothing."""
LONGEST = 100
"""So many code points of a value are shown."""
MOST_USES = 6
"""How many operations affected by a change of a shared part are named; the page counts the others."""
ROW_NODES = 9
"""About how many elements a change takes on a page."""
GROUP_NODES = 24
"""About how many elements the head of a group takes on a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRow:
    """One change and its place, with the values before and after, as plain text."""

    impact: Impact
    sentence: str
    hint: str
    rule: str
    place: str
    uri: str
    before: str | None
    after: str | None


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
        return GROUP_NODES + ROW_NODES * len(self.rows)


def group_changes(changes: Iterable[Change], places: Places) -> tuple[ChangeGroup, ...]:
    """Return changes by their subjects, those with the most severe change first."""
    by_subject: dict[Subject, list[Change]] = {}
    for change in changes:
        by_subject.setdefault(change.subject, []).append(change)
    return tuple(_change_group(subject, listed, places) for subject, listed in by_subject.items())


def split_into_pages(groups: Iterable[ChangeGroup], *, most: int) -> tuple[tuple[ChangeGroup, ...], ...]:
    """Return groups in parts of about so many elements; a group that is larger than that is divided."""
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
    size = max(1, (most - GROUP_NODES) // ROW_NODES)
    for group in groups:
        for start in range(0, len(group.rows), size):
            yield replace(group, rows=group.rows[start : start + size])


def subject_name(subject: Subject) -> str:
    """Return what a subject is called where parts of the contract are shown.

    That is `schemas/Order`, `POST /v1/orders` or the name of an event; nothing for the contract itself.
    """
    if subject.kind is SubjectKind.COMPONENT:
        return f"{subject.section}/{subject.name}"
    return subject.name


def _change_group(subject: Subject, changes: Sequence[Change], places: Places) -> ChangeGroup:
    owner = subject_name(subject)
    method, name = "", subject.name
    if subject.kind is SubjectKind.OPERATION:
        method, _, name = subject.name.rpartition(" ")
    uses = dict.fromkeys(use for change in changes for use in change.used_by if use.subject != subject)
    users = tuple({use.subject.name: _affected_operation(use, places) for use in reversed(uses)}.values())[
        ::-1
    ]
    return ChangeGroup(
        word=_SUBJECT_WORDS.get(subject.kind) or str(subject).removesuffix(f" {subject.name}").capitalize(),
        method=method,
        name=name,
        uri=places(owner, ""),
        rows=tuple(_change_row(change, owner, places) for change in changes),
        users=users[:MOST_USES],
        further=max(0, len(users) - MOST_USES),
    )


_SUBJECT_WORDS = {
    SubjectKind.DOCUMENT: "The contract",
    SubjectKind.OPERATION: "Operation",
    SubjectKind.EVENT: "Event",
}


def _affected_operation(use: Use, places: Places) -> AffectedOperation:
    return AffectedOperation(name=use.subject.name, uri=places(use.subject.name, use.field))


def _change_row(change: Change, owner: str, places: Places) -> ChangeRow:
    return ChangeRow(
        impact=least_impact(change),
        sentence=change.message,
        hint=change.hint,
        rule=change.rule,
        place=change.field,
        uri=places(owner, change.field) if change.field else "",
        before=value_text(change.old),
        after=value_text(change.new),
    )


def value_text(value: Any) -> str | None:
    """Return a value as pages show it; None if there is none."""
    if value is ABSENT:
        return None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactCount:
    """How many changes there are of one impact."""

    impact: Impact
    count: int


def impact_counts(changes: Iterable[Change]) -> tuple[ImpactCount, ...]:
    """Return how many changes there are of each impact that occurs, the most severe first."""
    counted = Counter(map(least_impact, changes))
    return tuple(ImpactCount(impact=impact, count=counted[impact]) for impact in Impact if counted[impact])
