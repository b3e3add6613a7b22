"""A contract as it is written, read without any code of ours: what the reader overlooks, this does not."""

import json
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import yaml

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")


class _Loader(yaml.CSafeLoader):
    """YAML with the scalars of JSON: `18:00`, `no` and dates are text (YAML 1.2.2 §10.3.2)."""


_Loader.yaml_implicit_resolvers = {}
for _tag, _pattern, _first in (
    ("null", r"~|null|Null|NULL|", "~nN\0"),
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(rf"(?:{_pattern})\Z"), list(_first))


@dataclass(frozen=True)
class Node:
    """A value with the file and pointer where it stands."""

    value: Any
    file: str
    pointer: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name that a shared part goes by: its key, or its file's."""
        return self.pointer[-1] if self.pointer else posixpath.splitext(posixpath.basename(self.file))[0]

    def get(self, key: str) -> "Node | None":
        """Return a member of a mapping, None where there is none."""
        if isinstance(self.value, dict) and key in self.value:
            return Node(self.value[key], self.file, (*self.pointer, key))
        return None

    def text(self, key: str) -> str:
        """Return a text member, the empty text where there is none."""
        value = self.value.get(key) if isinstance(self.value, dict) else None
        return value if isinstance(value, str) else ""

    def is_true(self, key: str) -> bool:
        """Say whether a flag is set."""
        return isinstance(self.value, dict) and self.value.get(key) is True

    def members(self, key: str) -> Iterator[tuple[str, "Node"]]:
        """Yield the published members of a mapping member with their names."""
        below = self.get(key)
        if below is not None:
            yield from below.entries()

    def entries(self) -> Iterator[tuple[str, "Node"]]:
        """Yield the published members of this mapping with their names."""
        if isinstance(self.value, dict):
            for name, value in self.value.items():
                yield str(name), Node(value, self.file, (*self.pointer, str(name)))

    def items(self, key: str) -> Iterator["Node"]:
        """Yield the items of a list member."""
        below = self.get(key)
        if below is not None and isinstance(below.value, list):
            for number, value in enumerate(below.value):
                yield Node(value, self.file, (*below.pointer, str(number)))


class Raw:
    """The files of one contract, and what references in them lead to."""

    def __init__(self, data: Any, folder: Path | None = None, name: str = "") -> None:
        """Take the data of the root file, and the folder and name it has."""
        self._folder = folder
        self._documents: dict[str, Any] = {"": data, name: data}
        self._name = name
        self.root = Node(data, "", ())

    @classmethod
    def read(cls, path: Path) -> "Raw":
        """Return the contract in a file."""
        return cls(_load_file(path), path.parent, path.name)

    @cached_property
    def is_first(self) -> bool:
        """Whether this is OAS 3.0, in which nothing counts beside a `$ref`."""
        return self.root.text("openapi").startswith("3.0")

    def follow(self, node: Node) -> Node | None:
        """Return what the `$ref` of a node names, None where it has none or it leads nowhere."""
        reference = node.text("$ref")
        if not reference:
            return None
        path, _, fragment = reference.partition("#")
        file = (
            posixpath.normpath(posixpath.join(posixpath.dirname(node.file), unquote(path)))
            if path
            else node.file
        )
        pointer = tuple(
            unquote(token).replace("~1", "/").replace("~0", "~") for token in fragment.split("/")[1:]
        )
        value = self._document(file)
        for token in pointer:
            if isinstance(value, list) and token.isdigit() and int(token) < len(value):
                value = value[int(token)]
            elif isinstance(value, dict) and token in value:
                value = value[token]
            else:
                return None
        return Node(value, "" if file == self._name else file, pointer)

    def chain(self, node: Node) -> list[Node]:
        """Return a node and, one after the other, what its references lead to; nothing where that ends."""
        found = [node]
        while (target := self.follow(found[-1])) is not None and target not in found:
            found.append(target)
        return found if not found[-1].text("$ref") else []

    def resolve(self, node: Node | None) -> Node | None:
        """Return what a part finally is, None where it is internal or its reference leads nowhere."""
        chain = self.chain(node) if node is not None else []
        if (
            not chain
            or any(child.is_true("x-internal") for child in chain)
            or not isinstance(chain[-1].value, dict)
        ):
            return None
        last = chain[-1]
        beside = {
            key: child.value[key]
            for child in reversed(chain[:-1])
            for key in ("summary", "description")
            if key in child.value and not self.is_first
        }
        return Node({**last.value, **beside}, last.file, last.pointer) if beside else last

    def _document(self, file: str) -> Any:
        if file not in self._documents:
            path = self._folder / file if self._folder else None
            self._documents[file] = _load_file(path) if path is not None and path.is_file() else None
        return self._documents[file]


def _load_file(path: Path) -> Any:
    text = path.read_text(encoding="utf-8-sig")
    return json.loads(text) if path.suffix == ".json" else yaml.load(text, Loader=_Loader)  # noqa: S506 - safe
