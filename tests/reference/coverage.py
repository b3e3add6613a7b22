"""Walks a contract as it is written, and looks for everything it says on the pages where that belongs.

The walk knows nothing of our reader and our model. Each thing said becomes a claim with the pages on which it
has to be (those of its operation, schema or event, with the pages that hold parts of them), and where it is
said of a field, in the row of that field.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from devportal.contract.titles.tag_titles import tag_titles
from devportal.markup import Page

from .claims import Claim, Form, Spot, claims_of, docs, flag, is_met, links, source_claims, stability, texts
from .raw import METHODS, Node, Raw
from .schema_walk import SchemaWalk
from .shown import Shown


def missing(raw: Raw, pages: Mapping[str, Page]) -> list[str]:
    """Return what of a contract is not on the pages where it belongs."""
    shown = Shown(pages)
    return sorted({str(claim) for claim in claims(raw, shown) if not is_met(claim, shown)})


def claims(raw: Raw, shown: Shown) -> Iterator[Claim]:
    """Yield everything that a contract says."""
    yield from _Walk(raw, shown).all_claims()


_STYLES = {"path": "simple", "header": "simple", "query": "form", "cookie": "form", "querystring": "form"}
_IGNORED_HEADERS = {"accept", "content-type", "authorization"}
_SCHEMES = {"http": "HTTP", "apiKey": "API key", "oauth2": "OAuth 2", "openIdConnect": "OpenID Connect"}


_LONGEST_TITLE = 60


class _Walk:
    def __init__(self, raw: Raw, shown: Shown) -> None:
        self.raw = raw
        self.shown = shown
        self.schemas = SchemaWalk(raw, shown)
        self.overview = next(iter(shown.pages))
        self.reference = tuple(
            uri for uri in shown.pages if uri.endswith(("authentication.md", "authentication/index.md"))
        )
        self.front = (self.overview, *self.reference)
        items = [item for _, item in raw.root.members("paths")]
        used = [tag.value for item in items for _, node in item.entries() for tag in node.items("tags")]
        declared = [node.text("name") for node in raw.root.items("tags")]
        self.tag_titles = tag_titles(tuple(dict.fromkeys(map(str, [*declared, *used]))))

    def all_claims(self) -> Iterator[Claim]:
        yield from self.head()
        for name, item in self.raw.root.members("paths"):
            if not name.startswith("x-"):
                yield from self.path_item(name, item)
        for key in ("webhooks", "x-webhooks"):
            for name, item in self.raw.root.members(key):
                yield from self.path_item(name, item, is_event=True)
        components = self.raw.root.get("components")
        for _, schema in components.members("schemas") if components else ():
            if self.raw.resolve(schema) is not None:
                yield from self.schemas.component_claims(schema)

    # The contract as a whole

    def head(self) -> Iterator[Claim]:
        root, here = self.raw.root, Spot("overview", self.front)
        info = root.get("info") or root
        for key in ("title", "version", "summary", "description"):
            yield from texts(info, here, key)
        yield from links(info, here, "termsOfService")
        contact, licence = info.get("contact"), info.get("license")
        if contact is not None:
            yield from texts(contact, here, "name", "email")
            yield from links(contact, here, "url")
        if licence is not None:
            yield from texts(licence, here, "name", "identifier")
            yield from links(licence, here, "url")
        yield from docs(root, here)
        yield from self.servers(root, here)
        for tag in root.items("tags"):
            yield from self.tag(tag)
        for group in root.items("x-tagGroups"):
            yield from texts(group, here, "name")
        for problem in root.items("x-problem-types"):
            yield from self.problem(problem)
        for name, item in (root.get("components") or root).members("securitySchemes"):
            scheme = self.raw.resolve(item)
            if scheme is not None:
                yield from self.scheme(name, scheme, here.at(f"security scheme {name}"))

    def tag(self, tag: Node) -> Iterator[Claim]:
        if tag.is_true("x-internal"):
            return
        name = tag.text("name")
        title = tag.text("x-displayName") or tag.text("summary") or self.tag_titles.get(name, name)
        pages = self.shown.pages_titled(title, folder="/index.md") or (self.overview,)
        here = Spot(f"tag {name}", pages)
        is_used = any(name in (operation.value.get("tags") or ()) for operation in self.operations)
        if is_used or tag.text("description") or tag.text("summary") or tag.get("externalDocs"):
            yield from claims_of(here, "title", title)
            yield from texts(tag, here, "summary", "description")
            yield from stability(tag, here)
            yield from docs(tag, here)

    @cached_property
    def operations(self) -> tuple[Node, ...]:
        return tuple(self._operations())

    @cached_property
    def summaries(self) -> Mapping[str, str]:
        return {operation.text("operationId"): operation.text("summary") for operation in self.operations}

    def _operations(self) -> Iterator[Node]:
        for _, item in self.raw.root.members("paths"):
            for layer in self.raw.chain(item):
                for method, node in (*layer.entries(), *layer.members("additionalOperations")):
                    is_fixed = method.lower() in METHODS
                    if (is_fixed or node.get("responses") is not None) and isinstance(node.value, dict):
                        yield node

    def problem(self, problem: Node) -> Iterator[Claim]:
        homes = self.shown.pages_titled(problem.text("title"), folder="/errors/")
        here = Spot(f"problem {problem.text('type')}", homes)
        yield from texts(problem, here, "type", "title", "description", "resolution", "x-stability-level")
        yield from source_claims(problem, here)
        yield from claims_of(here, "status", problem.value.get("status"), form=Form.NUMBER)

    def scheme(self, name: str, scheme: Node, here: Spot) -> Iterator[Claim]:
        yield from claims_of(here, "name", name)
        yield from claims_of(here, "type", _SCHEMES.get(scheme.text("type"), scheme.text("type")))
        yield from texts(scheme, here, "description", "bearerFormat")
        if scheme.text("type") == "apiKey":
            yield from texts(scheme, here, "name")
            yield from claims_of(here, "in", f"API key in {scheme.text('in')}" if scheme.text("in") else "")
        if scheme.text("type") == "http":
            yield from claims_of(
                here, "scheme", f"HTTP {scheme.text('scheme')}" if scheme.text("scheme") else ""
            )
        yield from links(scheme, here, "openIdConnectUrl", "oauth2MetadataUrl")
        yield from flag(scheme, here, "deprecated", "deprecated")
        yield from texts(scheme, here, "x-sunset")
        yield from stability(scheme, here)
        for kind, flow in scheme.members("flows"):
            below = here.at(f"flow {kind}")
            yield from links(
                flow, below, "authorizationUrl", "tokenUrl", "refreshUrl", "deviceAuthorizationUrl"
            )
            yield from self.scopes(flow, below, "scopes")
        yield from self.scopes(scheme, here, "x-scopes")

    def scopes(self, node: Node, here: Spot, key: str) -> Iterator[Claim]:
        for scope, meaning in node.members(key):
            yield from claims_of(here, "scope", scope, form=Form.CODE)
            yield from claims_of(here, f"meaning of {scope}", meaning.value)

    def servers(self, node: Node, here: Spot) -> Iterator[Claim]:
        for server in node.items("servers"):
            if not isinstance(server.value, dict) or server.is_true("x-internal"):
                continue
            below = here.at("server")
            yield from links(server, below, "url")
            yield from texts(server, below, "description", "name")
            yield from stability(server, below)
            for name, variable in server.members("variables"):
                yield from claims_of(below, "variable", name, form=Form.CODE)
                yield from texts(variable, below.at(name), "description")
                default = f"{name} is {variable.text('default')}"
                yield from claims_of(below.at(name), "default", default if variable.text("default") else "")
                for value in variable.items("enum"):
                    yield from claims_of(below.at(name), "enum", value.value)

    # Operations

    def path_item(self, path: str, item: Node, *, is_event: bool = False) -> Iterator[Claim]:
        for method, operation, layers in self.methods(item):
            homes = self.event_pages(path, operation, method) if is_event else self.pages_of(method, path)
            here = Spot(f"{'event ' if is_event else ''}{method} {path}", homes, sent=not is_event)
            if not homes:
                yield Claim(
                    where=here.where, kind="page", wanted=(path,), homes=(self.overview,), form=Form.ID
                )
                continue
            yield from self.operation(operation, layers, here, is_event=is_event)
            if not is_event:
                yield from claims_of(here, "method", method)
                yield from claims_of(here, "path", path, form=Form.WORDS)

    def methods(self, item: Node) -> Iterator[tuple[str, Node, list[Node]]]:
        layers = self.raw.chain(item)
        if any(layer.is_true("x-internal") for layer in layers):
            return
        seen = set()
        for layer in layers:
            fixed = ((key.upper(), node) for key, node in layer.entries() if key.lower() in METHODS)
            for method, node in (*fixed, *layer.members("additionalOperations")):
                if isinstance(node.value, dict) and not node.is_true("x-internal") and method not in seen:
                    seen.add(method)
                    yield method, node, layers

    def pages_of(self, method: str, path: str) -> tuple[str, ...]:
        return self.shown.with_part_pages(self.shown.with_id(_anchor(f"{method}-{path}")))

    def event_pages(self, name: str, operation: Node, method: str) -> tuple[str, ...]:
        found = self.shown.with_id(_anchor(operation.text("operationId") or name), _anchor(f"{method}-"))
        return self.shown.with_part_pages(
            tuple(uri for uri in found if "/events/" in uri or "/webhooks/" in uri)
        )

    def operation(self, node: Node, layers: list[Node], here: Spot, *, is_event: bool) -> Iterator[Claim]:
        yield from texts(node, here, "summary", "description", "x-sunset", "x-stability-level")
        yield from source_claims(node, here)
        for layer in layers:
            yield from texts(layer, here.at("path item"), "summary", "description")
        yield from flag(node, here, "deprecated", "deprecated")
        if node.is_true("deprecated") or node.text("x-sunset"):
            yield from self.successor(node, here)
        yield from docs(node, here)
        for scope in node.items("x-scopes"):
            yield from claims_of(here, "scope", scope.value, form=Form.CODE)
        if not is_event:
            yield from self.operation_claims(node, layers, here)
        elif node.value.get("security"):
            yield from self.security(node, here)
        yield from self.request(node, layers, here)
        for name, item in node.members("callbacks"):
            yield from self.callback(name, item, here)

    def operation_claims(self, node: Node, layers: list[Node], here: Spot) -> Iterator[Claim]:
        """Yield what only the API's own operations have."""
        if node.text("operationId"):
            yield from claims_of(here, "operationId", _anchor(node.text("operationId")), form=Form.ID)
        for tag in node.items("tags"):
            yield from self.in_group(node, str(tag.value), here)
        for key in ("x-codeSamples", "x-code-samples"):
            for sample in node.items(key):
                yield from claims_of(here, "code sample", sample.text("source"), form=Form.WORDS)
                yield from claims_of(here, "code sample's label", sample.text("label") or sample.text("lang"))
        places = [place for place in (node, *layers) if place.value.get("servers")]
        yield from self.servers(places[0], here) if places else ()
        yield from self.security(self.raw.root if node.get("security") is None else node, here)

    def in_group(self, child: Node, tag: str, here: Spot) -> Iterator[Claim]:
        """Yield that the page of a tag lists an operation; a tag that is no group is a word at it."""
        found = [node for node in self.raw.root.items("tags") if node.text("name") == tag]
        title = next((node.text("x-displayName") or node.text("summary") for node in found), "")
        title = title or self.tag_titles.get(tag, tag)
        if any(node.text("kind") not in ("", "nav") for node in found):
            yield from claims_of(here, "tag that is not a group", title)
            return
        groups = Spot(f"{here.where} in tag {title}", self.shown.pages_titled(title, folder="/index.md"))
        summary = child.text("summary")
        is_title = len(summary) <= _LONGEST_TITLE and "**" not in summary
        if is_title:  # a longer one is a text, and the list has a title made of the operation's id or path
            path = here.where.partition(" ")[2]
            yield from claims_of(groups, "operation", summary.split(". ")[0] if summary else path)

    def security(self, node: Node, here: Spot) -> Iterator[Claim]:
        if node.value.get("security") == [] and self.raw.root.value.get("security"):
            yield from claims_of(here, "no security", "No credential", "none")
        for requirement in node.items("security"):
            if requirement.value == {}:
                yield from claims_of(here, "no security", "No credential", "none")
            for name, scopes in requirement.entries():
                yield from claims_of(here, "security", name)
                for scope in scopes.value if isinstance(scopes.value, list) else ():
                    yield from claims_of(here, f"scope of {name}", scope, form=Form.CODE)

    def request(self, node: Node, layers: list[Node], here: Spot) -> Iterator[Claim]:
        yield from self.parameters(node, layers, here)
        body = self.raw.resolve(node.get("requestBody"))
        if body is not None:
            below = here.at("body")
            yield from texts(body, below, "description")
            yield from flag(body, below, "required", "required")
            yield from stability(body, below)
            yield from self.content(body, below)
        for status, item in node.members("responses"):
            response = self.raw.resolve(item)
            if response is not None and not status.startswith("x-"):
                answer = replace(here, sent=False if here.sent else None)
                yield from self.response(status, response, answer.at(status))

    def callback(self, name: str, item: Node, here: Spot) -> Iterator[Claim]:
        callback = self.raw.resolve(item)
        here = replace(here, sent=False)
        for expression, below in callback.entries() if callback is not None else ():
            if expression.startswith("x-"):
                continue
            spot = here.at(f"callback {name}")
            for method, operation, layers in self.methods(below):
                yield from claims_of(spot, "name", name)
                yield from claims_of(spot, "expression", expression, form=Form.WORDS)
                sent = spot.at(method)
                yield from claims_of(sent, "method", method)
                yield from texts(operation, sent, "summary", "description", "x-sunset", "x-stability-level")
                yield from source_claims(operation, sent)
                yield from docs(operation, sent)
                title = operation.text("summary") or name
                yield from flag(operation, sent, "deprecated", f"{title} deprecated")
                if operation.value.get("security"):
                    yield from self.security(operation, sent)
                yield from self.request(operation, layers, sent)

    def parameters(self, node: Node, layers: list[Node], here: Spot) -> Iterator[Claim]:
        merged: dict[tuple[str, str], Node] = {}
        for layer in (*reversed(layers), node):
            for item in layer.items("parameters"):
                parameter = self.raw.resolve(item)
                if parameter is not None:
                    merged[parameter.text("in"), parameter.text("name")] = parameter
        for (place, name), parameter in merged.items():
            if not (place == "header" and name.lower() in _IGNORED_HEADERS):
                yield from self.parameter(parameter, here.at(f"{place} {name}", row=name))

    def parameter(self, node: Node, here: Spot) -> Iterator[Claim]:
        place = node.text("in")
        anchor = f"{place}.{node.text('name')}"
        if "callback" not in here.where:
            yield from claims_of(replace(here, row=None), "row", _anchor(anchor), form=Form.ID)
        yield from self.value(node, here)
        style = node.text("style")
        if style and style != _STYLES.get(place):
            yield from claims_of(here, "style", style, form=Form.CODE)
        usual = (style or _STYLES.get(place)) in ("form", "deepObject", "cookie")
        is_stated = isinstance(node.value.get("explode"), bool) and node.value["explode"] != usual
        if is_stated and not self.is_single(node):
            yield from claims_of(here, "explode", json.dumps(node.value["explode"]), form=Form.CODE)
        yield from flag(node, here, "allowReserved", "reserved characters")
        yield from flag(node, here, "allowEmptyValue", "may be empty")
        yield from self.successor(node, here)

    def is_single(self, parameter: Node) -> bool:
        """Say whether a parameter takes no list and no object: `explode` has no effect on it (OAS 3.0.3 §4.7.12.2)."""
        schema = self.raw.resolve(parameter.get("schema"))
        types = schema.value.get("type", []) if schema is not None else []
        return bool(types) and not {"array", "object"} & {*([types] if isinstance(types, str) else types)}

    def successor(self, node: Node, here: Spot) -> Iterator[Claim]:
        """Yield what takes the place of a part: the title of an operation where the contract has it."""
        for key in ("x-successor-operation-id", "x-successorOperationId", "x-successor", "x-replaced-by"):
            written = node.text(key)
            yield from claims_of(here, key, (written and self.summaries.get(written)) or written)

    def value(self, node: Node, here: Spot) -> Iterator[Claim]:
        """Yield what parameters and headers have in common."""
        yield from texts(node, here, "description", "x-sunset")
        yield from flag(node, here, "required", "required")
        yield from flag(node, here, "deprecated", "deprecated")
        yield from stability(node, here)
        yield from self.examples(node, here)
        if (schema := node.get("schema")) is not None:
            yield from self.schemas.schema(schema, here)
        for name, media in node.members("content"):
            yield from claims_of(here, "media type", name, form=Form.CODE)
            yield from self.media(media, here)
            break

    def content(self, node: Node, here: Spot) -> Iterator[Claim]:
        for name, item in node.members("content"):
            media = self.raw.resolve(item)
            if media is not None:
                yield from claims_of(here, "media type", name, form=Form.CODE)
                yield from self.media(media, here.at(name))

    def media(self, media: Node, here: Spot) -> Iterator[Claim]:
        yield from stability(media, here)
        yield from self.examples(media, here)
        for key in ("schema", "itemSchema"):
            if (schema := media.get(key)) is not None:
                yield from self.schemas.schema(schema, here)
        yield from self.encodings(media, here)

    def encodings(self, within: Node, here: Spot) -> Iterator[Claim]:
        encodings = [*within.members("encoding")]
        encodings += [("itemEncoding", node) for node in [within.get("itemEncoding")] if node is not None]
        encodings += [("prefixEncoding", node) for node in within.items("prefixEncoding")]
        for name, encoding in encodings:
            yield from self.encoding(encoding, here.at(f"encoding {name}"))

    def encoding(self, encoding: Node, here: Spot) -> Iterator[Claim]:
        for key in ("contentType", "style"):
            yield from claims_of(here, key, encoding.text(key), form=Form.CODE)
        if encoding.get("explode") is not None:
            yield from claims_of(here, "explode", json.dumps(encoding.value["explode"]), form=Form.CODE)
        yield from flag(encoding, here, "allowReserved", "reserved characters")
        yield from self.headers(encoding, here)
        yield from self.encodings(encoding, here)

    def headers(self, node: Node, here: Spot) -> Iterator[Claim]:
        for name, item in node.members("headers"):
            header = self.raw.resolve(item)
            if header is not None:
                below = here.at(f"header {name}", row=name)
                yield from claims_of(below, "name", name, form=Form.CODE)
                yield from self.value(header, below)
                if header.is_true("explode"):
                    yield from claims_of(below, "explode", "true", form=Form.CODE)

    def response(self, status: str, response: Node, here: Spot) -> Iterator[Claim]:
        yield from claims_of(here, "status", status, form=Form.WORDS)
        yield from texts(response, here, "summary", "description")
        yield from stability(response, here)
        yield from self.headers(response, here)
        yield from self.content(response, replace(here, told=self.stated_values(status)))
        for name, item in response.members("links"):
            link = self.raw.resolve(item)
            if link is not None:
                yield from self.link(link, here.at(f"link {name}"), name)

    def stated_values(self, status: str) -> frozenset[tuple[str, Any, str]]:
        """Return what a response says of the problems in it outside of their rows: status, and title."""
        problems = self.raw.root.items("x-problem-types")
        types = {("type", problem.value.get("type"), problem.text("title")) for problem in problems}
        return frozenset(types | ({("status", int(status), status)} if status.isdecimal() else set()))

    def link(self, link: Node, here: Spot, name: str) -> Iterator[Claim]:
        yield from claims_of(here, "name", name)
        yield from texts(link, here, "description")
        yield from stability(link, here)
        for parameter, value in link.members("parameters"):
            yield from claims_of(here, "parameter", parameter, form=Form.CODE)
            yield from claims_of(here, f"parameter {parameter}", value.value, form=Form.VALUE)
        if link.get("requestBody") is not None:
            yield from claims_of(here, "requestBody", link.value["requestBody"], form=Form.VALUE)
        server = link.get("server")
        if server is not None:
            yield from links(server, here, "url")
            yield from texts(server, here, "description", "name")
        yield from claims_of(here, "operation", self.title_of(link), form=Form.TEXT)

    def title_of(self, link: Node) -> str:
        """Return what the operation is called that a link leads to."""
        reference = Node({"$ref": link.text("operationRef")}, link.file, ())
        found = [
            operation
            for operation in self.operations
            if operation.text("operationId") == link.text("operationId")
        ]
        target = self.raw.follow(reference) if link.text("operationRef") else next(iter(found), None)
        if target is None:
            return link.text("operationId") or link.text("operationRef")
        return target.text("summary") or target.text("operationId")

    def examples(self, node: Node, here: Spot) -> Iterator[Claim]:
        named = [(name, self.raw.resolve(item)) for name, item in node.members("examples")]
        for name, example in named:
            if example is None:
                continue
            below = here.at(f"example {name}")
            yield from claims_of(below, "label", example.text("summary") or name)
            yield from texts(example, below, "description")
            yield from links(example, below, "externalValue")
            keys = [item for item in ("value", "dataValue", "serializedValue") if item in example.value]
            for key in keys if not example.text("externalValue") else ():
                value = example.value[key]
                yield from claims_of(
                    below, "value", _parse_json(value) if key == "serializedValue" else value, form=Form.VALUE
                )
        if not named and node.get("example") is not None:
            yield from claims_of(here, "example", node.value["example"], form=Form.VALUE)


def _anchor(text: str) -> str:
    return re.sub(r"\s+", "-", text.strip()) or "x"


def _parse_json(text: Any) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError):
        return text
