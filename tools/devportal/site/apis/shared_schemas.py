"""The schemas that several APIs have in common, as they refer to one file: each has one page, below no API."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from devportal.contract import Api, Location, Schema
from devportal.contract.schemas import walk_schema
from devportal.language import mark_directions
from devportal.markup import Page, SearchEntry, render_page
from devportal.project.inputs import Inputs
from devportal.project.settings import PortalApi, SharedSchema
from devportal.reference.addresses import APIS, SHARED_SCHEMAS, shared_schemas, slug
from devportal.site.apis.switcher import templates
from devportal.translation import gettext

_Key = tuple[Path, tuple[str, ...]]
"""The file of a schema, and where it is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonSchema:
    """A schema of several APIs as the list of all has it."""

    name: str
    uri: str
    apis: tuple[PortalApi, ...]


@dataclass(frozen=True, kw_only=True)
class _ApiSchemas:
    """The schemas of one API that have a page, by their keys."""

    inputs: Inputs
    api: Api
    schemas: Mapping[_Key, Schema]

    @classmethod
    def of(cls, inputs: Inputs, api: Api) -> "_ApiSchemas":
        return cls(
            inputs=inputs,
            api=api,
            schemas={_key(inputs, schema.location): schema for schema in shared_schemas(api)},
        )

    def content(self, key: _Key) -> str:
        """Return a schema and all that it refers to as text that is the same in another API only if they are."""
        waiting, reached = [self.schemas[key]], dict[_Key, Any]()
        while waiting:
            schema = waiting.pop()
            at = _key(self.inputs, schema.location)
            if at not in reached:
                reached[at] = _plain(schema, self.inputs)
                refs = (subschema.ref for subschema in walk_schema(schema) if subschema.ref is not None)
                waiting += [self.api.schemas[ref] for ref in refs if ref in self.api.schemas]
        return repr(sorted(reached.items(), key=lambda item: (str(item[0][0]), item[0][1])))


def _key(inputs: Inputs, location: Location) -> _Key:
    assert inputs.contract is not None  # noqa: S101 - each API has one
    file = inputs.contract.parent / location.file if location.file else inputs.contract
    return file.resolve(), tuple(location.pointer)


def _plain(value: Any, inputs: Inputs) -> Any:
    """Return a value of the model with locations as they are for every contract that refers to them."""
    if isinstance(value, Location):
        return _key(inputs, value)
    if is_dataclass(value) and not isinstance(value, type):
        return [
            (field.name, _plain(getattr(value, field.name), inputs))
            for field in fields(value)
            if field.compare
        ]
    if isinstance(value, Mapping):
        return [(_plain(key, inputs), _plain(member, inputs)) for key, member in value.items()]
    if isinstance(value, (tuple, list)):
        return [_plain(item, inputs) for item in value]
    return value


def share_schemas(apis: Sequence[tuple[Inputs, Api]]) -> Iterator[Inputs]:
    """Yield the inputs of several APIs, with the schemas that they have in common.

    A schema is shared if two contracts refer to the same place of the same file, and read the same there, with all
    that it refers to.
    """
    all_schemas = [_ApiSchemas.of(inputs, api) for inputs, api in apis]
    uris: dict[tuple[_Key, str], str] = {}
    seen: dict[_Key, list[_ApiSchemas]] = {}
    for api_schemas in all_schemas:
        for key in api_schemas.schemas:
            seen.setdefault(key, []).append(api_schemas)
    contents = {
        (key, api_schemas.inputs.overview): api_schemas.content(key)
        for key, having in seen.items()
        if len(having) > 1
        for api_schemas in having
    }
    taken: set[str] = set()
    for api_schemas in all_schemas:
        found: list[SharedSchema] = []
        for key, schema in api_schemas.schemas.items():
            content = contents.get((key, api_schemas.inputs.overview))
            alike = [each for each in seen[key] if contents.get((key, each.inputs.overview)) == content]
            if content is None or len(alike) < 2:
                continue
            is_first = (key, content) not in uris
            if is_first:
                uris[key, content] = _free_uri(schema.name, taken)
            found.append(
                SharedSchema(
                    location=(schema.location.file, tuple(schema.location.pointer)),
                    uri=uris[key, content],
                    is_first=is_first,
                )
            )
        portal_api = api_schemas.inputs.portal_api
        assert portal_api is not None  # noqa: S101 - it is one of several
        yield replace(api_schemas.inputs, portal_api=replace(portal_api, shared_schemas=tuple(found)))


def _free_uri(name: str, taken: set[str]) -> str:
    folder = SHARED_SCHEMAS.removesuffix("/index.md")
    base = uri = f"{folder}/{slug(name)}"
    number = 1
    while uri in taken:
        number += 1
        uri = f"{base}-{number}"
    taken.add(uri)
    return f"{uri}.md"


def common_schemas(apis: Sequence[tuple[Inputs, Api]]) -> tuple[CommonSchema, ...]:
    """Return the schemas that several APIs have in common, by name."""
    by_uri: dict[str, tuple[str, list[PortalApi]]] = {}
    for inputs, api in apis:
        for schema in inputs.portal_api.shared_schemas if inputs.portal_api is not None else ():
            _, having = by_uri.setdefault(schema.uri, (api.schemas[Location(*schema.location)].name, []))
            if inputs.portal_api is not None:
                having.append(inputs.portal_api)
    listed = (CommonSchema(name=name, uri=uri, apis=tuple(having)) for uri, (name, having) in by_uri.items())
    return tuple(sorted(listed, key=lambda item: (item.name.lower(), item.uri)))


def common_schemas_page(schemas: Sequence[CommonSchema]) -> Page:
    """Return the list of the schemas that several APIs have in common."""
    title, lead = gettext("Shared schemas"), gettext("Objects that several APIs send or receive.")
    values = {"title": title, "lead": lead, "schemas": schemas, "apis": APIS}
    body, markdown = render_page(templates(), "schemas", SHARED_SCHEMAS, values)
    return Page(
        uri=SHARED_SCHEMAS,
        title=title,
        description=lead,
        body=mark_directions(body),
        markdown=markdown,
        search=(SearchEntry(title=title, text=lead),),
    )
