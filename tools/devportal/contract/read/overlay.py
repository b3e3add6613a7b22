"""OpenAPI Overlays 1.0 and 1.1: changes of a contract in separate files, applied before anything else.

The rules are those of the Overlay Specification 1.1.0; targets are JSONPath (RFC 9535). One rule is stricter: an
action whose target selects nothing is a problem here, as what it was written for is no longer done.
"""

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from devportal.contract.wording import quote_value
from devportal.documents import Document, Pointer
from devportal.documents.document import with_changed_data
from devportal.errors import InvalidContract, Place
from devportal.findings import Finding, Level

if TYPE_CHECKING:
    from jsonpath_rfc9535 import JSONPathNode  # most contracts have no overlay, and it is slow to import

SUPPORTED_VERSIONS = ("1.0", "1.1")
_MODIFIERS = ("remove", "update", "copy")


class _Incompatible(ValueError):
    """A value that cannot be merged with what is there: where in the value, and why."""

    def __init__(self, pointer: Pointer, message: str) -> None:
        super().__init__(message)
        self.pointer = pointer


def apply_overlays(document: Document, overlays: Sequence[Document]) -> tuple[Document, tuple[Finding, ...]]:
    """Return a contract with the actions of overlays applied in order, and what is wrong with the actions.

    Places in the contract stay those of its file: what an overlay adds is placed at the nearest part of it.
    Raises InvalidContract for a file that is not an overlay of a version we read.
    """
    if not overlays or not isinstance(document.data, (dict, list)):
        return document, ()
    application = _Application(_without_sharing(document.data), document.name)
    for overlay in overlays:
        application.apply(overlay)
    added_text = "\n".join(overlay.text for overlay in overlays)
    changed = with_changed_data(document, application.data, added_text=added_text)
    return changed, tuple(application.findings)


@dataclass(slots=True)
class _Application:
    """Overlays being applied to the data of a contract."""

    data: Any
    contract: str
    """The name of the file that the overlays are applied to."""
    findings: list[Finding] = field(default_factory=list)

    def apply(self, overlay: Document) -> None:
        actions = tuple(_actions(overlay))
        self._check_extends(overlay)
        for number, action in enumerate(actions):
            at = ("actions", str(number))
            if not isinstance(action, dict):
                self._report(
                    overlay,
                    at,
                    f"an action is a mapping, not {quote_value(action)}",
                    "write target and update",
                )
                continue
            self._apply_action(overlay, at, action)

    def _apply_action(self, overlay: Document, at: Pointer, action: dict[str, Any]) -> None:
        if "target" not in action:
            self._report(overlay, at, "this action has no target", "write 'target:' with a JSONPath")
            return
        present = [
            modifier for modifier in _MODIFIERS if modifier in action and action[modifier] is not False
        ]
        if len(present) != 1:
            problem = "has none of" if not present else "has more than one of"
            self._report(
                overlay,
                at,
                f"this action {problem} {', '.join(_MODIFIERS)}",
                "write one of them in each action",
            )
            return
        (modifier,) = present
        if modifier == "copy" and _version(overlay) == "1.0":
            self._report(
                overlay,
                (*at, "copy"),
                "Overlay 1.0 has no 'copy': other programs ignore this action",
                "write 'overlay: 1.1.0' at the top",
            )
            return
        nodes = self._nodes(overlay, (*at, "target"), action.get("target"))
        if nodes is None:
            return
        if not nodes:
            self._report(
                overlay,
                (*at, "target"),
                f"the target {quote_value(action['target'])} selects nothing in the contract",
                "correct the path, or remove the action",
            )
            return
        if modifier == "remove":
            self._remove(nodes)
            return
        value = action["update"] if modifier == "update" else self._value_to_copy(overlay, at, action["copy"])
        if value is not _NOTHING:
            self._merge(overlay, (*at, modifier), nodes, value)

    def _check_extends(self, overlay: Document) -> None:
        """Report an overlay that is for another file (Overlay 1.1.0, `extends`). An address of the web may be the one
        at which the contract is published, so nothing is known of it.
        """
        written = overlay.data.get("extends") if isinstance(overlay.data, dict) else None
        if not isinstance(written, str):
            return
        try:
            address = urlsplit(written)
        except ValueError:
            return
        name = PurePosixPath(unquote(address.path)).name
        is_local = not address.scheme and not address.netloc
        if is_local and name and name != PurePosixPath(self.contract).name:
            self._report(
                overlay,
                ("extends",),
                f"this overlay is for {quote_value(written)}, and is applied to {quote_value(self.contract)}",
                "correct 'extends' or leave it out, or apply the overlay to its contract",
            )

    def _nodes(self, overlay: Document, at: Pointer, path: Any) -> "list[JSONPathNode] | None":
        """Return the nodes that a path selects, None after reporting a text that is not a path."""
        from jsonpath_rfc9535 import JSONPathError, find  # noqa: PLC0415 - see above

        if not isinstance(path, str):
            self._report(
                overlay,
                at,
                f"{quote_value(path)} is not a JSONPath",
                "write one such as $.paths['/orders'].get",
            )
            return None
        try:
            return list(find(path, self.data))
        except (JSONPathError, RecursionError) as error:
            reason = str(error) or "it is nested too deeply"
            self._report(
                overlay,
                at,
                f"{quote_value(path)} is not a JSONPath of RFC 9535: {reason}",
                "correct the path",
            )
            return None

    def _value_to_copy(self, overlay: Document, at: Pointer, path: Any) -> Any:
        nodes = self._nodes(overlay, (*at, "copy"), path)
        if nodes is not None and len(nodes) != 1:
            self._report(
                overlay,
                (*at, "copy"),
                f"{quote_value(path)} selects {len(nodes)} parts of the contract, and only one can be copied",
                "write a path that selects one",
            )
        return nodes[0].value if nodes is not None and len(nodes) == 1 else _NOTHING

    def _remove(self, nodes: Sequence["JSONPathNode"]) -> None:
        """Remove nodes, the last ones of a list first, so that positions stay right until then."""
        for node in sorted(nodes, key=_removal_order, reverse=True):
            if not node.location:
                self.data = {}
                continue
            parent = self._parent(node)
            if isinstance(parent, dict):
                parent.pop(node.location[-1], None)
            elif isinstance(parent, list) and isinstance(node.location[-1], int):
                del parent[node.location[-1]]

    def _merge(self, overlay: Document, at: Pointer, nodes: Sequence["JSONPathNode"], value: Any) -> None:
        if len({_kind(node.value) for node in nodes}) > 1:
            kinds = " and ".join(sorted({_kind(node.value) for node in nodes}))
            self._report(
                overlay,
                (*at[:-1], "target"),
                f"the target selects {kinds}, which one value cannot change",
                "write an action for each kind",
            )
            return
        for node in nodes:
            try:
                merged = _merge_into_target(node.value, copy.deepcopy(value))
            except _Incompatible as error:
                self._report(
                    overlay,
                    (*at, *error.pointer),
                    str(error),
                    "correct the value, or remove what is there first",
                )
                return
            if not node.location:
                self.data = merged
            else:
                self._parent(node)[node.location[-1]] = merged

    def _parent(self, node: "JSONPathNode") -> Any:
        parent = self.data
        for step in node.location[:-1]:
            parent = parent[step]
        return parent

    def _report(self, overlay: Document, pointer: Pointer, message: str, advice: str) -> None:
        self.findings.append(
            Finding(
                rule="contract-overlay",
                level=Level.ERROR,
                place=overlay.place(pointer),
                message=message,
                help=advice,
            )
        )


_NOTHING = object()


def _actions(overlay: Document) -> Iterator[Any]:
    """Yield the actions of an overlay. Raises InvalidContract."""
    data = overlay.data
    version = data.get("overlay") if isinstance(data, dict) else None
    if not isinstance(data, dict) or version is None:
        raise InvalidContract(
            "this is not an OpenAPI Overlay: it has no 'overlay' key",
            place=overlay.place() if isinstance(data, dict) else Place(file=overlay.name),
            help="give the path of a file that starts with 'overlay: 1.1.0'",
        )
    if _version(overlay) not in SUPPORTED_VERSIONS:
        raise InvalidContract(
            f"the Overlay version {quote_value(version)} is not supported",
            place=overlay.place(("overlay",)),
            help=f"versions {' and '.join(SUPPORTED_VERSIONS)} are; write it as text, such as '1.1.0'",
        )
    actions = data.get("actions")
    if not isinstance(actions, list):
        raise InvalidContract(
            "this overlay has no list of actions",
            place=overlay.place(("actions",)),
            help="write 'actions:' with a list, each with 'target' and 'update', 'copy' or 'remove'",
        )
    yield from actions


def _version(overlay: Document) -> str:
    """Return the first two numbers of the version of an overlay."""
    return ".".join(str(overlay.data.get("overlay")).split(".")[:2])


def _removal_order(node: "JSONPathNode") -> tuple[tuple[bool, int, str], ...]:
    return tuple(
        (isinstance(step, str), step if isinstance(step, int) else 0, str(step)) for step in node.location
    )


def _kind(value: Any) -> str:
    return "mappings" if isinstance(value, dict) else "lists" if isinstance(value, list) else "plain values"


def _merge_into_target(target: Any, value: Any) -> Any:
    """Return what a selected node becomes (Overlay 1.1.0, Action Object, `update`)."""
    if isinstance(target, list):
        return [*target, *value] if isinstance(value, list) else [*target, value]
    return _merge_values(target, value, ())


def _merge_values(target: Any, value: Any, at: Pointer) -> Any:
    if isinstance(target, dict) and isinstance(value, dict):
        merged = dict(target)
        for name, member in value.items():
            merged[name] = _merge_values(target[name], member, (*at, name)) if name in target else member
        return merged
    if isinstance(target, list) and isinstance(value, list):
        return [*target, *value]
    if isinstance(target, (dict, list)) or isinstance(value, (dict, list)):
        raise _Incompatible(at, f"{_kind(value)} cannot be merged with {_kind(target)}")
    return value


def _without_sharing(value: Any) -> Any:
    """Return a copy in which no two places share a value, as those of a YAML anchor and its aliases do."""
    if isinstance(value, dict):
        return {key: _without_sharing(member) for key, member in value.items()}
    return [_without_sharing(item) for item in value] if isinstance(value, list) else value
