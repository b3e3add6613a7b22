"""Which pairs of forms can differ in words alone: most pairs of two releases, once a text is rewritten."""

from dataclasses import fields
from operator import attrgetter
from typing import Any

from devportal.contract import ABSENT
from devportal.differ.forms import Form

_WITHOUT_RULES = frozenset({"schema", "parts"})
_BELOW = (
    "values", "extensible", "items", "prefix_items", "members", "pattern_members", "additional", "unions",
    "negated", "conditions", "others", "discriminator",
)  # fmt: skip
"""What has to be looked at more closely: lists of values, and schemas within the schema."""

_says = attrgetter(*(one.name for one in fields(Form) if one.name not in _WITHOUT_RULES))
_has_below = attrgetter(*_BELOW)
_NOTHING_BELOW: tuple[Any, ...] = (None, None, (), (), {}, {}, (), (), (), (), {}, None)


def are_worded(old: Form, new: Form) -> bool:
    """Say whether two forms without anything below them allow the same, so that only their words compare."""
    return (
        old.default is ABSENT
        and new.default is ABSENT
        and bool(_says(old) == _says(new))
        and bool(_has_below(old) == _NOTHING_BELOW)
        and not any(part.broken for form in (old, new) for part in form.parts)
    )
