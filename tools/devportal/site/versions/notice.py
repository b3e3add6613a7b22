"""What a page of an earlier release says at its top: which release it is of, and what is there now."""

from collections.abc import Iterator
from dataclasses import dataclass

from devportal.changelog.history import NEXT
from devportal.site.versions.chronicle import Removal

Piece = tuple[str, str]
"""Words, and the uri of the page that they lead to, if any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A notice in pieces; `canonical` is the uri of the same part in the present contract, if it is there."""

    pieces: tuple[Piece, ...]
    canonical: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What became of a part of an earlier release.

    `uri` is where the present version shows it, or with a `title` what is nearest to it; `since` is the uri
    of the page of all changes since, if there is one.
    """

    noun: str
    present: str
    uri: str
    title: str = ""
    removal: Removal | None = None
    since: str = ""


def notice(version: str, date: str, fate: Fate) -> Notice:
    """Return the notice on the pages of a part of an earlier release."""
    which = f"This is release {version}{f' of {date}' if date else ''}."
    pieces = ((which, ""), (" ", ""), *_pieces(fate))
    since = ((" ", ""), ("What changed since", fate.since)) if fate.since else ()
    return Notice(pieces=(*pieces, *since), canonical="" if fate.title else fate.uri)


def _pieces(fate: Fate) -> Iterator[Piece]:
    if not fate.title:
        yield f"The newest is {fate.present}: ", ""
        yield f"this {fate.noun} there", fate.uri
        yield ".", ""
        return
    yield f"This {fate.noun} is not in {fate.present}, the newest", ""
    if fate.removal is not None:
        yield ": it was ", ""
        yield _removed(fate.removal.version), fate.removal.uri
    yield ". See ", ""
    yield " ".join(fate.title.split()), fate.uri
    yield " there.", ""


def _removed(version: str) -> str:
    return "removed, which is not released yet" if version == NEXT else f"removed in {version}"
