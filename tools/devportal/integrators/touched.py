"""Which changes touch what is used. Whatever is not known for sure touches: no change passes in silence."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from devportal.contract.path_templates import without_names
from devportal.differ.places.place_parts import ANY_NAME, ITEM, STEP_STARTS
from devportal.integrators.uses import Path, Use, UseKind, path_text

Data = Mapping[str, Any]
_HARMLESS = frozenset({"additive", "fix", "docs"})
"""Impacts that code can ignore."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """A use that a change touches, and the part of it: a field, a parameter, or empty for all of it."""

    use: Use | None
    """None if the change touches everybody."""
    part: str = ""

    @property
    def name(self) -> str:
        """Return operation or event, and the part."""
        return f"{self.use.name if self.use else 'the whole API'} {self.part}".rstrip()


def is_harmless(change: Data) -> bool:
    """Return whether code can ignore a change, whatever it uses."""
    return change["impact"] in _HARMLESS


def touches(change: Data, uses: Iterable[Use]) -> tuple[Touch, ...]:
    """Return what a change touches of what is used, each part once. Names of placeholders may differ."""
    if is_harmless(change):
        return ()
    uses = tuple(uses)
    kind = change["subject"]["kind"]
    if kind not in {"operation", "event", "component"}:
        return (Touch(use=None),) if uses else ()
    by_name: dict[tuple[str, str], list[Use]] = defaultdict(list)
    for use in uses:
        by_name[use.kind.value, without_names(use.name)].append(use)
    places = change["places"] or (
        [{**change["subject"], "side": "", "path": []}] if kind != "component" else []
    )
    found: dict[Touch, None] = {}
    for place in places:
        if place["kind"] not in {"operation", "event"}:
            found.update(dict.fromkeys([Touch(use=None)] if uses else ()))
            continue
        for use in by_name.get((place["kind"], without_names(place["name"])), ()):
            for part in touched_parts(use, place, change):
                found[Touch(use=use, part=part)] = None
    whole = {touch.use for touch in found if not touch.part}
    return tuple(touch for touch in found if not touch.part or touch.use not in whole)


def touched_parts(use: Use, place: Data, change: Data) -> Iterator[str]:
    """Yield the parts of a use that a change at a place touches; an empty one is all of it."""
    match place["side"]:
        case "parameter":
            yield from _touched_parameters(use, place, change)
        case "request":
            yield from _touched_request(use, place, change)
        case "response":
            yield from _touched_response(use, place, change)
        case _:
            yield ""


def _touched_parameters(use: Use, place: Data, change: Data) -> Iterator[str]:
    name = f"{place.get('location', '')}.{place.get('parameter', '')}"
    used = use.parameters
    is_certain = used is None or place.get("location") == "path" or _is_demanded(change)
    is_used = is_certain or any(_is_parameter(text, name) for text in used or ())
    if is_used and not _is_unused_value(use, (name,), change):
        yield name


def _is_parameter(used: str, changed: str) -> bool:
    """Return whether a parameter is the changed one; names of headers have no case (RFC 9110 §5.1)."""
    if used.startswith("header."):
        used, changed = used.lower(), changed.lower()
    return changed == used or (changed.startswith(used) and changed[len(used)] in STEP_STARTS)


def _is_demanded(change: Data) -> bool:
    """Return whether a change asks for what a client may not send yet: a new or now required part."""
    return "required" in change["rule"] or (change["area"] == "parameter" and change["action"] == "added")


def _touched_request(use: Use, place: Data, change: Data) -> Iterator[str]:
    path = tuple(place["path"])
    if not path or use.request is None:
        yield _place_text("request", path)
        return
    if use.kind is UseKind.OPERATION and _is_demanded(change):
        parent = path[:-1]
        if not parent or any(_are_related(item, parent) for item in use.request):
            yield _place_text("request", path)
        return
    matches = [_place_text("request", item) for item in _used_at(use.request, path, change)]
    if matches and not _is_unused_value(use, matches, change):
        yield from matches


def _touched_response(use: Use, place: Data, change: Data) -> Iterator[str]:
    status, path, header = place.get("status", ""), tuple(place["path"]), place.get("header", "")
    if header and (use.headers is None or header.lower() in {header.lower() for header in use.headers}):
        yield f"response.{status}.header.{header}"
        return
    if use.responses is None:
        yield _place_text(f"response.{status}", path)
        return
    if not path:
        if change["area"] != "schema" or any(_share_status(response, status) for response in use.responses):
            yield f"response.{status}"
        return
    for used_status, fields in use.responses.items():
        is_same = _share_status(used_status, status)
        used = _used_at(fields, path, change) if is_same else _used_below(fields, path, change)
        yield from (_place_text(f"response.{used_status}", item) for item in used)


def _share_status(first: str, other: str) -> bool:
    """Return whether two statuses, ranges such as `4XX` or `default` can be those of one response."""
    if "default" in {first, other} or not first or not other:
        return True
    return len(first) == len(other) and all(
        left == right or "X" in {left, right}
        for left, right in zip(first.upper(), other.upper(), strict=True)
    )


def _used_at(fields: Iterable[Path], path: Path, change: Data) -> tuple[Path, ...]:
    """Return the used fields at a place: it, what is in it, and what it is in."""
    fields = tuple(fields)
    return tuple(field for field in fields if _are_related(field, path)) or _used_below(fields, path, change)


def _used_below(fields: Iterable[Path], path: Path, change: Data) -> tuple[Path, ...]:
    """Return the used fields that may lie in the shared schema that changed.

    A change names one place in an operation that uses a schema indirectly. Other places are found by how they
    end: by the path in the schema, or if all of the schema changed by the name of the property that has it.
    """
    if change["schema_path"] is None:
        return ()
    names = [number for number, step in enumerate(path) if step != ITEM]
    inner = tuple(change["schema_path"]) or (path[names[-1] :] if names else ())
    if not inner:
        return ()
    return tuple(
        field for field in fields if any(_are_related(field[start:], inner) for start in range(len(field)))
    )


def _are_related(first: Path, other: Path) -> bool:
    """Return whether one path leads to the other or into it, or the reverse."""
    return all(left == right or ANY_NAME in {left, right} for left, right in zip(first, other, strict=False))


_REMOVED_VALUE = "schema.enum.value.removed"


def _is_unused_value(use: Use, places: Iterable[str], change: Data) -> bool:
    """Return whether a change removes a value that is sent at none of the places, which all list their values."""
    if change["rule"] != _REMOVED_VALUE or "old" not in change:
        return False
    listed = [use.values.get(place) for place in places]
    return all(values is not None and change["old"] not in values for values in listed)


def _place_text(side: str, path: Path) -> str:
    return f"{side}.{path_text(path)}" if path else side
