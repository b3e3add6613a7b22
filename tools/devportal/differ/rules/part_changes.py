"""Changes of parts that both contracts have: most rules find those."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol, TypedDict, Unpack

from devportal.contract import Location, MediaType, Stability
from devportal.differ.phrase import list_phrase, phrase
from devportal.differ.rule import FoundChange, Verdict
from devportal.differ.schemas.text_changes import comparable_examples


class HasLocation(Protocol):
    """Anything with a location in a contract."""

    @property
    def location(self) -> Location | None:
        """Return its location."""


class FoundChangeFields(TypedDict, total=False):
    """The fields of a found change except its locations."""

    old: Any
    new: Any
    verdict: Verdict | None
    reason: str
    hint: str


def change_between(
    before: HasLocation,
    after: HasLocation,
    *,
    names: Mapping[str, str] | None = None,
    stability: Stability | None = None,
    **fields: Unpack[FoundChangeFields],
) -> FoundChange:
    """Return a change of a part that both contracts have."""
    return FoundChange(
        old_location=before.location,
        new_location=after.location,
        names=names or {},
        stability=stability,
        **fields,
    )


Texts = Mapping[str, object]
"""The texts of a part by what they are called; what is empty is not there."""


def edited_texts(old: Texts, new: Texts) -> str:
    """Return which texts differ, such as `summary, description added`; empty if none does."""
    return list_phrase(_edits(old, new))


def _edits(old: Texts, new: Texts) -> Iterator[str]:
    for name in {**old, **new}:
        before, after = old.get(name) or None, new.get(name) or None
        if before == after:
            continue
        if before is None:
            yield phrase("%(text)s added", text=name)
        elif after is None:
            yield phrase("%(text)s removed", text=name)
        else:
            yield name


def examples_of_media(media_types: Iterable[MediaType]) -> tuple[object, ...]:
    """Return the examples of media types, comparable with those of as many others; empty if there are none."""
    examples = tuple(comparable_examples(media_type.examples) for media_type in media_types)
    return examples if any(examples) else ()
