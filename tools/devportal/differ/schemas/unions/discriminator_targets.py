"""Which schema each value of a discriminator selects, and whether the branches of its union say the same."""

from collections.abc import Set

from devportal.contract import Discriminator, Location, Schema
from devportal.contract.values.discriminator_values import discriminator_value
from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.normalise.normaliser import SchemaNormaliser


def discriminator_values(form: NormalSchema, forms: SchemaNormaliser) -> dict[str, Location]:
    """Return the schema for each value of a discriminator's property, declared or implied."""
    if form.discriminator is None:
        return {}
    return (
        implied_values(form, form.discriminator)
        | forms.subtypes.of(form)
        | forms.subtypes.mapped_schemas(form)
    )


def implied_values(form: NormalSchema, discriminator: Discriminator) -> dict[str, Location]:
    """Return the names of branches that no mapping names, as discriminator values (OAS 3.0.3 §4.7.25)."""
    mapped = {target for _, target in discriminator.mapping}
    values: dict[str, Location] = {}
    for union in form.unions:
        for branch in union.branches:
            if branch.ref is not None and branch.ref not in mapped:
                implied = discriminator_value(discriminator, branch.ref)
                if implied is not None:
                    values[implied.value] = branch.ref
    return values


def is_stated_by_branches(form: NormalSchema, forms: SchemaNormaliser) -> bool:
    """Say whether each branch of a union requires the property of the discriminator, and allows only values that
    select the branch.
    """
    if form.discriminator is None or not form.unions:
        return False
    targets = discriminator_values(form, forms)
    name = form.discriminator.property_name
    return all(
        branch.ref is not None
        and _has_only_values(
            forms, branch, name, {value for value, target in targets.items() if target == branch.ref}
        )
        for union in form.unions
        for branch in union.branches
    )


def _has_only_values(forms: SchemaNormaliser, branch: Schema, name: str, values: Set[str]) -> bool:
    """Say whether a branch requires a property, and lists no values of it but the given ones."""
    member = forms.of(branch).members.get(name)
    if member is None or not member.is_required or not member.schemas:
        return False
    listed = forms.of(*member.schemas).values
    return listed is not None and set(map(str, listed)) <= values
