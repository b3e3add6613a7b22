"""Two parameters of a query that are the bounds of one range, such as `from` and `to`: a deployment may reject equal
ones.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from devportal.contract import Api, Parameter, ParameterLocation
from devportal.contract.conventions import default_conventions, name_stem, normalize_name
from devportal.contract.values.instants import parse_day, parse_instant, shift_time, time_text

ParameterValues = tuple[tuple[Parameter, Any], ...]
_STEP = timedelta(days=1)
_STAYS = {"checkin": "checkout", "arrival": "departure", "arrivaldate": "departuredate"}
"""Names of the first and the last day of a stay, which `conventions` do not have as bounds."""


def with_ranges(api: Api, values: ParameterValues) -> ParameterValues:
    """Return the values of parameters, the upper bound of each range of days or times a day after the lower one. A
    range that is not empty, and a bound with an example, stays as it is.
    """
    moved = {
        upper.name: later
        for lower, first in values
        for upper, last in values
        if _is_range(api, lower, upper) and (later := _day_after(first, last)) is not None
    }
    return tuple((parameter, moved.get(parameter.name, value)) for parameter, value in values)


def _is_range(api: Api, lower: Parameter, upper: Parameter) -> bool:
    """Return whether two parameters are the bounds of one range of days or times, the upper one without an example."""
    formats = {*_formats(api, lower), *_formats(api, upper)}
    is_shown = bool(upper.examples) or (upper.schema is not None and bool(api.resolve(upper.schema).examples))
    if len(formats) != 1 or not formats & {"date", "date-time"} or is_shown:
        return False
    conventions = default_conventions()
    stem = name_stem(lower.name, conventions.since)
    is_stay = _STAYS.get(normalize_name(lower.name)) == normalize_name(upper.name)
    return is_stay or (stem is not None and stem == name_stem(upper.name, conventions.until))


def _formats(api: Api, parameter: Parameter) -> Iterator[str]:
    is_query = parameter.location_in is ParameterLocation.QUERY
    yield api.resolve(parameter.schema).format if is_query and parameter.schema is not None else ""


def _day_after(first: Any, last: Any) -> str | None:
    """Return the day or the time a day after the first, None if the last is later, or if one is not a time."""
    parse = parse_day if parse_day(first) is not None else parse_instant
    lower, upper = (parse(value) if isinstance(value, str) else None for value in (first, last))
    if lower is None or upper is None or upper > lower:
        return None
    later = shift_time(lower, _STEP)
    return time_text(later) if later is not None else None
