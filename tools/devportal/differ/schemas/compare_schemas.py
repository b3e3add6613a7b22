"""Two schemas compared, part by part, as deep as they go."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from devportal.contract import ABSENT, Api, Location, Stability
from devportal.contract.read.references import has_no_keywords
from devportal.differ.change import property_step
from devportal.differ.components import Components
from devportal.differ.located_changes import ComparedSchemas, IncludedParts, SchemaUse, WrittenPlaces
from devportal.differ.normalise.all_of import canonical_json
from devportal.differ.normalise.digest import SchemaEquality
from devportal.differ.normalise.forms import SCALARS, NormalSchema
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.pairs.lifecycle import LifecyclePair, property_removals, schema_lifecycle
from devportal.differ.phrase import phrase
from devportal.differ.policy import Policy
from devportal.differ.rule import Direction, FoundChange, Rule, Verdict, join_reasons
from devportal.differ.rules.lifecycle import LIFECYCLE_RULES
from devportal.differ.rules.removals import REMOVAL_RULES
from devportal.differ.rules.schema_discriminators import DISCRIMINATOR_RULES
from devportal.differ.rules.schema_idle_keywords import IDLE_KEYWORD_RULE, idle_uses
from devportal.differ.rules.schema_texts import XML_RULES
from devportal.differ.rules.schema_types import NULL_RULES
from devportal.differ.rules.schemas import rules_for
from devportal.differ.schemas.logic.proofs import Proof, prove
from devportal.differ.schemas.logic.satisfiability import Effort
from devportal.differ.schemas.pair import Inclusion, SchemaPair
from devportal.differ.schemas.position import Position, Schemas
from devportal.differ.schemas.schema_essence import schema_essence
from devportal.differ.schemas.subschemas import least_grave, subschema_pairs

_Found = tuple[Rule[Any], FoundChange]
_ProofKey = tuple[tuple[int, ...], tuple[int, ...], Direction, bool]
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
        effort: Effort | None = None,
    ) -> None:
        """Take the forms of both contracts, the policy, who knows what includes what, and the effort for proofs
        about schemas as a whole: without one, nothing is proved.

        `components` are those of both contracts, None if it does not matter where a change belongs.
        """
        self._old = old
        self._new = new
        self._policy = policy
        self._includes = includes
        self._components = components
        self._effort = effort
        self._proofs: dict[_ProofKey, tuple[Proof, Schemas, Schemas]] = {}
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
        compared, idle = self._compare(old, new, position, is_property=is_property)
        return _with_idle_keywords(SchemaUse("", compared), idle, old, new) if idle else compared

    def _compare(
        self, old: Schemas, new: Schemas, position: Position, *, is_property: bool
    ) -> tuple[ComparedSchemas, tuple[FoundChange, ...]]:
        """Return the compared schemas, and the changes of keywords that have no effect where they are used."""
        targets = _follow_reference(old, self._old.api), _follow_reference(new, self._new.api)
        is_equal = self._equality.are_equal(old, new) and _has_same_name(position)
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
            return compared, ()
        forms = self._old.of(*targets[0]), self._new.of(*targets[1])
        return compared, tuple(idle_uses(forms[0], old, forms[1], new, is_property=is_property))

    def use(
        self, step: str, old: Schemas, new: Schemas, position: Position, *, is_property: bool = False
    ) -> SchemaUse:
        """Return the compared schemas at a step, and the changed component to which their places belong.

        Keywords without effect beside a reference belong to where the reference stands, not to its target.
        """
        compared, idle = self._compare(old, new, position, is_property=is_property)
        if not idle:
            return self._located_use(step, compared, old, new)
        target = self._located_use("", compared, old, new)
        return SchemaUse(step, _with_idle_keywords(target, idle, old, new), places=target.places)

    def _located_use(self, step: str, compared: ComparedSchemas, old: Schemas, new: Schemas) -> SchemaUse:
        if self._components is None:
            return SchemaUse(step, compared)
        locations = [schema.location for schema in (*old[-1:], *new[-1:])]
        places = WrittenPlaces(locations[0], locations[-1]) if locations else None
        if len(old) > 1 or len(new) > 1:
            old, new = _without_equal(old, new), _without_equal(new, old)
        common = self._components.common(
            _places_on_the_way(old, self._old.api), _places_on_the_way(new, self._new.api)
        )
        if not all(_stands_in(self._components, common, schemas) for schemas in (old, new)):
            return SchemaUse(step, compared, places=places)
        component = next(reversed(common), None)
        location = common[component] if component is not None else None
        return SchemaUse(step, compared, component, location, places)

    def are_parts_equal(self, old: object, new: object) -> bool:
        """Say whether nothing in two parts of operations differs, in themselves or in the schemas they refer to."""
        return self._equality.are_parts_equal(old, new)

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
        if not all(compared_schemas.is_filled for compared_schemas in reached):
            self._settle_below(start)
            reached = tuple(walk_comparisons(start, self._harmless))
        verdicts = {
            found_change.verdict or rule.verdict(compared_schemas.direction)
            for compared_schemas in reached
            if compared_schemas.changes
            for rule, found_change in compared_schemas.changes
        }
        worst = max(
            (verdict for verdict in verdicts if verdict is not None),
            key=lambda verdict: verdict.rank,
            default=None,
        )
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
                waiting[id(comparison)]
                for comparison in walk_comparisons(start, self._harmless)
                if id(comparison) in waiting
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
            inclusion=self._includes,
            is_question=self._components is None,
        )
        compared.old_location, compared.new_location = pair.old.location, pair.new.location
        if self._components is not None:
            compared.components = self._components.common(
                (part.location for part in pair.old.parts), (part.location for part in pair.new.parts)
            )
            if compared.components:
                self._find_included_parts(compared, pair)
        found = [*_rule_changes(pair), *_lifecycle_changes(pair)]
        proof = self._proof(pair, found, old, new)
        compared.changes += _with_verdicts(found, pair, proof)
        for part in subschema_pairs(pair):
            gravest = least_grave(pair.unions.gravest, part.position.gravest)
            if proof.keeps_properties:
                gravest = least_grave(gravest, proof.gravest(pair.position))
            keeps_properties = not part.is_identified and _keeps_properties(pair, proof)
            position = part.position._replace(gravest=gravest, keeps_properties=keeps_properties)
            use = self.use(part.step, part.old, part.new, position, is_property=part.is_property)
            if use.component is None and compared.components and not (part.old and part.new):
                use = self._within_common_component(use, part.old or part.new, compared)
            compared.below.append(_within_included_parts(use, compared))

    def _within_common_component(
        self, use: SchemaUse, schemas: Schemas, compared: ComparedSchemas
    ) -> SchemaUse:
        """Return the use of a part that only one contract describes, within the component that does, if that applies
        in both.
        """
        assert self._components is not None  # noqa: S101 - only who knows components has common ones
        component = self._components.changed_component(schemas[-1].location) if schemas else None
        if component is None or component not in compared.components:
            return use
        return use._replace(component=component, location=compared.components[component])

    def _proof(self, pair: SchemaPair, found: Sequence[_Found], old: Schemas, new: Schemas) -> Proof:
        """Return what is shown of both schemas as a whole, nothing if no change between them asks for it."""
        position = pair.position
        if self._effort is None:
            return Proof()
        is_asked = any(
            (found_change.verdict or rule.verdict(pair.direction)) in _ABOUT_VALUES
            for rule, found_change in found
        )
        if not is_asked and (
            not any(map(_decides_by_parts_together, (pair.old, pair.new)))
            or pair.old_forms.digests.of(*old) == pair.new_forms.digests.of(*new)
        ):
            return Proof()
        is_ambiguous = position.is_text and not _is_of_one_scalar_type(pair)
        if position.is_negated or is_ambiguous or position.gravest is Verdict.DOCUMENTATION:
            return Proof()
        key = (tuple(map(id, old)), tuple(map(id, new)), position.travels, position.is_branch)
        if key not in self._proofs:
            sides = (old, pair.old_forms, new, pair.new_forms)
            proof = prove(*sides, position.travels, self._effort, is_branch=position.is_branch)
            self._proofs[key] = (proof, old, new)
        return self._proofs[key][0]

    def _find_included_parts(self, compared: ComparedSchemas, pair: SchemaPair) -> None:
        """Find the parts that apply in one contract alone, by `allOf` of a changed component."""
        assert self._components is not None  # noqa: S101 - only who knows components looks for parts
        targets = (
            _follow_reference(compared.old, self._old.api),
            _follow_reference(compared.new, self._new.api),
        )
        old = self._components.included_in(targets[0], self._old.api)
        new = self._components.included_in(targets[1], self._new.api)
        locations = [part.location for part in pair.old.parts], [part.location for part in pair.new.parts]
        compared.old_included = IncludedParts(
            parts={
                at: included_part
                for at, included_part in old.items()
                if at not in new and included_part.component in compared.components
            },
            begins=self._components.common(*reversed(locations)),
        )
        compared.new_included = IncludedParts(
            parts={
                at: included_part
                for at, included_part in new.items()
                if at not in old and included_part.component in compared.components
            },
            begins=compared.components,
        )


def _is_of_one_scalar_type(pair: SchemaPair) -> bool:
    """Say whether a text can be read in one way only: others may match several branches."""
    return pair.old.types == pair.new.types and len(pair.new.types) == 1 and pair.new.types <= SCALARS


def _decides_by_parts_together(form: NormalSchema) -> bool:
    """Say whether a change of a part of a form may have no effect because of what applies besides."""
    return bool(form.unions or form.negated or form.conditions or "maxItems" in form.counts)


def _with_verdicts(found: Sequence[_Found], pair: SchemaPair, proof: Proof) -> Iterator[_Found]:
    """Yield changes with the verdict that is left of theirs if schemas as a whole allow the same."""
    of_unions = least_grave(pair.unions.gravest, pair.position.gravest)
    of_whole = proof.gravest(pair.position)
    refused = {property_step(name) for name in pair.new.members.keys() - pair.new_permitted.keys()}
    for rule, found_change in found:
        verdict = found_change.verdict or rule.verdict(pair.direction)
        if rule.id.startswith(_NOT_OF_VALUES) or not rule.id.startswith("schema."):
            yield rule, found_change
            continue
        gravest = pair.position.gravest if rule.id in _NOT_OF_UNIONS else of_unions
        if gravest is not None and _is_loss(rule.id, pair, proof):
            gravest = max(gravest, Verdict.RISKY, key=lambda limit: limit.rank)
        is_refused = found_change.at in refused and rule.id.startswith(_OF_REMOVED_PROPERTIES)
        if not (is_refused or _is_about_descriptions(rule.id, proof)):
            gravest = least_grave(gravest, of_whole)
        if gravest is not None and verdict in _ABOUT_VALUES and verdict.rank > gravest.rank:
            reason = _reason_for(gravest, pair)
            yield rule, replace(found_change, verdict=gravest, reason=reason, hint="")
        else:
            yield rule, found_change


_ABOUT_VALUES = (Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE)
_NOT_OF_UNIONS = frozenset(rule.id for rule in (*NULL_RULES, *XML_RULES, *DISCRIMINATOR_RULES))
"""Rules about what has nothing to do with branches: null, and how values are written and distinguished."""
_NOT_OF_VALUES = (
    "schema.default.changed", "schema.content-", "schema.read-only", "schema.write-only", "schema.enum.extensible",
    "schema.keyword.stability", "schema.value.stability",
    *(rule.id for rule in (*XML_RULES, *DISCRIMINATOR_RULES)),
)  # fmt: skip
"""What rules of schemas begin with that are about what values mean, when they are sent, or how they are written and
distinguished, rather than about which are valid.
"""
_OF_REMOVED_PROPERTIES = ("schema.property.removed", "schema.property.renamed", "schema.property.forbidden")
_OF_ADDED_PROPERTIES = ("schema.property.added", "schema.property.permitted")
_OF_BRANCHES = ("schema.any-of", "schema.one-of", "schema.union", "schema.branch", "schema.all-of")
"""What rules begin with about properties that one side alone describes, or may describe in its branches: an object
of the other side may have them, but nobody promises to heed them.
"""


def _is_loss(rule: str, pair: SchemaPair, proof: Proof) -> bool:
    """Say whether a rule finds properties that are described nowhere any more: values with and without them may
    still be allowed, as of any open object, but nobody sends or heeds them.
    """
    return rule.startswith(_OF_REMOVED_PROPERTIES) and not _keeps_properties(pair, proof)


def _keeps_properties(pair: SchemaPair, proof: Proof) -> bool:
    return pair.position.keeps_properties or proof.keeps_properties


def _is_about_descriptions(rule: str, proof: Proof) -> bool:
    """Say whether a rule finds properties that one side alone describes."""
    if rule.startswith(_OF_BRANCHES):
        return not (proof.keeps_properties and proof.adds_no_properties)
    return (rule.startswith(_OF_REMOVED_PROPERTIES) and not proof.keeps_properties) or (
        rule.startswith(_OF_ADDED_PROPERTIES) and not proof.adds_no_properties
    )


def _reason_for(gravest: Verdict, pair: SchemaPair) -> str:
    """Return why no change between two schemas, and below them, is graver than a verdict."""
    if gravest is Verdict.DOCUMENTATION:
        return _SAME_VALUES
    return _STILL_ALLOWED if pair.is_sent else _ALLOWED_BEFORE


_SAME_VALUES = phrase("the schema as a whole allows the same values as before")
_STILL_ALLOWED = phrase("the schema as a whole still allows what was allowed")
_ALLOWED_BEFORE = phrase("the schema as a whole allowed this before")


def _rule_changes(pair: SchemaPair) -> Iterator[tuple[Rule[Any], FoundChange]]:
    for rule in rules_for(pair):
        for found_change in rule.find(pair):
            if (found_change.verdict or rule.verdict(pair.direction)) is None:
                continue
            if pair.is_question:
                yield rule, found_change
            else:
                located = _with_keyword_locations(found_change, pair)
                found = replace(located, essence=schema_essence(rule.id, located, pair))
                yield rule, _of_excluded_values(found) if pair.position.is_negated else found


def _of_excluded_values(found_change: FoundChange) -> FoundChange:
    """Return a change of a schema that no value may match: what to do about its values would be the opposite."""
    return replace(found_change, hint="", reason=join_reasons(found_change.reason, _EXCLUDED))


_EXCLUDED = phrase("in the schema under 'not', which no value may match")


def _lifecycle_changes(pair: SchemaPair) -> Iterator[tuple[Rule[Any], FoundChange]]:
    if pair.is_wrapped:
        return
    life = LifecyclePair(old=schema_lifecycle(pair.old), new=schema_lifecycle(pair.new), policy=pair.policy)
    if not (life.old.is_default and life.new.is_default):
        for lifecycle_rule in LIFECYCLE_RULES:
            yield from ((lifecycle_rule, found_change) for found_change in lifecycle_rule.find(life))
    for removal in property_removals(pair):
        for row in REMOVAL_RULES:
            yield from ((row, found_change) for found_change in row.find(removal))


def _has_same_name(position: Position) -> bool:
    """Say whether what gives a value its name in XML is called the same in both contracts."""
    return position.xml is None or position.xml.old_name == position.xml.new_name


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
    use: SchemaUse, idle: Sequence[FoundChange], old: Schemas, new: Schemas
) -> ComparedSchemas:
    """Return compared schemas with the changes of keywords that have no effect where they are used."""
    compared = use.compared
    return ComparedSchemas(
        direction=compared.direction,
        old_location=old[-1].location if old else compared.old_location,
        new_location=new[-1].location if new else compared.new_location,
        changes=[(IDLE_KEYWORD_RULE, found_change) for found_change in idle],
        below=[use],
        is_filled=True,
    )


def _stands_in(components: Components, common: Mapping[Location, Location], schemas: Schemas) -> bool:
    """Say whether all schemas of a value, if it has several, stand in components that use it on both sides."""
    if len(schemas) <= 1:
        return True
    return all(components.changed_component(schema.location) in common for schema in schemas)


def _without_equal(schemas: Schemas, others: Schemas) -> Schemas:
    """Return the schemas of a value that are not written in the same way on the other side."""
    return tuple(schema for schema in schemas if schema not in others)


def _within_included_parts(use: SchemaUse, compared: ComparedSchemas) -> SchemaUse:
    """Return the use of a part: if it applies by other parts than before, within the component that has the
    `allOf`.
    """
    if use.places is None:
        return use
    old = compared.old_included.part_around(use.places.old)
    new = compared.new_included.part_around(use.places.new)
    places = WrittenPlaces(old.place if old else use.places.old, new.place if new else use.places.new)
    if use.component is not None or old is None or new is None or old.component != new.component:
        return use._replace(places=places)
    return use._replace(component=new.component, location=new.place, places=places)


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
