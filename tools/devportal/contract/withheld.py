"""Which objects of the raw documents are not published: those marked, and those that nothing is left of."""

from typing import Any

from devportal.contract.objects import parts
from devportal.contract.operation_names import Operations
from devportal.contract.read_parts import internal_schemes
from devportal.contract.schemas import Location
from devportal.contract.source import Source
from devportal.contract.untold import read_untold

_OPERATIONS = frozenset({"operation", "sent operation"})
_PATH_ITEMS = frozenset({"path item", "event"})
_MADE_OF_OTHERS = _OPERATIONS | _PATH_ITEMS | {"callback"}


def is_internal(value: Any) -> bool:
    """Say whether an object is marked as internal."""
    return isinstance(value, dict) and value.get("x-internal") is True


class Withheld:
    """Judges the objects of one contract."""

    def __init__(self, source: Source, operations: Operations | None = None) -> None:
        """Take the documents, and the operations that links may not lead to where those are known."""
        self._source = source
        self._operations = operations or Operations()
        self.untold = read_untold(source)
        """What schemas may not tell of others."""
        self._security = source.root().value.get("security")
        self.schemes = internal_schemes(source.root().mapping("components"))
        """The names of the security schemes that are not published."""

    def holds(self, kind: str, value: Any, here: Location) -> bool:
        """Say whether an object is not published, or what its references lead to is not."""
        return self._holds(kind, value, here, frozenset())

    def holds_itself(self, kind: str, value: Any, here: Location) -> bool:
        """Say whether an object is not published, wherever a reference in it leads."""
        if is_internal(value) or self._is_untold(kind, value, here):
            return True
        is_whole = kind in _MADE_OF_OTHERS and isinstance(value, dict) and "$ref" not in value
        return is_whole and self._has_nothing_public(kind, value, here, frozenset())

    def _is_untold(self, kind: str, value: Any, here: Location) -> bool:
        """Say whether an object that nothing marks tells only of what is internal."""
        if kind == "link" and isinstance(value, dict):
            return self._operations.hold_target(value, here, self._source)
        return kind == "schema" and self.untold.holds(here)

    def _holds(self, kind: str, value: Any, here: Location, seen: frozenset[Location]) -> bool:
        if not isinstance(value, dict) or is_internal(value):
            return isinstance(value, dict)
        if self._is_untold(kind, value, here):
            return True
        reference = value.get("$ref") if kind else None
        if not isinstance(reference, str):
            return kind in _MADE_OF_OTHERS and self._has_nothing_public(kind, value, here, seen)
        target = self._source.known(reference, here)
        if target is None or target in seen:
            return False
        node = self._source.node_at(target, here, reference)
        return node is not None and self._holds(kind, node.value, target, seen | {target})

    def _has_nothing_public(
        self, kind: str, value: dict[str, Any], here: Location, seen: frozenset[Location]
    ) -> bool:
        if kind in _OPERATIONS:
            stated = value.get("security", self._security if kind == "operation" else None)
            return bool(self.public_requirements(stated) == [] and stated)
        below = [
            (one, member, here.child(*pointer))
            for one, member, pointer in parts(kind, value)
            if kind == "callback" or one in _OPERATIONS
        ]
        return bool(below) and all(self._holds(*one, seen) for one in below)

    def public_requirements(self, written: Any) -> Any:
        """Return the security alternatives that need no scheme which is not published."""
        if not isinstance(written, list):
            return written
        return [one for one in written if not (isinstance(one, dict) and one.keys() & self.schemes)]
