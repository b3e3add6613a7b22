"""Changes of parameters, and their names in sentences."""

from typing import Unpack

from devportal.contract import Parameter, ParameterLocation
from devportal.differ.pairs.parameter_pair import ParameterPair
from devportal.differ.phrase import phrase_in_context
from devportal.differ.rule import FoundChange
from devportal.differ.rules.part_changes import FoundChangeFields, change_between


def change_of_parameter(pair: ParameterPair, **fields: Unpack[FoundChangeFields]) -> FoundChange:
    """Return a change of a parameter that both contracts have."""
    return change_between(pair.old, pair.new, names=parameter_names(pair.new), **fields)


def parameter_names(parameter: Parameter) -> dict[str, str]:
    """Return the placeholders of sentences about a parameter."""
    return {"name": parameter.name, "place": _PLACES[parameter.location_in]}


_PLACES = {
    ParameterLocation.PATH: phrase_in_context("the … parameter", "path"),
    ParameterLocation.QUERY: phrase_in_context("the … parameter", "query"),
    ParameterLocation.QUERYSTRING: phrase_in_context("the … parameter", "querystring"),
    ParameterLocation.HEADER: phrase_in_context("the … parameter", "header"),
    ParameterLocation.COOKIE: phrase_in_context("the … parameter", "cookie"),
}
