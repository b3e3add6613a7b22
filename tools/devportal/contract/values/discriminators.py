"""What a discriminator asks of the values of a schema, of its branches and of its subtypes."""

from collections.abc import Sequence

from devportal.contract.model import Api
from devportal.contract.regex import matches_pattern
from devportal.contract.schemas import ABSENT, Discriminator, Property, Schema
from devportal.contract.values.conjunction import CombinedSchema, combine_schemas
from devportal.contract.values.discriminator_values import DiscriminatorValue, discriminator_value


def discriminator_of(parts: Sequence[Schema], union: Sequence[Schema]) -> Discriminator | None:
    """Return the discriminator of a union in one of the parts."""
    return next((part.discriminator for part in parts if union is part.one_of or union is part.any_of), None)


def selected_subtype(api: Api, schema: Schema) -> Schema | None:
    """Return the schema that extends one, and that the discriminator value of the one selects; None if there is
    none.
    """
    selector = api.marks.get(schema.location)
    if selector is None or schema.discriminator is None or schema.one_of or schema.any_of:
        return None
    extending = (
        subtype
        for location, mark in api.marks.items()
        if mark == selector and (subtype := api.schemas.get(location)) is not None
        if any(part.ref == schema.location for part in subtype.all_of)
    )
    return next(extending, None)


def branch_selector(
    api: Api, discriminator: Discriminator | None, branch: Schema
) -> DiscriminatorValue | None:
    """Return the property that selects a branch; of a branch that is a union itself, one that selects one
    of its branches will do.
    """
    if discriminator is None or branch.ref is None:
        return None
    targets = {target for _, target in discriminator.mapping}
    if branch.ref not in targets:
        target = api.resolve(branch)
        for inner in (*target.one_of, *target.any_of):
            if inner.ref is not None and inner.ref in targets:
                return discriminator_value(discriminator, inner.ref)
    return discriminator_value(discriminator, branch.ref)


def discriminator_schema(api: Api, schema: Schema, selector: DiscriminatorValue) -> Schema | None:
    """Return a schema that requires the discriminator value of another schema; None if that one excludes
    it.
    """
    combined = combine_schemas(api, (schema,))
    declared = next(
        (property_.schema for property_ in combined.schema.properties if property_.name == selector.name),
        None,
    )
    if declared is None and combined.schema.additional_properties is not None:
        return None
    if declared is None and combined.unions and not _has_member(api, combined, selector.name):
        return None
    rule = Schema(location=schema.location, const=selector.value)
    if declared is not None and not _may_have_text(combine_schemas(api, (declared,)).schema, selector.value):
        return None
    selecting = Property(name=selector.name, schema=rule, required=True)
    return Schema(location=schema.location, properties=(selecting,), required=(selector.name,))


def _has_member(api: Api, combined: CombinedSchema, name: str) -> bool:
    """Say whether all branches of a union have a property."""
    branches = [schema for union in combined.unions for schema in union]
    return all(
        any(property_.name == name for property_ in combine_schemas(api, (branch,)).schema.properties)
        for branch in branches
    )


def _may_have_text(schema: Schema, text: str) -> bool:
    """Return whether a schema allows a text, ignoring other schemas of the value."""
    if schema.const is not ABSENT or (schema.enum and text not in schema.enum):
        return False
    patterns = (str(constraint.value) for constraint in schema.constraints if constraint.keyword == "pattern")
    return schema.types in ((), ("string",)) and all(matches_pattern(pattern, text) for pattern in patterns)
