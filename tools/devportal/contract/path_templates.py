"""Paths with placeholders in braces (OAS 3.0.3 §4.7.8.2): `/pets/{petId}`."""

import re

_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")


def placeholder_names(path: str) -> tuple[str, ...]:
    """Return the names in a path, in their order."""
    return tuple(_PLACEHOLDER.findall(path))


def without_names(path: str) -> str:
    """Return a path whose placeholders have no names: `/pets/{petId}` → `/pets/{}`."""
    return _PLACEHOLDER.sub("{}", path)
