"""The pages of the reference, one function per kind of page. Markup is in the templates."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from jinja2 import Environment
from markupsafe import escape

from devportal.contract import Api, Group, Operation, Schema, SecurityScheme, Webhook
from devportal.contract.json_schema import Direction
from devportal.contract.synthesis import synthesise
from devportal.pages import Artefact, Heading, Page, SearchEntry, environment, plain_text
from devportal.reference.addresses import Addresses, addresses_of, events, shared_schemas
from devportal.reference.fields import FieldReader
from devportal.reference.highlight import highlight_json
from devportal.reference.panels import Panels
from devportal.reference.sidebar import Sidebar
from devportal.reference.views import (
    OperationItem,
    OperationViews,
    event_item,
    item_of,
    problem_types_of,
    requirements_of,
    scheme_anchor,
    scheme_words,
)
from devportal.reference.wording import json_text

Crumbs = tuple[tuple[str, str], ...]

LISTED_UP_TO = 60
"""The overview lists each operation of contracts with at most so many; of larger ones it lists the groups."""


@lru_cache(maxsize=1)
def _templates() -> Environment:
    made = environment("devportal.reference")
    made.filters["oneline"] = plain_text
    return made


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """The reference of one contract: renders its pages one by one."""

    api: Api
    addresses: Addresses
    sidebar: Sidebar = field(repr=False)
    panels: Panels = field(repr=False)
    requests: FieldReader = field(repr=False)
    responses: FieldReader = field(repr=False)

    def pages(self) -> Iterator[Page]:
        """Yield every page, the overview first."""
        yield self.overview()
        for group in self.api.groups:
            yield self.group(group)
        for group, operation in self._placed():
            yield self.operation(operation, group)
        for webhook in events(self.api):
            yield self.event(webhook)
        yield from self.errors()
        yield from self.schemas()

    def _placed(self) -> Iterator[tuple[Group, Operation]]:
        """Yield each operation once, with the first group that lists it."""
        seen = set()
        for group in self.api.groups:
            for operation in group.operations:
                if operation.location not in seen:
                    seen.add(operation.location)
                    yield group, operation

    def overview(self) -> Page:
        """Return the page of the whole contract."""
        uri = self.addresses.overview
        is_large = sum(len(group.operations) for group in self.api.groups) > LISTED_UP_TO
        groups = [
            {
                "title": group.title,
                "anchor": f"group.{group.name}",
                "description": plain_text(group.description, limit=240),
                "uri": self.addresses.group_of(group),
                "count": len(group.operations),
                "operations": () if is_large else self._items(group),
            }
            for group in self.api.groups
        ]
        values = {
            "title": self.api.title,
            "is_large": is_large,
            "groups": groups,
            "schemes": [_scheme_view(scheme) for scheme in self.api.security_schemes],
            "events": [event_item(one, self.addresses) for one in events(self.api)],
            "more": self.sidebar.bottom,
        }
        sections = (
            ("servers", "Servers", bool(self.api.servers)),
            ("authentication", "Authentication", bool(self.api.security_schemes)),
            ("operations", "Operations", is_large),
        )
        headings = [
            Heading(level=2, anchor=one, title=title) for one, title, is_there in sections if is_there
        ]
        if not is_large:
            headings += [
                Heading(level=2, anchor=f"group.{one.name}", title=one.title) for one in self.api.groups
            ]
        return self._page(
            "overview",
            uri,
            title=self.api.title,
            description=plain_text(self.api.summary or self.api.description, limit=180),
            headings=tuple(headings),
            search=SearchEntry(
                title=self.api.title,
                text=" ".join(
                    (
                        plain_text(self.api.description, limit=400),
                        "authentication servers",
                        *(scheme.name for scheme in self.api.security_schemes),
                    )
                ),
            ),
            values=values,
        )

    def _items(self, group: Group) -> tuple[OperationItem, ...]:
        return tuple(item_of(operation, self.addresses) for operation in group.operations)

    def group(self, group: Group) -> Page:
        """Return the page of a group of operations."""
        uri = self.addresses.group_of(group)
        return self._page(
            "group",
            uri,
            title=group.title,
            description=plain_text(group.description, limit=180)
            or f"{len(group.operations)} operations of {self.api.title}.",
            crumbs=self._crumbs(),
            headings=(Heading(level=2, anchor="operations", title="Operations"),),
            search=SearchEntry(title=group.title, text=plain_text(group.description, limit=400)),
            values={"title": group.title, "group": group, "operations": self._items(group)},
        )

    def operation(self, operation: Operation, group: Group) -> Page:
        """Return the page of an operation."""
        uri = self.addresses.operation(operation)
        views = OperationViews(self.api, self.addresses, sent=self.requests, received=self.responses)
        values = self._operation_values(operation, views)
        values["samples"] = self.panels.requests(operation)
        values["answers"] = self.panels.answers(operation)
        return self._page(
            "operation",
            uri,
            title=operation.title,
            description=plain_text(operation.description, limit=180)
            or f"{operation.method} {operation.path}, an operation of {self.api.title}.",
            crumbs=(*self._crumbs(), (group.title, self.addresses.group_of(group))),
            search=SearchEntry(title=operation.title, text=_operation_words(self.api, operation)),
            layout="wide",
            values=values,
        )

    def event(self, webhook: Webhook) -> Page:
        """Return the page of an event that the provider sends."""
        uri = self.addresses.events[webhook.name]
        operation = webhook.operations[0]
        views = OperationViews(self.api, self.addresses, sent=self.responses, received=self.requests)
        values = self._operation_values(operation, views)
        values["title"] = operation.title
        values["path"] = webhook.name
        values["servers"] = ()
        values["is_event"] = True
        values["samples"] = ""
        values["answers"] = self.panels.payload(operation)
        return self._page(
            "operation",
            uri,
            title=operation.title,
            description=plain_text(operation.description, limit=180) or f"The event {webhook.name}.",
            crumbs=(*self._crumbs(), ("Events", f"{self.addresses.overview}#events")),
            search=SearchEntry(
                title=operation.title, text=f"{webhook.name} {_operation_words(self.api, operation)}"
            ),
            layout="wide",
            values=values,
        )

    def _operation_values(self, operation: Operation, views: OperationViews) -> dict[str, Any]:
        own_servers = operation.servers if operation.servers != self.api.servers else ()
        return {
            "title": operation.title,
            "operation": operation,
            "anchors": (operation.id, f"{operation.method} {operation.path}".replace(" ", "-")),
            "path": _breakable(operation.path),
            "servers": own_servers,
            "requirements": requirements_of(self.api, operation, self.addresses),
            "parameters": views.parameters(operation),
            "request": views.request(operation),
            "responses": views.responses(operation),
            "callbacks": tuple(views.callbacks(operation)),
            "is_event": False,
            "plain_samples": self.panels.plain(operation),
        }

    def errors(self) -> Iterator[Page]:
        """Yield the page of all problem types, and one for each."""
        problems = self.api.problem_types
        if not problems:
            return
        items = [
            {"problem": one, "uri": self.addresses.problems[one.uri], "kind": str(one.status)[0]}
            for one in problems
        ]
        yield self._page(
            "errors",
            self.addresses.errors,
            title="Errors",
            description=f"The problem types of {self.api.title}: status, cause and what to do.",
            crumbs=self._crumbs(),
            search=SearchEntry(title="Errors", text="Problem types, RFC 9457 problem+json"),
            values={"items": items},
        )
        for problem in problems:
            answering = [
                (operation, response)
                for operation in self.api.operations
                for response in operation.responses
                if problem in problem_types_of(self.api, response)
            ]
            example = next(
                (
                    example.value
                    for _, response in answering
                    for media in response.content
                    for example in media.examples
                    if isinstance(example.value, dict) and example.value.get("type") == problem.uri
                ),
                None,
            )
            yield self._page(
                "problem",
                self.addresses.problems[problem.uri],
                title=problem.title,
                description=plain_text(problem.description, limit=180),
                crumbs=(*self._crumbs(), ("Errors", self.addresses.errors)),
                search=SearchEntry(
                    title=f"{problem.status} {problem.title}",
                    text=f"{problem.uri} {plain_text(problem.description, limit=300)}",
                ),
                values={
                    "problem": problem,
                    "kind": str(problem.status)[0],
                    "example": highlight_json(json_text(example, indent=2) or "") if example else "",
                    "operations": tuple(
                        {
                            operation.id: item_of(operation, self.addresses) for operation, _ in answering
                        }.values()
                    ),
                },
            )

    def schemas(self) -> Iterator[Page]:
        """Yield the list of shared schemas, and one page for each."""
        shared = sorted(shared_schemas(self.api), key=lambda one: (one.name.lower(), str(one.location)))
        if not shared:
            return
        items = [
            {
                "uri": self.addresses.schemas[one.location],
                "title": one.name,
                "text": plain_text(one.title or one.description, limit=100),
            }
            for one in shared
        ]
        yield self._page(
            "schemas",
            self.addresses.schemas_index,
            title="Schemas",
            description=f"The shared objects of {self.api.title}.",
            crumbs=self._crumbs(),
            search=SearchEntry(title="Schemas", text="Shared objects"),
            values={"items": items},
        )
        for schema in shared:
            yield self._schema(schema)

    def _schema(self, schema: Schema) -> Page:
        shown = self.responses.body(schema, "")
        example = synthesise(self.api, schema, Direction.RESPONSE)
        return self._page(
            "schema",
            self.addresses.schemas[schema.location],
            title=schema.name,
            description=plain_text(schema.description or schema.title, limit=180)
            or f"An object of {self.api.title}.",
            crumbs=(*self._crumbs(), ("Schemas", self.addresses.schemas_index)),
            search=SearchEntry(
                title=schema.name, text=" ".join(one.name for one in shown.fields) or schema.title
            ),
            layout="wide",
            values={
                "title": schema.name,
                "field": shown,
                "example": highlight_json(json_text(example, indent=2) or ""),
                "generated": not schema.examples,
            },
        )

    def _crumbs(self) -> Crumbs:
        return (("API reference", self.addresses.overview),)

    def _page(
        self,
        template: str,
        uri: str,
        *,
        title: str,
        description: str,
        search: SearchEntry,
        values: dict[str, Any],
        crumbs: Crumbs = (),
        headings: tuple[Heading, ...] = (),
        layout: str = "page",
    ) -> Page:
        context = {"api": self.api, "source": uri, "crumbs": crumbs, **values}
        templates = _templates()
        return Page(
            uri=uri,
            title=title,
            description=description,
            body=templates.get_template(f"{template}.html.jinja").render(context),
            markdown=templates.get_template(f"{template}.md.jinja").render(context),
            headings=headings,
            search=(search,),
            layout=layout,
            sidebar=self.sidebar.html(uri),
        )


def reference_pages(
    api: Api, *, folder: str = "reference", overview: str = "reference/index.md"
) -> Iterator[Page | Artefact]:
    """Yield the pages of a contract below `folder`, with the page of the whole at `overview`."""
    addresses = addresses_of(api, folder=folder, overview=overview)
    reference = Reference(
        api=api,
        addresses=addresses,
        sidebar=Sidebar(api, addresses),
        panels=Panels(api, _templates()),
        requests=FieldReader(api, addresses, Direction.REQUEST),
        responses=FieldReader(api, addresses, Direction.RESPONSE),
    )
    yield from reference.pages()


def operation_uris(
    api: Api, *, folder: str = "reference", overview: str = "reference/index.md"
) -> dict[str, str]:
    """Return the uri of the page of each operation, by method and path: `POST /v1/messages`."""
    addresses = addresses_of(api, folder=folder, overview=overview)
    return {f"{one.method} {one.path}": addresses.operation(one) for one in api.operations}


def _scheme_view(scheme: SecurityScheme) -> dict[str, Any]:
    facts = [("bearer format", scheme.bearer_format), ("discovery", scheme.openid_url)]
    for flow in scheme.flows:
        facts += [
            (f"{flow.kind} authorization", flow.authorization_url),
            (f"{flow.kind} token", flow.token_url),
            (f"{flow.kind} refresh", flow.refresh_url),
        ]
    scopes = dict(scheme.scopes)
    for flow in scheme.flows:
        scopes |= dict(flow.scopes)
    return {
        "name": scheme.name,
        "anchor": scheme_anchor(scheme.name),
        "kind": scheme_words(scheme),
        "description": scheme.description,
        "stability": scheme.stability,
        "facts": [(name, value) for name, value in facts if value],
        "scopes": tuple(scopes.items()),
    }


def _operation_words(api: Api, operation: Operation) -> str:
    """Return what search knows of an operation: method, path, id, description, names of its fields."""
    names = [parameter.name for parameter in operation.parameters]
    for media in operation.request_body.content if operation.request_body else ():
        if media.schema is not None:
            names += [one.name for one in api.resolve(media.schema).properties]
    for response in operation.successes:
        for media in response.content:
            if media.schema is not None:
                names += [one.name for one in api.resolve(media.schema).properties]
    words = (
        operation.method,
        operation.path,
        operation.id if operation.id_is_declared else "",
        plain_text(operation.description, limit=160),
        *dict.fromkeys(names[:60]),
    )
    return " ".join(word for word in words if word)


def _breakable(path: str) -> str:
    """Return a path as HTML that may break after each slash, its placeholders marked."""
    escaped = str(escape(path)).replace("/", "/<wbr>")
    return escaped.replace("{", '<span class="dp-path__name">{').replace("}", "}</span>")
