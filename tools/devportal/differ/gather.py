"""From what was found to changes: each once, with all operations that it affects."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from devportal.contract import ABSENT, Stability
from devportal.differ import change
from devportal.differ.change import Change, Subject, SubjectKind, Use, change_sort_key
from devportal.differ.located_changes import ChangeLocation, ComparedSchemas, ComparisonHit, least_stable
from devportal.differ.normalise.all_of import canonical_json
from devportal.differ.policy import Policy, Softening
from devportal.differ.rule import Direction, Hit, Rule, Verdict, change_message
from devportal.differ.schemas.pair import SchemaDescription


@dataclass(frozen=True, slots=True, kw_only=True)
class LocatedHit:
    """A hit within a section: the way to it, and what the schemas on the way say of their stability, with its
    own schema and without it.
    """

    rule: Rule[Any]
    hit: Hit
    way: str
    stability: Stability | None
    around: Stability | None
    direction: Direction


@dataclass(slots=True, kw_only=True, eq=False)
class SchemaSection:
    """What was found in one schema up to the next shared ones, and those, with the way to each."""

    judged: ComparedSchemas
    told: list[LocatedHit] = field(default_factory=list)
    below: list[tuple[str, Stability | None, ComparedSchemas]] = field(default_factory=list)
    uses: dict[Stability, dict[Subject, Use]] = field(default_factory=dict)


class SchemaSections:
    """The sections of everything that was found in schemas, and who reaches them."""

    def __init__(self) -> None:
        """Begin without any."""
        self._known: dict[int, SchemaSection] = {}
        self._starts: list[tuple[ComparedSchemas, ChangeLocation]] = []
        self._reached: dict[tuple[int, Stability], tuple[tuple[SchemaSection, Stability, str], ...]] = {}

    def begin(self, judged: ComparedSchemas, site: ChangeLocation) -> None:
        """Take in what was found in the schema of a place."""
        self._starts.append((judged, site))

    def reached(self) -> Iterator[SchemaSection]:
        """Yield the sections in which something was found, each with everyone who reaches it."""
        telling = self._telling()
        for judged, site in sorted(self._starts, key=lambda start: start[1].use.subject):
            if id(judged) in telling:
                self._reach(judged, site, telling)
        yield from self._known.values()

    def _telling(self) -> frozenset[int]:
        """Return the sections in which something was found, and those that lead to one."""
        users: dict[int, list[int]] = {}
        pending = [judged for judged, _ in self._starts]
        while pending:
            judged = pending.pop()
            if id(judged) not in self._known:
                for _, _, below in self._section(judged).below:
                    users.setdefault(id(below), []).append(id(judged))
                    pending.append(below)
        found = [key for key, section in self._known.items() if section.told]
        telling = set(found)
        while found:
            for user in users.get(found.pop(), ()):
                if user not in telling:
                    telling.add(user)
                    found.append(user)
        return frozenset(telling)

    def _reach(self, start: ComparedSchemas, site: ChangeLocation, telling: frozenset[int]) -> None:
        """Note the site at every section that it reaches and in which something was found."""
        key = (id(start), site.stability)
        reached = self._reached.get(key)
        if reached is None:
            reached = self._reached[key] = tuple(self._told_below(start, site.stability, telling))
        subject, base = site.use.subject, site.use.field
        for section, stability, way in reached:
            known = section.uses.setdefault(stability, {})
            if subject not in known:
                known[subject] = Use(subject=subject, field=base + way, tags=site.use.tags)

    def _told_below(
        self, start: ComparedSchemas, stability: Stability, telling: frozenset[int]
    ) -> Iterator[tuple[SchemaSection, Stability, str]]:
        """Yield the sections below a place in which something was found, with the shortest way to each, once
        for each stability they are reached with.
        """
        pending = deque([(start, "", stability)])
        seen = {(id(start), stability)}
        while pending:
            judged, way, outer = pending.popleft()
            section = self._section(judged)
            if section.told:
                yield section, outer, way
            for step, own, below in section.below:
                reached = least_stable(outer, own)
                if id(below) in telling and (id(below), reached) not in seen:
                    seen.add((id(below), reached))
                    pending.append((below, way + step, reached))

    def _section(self, start: ComparedSchemas) -> SchemaSection:
        known = self._known.get(id(start))
        if known is not None:
            return known
        made = self._known[id(start)] = SchemaSection(judged=start)
        pending: list[tuple[ComparedSchemas, str, Stability | None]] = [(start, "", None)]
        seen = {id(start)}
        while pending:
            here, way, around = pending.pop()
            stability = _least_stable_known(around, here.stability)
            made.told += [
                LocatedHit(
                    rule=rule,
                    hit=_with_schema_locations(hit, here),
                    way=way,
                    stability=stability,
                    around=around,
                    direction=here.direction,
                )
                for rule, hit in here.hits
            ]
            for step, below in reversed(here.below):
                if id(below) in seen:
                    continue
                seen.add(id(below))
                if below.boundary:
                    made.below.append((way + step, stability, below))
                else:
                    pending.append((below, way + step, stability))
        return made


def _least_stable_known(one: Stability | None, other: Stability | None) -> Stability | None:
    return other if one is None else least_stable(one, other)


def _with_schema_locations(hit: Hit, judged: ComparedSchemas) -> Hit:
    """Return the hit with the places of the two schemas where it names none of its own."""
    return replace(
        hit,
        old_location=hit.old_location or judged.old_location,
        new_location=hit.new_location or judged.new_location,
    )


_Key = tuple[str, Direction | None, Subject, str, str, str, str]


@dataclass(slots=True, kw_only=True)
class _PendingChange:
    """A change while further uses of it may be found."""

    rule: Rule[Any]
    hit: Hit
    verdict: Verdict
    uses: list[tuple[Use, ...]]


class ChangeCollector:
    """Puts together what is the same change, seen from several operations."""

    def __init__(self, policy: Policy) -> None:
        """Take the policy by which verdicts are softened, replaced and acknowledged."""
        self._policy = policy
        self._drafts: dict[_Key, _PendingChange] = {}
        self._sections = SchemaSections()
        self._felt: dict[tuple[int, ...], tuple[Use, ...]] = {}

    def add(self, found: ComparisonHit) -> None:
        """Take in what was found at one place."""
        site = found.site
        if found.rule is not None:
            use = Use(
                subject=site.use.subject,
                field=_without_leading_dot(site.use.field + found.hit.at),
                tags=site.use.tags,
            )
            owner = _owner(found.hit, site.use)
            self._note(found.rule, found.hit, owner, site.direction, site.stability, (use,))
        if found.judged is not None:
            self._sections.begin(found.judged, site)

    def settle(self) -> None:
        """Take in what was found in schemas, once for all who reach them: now that all of it is known."""
        for section in self._sections.reached():
            for stability, uses in section.uses.items():
                self._tell(section, stability, uses)

    def changes(self) -> tuple[Change, ...]:
        """Return the changes, the gravest first."""
        made = (self._change(key, draft) for key, draft in self._drafts.items())
        return tuple(sorted(made, key=change_sort_key))

    def _merged(self, uses: Sequence[tuple[Use, ...]]) -> tuple[Use, ...]:
        """Return where a change is felt, each operation and event once, in their order.

        Changes of one schema are felt in the same places, so what was merged once is merged for all of them.
        """
        if len(uses) == 1:
            return uses[0]
        key = tuple(map(id, uses))
        known = self._felt.get(key)
        if known is None:
            first = {use.subject: use for use in chain.from_iterable(reversed(uses))}
            known = tuple(first[subject] for subject in sorted(first))
            self._felt[key] = known
        return known

    def _tell(self, section: SchemaSection, stability: Stability, uses: dict[Subject, Use]) -> None:
        """Note every hit of a section for the operations that reach it with some stability."""
        shared = section.judged.boundary
        everyone = tuple(uses.values())
        for told in section.told:
            if shared:
                own = Use(subject=_schema_subject(shared), field=told.way)
                self._note_told(told, own, stability, everyone)
                continue
            for use in uses.values():
                own = replace(use, field=use.field + told.way)
                self._note_told(
                    told, own, stability, (replace(use, field=_without_leading_dot(own.field + told.hit.at)),)
                )

    def _note_told(self, told: LocatedHit, own: Use, stability: Stability, felt: tuple[Use, ...]) -> None:
        around = least_stable(stability, told.around)
        if not told.rule.is_softened and _repeats_stability(told.hit, around):
            return
        owner = _owner(told.hit, own)
        self._note(told.rule, told.hit, owner, told.direction, least_stable(stability, told.stability), felt)

    def _note(
        self,
        rule: Rule[Any],
        hit: Hit,
        owner: Use,
        direction: Direction | None,
        stability: Stability,
        uses: tuple[Use, ...],
    ) -> None:
        verdict = self._verdict(rule, hit, direction, stability)
        if verdict is None:
            return
        told = direction if rule.is_directed else None
        key = (
            rule.id,
            told,
            owner.subject,
            owner.field,
            _value_key(hit.old),
            _value_key(hit.new),
            _described_digests(hit),
        )
        draft = self._drafts.get(key)
        if draft is None:
            self._drafts[key] = _PendingChange(rule=rule, hit=hit, verdict=verdict, uses=[uses])
            return
        draft.uses.append(uses)
        if verdict.rank > draft.verdict.rank:
            draft.verdict, draft.hit = verdict, hit

    def _verdict(
        self, rule: Rule[Any], hit: Hit, direction: Direction | None, stability: Stability
    ) -> Verdict | None:
        verdict = hit.verdict or rule.verdict(direction)
        if rule.id in self._policy.levels:
            verdict = self._policy.levels[rule.id]
        if verdict is None:
            return None
        if not rule.is_softened:
            return verdict
        least = least_stable(stability, hit.stability)
        return self._policy.stability_levels.get(least, Softening.NONE).applied(verdict)

    def _change(self, key: _Key, draft: _PendingChange) -> Change:
        rule, hit = draft.rule, draft.hit
        _, direction, subject, place, _, _, told = key
        made = Change(
            rule=rule.id,
            area=rule.area,
            action=rule.action,
            verdict=draft.verdict,
            direction=direction,
            subject=subject,
            field=place,
            old=hit.old,
            new=hit.new,
            old_location=hit.old_location,
            new_location=hit.new_location,
            message=change_message(rule, hit),
            hint=hit.hint,
            used_by=self._merged(draft.uses),
            essence=told,
        )
        return replace(made, acknowledged=self._policy.acknowledged.get(made.fingerprint))


def _owner(hit: Hit, own: Use) -> Use:
    """Return what a hit belongs to and where in it: the component that it stands in, if it is in one.

    What is gone stood in the old contract, all else stands in the new one.
    """
    is_gone = hit.new is ABSENT and hit.old is not ABSENT
    location = (is_gone and hit.old_location) or hit.new_location or hit.old_location
    component = change.component_of(location) if location is not None else None
    if component is None or (own.subject.kind is SubjectKind.COMPONENT and own.subject.name == component[1]):
        return Use(subject=own.subject, field=_without_leading_dot(own.field + hit.at))
    section, name, rest = component
    way = change.path_in_component(section, rest)
    return Use(
        subject=Subject(kind=SubjectKind.COMPONENT, section=section, name=name),
        field=_without_leading_dot(way if way.endswith(hit.at) else way + hit.at),
    )


def _repeats_stability(hit: Hit, around: Stability) -> bool:
    """Say whether a mark of stability only repeats what holds anyway, for what the part belongs to."""
    before, after = hit.levels or (Stability(hit.old), Stability(hit.new))
    return least_stable(around, before) is least_stable(around, after)


def _described_digests(hit: Hit) -> str:
    """Return what tells apart values that are only described."""
    return " ".join(one.essence for one in (hit.old, hit.new) if isinstance(one, SchemaDescription))


def _schema_subject(name: str) -> Subject:
    return Subject(kind=SubjectKind.COMPONENT, section="schemas", name=name)


def _value_key(value: Any) -> str:
    return "" if value is ABSENT else canonical_json(value)


def _without_leading_dot(steps: str) -> str:
    """Return the way to a place without the dot that it may begin with."""
    return steps.removeprefix(".")
