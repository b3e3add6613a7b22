"""The samples at the right of an operation: requests by example and language, answers by status."""

from dataclasses import dataclass
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from devportal.contract import Api, CodeSample, MediaType, Operation
from devportal.contract.json_schema import Direction
from devportal.contract.synthesis import synthesise
from devportal.reference.highlight import highlight, highlight_json
from devportal.reference.samples import LANGUAGES
from devportal.reference.samples.from_contract import sample_requests
from devportal.reference.wording import json_text

MAX_EXAMPLE_LINES = 400
"""Longer bodies are cut at a line, with a note: a sample is there to be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodePanel:
    """A sample in one language, as HTML."""

    language: str
    label: str
    html: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestPanel:
    """The samples of one example, by language."""

    name: str
    label: str
    codes: tuple[CodePanel, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyPanel:
    """One body of an answer, as HTML."""

    name: str
    label: str
    html: str
    generated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPanel:
    """The bodies of one status."""

    status: str
    examples: tuple[BodyPanel, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainSample:
    """A sample as plain text, for the Markdown twin."""

    label: str
    code: str


class Panels:
    """Renders the samples of the operations of one contract."""

    def __init__(self, api: Api, templates: Environment) -> None:
        """Take the contract and the templates of this package."""
        self._api = api
        self._templates = templates

    def requests(self, operation: Operation) -> Markup:
        """Return the request samples; those that the contract brings itself win."""
        if operation.code_samples:
            codes = tuple(_given(sample) for sample in operation.code_samples)
            return self._macro("requests", (RequestPanel(name="", label="", codes=codes),))
        return self._macro(
            "requests",
            tuple(
                RequestPanel(
                    name=one.name,
                    label=one.summary,
                    codes=tuple(
                        CodePanel(
                            language=language.name,
                            label=language.label,
                            html=highlight(language.write(one.request), language.lexer),
                        )
                        for language in LANGUAGES
                    ),
                )
                for one in sample_requests(self._api, operation)
            ),
        )

    def plain(self, operation: Operation) -> tuple[PlainSample, ...]:
        """Return the samples in the first language as text."""
        if not operation.path:
            return ()
        return tuple(
            PlainSample(label=one.summary or LANGUAGES[0].label, code=LANGUAGES[0].write(one.request))
            for one in sample_requests(self._api, operation)
        )

    def answers(self, operation: Operation) -> Markup:
        """Return the bodies of the answers, by status."""
        found = []
        for response in operation.responses:
            bodies = [body for media in response.content for body in self._bodies(media, Direction.RESPONSE)]
            if bodies:
                found.append(AnswerPanel(status=response.status, examples=tuple(bodies)))
        return self._macro("answers", tuple(found)) if found else Markup()

    def payload(self, operation: Operation) -> Markup:
        """Return the body that an event brings."""
        content = operation.request_body.content if operation.request_body else ()
        bodies = tuple(body for media in content for body in self._bodies(media, Direction.RESPONSE))
        return self._macro("answers", (AnswerPanel(status="", examples=bodies),)) if bodies else Markup()

    def _bodies(self, media: MediaType, direction: Direction) -> list[BodyPanel]:
        given = [one for one in media.examples if not one.external][:8]
        if given:
            return [
                BodyPanel(
                    name=one.name,
                    label=one.summary or one.name or media.name,
                    html=_body_html(one.value, media.name),
                    generated=False,
                )
                for one in given
            ]
        schema = media.schema or media.item_schema
        if schema is None:
            return []
        value = synthesise(self._api, schema, direction)
        return [
            BodyPanel(name=media.name, label=media.name, html=_body_html(value, media.name), generated=True)
        ]

    def _macro(self, name: str, argument: Any) -> Markup:
        module = self._templates.get_template("samples.html.jinja").make_module(
            {"api": self._api, "source": ""}
        )
        made: Markup = getattr(module, name)(argument)
        return made


def _given(sample: CodeSample) -> CodePanel:
    return CodePanel(
        language=sample.language.lower(), label=sample.label, html=highlight(sample.source, sample.language)
    )


def _body_html(value: Any, media_type: str) -> str:
    if isinstance(value, str) and "json" not in media_type:
        return highlight(_cut(value), "xml" if "xml" in media_type else "text")
    return highlight_json(_cut(json_text(value, indent=2) or ""))


def _cut(text: str) -> str:
    lines = text.splitlines()
    if len(lines) <= MAX_EXAMPLE_LINES:
        return text
    return "\n".join([*lines[:MAX_EXAMPLE_LINES], f"… {len(lines) - MAX_EXAMPLE_LINES:,} more lines"])
