"""The samples at the right of an operation: requests by example and language, responses by status."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any, NamedTuple, TypedDict

from devportal.contract import CodeSample, Location, MediaType, Operation, Response, Schema
from devportal.contract.media_types import BINARY, is_xml, may_hold_json, media_type_essence
from devportal.contract.read.references import has_no_keywords
from devportal.contract.streams import is_event_stream, is_stream, stream_text
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.response_status import with_response_status
from devportal.contract.values.scalars import DEFAULT_TEXT, EXAMPLES_BY_FORMAT
from devportal.contract.values.synthesis import sample_value
from devportal.contract.wire_format.tables import table_text
from devportal.markup import plain_text
from devportal.markup.commonmark import escape_markdown
from devportal.reference.markup import highlight, highlight_json, highlight_sample, without_spans
from devportal.reference.reference import Reference
from devportal.reference.samples import Language, language_called, languages_named
from devportal.reference.samples.panels_html import (
    CodePanel,
    RequestPanel,
    ResponseBodyPanel,
    ResponsePanel,
    request_samples_html,
    response_samples_html,
)
from devportal.reference.samples.sample_requests import NamedRequest
from devportal.reference.samples.servers import base_address, base_pattern, server_choices
from devportal.reference.samples.xml import xml_text
from devportal.reference.schema.bodies import inline_examples
from devportal.reference.schema.examples import (
    body_value,
    describe_rest,
    example_label,
    is_body_text,
    raw_language,
    split_example,
)
from devportal.reference.wording import format_json, status_reason
from devportal.translation import cached_words, gettext

MAX_SPANS = 300
MAX_RESPONSE_SPANS = 400
MAX_PANEL_SPANS = MAX_SPANS + MAX_RESPONSE_SPANS
"""How many words of the samples of one page have a colour: it stays light, however long its examples are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainSample:
    """A sample as plain text, for the Markdown twin. `description` is CommonMark."""

    label: str
    language: str
    code: str
    description: str = ""


class Panels:
    """Renders the samples of the operations of one contract."""

    def __init__(self, reference: Reference, *, has_console: bool = False) -> None:
        """Take the reference that they are for, and whether its operations have a console, which takes any
        address.
        """
        self._reference = reference
        self._has_console = has_console
        self._languages = languages_named(reference.settings.sample_languages)
        self._generated: dict[_BodyKey, _BodyCode] = {}
        self._texts: dict[_BodyKey, tuple[str, str]] = {}
        self._notes: dict[_BodyKey, tuple[str, ...]] = {}
        self._layouts: dict[int, tuple[Any, str]] = {}
        self._last_requests: tuple[NamedRequest, ...] = ()
        self._last_programs: tuple[tuple[str, ...], ...] = ()

    def requests(
        self, operation: Operation, requests: tuple[NamedRequest, ...], *, spans: int = MAX_SPANS
    ) -> str:
        """Return the request samples with this many coloured words; those that the contract brings come first."""
        is_generated = self.are_generated(operation)
        is_marked = self._has_console or server_choices(operation, has_generated=is_generated)
        base = base_address(operation.servers) if is_marked else ""
        given = _contract_samples(operation.code_samples, base, spans)
        if not is_generated:
            return request_samples_html((RequestPanel(name="", label="", title="", about="", codes=given),))
        left = spans - sum(code_panel.html.count("<span ") for code_panel in given)
        languages = _languages_beside(self._languages, len(requests))
        first, *others = _request_panels(requests, self._programs(requests), languages, base, left)
        panels = (replace(first, codes=_add_generated(given, first.codes)), *others)
        rest = self._languages[len(languages) :] if self._has_console else ()
        return request_samples_html(panels, more=tuple(language.label for language in rest))

    def are_generated(self, operation: Operation) -> bool:
        """Say whether an operation has generated samples."""
        return not operation.code_samples or self._reference.settings.contract_samples == "add"

    def _programs(self, requests: tuple[NamedRequest, ...]) -> tuple[tuple[str, ...], ...]:
        """Return the programs of each request in the languages that are shown.

        Those of the last requests are kept: a page asks for them as text, and once for each limit of colours.
        """
        if self._last_requests is not requests:
            languages = _languages_beside(self._languages, len(requests))
            self._last_requests = requests
            self._last_programs = tuple(
                tuple(language.write(request.request) for language in languages) for request in requests
            )
        return self._last_programs

    def plain(self, operation: Operation, requests: tuple[NamedRequest, ...]) -> tuple[PlainSample, ...]:
        """Return the samples as text: those of the contract, and ours in the first language."""
        given = tuple(
            PlainSample(
                label=code_sample.label, language=code_sample.language.lower(), code=code_sample.source
            )
            for code_sample in operation.code_samples
        )
        is_given = any(_replaces(plain_sample.label, self._languages[0].label) for plain_sample in given)
        if is_given or not self.are_generated(operation):
            return given
        return (*given, *self._plain_generated_requests(requests))

    def _plain_generated_requests(self, requests: tuple[NamedRequest, ...]) -> tuple[PlainSample, ...]:
        first, several = self._languages[0], len({request.media_type for request in requests}) > 1
        return tuple(
            PlainSample(
                label=f"{request.summary or request.name or first.label}{f', {request.media_type}' if several else ''}",
                language=first.lexer,
                code=programs[0],
                description=request.description,
            )
            for request, programs in zip(requests, self._programs(requests), strict=True)
        )

    def plain_responses(self, responses: Sequence[Response]) -> tuple[PlainSample, ...]:
        """Return the example bodies of responses as text, each with its status.

        Each media type of the first success that has no example gets a body generated from its schema.
        """
        first_success = next(
            (response for response in responses if response.is_success and response.content), None
        )
        found: list[PlainSample] = []
        for response in responses:
            prefix = f"{response.status} "
            for media in response.content:
                examples = tuple(self._plain_examples((media,), prefix))
                is_generated = response is first_success and not examples
                found += self._plain_generated((media,), response.status) if is_generated else examples
        return tuple(found)

    def plain_payload(self, operation: Operation) -> tuple[PlainSample, ...]:
        """Return the bodies of an event as text: those that the contract gives, or one made."""
        content = operation.request_content
        return tuple(self._plain_examples(content, "")) or tuple(self._plain_generated(content, ""))

    def _plain_generated(self, content: tuple[MediaType, ...], status: str) -> Iterator[PlainSample]:
        """Yield a body made from the first schema there is; `status` is empty for an event."""
        for media in content:
            schema = media.schema or media.item_schema
            if schema is not None and not self._reference.api.resolve(schema).broken:
                key = _body_key(schema, media, status)
                language, code = self._generated_text(schema, key)
                if not code:
                    continue
                label = gettext("%(name)s, generated from the schema", name=media.name)
                label = f"{status} {label}" if status else label
                notes = self._notes[key]
                yield PlainSample(
                    label=label, language=language, code=code, description=escape_markdown(" ".join(notes))
                )
                return

    def _plain_examples(self, content: tuple[MediaType, ...], prefix: str) -> Iterator[PlainSample]:
        for media in content:
            for example in media.examples:
                if example.has_value:
                    language, code = self._body_text(
                        media.schema or media.item_schema, body_value(example, media.name), media.name
                    )
                    label = f"{prefix}{example.summary or example.name or media.name}"
                    yield PlainSample(
                        label=label,
                        language=language,
                        code=code,
                        description=example.description,
                    )

    def response_samples(
        self, responses: Sequence[Response], requested: Iterable[str] = (), *, spans: int = MAX_RESPONSE_SPANS
    ) -> str:
        """Return the bodies of the responses by status, with at most `spans` highlighted tokens.

        `requested` are the names of the examples that the request samples show.
        """
        found = [
            ResponsePanel(
                status=response.status,
                label=f"{response.status} {status_reason(response.status)}".rstrip(),
                examples=tuple(
                    body for media in response.content for body in self._bodies(media, response.status)
                ),
            )
            for response in responses
        ]
        if not any(response_panel.examples for response_panel in found):
            return ""
        return response_samples_html(_limit_response_colours(found, spans), tuple(requested))

    def payload(self, operation: Operation) -> str:
        """Return the body of an event."""
        content = operation.request_content
        bodies = tuple(body for media in content for body in self._bodies(media, ""))
        if not bodies:
            return ""
        found = [ResponsePanel(status="", label="", examples=bodies)]
        return response_samples_html(_limit_response_colours(found, MAX_RESPONSE_SPANS))

    def _bodies(self, media: MediaType, status: str) -> list[ResponseBodyPanel]:
        """Return the bodies of a media type; `status` is empty for an event."""
        examples = list(inline_examples((media,)))
        schema = media.schema or media.item_schema
        if examples:
            return [
                ResponseBodyPanel(
                    name=example.name,
                    label=example_label(example) or media.name,
                    title=example.summary or example_label(example),
                    about=plain_text(example.description),
                    **self._body_code(schema, body_value(example, media.name), media.name),
                    generated=False,
                )
                for example in examples
            ]
        if schema is None or self._reference.api.resolve(schema).broken:
            return []
        key = _body_key(schema, media, status)
        code = self._body_from_schema(schema, key)
        generated = ResponseBodyPanel(
            name=media.name,
            label=media.name,
            title="",
            about=" ".join(self._notes[key]),
            **code,
            generated=True,
        )
        return [generated] if code["html"] else []

    def _body_from_schema(self, schema: Schema, key: "_BodyKey") -> "_BodyCode":
        """Return a body generated from a schema, empty if impossible. It is cached: many operations share it."""
        if key not in self._generated:
            self._generated[key] = _highlight_body(*self._generated_text(schema, key))
        return self._generated[key]

    def _generated_text(self, schema: Schema, key: "_BodyKey") -> tuple[str, str]:
        """Return language and text of a body made from a schema, if any is."""
        if key not in self._texts:
            api = self._reference.api
            sample = sample_value(api, schema, Direction.RESPONSE)
            value = with_response_status(api, schema, key.media_type, sample.value, key.status)
            language, text = self._body_text(schema, value, key.media_type)
            is_unwritten = (
                language == "json" and not is_stream(key.media_type) and not may_hold_json(key.media_type)
            )
            is_gap = any(not gap.pointer for gap in sample.gaps)
            is_made_up = is_gap or is_unwritten or _stands_for_bytes(value, key.media_type)
            self._texts[key] = ("text", "") if is_made_up else (language, text)
            self._notes[key] = sample.notes
        return self._texts[key]

    def _body_code(self, schema: Schema | None, value: Any, media_type: str) -> "_BodyCode":
        """Return a body as it is sent, as HTML."""
        return _highlight_body(*self._body_text(schema, value, media_type))

    def _body_text(self, schema: Schema | None, value: Any, media_type: str) -> tuple[str, str]:
        """Return language and text of a body: JSON, lines of JSON, or XML, as its media type says."""
        if is_body_text(value, media_type):
            return raw_language(media_type), value
        if (stream := stream_text(media_type, value)) is not None:
            return "text" if is_event_stream(media_type) else "json", stream.rstrip("\n")
        if is_xml(media_type):
            return "xml", xml_text(self._reference.api, schema, value)
        if (table := table_text(media_type, value)) is not None:
            return "text", table.replace("\r\n", "\n").rstrip("\n")
        return "json", self._laid_out(value)

    def _laid_out(self, value: Any) -> str:
        """Return a value as indented JSON. It is kept with the value, so that its id stays its own: the panels, the
        twin and the pages of several operations show the same examples.
        """
        if id(value) not in self._layouts:
            self._layouts[id(value)] = value, format_json(value, is_indented=True) or ""
        return self._layouts[id(value)][1]


class _BodyKey(NamedTuple):
    """What a generated body depends on."""

    schema: Location
    media_type: str
    status: str


def _stands_for_bytes(value: Any, media_type: str) -> bool:
    """Say whether a made value is in the place of bytes, such as those of a picture: no text shows them."""
    return value == EXAMPLES_BY_FORMAT["binary"] or (
        value == DEFAULT_TEXT and media_type_essence(media_type).startswith(BINARY)
    )


def _body_key(schema: Schema, media: MediaType, status: str) -> _BodyKey:
    target = schema.ref if has_no_keywords(schema) else None
    return _BodyKey(target or schema.location, media.name, status)


class _BodyCode(TypedDict):
    """The beginning of a body as HTML, and what a reader opens below it."""

    html: str
    rest: str
    rest_label: str


@cached_words(512)
def _highlight_body(language: str, text: str) -> _BodyCode:
    """Return a body as it is shown; operations of one kind share many an example."""
    head, rest = split_example(text)
    html = highlight_json(head) if language == "json" else highlight(head, language)
    return _BodyCode(html=html, rest=rest, rest_label=describe_rest(head, rest))


def _request_panels(
    requests: tuple[NamedRequest, ...],
    programs: tuple[tuple[str, ...], ...],
    languages: tuple[Language, ...],
    base: str,
    spans: int,
) -> tuple[RequestPanel, ...]:
    """Return the samples of each request in the languages that are shown, coloured until `spans` are spent.

    `base` is the base address where readers can choose another; it is marked for the script then.
    """
    left, panels = spans, []
    for named, written in zip(requests, programs, strict=True):
        codes = []
        for language, program in zip(languages, written, strict=True):
            code = highlight_sample(program, language.tokens, most=left)
            left -= code.count("<span ")
            code = _mark_address(code, named.request.url, base, breaks=left)
            left -= code.count("<wbr>")
            codes.append(CodePanel(language=language.name, label=language.label, html=code))
        panels.append(
            RequestPanel(
                name=named.name,
                label=example_label(named),
                title=named.summary or example_label(named),
                about=plain_text(named.description),
                media_type=named.media_type,
                codes=tuple(codes),
            )
        )
    return tuple(panels)


MAX_PROGRAMS = 25
"""How many programs a page shows: with more examples, each is in fewer languages, so that the page stays light."""
FEWEST_LANGUAGES = 5
"""How many languages each example is in, however many examples there are."""


def _languages_beside(languages: tuple[Language, ...], examples: int) -> tuple[Language, ...]:
    """Return the first languages of a project, as many as a page with this many examples has room for."""
    return languages[: max(FEWEST_LANGUAGES, MAX_PROGRAMS // max(examples, 1))]


def _limit_response_colours(responses: list[ResponsePanel], spans: int) -> tuple[ResponsePanel, ...]:
    """Return the responses; bodies beyond `spans` highlighted tokens lose their colours."""
    left, panels = spans, []
    for response in responses:
        bodies = []
        for body in response.examples:
            count = body.html.count("<span ")
            bodies.append(body if count <= left else replace(body, html=without_spans(body.html)))
            left -= count if count <= left else 0
        panels.append(replace(response, examples=tuple(bodies)))
    return tuple(panels)


def _mark_address(code: str, url: str, base: str, *, breaks: int) -> str:
    """Return a sample with the base address of its request marked, and with at most this many places in a long address
    where a line may end; unchanged if the address does not stand in it as it is. An empty base is not marked.
    """
    start = code.find(escape(url.partition("?")[0], quote=False))
    if start < 0:
        return code
    whole = escape(url, quote=False)
    end_of_base = start + len(escape(base, quote=False))
    end = start + len(whole if code.startswith(whole, start) else escape(url.partition("?")[0], quote=False))
    path = code[end_of_base:end]
    if end - start > _LONG_ADDRESS and breaks > 0:
        path = _LINE_END.sub(r"\g<0><wbr>", path, count=breaks)
    marked = _base_address_html(code[start:end_of_base]) if base else ""
    return f"{code[:start]}{marked}{path}{code[end:]}"


_LONG_ADDRESS = 40
"""A panel has room for lines of this many characters, and a few more; without a place to end, an address would begin a
new line, and end within a word."""
_LINE_END = re.compile(r"^/(?=[^/])|.{8,}?(?:(?<!/)/(?=[^/])|(?=[?&]))")
"""A part of an address in HTML that a line may end behind: the slash after the base address, and others that are not
too short, to keep such places few.
"""


def _base_address_html(address: str) -> str:
    """Return an address marked for the script that writes another in its place."""
    return f'<span class="dp-base">{address}</span>'


def _add_generated(given: tuple[CodePanel, ...], generated: tuple[CodePanel, ...]) -> tuple[CodePanel, ...]:
    """Return the samples of the contract and the generated ones of languages that none of them is labelled as."""
    names = {code_panel.language for code_panel in given}
    return (
        *given,
        *(
            replace(code_panel, language=f"{code_panel.language}-generated")
            if code_panel.language in names
            else code_panel
            for code_panel in generated
            if not any(_replaces(each.label, code_panel.label) for each in given)
        ),
    )


def _replaces(label: str, generated: str) -> bool:
    """Say whether a label of the contract names the language of a generated sample, in any of its names."""
    known = language_called(label)
    return known is not None and known.label == generated


def _contract_samples(samples: tuple[CodeSample, ...], base: str, spans: int) -> tuple[CodePanel, ...]:
    """Return the samples that the contract brings, by languages that are remembered from page to page.

    `Shell` is what other pages call `curl`. Of several in one language, the first is what is remembered.
    `base` is marked as in our own samples, wherever the author wrote it.
    """
    address = base_pattern(escape(base, quote=False))
    left, names, panels = spans, set[str](), []
    for number, sample in enumerate(samples, 1):
        known = language_called(sample.language)
        name = known.name if known else sample.language.lower()
        code = highlight(sample.source, known.lexer if known else sample.language, most=left)
        left -= code.count("<span ")
        code = address.sub(lambda found: _base_address_html(found.group()), code) if base else code
        panels.append(
            CodePanel(language=f"{name}-{number}" if name in names else name, label=sample.label, html=code)
        )
        names.add(name)
    return tuple(panels)
