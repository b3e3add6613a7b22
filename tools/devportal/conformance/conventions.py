"""How an API does what OpenAPI has no words for: pages, idempotency, correlation, times.

A run learns it from its settings; what they leave open is taken from `conventions.yaml` beside this module,
the names in widest use, each with where it comes from. No check knows a name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.resources import files
from typing import Any

from devportal.documents import parse_document


@dataclass(frozen=True, slots=True, kw_only=True)
class Conventions:
    """Names of parameters, headers and members, the likeliest first. Compared without regard to case and
    to `-` and `_` (`matches_any_name`).
    """

    limit: tuple[str, ...]
    """Query parameters that say how many items a page has at most."""
    cursor: tuple[str, ...]
    """Query parameters that take where the next page begins, as the answer before gave it."""
    next_cursor: tuple[str, ...]
    """Members of a page that give the next cursor or the next page's address; dots lead inwards."""
    page: tuple[str, ...]
    """Query parameters that count pages."""
    offset: tuple[str, ...]
    """Query parameters that count items."""
    identifier: tuple[str, ...]
    """Members that identify a resource in its collection."""
    idempotency_key: tuple[str, ...]
    """Request headers that make a request repeatable."""
    correlation: tuple[str, ...]
    """Response headers that name one exchange."""
    created: tuple[str, ...]
    """Members that say when a resource was made, in RFC 3339 or seconds since 1970."""
    updated: tuple[str, ...]
    """Members that say when a resource was changed last, written like those of `created`."""
    state: tuple[str, ...]
    """Members that hold the state of a resource."""
    since: tuple[str, ...]
    """Query parameters that take a time, for what is from then on; `*` stands for what is bounded."""
    until: tuple[str, ...]
    """Query parameters that take a time, for what is up to then, written like those of `since`."""


def matches_any_name(name: str, names: tuple[str, ...]) -> bool:
    """Say whether a name is one of several, whatever its case and separators."""
    return _normalize_name(name) in {_normalize_name(one) for one in names}


def name_stem(name: str, patterns: tuple[str, ...]) -> str | None:
    """Return what `*` stands for in a name, in lower case and without `-` and `_`: of `created_after`, where
    `*_after` is a pattern, it is `created`. It is empty for a name that is itself a pattern, None for others.
    """
    if matches_any_name(name, patterns):
        return ""
    for begin, star, end in (_normalize_name(one).partition("*") for one in patterns):
        plain = _normalize_name(name)
        stem = plain[len(begin) : len(plain) - len(end)]
        if star and stem and plain == begin + stem + end:
            return stem
    return None


def _normalize_name(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")


@lru_cache(maxsize=1)
def default_conventions() -> Conventions:
    """Return the conventions in widest use."""
    text = files("devportal.conformance").joinpath("conventions.yaml").read_text("utf-8")
    return parse_conventions(parse_document(text, name="conventions.yaml").data)


def parse_conventions(declared: Mapping[str, Any], defaults: Conventions | None = None) -> Conventions:
    """Return conventions of a mapping of lists of names; `defaults` gives those that it leaves open."""
    values = {
        field.name: tuple(declared[field.name]) if field.name in declared else getattr(defaults, field.name)
        for field in fields(Conventions)
    }
    return Conventions(**values)
