"""Every object that a contract publishes, in the root file and in those that references lead to."""

from collections import deque
from collections.abc import Iterator
from typing import Any

from devportal.contract.internal import Part, references
from devportal.contract.objects import SMALL, parts
from devportal.contract.schemas import Location
from devportal.contract.source import Source
from devportal.contract.withheld import is_internal
from devportal.documents import Pointer


def published_objects(source: Source) -> Iterator[Part]:
    """Yield the objects of the root file, and those of others that references lead to, each once."""
    pending: deque[Part] = deque([("document", source.root().value, Location("", ()))])
    seen: set[tuple[str, Location]] = set()
    while pending:
        kind, value, here = pending.popleft()
        if not isinstance(value, dict) or is_internal(value) or (kind, here) in seen:
            continue
        seen.add((kind, here))
        yield kind, value, here
        pending.extend((below, one, here.child(*pointer)) for below, one, pointer in _parts(kind, value))
        pending.extend(entry for entry in _entries(source, kind, value, here) if (kind, entry[2]) not in seen)


def objects_of_other_files(source: Source) -> Iterator[Part]:
    """Yield the objects that references lead to in other files than the root, without those within them."""
    seen: set[tuple[str, Location]] = set()
    for kind, value, here in published_objects(source):
        for entry in _entries(source, kind, value, here):
            if (kind, entry[2]) not in seen:
                seen.add((kind, entry[2]))
                yield entry


def _entries(source: Source, kind: str, value: dict[str, Any], here: Location) -> Iterator[Part]:
    for reference in references(kind, value):
        target = source.locate(reference, here)
        node = source.node_at(target, here, reference) if target is not None and target.file else None
        if node is not None:
            yield kind, node.value, node.location


def _parts(kind: str, value: dict[str, Any]) -> Iterator[tuple[str, Any, Pointer]]:
    yield from parts(kind, value)
    for key, below in SMALL.get(kind, {}).items():
        yield below, value.get(key), (key,)
    variables = value.get("variables") if kind == "server" else None
    for name, one in variables.items() if isinstance(variables, dict) else ():
        yield "server variable", one, ("variables", str(name))
