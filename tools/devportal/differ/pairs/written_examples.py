"""Small values as both contracts write them: what another style or `explode` means for a message."""

from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import unquote

from devportal.contract import Encoding, Header, Parameter, ParameterLocation
from devportal.contract.wire_format.serialisation import (
    cookie_pairs,
    form_pairs,
    parameter_query,
    serialise_header,
    serialise_path_parameter,
)
from devportal.differ.pairs.parameter_pair import ValueKind
from devportal.differ.phrase import phrase

_SAMPLES = {ValueKind.ARRAY: [1, 2], ValueKind.OBJECT: {"a": 1, "b": 2}, ValueKind.SCALAR: 1}


def rewritten_example(
    kinds: Iterable[ValueKind], write_before: Callable[[Any], str], write_now: Callable[[Any], str]
) -> str:
    """Return how a value of the first kind that is written otherwise was written and is now, empty if none is."""
    for kind, value in _SAMPLES.items():
        before, now = write_before(value), write_now(value)
        if kind in kinds and before != now:
            return phrase("for example, %(before)s becomes %(now)s", before=before, now=now)
    return ""


def write_parameter(parameter: Parameter, value: Any) -> str:
    """Return all that a parameter adds to a request: `ids=1&ids=2` in a query. Nothing is percent-encoded."""
    match parameter.location_in:
        case ParameterLocation.PATH:
            return unquote(serialise_path_parameter(parameter, value))
        case ParameterLocation.HEADER:
            return write_header(parameter, value)
        case ParameterLocation.COOKIE:
            joint = "; " if parameter.style == "cookie" else "&"
            return joint.join(map("=".join, cookie_pairs(parameter, value)))
    return unquote(parameter_query(parameter, value))


def write_header(header: Parameter | Header, value: Any) -> str:
    """Return the value of a header."""
    return serialise_header(header, value)


def write_field(encoding: Encoding, value: Any) -> str:
    """Return a field of a form: `ids=1&ids=2`. Nothing is percent-encoded."""
    return "&".join(map("=".join, form_pairs({encoding.property_name: value}, (encoding,))))
