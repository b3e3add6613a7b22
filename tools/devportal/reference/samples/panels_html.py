"""The samples at the right of an operation as HTML: by example, then by language or status.

Not templates, for the reason that `devportal.reference.schema.rows_html` gives. Tabs work without script: each
choice is a radio button, its label and its panel. No anchor begins as their ids do: see
`devportal.reference.addresses.TAB_PREFIX`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from devportal.language import TEXT
from devportal.markup import plain_text
from devportal.reference.addresses import TAB_PREFIX
from devportal.reference.markup import code_block_html, escape_attribute, escape_text


@dataclass(frozen=True, slots=True, kw_only=True)
class CodePanel:
    """A sample in one language, as HTML."""

    language: str
    label: str
    html: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestPanel:
    """The samples of one example, by language; `media_type` is that of the body."""

    name: str
    label: str
    description: str
    media_type: str = ""
    codes: tuple[CodePanel, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseBodyPanel:
    """One response body, as HTML."""

    name: str
    label: str
    description: str
    html: str
    generated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponsePanel:
    """The bodies of one status."""

    status: str
    examples: tuple[ResponseBodyPanel, ...]


class _TabChoice(NamedTuple):
    value: str
    label: str
    panel: str


def request_samples_html(examples: Sequence[RequestPanel]) -> str:
    """Return the samples of requests, by media type if there are several, then so by example.

    Those of one media type stand together.
    """
    types = {name: list(group) for name, group in groupby(examples, lambda one: one.media_type)}
    if len(types) == 1:
        return _example_tabs(examples, "")
    choices = [
        _TabChoice(name, name, _example_tabs(group, f"type-{number}-"))
        for number, (name, group) in enumerate(types.items(), start=1)
    ]
    return _tabs_html("media-type", "Media type", choices, "chips dp-tabs--media")


def _example_tabs(examples: Sequence[RequestPanel], within: str) -> str:
    """Return the samples in one media type; `within` makes the ids of its tabs unique."""
    if len(examples) == 1:
        return _language_tabs(examples[0], within, 1) + _text_note(examples[0].label)
    panels = (_language_tabs(one, within, number) for number, one in enumerate(examples, start=1))
    choices = [_TabChoice(one.name, one.label, panel) for one, panel in zip(examples, panels, strict=True)]
    return _tabs_html(f"{within}example", "Example", choices, "chips")


def _language_tabs(example: RequestPanel, within: str, number: int) -> str:
    choices = [
        _TabChoice(one.language, one.label, code_block_html(one.html, f"{one.label} sample"))
        for one in example.codes
    ]
    tabs = _tabs_html(f"{within}lang-{number}", "Language", choices, "language")
    return tabs + _text_note(plain_text(example.description))


def response_samples_html(responses: Sequence[ResponsePanel]) -> str:
    """Return the response bodies by status; those of an event have none."""
    if len(responses) == 1 and not responses[0].status:
        return _body_tabs("", responses[0].examples, 1)
    choices = [
        _TabChoice(one.status, one.status, _body_tabs(one.status, one.examples, number))
        for number, one in enumerate(responses, start=1)
    ]
    return _tabs_html("status", "Status", choices, "status")


def _body_tabs(status: str, examples: Sequence[ResponseBodyPanel], number: int) -> str:
    if len(examples) == 1:
        (only,) = examples
        return _body_html(status, only) + _text_note("" if only.generated or not only.name else only.label)
    choices = [_TabChoice(one.name, one.label, _body_html(status, one)) for one in examples]
    return _tabs_html(f"body-{number}", "Example", choices, "chips")


def _body_html(status: str, example: ResponseBodyPanel) -> str:
    made = code_block_html(example.html, f"Body of {status}" if status else "Body")
    return "".join(
        (
            made,
            _note_html("Generated from the schema." if example.generated else ""),
            _text_note(plain_text(example.description)),
        )
    )


def _note_html(words: str) -> str:
    return f'<p class="dp-panel__note">{escape_text(words)}</p>\n' if words else ""


def _text_note(plain: str) -> str:
    """Return what the contract says of an example."""
    return f'<p class="dp-panel__note"{TEXT}{escape_text(plain)}</p>\n' if plain else ""


def _tabs_html(name: str, legend: str, choices: Sequence[_TabChoice], kind: str) -> str:
    panels = "".join(
        f'<input type="radio" name="{name}" id="{TAB_PREFIX}{name}-{number}" value="{escape_attribute(one.value)}"'
        f"{' checked' if number == 1 else ''}>"
        f'<label for="{TAB_PREFIX}{name}-{number}"{TEXT if legend == "Example" else ">"}'
        f"{escape_text(one.label)}</label>\n"
        f'<div class="dp-tabs__panel">{one.panel}</div>\n'
        for number, one in enumerate(choices, start=1)
    )
    return (
        f'<fieldset class="dp-tabs dp-tabs--{kind}"><legend class="dp-hidden">{legend}</legend>\n'
        f"{panels}</fieldset>\n"
    )
