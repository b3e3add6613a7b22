"""Two schemas compared, part by part, as deep as they go."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any, NamedTuple

from devportal.contract import ABSENT, Api, Location, Stability
from devportal.contract.read.references import has_no_keywords
from devportal.differ import change
from devportal.differ.change import component_of
from devportal.differ.components import Components
from devportal.differ.located_changes import ComparedSchemas, SchemaUse
from devportal.differ.normalise.all_of import canonical_json
from devportal.differ.normalise.digest import SchemaEquality
from devportal.differ.normalise.forms import unlisted_property_schemas
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.pairs.lifecycle import LifecyclePair, property_removals, schema_lifecycle
from devportal.differ.policy import Policy
from devportal.differ.rule import Direction, FoundChange, Rule, Verdict
from devportal.differ.rules.lifecycle import LIFECYCLE_RULES
from devportal.differ.rules.removals import REMOVAL_RULES
from devportal.differ.rules.schema_idle_keywords import IDLE_KEYWORD_RULE, idle_uses
from devportal.differ.rules.schema_types import NULL_RULES
from devportal.differ.rules.schemas import rules_for
from devportal.differ.schemas.branches import Wrapping, branch_names
from devportal.differ.schemas.essence import schema_essence
from devportal.differ.schemas.pair import Inclusion, Position, SchemaPair, Schemas, Side


class SubschemaPair(NamedTuple):
    """A part that both sides have."""

    step: str
    old: Schemas
    new: Schemas
    position: Position
    is_property: bool = False


def subschema_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    """Yield the parts that both forms have and that travel."""
    if pair.old.allows_nothing or pair.new.allows_nothing:
        return
    yield from _branch_pairs(pair)
    if pair.is_wrapped:
        return
    yield from _listed_value_pairs(pair)
    if pair.may_both_be_of_type("object"):
        yield from _property_pairs(pair)
        yield from _pattern_and_additional_pairs(pair)
    if pair.may_both_be_of_type("array"):
        yield from _item_pairs(pair)
        yield from _contains_pairs(pair)
    yield from _keyword_pairs(pair)
    yield from _discriminator_subtype_pairs(pair)


def _property_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    """Yield the properties of both sides; for a property that one side does not list, its rules for other
    properties count.
    """
    for name, old in pair.old_members.items():
        new = pair.new_members.get(name)
        if new is not None and (new.schemas or not pair.new.is_closed):
            position = pair.position.of_property(is_required=old.is_required and new.is_required)
            before = old.schemas or unlisted_property_schemas(pair.old, name)
            after = new.schemas or unlisted_property_schemas(pair.new, name)
            if before or after:
                yield SubschemaPair(change.property_step(name), before, after, position, is_property=True)
    optional = pair.position.of_property(is_required=False)
    for one in pair.properties.removed:
        after = pair.new_constraining(unlisted_property_schemas(pair.new, one.name))
        if after:
            yield SubschemaPair(
                change.property_step(one.name), one.schemas, after, optional, is_property=True
            )
    for one in pair.properties.added:
        before = pair.old_constraining(unlisted_property_schemas(pair.old, one.name))
        if before:
            yield SubschemaPair(
                change.property_step(one.name), before, one.schemas, optional, is_property=True
            )


def _pattern_and_additional_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    optional = pair.position.of_property(is_required=False)
    for name, old in pair.old.pattern_members.items():
        if name in pair.new.pattern_members:
            new = pair.new.pattern_members[name]
            yield SubschemaPair(change.property_step(name), old, new, optional, is_property=True)
    if not (pair.old.is_closed or pair.new.is_closed):
        yield from _pair_if_both_constrain(
            pair, change.ADDITIONAL_STEP, pair.old.additional, pair.new.additional, optional
        )


def _item_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    required = pair.position.within(is_required=True)
    yield from _pair_if_both_constrain(pair, change.ITEMS_STEP, pair.old.items, pair.new.items, required)
    for number, (old, new) in enumerate(zip(pair.old.prefix_items, pair.new.prefix_items, strict=False)):
        yield SubschemaPair(change.item_step(number), (old,), (new,), required)


def _contains_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    """Yield the schemas of `contains`: a wider one is safe for the minimum, a narrower one for the maximum."""
    position, step = pair.position.within(is_required=True), change.keyword_step("contains")
    for old, new in pair.containments.pairs:
        if old.low or new.low:
            yield SubschemaPair(step, (old.schema,), (new.schema,), position)
        if (old.high, new.high) != (None, None):
            yield SubschemaPair(step, (old.schema,), (new.schema,), position.opposite)


def _pair_if_both_constrain(
    pair: SchemaPair, step: str, old: Schemas, new: Schemas, position: Position
) -> Iterator[SubschemaPair]:
    """Yield a part, unless only one side constrains it: then a rule reports that it was added or removed."""
    if old and new and bool(pair.old_constraining(old)) is bool(pair.new_constraining(new)):
        yield SubschemaPair(step, old, new, position)


def _keyword_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    position = pair.position.within(is_required=True)
    for one, other in pair.negations.pairs:
        yield SubschemaPair(change.keyword_step("not"), (one,), (other,), position.opposite)
    for before, after in pair.conditions.pairs:
        for keyword, follows in before.consequences.items():
            if keyword in after.consequences:
                yield SubschemaPair(
                    change.keyword_step(keyword), (follows,), (after.consequences[keyword],), position
                )
    for keyword, old in pair.old.others.items():
        if keyword not in pair.new.others:
            continue
        step, new = change.keyword_step(keyword), pair.new.others[keyword]
        yield SubschemaPair(step, old, new, position)


def _branch_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    for pairing in pair.unions.pairings:
        is_old = pairing.wrapping is Wrapping.UNWRAPPED
        union = pairing.old if is_old else pairing.new
        names = dict(zip(map(id, union.branches), branch_names(union.branches), strict=True))
        for old, new in pairing.pairs:
            own = Verdict.COMPATIBLE if pairing.has_no_effect(old, new) else pairing.gravest
            gravest = least_grave(own, pair.position.gravest)
            position = pair.position._replace(is_branch=True, gravest=gravest)
            yield SubschemaPair(
                change.branch_step(names[id((old if is_old else new)[0])]), old, new, position
            )


def _listed_value_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    """Yield the branches with the same value, since they hold the annotations of the value."""
    position = pair.position._replace(is_branch=True)
    for value, old in pair.old.listed.items():
        if value in pair.new.listed:
            yield SubschemaPair(change.branch_step(value), (old,), (pair.new.listed[value],), position)


def _discriminator_subtype_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    """Yield the schemas that discriminators lead to beyond the branches of unions: what extends a schema."""
    if pair.old.discriminator is None or pair.new.discriminator is None or pair.new.unions:
        return
    old = pair.old_forms.subtypes.of(pair.old) | pair.old_forms.subtypes.mapped_schemas(pair.old)
    new = pair.new_forms.subtypes.of(pair.new) | pair.new_forms.subtypes.mapped_schemas(pair.new)
    for value, location in old.items():
        before = pair.old_forms.api.schemas.get(location)
        after = pair.new_forms.api.schemas.get(new[value]) if value in new else None
        if before is not None and after is not None:
            yield SubschemaPair(change.branch_step(value), (before,), (after,), pair.position)


_Key = tuple[tuple[int, ...], tuple[int, ...], Position]


class SchemaComparison:
    """Compares schemas of two contracts, or of one with itself."""

    def __init__(
        self,
        old: SchemaNormaliser,
        new: SchemaNormaliser,
        policy: Policy,
        includes: Inclusion,
        components: Components | None = None,
    ) -> None:
        """Take the forms of both contracts, the policy, and who knows what includes what.

        `components` are those of both contracts, None if it does not matter where a change belongs.
        """
        self._old = old
        self._new = new
        self._policy = policy
        self._includes = includes
        self._components = components
        self._equality = SchemaEquality(old.api, new.api)
        self._cache: dict[_Key, tuple[ComparedSchemas, Schemas, Schemas]] = {}
        self._pending: list[tuple[ComparedSchemas, Schemas, Schemas, Position]] = []
        self._worst: dict[ComparedSchemas, Verdict | None] = {}
        self._harmless: set[ComparedSchemas] = set()
        """The compared schemas of which it is known that no change in or below them is risky."""

    def compare(
        self, old: Schemas, new: Schemas, position: Position, *, is_property: bool = False
    ) -> ComparedSchemas:
        """Return the compared schemas; they are complete once `settle` has run.

        `is_property` decides whether `readOnly` and `writeOnly` mean something.
        """
        targets = _follow_reference(old, self._old.api), _follow_reference(new, self._new.api)
        is_equal = self._equality.are_equal(old, new)
        key = (tuple(map(id, targets[0])), tuple(map(id, targets[1])), position)
        cached = self._cache.get(key)
        compared = cached[0] if cached is not None else self._begin_comparison(old, new, position)
        if cached is None:
            self._cache[key] = (compared, *targets)
            if is_equal:
                compared.is_filled = True
            else:
                self._pending.append((compared, old, new, position))
        if is_equal:
            return compared
        forms = self._old.of(*targets[0]), self._new.of(*targets[1])
        idle = tuple(idle_uses(forms[0], old, forms[1], new, is_property=is_property))
        return _with_idle_keywords(compared, idle, old, new) if idle else compared

    def use(
        self, step: str, old: Schemas, new: Schemas, position: Position, *, is_property: bool = False
    ) -> SchemaUse:
        """Return the compared schemas at a step, and the changed component to which their places belong."""
        compared = self.compare(old, new, position, is_property=is_property)
        if self._components is None:
            return SchemaUse(step, compared)
        if len(old) > 1 or len(new) > 1:
            old, new = _without_equal(old, new), _without_equal(new, old)
        common = self._components.common(
            _places_on_the_way(old, self._old.api), _places_on_the_way(new, self._new.api)
        )
        if not all(_stands_in(self._components, common, schemas) for schemas in (old, new)):
            return SchemaUse(step, compared)
        component = next(reversed(common), None)
        return SchemaUse(step, compared, component, common[component] if component is not None else None)

    @property
    def changed_schemas(self) -> frozenset[Location]:
        """Return the shared schemas that differ in themselves, or are in one contract alone."""
        return self._equality.changed_schemas

    def settle(self) -> None:
        """Compare all that is still to be compared."""
        while self._pending:
            self._fill(*self._pending.pop())

    def worst(
        self, old: Schemas, new: Schemas, position: Position, *, is_final: bool = False
    ) -> Verdict | None:
        """Return the most severe verdict between two schemas and below them, None if nothing is found.

        `is_final` holds if no comparison is in progress, so that the result is remembered.
        """
        outer, self._pending = self._pending, []
        start = self.compare(old, new, position)
        self.settle()
        self._pending = outer
        if start in self._worst:
            return self._worst[start]
        reached = tuple(walk_comparisons(start, self._harmless))
        if not all(one.is_filled for one in reached):
            self._settle_below(start)
            reached = tuple(walk_comparisons(start, self._harmless))
        verdicts = {
            found_change.verdict or rule.verdict(one.direction)
            for one in reached
            if one.changes
            for rule, found_change in one.changes
        }
        worst = max((one for one in verdicts if one is not None), key=lambda one: one.rank, default=None)
        if is_final:
            self._worst[start] = worst
            if worst is None or not worst.is_at_least(Verdict.RISKY):
                self._harmless.update(reached)
        return worst

    def _settle_below(self, start: ComparedSchemas) -> None:
        """Compare pending schemas below; those being compared count as equal."""
        while True:
            waiting = {id(item[0]): item for item in self._pending if not item[0].is_filled}
            items = [
                waiting[id(one)] for one in walk_comparisons(start, self._harmless) if id(one) in waiting
            ]
            if not items:
                return
            for item in items:
                self._fill(*item)

    def _begin_comparison(self, old: Schemas, new: Schemas, position: Position) -> ComparedSchemas:
        own, other = (schemas[-1] if schemas else None for schemas in (old, new))
        former_name = _shared_schema_name(new, self._new.api) or _shared_schema_name(old, self._old.api)
        locations = [schema.location for schema in (own, other) if schema is not None]
        return ComparedSchemas(
            direction=position.direction,
            old_location=locations[0],
            new_location=locations[-1],
            former_name=former_name,
            old=old,
            new=new,
            text_depth=position.text_depth,
            stability=_stability(old, self._old.api),
        )

    def _fill(self, compared: ComparedSchemas, old: Schemas, new: Schemas, position: Position) -> None:
        if compared.is_filled:
            return
        compared.is_filled = True
        pair = SchemaPair(
            old=self._old.of(*old),
            new=self._new.of(*new),
            old_forms=self._old,
            new_forms=self._new,
            position=position,
            policy=self._policy,
            includes=self._includes,
        )
        compared.old_location, compared.new_location = pair.old.location, pair.new.location
        if self._components is not None:
            compared.components = self._components.common(
                (part.location for part in pair.old.parts), (part.location for part in pair.new.parts)
            )
        compared.changes += _found_changes(pair)
        for part in subschema_pairs(pair):
            gravest = least_grave(pair.unions.gravest, part.position.gravest)
            position = part.position._replace(gravest=gravest)
            compared.below.append(
                self.use(part.step, part.old, part.new, position, is_property=part.is_property)
            )


def _found_changes(pair: SchemaPair) -> Iterator[tuple[Rule[Any], FoundChange]]:
    of_values = least_grave(pair.unions.gravest, pair.position.gravest)
    for rule, found_change in (*_rule_changes(pair), *_lifecycle_changes(pair)):
        verdict = found_change.verdict or rule.verdict(pair.direction)
        gravest = pair.position.gravest if rule in NULL_RULES else of_values
        if gravest is not None and verdict is not None and verdict.rank > gravest.rank:
            reason = _STILL_ALLOWED if pair.is_sent else _ALLOWED_BEFORE
            yield rule, replace(found_change, verdict=gravest, reason=reason, hint="")
        else:
            yield rule, found_change


_STILL_ALLOWED = "the union as a whole still allows what was allowed"
_ALLOWED_BEFORE = "the union as a whole allowed this before"


def least_grave(one: Verdict | None, other: Verdict | None) -> Verdict | None:
    """Return the less grave of two limits of verdicts, None if there is none."""
    return min((limit for limit in (one, other) if limit), key=lambda limit: limit.rank, default=None)


def _rule_changes(pair: SchemaPair) -> Iterator[tuple[Rule[Any], FoundChange]]:
    for rule in rules_for(pair):
        for found_change in rule.find(pair):
            if (found_change.verdict or rule.verdict(pair.direction)) is not None:
                located = _with_keyword_locations(found_change, pair)
                yield rule, replace(located, essence=schema_essence(rule.id, located, pair))


def _lifecycle_changes(pair: SchemaPair) -> Iterator[tuple[Rule[Any], FoundChange]]:
    if pair.is_wrapped:
        return
    life = LifecyclePair(old=schema_lifecycle(pair.old), new=schema_lifecycle(pair.new), policy=pair.policy)
    if not (life.old.is_default and life.new.is_default):
        for one in LIFECYCLE_RULES:
            yield from ((one, found_change) for found_change in one.find(life))
    for removal in property_removals(pair):
        for row in REMOVAL_RULES:
            yield from ((row, found_change) for found_change in row.find(removal))


def _with_keyword_locations(found_change: FoundChange, pair: SchemaPair) -> FoundChange:
    """Return the change with the locations of its keyword on both sides."""
    if not found_change.keyword:
        return found_change
    return replace(
        found_change,
        old_location=found_change.old_location
        or pair.old.keyword_location_beside(found_change.keyword, pair.new),
        new_location=found_change.new_location
        or pair.new.keyword_location_beside(found_change.keyword, pair.old),
        stability=found_change.stability or _own_stability(found_change, pair),
    )


def _own_stability(found_change: FoundChange, pair: SchemaPair) -> Stability | None:
    """Return that of a keyword or a value which the old contract called beta within a stable part."""
    is_beta = any(
        found_change.keyword in part.beta_keywords
        or (found_change.keyword == "enum" and _is_listed(found_change.old, part.beta_values))
        for part in pair.old.parts
    )
    if is_beta:
        return Stability.BETA
    branch = (
        pair.old.listed.get(canonical_json(found_change.old))
        if found_change.keyword == "enum" and found_change.old is not ABSENT
        else None
    )
    return branch.stability if branch is not None else None


def _is_listed(value: Any, values: tuple[Any, ...]) -> bool:
    return value is not ABSENT and canonical_json(value) in map(canonical_json, values)


def walk_comparisons(
    start: ComparedSchemas, without: Set[ComparedSchemas] = frozenset()
) -> Iterator[ComparedSchemas]:
    """Yield the compared schemas and all below them, each once, without some."""
    if start in without:
        return
    seen = {start}
    pending = [start]
    while pending:
        compared = pending.pop()
        yield compared
        for use in compared.below:
            if use.compared not in seen and use.compared not in without:
                seen.add(use.compared)
                pending.append(use.compared)


def _follow_reference(schemas: Schemas, api: Api) -> Schemas:
    """Return the target of a single reference, so that shared schemas are compared once."""
    if len(schemas) != 1:
        return schemas
    schema, seen = schemas[0], set()
    while (
        schema.ref is not None
        and schema.ref not in seen
        and schema.ref in api.schemas
        and has_no_keywords(schema)
    ):
        seen.add(schema.ref)
        schema = api.schemas[schema.ref]
    return (schema,)


def _with_idle_keywords(
    compared: ComparedSchemas, idle: Sequence[FoundChange], old: Schemas, new: Schemas
) -> ComparedSchemas:
    """Return compared schemas with the changes of keywords that have no effect where they are used."""
    return ComparedSchemas(
        direction=compared.direction,
        old_location=old[-1].location if old else compared.old_location,
        new_location=new[-1].location if new else compared.new_location,
        changes=[(IDLE_KEYWORD_RULE, one) for one in idle],
        below=[SchemaUse("", compared)],
        is_filled=True,
    )


def _stands_in(components: Components, common: Mapping[Location, Location], schemas: Schemas) -> bool:
    """Say whether all schemas of a value, if it has several, stand in components that use it on both sides."""
    if len(schemas) <= 1:
        return True
    return all(components.changed_component(schema.location) in common for schema in schemas)


def _without_equal(schemas: Schemas, others: Schemas) -> Schemas:
    """Return the schemas of a value that are not written in the same way on the other side."""
    return tuple(one for one in schemas if one not in others)


def _places_on_the_way(schemas: Schemas, api: Api) -> Iterator[Location]:
    """Yield where schemas stand, and what their references lead to."""
    for start in schemas:
        schema, seen = start, {start.location}
        yield schema.location
        while schema.ref is not None and schema.ref not in seen and schema.ref in api.schemas:
            seen.add(schema.ref)
            schema = api.schemas[schema.ref]
            yield schema.location


def _shared_schema_name(schemas: Schemas, api: Api) -> str:
    """Return the name of the shared schema that a single one is, or refers to."""
    return api.resolve(schemas[0]).name if len(schemas) == 1 else ""


def _stability(schemas: Schemas, api: Api) -> Stability | None:
    """Return the stability that schemas or their targets declare."""
    for schema in schemas:
        stability = schema.stability or api.resolve(schema).stability
        if stability is not None:
            return stability
    return None


class Inclusions:
    """Shows of two schemas, each of either contract, that one allows all that the other does."""

    def __init__(self, old: Api, new: Api, policy: Policy) -> None:
        """Take both contracts and the policy."""
        self._forms = {
            Side.OLD: SchemaNormaliser(old, other_contract_names=_shared_schema_names(new)),
            Side.NEW: SchemaNormaliser(new, other_contract_names=_shared_schema_names(old)),
        }
        self._policy = policy
        self._comparisons: dict[tuple[Side, Side], SchemaComparison] = {}
        self._running = 0
        self._asked = 0

    def forms(self, side: Side) -> SchemaNormaliser:
        """Return the forms of one contract."""
        return self._forms[side]

    def __call__(
        self,
        narrow: Schemas,
        narrow_side: Side,
        wide: Schemas,
        wide_side: Side,
        *,
        is_branch: bool = False,
        gravest: Verdict = Verdict.COMPATIBLE,
    ) -> bool:
        """Return whether each value that is valid for the one schema is shown to be valid for the other.

        A request schema is safe to change if old values stay valid: so the question is whether the change
        from the narrow schema to the wide one breaks nobody. Questions within a question have limits of depth
        and number, beyond which nothing is shown: unions that contain each other would have no end of them.
        """
        self._asked = self._asked + 1 if self._running else 0
        if self._running >= _MAX_NESTED_QUESTIONS or self._asked > _MAX_QUESTIONS_WITHIN:
            return False
        comparison = self._comparisons.get((narrow_side, wide_side))
        if comparison is None:
            comparison = SchemaComparison(
                self._forms[narrow_side], self._forms[wide_side], self._policy, self
            )
            self._comparisons[(narrow_side, wide_side)] = comparison
        position = Position(Direction.TO_PROVIDER, is_branch=is_branch)
        self._running += 1
        try:
            worst = comparison.worst(narrow, wide, position, is_final=self._running == 1)
        finally:
            self._running -= 1
        return worst is None or worst.rank <= gravest.rank


_MAX_NESTED_QUESTIONS, _MAX_QUESTIONS_WITHIN = 8, 1_000


def _shared_schema_names(api: Api) -> frozenset[str]:
    """Return the names of the shared schemas of a contract."""
    components = map(component_of, api.schemas)
    return frozenset(one[1] for one in components if one is not None)
