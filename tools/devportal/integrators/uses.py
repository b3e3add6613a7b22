"""`uses.yaml`: the operations, parameters, fields, values and events of an API that somebody's code uses."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from typing import Any

from devportal.contract.semantic_version import read_version
from devportal.differ.change import property_step
from devportal.differ.places.place_parts import ANY_NAME, ITEM, parse_path
from devportal.documents import Document, Pointer, Shape
from devportal.findings import Finding, Level

Path = tuple[str, ...]
"""A way into a body: names of properties, `[]` for items, `*` for any name."""
VERSION = 1
RULE = "uses-file"
WHOLE_BODY = "."
_LOCATIONS = ("path", "query", "header", "cookie", "querystring")


class UseKind(StrEnum):
    """What is used."""

    OPERATION = "operation"
    EVENT = "event"


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """What is used of an operation or event. None is everything of that kind, an empty tuple nothing.

    `request` has the fields of what the operation is sent, or of what the event brings. `parameters` are written
    with their locations, `values` are those of a field by its place: `request.channel`.
    """

    kind: UseKind
    name: str
    parameters: tuple[str, ...] | None = None
    request: tuple[Path, ...] | None = None
    responses: Mapping[str, tuple[Path, ...]] | None = field(default=None, hash=False)
    headers: tuple[str, ...] | None = None
    values: Mapping[str, tuple[Any, ...]] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Uses:
    """Everything that is used; `since` is the release that the code is written for, empty if it is not named."""

    since: str = ""
    uses: tuple[Use, ...] = ()
    document: Document | None = field(default=None, repr=False, compare=False)

    def pointer(self, use: Use) -> Pointer:
        """Return where a use is written."""
        return (f"{use.kind}s", use.name)


def read_uses(document: Document) -> tuple[Uses, tuple[Finding, ...]]:
    """Return the uses that a file lists, and its problems. If there are any, the uses are empty."""
    misfits = uses_shape().misfits(document)
    findings = tuple(misfit.finding for misfit in misfits) or tuple(_name_problems(document))
    if findings:
        return Uses(document=document), findings
    data = document.data
    uses = (
        *(_operation_use(name, operation) for name, operation in data.get("operations", {}).items()),
        *(_event_use(name, event) for name, event in data.get("events", {}).items()),
    )
    return Uses(since=data.get("since", ""), uses=uses, document=document), ()


def path_text(path: Path) -> str:
    """Return a path as people write it: `data[].id`; the empty one is the whole body."""
    steps = (text if text == ITEM else ".*" if text == ANY_NAME else property_step(text) for text in path)
    return "".join(steps).removeprefix(".") or WHOLE_BODY


def parse_path_text(text: str) -> Path | None:
    """Return the path that a text writes, None if it writes none."""
    if text == WHOLE_BODY:
        return ()
    try:
        path = parse_path(text, has_patterns=False)
    except ValueError:
        return None
    return path if path and path_text(path) == text.removeprefix(".") else None


@lru_cache(maxsize=1)
def uses_shape() -> Shape:
    """Return the shape of the file."""
    return Shape(uses_schema(), rule=RULE, root="the file")


def uses_schema() -> dict[str, Any]:
    """Return the JSON Schema of the file, for editors."""
    text = files("devportal.integrators").joinpath("schemas", "uses.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def problem(document: Document, pointer: Pointer, message: str, help_: str) -> Finding:
    """Return a problem of the file."""
    place = document.place(pointer)
    return Finding(rule=RULE, level=Level.ERROR, place=place, message=message, help=help_)


def _name_problems(document: Document) -> Iterator[Finding]:
    """Yield names that are written as no name is, each at its place."""
    since = document.data.get("since")
    if since is not None and read_version(since) is None:
        yield problem(document, ("since",), f"{since!r} is not a release", "write a version such as 2.0.0")
    for name, use in document.data.get("operations", {}).items():
        yield from _operation_problems(document, ("operations", name), use)
    for name, use in document.data.get("events", {}).items():
        yield from _path_problems(document, ("events", name, "fields"), use.get("fields", ()))


def _operation_problems(document: Document, pointer: Pointer, use: dict[str, Any]) -> Iterator[Finding]:
    method, space, path = pointer[-1].partition(" ")
    if not space or not path.startswith("/") or not method.isalpha() or method != method.upper():
        yield problem(
            document,
            pointer,
            f"{pointer[-1]!r} is not an operation",
            "write method and path as in the contract, such as POST /v1/orders",
        )
    for number, name in enumerate(use.get("parameters", ())):
        location, dot, _ = name.partition(".")
        if not dot or location not in _LOCATIONS:
            yield problem(
                document,
                (*pointer, "parameters", str(number)),
                f"the parameter {name!r} has no location",
                f"write where it is sent, such as query.{name}",
            )
    yield from _path_problems(document, (*pointer, "request"), use.get("request", ()))
    for status, fields in use.get("responses", {}).items():
        yield from _path_problems(document, (*pointer, "responses", status), fields)


def _path_problems(document: Document, pointer: Pointer, fields: list[str]) -> Iterator[Finding]:
    for number, text in enumerate(fields):
        if parse_path_text(text) is None:
            yield problem(
                document,
                (*pointer, str(number)),
                f"{text!r} is not a field",
                "write names with dots between them and [] for items: data[].id",
            )


def _operation_use(name: str, data: dict[str, Any]) -> Use:
    responses = data.get("responses")
    return Use(
        kind=UseKind.OPERATION,
        name=name,
        parameters=_names(data.get("parameters")),
        request=_paths(data.get("request")),
        responses=None
        if responses is None
        else {status: _paths(fields) or () for status, fields in responses.items()},
        headers=_names(data.get("headers")),
        values={place: tuple(values) for place, values in data.get("values", {}).items()},
    )


def _event_use(name: str, data: dict[str, Any]) -> Use:
    headers = _names(data.get("headers"))
    return Use(
        kind=UseKind.EVENT,
        name=name,
        parameters=None if headers is None else tuple(f"header.{header}" for header in headers),
        request=_paths(data.get("fields")),
    )


def _names(names: list[str] | None) -> tuple[str, ...] | None:
    return None if names is None else tuple(names)


def _paths(texts: list[str] | None) -> tuple[Path, ...] | None:
    return None if texts is None else tuple(parse_path_text(text) or () for text in texts)
