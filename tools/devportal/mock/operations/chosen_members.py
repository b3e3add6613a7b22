"""Which members of resources a request asks for, as in `fields=id,name`."""

from collections.abc import Collection

from devportal.conformance.knowledge.requests.member_choices import CHOICE_NAMES
from devportal.contract import ParameterLocation
from devportal.contract.conventions import matches_any_name
from devportal.mock.operations.call import Call


def chosen_members(call: Call, known: Collection[str]) -> frozenset[str]:
    """Return the members that a request to read chooses, empty if it takes all: a parameter that names anything else
    than the `known` members is not understood.
    """
    chosen = {
        text.strip()
        for parameter in call.operation.parameters
        if parameter.location_in is ParameterLocation.QUERY and matches_any_name(parameter.name, CHOICE_NAMES)
        for text in _texts(call.read.query(parameter.name))
    }
    is_understood = call.operation.method in ("GET", "HEAD") and chosen <= {*known}
    return frozenset(chosen) if is_understood else frozenset()


def _texts(value: object) -> list[str]:
    items = value if isinstance(value, list) else [value]
    return [text for item in items if isinstance(item, str) for text in item.split(",")]
