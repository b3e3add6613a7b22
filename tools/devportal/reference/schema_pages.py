"""The list of shared schemas, and one page for each."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from devportal.contract import Schema
from devportal.contract.json_schema import Direction
from devportal.contract.synthesis import synthesise
from devportal.pages import Page, SearchEntry, plain_text
from devportal.reference.addresses import shared_schemas
from devportal.reference.anchors import Anchors
from devportal.reference.examples import ExampleView, shortened
from devportal.reference.fields import Field, FieldReader
from devportal.reference.lists import SCHEMAS, list_pages, ways
from devportal.reference.part_pages import light_pages
from devportal.reference.rendering import Renderer
from devportal.reference.search_entries import schema_entry, states_entry
from devportal.reference.states import states_of
from devportal.reference.wording import json_text, says_the_same

STATES = "states"
"""The anchor of the section on the state machine of a schema."""


def schema_pages(renderer: Renderer, reader: FieldReader) -> Iterator[Page]:
    """Yield the list of shared schemas, and one page for each."""
    shared = sorted(shared_schemas(renderer.api), key=lambda one: (one.name.lower(), str(one.location)))
    yield from _lists(renderer, shared)
    for schema in shared:
        if renderer.needed(renderer.addresses.schemas[schema.location]):
            yield from _pages(renderer, reader, schema)


def _lists(renderer: Renderer, shared: Sequence[Schema]) -> Iterator[Page]:
    """Yield the pages of the list, each with links to all of them; nothing where nothing is shared."""
    index = renderer.addresses.schemas_index
    pages = list_pages(index, shared, SCHEMAS, lambda one: one.name) if shared else ()
    for one in pages:
        title = f"Schemas {one.words}" if len(pages) > 1 else "Schemas"
        yield renderer.page(
            "schemas",
            one.uri,
            title=title,
            description=f"The shared objects of {renderer.api.title}.",
            crumbs=renderer.crumbs(),
            search=SearchEntry(title=title, text="Shared objects"),
            values={
                "items": [_item(renderer, schema) for schema in one.items],
                "total": len(shared),
                "listed": "Schemas",
                "lists": ways(pages),
            },
            part_of=index if one.uri != index else "",
        )


def _item(renderer: Renderer, schema: Schema) -> dict[str, str]:
    """Return a schema as the list has it, with words where these say more than its name."""
    title = "" if says_the_same(schema.title, schema.name) else schema.title
    return {
        "uri": renderer.addresses.schemas[schema.location],
        "title": schema.name,
        "text": plain_text(title or schema.description, limit=100),
    }


def _pages(renderer: Renderer, reader: FieldReader, schema: Schema) -> Iterator[Page]:
    """Yield the page of a schema, and those of what does not fit on it."""
    uri = renderer.addresses.schemas[schema.location]
    crumbs = renderer.crumbs(("Schemas", renderer.addresses.schemas_index))
    examples = _examples(renderer, schema)
    states = states_of(renderer.api, renderer.addresses, schema)
    is_told = not says_the_same(schema.title, schema.name)  # then the title stands above the fields
    lead = "" if is_told or schema.title == schema.name else schema.title

    def page(shown: Field) -> Page:
        return renderer.page(
            "schema",
            uri,
            title=schema.name,
            description=plain_text(schema.description or schema.title, limit=180)
            or f"An object of {renderer.api.title}.",
            crumbs=crumbs,
            search=schema_entry(schema, shown),
            sections=(states_entry(states, STATES),) if states else (),
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
    anchors = Anchors(*([STATES] if states else []))
    shown = replace(reader.body(schema, anchors, ""), home="")  # this is its home
    units = reader.units()
    yield from light_pages(renderer, shown, page, crumbs=crumbs)


def _examples(renderer: Renderer, schema: Schema) -> tuple[ExampleView, ...]:
    """Return the examples that the schema gives, or one made from it."""
    values = schema.examples or (synthesise(renderer.api, schema, Direction.RESPONSE),)
    texts = (json_text(value, indent=2) for value in values)
    return tuple(ExampleView(text=shortened(text)) for text in texts if text is not None)
