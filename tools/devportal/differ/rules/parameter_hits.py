"""Hits at parameters, and what sentences call them."""

from typing import Unpack

from devportal.contract import Parameter
from devportal.differ.rule import Hit
from devportal.differ.rules.part_changes import HitFields, hit_between
from devportal.differ.walk.parameter_pair import ParameterPair


def parameter_hit(pair: ParameterPair, **said: Unpack[HitFields]) -> Hit:
    """Return a hit at a parameter that both contracts have."""
    return hit_between(pair.old, pair.new, names=parameter_names(pair.new), **said)


def parameter_names(parameter: Parameter) -> dict[str, str]:
    """Return what sentences call a parameter."""
    return {"name": parameter.name, "place": parameter.location_in.value}
