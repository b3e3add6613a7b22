"""Turns found changes into `Change`s: each once, with all operations that it affects."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from devportal.contract import ABSENT, Stability
from devportal.differ.change import (
    Change,
    Subject,
    SubjectKind,
    Use,
    change_sort_key,
    component_of,
    path_in_component,
)
from devportal.differ.located_changes import ChangeLocation, ComparedSchemas, LocatedChange, least_stable
from devportal.differ.normalise.all_of import canonical_json
from devportal.differ.policy import Policy, Softening
from devportal.differ.rule import Direction, FoundChange, Rule, Verdict, change_message
from devportal.differ.schemas.pair import SchemaDescription


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeOrigin:
    """Where a change was found: in two compared schemas, or at a location."""

    change: FoundChange
    compared: ComparedSchemas | None = None
    location: ChangeLocation | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionChange:
    """A change found within a section, and the path to it.

    `stability` is that of the least stable schema on the path, `around` the same without the last schema.
    """

    rule: Rule[Any]
    change: FoundChange
    path: str
    stability: Stability | None
    around: Stability | None
    direction: Direction
    compared: ComparedSchemas


@dataclass(slots=True, kw_only=True, eq=False)
class SchemaSection:
    """The changes found in one schema down to the next shared schemas, and the path to each of those."""

    compared: ComparedSchemas
    changes: list[SectionChange] = field(default_factory=list)
    below: list[tuple[str, Stability | None, ComparedSchemas]] = field(default_factory=list)
    uses: dict[Stability, dict[Subject, Use]] = field(default_factory=dict)


class SchemaSections:
    """The sections of all compared schemas, and the operations that reach them."""

    def __init__(self) -> None:
        """Start without sections."""
        self._sections: dict[int, SchemaSection] = {}
        self._starts: list[tuple[ComparedSchemas, ChangeLocation]] = []
        self._reached: dict[tuple[int, Stability], tuple[tuple[SchemaSection, Stability, str], ...]] = {}

    def begin(self, compared: ComparedSchemas, location: ChangeLocation) -> None:
        """Add the compared schema at a location."""
        self._starts.append((compared, location))

    @property
    def starts(self) -> tuple[tuple[ComparedSchemas, ChangeLocation], ...]:
        """Return the compared schemas that were added, each with its location."""
        return tuple(self._starts)

    def reached_sections(self) -> Iterator[SchemaSection]:
        """Yield the sections, those with changes together with every use that reaches them."""
        relevant = self._sections_with_changes()
        for compared, location in sorted(self._starts, key=lambda start: start[1].use.subject):
            if id(compared) in relevant:
                self._reach(compared, location, relevant)
        yield from self._sections.values()

    def _sections_with_changes(self) -> frozenset[int]:
        """Return the ids of the sections with changes, and of those that lead to one."""
        users: dict[int, list[int]] = {}
        pending = [compared for compared, _ in self._starts]
        while pending:
            compared = pending.pop()
            if id(compared) not in self._sections:
                for _, _, below in self._section(compared).below:
                    users.setdefault(id(below), []).append(id(compared))
                    pending.append(below)
        pending_ids = [key for key, section in self._sections.items() if section.changes]
        relevant = set(pending_ids)
        while pending_ids:
            for user in users.get(pending_ids.pop(), ()):
                if user not in relevant:
                    relevant.add(user)
                    pending_ids.append(user)
        return frozenset(relevant)

    def _reach(self, start: ComparedSchemas, location: ChangeLocation, relevant: frozenset[int]) -> None:
        """Record the location at every section with changes that it reaches."""
        key = (id(start), location.stability)
        reached = self._reached.get(key)
        if reached is None:
            reached = self._reached[key] = tuple(
                self._changed_sections_below(start, location.stability, relevant)
            )
        subject, base = location.use.subject, location.use.field
        for section, stability, path in reached:
            uses = section.uses.setdefault(stability, {})
            if subject not in uses:
                uses[subject] = Use(subject=subject, field=base + path, tags=location.use.tags)

    def _changed_sections_below(
        self, start: ComparedSchemas, stability: Stability, relevant: frozenset[int]
    ) -> Iterator[tuple[SchemaSection, Stability, str]]:
        """Yield the sections with changes below a schema, with the shortest path to each.

        A section is yielded once for each stability that it is reached with.
        """
        pending = deque([(start, "", stability)])
        seen = {(id(start), stability)}
        while pending:
            compared, path, outer = pending.popleft()
            section = self._section(compared)
            if section.changes:
                yield section, outer, path
            for step, own, below in section.below:
                reached = least_stable(outer, own)
                if id(below) in relevant and (id(below), reached) not in seen:
                    seen.add((id(below), reached))
                    pending.append((below, path + step, reached))

    def _section(self, start: ComparedSchemas) -> SchemaSection:
        cached = self._sections.get(id(start))
        if cached is not None:
            return cached
        section = self._sections[id(start)] = SchemaSection(compared=start)
        pending: list[tuple[ComparedSchemas, str, Stability | None]] = [(start, "", None)]
        seen = {id(start)}
        while pending:
            compared, path, around = pending.pop()
            stability = _least_stable_known(around, compared.stability)
            section.changes += [
                SectionChange(
                    rule=rule,
                    change=_with_schema_locations(change, compared),
                    path=path,
                    stability=stability,
                    around=around,
                    direction=compared.direction,
                    compared=compared,
                )
                for rule, change in compared.changes
            ]
            for step, below in reversed(compared.below):
                if id(below) in seen:
                    continue
                seen.add(id(below))
                if below.boundary:
                    section.below.append((path + step, stability, below))
                else:
                    pending.append((below, path + step, stability))
        return section


def _least_stable_known(one: Stability | None, other: Stability | None) -> Stability | None:
    return other if one is None else least_stable(one, other)


def _with_schema_locations(change: FoundChange, compared: ComparedSchemas) -> FoundChange:
    """Return the change with the locations of the two schemas if it has none of its own."""
    return replace(
        change,
        old_location=change.old_location or compared.old_location,
        new_location=change.new_location or compared.new_location,
    )


_Key = tuple[str, Direction | None, Subject, str, str, str, str]


@dataclass(slots=True, kw_only=True)
class _PendingChange:
    """A change to which further uses may be added."""

    rule: Rule[Any]
    change: FoundChange
    verdict: Verdict
    uses: list[tuple[Use, ...]]
    origins: list[ChangeOrigin]


class ChangeCollector:
    """Merges the same change found in several operations into one."""

    def __init__(self, policy: Policy) -> None:
        """Take the policy by which verdicts are softened, replaced and acknowledged."""
        self._policy = policy
        self._drafts: dict[_Key, _PendingChange] = {}
        self._sections = SchemaSections()
        self._merged_uses: dict[tuple[int, ...], tuple[Use, ...]] = {}

    def add(self, located: LocatedChange) -> None:
        """Add what was found at one location."""
        location = located.location
        if located.rule is not None:
            use = Use(
                subject=location.use.subject,
                field=_without_leading_dot(location.use.field + located.change.at),
                tags=location.use.tags,
            )
            owner = _owner(located.change, location.use)
            origin = ChangeOrigin(change=located.change, location=location)
            self._add_draft(located.rule, origin, owner, location.direction, location.stability, (use,))
        if located.compared is not None:
            self._sections.begin(located.compared, location)

    def settle(self) -> None:
        """Add the changes of all schemas, once for all uses. Call it when every schema is compared."""
        for section in self._sections.reached_sections():
            for stability, uses in section.uses.items():
                self._add_section_changes(section, stability, uses)

    @property
    def starts(self) -> tuple[tuple[ComparedSchemas, ChangeLocation], ...]:
        """Return the compared schemas at their locations, from which all others are reached."""
        return self._sections.starts

    def changes(self) -> tuple[Change, ...]:
        """Return the changes, the most severe first."""
        return tuple(sorted((change for change, _ in self.changes_with_origins()), key=change_sort_key))

    def changes_with_origins(self) -> Iterator[tuple[Change, tuple[ChangeOrigin, ...]]]:
        """Yield the changes, each with where it was found."""
        for key, draft in self._drafts.items():
            yield self._change(key, draft), tuple(draft.origins)

    def _merge_uses(self, uses: Sequence[tuple[Use, ...]]) -> tuple[Use, ...]:
        """Return each operation and event that a change affects, once and sorted.

        All changes of one schema have the same uses, so the result is cached.
        """
        if len(uses) == 1:
            return uses[0]
        key = tuple(map(id, uses))
        merged = self._merged_uses.get(key)
        if merged is None:
            first = {use.subject: use for use in chain.from_iterable(reversed(uses))}
            merged = tuple(first[subject] for subject in sorted(first))
            self._merged_uses[key] = merged
        return merged

    def _add_section_changes(
        self, section: SchemaSection, stability: Stability, uses: dict[Subject, Use]
    ) -> None:
        """Record the changes of a section for the operations that reach it with one stability."""
        shared = section.compared.boundary
        everyone = tuple(uses.values())
        for section_change in section.changes:
            if shared:
                own = Use(subject=_schema_subject(shared), field=section_change.path)
                self._add_section_change(section_change, own, stability, everyone)
                continue
            for use in uses.values():
                own = replace(use, field=use.field + section_change.path)
                self._add_section_change(
                    section_change,
                    own,
                    stability,
                    (replace(use, field=_without_leading_dot(own.field + section_change.change.at)),),
                )

    def _add_section_change(
        self, section_change: SectionChange, own: Use, stability: Stability, uses: tuple[Use, ...]
    ) -> None:
        around = least_stable(stability, section_change.around)
        if not section_change.rule.is_softened and _repeats_stability(section_change.change, around):
            return
        owner = _owner(section_change.change, own)
        self._add_draft(
            section_change.rule,
            ChangeOrigin(change=section_change.change, compared=section_change.compared),
            owner,
            section_change.direction,
            least_stable(stability, section_change.stability),
            uses,
        )

    def _add_draft(
        self,
        rule: Rule[Any],
        origin: ChangeOrigin,
        owner: Use,
        direction: Direction | None,
        stability: Stability,
        uses: tuple[Use, ...],
    ) -> None:
        change = origin.change
        verdict = self._verdict(rule, change, direction, stability)
        if verdict is None:
            return
        key_direction = direction if rule.is_directed else None
        key = (
            rule.id,
            key_direction,
            owner.subject,
            owner.field,
            _value_key(change.old),
            _value_key(change.new),
            _described_digests(change),
        )
        draft = self._drafts.get(key)
        if draft is None:
            self._drafts[key] = _PendingChange(
                rule=rule, change=change, verdict=verdict, uses=[uses], origins=[origin]
            )
            return
        draft.uses.append(uses)
        draft.origins.append(origin)
        if verdict.rank > draft.verdict.rank:
            draft.verdict, draft.change = verdict, change

    def _verdict(
        self, rule: Rule[Any], change: FoundChange, direction: Direction | None, stability: Stability
    ) -> Verdict | None:
        verdict = change.verdict or rule.verdict(direction)
        if rule.id in self._policy.levels:
            verdict = self._policy.levels[rule.id]
        if verdict is None:
            return None
        if not rule.is_softened:
            return verdict
        least = least_stable(stability, change.stability)
        return self._policy.stability_levels.get(least, Softening.NONE).soften(verdict)

    def _change(self, key: _Key, draft: _PendingChange) -> Change:
        rule, found_change = draft.rule, draft.change
        _, direction, subject, path, _, _, digest = key
        change = Change(
            rule=rule.id,
            area=rule.area,
            action=rule.action,
            verdict=draft.verdict,
            direction=direction,
            subject=subject,
            field=path,
            old=found_change.old,
            new=found_change.new,
            old_location=found_change.old_location,
            new_location=found_change.new_location,
            message=change_message(rule, found_change),
            hint=found_change.hint,
            used_by=self._merge_uses(draft.uses),
            essence=digest,
        )
        return replace(change, acknowledged=self._policy.acknowledged.get(change.fingerprint))


def _owner(change: FoundChange, own: Use) -> Use:
    """Return the subject and field of a change: the component that it is in, if it is in one.

    What was removed is located in the old contract, everything else in the new one.
    """
    is_gone = change.new is ABSENT and change.old is not ABSENT
    location = (is_gone and change.old_location) or change.new_location or change.old_location
    component = component_of(location) if location is not None else None
    if component is None or (own.subject.kind is SubjectKind.COMPONENT and own.subject.name == component[1]):
        return Use(subject=own.subject, field=_without_leading_dot(own.field + change.at))
    section, name, rest = component
    path = path_in_component(section, rest)
    return Use(
        subject=Subject(kind=SubjectKind.COMPONENT, section=section, name=name),
        field=_without_leading_dot(path if path.endswith(change.at) else path + change.at),
    )


def _repeats_stability(change: FoundChange, around: Stability) -> bool:
    """Return whether a stability only repeats the one that the part inherits anyway."""
    before, after = change.levels or (Stability(change.old), Stability(change.new))
    return least_stable(around, before) is least_stable(around, after)


def _described_digests(change: FoundChange) -> str:
    """Return the digests of values that are shown as descriptions."""
    return " ".join(one.digest for one in (change.old, change.new) if isinstance(one, SchemaDescription))


def _schema_subject(name: str) -> Subject:
    return Subject(kind=SubjectKind.COMPONENT, section="schemas", name=name)


def _value_key(value: Any) -> str:
    return "" if value is ABSENT else canonical_json(value)


def _without_leading_dot(steps: str) -> str:
    """Return a path without its leading dot."""
    return steps.removeprefix(".")
