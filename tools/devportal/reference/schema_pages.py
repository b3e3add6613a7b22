"""The list of shared schemas, and one page for each."""

from collections.abc import Iterator
from dataclasses import replace

from devportal.contract import Schema
from devportal.contract.json_schema import Direction
from devportal.contract.synthesis import synthesise
from devportal.pages import Page, SearchEntry, plain_text
from devportal.reference.addresses import shared_schemas
from devportal.reference.anchors import Anchors
from devportal.reference.examples import ExampleView
from devportal.reference.fields import Field, FieldReader
from devportal.reference.part_pages import light_pages
from devportal.reference.rendering import Renderer
from devportal.reference.search_entries import schema_entry
from devportal.reference.wording import json_text


def schema_pages(renderer: Renderer, reader: FieldReader) -> Iterator[Page]:
    """Yield the list of shared schemas, and one page for each."""
    shared = sorted(shared_schemas(renderer.api), key=lambda one: (one.name.lower(), str(one.location)))
    if not shared:
        return
    addresses = renderer.addresses
    items = [
        {
            "uri": addresses.schemas[one.location],
            "title": one.name,
            "text": plain_text(one.title or one.description, limit=100),
        }
        for one in shared
    ]
    yield renderer.page(
        "schemas",
        addresses.schemas_index,
        title="Schemas",
        description=f"The shared objects of {renderer.api.title}.",
        crumbs=renderer.crumbs(),
        search=SearchEntry(title="Schemas", text="Shared objects"),
        values={"items": items},
    )
    for schema in shared:
        if renderer.needed(addresses.schemas[schema.location]):
            yield from _pages(renderer, reader, schema)


def _pages(renderer: Renderer, reader: FieldReader, schema: Schema) -> Iterator[Page]:
    """Yield the page of a schema, and those of what does not fit on it."""
    uri = renderer.addresses.schemas[schema.location]
    crumbs = renderer.crumbs(("Schemas", renderer.addresses.schemas_index))
    examples = _examples(renderer, schema)

    def page(shown: Field) -> Page:
        return renderer.page(
            "schema",
            uri,
            title=schema.name,
            description=plain_text(schema.description or schema.title, limit=180)
            or f"An object of {renderer.api.title}.",
            crumbs=crumbs,
            search=schema_entry(schema, shown),
            layout="wide",
            values={"field": shown, "examples": examples, "generated": not schema.examples},
            shows=units,
        )

    reader.units()
    shown = replace(reader.body(schema, Anchors(), ""), home="")  # this is its home
    units = reader.units()
    yield from light_pages(renderer, shown, page, crumbs=crumbs)


def _examples(renderer: Renderer, schema: Schema) -> tuple[ExampleView, ...]:
    """Return the examples that the schema gives, or one made from it."""
    values = schema.examples or (synthesise(renderer.api, schema, Direction.RESPONSE),)
    return tuple(ExampleView(text=json_text(value, indent=2) or "") for value in values)
