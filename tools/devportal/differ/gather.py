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
        self._known: dict[int, SchemaSection] = {}
        self._starts: list[tuple[ComparedSchemas, ChangeLocation]] = []
        self._reached: dict[tuple[int, Stability], tuple[tuple[SchemaSection, Stability, str], ...]] = {}

    def begin(self, compared: ComparedSchemas, site: ChangeLocation) -> None:
        """Add the compared schema at a location."""
        self._starts.append((compared, site))

    def reached_sections(self) -> Iterator[SchemaSection]:
        """Yield the sections, those with changes together with every use that reaches them."""
        relevant = self._sections_with_changes()
        for compared, site in sorted(self._starts, key=lambda start: start[1].use.subject):
            if id(compared) in relevant:
                self._reach(compared, site, relevant)
        yield from self._known.values()

    def _sections_with_changes(self) -> frozenset[int]:
        """Return the ids of the sections with changes, and of those that lead to one."""
        users: dict[int, list[int]] = {}
        pending = [compared for compared, _ in self._starts]
        while pending:
            compared = pending.pop()
            if id(compared) not in self._known:
                for _, _, below in self._section(compared).below:
                    users.setdefault(id(below), []).append(id(compared))
                    pending.append(below)
        pending_ids = [key for key, section in self._known.items() if section.changes]
        relevant = set(pending_ids)
        while pending_ids:
            for user in users.get(pending_ids.pop(), ()):
                if user not in relevant:
                    relevant.add(user)
                    pending_ids.append(user)
        return frozenset(relevant)

    def _reach(self, start: ComparedSchemas, site: ChangeLocation, relevant: frozenset[int]) -> None:
        """Record the location at every section with changes that it reaches."""
        key = (id(start), site.stability)
        reached = self._reached.get(key)
        if reached is None:
            reached = self._reached[key] = tuple(
                self._changed_sections_below(start, site.stability, relevant)
            )
        subject, base = site.use.subject, site.use.field
        for section, stability, path in reached:
            known = section.uses.setdefault(stability, {})
            if subject not in known:
                known[subject] = Use(subject=subject, field=base + path, tags=site.use.tags)

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
        known = self._known.get(id(start))
        if known is not None:
            return known
        section = self._known[id(start)] = SchemaSection(compared=start)
        pending: list[tuple[ComparedSchemas, str, Stability | None]] = [(start, "", None)]
        seen = {id(start)}
        while pending:
            compared, path, around = pending.pop()
            stability = _least_stable_known(around, compared.stability)
            section.changes += [
                SectionChange(
                    rule=rule,
                    change=_with_schema_locations(found, compared),
                    path=path,
                    stability=stability,
                    around=around,
                    direction=compared.direction,
                )
                for rule, found in compared.changes
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


def _with_schema_locations(found: FoundChange, compared: ComparedSchemas) -> FoundChange:
    """Return the change with the locations of the two schemas if it has none of its own."""
    return replace(
        found,
        old_location=found.old_location or compared.old_location,
        new_location=found.new_location or compared.new_location,
    )


_Key = tuple[str, Direction | None, Subject, str, str, str, str]


@dataclass(slots=True, kw_only=True)
class _PendingChange:
    """A change to which further uses may be added."""

    rule: Rule[Any]
    found: FoundChange
    verdict: Verdict
    uses: list[tuple[Use, ...]]


class ChangeCollector:
    """Merges the same change found in several operations into one."""

    def __init__(self, policy: Policy) -> None:
        """Take the policy by which verdicts are softened, replaced and acknowledged."""
        self._policy = policy
        self._drafts: dict[_Key, _PendingChange] = {}
        self._sections = SchemaSections()
        self._merged_uses: dict[tuple[int, ...], tuple[Use, ...]] = {}

    def add(self, found: LocatedChange) -> None:
        """Add what was found at one location."""
        site = found.site
        if found.rule is not None:
            use = Use(
                subject=site.use.subject,
                field=_without_leading_dot(site.use.field + found.change.at),
                tags=site.use.tags,
            )
            owner = _owner(found.change, site.use)
            self._add_draft(found.rule, found.change, owner, site.direction, site.stability, (use,))
        if found.compared is not None:
            self._sections.begin(found.compared, site)

    def settle(self) -> None:
        """Add the changes of all schemas, once for all uses. Call it when every schema is compared."""
        for section in self._sections.reached_sections():
            for stability, uses in section.uses.items():
                self._add_section_changes(section, stability, uses)

    def changes(self) -> tuple[Change, ...]:
        """Return the changes, the most severe first."""
        made = (self._change(key, draft) for key, draft in self._drafts.items())
        return tuple(sorted(made, key=change_sort_key))

    def _merge_uses(self, uses: Sequence[tuple[Use, ...]]) -> tuple[Use, ...]:
        """Return each operation and event that a change affects, once and sorted.

        All changes of one schema have the same uses, so the result is cached.
        """
        if len(uses) == 1:
            return uses[0]
        key = tuple(map(id, uses))
        known = self._merged_uses.get(key)
        if known is None:
            first = {use.subject: use for use in chain.from_iterable(reversed(uses))}
            known = tuple(first[subject] for subject in sorted(first))
            self._merged_uses[key] = known
        return known

    def _add_section_changes(
        self, section: SchemaSection, stability: Stability, uses: dict[Subject, Use]
    ) -> None:
        """Record the changes of a section for the operations that reach it with one stability."""
        shared = section.compared.boundary
        everyone = tuple(uses.values())
        for found in section.changes:
            if shared:
                own = Use(subject=_schema_subject(shared), field=found.path)
                self._add_section_change(found, own, stability, everyone)
                continue
            for use in uses.values():
                own = replace(use, field=use.field + found.path)
                self._add_section_change(
                    found,
                    own,
                    stability,
                    (replace(use, field=_without_leading_dot(own.field + found.change.at)),),
                )

    def _add_section_change(
        self, found: SectionChange, own: Use, stability: Stability, uses: tuple[Use, ...]
    ) -> None:
        around = least_stable(stability, found.around)
        if not found.rule.is_softened and _repeats_stability(found.change, around):
            return
        owner = _owner(found.change, own)
        self._add_draft(
            found.rule, found.change, owner, found.direction, least_stable(stability, found.stability), uses
        )

    def _add_draft(
        self,
        rule: Rule[Any],
        found: FoundChange,
        owner: Use,
        direction: Direction | None,
        stability: Stability,
        uses: tuple[Use, ...],
    ) -> None:
        verdict = self._verdict(rule, found, direction, stability)
        if verdict is None:
            return
        key_direction = direction if rule.is_directed else None
        key = (
            rule.id,
            key_direction,
            owner.subject,
            owner.field,
            _value_key(found.old),
            _value_key(found.new),
            _described_digests(found),
        )
        draft = self._drafts.get(key)
        if draft is None:
            self._drafts[key] = _PendingChange(rule=rule, found=found, verdict=verdict, uses=[uses])
            return
        draft.uses.append(uses)
        if verdict.rank > draft.verdict.rank:
            draft.verdict, draft.found = verdict, found

    def _verdict(
        self, rule: Rule[Any], found: FoundChange, direction: Direction | None, stability: Stability
    ) -> Verdict | None:
        verdict = found.verdict or rule.verdict(direction)
        if rule.id in self._policy.levels:
            verdict = self._policy.levels[rule.id]
        if verdict is None:
            return None
        if not rule.is_softened:
            return verdict
        least = least_stable(stability, found.stability)
        return self._policy.stability_levels.get(least, Softening.NONE).soften(verdict)

    def _change(self, key: _Key, draft: _PendingChange) -> Change:
        rule, found = draft.rule, draft.found
        _, direction, subject, path, _, _, digest = key
        change = Change(
            rule=rule.id,
            area=rule.area,
            action=rule.action,
            verdict=draft.verdict,
            direction=direction,
            subject=subject,
            field=path,
            old=found.old,
            new=found.new,
            old_location=found.old_location,
            new_location=found.new_location,
            message=change_message(rule, found),
            hint=found.hint,
            used_by=self._merge_uses(draft.uses),
            essence=digest,
        )
        return replace(change, acknowledged=self._policy.acknowledged.get(change.fingerprint))


def _owner(found: FoundChange, own: Use) -> Use:
    """Return the subject and field of a change: the component that it is in, if it is in one.

    What was removed is located in the old contract, everything else in the new one.
    """
    is_gone = found.new is ABSENT and found.old is not ABSENT
    location = (is_gone and found.old_location) or found.new_location or found.old_location
    component = component_of(location) if location is not None else None
    if component is None or (own.subject.kind is SubjectKind.COMPONENT and own.subject.name == component[1]):
        return Use(subject=own.subject, field=_without_leading_dot(own.field + found.at))
    section, name, rest = component
    path = path_in_component(section, rest)
    return Use(
        subject=Subject(kind=SubjectKind.COMPONENT, section=section, name=name),
        field=_without_leading_dot(path if path.endswith(found.at) else path + found.at),
    )


def _repeats_stability(found: FoundChange, around: Stability) -> bool:
    """Return whether a stability only repeats the one that the part inherits anyway."""
    before, after = found.levels or (Stability(found.old), Stability(found.new))
    return least_stable(around, before) is least_stable(around, after)


def _described_digests(found: FoundChange) -> str:
    """Return the digests of values that are shown as descriptions."""
    return " ".join(one.digest for one in (found.old, found.new) if isinstance(one, SchemaDescription))


def _schema_subject(name: str) -> Subject:
    return Subject(kind=SubjectKind.COMPONENT, section="schemas", name=name)


def _value_key(value: Any) -> str:
    return "" if value is ABSENT else canonical_json(value)


def _without_leading_dot(steps: str) -> str:
    """Return a path without its leading dot."""
    return steps.removeprefix(".")
