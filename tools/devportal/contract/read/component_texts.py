"""The components of a contract that no reference leads to, but schemas and security schemes, which are read
whether or not something uses them.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from devportal.contract.model import UnusedComponent
from devportal.contract.read.lifecycle_extensions import leads_to_internal
from devportal.contract.read.source import Node
from devportal.contract.validate.oas_objects import COMPONENT_SECTIONS

_REFERENCE = re.compile(r"#/components/([^/\s\"']+)/([^\s\"',\]}]+)")
_READ_ANYWAY = frozenset({"schemas", "securitySchemes"})


def read_unused_components(root: Node, hidden: frozenset[tuple[str, str]]) -> Iterator[UnusedComponent]:
    """Yield the components that no file of the contract refers to; `hidden` are the section and name of those
    that are not published.
    """
    components = root.mapping("components")
    declared = [
        (section, name, member)
        for section in COMPONENT_SECTIONS.values()
        if components is not None and section not in _READ_ANYWAY
        for name, member in components.members(section)
    ]
    used = frozenset(_referenced_names(root)) if declared else frozenset()
    for section, name, member in declared:
        if (section, name) not in used | hidden and not leads_to_internal(member):
            yield UnusedComponent(
                section=section, name=name, digest=_digest(member.value), location=member.location
            )


def _referenced_names(root: Node) -> Iterator[tuple[str, str]]:
    """Yield section and name of each component that some reference names, or something below it."""
    for document in root.source.documents().values():
        for section, rest in _REFERENCE.findall(document.text):
            yield section, unquote(rest.partition("/")[0]).replace("~1", "/").replace("~0", "~")


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
