"""Which members of resources no two may share."""

from devportal.conformance.knowledge.requests.unique_members import UniqueMember, unique_members
from devportal.contract.path_templates import reference_names
from devportal.mock.resources.plan import Plan, ResourceType


def unique_members_of(plan: Plan, kind: ResourceType) -> tuple[UniqueMember, ...]:
    """Return the members of a type whose values only one resource may have, by the words of its creation."""
    if kind.create is None:
        return ()
    others = (type_ for type_ in plan.types if type_ is not kind)
    names = tuple(name for type_ in others for name in reference_names(type_.path))
    return unique_members(plan.api, kind.create, kind.envelope, names)
