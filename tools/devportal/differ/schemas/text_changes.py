"""Which pairs of schemas differ in texts and examples alone."""

from collections.abc import Iterable
from dataclasses import fields
from operator import attrgetter
from typing import Any

from devportal.contract import ABSENT, Example
from devportal.differ.normalise.all_of import canonical_json
from devportal.differ.normalise.forms import NormalSchema

ComparableExamples = tuple[tuple[str, ...], ...]


def comparable_examples(examples: Iterable[Example]) -> ComparableExamples:
    """Return examples in a form in which equal examples are equal."""
    return tuple(
        (
            example.name,
            canonical_json(example.value) if example.value is not ABSENT else "",
            example.serialised or "",
            example.summary,
            example.description,
            example.external,
        )
        for example in sorted(examples, key=lambda item: item.name)
    )


_WITHOUT_RULES = frozenset({"schema", "parts"})
_FIELDS_BELOW = (
    "values", "extensible", "items", "prefix_items", "members", "pattern_members", "additional", "unions",
    "negated", "conditions", "others", "discriminator",
)  # fmt: skip
"""What has to be looked at more closely: lists of values, and schemas within the schema."""

_rule_values = attrgetter(*(field.name for field in fields(NormalSchema) if field.name not in _WITHOUT_RULES))
_values_below = attrgetter(*_FIELDS_BELOW)
_NOTHING_BELOW: tuple[Any, ...] = (None, None, (), (), {}, {}, (), (), (), (), {}, None)


def differ_in_texts_only(old: NormalSchema, new: NormalSchema) -> bool:
    """Say whether two forms without anything below them allow the same, so that only their words compare."""
    return (
        old.default is ABSENT
        and new.default is ABSENT
        and bool(_rule_values(old) == _rule_values(new))
        and bool(_values_below(old) == _NOTHING_BELOW)
        and not any(part.broken for form in (old, new) for part in form.parts)
    )
