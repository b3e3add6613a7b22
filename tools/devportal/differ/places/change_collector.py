"""Turns found changes into `Change`s: each once at its place, with all operations that it affects."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from devportal.contract import ABSENT, Location, Stability
from devportal.differ.change import Change, FormerPlace, Subject, Use
from devportal.differ.contract_sources import Contracts
from devportal.differ.located_changes import (
    ChangeLocation,
    ComparedSchemas,
    LocatedChange,
    WrittenPlaces,
    least_stable,
)
from devportal.differ.normalise.all_of import canonical_json
from devportal.differ.normalise.digest import digest_texts
from devportal.differ.part_essence import part_essence
from devportal.differ.places.references import References, ReferenceTarget
from devportal.differ.places.referring_places import referring_places
from devportal.differ.places.schema_places import (
    ChangePlace,
    PlaceUses,
    SchemaChangePlaces,
    former_owner,
    merge_uses,
)
from devportal.differ.places.sections import SchemaSections, SectionChange, join_path, part_frames
from devportal.differ.policy import Softening
from devportal.differ.rule import Direction, FoundChange, Rule, Verdict, change_message
from devportal.differ.schemas.schema_descriptions import SchemaDescription


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeOrigin:
    """Where a change was found: in two compared schemas, or at a location."""

    change: FoundChange
    compared: ComparedSchemas | None = None
    location: ChangeLocation | None = None


_Key = tuple[str, Direction | None, Subject, str, str, str, str]


@dataclass(slots=True, kw_only=True)
class _PendingChange:
    """A change to which further uses may be added."""

    rule: Rule[Any]
    change: FoundChange
    verdict: Verdict
    former: Use
    written: WrittenPlaces | None
    uses: list[PlaceUses]
    targets: set[ReferenceTarget]
    origins: list[ChangeOrigin]


class ChangeCollector:
    """Merges the same change found at the same place into one."""

    def __init__(self, contracts: Contracts) -> None:
        """Take both contracts, with the policy by which verdicts are softened, replaced and acknowledged."""
        self._contracts = contracts
        self._policy = contracts.policy
        self._components = contracts.components
        self._drafts: dict[_Key, _PendingChange] = {}
        self._sections = SchemaSections(contracts.components)
        self._merged_uses: dict[tuple[int, ...], tuple[Use, ...]] = {}
        self._softened_from: dict[_Key, Verdict] = {}

    def add(self, located: LocatedChange) -> None:
        """Add what was found at one location."""
        location, change = located.location, located.change
        if located.rule is not None:
            component, owner = self._part_owner(change, location)
            place = ChangePlace(
                owner=owner,
                uses=PlaceUses((_use_at(location.use, change.at),)),
                former=former_owner(change, location.use),
                stability=location.stability,
                written=referring_places(change, None, component, location.trail, self._components),
            )
            essence = part_essence(located.rule.id, change, located.pair, self._contracts)
            change = replace(change, essence=essence) if essence else change
            origin = ChangeOrigin(change=change, location=location)
            self._add_draft(located.rule, origin, place, location.direction, location.stability)
        if located.schemas is not None:
            self._sections.begin(located.schemas, location)

    def _part_owner(self, change: FoundChange, location: ChangeLocation) -> tuple[Location | None, Use]:
        """Return where a change of a part belongs: in a component that changed, or, with None, in the operation.

        A component is the owner if the part stands in it in both contracts.
        """
        frames = part_frames(location, self._components)
        frame = next(reversed(frames.values()), None)
        old, new = change.old_location, change.new_location
        component = self._components.changed_component(new) if new is not None else None
        is_shared = old is not None and self._components.changed_component(old) == component
        if new is not None and component is not None and is_shared and component not in frames:
            path = self._components.path(new)
            field = path if path.endswith(change.at) else path + change.at
        elif frame is not None:
            component, field = frame.component, join_path(frame.path, change.at)
        else:
            return None, _use_at(location.use, change.at)
        return component, Use(subject=self._components.subject(component), field=field.removeprefix("."))

    def settle(self) -> None:
        """Add the changes of all schemas, once for all uses. Call it when every schema is compared."""
        places = SchemaChangePlaces(self._components)
        for section in self._sections.reached_sections():
            for found in section.changes:
                for place in places.of(section, found):
                    self._add_section_change(found, place)

    @property
    def starts(self) -> tuple[tuple[ComparedSchemas, ChangeLocation], ...]:
        """Return the compared schemas at their locations, from which all others are reached."""
        return self._sections.starts

    def changes(self) -> tuple[Change, ...]:
        """Return the changes, in no order."""
        return tuple(change for change, _ in self.changes_with_origins())

    def changes_with_origins(self) -> Iterator[tuple[Change, tuple[ChangeOrigin, ...]]]:
        """Yield the changes, each with where it was found."""
        references = References(self._sections.starts, self._sections.relevant, self._components)
        for key, draft in self._drafts.items():
            yield self._change(key, draft, references), tuple(draft.origins)

    def _merge_uses(self, uses: Sequence[PlaceUses]) -> tuple[Use, ...]:
        """Return each place that a change affects, once and sorted, without those within another one.

        All changes of one schema have the same uses, so the result is cached.
        """
        key = tuple(map(id, uses))
        merged = self._merged_uses.get(key)
        if merged is None:
            merged = self._merged_uses[key] = merge_uses(uses)
        return merged

    def _add_section_change(self, found: SectionChange, place: ChangePlace) -> None:
        around = least_stable(place.stability, found.around)
        if not found.rule.is_softened and _repeats_stability(found.change, around):
            return
        stability = least_stable(place.stability, found.stability)
        origin = ChangeOrigin(change=found.change, compared=found.compared)
        self._add_draft(found.rule, origin, place, found.direction, stability)

    def _add_draft(
        self,
        rule: Rule[Any],
        origin: ChangeOrigin,
        place: ChangePlace,
        direction: Direction | None,
        stability: Stability,
    ) -> None:
        change = origin.change
        verdict = self._verdict(rule, change, direction, stability)
        if verdict is None:
            return
        key_direction = direction if rule.is_directed else None
        key = (
            rule.id,
            key_direction,
            place.owner.subject,
            place.owner.field,
            _value_key(change.old),
            _value_key(change.new),
            digest_texts((change.essence, place.essence)) if change.essence or place.essence else "",
        )
        unsoftened = self._unsoftened_verdict(rule, change, direction)
        if unsoftened is not None and unsoftened is not verdict:
            known = self._softened_from.setdefault(key, unsoftened)
            self._softened_from[key] = max(known, unsoftened, key=lambda item: item.rank)
        draft = self._drafts.get(key)
        if draft is None:
            draft = self._drafts[key] = _PendingChange(
                rule=rule,
                change=change,
                verdict=verdict,
                former=place.former,
                written=place.written,
                uses=[place.uses],
                targets=set(),
                origins=[origin],
            )
        else:
            draft.uses.append(place.uses)
            draft.origins.append(origin)
        draft.targets.update(place.targets)
        if verdict.rank > draft.verdict.rank:
            draft.verdict, draft.change, draft.written = verdict, change, place.written

    def _verdict(
        self, rule: Rule[Any], change: FoundChange, direction: Direction | None, stability: Stability
    ) -> Verdict | None:
        verdict = self._unsoftened_verdict(rule, change, direction)
        if verdict is None:
            return None
        if not rule.is_softened:
            return verdict
        least = least_stable(stability, change.stability)
        return self._policy.stability_levels.get(least, Softening.NONE).soften(verdict)

    def _unsoftened_verdict(
        self, rule: Rule[Any], change: FoundChange, direction: Direction | None
    ) -> Verdict | None:
        return self._policy.levels.get(rule.id, change.verdict or rule.verdict(direction))

    def _change(self, key: _Key, draft: _PendingChange, references: References) -> Change:
        rule, found_change, unsoftened = draft.rule, draft.change, self._softened_from.get(key)
        _, direction, subject, path, _, _, digest = key
        former = FormerPlace(
            subject=draft.former.subject,
            field=draft.former.field,
            essence=_described_digests(found_change),
        )
        uses = self._merge_uses(draft.uses)
        locations = found_change.old_location, found_change.new_location
        old_location, new_location = draft.written or locations
        return Change(
            rule=rule.id,
            area=rule.area,
            action=rule.action,
            verdict=draft.verdict,
            softened_from=None if unsoftened is draft.verdict else unsoftened,
            direction=direction,
            subject=subject,
            field=path,
            old=found_change.old,
            new=found_change.new,
            old_location=old_location,
            new_location=new_location,
            targets=None if draft.written is None else _location_pair(*locations),
            message=change_message(rule, found_change),
            hint=found_change.hint,
            used_by=uses,
            references=references.further_than(uses, subject, draft.targets),
            essence=digest,
            former=former,
        )


def _repeats_stability(change: FoundChange, around: Stability) -> bool:
    """Return whether a stability only repeats the one that the part inherits anyway."""
    before, after = change.levels or (_known_stability(change.old), _known_stability(change.new))
    if before is None or after is None:
        return False
    return least_stable(around, before) is least_stable(around, after)


def _known_stability(level: str) -> Stability | None:
    return Stability(level) if level in set(Stability) else None


def _described_digests(change: FoundChange) -> str:
    """Return the digests of values that are shown as descriptions."""
    return " ".join(item.digest for item in (change.old, change.new) if isinstance(item, SchemaDescription))


def _location_pair(old: Location | None, new: Location | None) -> tuple[Location, Location] | None:
    return (old, new) if old is not None and new is not None else None


def _value_key(value: Any) -> str:
    return "" if value is ABSENT else canonical_json(value)


def _use_at(use: Use, step: str) -> Use:
    """Return a place in an operation, without a leading dot."""
    return replace(use, field=(use.field + step).removeprefix("."))
