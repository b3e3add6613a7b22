"""Paths whose parameters are whole resource names (AIP-122), such as `projects/a/jobs/42` for `/v1/{name}`.

The transcoding of gRPC (google.api.http) has `/v1/{name=projects/*/jobs/*}`, of which an OpenAPI file has the path
`/v1/{name}` and the pattern `projects/[^/]+/jobs/[^/]+`, or only a description with `projects/{project}/jobs/{job}`.
Requests have the slashes of a name as they are, so a mock takes the path for `/v1/projects/{project}/jobs/{job}`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from devportal.contract import Api, Operation, Parameter, ParameterLocation, Property, Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.path_templates import placeholder_names, singular
from devportal.contract.resources import RESOURCE_NAMES, Resource, resource_name_member

_FIXED = re.compile(r"[\w.~-]+")
_ANY = re.compile(r"\(?\[\^/\][+*]\)?")
_ANY_SEGMENT = "[^/]+"
_VALUE = r"(?:\{[^{}/\s]+\}|\[[^\[\]/\s]+\]|<[^<>/]+>|\*|[A-Z][A-Z0-9]*_[A-Z0-9_]+)"
_PAIR = rf"(?:[a-z][A-Za-z_-]*/{_VALUE}|[a-z][A-Za-z_-]*s/(?:\d[\w-]*|[A-Z][A-Z0-9_]+))"
_DESCRIBED_NAME = re.compile(rf"(?<![\w/.:-])(?:{_PAIR}/)*{_PAIR}(?![\w/])")
"""How descriptions show the form of a name: `projects/{project}/jobs/{job}`, `projects/PROJECT_ID`, `shelves/1`.
Collections are plural (AIP-122): `name/ID` is no such form."""
_NAMES = (*RESOURCE_NAMES, "parent", "resource")


def with_resource_names(api: Api) -> Api:
    """Return a contract in which each segment of a resource name that may vary is a separate parameter."""
    described = _described_names(api)
    operations = tuple(_expand_names(api, operation, described) for operation in api.operations)
    return api if operations == api.operations else replace(api, operations=operations)


def name_member_of(api: Api, members: Sequence[Property], resource: Resource) -> str:
    """Return the member that holds the name of a resource: as the contract describes it, or that with the usual name
    if a path ends in resource names. Empty without one.
    """
    found = resource_name_member(api, members, resource.path)
    if found or resource.read is None or not _ends_in_resource_name(resource.read):
        return found
    return next((member.name for member in members if matches_any_name(member.name, RESOURCE_NAMES)), "")


def _ends_in_resource_name(operation: Operation) -> bool:
    """Say whether the last parameter of a path is a segment of a resource name."""
    names = placeholder_names(operation.path)[-1:]
    last = [parameter for parameter in operation.parameters if parameter.name in names]
    return any(
        other.location == parameter.location and other.name != parameter.name
        for parameter in last
        for other in operation.parameters
    )


def _described_names(api: Api) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the segments of resource names that descriptions show, by path and parameter. The operations of a path
    share them, and so do all paths with the same start if they take names of one form.
    """
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    places = [
        (operation.path, parameter)
        for operation in api.operations
        for parameter in operation.parameters
        if parameter.location_in is ParameterLocation.PATH
        and matches_any_name(parameter.name.rpartition(".")[2], _NAMES)
    ]
    for path, parameter in places:
        if segments := _described_segments(parameter, path):
            found.setdefault((path, parameter.name), segments)
    alike: dict[str, list[tuple[str, str]]] = {}
    for path, parameter in places:
        alike.setdefault(_cut_path(path, parameter), []).append((path, parameter.name))
    for names in alike.values():
        forms = {found[place] for place in names if place in found}
        if len(forms) == 1:
            found |= dict.fromkeys(names, next(iter(forms)))
    return found


def _cut_path(path: str, parameter: Parameter) -> str:
    """Return a path up to a parameter, with the last part of its name: `/v1/{name` for `/v1/{job.name}:cancel`."""
    return f"{path.partition(f'{{{parameter.name}}}')[0]}{{{parameter.name.rpartition('.')[2]}"


def _described_segments(parameter: Parameter, path: str) -> tuple[str, ...]:
    """Return the segments of the name that a description shows; none if the path has the first one itself, so that the
    parameter is the rest: `projects/{project}` of `/v1/projects/{name}`.
    """
    texts = (parameter.description, parameter.schema.description if parameter.schema is not None else "")
    shown = next(filter(None, map(_DESCRIBED_NAME.search, texts)), None)
    segments = shown[0].split("/") if shown is not None else []
    if segments and f"/{segments[0]}/{{{parameter.name}}}" in path:
        return ()
    return tuple(_ANY_SEGMENT if number % 2 else text for number, text in enumerate(segments))


def _expand_names(
    api: Api, operation: Operation, described: Mapping[tuple[str, str], tuple[str, ...]]
) -> Operation:
    path, parameters = operation.path, list(operation.parameters)
    for parameter in operation.parameters:
        segments = _name_segments(api, parameter) or described.get((operation.path, parameter.name), ())
        if not segments or f"{{{parameter.name}}}" not in path:
            continue
        taken = {*placeholder_names(path)}
        written, own = [], []
        for before, segment in zip(("", *segments), segments, strict=False):
            if _FIXED.fullmatch(segment):
                written.append(segment)
                continue
            name = _free_name(singular(before) or parameter.name, taken)
            taken.add(name)
            written.append(f"{{{name}}}")
            own.append(replace(parameter, name=name, schema=_segment_schema(parameter.schema), examples=()))
        path = path.replace(f"{{{parameter.name}}}", "/".join(written))
        place = parameters.index(parameter)
        parameters[place : place + 1] = own
    return (
        operation if path == operation.path else replace(operation, path=path, parameters=tuple(parameters))
    )


def _name_segments(api: Api, parameter: Parameter) -> tuple[str, ...]:
    """Return the segments of the pattern of a resource name, none for another parameter."""
    if parameter.location_in is not ParameterLocation.PATH or parameter.schema is None:
        return ()
    constraints = api.resolve(parameter.schema).constraints
    pattern = next((str(item.value) for item in constraints if item.keyword == "pattern"), "")
    segments = tuple(_split_pattern(pattern.removeprefix("^").removesuffix("$")))
    is_name = len(segments) > 1 and all(_FIXED.fullmatch(text) or _ANY.fullmatch(text) for text in segments)
    return segments if is_name and any(map(_ANY.fullmatch, segments)) else ()


def _split_pattern(pattern: str) -> Iterator[str]:
    """Yield the texts between the slashes of a pattern; one in brackets is part of a text."""
    yield from (
        text.replace("\\", "") if "[" not in text else text for text in re.split(r"(?<!\[\^)\\?/", pattern)
    )


def _free_name(name: str, taken: set[str]) -> str:
    return next(
        text for text in (name, *(f"{name}_{number}" for number in range(2, 99))) if text not in taken
    )


def _segment_schema(schema: Schema | None) -> Schema | None:
    if schema is None:
        return None
    kept = tuple(item for item in schema.constraints if item.keyword != "pattern")
    return replace(schema, constraints=kept, examples=())
