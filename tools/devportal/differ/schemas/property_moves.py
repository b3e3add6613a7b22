"""Values that are in another object now: in one that is new beside them or in their place, or out of one that is
gone.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from devportal.differ.change import property_step
from devportal.differ.match.renames import MAX_PAIRS
from devportal.differ.normalise.forms import NormalProperty
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.phrase import list_phrase, or_phrase
from devportal.differ.rule import quote_value
from devportal.differ.schemas.pair import SchemaPair
from devportal.differ.schemas.position import Schemas

_Move = tuple[str, str]
"""The name of an object, and that of a property that moved into it or out of it."""


def property_moves(pair: SchemaPair) -> Mapping[str, str]:
    """Return where removed properties possibly moved, by their old names: a path, one of several, or the names of all
    that an object had.

    Values look alike in many places, so that a name has to be the same on both sides. Names such as `id` are in
    most objects: they count only if others moved with them.
    """
    removed, added = pair.properties.removed, pair.properties.added
    if pair.is_question or not removed or not added or len(removed) * len(added) > MAX_PAIRS:
        return {}
    wrapped = _convincing_moves(
        [
            (wrapper.name, old.name)
            for wrapper, inner in _members_of(pair.new_forms, added)
            for old in removed
            if old.name == inner.name and _is_alike(pair, old.schemas, inner.schemas)
        ]
    )
    unwrapped = _convincing_moves(
        [
            (wrapper.name, new.name)
            for wrapper, inner in _members_of(pair.old_forms, removed)
            for new in added
            if new.name == inner.name and _is_alike(pair, inner.schemas, new.schemas)
        ]
    )
    places: dict[str, list[str]] = {}
    for wrapper, name in wrapped:
        places.setdefault(name, []).append(quote_value(wrapper + property_step(name)))
    members: dict[str, list[str]] = {}
    for wrapper, name in unwrapped:
        members.setdefault(wrapper, []).append(quote_value(name))
    for wrapper, names in members.items():
        places.setdefault(wrapper, []).append(list_phrase(names))
    return {name: or_phrase(alternatives) for name, alternatives in places.items()}


def property_with_old_value(pair: SchemaPair) -> str:
    """Return the property of a new object that possibly has what was there before, such as a list in a page of it;
    nothing if there is none, or several.
    """
    if pair.is_question or "object" in pair.old.types or pair.new.types != {"object"}:
        return ""
    old = (pair.old.schema,)
    alike = [
        member.name
        for member in pair.new.members.values()
        if member.schemas and _is_alike(pair, old, member.schemas)
    ]
    return alike[0] if len(alike) == 1 else ""


def _is_alike(pair: SchemaPair, old: Schemas, new: Schemas) -> bool:
    return pair.is_alike(old, new) or pair.is_written_alike(old, new)


def _members_of(
    forms: SchemaNormaliser, properties: Sequence[NormalProperty]
) -> Iterator[tuple[NormalProperty, NormalProperty]]:
    """Yield each of the properties that is an object, with each property that this describes."""
    for wrapper in properties:
        form = forms.of(*wrapper.schemas)
        if form.types <= {"object"}:
            yield from ((wrapper, inner) for inner in form.members.values() if inner.schemas)


def _convincing_moves(moves: Sequence[_Move]) -> Iterator[_Move]:
    counts = Counter(wrapper for wrapper, _ in moves)
    return (move for move in moves if counts[move[0]] > 1 or move[1].casefold() not in _COMMON_NAMES)


_COMMON_NAMES = frozenset(
    {
        "code", "count", "created_at", "createdat", "data", "date", "description", "email", "href", "id", "key",
        "kind", "label", "links", "message", "metadata", "name", "object", "self", "state", "status", "text",
        "title", "total", "type", "updated_at", "updatedat", "uri", "url", "uuid", "value", "version",
    }
)  # fmt: skip
