"""What is written in the components of a contract: digests of it, and the components that nothing refers to."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote

from devportal.contract.model import UnusedComponent
from devportal.contract.read.lifecycle_extensions import leads_to_internal
from devportal.contract.read.source import Node, Source
from devportal.contract.schemas import Location
from devportal.contract.validate.oas_objects import COMPONENT_SECTIONS

_REFERENCE = re.compile(r"#/components/([^/\s\"']+)/([^\s\"',\]}]+)")
_READ_ANYWAY = frozenset({"schemas", "securitySchemes"})
_Names = frozenset[tuple[str, str]]


def read_component_names(root: Node, hidden: _Names) -> _Names:
    """Return section and name of each published component but schemas and security schemes, which are read
    whether or not something uses them; `hidden` are those of components that are not published.
    """
    return frozenset((section, name) for section, name, _ in _published_components(root, hidden))


def read_unused_components(root: Node, hidden: _Names) -> Iterator[UnusedComponent]:
    """Yield the components of `read_component_names` that no file of the contract refers to."""
    published = [*_published_components(root, hidden)]
    used = frozenset(_referenced_names(root)) if published else frozenset()
    for section, name, member in published:
        if (section, name) not in used:
            yield UnusedComponent(
                section=section, name=name, digest=_text_digest(member.value), location=member.location
            )


def _published_components(root: Node, hidden: _Names) -> Iterator[tuple[str, str, Node]]:
    components = root.mapping("components")
    if components is None:
        return
    for section in (
        component_section
        for component_section in COMPONENT_SECTIONS.values()
        if component_section not in _READ_ANYWAY
    ):
        for name, member in components.members(section):
            if (section, name) not in hidden and not leads_to_internal(member):
                yield section, name, member


def _referenced_names(root: Node) -> Iterator[tuple[str, str]]:
    """Yield section and name of each component that some reference names, or something below it."""
    for document in root.source.documents().values():
        for section, rest in _REFERENCE.findall(document.text):
            yield section, unquote(rest.partition("/")[0]).replace("~1", "/").replace("~0", "~")


class TextDigests(Mapping[Location, str]):
    """A digest of the text of each component, and of each schema in another file, made when first asked for: only
    comparisons need them.

    A component that is only a reference to another file has the text of that.
    """

    def __init__(self, source: Source, schemas: Iterable[Location]) -> None:
        """Take the documents of a contract, and the locations of its shared schemas."""
        self._source = source
        self._schemas = schemas

    @cached_property
    def _digests(self) -> dict[Location, str]:
        return dict(_text_digests(self._source, self._schemas))

    def __getitem__(self, location: Location) -> str:
        return self._digests[location]

    def __iter__(self) -> Iterator[Location]:
        return iter(self._digests)

    def __len__(self) -> int:
        return len(self._digests)


def _text_digests(source: Source, schemas: Iterable[Location]) -> Iterator[tuple[Location, str]]:
    """Yield location and digest of each of these texts."""
    documents = source.documents()
    is_one_file = len(documents) == 1
    for file, document in documents.items():
        components = document.data.get("components") if isinstance(document.data, dict) else None
        for section, members in components.items() if isinstance(components, dict) else ():
            for name, value in members.items() if isinstance(members, dict) else ():
                if is_one_file or not _leads_to_file(value):
                    location = Location(file, ("components", str(section), str(name)))
                    yield location, _text_digest(value if is_one_file else _without_files(value))
    for location in schemas:
        if location.file in documents and location.file and location.pointer[:1] != ("components",):
            node = source.node_at(location, location, "")
            if node is not None:
                yield location, _text_digest(_without_files(node.value))


def _leads_to_file(value: Any) -> bool:
    """Say whether a value is only a reference to another file."""
    reference = value.get("$ref") if isinstance(value, dict) and len(value) == 1 else None
    return isinstance(reference, str) and not reference.startswith("#")


def _without_files(value: Any) -> Any:
    """Return a value whose references name components whatever file holds them."""
    if isinstance(value, list):
        return [_without_files(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _component_reference(member)
        if key == "$ref" and isinstance(member, str)
        else _without_files(member)
        for key, member in value.items()
    }


def _component_reference(reference: str) -> str:
    """Return a reference as it would be written in one file."""
    file, _, fragment = reference.partition("#")
    if fragment.startswith("/components/"):
        return f"#{fragment}"
    return reference if fragment else f"#/components/schemas/{PurePosixPath(file).stem}"


def _text_digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, default=str, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()
