"""Which parameters of an operation are the same in both contracts: by place and name, or else by position."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from devportal.contract import Header, Operation, Parameter, ParameterLocation, Schema
from devportal.contract.wire_format.serialisation import query_pairs, serialise_path_parameter
from devportal.differ.match.operations import placeholders
from devportal.differ.match.renames import NamedPart, Rename, Renames, find_renames
from devportal.differ.policy import DeclaredRenames

_Pair = tuple[Parameter, Parameter]


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterMatching:
    """Which parameters of both contracts belong together, and which are in one alone.

    `relocated` kept their name and travel elsewhere. `renames` has the removed and added ones that are the
    same under another name, by location.
    """

    kept: tuple[_Pair, ...]
    relocated: tuple[_Pair, ...]
    removed: tuple[Parameter, ...]
    added: tuple[Parameter, ...]
    renames: Mapping[ParameterLocation, Renames]

    def rename_of(self, parameter: Parameter) -> Rename | None:
        """Return the rename that a removed or added parameter is a part of."""
        renames = self.renames.get(parameter.location_in, Renames())
        is_new = any(added is parameter for added in self.added)
        return (renames.by_new if is_new else renames.by_old).get(parameter.name)


def match_parameters(
    old: tuple[Sequence[Parameter], str],
    new: tuple[Sequence[Parameter], str],
    declared: DeclaredRenames,
    is_alike: Callable[[Parameter, Parameter], bool],
    *,
    is_reordered: bool = False,
) -> ParameterMatching:
    """Return the matched parameters, given those of both operations with their paths.

    `is_alike` says whether two parameters take the same values, which possible renames do. `is_reordered` holds if
    the placeholders of the path changed places, so that their names tell which is which.

    Path parameters match by the position of their placeholders (decision of ours: their names are never
    sent), and so does the whole query string (OAS 3.2.0 §4.12.2), all others by their names, for headers in any
    case (RFC 9110 §5.1).
    """
    left, right = list(old[0]), list(new[0])
    before, after = placeholders(old[1]), placeholders(new[1])
    kept = []
    if len(before) == len(after) and not is_reordered:
        kept += _take_pairs_by_key(
            left,
            right,
            lambda parameter: _placeholder_index(parameter, before),
            lambda parameter: _placeholder_index(parameter, after),
        )
    kept += _take_pairs_by_key(left, right, _location_and_name, _location_and_name)
    relocated = _take_relocated(left, right)
    renames: dict[ParameterLocation, Renames] = {
        place: find_renames(
            [named_field(parameter) for parameter in left if parameter.location_in is place],
            [named_field(parameter) for parameter in right if parameter.location_in is place],
            declared.headers if place is ParameterLocation.HEADER else declared.parameters,
            is_alike,
        )
        for place in ParameterLocation
        if place is not ParameterLocation.PATH
    }
    return ParameterMatching(
        kept=tuple(kept),
        relocated=tuple(relocated),
        removed=tuple(left),
        added=tuple(right),
        renames=renames,
    )


def _take_pairs_by_key(
    left: list[Parameter],
    right: list[Parameter],
    old_key: Callable[[Parameter], Hashable],
    new_key: Callable[[Parameter], Hashable],
) -> list[_Pair]:
    """Return the pairs with the same key, and remove them from both lists; a key of None does not match."""
    pairs = []
    for parameter in tuple(left):
        key = old_key(parameter)
        other = next((other for other in right if key is not None and new_key(other) == key), None)
        if other is not None:
            pairs.append((parameter, other))
            left.remove(parameter)
            right.remove(other)
    return pairs


def _placeholder_index(parameter: Parameter, names: tuple[str, ...]) -> int | None:
    is_placed = parameter.location_in is ParameterLocation.PATH and parameter.name in names
    return names.index(parameter.name) if is_placed else None


def _location_and_name(parameter: Parameter) -> Hashable:
    match parameter.location_in:
        case ParameterLocation.HEADER:
            return parameter.location_in, parameter.name.lower()
        case ParameterLocation.QUERYSTRING:
            return parameter.location_in, ""
    return parameter.location_in, parameter.name


def _take_relocated(left: list[Parameter], right: list[Parameter]) -> list[_Pair]:
    pairs = []
    for parameter in tuple(left):
        same = (other for other in right if other.name.lower() == parameter.name.lower())
        other = next((other for other in same if other.location_in is not parameter.location_in), None)
        if other is not None and not parameter.broken and not other.broken:
            pairs.append((parameter, other))
            left.remove(parameter)
            right.remove(other)
    return pairs


def schema_of(field: Parameter | Header | None) -> Schema | None:
    """Return the schema of the value of a parameter or header, wherever it is given."""
    if field is None:
        return None
    return field.content.schema if field.content is not None else field.schema


def is_sendable(parameter: Parameter, value: Any) -> bool:
    """Say whether a request can have a value: an empty segment of a path leads to another operation, or to none, and
    an empty list or object that is not written at all is a parameter that was left out (RFC 6570 §2.3).
    """
    if parameter.content is not None:
        return True
    match parameter.location_in:
        case ParameterLocation.PATH:
            return serialise_path_parameter(parameter, value) != ""
        case ParameterLocation.QUERY | ParameterLocation.COOKIE:
            return query_pairs(parameter, value) != ()
    return True


_Field = TypeVar("_Field", Parameter, Header)


def named_field(field: _Field) -> NamedPart[_Field]:
    """Return a parameter or header with what may be evidence of a rename."""
    schema = schema_of(field)
    examples = tuple(example.value for example in field.examples if example.has_value)
    return NamedPart(
        part=field,
        name=field.name,
        description=field.description,
        examples=examples or (schema.examples if schema is not None else ()),
        renamed_from=field.renamed_from,
    )


def all_parameters(operation: Operation) -> tuple[Parameter, ...]:
    """Return the parameters of an operation, with the placeholders of its path that it does not describe: they
    take any text.
    """
    described = {
        parameter.name
        for parameter in operation.parameters
        if parameter.location_in is ParameterLocation.PATH
    }
    undescribed = (
        Parameter(
            name=name,
            location_in=ParameterLocation.PATH,
            required=True,
            style="simple",
            explode=False,
            schema=Schema(location=operation.location, types=("string",)),
            location=operation.location,
        )
        for name in dict.fromkeys(placeholders(operation.path))
        if name not in described
    )
    return (*operation.parameters, *undescribed)
