"""The samples at the right of an operation as HTML: a choice of examples, and languages for each.

Not templates, for the reason that `devportal.reference.schema.rows_html` gives. Without scripts each example but
the first is behind its name, and each language behind a radio button, its label and its panel. The script of the
portal makes a select of the names, and tabs of the languages. No anchor begins as the ids of tabs do: see
`devportal.reference.addresses.TAB_PREFIX`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from devportal.language import TEXT
from devportal.reference.addresses import TAB_PREFIX
from devportal.reference.markup import code_block_html, escape_attribute, escape_text
from devportal.translation import gettext, gettext_html, join_list


@dataclass(frozen=True, slots=True, kw_only=True)
class CodePanel:
    """A sample in one language, as HTML."""

    language: str
    label: str
    html: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestPanel:
    """The samples of one example, by language; `media_type` is that of the body.

    `label` is the short name for a choice, `title` what the contract calls it.
    """

    name: str
    label: str
    title: str
    about: str
    media_type: str = ""
    codes: tuple[CodePanel, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseBodyPanel:
    """One response body, as HTML; the rest of a long one as text."""

    name: str
    label: str
    title: str
    about: str
    html: str
    rest: str = ""
    rest_label: str = ""
    generated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponsePanel:
    """The bodies of one status; `label` has its reason phrase too."""

    status: str
    label: str
    examples: tuple[ResponseBodyPanel, ...]


class _Sample(NamedTuple):
    """One sample: the example it is of, its name and content.

    It is a separate option, called `option`, or without that shares the one of the sample before it.
    """

    example: str
    name: str
    html: str
    option: str
    group: str = ""


def request_samples_html(examples: Sequence[RequestPanel], *, more: Sequence[str] = ()) -> str:
    """Return the samples of requests; those of one media type stand together.

    `more` are the labels of the languages that only the console has.
    """
    has_groups = len({example.media_type for example in examples}) > 1
    samples = []
    for number, example in enumerate(examples, start=1):
        name = example.label or example.media_type
        html = _language_tabs(example, number) + _example_note(example, is_named=len(examples) > 1)
        samples.append(_Sample(example.name, name, html, name, example.media_type if has_groups else ""))
    html = samples[0].html if len(samples) == 1 else _choice_html("example", samples)
    note = gettext("In more languages with Try it: %(languages)s.", languages=join_list(more)) if more else ""
    return html + _note_html(note)


def response_samples_html(responses: Sequence[ResponsePanel], requested: Sequence[str] = ()) -> str:
    """Return the response bodies by status; those of an event have none.

    The examples of a status are one option if the choice of a request, by names, chooses among them too.
    """
    samples = [
        response_sample
        for response in responses
        for response_sample in _response_samples(response, {*requested})
    ]
    if len(samples) > 1:
        return _choice_html("response" if responses[0].status else "example", samples)
    status = f'<p class="dp-pick dp-pick--response">{escape_text(samples[0].name)}</p>\n'
    return f"{status if responses[0].status else ''}{samples[0].html}"


def _response_samples(response: ResponsePanel, requested: set[str]) -> Iterator[_Sample]:
    """Yield the samples of a status; `requested` are the names of the examples of the request."""
    if not response.examples:
        yield _Sample("", response.label, _note_html(gettext("No body.")), response.label)
    is_named = len(response.examples) > 1
    follows = is_named and {example.name for example in response.examples} <= requested
    for number, example in enumerate(response.examples):
        name = f"{response.status} {example.label}".lstrip() if is_named else response.label or example.label
        option = ("" if number else response.label) if follows else name
        html = _body_html(response.status, example) + _example_note(example, is_named=is_named)
        yield _Sample(example.name, name, html, option)


def _choice_html(kind: str, samples: Sequence[_Sample]) -> str:
    """Return samples, each but the first behind its name, and a select for the script."""
    parts, options = "", list[tuple[str, str]]()
    for sample in samples:
        options += [(sample.group, sample.option)] if sample.option else []
        example = f' data-example="{escape_attribute(sample.example)}"' if sample.example else ""
        parts += (
            f'<details class="dp-example" data-option="{len(options) - 1}"'
            f"{example}{'' if parts else ' open'}>"
            f"<summary{TEXT}{escape_text(sample.name)}</summary>\n{sample.html}</details>\n"
        )
    return f"{_select_html(kind, options)}{parts}"


def _select_html(kind: str, options: Sequence[tuple[str, str]]) -> str:
    """Return the select of a choice: options by group."""
    legend, listed = gettext_html("Response") if kind == "response" else gettext_html("Example"), ""
    for group, found in groupby(options, lambda option: option[0]):
        inside = "".join(f"<option{TEXT}{escape_text(label)}</option>" for _, label in found)
        listed += f'<optgroup label="{escape_attribute(group)}">{inside}</optgroup>' if group else inside
    return (
        f'<div class="dp-pick dp-pick--{kind}">{"" if kind == "response" else legend} '
        f'<select aria-label="{legend}" autocomplete="off">{listed}</select></div>\n'
    )


def _language_tabs(example: RequestPanel, number: int) -> str:
    """Return the samples of one example by language."""
    name = f"lang-{number}"
    panels = "".join(
        f'<input type="radio" name="{name}" id="{TAB_PREFIX}{name}-{at}" value="{escape_attribute(code.language)}"'
        f"{' checked' if at == 1 else ''}>"
        f'<label for="{TAB_PREFIX}{name}-{at}">{escape_text(code.label)}</label>\n'
        f'<div class="dp-tabs__panel">{code_block_html(code.html, _sample_label(code))}</div>\n'
        for at, code in enumerate(example.codes, start=1)
    )
    return (
        f'<fieldset class="dp-tabs dp-tabs--language"><legend class="dp-hidden">{gettext_html("Language")}</legend>\n'
        f"{panels}</fieldset>\n"
    )


def _sample_label(code_panel: CodePanel) -> str:
    return gettext("%(language)s sample", language=code_panel.label)


def _body_html(status: str, example: ResponseBodyPanel) -> str:
    label = gettext("Body of %(status)s", status=status) if status else gettext("Body")
    code = code_block_html(example.html, label, rest=example.rest, rest_label=example.rest_label)
    return f"{code}{_note_html(gettext('Generated from the schema.') if example.generated else '')}"


def _note_html(words: str) -> str:
    return f'<p class="dp-panel__note">{escape_text(words)}</p>\n' if words else ""


def _example_note(request_panel: RequestPanel | ResponseBodyPanel, *, is_named: bool) -> str:
    """Return what the contract says of an example: its title, if no choice has it, and its description."""
    title = "" if is_named and request_panel.title == request_panel.label else request_panel.title
    plain = ". ".join(filter(None, (title.rstrip(". "), request_panel.about)))
    return f'<p class="dp-panel__note"{TEXT}{escape_text(plain)}</p>\n' if plain else ""
