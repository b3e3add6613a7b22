"""Which changes of the contract a selector of an entry means, found without comparing each with each."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from devportal.changelog.entries.entry import Cover
from devportal.differ import Change, SubjectKind

_MEDIA_TYPE = re.compile(r"\([^()]*\)")
_STEPS = ".[|:("
"""What a further step of a place begins with (`devportal.differ.change`)."""


def is_selected(change: Change, cover: Cover) -> bool:
    """Say whether a change fits everything that a selector gives."""
    return (
        (not cover.finding or change.fingerprint == cover.finding)
        and (not cover.rule or _matches_rule(change.rule, cover.rule))
        and (not cover.schema or _component_path(change) == f"schemas/{cover.schema}")
        and (not cover.component or _component_path(change) == cover.component)
        and (not cover.operation or _affects(change, cover.operation))
        and (not cover.field or _matches_place(change, cover))
    )


def _matches_place(change: Change, cover: Cover) -> bool:
    """Say whether a change is at the place that is asked for.

    Of each operation that uses a schema one place is told: in any other it is known by how it ends.
    """
    if any(_is_at_or_below(place, cover.field) for place in _places(change, cover.operation)):
        return True
    is_shared = bool(change.subject.section == "schemas" and cover.operation and change.field)
    return is_shared and cover.field.endswith(_join_path(" ", change.field)[1:])


def _matches_rule(rule: str, asked: str) -> bool:
    return rule.startswith(asked[:-1]) if asked.endswith("*") else rule == asked


def _component_path(change: Change) -> str:
    subject = change.subject
    return f"{subject.section}/{subject.name}" if subject.kind is SubjectKind.COMPONENT else ""


def _affected_names(change: Change) -> set[str]:
    """Return the operations and events that a change is a change of, or is felt by."""
    names = {use.subject.name for use in change.used_by}
    return names if _component_path(change) else names | {change.subject.name}


def _affects(change: Change, name: str) -> bool:
    if change.subject.name == name and not _component_path(change):
        return True
    return any(use.subject.name == name for use in change.used_by)


def _places(change: Change, operation: str) -> Iterator[str]:
    """Yield where a change is, as its subject says it and as those do that use it.

    A selector of an operation speaks of places in that operation only.
    """
    if not operation or operation == change.subject.name:
        yield change.field
    for use in change.used_by:
        if not operation or use.subject.name == operation:
            yield use.field
            if _component_path(change):
                yield _join_path(use.field, change.field)


def _join_path(base: str, field: str) -> str:
    return f"{base}{'.' if base and field and field[0] not in _STEPS else ''}{field}"


def _is_at_or_below(place: str, asked: str) -> bool:
    """Say whether a place is the one that is asked for or below it; media types need not be written."""
    return _is_below(place, asked) or _is_below(_MEDIA_TYPE.sub("", place), asked)


def _is_below(place: str, asked: str) -> bool:
    return place.startswith(asked) and (len(place) == len(asked) or place[len(asked)] in _STEPS)


class ChangeIndex:
    """The changes between two versions, ready to be asked which of them a selector means."""

    def __init__(self, changes: Iterable[Change]) -> None:
        """Take the changes in the order in which they are told."""
        self.changes = tuple(changes)
        self._fingerprints = {id(change): change.fingerprint for change in self.changes}
        self._known: dict[Cover, tuple[Change, ...]] = {}
        self._by: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for position, change in enumerate(self.changes):
            self._note(position, change)

    def _note(self, position: int, change: Change) -> None:
        self._by["finding"][self.fingerprint(change)].append(position)
        self._by["rule"][change.rule].append(position)
        self._by["component"][_component_path(change)].append(position)
        for name in _affected_names(change):
            self._by["operation"][name].append(position)

    def of(self, cover: Cover) -> tuple[Change, ...]:
        """Return the changes that a selector means, in their order."""
        known = self._known.get(cover)
        if known is None:
            found = (self.changes[position] for position in self._candidates(cover))
            self._known[cover] = known = tuple(change for change in found if is_selected(change, cover))
        return known

    def fingerprint(self, change: Change) -> str:
        """Return the fingerprint of one of the changes, without making it again."""
        return self._fingerprints[id(change)]

    def named(self, fingerprints: Collection[str]) -> tuple[Change, ...]:
        """Return the changes with these fingerprints, in their order."""
        positions = sorted(at for one in fingerprints for at in self._by["finding"].get(one, ()))
        return tuple(self.changes[at] for at in positions)

    def has(self, fingerprint: str) -> bool:
        """Say whether there is a change with a fingerprint."""
        return fingerprint in self._by["finding"]

    def _candidates(self, cover: Cover) -> Sequence[int]:
        component = cover.component or (f"schemas/{cover.schema}" if cover.schema else "")
        rule = "" if cover.rule.endswith("*") else cover.rule
        keys = (("finding", cover.finding), ("component", component), ("operation", cover.operation))
        lists = [self._by[kind].get(key, []) for kind, key in (*keys, ("rule", rule)) if key]
        return min(lists, key=len) if lists else range(len(self.changes))
