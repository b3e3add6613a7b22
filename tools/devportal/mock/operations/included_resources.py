"""Compound documents of JSON:API §7.5: `included` has the resources that relationships named in `include` lead to."""

from collections.abc import Iterator, Sequence
from typing import Any

from devportal.conformance.knowledge.json_api import Identity, linked_resources, resource_identity
from devportal.contract.path_templates import last_segment, parent_path
from devportal.mock.operations.call import Call
from devportal.mock.resources.nested_members import nest_members
from devportal.mock.resources.plan import Plan
from devportal.mock.resources.store import State, described_members

_INCLUDED, _INCLUDE = "included", "include"
"""The member with other resources, and the parameter that names relationships (JSON:API §7.6.1)."""
_LONGEST_PATH = 5


class IncludedResources:
    """Finds what documents of one contract include."""

    def __init__(self, plan: Plan) -> None:
        """Take what operations do."""
        self._types = {
            last_segment(parent_path(kind.path)): kind
            for kind in plan.types
            if kind.nested and not kind.scope_names
        }

    def add_to(self, call: Call, document: Any) -> Any:
        """Return a document of JSON:API that says what it includes: what the request names, and nothing without that.
        Other documents stay as they are.
        """
        if not self._types or not isinstance(document, dict) or _INCLUDED not in document:
            return document
        data = document.get("data")
        primary = data if isinstance(data, list) else [data]
        found: dict[Identity, Any] = {}
        for path in _relationship_paths(call.read.query(_INCLUDE)):
            reached = primary
            for name in path:
                related = dict(self._related_resources(call.state, reached, name))
                found |= related
                reached = [*related.values()]
        own = {resource_identity(resource) for resource in primary}
        others = [resource for identity, resource in found.items() if identity not in own]
        return {**document, _INCLUDED: others}

    def _related_resources(
        self, state: State, resources: Sequence[Any], name: str
    ) -> Iterator[tuple[Identity, dict[str, Any]]]:
        for resource in resources:
            for identity in linked_resources(resource).get(name, ()):
                kind = self._types.get(identity[0])
                record = state.find(kind.path, (), identity[1]) if kind is not None else None
                if kind is not None and record is not None:
                    yield identity, nest_members(described_members(record), kind.nested)


def _relationship_paths(given: Any) -> Iterator[list[str]]:
    """Yield the names of relationships that lead to what a request includes: `comments.author` (§7.6.1)."""
    texts = given if isinstance(given, list) else [given]
    for text in (path for whole in texts if isinstance(whole, str) for path in whole.split(",")):
        yield text.strip().split(".")[:_LONGEST_PATH]
