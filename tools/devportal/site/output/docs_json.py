"""`docs.json`: what pages say about operations, events, schemas and releases, for programs such as `devportal docs`.

The manual describes its members (`docs/toolkit/commands/docs.md`). A higher `format` is another shape; more members
are the same one.
"""

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from devportal.contract import Api, Operation
from devportal.documents import to_json
from devportal.markup import Artefact
from devportal.project.inputs import Inputs
from devportal.reference.addresses import DOCS_JSON, event_operations
from devportal.reference.reference import Reference, reference_of
from devportal.site.sections.section import SectionRecords

FORMAT = 1


def docs_json(api: Api, inputs: Inputs, sections: Sequence[SectionRecords]) -> Artefact:
    """Return the file. Its pages are uris: of `a/b.md`, the page is at `a/b/` and its twin at `a/b.md`."""
    versions = ChainMap(*(dict(one.first_versions) for one in sections))
    results = ChainMap(*(dict(one.test_results) for one in sections))
    reference = reference_of(api, inputs)
    document = {
        "format": FORMAT,
        "title": api.title,
        "version": api.version,
        "site_url": inputs.site_url or None,
        "operations": [*_operations(reference, versions, results)],
        "events": [*_events(reference, versions)],
        "schemas": [*_schemas(reference, versions)],
        "releases": [release for one in sections for release in one.releases],
    }
    return Artefact(uri=DOCS_JSON, content=f"{to_json(document)}\n".encode())


def _operations(
    reference: Reference, versions: Mapping[str, str], results: Mapping[str, Iterable[Mapping[str, Any]]]
) -> Iterator[dict[str, Any]]:
    for one in reference.api.operations:
        name = f"{one.method} {one.path}"
        yield {
            "operation": name,
            "operation_id": one.id if one.id_is_declared else None,
            **_lifecycle(one, versions.get(name)),
            "page": reference.addresses.operation(one),
            "verified": list(results.get(name, ())),
        }


def _events(reference: Reference, versions: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    for webhook, one in event_operations(reference.api):
        yield {
            "event": webhook.name,
            "operation_id": one.id if one.id_is_declared else None,
            **_lifecycle(one, versions.get(webhook.name)),
            "page": reference.addresses.event(one),
        }


def _schemas(reference: Reference, versions: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield the shared schemas that have a page."""
    for location, page in reference.addresses.schemas.items():
        schema = reference.api.schemas[location]
        yield {
            "schema": schema.name,
            "stability": str(schema.stability) if schema.stability else None,
            "deprecated": schema.deprecated,
            "since": versions.get(f"schemas/{schema.name}"),
            "page": page,
        }


def _lifecycle(operation: Operation, since: str | None) -> dict[str, Any]:
    return {
        "title": operation.title,
        "stability": str(operation.stability),
        "deprecated": operation.deprecated,
        "sunset": operation.sunset or None,
        "since": since,
    }
