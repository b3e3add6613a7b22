"""How an API does what OpenAPI has no words for: paging, idempotency, correlation, times.

`conventions.yaml` beside this module holds the names in widest use, each with its source. The settings of a
conformance run can declare others. Nothing that looks for one of them hard-codes a name.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.resources import files
from typing import Any

from devportal.documents import parse_document

OWN_IDENTIFIERS = ("id", "uuid", "guid")
"""The names of the identifier of an object itself, of whatever type."""
FILTER_OBJECTS = ("filter", "filters", "where")
"""The names of objects in a query whose members are filters."""
_COMPARED = re.compile(
    r"(.+?)(?:__?|\.)i?(?:contains|starts_?with)|(.+?)\[\$?i?(?:contains|starts_?with)\]|"
    r"(.*[a-z0-9])(?:Contains|StartsWith)"
)
"""The name of a filter by a part of a text: Django (`title__icontains`), Strapi (`[$contains]`), `titleContains`."""
_FILTER = re.compile(r"(?:filters?|where)\[([^\[\]]+)\]", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conventions:
    """Names of parameters, headers and members, the likeliest first. They are compared without regard to
    case, `-` and `_` (`matches_any_name`).
    """

    limit: tuple[str, ...]
    """Query parameters that set the maximum number of items of a page."""
    cursor: tuple[str, ...]
    """Query parameters that take the cursor from the previous response."""
    next_cursor: tuple[str, ...]
    """Members of a page that hold the next cursor or the next page's address. Dots lead to nested members."""
    page: tuple[str, ...]
    """Query parameters that hold a page number."""
    offset: tuple[str, ...]
    """Query parameters that hold the number of items to skip."""
    total: tuple[str, ...]
    """Members and response headers that hold the number of all items of a list."""
    page_count: tuple[str, ...]
    """Members that hold the number of items of a list: of all of them, or of those of the page."""
    search: tuple[str, ...]
    """Query parameters that take a text to search for."""
    sort: tuple[str, ...]
    """Query parameters that name the member by which a list is sorted."""
    direction: tuple[str, ...]
    """Query parameters that take the direction of the order: ascending or descending."""
    identifier: tuple[str, ...]
    """Members that identify a resource in its collection."""
    envelope: tuple[str, ...]
    """Members that hold the representation in a response that also has others."""
    idempotency_key: tuple[str, ...]
    """Request headers that make a request repeatable."""
    correlation: tuple[str, ...]
    """Response headers that identify one exchange."""
    created: tuple[str, ...]
    """Members that hold the creation time of a resource, in RFC 3339 or seconds since 1970."""
    updated: tuple[str, ...]
    """Members that hold the time of the last change of a resource, written like those of `created`."""
    state: tuple[str, ...]
    """Members that hold the state of a resource."""
    since: tuple[str, ...]
    """Query parameters that take a lower bound of a time; `*` stands for the bounded member."""
    until: tuple[str, ...]
    """Query parameters that take an upper bound of a time, written like those of `since`."""


def matches_any_name(name: str, names: tuple[str, ...]) -> bool:
    """Return whether a name is one of several, ignoring case and separators."""
    return normalize_name(name) in normalized_names(names)


@lru_cache(maxsize=256)
def normalized_names(names: tuple[str, ...]) -> frozenset[str]:
    """Return names as `normalize_name` does: the same ones are looked up for each member of a contract."""
    return frozenset(map(normalize_name, names))


def name_stem(name: str, patterns: tuple[str, ...]) -> str | None:
    """Return what `*` stands for in a name, in lower case and without `-` and `_`: `created` for
    `created_after` if `*_after` is a pattern. Empty for a name that is itself a pattern, None for others.
    """
    if matches_any_name(name, patterns):
        return ""
    for begin, star, end in (normalize_name(pattern).partition("*") for pattern in patterns):
        plain = normalize_name(name)
        stem = plain[len(begin) : len(plain) - len(end)]
        if star and stem and plain == begin + stem + end:
            return stem
    return None


def filtered_member(name: str) -> str:
    """Return the name of the member that a query parameter filters by: `genre` for `filter[genre]` (JSON:API 1.1
    §7.6), `title` for `title_contains` and `titleStartsWith`, the name itself for others.
    """
    found = _FILTER.fullmatch(name)
    inner = found[1] if found is not None else name
    compared = _COMPARED.fullmatch(inner)
    return next(filter(None, compared.groups())) if compared is not None else inner


def normalize_name(name: str) -> str:
    """Return a name in lower case and without `-` and `_`: `campaignid` for `campaign_id` and `campaignId`."""
    return name.lower().replace("-", "").replace("_", "")


@lru_cache(maxsize=1)
def default_conventions() -> Conventions:
    """Return the conventions in widest use."""
    text = files("devportal.contract").joinpath("conventions.yaml").read_text("utf-8")
    return parse_conventions(parse_document(text, name="conventions.yaml").data)


def parse_conventions(declared: Mapping[str, Any], defaults: Conventions | None = None) -> Conventions:
    """Return the conventions of a mapping of lists of names; `defaults` provides the missing ones."""
    values = {
        field.name: tuple(declared[field.name]) if field.name in declared else getattr(defaults, field.name)
        for field in fields(Conventions)
    }
    return Conventions(**values)
