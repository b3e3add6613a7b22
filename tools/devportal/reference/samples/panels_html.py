"""The samples at the right of an operation as HTML: a choice of examples, and languages for each.

Not templates, for the reason that `devportal.reference.schema.rows_html` gives. Without scripts each example but
the first is behind its name, and each language behind a radio button, its label and its panel. The script of the
portal makes a select of the names, and tabs of the languages. No anchor begins as the ids of tabs do: see
`devportal.reference.addresses.TAB_PREFIX`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from devportal.language import TEXT
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
    note: str
    media_type: str = ""
    codes: tuple[CodePanel, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseBodyPanel:
    """One response body, as HTML."""

    name: str
    label: str
    note: str
    html: str
    generated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponsePanel:
    """The bodies of one status; `label` has its reason phrase too."""

    status: str
    label: str
    examples: tuple[ResponseBodyPanel, ...]


class _Sample(NamedTuple):
    """One sample: the option that shows it, the example it is of, and its content."""

    option: str
    example: str
    title: str
    html: str
    group: str = ""


def request_samples_html(examples: Sequence[RequestPanel]) -> str:
    """Return the samples of requests; those of one media type stand together."""
    has_groups = len({one.media_type for one in examples}) > 1
    samples = [
        _Sample(
            one.label or one.media_type,
            one.name,
            one.label or one.media_type,
            _language_tabs(one, number),
            one.media_type if has_groups else "",
        )
        for number, one in enumerate(examples, start=1)
    ]
    return _samples_html("Example", samples)


def response_samples_html(responses: Sequence[ResponsePanel], requested: Sequence[str] = ()) -> str:
    """Return the response bodies by status; those of an event have none.

    The examples of a status are one option if the choice of a request, by names, chooses among them too.
    """
    samples = []
    for response in responses:
        follows = len(response.examples) > 1 and {one.name for one in response.examples} <= {*requested}
        for one in response.examples or (None,):
            title = one.label if one is not None else ""
            whole = (
                " ".join(filter(None, (response.status, title)))
                if len(response.examples) > 1
                else response.label
            )
            samples.append(
                _Sample(
                    response.label if follows else whole or title,
                    one.name if one is not None else "",
                    whole or title,
                    _body_html(response.status, one),
                )
            )
    return _samples_html("Response" if any(one.status for one in responses) else "Example", samples)


def _samples_html(legend: str, samples: Sequence[_Sample]) -> str:
    """Return the samples, each but the first behind its name, and a select for the script."""
    if len(samples) == 1:
        return samples[0].html
    options = [*dict.fromkeys((one.group, one.option) for one in samples)]
    parts = "".join(
        f'<details class="dp-example" data-option="{options.index((one.group, one.option))}"'
        f' data-example="{escape_attribute(one.example)}"{"" if number else " open"}>'
        f"<summary{TEXT}{escape_text(one.title)}</summary>\n{one.html}</details>\n"
        for number, one in enumerate(samples)
    )
    return f"{_select_html(legend, options)}{parts}"


def _select_html(legend: str, options: Sequence[tuple[str, str]]) -> str:
    """Return the select of a choice: options by group."""
    listed = ""
    for group, found in groupby(options, lambda one: one[0]):
        inside = "".join(f"<option{TEXT}{escape_text(label)}</option>" for _, label in found)
        listed += f'<optgroup label="{escape_attribute(group)}">{inside}</optgroup>' if group else inside
    return (
        f'<label class="dp-pick dp-pick--{legend.lower()}"><span>{legend}</span> '
        f'<select autocomplete="off">{listed}</select></label>\n'
    )


def _language_tabs(example: RequestPanel, number: int) -> str:
    """Return the samples of one example by language."""
    name = f"lang-{number}"
    panels = "".join(
        f'<input type="radio" name="{name}" id="{TAB_PREFIX}{name}-{at}" value="{escape_attribute(one.language)}"'
        f"{' checked' if at == 1 else ''}>"
        f'<label for="{TAB_PREFIX}{name}-{at}">{escape_text(one.label)}</label>\n'
        f'<div class="dp-tabs__panel">{code_block_html(one.html, f"{one.label} sample")}</div>\n'
        for at, one in enumerate(example.codes, start=1)
    )
    return (
        '<fieldset class="dp-tabs dp-tabs--language"><legend class="dp-hidden">Language</legend>\n'
        f"{panels}</fieldset>\n{_text_note(example.note)}"
    )


def _body_html(status: str, example: ResponseBodyPanel | None) -> str:
    if example is None:
        return _note_html("No body.")
    return "".join(
        (
            code_block_html(example.html, f"Body of {status}" if status else "Body"),
            _note_html("Generated from the schema." if example.generated else ""),
            _text_note(example.note),
        )
    )


def _note_html(words: str) -> str:
    return f'<p class="dp-panel__note">{escape_text(words)}</p>\n' if words else ""


def _text_note(plain: str) -> str:
    """Return what the contract says of an example."""
    return f'<p class="dp-panel__note"{TEXT}{escape_text(plain)}</p>\n' if plain else ""
