"""What a stability rests on, as it is shown: where a part is documented, and which decision proposes it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from devportal.contract import Grounds
from devportal.pages import href, twin_href
from devportal.reference.markup import attribute, text
from devportal.reference.text import literal


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundsPages:
    """Where sources and decisions are described on the site: uris by what the contract calls them."""

    sources: Mapping[str, str] = field(default_factory=dict)
    decisions: Mapping[str, str] = field(default_factory=dict)


class Ground(NamedTuple):
    """One of the things that a stability rests on; without a uri where nothing describes it."""

    word: str
    name: str
    uri: str = ""


def grounds_of(grounds: Grounds | None, pages: GroundsPages) -> Iterator[Ground]:
    """Yield what a stability rests on, the sources first."""
    if grounds is None:
        return
    for name in grounds.sources:
        yield Ground("source", name, pages.sources.get(name, ""))
    for name in grounds.decisions:
        yield Ground("decision", name, pages.decisions.get(name, ""))


def grounds_html(grounds: Grounds | None, pages: GroundsPages, source: str) -> str:
    """Return what a stability rests on as quiet words on the page `source`; nothing where it is not said."""
    told = _told(grounds_of(grounds, pages), lambda one: _html(one, source))
    return f'<span class="dp-grounds">{told}</span>' if told else ""


def _told(grounds: Iterable[Ground], written: Callable[[Ground], str]) -> str:
    """Return grounds one after the other; those of one kind have its word once."""
    return ", ".join(
        f"{word} {', '.join(map(written, alike))}" for word, alike in groupby(grounds, lambda one: one.word)
    )


def _html(one: Ground, source: str) -> str:
    name = text(one.name)
    return f'<a href="{attribute(href(source, one.uri))}">{name}</a>' if one.uri else name


def grounds_markdown(grounds: Grounds | None, pages: GroundsPages, source: str) -> str:
    """Return what a stability rests on for the twin of the page `source`; nothing where it is not said."""
    return _told(grounds_of(grounds, pages), lambda one: _markdown(one, source))


def _markdown(one: Ground, source: str) -> str:
    name = literal(one.name)
    return f"[{name}]({twin_href(source, one.uri)})" if one.uri else name
