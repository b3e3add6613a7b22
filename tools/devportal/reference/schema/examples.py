"""Examples beside a field or below a body."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from devportal.contract import ABSENT, Example
from devportal.contract.media_types import is_json
from devportal.reference.wording import VALUE, ConstraintFact, format_json
from devportal.translation import gettext, join_list, ngettext

MAX_SHORT_EXAMPLE_LENGTH = 120
"""The longest example on a line, in code points; a longer one is collapsed."""
MAX_LABEL_LENGTH = 48
"""The longest title that a choice of examples shows, in code points."""
MAX_EXAMPLE_LINES = 400
MAX_EXAMPLE_LENGTH = 20_000
"""Longer values are cut at a line, with a note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleView:
    """An example: its value as text, or the address where the value is. `description` is CommonMark.

    `language` is the Pygments name of what the text is written in. `sent` is the value as it travels, where
    that is another text.
    """

    label: str = ""
    description: str = ""
    text: str = ""
    language: str = "json"
    sent: str = ""
    url: str = ""
    has_value: bool = True
    """Whether there is a value, here or at the address; an example without one is only a text."""

    @property
    def is_short(self) -> bool:
        """Say whether the value fits a line."""
        return all(
            len(text) <= MAX_SHORT_EXAMPLE_LENGTH and "\n" not in text for text in (self.text, self.sent)
        )


def example_views(
    examples: Iterable[Example], media_type: str = "application/json"
) -> tuple[ExampleView, ...]:
    """Return the named examples of a parameter, header or body, as they stand in a media type."""
    return tuple(
        ExampleView(
            label=example.summary or example.name,
            description=example.description,
            text=_example_text(media_type, example.value) if example.has_value else "",
            language=raw_language(media_type) if is_body_text(example.value, media_type) else "json",
            sent=_serialised_form(example) if example.has_value else "",
            url=example.external,
            has_value=example.value is not ABSENT,
        )
        for example in examples
    )


def merge_equal_examples(
    examples: Iterable[ExampleView],
) -> tuple[tuple[ExampleView, ...], tuple[ConstraintFact, ...]]:
    """Return examples, each value once with the names of all that have it, and a fact with these names if they are
    longer than a label. Examples that say more than a value stay as they are.
    """
    merged: dict[ExampleView, list[str]] = {}
    for example in examples:
        is_plain = example.has_value and not example.url and not example.description
        merged.setdefault(replace(example, label="") if is_plain else example, []).append(example.label)
    views, facts = [], []
    for view, labels in merged.items():
        names = join_list(filter(None, labels)) if len(labels) > 1 else labels[0]
        is_label = len(labels) == 1 or len(names) <= MAX_LABEL_LENGTH
        views.append(replace(view, label=names if is_label else ""))
        if not is_label:
            words = gettext("example %(label)s %(value)s", label=names, value=VALUE)
            facts.append(ConstraintFact(label=words, code=view.text, is_quiet=True))
    return tuple(views), tuple(facts)


class Named(Protocol):
    """What is called like an example of a contract."""

    @property
    def name(self) -> str:
        """The key of the example."""

    @property
    def summary(self) -> str:
        """The title that its author gave it."""


def example_label(named: Named) -> str:
    """Return what a choice calls an example: its title if that is short, else its key as words."""
    if named.summary and (len(named.summary) <= MAX_LABEL_LENGTH or not named.name):
        return named.summary
    words = " ".join(_WORD_IN_KEY.findall(named.name)) or named.name
    return words[:1].upper() + words[1:]


_WORD_IN_KEY = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W_A-Z]+")


def _example_text(media_type: str, value: Any) -> str:
    return value if is_body_text(value, media_type) else value_text(value)


def is_body_text(value: Any, media_type: str) -> bool:
    """Say whether a value is the text of a body already: a string where bodies are not JSON."""
    return isinstance(value, str) and not is_json(media_type)


def raw_language(media_type: str) -> str:
    """Return the Pygments name of the language of such a text."""
    return "xml" if "xml" in media_type else "text"


def body_value(example: Example, media_type: str) -> Any:
    """Return what a body of an example is written from: the text that is sent, if the contract has it.

    JSON is laid out here for readers, and only a client knows the boundary of a multipart body.
    """
    is_written_here = is_json(media_type) or media_type.startswith("multipart/")
    return example.value if example.serialised is None or is_written_here else example.serialised


def _serialised_form(example: Example) -> str:
    """Return the serialised value if it differs from the value itself and from its JSON in any layout."""
    sent = example.serialised or ""
    texts = (example.value, format_json(example.value) or "")
    return "" if "".join(sent.split()) in {"".join(str(text).split()) for text in texts} else sent


def as_header_text(example: ExampleView) -> ExampleView:
    """Return an example of a header: a plain string is sent without the quotes and escapes of JSON."""
    if not example.text.startswith('"'):
        return example
    return replace(example, text=json.loads(example.text))


def value_text(value: Any) -> str:
    """Return a value as JSON, on one line where it fits."""
    text = format_json(value) or ""
    return text if len(text) <= MAX_SHORT_EXAMPLE_LENGTH else format_json(value, is_indented=True) or ""


def split_example(text: str) -> tuple[str, str]:
    """Return the beginning of a text, up to a line or within a very long one, and the rest; both make the text."""
    if len(text) <= MAX_EXAMPLE_LINES:
        return text, ""
    lines = text.splitlines(keepends=True)
    kept = lines[:MAX_EXAMPLE_LINES]
    while len(kept) > 1 and sum(map(len, kept)) > MAX_EXAMPLE_LENGTH:
        kept = kept[: len(kept) // 2]
    head = "".join(kept) if len(kept[0]) <= MAX_EXAMPLE_LENGTH else kept[0][:MAX_EXAMPLE_LENGTH]
    return head, text[len(head) :]


def describe_rest(head: str, rest: str) -> str:
    """Return how much of a text is in its rest, in words."""
    if head.endswith("\n"):
        return ngettext("%(number)s more line", "%(number)s more lines", len(rest.splitlines()))
    return ngettext("%(number)s more character", "%(number)s more characters", len(rest))
