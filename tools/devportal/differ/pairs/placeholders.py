"""The placeholders of a path in both contracts: whether their names or their places changed."""

from devportal.contract import Operation, Parameter, ParameterLocation
from devportal.differ.match.operations import placeholders
from devportal.differ.match.parameters import all_parameters, schema_of
from devportal.differ.part_pair import OperationPair


def has_reordered_placeholders(pair: OperationPair) -> bool:
    """Say whether the placeholders of a path are the same in another order, so that a URL with the same values means
    something else.

    Their names are never sent: if each place takes the values that it took before, and the names do not, the names
    alone changed places.
    """
    old_names, new_names = placeholders(pair.old.path), placeholders(pair.new.path)
    if old_names == new_names or sorted(old_names) != sorted(new_names):
        return False
    old, new = _path_parameters(pair.old), _path_parameters(pair.new)
    keeps_places = _are_all_alike(pair, [(old[a], new[b]) for a, b in zip(old_names, new_names, strict=True)])
    return not keeps_places or _are_all_alike(pair, [(old[name], new[name]) for name in old_names])


def _path_parameters(operation: Operation) -> dict[str, Parameter]:
    return {
        parameter.name: parameter
        for parameter in all_parameters(operation)
        if parameter.location_in is ParameterLocation.PATH
    }


def _are_all_alike(pair: OperationPair, parameters: list[tuple[Parameter, Parameter]]) -> bool:
    return all(pair.contracts.is_alike(schema_of(old), schema_of(new)) for old, new in parameters)
