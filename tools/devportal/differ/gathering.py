"""From what was found, to changes: each once, with everything that it reaches."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from devportal.contract import ABSENT, Stability
from devportal.differ import fields
from devportal.differ.change import Change, Subject, SubjectKind, Use, in_order
from devportal.differ.describing import Described
from devportal.differ.merging import canonical
from devportal.differ.policy import Policy, Softening
from devportal.differ.rule import Hit, Rule
from devportal.differ.sections import Section, Sections, Told
from devportal.differ.sites import Found, least_stable
from devportal.differ.verdict import Direction, Verdict
from devportal.differ.wording import sentence

_Key = tuple[str, Direction | None, Subject, str, str, str, str]


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
        self._sections = Sections()
        self._felt: dict[tuple[int, ...], tuple[Use, ...]] = {}

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
            self._sections.begin(found.judged, site)

    def settle(self) -> None:
        """Take in what was found in schemas, once for all who reach them: now that all of it is known."""
        for section in self._sections.reached():
            for stability, uses in section.uses.items():
                self._tell(section, stability, uses)

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

    def _tell(self, section: Section, stability: Stability, uses: dict[Subject, Use]) -> None:
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

    def _note_told(self, told: Told, own: Use, stability: Stability, felt: tuple[Use, ...]) -> None:
        around = least_stable(stability, told.around)
        if not told.rule.is_softened and _says_nothing_new(told.hit, around):
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
        key = (rule.id, told, owner.subject, owner.field, _shown(hit.old), _shown(hit.new), _essence(hit))
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
            message=sentence(rule, hit),
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
    component = fields.component_of(location) if location is not None else None
    if component is None or (own.subject.kind is SubjectKind.COMPONENT and own.subject.name == component[1]):
        return Use(subject=own.subject, field=_first(own.field + hit.at))
    section, name, rest = component
    way = fields.way_within(section, rest)
    return Use(
        subject=Subject(kind=SubjectKind.COMPONENT, section=section, name=name),
        field=_first(way if way.endswith(hit.at) else way + hit.at),
    )


def _says_nothing_new(hit: Hit, around: Stability) -> bool:
    """Say whether a mark of stability only repeats what holds anyway, for what the part belongs to."""
    before, after = hit.levels or (Stability(hit.old), Stability(hit.new))
    return least_stable(around, before) is least_stable(around, after)


def _essence(hit: Hit) -> str:
    """Return what tells apart values that are only described."""
    return " ".join(one.essence for one in (hit.old, hit.new) if isinstance(one, Described))


def _schema(name: str) -> Subject:
    return Subject(kind=SubjectKind.COMPONENT, section="schemas", name=name)


def _shown(value: Any) -> str:
    return "" if value is ABSENT else canonical(value)


def _first(steps: str) -> str:
    """Return the way to a place without the dot that it may begin with."""
    return steps.removeprefix(".")
