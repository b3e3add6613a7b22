"""Which members of resources a request asks for, as in `fields=id,name`."""

from collections.abc import Collection, Sequence

from devportal.conformance.knowledge.requests.member_choices import CHOICE_NAMES
from devportal.contract import Operation, ParameterLocation
from devportal.contract.conventions import matches_any_name
from devportal.contract.path_templates import last_segment, parent_path
from devportal.mock.operations.call import Call


def choice_parameters(operation: Operation) -> tuple[str, ...]:
    """Return the query parameters that choose members, none for an operation that does not read."""
    if operation.method not in ("GET", "HEAD"):
        return ()
    collection = parent_path(operation.path) if operation.path.endswith("}") else operation.path
    kind = f"[{last_segment(collection)}]"  # sparse fieldsets of JSON:API §7.7
    return tuple(
        parameter.name
        for parameter in operation.parameters
        if parameter.location_in is ParameterLocation.QUERY
        and matches_any_name(parameter.name.removesuffix(kind), CHOICE_NAMES)
    )


def chosen_members(call: Call, parameters: Sequence[str], known: Collection[str]) -> frozenset[str]:
    """Return the members that a request chooses by parameters, empty if it takes all: a parameter that names anything
    else than the `known` members is not understood.
    """
    chosen = frozenset(text.strip() for name in parameters for text in _texts(call.read.query(name)))
    return chosen if chosen <= {*known} else frozenset()


def _texts(value: object) -> list[str]:
    items = value if isinstance(value, list) else [value]
    return [text for item in items if isinstance(item, str) for text in item.split(",")]
