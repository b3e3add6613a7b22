"""Changes that many operations, components or places in them share: a status added to 161 operations is one line."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import chain
from types import MappingProxyType

from devportal.contract import ABSENT
from devportal.differ import Change, Subject, SubjectKind, Use, Verdict
from devportal.differ.normalise.all_of import canonical_json
from devportal.differ.output.schema_places import SchemaPlace, schema_place
from devportal.differ.rule import Action, Area, quote_value
from devportal.reporting.printable import count_noun, printable_line
from devportal.reporting.report import AffectedUses, SharedSubjects

_RELATIONS = {Action.ADDED: "added to", Action.REMOVED: "removed from"}
_RELATIONS_TO_PLACES = {"added to": "added at", "removed from": "removed at", "in": "at"}
_PROPERTY_RULES = "schema.property."
_LEAST_LINES = 5
"""How many lines that read the same become one: fewer are read one by one."""
_VALUE_RULES = frozenset({"schema.enum.value.added", "schema.enum.value.removed"})
_LEAST_VALUES = 3
"""How many lines about values of one enum become one."""
_MOST_VALUES = 12
"""How many values a message lists."""
_NAMED_SUBJECTS = 2
_NAMED_PLACES = 8
"""How many names a heading has: places have no field that says where they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLine:
    """A line of a report: one change, or the same change of several subjects, or at several places in them.

    `schema_places` are the places of changes in named schemas, by their fingerprints, if several operations have the
    change there.
    """

    changes: tuple[Change, ...]
    schema_places: Mapping[str, SchemaPlace] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def schema_place(self) -> SchemaPlace | None:
        """Return the one place in a schema that all changes are at, None if there is none."""
        places = {self.schema_places.get(change.fingerprint) for change in self.changes}
        return places.pop() if len(places) == 1 else None

    @property
    def is_of_places(self) -> bool:
        """Return whether the changes differ in more than their subjects: they are at places with other names."""
        return self.schema_place is None and len({change.field for change in self.changes}) > 1

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
        if self.values:
            return f"{_message_of_any_value(self.first)} ({_list_values(self.values)})"
        is_same = len({change.message for change in self.changes}) == 1
        return self.first.message if is_same else _message_of_any_name(self.first)

    @property
    def values(self) -> tuple[str, ...]:
        """Return the values of an enum that the changes are about, as they are quoted, if these are several."""
        is_same = len({change.message for change in self.changes}) == 1
        is_about_values = not is_same and self.changes[0].rule in _VALUE_RULES
        return tuple(dict.fromkeys(map(_quoted_value, self.changes))) if is_about_values else ()

    @property
    def _fields(self) -> Set[tuple[Subject, str]]:
        """Return where the changes are: each place once."""
        return {(change.subject, change.field) for change in self.changes}

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
        if self._names_fields:
            within = counted if len(subjects) > 1 else printable_line(str(first.subject))
            counted = f"{count_noun(len(self._fields), 'place')} in {within}"
        named = self.changes[:most]
        names = tuple(self._name(change) for change in named)
        shared = SharedSubjects(
            relation=_relation(first, at_places=self.schema_place is not None and self._names_fields),
            subjects=AffectedUses(named=names, more=count - len(names), count_text=counted),
            fingerprints=tuple(change.fingerprint for change in named),
            named_in_heading=_NAMED_PLACES if self.is_of_places else _NAMED_SUBJECTS,
        )
        if self.is_of_places and self.schema_places:
            return self._named_by_schemas(shared)
        if self.values:
            return replace(
                shared, heading=AffectedUses(named=tuple(dict.fromkeys(map(self._place_name, self.changes))))
            )
        return shared

    @property
    def _names_fields(self) -> bool:
        """Say whether the subjects alone do not tell the changes apart."""
        is_once = len({change.subject for change in self.changes}) == len(self._fields)
        is_of_one_place = self.schema_place is not None and is_once
        return not is_of_one_place and len({change.field for change in self.changes}) > 1

    def _named_by_schemas(self, shared: SharedSubjects) -> SharedSubjects:
        """Return the subjects of a line of places with the names of schemas in its heading: each place once."""
        owners = Counter(
            place.schema if (place := self.schema_places.get(change.fingerprint)) else change.subject
            for change in self.changes
        )
        places = dict.fromkeys(
            str(self.schema_places.get(change.fingerprint) or self._place_name(change))
            for change in self.changes
        )
        schemas = sum(isinstance(owner, str) for owner in owners)
        kinds = {"schema": schemas, subject_noun(self.first.subject): len(owners) - schemas}
        within = " and ".join(count_noun(number, noun) for noun, number in kinds.items() if number)
        names = tuple(map(printable_line, places))
        return replace(
            shared,
            subjects=replace(shared.subjects, count_text=f"{count_noun(len(names), 'place')} in {within}"),
            heading=AffectedUses(named=names),
        )

    def _name(self, change: Change) -> str:
        """Return what is different in each change of the line: its place, and its value."""
        value = printable_line(_quoted_value(change)) if self.values else ""
        return " ".join(filter(None, (self._place_name(change), value)))

    def _place_name(self, change: Change) -> str:
        """Return where each change of the line is: its subject, unless all have the same at several places, and its
        field, if subjects have several places.
        """
        is_alone = self._names_fields and len({other.subject for other in self.changes}) == 1
        subject = "" if is_alone else change.subject.name
        place = change.field if self._names_fields else ""
        return printable_line(" ".join(filter(None, (subject, place))) or str(change.subject))


def change_lines(changes: Iterable[Change]) -> tuple[ChangeLine, ...]:
    """Return the changes as lines: those that nobody has accepted first, and of them those of many subjects.

    A place is once in a line: what reads the same and is another change of it is in another line.
    """
    changes = tuple(changes)
    schema_places = _shared_schema_places(changes)
    lines: dict[tuple[object, ...], list[Change]] = {}
    counts: Counter[tuple[object, ...]] = Counter()
    for change in changes:
        read = _read_key(change, change.message)
        place = (read, change.subject, change.field)
        shared = schema_places.get(change.fingerprint)
        part = _part_key(change) if shared is None else (shared,)
        lines.setdefault((read, counts[place], *part), []).append(change)
        counts[place] += 1
    unsorted_lines = _with_lines_of_values(
        _with_lines_of_objects(_with_lines_of_places(lines, schema_places))
    )
    return tuple(sorted(unsorted_lines, key=lambda line: (not line.first.counts, -len(line.changes))))


def _shared_schema_places(changes: Iterable[Change]) -> Mapping[str, SchemaPlace]:
    """Return the places in named schemas of changes that several operations have there, by fingerprints."""
    found: dict[tuple[object, ...], list[str]] = {}
    for change in changes:
        place = schema_place(change)
        if place is not None:
            found.setdefault((place, *_read_key(change, change.message)), []).append(change.fingerprint)
    return {
        fingerprint: place
        for (place, *_), fingerprints in found.items()
        if len(fingerprints) > 1 and isinstance(place, SchemaPlace)
        for fingerprint in fingerprints
    }


def _with_lines_of_places(
    lines: Mapping[tuple[object, ...], Sequence[Change]], schema_places: Mapping[str, SchemaPlace]
) -> Iterator[ChangeLine]:
    """Yield the lines; many that read the same but for their places become one, where the first of them was."""
    alike: dict[tuple[object, ...], list[Sequence[Change]]] = {}
    for (read, number, *_), line in lines.items():
        alike.setdefault((read, number), []).append(line)
    for found in alike.values():
        if len(found) < _LEAST_LINES:
            yield from (_line_of(line, schema_places) for line in found)
        else:
            yield _line_of(chain.from_iterable(found), schema_places)


def _line_of(changes: Iterable[Change], schema_places: Mapping[str, SchemaPlace]) -> ChangeLine:
    changes = tuple(changes)
    fingerprints = (change.fingerprint for change in changes)
    own = {
        fingerprint: schema_places[fingerprint]
        for fingerprint in fingerprints
        if fingerprint in schema_places
    }
    return ChangeLine(changes=changes, schema_places=own)


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


def _with_lines_of_values(lines: Iterable[ChangeLine]) -> Iterator[ChangeLine]:
    """Yield the lines; several that differ only in the value of an enum become one."""
    alike: dict[tuple[object, ...], list[ChangeLine]] = {}
    for number, line in enumerate(lines):
        first = line.first
        fields = frozenset((change.subject, change.field) for change in line.changes)
        key = (
            (number,) if first.rule not in _VALUE_RULES else (fields, *_read_key(first, "", has_values=False))
        )
        alike.setdefault((*key, _message_of_any_value(first)), []).append(line)
    for found in alike.values():
        if len(found) < _LEAST_VALUES:
            yield from found
        else:
            places = {key: place for line in found for key, place in line.schema_places.items()}
            changes = chain.from_iterable(line.changes for line in found)
            yield ChangeLine(changes=tuple(changes), schema_places=places)


def _message_of_any_value(change: Change) -> str:
    """Return the sentence of a change with `<value>` for the value that it is about."""
    return change.message.replace(_quoted_value(change), "<value>", 1)


def _quoted_value(change: Change) -> str:
    """Return the value that was added or removed, as messages quote it."""
    return quote_value(change.old if change.new is ABSENT else change.new)


def _list_values(values: Sequence[str]) -> str:
    listed = ", ".join(values[:_MOST_VALUES])
    left = len(values) - _MOST_VALUES
    return f"{listed} and {left:,} more" if left > 0 else listed


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


def _read_key(change: Change, message: str, *, has_values: bool = True) -> tuple[object, ...]:
    """Return what changes of one line have in common: all that is reported of them but where they are."""
    values = (change.old, change.new) if has_values else ()
    return (
        change.subject.kind,
        change.subject.section,
        change.rule,
        change.verdict,
        change.softened_from,
        change.direction,
        *("" if value is ABSENT else canonical_json(value) for value in values),
        message,
        change.hint,
        change.acknowledged,
    )


def _part_key(change: Change) -> tuple[object, ...]:
    """Return what the same change of several subjects has in common besides: the place and all that changed there.

    The words of texts are not reported: each of many operations may have another new summary.
    """
    return (change.field, "" if change.verdict is Verdict.DOCUMENTATION else change.essence)


def _relation(change: Change, *, at_places: bool) -> str:
    """Return how the field of a change and its subjects are joined: `response.429` *added to* 161 operations."""
    relation = _RELATIONS.get(change.action, "in") if _is_field_new_or_gone(change) else "in"
    return _RELATIONS_TO_PLACES[relation] if at_places else relation


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
