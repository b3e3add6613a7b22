"""The pages of shared schemas and of problem types (RFC 9457), with their lists."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from devportal.contract import ProblemType, Schema
from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.synthesis import synthesise
from devportal.contract.wording import natural_order
from devportal.markup import Page, SearchEntry, plain_text
from devportal.reference.addresses import APIS, SHARED_SCHEMAS, Anchors, shared_schemas
from devportal.reference.pages.introduction import brief_text
from devportal.reference.pages.list_pages import MAX_PROBLEMS, MAX_SCHEMAS, list_page_links, list_pages
from devportal.reference.pages.part_pages import divided_pages
from devportal.reference.pages.problem_types import ProblemTypes
from devportal.reference.pages.search_entries import problem_entry, schema_entry, states_entry
from devportal.reference.pages.views import operation_item
from devportal.reference.rendering import Crumbs, PageSource, Renderer, UnfinishedPage
from devportal.reference.schema.examples import ExampleView, value_text
from devportal.reference.schema.fields import Field, FieldReader
from devportal.reference.states import states_of
from devportal.reference.wording import format_json, says_the_same
from devportal.translation import gettext

STATES_ANCHOR = "states"
"""The anchor of the section on the state machine of a schema."""


def schema_pages(renderer: Renderer, reader: FieldReader) -> Iterator[PageSource]:
    """Yield the sources of the list of shared schemas, and of the pages of each."""
    shared = sorted(
        shared_schemas(renderer.api), key=lambda schema: (natural_order(schema.name), str(schema.location))
    )
    index = renderer.addresses.schemas_index
    yield PageSource(index, partial(_list_pages, renderer, shared), is_list=True)
    api = renderer.reference.settings.portal_api
    common = {schema.uri: schema for schema in api.shared_schemas} if api is not None else {}
    for schema in shared:
        uri = renderer.addresses.schemas[schema.location]
        if uri in common and common[uri].is_first:
            about = gettext("Objects that several APIs send or receive.")
            # since when a part is there differs by API, so the page of all says nothing of it
            own = partial(_schema_pages, renderer, reader.without_history(), schema, _common_crumbs(), about)
            yield PageSource(uri, own)
        elif uri not in common:
            crumbs = renderer.crumbs((gettext("Schemas"), renderer.addresses.schemas_index))
            about = gettext("An object of %(api)s.", api=renderer.title)
            yield PageSource(uri, partial(_schema_pages, renderer, reader, schema, crumbs, about))


def _list_pages(renderer: Renderer, shared: Sequence[Schema]) -> Iterator[Page]:
    """Yield the pages of the list, each with links to all of them; nothing if nothing is shared."""
    index = renderer.addresses.schemas_index
    pages = list_pages(index, shared, MAX_SCHEMAS, lambda schema: schema.name) if shared else ()
    for page in pages:
        title = gettext("Schemas")
        if len(pages) > 1:
            title = gettext("%(list)s %(range)s", list=title, range=page.words)
        yield renderer.page(
            "schemas",
            page.uri,
            title=title,
            description=gettext("The shared schemas of %(api)s.", api=renderer.title),
            crumbs=renderer.crumbs(),
            search=SearchEntry(title=title, text=gettext("Shared objects")),
            values={
                "items": [_list_item(renderer, schema) for schema in page.items],
                "total": len(shared),
                "listed": gettext("Schemas"),
                "lists": list_page_links(pages),
            },
            part_of=index if page.uri != index else "",
        ).finish()


def _list_item(renderer: Renderer, schema: Schema) -> dict[str, str]:
    """Return a schema as the list has it, with words where these say more than its name."""
    title = "" if says_the_same(schema.title, schema.name) else schema.title
    return {
        "uri": renderer.addresses.schemas[schema.location],
        "title": schema.name,
        "text": plain_text(title or schema.description, limit=100),
    }


def _common_crumbs() -> Crumbs:
    """Return the way to the page of a schema that several APIs have in common."""
    return ((gettext("APIs"), APIS), (gettext("Shared schemas"), SHARED_SCHEMAS))


def _schema_pages(
    renderer: Renderer, reader: FieldReader, schema: Schema, crumbs: Crumbs, about: str
) -> Iterator[Page]:
    """Yield the page of a schema, and those of what does not fit on it; `about` describes one without a description."""
    uri = renderer.addresses.schemas[schema.location]
    examples = _schema_examples(renderer, schema)
    states = states_of(renderer.api, renderer.addresses, schema)
    shows_title = not says_the_same(schema.title, schema.name)  # then the title stands above the fields
    is_described = says_the_same(plain_text(schema.description), schema.title)
    lead = "" if shows_title or is_described or schema.title == schema.name else schema.title

    def page(shown: Field) -> UnfinishedPage:
        return renderer.page(
            "schema",
            uri,
            title=schema.name,
            description=brief_text(schema.description or schema.title, 180) or about,
            crumbs=crumbs,
            search=schema_entry(schema, shown),
            sections=(states_entry(states, STATES_ANCHOR),) if states else (),
            layout="wide",
            values={
                "field": shown,
                "lead": lead,
                "states": states,
                "examples": examples,
                "generated": not schema.examples,
            },
            shows=units,
        )

    reader.units()
    anchors = Anchors(*([STATES_ANCHOR] if states else []))
    shown = _without_examples(reader.body(schema, anchors, ""), schema)._replace(
        home=None
    )  # this is its home
    units = reader.units()
    yield from divided_pages(renderer, shown, page, crumbs=crumbs)


def _without_examples(field: Field, schema: Schema) -> Field:
    """Return the field of a schema without the examples that a panel beside it shows."""
    texts = {value_text(example) for example in schema.examples}
    rest = tuple(example for example in field.value.examples if example.text not in texts)
    if len(rest) == len(field.value.examples):
        return field
    return field._replace(value=replace(field.value, examples=rest))


def _schema_examples(renderer: Renderer, schema: Schema) -> tuple[ExampleView, ...]:
    """Return the examples that the schema gives, or one made from it."""
    values = schema.examples or (synthesise(renderer.api, schema, Direction.RESPONSE),)
    texts = (format_json(value, is_indented=True) for value in values)
    return tuple(ExampleView(text=text) for text in texts if text is not None)


def problem_pages(renderer: Renderer, problems: ProblemTypes) -> Iterator[PageSource]:
    """Yield the sources of the list of all problem types, and of the page of each."""
    errors = renderer.addresses.errors
    yield PageSource(errors, partial(_problem_lists, renderer, problems), is_list=True)
    for problem in problems:
        uri = renderer.addresses.problems[problem.uri]
        yield PageSource(uri, partial(_problem_pages, renderer, problems, problem))


def _problem_lists(renderer: Renderer, problems: ProblemTypes) -> Iterator[Page]:
    """Yield the pages of the list; nothing if there are no problem types."""
    addresses = renderer.addresses
    items = [
        {"problem": problem, "uri": addresses.problems[problem.uri], "kind": str(problem.status)[:1]}
        for problem in problems
    ]
    pages = list_pages(addresses.errors, items, MAX_PROBLEMS) if items else ()
    for page in pages:
        is_first = page.uri == addresses.errors
        title = gettext("Errors")
        if not is_first:
            title = gettext("%(list)s %(range)s", list=title, range=page.words)
        yield renderer.page(
            "errors",
            page.uri,
            title=title,
            description=gettext(
                "The problem types of %(api)s: status, cause and what to do.", api=renderer.title
            ),
            crumbs=renderer.crumbs(*(() if is_first else ((gettext("Errors"), addresses.errors),))),
            search=SearchEntry(
                title=title, text=gettext("Problem types, RFC 9457 problem+json") if is_first else ""
            ),
            values={"items": page.items, "listed": gettext("Errors"), "lists": list_page_links(pages)},
            part_of="" if is_first else addresses.errors,
        ).finish()


def _problem_pages(renderer: Renderer, problems: ProblemTypes, problem: ProblemType) -> Iterator[Page]:
    addresses = renderer.addresses
    example = problems.example(problem)
    yield renderer.page(
        "problem",
        addresses.problems[problem.uri],
        title=problem.title,
        description=brief_text(problem.description, 180),
        crumbs=renderer.crumbs((gettext("Errors"), addresses.errors)),
        search=problem_entry(problem),
        values={
            "problem": problem,
            "kind": str(problem.status)[:1],
            "example": "" if example is None else format_json(example, is_indented=True),
            "operations": tuple(
                operation_item(operation, addresses) for operation in problems.operations(problem)
            ),
        },
    ).finish()
