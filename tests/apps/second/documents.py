"""The contract as this server reads it: its operations, with the validators of what they take.

The files are read and their references followed here, without the toolkit's loader, so that the two can
disagree.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote

import yaml
from openapi_schema_validator import OAS30WriteValidator, oas30_format_checker

METHODS = ("get", "put", "post", "patch", "delete")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter in the query, the path or a header."""

    name: str
    place: str
    is_required: bool
    schema: Mapping[str, Any]

    def faults(self, value: object) -> list[str]:
        """Return what is wrong with a value."""
        return [error.message for error in _validator(self.schema).iter_errors(value)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method of one path. `scope` is empty where no token is needed, `body` None where none is taken."""

    name: str
    method: str
    path: tuple[str, ...]
    scope: str
    api: str
    parameters: tuple[Parameter, ...]
    body: Mapping[str, Any] | None
    has_content: bool

    def parameters_in(self, place: str) -> dict[str, Parameter]:
        """Return the parameters in `query`, `path` or `header`, by name."""
        return {parameter.name: parameter for parameter in self.parameters if parameter.place == place}

    def body_faults(self, value: object) -> list[dict[str, str]]:
        """Return the faults of a body, each with what is wrong and a JSON Pointer."""
        found = [
            {"detail": _sentence(error.message), "pointer": _pointer(error.absolute_path)}
            for error in _validator(self.body or {}).iter_errors(value)
        ]
        return sorted(found, key=lambda item: item["pointer"])[:50]


class Documents:
    """The files of a contract, from its root."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files: dict[str, Any] = {}

    @cached_property
    def operations(self) -> tuple[Operation, ...]:
        """Return all operations."""
        return tuple(self._operations())

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """Return the titles of the problem types, by their addresses."""
        return {
            problem_type["type"]: problem_type["title"]
            for problem_type in self._file(self._root.name)["x-problem-types"]
        }

    def _operations(self) -> Iterator[Operation]:
        paths = self._inline(self._file(self._root.name)["paths"], self._root.name)
        for path, item in paths.items():
            for method in METHODS:
                if method in item:
                    yield _operation(path, method, item[method])

    def _file(self, name: str) -> Any:
        if name not in self._files:
            text = (self._root.parent / name).read_text(encoding="utf-8")
            self._files[name] = yaml.load(text, Loader=yaml.CSafeLoader)
        return self._files[name]

    def _inline(self, node: Any, file: str) -> Any:
        """Return a copy without references, with patterns as Python reads them."""
        if isinstance(node, list):
            return [self._inline(item, file) for item in node]
        if not isinstance(node, dict):
            return node
        if isinstance(target := node.get("$ref"), str):
            name, _, pointer = target.partition("#")
            return self._inline(self._node_at(name or file, pointer), name or file)
        skipped = {"responses", "example", "examples", "discriminator"}
        copied = {name: self._inline(value, file) for name, value in node.items() if name not in skipped}
        if "responses" in node and "operationId" in node:
            copied["responses"] = node["responses"]
        if isinstance(copied.get("pattern"), str):
            copied["pattern"] = _python_pattern(copied["pattern"])
        return copied

    def _node_at(self, file: str, pointer: str) -> Any:
        node = self._file(file)
        for step in pointer.split("/")[1:]:
            node = node[step.replace("~1", "/").replace("~0", "~")]
        return node


def _operation(path: str, method: str, written: Mapping[str, Any]) -> Operation:
    body = written.get("requestBody")
    return Operation(
        name=written["operationId"],
        method=method.upper(),
        path=tuple(path.strip("/").split("/")),
        scope="" if written.get("security") == [] else written["x-scopes"][0],
        api=written["tags"][0].lower().replace(" ", "-"),
        parameters=tuple(map(_parameter, written.get("parameters", ()))),
        body=body["content"]["application/json"]["schema"] if body else None,
        has_content="204" not in written["responses"],
    )


def _parameter(written: Mapping[str, Any]) -> Parameter:
    return Parameter(
        name=written["name"],
        place=written["in"],
        is_required=written.get("required", False),
        schema=written["schema"],
    )


def _validator(schema: Mapping[str, Any]) -> Any:
    return OAS30WriteValidator(schema, format_checker=oas30_format_checker)


def _python_pattern(pattern: str) -> str:
    r"""Return a pattern of ECMA-262, where `$` is the end: in Python, a line feed may follow it."""
    return pattern[:-1] + r"\Z" if pattern.endswith("$") and not pattern.endswith(r"\$") else pattern


def _sentence(message: str) -> str:
    return message if len(message) <= 400 else f"{message[:200]} … {message[-190:]}"


def _pointer(path: Any) -> str:
    steps = (str(item).replace("~", "~0").replace("/", "~1") for item in path)
    return ("#" + "".join(f"/{quote(step, safe='')}" for step in steps))[:500]
