"""A link, and what a reader of files finds in one."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Link:
    """A link as it is written, without entities, and where in the text."""

    target: str
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a file links to or loads, in order, and the anchors that links can lead to."""

    links: tuple[Link, ...] = ()
    anchors: frozenset[str] | None = None
    """None where they cannot be known: any anchor is then right."""
    repeated: tuple[Link, ...] = ()
    """Ids that another element of the page has already, each where it stands again."""
    base: str = ""
    """What relative links are resolved against, itself relative to the file."""
    canonical: str = ""
    """What the file says is its own address."""


Reader = Callable[[str], Reading]
"""Reads the text of one kind of file. Raises ValueError or RecursionError where it is not of that kind."""


def shifted(links: Iterable[Link], offset: int) -> Iterable[Link]:
    """Return links of a part of a text as links of the whole."""
    return (Link(one.target, one.offset + offset) for one in links)
