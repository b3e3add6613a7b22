"""Objects in a query whose members are parameters on the wire: `?page=0&size=20` for `pageable` of springdoc."""

from collections.abc import Iterator
from dataclasses import replace

from devportal.contract.conventions import Conventions, matches_any_name
from devportal.contract.model import Api, Operation, Parameter, ParameterLocation
from devportal.contract.resources.object_properties import object_properties
from devportal.contract.schemas import Property


def flat_parameters(api: Api, operation: Operation) -> Iterator[Parameter]:
    """Yield the parameters of an operation, in place of an exploded object its members (OAS 3.0.3 §4.7.12.3)."""
    for parameter in operation.parameters:
        members = exploded_members(api, parameter)
        if not members:
            yield parameter
        for member in members:
            yield replace(
                parameter,
                name=member.name,
                required=parameter.required and member.required,
                description="",
                schema=member.schema,
                examples=(),
            )


def exploded_members(api: Api, parameter: Parameter) -> tuple[Property, ...]:
    """Return the members of an object in a query that have their own names there; none for anything else."""
    is_exploded = parameter.style == "form" and parameter.explode and parameter.schema is not None
    if parameter.location_in is not ParameterLocation.QUERY or not is_exploded or parameter.schema is None:
        return ()
    return tuple(object_properties(api, parameter.schema))


def has_paging_object(api: Api, conventions: Conventions, operation: Operation) -> bool:
    """Return whether a member of an object in the query decides which page of a list a request gets."""
    names = (*conventions.cursor, *conventions.page, *conventions.offset)
    return any(
        matches_any_name(member.name, names)
        for parameter in operation.parameters
        for member in exploded_members(api, parameter)
    )
