"""Examples that stand beside a field or below a body."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from devportal.contract import Example
from devportal.reference.wording import json_text

SHORT = 120
"""An example of at most so many code points stands on the line; a longer one can be opened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleView:
    """An example: its value as text, or the address where the value is. `description` is CommonMark."""

    label: str = ""
    description: str = ""
    text: str = ""
    url: str = ""

    @property
    def is_short(self) -> bool:
        """Say whether the value fits a line."""
        return len(self.text) <= SHORT and "\n" not in self.text


def views_of(examples: Iterable[Example]) -> tuple[ExampleView, ...]:
    """Return the named examples of a parameter, header or body."""
    return tuple(
        ExampleView(
            label=one.summary or one.name,
            description=one.description,
            text="" if one.external else value_text(one.value),
            url=one.external,
        )
        for one in examples
    )


def as_sent(example: ExampleView) -> ExampleView:
    """Return an example of a header: a plain string is sent without the quotes and escapes of JSON."""
    if not example.text.startswith('"'):
        return example
    return replace(example, text=json.loads(example.text))


def value_text(value: Any) -> str:
    """Return a value as JSON, on one line where it fits."""
    text = json_text(value) or ""
    return text if len(text) <= SHORT else json_text(value, indent=2) or ""
