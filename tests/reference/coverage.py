"""Walks the model of a contract and looks for everything in the pages made from it."""

import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import escape

from devportal.contract import (
    ABSENT,
    Api,
    Example,
    Header,
    MediaType,
    Operation,
    Parameter,
    Property,
    Response,
    Schema,
    Server,
)
from devportal.pages import Page, plain_text
from devportal.reference.addresses import Addresses, addresses_of, events
from devportal.reference.anchors import anchor_text
from devportal.reference.panels import MAX_EXAMPLE_LENGTH, MAX_EXAMPLE_LINES

_TAGS = re.compile(r"<[^>]+>")
_CODE = re.compile(r"<code[^>]*>(.*?)</code>", re.DOTALL)


def squeezed(text: str) -> str:
    """Return text without any white space: how lines are broken does not matter."""
    return "".join(text.split())


@dataclass(frozen=True)
class Output:
    """What a reader sees: the text of one page or of all, the code on it, and the ids."""

    text: str
    codes: frozenset[str]
    markup: str

    @classmethod
    def of(cls, pages: Iterable[Page]) -> "Output":
        """Return what pages show."""
        markup = "\n".join(page.body for page in pages)
        return cls(
            text=squeezed(html.unescape(_TAGS.sub("", markup))),
            codes=frozenset(html.unescape(_TAGS.sub("", one)) for one in _CODE.findall(markup)),
            markup=markup,
        )

    def says(self, text: str) -> bool:
        """Say whether CommonMark is there as text, or an address as a link."""
        return squeezed(plain_text(text)) in self.text or f'href="{escape(text)}"' in self.markup

    def holds(self, value: Any) -> bool:
        """Say whether every name and value of an example is there; long ones are cut, with a note."""
        text = json.dumps(value, ensure_ascii=False, indent=2)
        if len(text) > MAX_EXAMPLE_LENGTH or text.count("\n") >= MAX_EXAMPLE_LINES:
            return "more" in self.text
        return all(
            squeezed(one) in self.text or squeezed(_escaped(one)) in self.text for one in _leaves(value)
        )


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield key
            yield from _leaves(one)
    elif isinstance(value, list):
        for one in value:
            yield from _leaves(one)
    elif isinstance(value, str):
        yield value
    else:
        yield json.dumps(value)


def _escaped(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def missing(api: Api, pages: Mapping[str, Page]) -> list[str]:
    """Return what of a contract is nowhere in the pages where it belongs."""
    return sorted(set(_Walk(api, pages).everything()))


class _Walk:
    def __init__(self, api: Api, pages: Mapping[str, Page]) -> None:
        self.api = api
        self.pages = pages
        self.addresses: Addresses = addresses_of(api)
        self.whole = Output.of(pages.values())
        self.seen: set[int] = set()

    def everything(self) -> Iterator[str]:
        yield from self.head()
        for operation in self.api.operations:
            here = Output.of([self.pages[self.addresses.operation(operation)]])
            yield from self.operation(operation, here, f"{operation.method} {operation.path}")
        for webhook, operation in events(self.api):
            here = Output.of([self.pages[self.addresses.events[operation.location]]])
            yield from self.operation(operation, here, f"event {webhook.name} {operation.method}")
        for problem in self.api.problem_types:
            here = Output.of([self.pages[self.addresses.problems[problem.uri]]])
            told = {problem.title, problem.uri, str(problem.status), problem.description, problem.resolution}
            yield from (f"problem {problem.uri}: {one}" for one in told if not here.says(one))
        for location in self.addresses.schemas:
            yield from self.schema(self.api.schemas[location], str(location))

    def head(self) -> Iterator[str]:
        here = Output.of([self.pages[self.addresses.overview]])
        api = self.api
        texts = [api.title, api.version, api.summary, api.description, api.terms_of_service]
        texts += [value for name, value in (*api.contact, *api.license) if not (name == "url" and not value)]
        texts += [api.external_docs.url] if api.external_docs else []
        for server in api.servers:
            texts += _server_texts(server)
        yield from (f"overview: {one!r}" for one in texts if not here.says(one))
        yield from self.authentication()
        for tag in api.tags:
            found = [group for group in api.groups if group.is_tag and group.name == tag.name]
            uri = self.addresses.group_of(found[0]) if found else self.addresses.overview
            page = Output.of([self.pages[uri]])
            if found or tag.description:
                yield from (
                    f"tag {tag.name}: {one!r}" for one in (tag.title, tag.description) if not page.says(one)
                )

    def authentication(self) -> Iterator[str]:
        texts: list[str] = []
        for scheme in self.api.security_schemes:
            texts += [scheme.name, scheme.description, scheme.parameter, scheme.scheme, scheme.bearer_format]
            texts += [scheme.openid_url, *(part for pair in scheme.scopes for part in pair)]
            for flow in scheme.flows:
                texts += [flow.authorization_url, flow.token_url, flow.refresh_url]
                texts += [part for pair in flow.scopes for part in pair]
        if texts:
            here = Output.of([self.pages[self.addresses.authentication]])
            yield from (f"authentication: {one!r}" for one in texts if not here.says(one))

    def operation(self, one: Operation, here: Output, where: str) -> Iterator[str]:
        texts = [one.method if one.path else "EVENT", one.path, one.title, one.description, one.sunset]
        texts += ["deprecated"] if one.deprecated else []
        texts += [one.external_docs.url] if one.external_docs else []
        texts += [sample.source for sample in one.code_samples] if one.path else []
        if one.servers != self.api.servers and one.path:
            texts += [text for server in one.servers for text in _server_texts(server)]
        for requirement in one.security:
            texts += [text for use in requirement for text in (use.scheme, *use.scopes)]
        is_event = not one.path
        yield from (
            f"{where}: {text!r}"
            for text in texts
            if not (here.says(text) or squeezed(text) in here.text) and not (is_event and text == "EVENT")
        )
        yield from self.request(one, here, where, prefix="")
        for callback in one.callbacks:
            told = (callback.name, callback.expression)
            yield from (f"{where}: callback {text!r}" for text in told if squeezed(text) not in here.text)
            for sent in callback.operations:
                below = f"{where} callback {callback.name} {sent.method}"
                yield from (
                    f"{below}: {text!r}" for text in (sent.title, sent.description) if not here.says(text)
                )
                yield from self.request(sent, here, below, prefix=f"callback.{callback.name}.")

    def request(self, one: Operation, here: Output, where: str, prefix: str) -> Iterator[str]:
        for parameter in one.parameters:
            yield from self.value(parameter, here, f"{where} {parameter.location_in} {parameter.name}")
            anchor = escape(anchor_text(f"{prefix}{parameter.location_in}.{parameter.name}"))
            if f'id="{anchor}' not in here.markup:
                yield f"{where}: no row for the parameter {anchor}"
        if one.request_body is not None:
            if not here.says(one.request_body.description):
                yield f"{where}: the body's description"
            yield from self.content(one.request_body.content, here, f"{where} body")
        for response in one.responses:
            yield from self.response(response, here, f"{where} {response.status}")

    def response(self, one: Response, here: Output, where: str) -> Iterator[str]:
        texts = [one.status, one.description]
        for link in one.links:
            texts += [link.name, link.description, *(name for name, _ in link.parameters)]
        yield from (f"{where}: {text!r}" for text in texts if not here.says(text))
        for header in one.headers:
            yield from self.value(header, here, f"{where} header {header.name}")
        yield from self.content(one.content, here, where)

    def value(self, one: Parameter | Header, here: Output, where: str) -> Iterator[str]:
        if one.name not in here.codes:
            yield f"{where}: its name"
        if not here.says(one.description):
            yield f"{where}: its description"
        yield from self.examples(one.examples, here, where)
        if one.schema is not None:
            yield from self.schema(one.schema, where)
        if one.content is not None:
            yield from self.content((one.content,), here, where)

    def content(self, content: tuple[MediaType, ...], here: Output, where: str) -> Iterator[str]:
        for media in content:
            if media.name not in here.codes:
                yield f"{where}: the media type {media.name}"
            yield from self.examples(media.examples, here, f"{where} {media.name}")
            for schema in (media.schema, media.item_schema):
                if schema is not None:
                    yield from self.schema(schema, f"{where} {media.name}")
            for part in media.encodings:
                told = (part.property_name, part.content_type, part.style)
                yield from (f"{where}: encoding {text}" for text in told if text and text not in here.codes)
                for header in part.headers:
                    yield from self.value(header, here, f"{where} part {part.property_name} {header.name}")

    def examples(self, examples: tuple[Example, ...], here: Output, where: str) -> Iterator[str]:
        for one in examples:
            told = (
                here.says(one.summary or one.name)
                and here.says(one.description)
                and squeezed(one.external) in here.text
            )
            if not told or not (one.external or here.holds(one.value)):
                yield f"{where}: the example {one.name!r}"

    def schema(self, schema: Schema, where: str) -> Iterator[str]:
        """Yield what is not shown of a schema and of all below, each schema once."""
        if id(schema) in self.seen:
            return
        self.seen.add(id(schema))
        whole = self.whole
        yield from (f"{where}: {text!r}" for text in self.texts(schema) if not whole.says(text))
        yield from (f"{where}: code {code}" for code in _codes(schema) if code not in whole.codes)
        for constraint in schema.constraints:
            if not any(one in whole.text for one in _spellings(constraint.value)):
                yield f"{where}: {constraint.keyword} {constraint.value!r}"
        for value in schema.examples:
            if not whole.holds(value):
                yield f"{where}: the example {value!r:.80}"
        for one in schema.properties:
            yield from self.property(one, f"{where}.{one.name}")
        for below, child in _children(schema):
            yield from self.schema(child, f"{where} {below}")
        if schema.ref is not None and schema.ref in self.api.schemas:
            yield from self.schema(self.api.schemas[schema.ref], str(schema.ref))

    def property(self, one: Property, where: str) -> Iterator[str]:
        if one.name not in self.whole.codes:
            yield f"{where}: its name"
        yield from self.schema(one.schema, where)

    def texts(self, schema: Schema) -> Iterator[str]:
        yield schema.description
        if schema.external_docs:
            yield schema.external_docs.url


def _server_texts(server: Server) -> list[str]:
    texts = [server.url, server.description]
    for one in server.variables:
        texts += [one.name, one.default, one.description, *one.enum]
    return texts


def _codes(schema: Schema) -> Iterator[str]:
    values = [*schema.enum, *([] if schema.const is ABSENT else [schema.const])]
    yield from (json.dumps(value, ensure_ascii=False) for value in values if value is not None)
    if schema.default is not ABSENT:
        yield json.dumps(schema.default, ensure_ascii=False)
    yield from (one.name for one in schema.pattern_properties)
    yield from (value for _, value in schema.content)
    if schema.discriminator is not None:
        yield schema.discriminator.property_name
        yield from (value for value, _ in schema.discriminator.mapping)


def _spellings(value: Any) -> Iterator[str]:
    yield squeezed(json.dumps(value, ensure_ascii=False) if not isinstance(value, str) else value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        yield f"{value:,}"
    if value is True:
        yield "noitemtwice"
    if value == 0:
        yield ""  # a lower bound of nothing says nothing


def _children(schema: Schema) -> Iterator[tuple[str, Schema]]:
    for keyword, branches in (("allOf", schema.all_of), ("oneOf", schema.one_of), ("anyOf", schema.any_of)):
        for number, branch in enumerate(branches):
            yield f"{keyword}/{number}", branch
    yield from (("prefixItems", one) for one in schema.prefix_items)
    yield from ((f"~{one.name}", one.schema) for one in schema.pattern_properties)
    yield from schema.others
    for keyword, child in (
        ("items", schema.items),
        ("additionalProperties", schema.additional_properties),
        ("not", schema.negated),
    ):
        if child is not None:
            yield keyword, child
