"""Known identifiers of existing resources for the parameters of paths."""

from collections.abc import Mapping

from devportal.contract import Operation, Parameter
from devportal.contract.path_templates import (
    is_below,
    last_segment,
    names_resource,
    reference_names,
    without_names,
)


def known_path_value(
    operation: Operation, parameter: Parameter, known_values: Mapping[str, str]
) -> str | None:
    """Return the known value of a parameter in a path: that of the path up to it. If there is none, that of a resource
    with its own address, which the path relates to another one: that of `/devices/{id}` for
    `PUT /groups/{group_id}/devices/{device_id}`. None if neither is known, and for a second one of the type that the
    path begins with: nobody is a friend of themselves.
    """
    before, template, after = operation.path.partition("{" + parameter.name + "}")
    # The address of a resource of OData goes on behind its key: `/Pets({petId})`.
    for end in ("", after.partition("/")[0]):
        if before + template + end in known_values:
            return known_values[before + template + end]
    name = reference_names(before + template)[-1]
    named = (
        path
        for path in known_values
        if last_segment(path).startswith("{")
        and names_resource(name, reference_names(path)[-1:])
        and not is_below(without_names(before), without_names(path))
    )
    shortest = min(named, key=lambda path: path.count("/"), default=None)
    return known_values[shortest] if shortest is not None else None
