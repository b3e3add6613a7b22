"""Titles of tags that are named as programs name things: `Payment intent` for `ApiV1PaymentIntent`."""

import re
from collections.abc import Collection

from devportal.contract.wording import title_from_id

_CAMEL_CASE = re.compile(r"(?=.*[a-z0-9][A-Z])[A-Za-z][A-Za-z0-9]*")
_SNAKE_CASE = re.compile(r"[a-z0-9][a-zA-Z0-9]*(_[a-z0-9][a-zA-Z0-9]*)+|[a-z0-9]{3,}(-[a-z0-9]{3,})+")
"""Words of two letters stay hyphenated: `opt-in`."""
_LOWER_CASE = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")
_VERB_AND_PARTICLE = re.compile(r"[a-z]+-(in|off|on|out|up)")
_VERSIONED_PREFIX = re.compile(r"[A-Z][A-Za-z]*?\d+(?=[A-Z])")
_FEWEST_IN_CAMEL_CASE = 3
"""One such name may be a brand; several of them are a convention."""


def tag_titles(names: Collection[str]) -> dict[str, str]:
    """Return the titles of those tags whose names are identifiers. A version that all tags begin with is left
    out. Where one of several words is among tags in lower case, all of these are identifiers: `repos` beside
    `code-scanning`.
    """
    camel_case = [name for name in names if _CAMEL_CASE.fullmatch(name)]
    is_convention = len(camel_case) >= _FEWEST_IN_CAMEL_CASE and 2 * len(camel_case) > len(names)
    prefix = _versioned_prefix(names)
    shortened = {name: name.removeprefix(prefix) for name in names if prefix and name != prefix}
    titles = {name: title_from_id(rest) for name, rest in shortened.items()}
    snake_case = [name for name in names if _SNAKE_CASE.fullmatch(name)]
    if snake_case and all(map(_LOWER_CASE.fullmatch, names)):
        titles |= {name: _title_of_lower_case(name) for name in names}
    titles |= {name: title_from_id(name) for name in snake_case}
    if is_convention:
        titles |= {name: title_from_id(shortened.get(name, name)) for name in camel_case}
    return titles


def _title_of_lower_case(name: str) -> str:
    return name.capitalize() if _VERB_AND_PARTICLE.fullmatch(name) else title_from_id(name)


def _versioned_prefix(names: Collection[str]) -> str:
    """Return the name and version that all tags begin with: `ShopV1`."""
    found = _VERSIONED_PREFIX.match(next(iter(names), ""))
    if found is None or len(names) < _FEWEST_IN_CAMEL_CASE:
        return ""
    return found[0] if all(name.startswith(found[0]) for name in names) else ""
