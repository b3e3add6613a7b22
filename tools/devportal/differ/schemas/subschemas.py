"""The parts of two schemas that are compared with each other: branches, properties, items, rarer keywords."""

from collections.abc import Iterator
from typing import NamedTuple

from devportal.contract import Schema
from devportal.differ import change
from devportal.differ.match.media_types import parse_media_name
from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.normalise.unevaluated import refuses_undescribed_property, undescribed_property_schemas
from devportal.differ.rule import Verdict
from devportal.differ.schemas.pair import SchemaPair
from devportal.differ.schemas.position import Position, Schemas
from devportal.differ.schemas.unions.branches import Wrapping, branch_names
from devportal.differ.schemas.xml_forms import XmlPlace, item_name


class SubschemaPair(NamedTuple):
    """A part that both sides have. `is_identified` holds for a branch that has the same name or tag on both sides, if
    no properties are beside its union: no other branch makes up for a property that it loses.
    """

    step: str
    old: Schemas
    new: Schemas
    position: Position
    is_property: bool = False
    is_identified: bool = False


def subschema_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    """Yield the parts that both forms have and that travel."""
    position, found = pair.position, _subschema_pairs(pair)
    has_encodings = position.encoded_parts or position.whole_parts
    return (_with_encoding(part, position) for part in found) if has_encodings else found


def _with_encoding(part: SubschemaPair, around: Position) -> SubschemaPair:
    is_repeated = part.position.is_repeated and part.step not in around.whole_parts
    is_encoded = part.position.is_encoded or part.step in around.encoded_parts
    return part._replace(position=part.position._replace(is_encoded=is_encoded, is_repeated=is_repeated))


def _subschema_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
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
    properties count. Those that one side lists to rule them out are left to the rules of properties.
    """
    properties, ruled_out = pair.properties, pair.properties.ruled_out
    for name, old in pair.old_members.items():
        new = pair.new_members.get(name)
        if new is None or name in ruled_out:
            continue
        if new.schemas or not refuses_undescribed_property(pair.new, pair.new_forms, name):
            position = pair.position.of_named_property(name, is_required=new.is_required)
            position = position._replace(was_required=old.is_required and not new.is_required)
            before = old.schemas or _schemas_of_undescribed(pair.old, pair.old_forms, name)
            after = new.schemas or _schemas_of_undescribed(pair.new, pair.new_forms, name)
            if before or after:
                yield SubschemaPair(change.property_step(name), before, after, position, is_property=True)
    for normal_property in properties.removed:
        after = pair.new_constraining(
            undescribed_property_schemas(pair.new, pair.new_forms, normal_property.name)
        )
        if after and not any(schema.verdict is False for schema in after):
            yield SubschemaPair(
                change.property_step(normal_property.name),
                normal_property.schemas,
                after,
                pair.position.of_named_property(normal_property.name, is_required=False),
                is_property=True,
            )
    for normal_property in properties.added:
        before = pair.old_constraining(
            undescribed_property_schemas(pair.old, pair.old_forms, normal_property.name)
        )
        if before and not any(schema.verdict is False for schema in before):
            yield SubschemaPair(
                change.property_step(normal_property.name),
                before,
                normal_property.schemas,
                pair.position.of_named_property(normal_property.name, is_required=False),
                is_property=True,
            )


def _schemas_of_undescribed(form: NormalSchema, forms: SchemaNormaliser, name: str) -> Schemas:
    """Return the schemas for a property that is required but not listed: `false` if the form refuses it."""
    schemas = undescribed_property_schemas(form, forms, name)
    return (Schema(location=form.location, verdict=False),) if form.is_closed and not schemas else schemas


def _pattern_and_additional_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    optional = pair.position.of_named_property(_ANY_NAME, is_required=False)
    for name, old in pair.old.pattern_members.items():
        if name in pair.new.pattern_members:
            new = pair.new.pattern_members[name]
            yield SubschemaPair(change.property_step(name), old, new, optional, is_property=True)
    if not (pair.old.is_closed or pair.new.is_closed):
        yield from _pair_if_both_constrain(
            pair, change.ADDITIONAL_STEP, pair.old.additional, pair.new.additional, optional
        )


_ANY_NAME = "*"
"""The name of properties that are not listed: their own, whatever it is."""


def _item_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    required = _position_of_items(pair)
    yield from _pair_if_both_constrain(pair, change.ITEMS_STEP, pair.old.items, pair.new.items, required)
    for number, (old, new) in enumerate(zip(pair.old.prefix_items, pair.new.prefix_items, strict=False)):
        yield SubschemaPair(change.item_step(number), (old,), (new,), required)


def _position_of_items(pair: SchemaPair) -> Position:
    position, place = pair.position.of_item(), pair.position.xml
    if place is None:
        return position
    old, new = (
        item_name(form, name, is_property=place.is_property)
        for form, name in ((pair.old, place.old_name), (pair.new, place.new_name))
    )
    return position._replace(xml=XmlPlace(old, new))


def _contains_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    """Yield the schemas of `contains`: a wider one is safe for the minimum, a narrower one for the maximum."""
    position, step = pair.position.of_item(), change.keyword_step("contains")
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
    for first, other in pair.negations.pairs:
        yield SubschemaPair(change.keyword_step("not"), (first,), (other,), position.opposite)
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
        is_content = keyword == "contentSchema"
        yield SubschemaPair(step, old, new, _position_of_content(pair) if is_content else position)


def _position_of_content(pair: SchemaPair) -> Position:
    """Return the position of what a string holds: JSON has types wherever the string travels."""
    media_type = dict(pair.new.content).get("contentMediaType", "")
    return pair.position.within(is_required=True)._replace(
        is_text=parse_media_name(media_type).is_text,
        is_form=False,
        is_field=False,
        is_plain=False,
        is_encoded=False,
        xml=None,
    )


def _branch_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    for pairing in pair.unions.pairings:
        is_old = pairing.wrapping is Wrapping.UNWRAPPED
        union = pairing.old if is_old else pairing.new
        names = dict(zip(map(id, union.branches), branch_names(union.branches), strict=True))
        for old, new in pairing.pairs:
            own = Verdict.COMPATIBLE if pairing.has_no_effect(old, new) else pairing.gravest
            gravest = least_grave(own, pair.position.gravest)
            position = pair.position._replace(is_branch=True, gravest=gravest)
            step = change.branch_step(names[id((old if is_old else new)[0])])
            is_identified = id(old[0]) in pairing.identified and not pair.new.members
            yield SubschemaPair(step, old, new, position, is_identified=is_identified)


def _listed_value_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    """Yield the branches with the same value, since they hold the annotations of the value."""
    position = pair.position._replace(is_branch=True)
    for value, old in pair.old.listed.items():
        if value in pair.new.listed:
            yield SubschemaPair(change.branch_step(value), (old,), (pair.new.listed[value],), position)


def _discriminator_subtype_pairs(pair: SchemaPair) -> Iterator[SubschemaPair]:
    """Yield the schemas that discriminators lead to beyond the branches of unions: what extends a schema."""
    old_discriminator, new_discriminator = pair.old.discriminator, pair.new.discriminator
    if old_discriminator is None or new_discriminator is None or pair.new.unions:
        return
    old = pair.old_forms.subtypes.of(pair.old) | pair.old_forms.subtypes.mapped_schemas(pair.old)
    new = pair.new_forms.subtypes.of(pair.new) | pair.new_forms.subtypes.mapped_schemas(pair.new)
    for value, location in old.items():
        before = pair.old_forms.api.schemas.get(location)
        after = pair.new_forms.api.schemas.get(new[value]) if value in new else None
        if before is not None and after is not None:
            yield SubschemaPair(change.branch_step(value), (before,), (after,), pair.position)
    defaults = old_discriminator.default, new_discriminator.default
    if None in defaults or defaults[0] in old.values():
        return
    before, after = (
        forms.api.schemas.get(location)
        for forms, location in zip((pair.old_forms, pair.new_forms), defaults, strict=True)
        if location is not None
    )
    if before is not None and after is not None:
        yield SubschemaPair(change.branch_step("defaultMapping"), (before,), (after,), pair.position)


def least_grave(first: Verdict | None, other: Verdict | None) -> Verdict | None:
    """Return the less grave of two limits of verdicts, None if there is none."""
    return min((limit for limit in (first, other) if limit), key=lambda limit: limit.rank, default=None)
