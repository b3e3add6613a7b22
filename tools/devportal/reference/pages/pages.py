"""The pages of the reference, in the order of the contract. Markup is in the templates."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import chain
from typing import Any

from markupsafe import Markup, escape

from devportal.contract import Api, Group, Operation, Webhook
from devportal.contract.operation_names import successor_of
from devportal.contract.titles.operation_titles import MAX_TITLE_LENGTH
from devportal.contract.value_sources import ValueSources, value_sources_of
from devportal.language import OURS
from devportal.markup import Page, SearchEntry, SearchKind, plain_text
from devportal.project.settings import Settings
from devportal.reference.addresses import (
    Anchors,
    Downloads,
    downloads_in,
    event_operations,
    has_authentication,
)
from devportal.reference.console import SCRIPT, console_address
from devportal.reference.history_marks import NO_HISTORY_MARKS, HistoryMarks
from devportal.reference.links import DescriptionLinks
from devportal.reference.markup import name_sentence
from devportal.reference.pages.authentication import authentication_pages
from devportal.reference.pages.introduction import brief_text
from devportal.reference.pages.list_pages import MAX_OPERATIONS, list_page_links, list_pages
from devportal.reference.pages.overview import overview_pages
from devportal.reference.pages.part_pages import ColourLimit, divided_pages
from devportal.reference.pages.problem_types import ProblemTypes
from devportal.reference.pages.response_pages import (
    CallbackList,
    ResponseList,
    callback_lists,
    callback_pages,
    links_to_response_pages,
    response_lists,
    response_pages,
)
from devportal.reference.pages.schema_pages import problem_pages, schema_pages
from devportal.reference.pages.search_entries import callback_entries, event_entry, operation_entry
from devportal.reference.pages.security import requirements_of
from devportal.reference.pages.sidebar import Sidebar, events_title
from devportal.reference.pages.stability import GroundsPages, marked_parts
from devportal.reference.pages.stability_page import stability_pages
from devportal.reference.pages.views import (
    OperationView,
    OperationViews,
    in_reading_order,
    operation_item,
    sourced_input_views,
)
from devportal.reference.reference import Reference, reference_of
from devportal.reference.rendering import (
    Crumbs,
    PageSource,
    Renderer,
    UnfinishedPage,
    needed_sources,
    templates,
)
from devportal.reference.samples.panels import MAX_PANEL_SPANS, MAX_RESPONSE_SPANS, Panels, PlainSample
from devportal.reference.samples.sample_requests import sample_requests
from devportal.reference.samples.servers import PICKER_SCRIPT, host_note, server_choices
from devportal.reference.schema.fields import FieldReader
from devportal.reference.wording import says_the_same
from devportal.translation import gettext, ngettext

OPERATION_SECTIONS = ("servers", "authorization", "value-sources", "responses", "callbacks", "try")
"""The sections that an operation's page may have, by their anchors."""


def reference_pages(
    api: Api,
    settings: Settings = Settings(),
    *,
    folder: str = "",
    needed: Callable[[str], bool] = lambda _: True,
    grounds: GroundsPages | None = None,
    marks: HistoryMarks = NO_HISTORY_MARKS,
    has_console: bool = False,
    console_note: str = "",
    downloads: Downloads | None = None,
    language: str = OURS,
) -> Iterator[Page]:
    """Yield the pages of a contract, as `reference_sources` makes them, one after the other."""
    sources = reference_sources(
        api,
        settings,
        folder=folder,
        needed=needed,
        grounds=grounds,
        marks=marks,
        has_console=has_console,
        console_note=console_note,
        downloads=downloads,
        language=language,
    )
    for source in sources:
        yield from source()


def reference_sources(
    api: Api,
    settings: Settings = Settings(),
    *,
    folder: str = "",
    needed: Callable[[str], bool] = lambda _: True,
    grounds: GroundsPages | None = None,
    marks: HistoryMarks = NO_HISTORY_MARKS,
    has_console: bool = False,
    console_note: str = "",
    downloads: Downloads | None = None,
    language: str = OURS,
) -> tuple[PageSource, ...]:
    """Return what yields the pages of a contract below `folder`, by default that of the settings, as these ask for.

    Those whose uris are not `needed` may be left out. `grounds` says where sources and decisions are,
    `marks` what the history of the contract says of its parts, `downloads` which files the overview offers: by
    default those of the present contract.
    `language` is that of the contract's texts, if it does not say it itself. `console_note` says on the overview
    why no operation has a console.
    """
    reference = reference_of(api, settings, folder=folder)
    marked = marked_parts(api, reference.addresses)
    language = api.language or language
    renderer = Renderer(
        reference=reference,
        sidebar=sidebar_of(reference, language=language),
        links=DescriptionLinks(reference, grounds),
        downloads=downloads_in(settings.contract_folder) if downloads is None else downloads,
        console_note=console_note,
        language=language,
    )
    problems, reader = ProblemTypes(api), FieldReader(reference, marks=marks)
    pages = _ReferencePages(
        renderer=renderer,
        panels=Panels(reference, has_console=has_console),
        views=OperationViews(reference, problems, reader, marks),
        marks=marks,
        value_sources=value_sources_of(api),
        has_console=has_console,
    )
    every = (
        *pages.sources(),
        *problem_pages(renderer, problems),
        *schema_pages(renderer, reader),
        PageSource(reference.addresses.stability, partial(stability_pages, renderer, marked)),
    )
    return needed_sources(every, needed)


def sidebar_of(reference: Reference, *, language: str) -> Sidebar:
    """Return the left column of the pages of a reference; `language` is that of its texts if they do not say it."""
    api = reference.api
    has_stability = bool(marked_parts(api, reference.addresses))
    return Sidebar(reference, templates(), has_stability=has_stability, language=api.language or language)


def operation_uris(api: Api, settings: Settings = Settings(), *, folder: str = "") -> dict[str, str]:
    """Return the uri of the page of each operation, by method and path: `POST /v1/orders`."""
    addresses = reference_of(api, settings, folder=folder).addresses
    return {
        f"{operation.method} {operation.path}": addresses.operation(operation) for operation in api.operations
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Successor:
    """The successor of an operation: the title and page of another one, or the text of the contract."""

    title: str
    uri: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Division:
    """The responses and callbacks of an operation or event by the page that shows them."""

    first: ResponseList
    """The responses on the page of the operation."""
    rest: tuple[ResponseList, ...]
    callbacks: tuple[CallbackList, ...]
    """The callbacks on separate pages; none if the page of the operation shows all."""

    def own_view(self, view: OperationView) -> OperationView:
        """Return what the page of the operation shows of its view."""
        callbacks = () if self.callbacks else view.callbacks
        return replace(view, responses=self.first.responses, callbacks=callbacks)

    def values(self) -> dict[str, object]:
        """Return the links from the page of the operation to the other pages, for its template."""
        return {**links_to_response_pages(self.rest), "callback_lists": self.callbacks}


def _no_samples(_spans: int) -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _ReferencePages:
    """The pages of operations, with the overview, authentication and groups."""

    renderer: Renderer
    panels: Panels = field(repr=False)
    views: OperationViews = field(repr=False)
    marks: HistoryMarks = field(repr=False)
    value_sources: ValueSources = field(repr=False)
    has_console: bool

    def sources(self) -> Iterator[PageSource]:
        """Yield the sources of the overview and authentication, then of groups, operations and events."""
        api, addresses = self.renderer.api, self.renderer.addresses
        yield PageSource(addresses.overview, partial(overview_pages, self.renderer), is_list=True)
        if has_authentication(api):
            yield PageSource(addresses.authentication, partial(authentication_pages, self.renderer))
        for group in api.groups:
            yield PageSource(addresses.group_of(group), partial(self._group, group))
        for group, operation in _operations_with_group(api):
            yield PageSource(addresses.operation(operation), partial(self._operation, operation, group))
        for webhook, operation in event_operations(api):
            yield PageSource(addresses.event(operation), partial(self._event, webhook, operation))

    def _group(self, group: Group) -> Iterator[Page]:
        """Yield the page of a group of operations, and those of the operations that it has no room for."""
        addresses, api = self.renderer.addresses, self.renderer.api
        uri = addresses.group_of(group)
        tag = next((tag for tag in api.tags if group.is_tag and tag.name == group.name), None)
        pages = list_pages(uri, group.operations, MAX_OPERATIONS)
        for page in pages:
            is_first = page.uri == uri
            title = (
                group.title
                if is_first
                else gettext("%(group)s, operations %(range)s", group=group.title, range=page.words)
            )
            text = brief_text(group.description, 200) if is_first else ""
            yield self.renderer.page(
                "group",
                page.uri,
                title=title,
                description=brief_text(group.description, 180)
                or ngettext(
                    "%(number)s operation of %(api)s.",
                    "%(number)s operations of %(api)s.",
                    len(group.operations),
                    api=self.renderer.title,
                ),
                crumbs=self.renderer.crumbs(*(() if is_first else ((group.title, uri),))),
                search=SearchEntry(
                    kind=SearchKind.GROUP if is_first else SearchKind.PAGE, title=title, text=text
                ),
                values={
                    "group": group,
                    "tag": tag,
                    "is_first": is_first,
                    "operations": tuple(operation_item(operation, addresses) for operation in page.items),
                    "listed": gettext("Operations"),
                    "lists": list_page_links(pages),
                },
                part_of="" if is_first else uri,
            ).finish()

    def _operation(self, operation: Operation, group: Group) -> Iterator[Page]:
        """Yield the page of an operation, and those of what does not fit on it."""
        operation = replace(operation, responses=in_reading_order(operation.responses))
        addresses = self.renderer.addresses
        anchors = Anchors(*OPERATION_SECTIONS)
        names = _operation_anchors(operation, anchors)
        requests = sample_requests(self.renderer.api, operation)
        has_generated = self.panels.are_generated(operation)
        sampled = requests if has_generated else ()
        uri = addresses.operation(operation)
        crumbs = self.renderer.crumbs((group.title, addresses.group_of(group)))
        view = self.views.operation(
            operation, anchors, shown=tuple(request.shown for request in sampled if request.shown)
        )
        division = self._division(uri, operation, view)
        choices = server_choices(operation, has_generated=has_generated)
        values = {
            **self._values(operation, names),
            **division.values(),
            "choices": choices,
            "host_note": host_note(operation.servers) if has_generated else "",
            "plain_samples": self.panels.plain(operation, requests),
            "plain_responses": self._plain_responses(operation, division.first),
            "console": console_address(uri) if self.has_console else "",
        }

        @cache
        def samples(spans: int) -> dict[str, str]:
            response_spans = spans * MAX_RESPONSE_SPANS // MAX_PANEL_SPANS
            example_names = tuple(request.name for request in sampled)
            return {
                "samples": self.panels.requests(operation, requests, spans=spans - response_spans),
                "response_samples": self._response_samples(
                    operation, division.first, response_spans, example_names
                ),
            }

        units = self.views.units(operation)

        def page(view: OperationView) -> UnfinishedPage:
            return self.renderer.page(
                "operation",
                uri,
                title=operation.title,
                description=brief_text(operation.description, 180)
                or name_sentence(f"{operation.method} {operation.path}", self.renderer.title),
                crumbs=crumbs,
                search=operation_entry(operation, view),
                sections=callback_entries(view),
                layout="samples",
                values={**values, **samples(MAX_PANEL_SPANS), "view": view},
                shows=units,
                scripts=self._scripts(has_choice=bool(choices)),
            )

        colours = ColourLimit(samples, MAX_PANEL_SPANS)
        yield from divided_pages(self.renderer, division.own_view(view), page, crumbs=crumbs, colours=colours)
        yield from self._pages_below(operation, division, (*crumbs, (operation.title, uri)))

    def _division(self, uri: str, operation: Operation, view: OperationView) -> _Division:
        first, *rest = response_lists(uri, operation, view, self.renderer.links)
        callbacks = callback_lists(uri, view.callbacks, self.renderer.links)
        return _Division(first=first, rest=tuple(rest), callbacks=callbacks)

    def _pages_below(
        self, operation: Operation, division: _Division, crumbs: Crumbs, *, has_samples: bool = True
    ) -> Iterator[Page]:
        """Yield the pages of the responses and callbacks that the page of an operation or event has no room for."""
        for shown in division.rest:
            samples = partial(self._response_samples, operation, shown) if has_samples else _no_samples
            plain = self._plain_responses(operation, shown) if has_samples else ()
            yield from response_pages(self.renderer, operation, shown, samples, plain, crumbs=crumbs)
        for part in division.callbacks:
            yield from callback_pages(self.renderer, operation, part, crumbs=crumbs)

    def _scripts(self, *, has_choice: bool) -> tuple[str, ...]:
        """Return the modules of the page of an operation: that of its picker of servers, and the console."""
        needs_picker = has_choice or self.has_console  # the console takes any address, which samples follow
        return (*((PICKER_SCRIPT,) if needs_picker else ()), *((SCRIPT,) if self.has_console else ()))

    def _response_samples(
        self, operation: Operation, shown: ResponseList, spans: int, requested: tuple[str, ...] = ()
    ) -> str:
        """Return the samples of some of the responses, with this many coloured words; `requested` are the names of
        the request's examples.
        """
        return self.panels.response_samples(operation.responses[shown.part], requested, spans=spans)

    def _plain_responses(self, operation: Operation, shown: ResponseList) -> tuple[PlainSample, ...]:
        """Return the bodies of some of the responses as text: of each success, and the examples of errors."""
        alone = ((response,) for response in operation.responses[shown.part])
        return tuple(chain.from_iterable(map(self.panels.plain_responses, alone)))

    def _event(self, webhook: Webhook, operation: Operation) -> Iterator[Page]:
        """Yield the page of a request that the provider sends, and those of what does not fit on it."""
        operation = replace(operation, responses=in_reading_order(operation.responses))
        addresses = self.renderer.addresses
        anchors = Anchors(*OPERATION_SECTIONS)
        names = _operation_anchors(operation, anchors)
        uri = addresses.event(operation)
        crumbs = self.renderer.crumbs(
            (gettext(events_title(self.renderer.api)), f"{addresses.overview}#events")
        )
        view = self.views.event(operation, anchors, name=webhook.name)
        division = self._division(uri, operation, view)
        values = {
            **self._values(operation, names),
            **division.values(),
            "path": webhook.name,
            "address": f"{operation.method} {webhook.name}",
            "marks": self.marks.of(webhook.name),
            "servers": operation.servers,
            "is_event": True,
            "samples": "",
            "choices": (),
            "host_note": "",
            "response_samples": self.panels.payload(operation),
            "plain_samples": (),
            "plain_responses": self.panels.plain_payload(operation),
        }
        units = self.views.units(operation)

        def page(view: OperationView) -> UnfinishedPage:
            return self.renderer.page(
                "operation",
                uri,
                title=operation.title,
                description=brief_text(operation.description, 180)
                or gettext("The event %(name)s.", name=webhook.name),
                crumbs=crumbs,
                search=event_entry(webhook, operation, view),
                sections=callback_entries(view),
                layout="samples",
                values={**values, "view": view},
                shows=units,
            )

        yield from divided_pages(self.renderer, division.own_view(view), page, crumbs=crumbs)
        below = (*crumbs, (operation.title, uri))
        yield from self._pages_below(operation, division, below, has_samples=False)

    def _values(self, operation: Operation, names: tuple[str, str]) -> dict[str, Any]:
        """Return the values of the page of an operation or event, but for what its fields and samples are."""
        api = self.renderer.api
        return {
            "operation": operation,
            "text": "" if _repeats_title(operation) else operation.description,
            "anchors": names,
            "path": breakable_path(operation.path),
            "address": f"{operation.method} {operation.path}",
            "marks": self.marks.of(f"{operation.method} {operation.path}"),
            "servers": operation.servers if operation.servers != api.servers else (),
            "badges": api.badges(operation),
            "successor": self._successor(operation),
            "requirements": requirements_of(api, operation, self.renderer.addresses),
            "is_public": bool(operation.path and api.security_schemes and not operation.security),
            "value_sources": sourced_input_views(
                self.value_sources.of(operation) if operation.path else (), self.renderer.addresses
            ),
            "is_event": False,
            "is_bare": _is_bare(operation),
            "console": "",
            "console_note": self.renderer.console_note,
            "overview": self.renderer.addresses.overview,
        }

    def _successor(self, operation: Operation) -> Successor | None:
        """Return the successor of a deprecated operation, if the contract names one."""
        if not operation.successor or not (operation.deprecated or operation.sunset):
            return None
        found = successor_of(self.renderer.api, operation)
        if found is None:
            return Successor(title=operation.successor, uri="")
        return Successor(title=found.title, uri=self.renderer.addresses.operation(found))


def _is_bare(operation: Operation) -> bool:
    """Say whether the contract describes nothing of an operation, so that its page has no content."""
    texts = (operation.description, operation.external_docs, operation.code_samples)
    parts = (operation.parameters, operation.request_body, operation.responses, operation.callbacks)
    return not any((*texts, *parts))


def _repeats_title(operation: Operation) -> bool:
    """Say whether the description of an operation only repeats its title."""
    is_short = len(operation.description) < 2 * MAX_TITLE_LENGTH
    return is_short and says_the_same(plain_text(operation.description), operation.title)


def _operations_with_group(api: Api) -> Iterator[tuple[Group, Operation]]:
    """Yield each operation once, with the first group that lists it."""
    seen = set()
    for group in api.groups:
        for operation in group.operations:
            if operation.key not in seen:
                seen.add(operation.key)
                yield group, operation


def _operation_anchors(operation: Operation, anchors: Anchors) -> tuple[str, str]:
    """Return the two anchors of an operation: its id, and its method and path."""
    return anchors.take(operation.id), anchors.take(f"{operation.method}-{operation.path}")


def breakable_path(path: str) -> Markup:
    """Return a path as HTML that may break after each slash, its placeholders marked."""
    segments = re.split(r"(\{[^{}]*\}|/)", path)
    html = "".join(
        "/<wbr>"
        if segment == "/"
        else f'<span class="dp-path__name">{escape(segment)}</span>'
        if segment.startswith("{") and segment.endswith("}")
        else escape(segment)
        for segment in segments
    )
    return Markup(html)  # noqa: S704 - each segment is escaped
