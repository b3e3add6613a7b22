"""Changes that many operations, components or places in them share: a status added to 161 operations is one line."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from devportal.contract import ABSENT
from devportal.differ import Change, Subject, SubjectKind, Use, Verdict
from devportal.differ.normalise.all_of import canonical_json
from devportal.differ.rule import Action, Area, quote_value
from devportal.reporting.printable import count_noun, printable_line
from devportal.reporting.report import AffectedUses, SharedSubjects

_RELATIONS = {Action.ADDED: "added to", Action.REMOVED: "removed from"}
_PROPERTY_RULES = "schema.property."
_LEAST_LINES = 5
"""How many lines that read the same become one: fewer are read one by one."""
_NAMED_SUBJECTS = 2
_NAMED_PLACES = 8
"""How many names a heading has: places have no field that says where they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLine:
    """A line of a report: one change, or the same change of several subjects, or at several places in them."""

    changes: tuple[Change, ...]

    @property
    def is_of_places(self) -> bool:
        """Return whether the changes differ in more than their subjects: they are at places with other names."""
        return len({change.field for change in self.changes}) > 1

    @property
    def first(self) -> Change:
        """Return the change that the line is written from; one with a witness if any has one."""
        return next(
            (change for change in self.changes if change.witness_search and change.witness_search.witness),
            self.changes[0],
        )

    @property
    def message(self) -> str:
        """Return the sentence of the changes, with `<name>` if each is about another property or value."""
        is_same = len({change.message for change in self.changes}) == 1
        return self.first.message if is_same else _message_of_any_name(self.first)

    @property
    def is_shared(self) -> bool:
        """Return whether the line stands for several changes."""
        return len(self.changes) > 1

    def used_by(self) -> tuple[Use, ...]:
        """Return every operation and event that the changes affect, once."""
        uses = {use.subject: use for use in chain.from_iterable(change.used_by for change in self.changes)}
        return tuple(uses[subject] for subject in sorted(uses))

    def shared_subjects(self, most: int) -> SharedSubjects | None:
        """Return the subjects of a shared line, the first `most` by name, each with its place if these differ."""
        if not self.is_shared:
            return None
        first, count = self.first, len(self.changes)
        subjects = {change.subject for change in self.changes}
        counted = count_noun(len(subjects), subject_noun(first.subject))
        if self.is_of_places:
            within = counted if len(subjects) > 1 else printable_line(str(first.subject))
            counted = f"{count_noun(count, 'place')} in {within}"
        named = self.changes[:most]
        names = tuple(self._name(change, is_alone=len(subjects) == 1) for change in named)
        return SharedSubjects(
            relation=_relation(first),
            subjects=AffectedUses(named=names, more=count - len(names), count_text=counted),
            fingerprints=tuple(change.fingerprint for change in named),
            named_in_heading=_NAMED_PLACES if self.is_of_places else _NAMED_SUBJECTS,
        )

    def _name(self, change: Change, *, is_alone: bool) -> str:
        """Return what is different in each change of the line: its subject unless it is the only one, and its place."""
        subject = "" if is_alone else change.subject.name
        place = change.field if self.is_of_places else ""
        return printable_line(" ".join(filter(None, (subject, place))) or str(change.subject))


def change_lines(changes: Iterable[Change]) -> tuple[ChangeLine, ...]:
    """Return the changes as lines: those that nobody has accepted first, and of them those of many subjects.

    A place is once in a line: what reads the same and is another change of it is in another line.
    """
    lines: dict[tuple[object, ...], list[Change]] = {}
    counts: Counter[tuple[object, ...]] = Counter()
    for change in changes:
        read = _read_key(change, change.message)
        place = (read, change.subject, change.field)
        lines.setdefault((read, counts[place], *_part_key(change)), []).append(change)
        counts[place] += 1
    unsorted_lines = _with_lines_of_objects(_with_lines_of_places(lines))
    return tuple(sorted(unsorted_lines, key=lambda line: (not line.first.counts, -len(line.changes))))


def _with_lines_of_places(lines: Mapping[tuple[object, ...], Sequence[Change]]) -> Iterator[ChangeLine]:
    """Yield the lines; many that read the same but for their places become one, where the first of them was."""
    alike: dict[tuple[object, ...], list[Sequence[Change]]] = {}
    for (read, number, *_), line in lines.items():
        alike.setdefault((read, number), []).append(line)
    for found in alike.values():
        if len(found) < _LEAST_LINES:
            yield from (ChangeLine(changes=tuple(line)) for line in found)
        else:
            yield ChangeLine(changes=tuple(chain.from_iterable(found)))


def _with_lines_of_objects(lines: Iterable[ChangeLine]) -> Iterator[ChangeLine]:
    """Yield the lines; many that read the same but for the names of the properties of one object become one."""
    alike: dict[tuple[object, ...], list[ChangeLine]] = {}
    for number, line in enumerate(lines):
        key = (number,) if line.is_shared else _object_key(line.first)
        alike.setdefault(key, []).append(line)
    for found in alike.values():
        changes = tuple(line.first for line in found)
        if len({change.field for change in changes}) == len(changes) >= _LEAST_LINES:
            yield ChangeLine(changes=changes)
        else:
            yield from found


def shared_line_ids(changes: Iterable[Change]) -> Mapping[str, str]:
    """Return the fingerprint of the first change of its line, by the fingerprint of each change of a shared one."""
    return dict(_shared_fingerprints(changes))


def _shared_fingerprints(changes: Iterable[Change]) -> Iterator[tuple[str, str]]:
    for line in change_lines(changes):
        if line.is_shared:
            first = line.changes[0].fingerprint
            yield from ((change.fingerprint, first) for change in line.changes)


def _object_key(change: Change) -> tuple[object, ...]:
    """Return what changes of the properties of one object have in common if only the names differ."""
    around, _, _ = change.field.rpartition(".")
    return (change.subject, around, *_read_key(change, _message_of_any_name(change)))


def _message_of_any_name(change: Change) -> str:
    """Return the sentence of a change with `<name>`, as lists of rules write it, for the last name of its field."""
    return change.message.replace(quote_value(change.field.rpartition(".")[2]), "<name>")


def _read_key(change: Change, message: str) -> tuple[object, ...]:
    """Return what changes of one line have in common: all that is reported of them but where they are."""
    return (
        change.subject.kind,
        change.subject.section,
        change.rule,
        change.verdict,
        change.softened_from,
        change.direction,
        *("" if value is ABSENT else canonical_json(value) for value in (change.old, change.new)),
        message,
        change.hint,
        change.acknowledged,
    )


def _part_key(change: Change) -> tuple[object, ...]:
    """Return what the same change of several subjects has in common besides: the place and all that changed there.

    The words of texts are not reported: each of many operations may have another new summary.
    """
    return (change.field, "" if change.verdict is Verdict.DOCUMENTATION else change.essence)


def _relation(change: Change) -> str:
    """Return how the field of a change and its subjects are joined: `response.429` *added to* 161 operations."""
    return _RELATIONS.get(change.action, "in") if _is_field_new_or_gone(change) else "in"


def _is_field_new_or_gone(change: Change) -> bool:
    """Return whether the field itself was added or removed, and not something in it such as a value."""
    if change.area is Area.SCHEMA:
        return change.rule.startswith(_PROPERTY_RULES)
    value = change.old if change.new is ABSENT else change.new
    name = change.field.rpartition(".")[2]
    return isinstance(value, str) and bool(name) and value.endswith(name)


def subject_noun(subject: Subject) -> str:
    """Return what kind of subject it is, in one word or two: `operation`, `schema`, `security scheme`."""
    if subject.kind is SubjectKind.COMPONENT:
        return str(subject).removesuffix(subject.name).strip()
    return str(subject.kind)
