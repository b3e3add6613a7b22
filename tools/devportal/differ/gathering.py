"""From what was found, to changes: each once, with everything that it reaches."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from devportal.contract import ABSENT, Stability
from devportal.differ import fields
from devportal.differ.change import Change, Subject, SubjectKind, Use, in_order
from devportal.differ.judged import Judged
from devportal.differ.merging import canonical
from devportal.differ.policy import Acknowledgement, Policy, Softening
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


_Key = tuple[str, Verdict, Direction | None, Subject, str, str, str]


class Gathering:
    """Puts together what is the same change, seen from several operations."""

    def __init__(self, policy: Policy) -> None:
        """Take the policy by which verdicts are softened, replaced and acknowledged."""
        self._policy = policy
        self._changes: dict[_Key, tuple[Rule[Any], Hit, dict[Use, None]]] = {}

    def add(self, found: Found) -> None:
        """Take in what was found at one place."""
        if found.rule is not None:
            self._note(found.rule, found.hit, found.site, found.site.direction, None, found.site.use)
        if found.judged is not None:
            self._walk(found.judged, found.site)

    def changes(self) -> tuple[Change, ...]:
        """Return the changes, the gravest first."""
        made = (self._change(key, *value) for key, value in self._changes.items())
        return tuple(sorted(made, key=in_order))

    def _walk(self, start: Judged, site: Site) -> None:
        """Visit what was found below a place; what is shared once for each stability it is reached with."""
        seen: set[tuple[int, Stability]] = set()
        pending = [(start, site, "", "")]
        while pending:
            here, place, shared, within = pending.pop()
            place = place.at("", here.stability)
            if (id(here), place.stability) in seen:
                continue
            seen.add((id(here), place.stability))
            if here.boundary:
                shared, within = here.boundary, ""
            for rule, hit in here.hits:
                owner = (
                    Subject(kind=SubjectKind.COMPONENT, section="schemas", name=shared) if shared else None
                )
                inner = Use(subject=owner, field=within) if owner is not None else place.use
                self._note(rule, hit, place, here.direction, here, inner)
            for step, one in reversed(here.below):
                pending.append((one, place.at(step), shared, within + step))

    def _note(
        self,
        rule: Rule[Any],
        hit: Hit,
        site: Site,
        direction: Direction | None,
        judged: Judged | None,
        own: Use,
    ) -> None:
        verdict = self._verdict(rule, hit, site, direction)
        if verdict is None:
            return
        place = _owner(hit, own)
        key = (
            rule.id,
            verdict,
            direction,
            place.subject,
            place.field,
            _told(hit.old),
            _told(hit.new),
        )
        known = self._changes.get(key)
        if known is None:
            known = self._changes[key] = (rule, _placed(hit, judged), {})
        known[2][Use(subject=site.use.subject, field=site.use.field + hit.at, tags=site.use.tags)] = None

    def _verdict(self, rule: Rule[Any], hit: Hit, site: Site, direction: Direction | None) -> Verdict | None:
        verdict = hit.verdict or rule.verdict(direction)
        if rule.id in self._policy.levels:
            verdict = self._policy.levels[rule.id]
        if verdict is None:
            return None
        stability = least_stable(site.stability, hit.stability)
        return self._policy.stability_levels.get(stability, Softening.NONE).applied(verdict)

    def _change(self, key: _Key, rule: Rule[Any], hit: Hit, uses: dict[Use, None]) -> Change:
        _, verdict, direction, subject, place, *_ = key
        made = Change(
            rule=rule.id,
            area=rule.area,
            action=rule.action,
            verdict=verdict,
            direction=direction,
            subject=subject,
            field=place,
            old=hit.old,
            new=hit.new,
            old_location=hit.old_location,
            new_location=hit.new_location,
            message=sentence(rule, hit),
            hint=hit.hint,
            used_by=tuple(_each_subject_once(sorted(uses))),
        )
        accepted = self._policy.acknowledged.get(made.fingerprint)
        return made if accepted is None else _accepted(made, accepted)


def _placed(hit: Hit, judged: Judged | None) -> Hit:
    """Return the hit with the places of the two schemas where it names none of its own."""
    if judged is None:
        return hit
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


def _told(value: Any) -> str:
    return "" if value is ABSENT else canonical(value)


def _first(steps: str) -> str:
    """Return the way to a place without the dot that it may begin with."""
    return steps.removeprefix(".")


def _each_subject_once(uses: Sequence[Use]) -> Iterator[Use]:
    seen: set[Subject] = set()
    for use in uses:
        if use.subject not in seen:
            seen.add(use.subject)
            yield use


def _accepted(change: Change, acknowledgement: Acknowledgement) -> Change:
    return replace(change, acknowledged=acknowledgement)
