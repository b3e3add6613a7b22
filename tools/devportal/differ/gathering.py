"""From what was found, to changes: each once, with everything that it reaches.

A shared schema is one section, with what was found in it up to the next shared schema. Which operations reach
a section is worked out over sections alone, so that it matters little how often schemas are used.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from devportal.contract import ABSENT, Stability
from devportal.differ import fields
from devportal.differ.change import Change, Subject, SubjectKind, Use, in_order
from devportal.differ.judged import Judged
from devportal.differ.merging import canonical
from devportal.differ.policy import Policy, Softening
from devportal.differ.rule import Hit, Rule
from devportal.differ.verdict import Direction, Verdict
from devportal.differ.wording import sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A place in an operation where something was found: what it belongs to, and how stable it was."""

    use: Use
    direction: Direction | None = None
    stability: Stability = Stability.STABLE

    def at(self, step: str, stability: Stability | None = None) -> "Site":
        """Return a place within this one; `stability` is what it says of itself."""
        use = Use(subject=self.use.subject, field=self.use.field + step, tags=self.use.tags)
        return Site(use=use, direction=self.direction, stability=least_stable(self.stability, stability))


_MATURITY = (Stability.DRAFT, Stability.ALPHA, Stability.BETA, Stability.STABLE)


def least_stable(one: Stability, other: Stability | None) -> Stability:
    """Return the stability of a part within another: no part is more stable than what it belongs to."""
    return one if other is None else min(one, other, key=_MATURITY.index)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One hit of a rule at a place, or all that was found between two schemas there."""

    site: Site
    rule: Rule[Any] | None = None
    hit: Hit = field(default_factory=Hit)
    judged: Judged | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """A hit within a section: the way to it, and what the schemas on the way say of their stability."""

    rule: Rule[Any]
    hit: Hit
    way: str
    stability: Stability | None
    direction: Direction


@dataclass(slots=True, kw_only=True, eq=False)
class _Section:
    """What was found in one schema up to the next shared ones, and those, with the way to each."""

    judged: Judged
    told: list[_Told] = field(default_factory=list)
    below: list[tuple[str, Stability | None, Judged]] = field(default_factory=list)
    uses: dict[Stability, dict[Subject, Use]] = field(default_factory=dict)


_Key = tuple[str, Direction | None, Subject, str, str, str]


@dataclass(slots=True, kw_only=True)
class _Draft:
    """A change while further uses of it may be found."""

    rule: Rule[Any]
    hit: Hit
    verdict: Verdict
    uses: list[tuple[Use, ...]]


class Gathering:
    """Puts together what is the same change, seen from several operations."""

    def __init__(self, policy: Policy) -> None:
        """Take the policy by which verdicts are softened, replaced and acknowledged."""
        self._policy = policy
        self._drafts: dict[_Key, _Draft] = {}
        self._sections: dict[int, _Section] = {}
        self._felt: dict[tuple[int, ...], tuple[Use, ...]] = {}
        self._starts: list[tuple[Judged, Site]] = []
        self._reached: dict[tuple[int, Stability], tuple[tuple[_Section, Stability, str], ...]] = {}

    def add(self, found: Found) -> None:
        """Take in what was found at one place."""
        site = found.site
        if found.rule is not None:
            use = Use(
                subject=site.use.subject, field=_first(site.use.field + found.hit.at), tags=site.use.tags
            )
            owner = _owner(found.hit, site.use)
            self._note(found.rule, found.hit, owner, site.direction, site.stability, (use,))
        if found.judged is not None:
            self._starts.append((found.judged, site))

    def settle(self) -> None:
        """Take in what was found in schemas, now that all of it is known: for all who reach a schema at once."""
        telling = self._telling()
        for judged, site in sorted(self._starts, key=lambda start: start[1].use.subject):
            if id(judged) in telling:
                self._reach(judged, site, telling)
        for section in self._sections.values():
            for stability, uses in section.uses.items():
                self._tell(section, stability, uses)

    def _telling(self) -> frozenset[int]:
        """Return the sections in which something was found, and those that lead to one."""
        users: dict[int, list[int]] = {}
        pending = [judged for judged, _ in self._starts]
        while pending:
            judged = pending.pop()
            if id(judged) not in self._sections:
                for _, _, below in self._section(judged).below:
                    users.setdefault(id(below), []).append(id(judged))
                    pending.append(below)
        found = [key for key, section in self._sections.items() if section.told]
        telling = set(found)
        while found:
            for user in users.get(found.pop(), ()):
                if user not in telling:
                    telling.add(user)
                    found.append(user)
        return frozenset(telling)

    @property
    def is_breaking(self) -> bool:
        """Say whether anything that was taken in is breaking."""
        return any(draft.verdict is Verdict.BREAKING for draft in self._drafts.values())

    def changes(self) -> tuple[Change, ...]:
        """Return the changes, the gravest first."""
        made = (self._change(key, draft) for key, draft in self._drafts.items())
        return tuple(sorted(made, key=in_order))

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

    def _reach(self, start: Judged, site: Site, telling: frozenset[int]) -> None:
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
        self, start: Judged, stability: Stability, telling: frozenset[int]
    ) -> Iterator[tuple[_Section, Stability, str]]:
        """Yield the sections below a place in which something was found, with the shortest way to each, once
        for each stability they are reached with.
        """
        pending = deque([(start, "", stability)])
        seen = {(id(start), stability)}
        while pending:
            judged, way, outer = pending.popleft()
            section = self._section(judged)
            here = least_stable(outer, judged.stability)
            if section.told:
                yield section, here, way
            for step, own, below in section.below:
                reached = least_stable(here, own)
                if id(below) in telling and (id(below), reached) not in seen:
                    seen.add((id(below), reached))
                    pending.append((below, way + step, reached))

    def _section(self, start: Judged) -> _Section:
        known = self._sections.get(id(start))
        if known is not None:
            return known
        made = self._sections[id(start)] = _Section(judged=start)
        pending: list[tuple[Judged, str, Stability | None]] = [(start, "", None)]
        seen = {id(start)}
        while pending:
            here, way, stability = pending.pop()
            if here is not start:
                stability = _both(stability, here.stability)
            made.told += [
                _Told(
                    rule=rule, hit=_placed(hit, here), way=way, stability=stability, direction=here.direction
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

    def _tell(self, section: _Section, stability: Stability, uses: dict[Subject, Use]) -> None:
        """Note every hit of a section for the operations that reach it with some stability."""
        shared = section.judged.boundary
        everyone = tuple(uses.values())
        for told in section.told:
            if shared:
                own = Use(subject=_schema(shared), field=told.way)
                self._note_told(told, own, stability, everyone)
                continue
            for use in uses.values():
                own = replace(use, field=use.field + told.way)
                self._note_told(told, own, stability, (replace(use, field=_first(own.field + told.hit.at)),))

    def _note_told(self, told: _Told, own: Use, stability: Stability, felt: tuple[Use, ...]) -> None:
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
        key = (rule.id, told, owner.subject, owner.field, _shown(hit.old), _shown(hit.new))
        draft = self._drafts.get(key)
        if draft is None:
            self._drafts[key] = _Draft(rule=rule, hit=hit, verdict=verdict, uses=[uses])
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

    def _change(self, key: _Key, draft: _Draft) -> Change:
        rule, hit = draft.rule, draft.hit
        _, direction, subject, place, *_ = key
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
            message=sentence(rule, hit),
            hint=hit.hint,
            used_by=self._merged(draft.uses),
        )
        return replace(made, acknowledged=self._policy.acknowledged.get(made.fingerprint))


def _both(one: Stability | None, other: Stability | None) -> Stability | None:
    return other if one is None else least_stable(one, other)


def _placed(hit: Hit, judged: Judged) -> Hit:
    """Return the hit with the places of the two schemas where it names none of its own."""
    return replace(
        hit,
        old_location=hit.old_location or judged.old_location,
        new_location=hit.new_location or judged.new_location,
    )


def _owner(hit: Hit, own: Use) -> Use:
    """Return what a hit belongs to and where in it: the component that it stands in, if it is in one."""
    location = hit.new_location or hit.old_location
    component = fields.component_of(location) if location is not None else None
    if component is None or (own.subject.kind is SubjectKind.COMPONENT and own.subject.name == component[1]):
        return Use(subject=own.subject, field=_first(own.field + hit.at))
    section, name, rest = component
    way = fields.steps(rest)
    return Use(
        subject=Subject(kind=SubjectKind.COMPONENT, section=section, name=name),
        field=_first(way if way.endswith(hit.at) else way + hit.at),
    )


def _schema(name: str) -> Subject:
    return Subject(kind=SubjectKind.COMPONENT, section="schemas", name=name)


def _shown(value: Any) -> str:
    return "" if value is ABSENT else canonical(value)


def _first(steps: str) -> str:
    """Return the way to a place without the dot that it may begin with."""
    return steps.removeprefix(".")
