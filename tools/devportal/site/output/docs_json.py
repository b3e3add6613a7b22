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
from devportal.reference.addresses import DOCS_JSON, OPENAPI_JSON, event_operations
from devportal.reference.reference import Reference, reference_of
from devportal.site.sections.section import SectionRecords

FORMAT = 1
FORMAT_OF_SEVERAL = 2
"""The format of the file that names those of several APIs."""


def docs_json(api: Api, inputs: Inputs, sections: Sequence[SectionRecords]) -> Artefact:
    """Return the file. Its pages are uris: of `a/b.md`, the page is at `a/b/` and its twin at `a/b.md`."""
    versions = ChainMap(*(dict(section.first_versions) for section in sections))
    results = ChainMap(*(dict(section.test_results) for section in sections))
    reference = reference_of(api, inputs)
    named = {"api": inputs.portal_api.name} if inputs.portal_api is not None else {}
    document = {
        "format": FORMAT,
        **named,
        "title": inputs.portal_api.title if inputs.portal_api is not None else api.title,
        "version": api.version,
        "site_url": inputs.site_url or None,
        "contract": f"{inputs.contract_folder}{OPENAPI_JSON}",
        "operations": [*_operations(reference, versions, results)],
        "events": [*_events(reference, versions)],
        "schemas": [*_schemas(reference, versions)],
        "releases": [release for section in sections for release in section.releases],
    }
    return Artefact(uri=f"{inputs.contract_folder}{DOCS_JSON}", content=f"{to_json(document)}\n".encode())


def docs_index(inputs: Inputs, apis: Iterable[Inputs]) -> Artefact:
    """Return the file of a portal of several APIs, which names that of each."""
    document = {
        "format": FORMAT_OF_SEVERAL,
        "title": inputs.title,
        "site_url": inputs.site_url or None,
        "apis": [
            {
                "api": api_inputs.portal_api.name,
                "title": api_inputs.portal_api.title,
                "docs": f"{api_inputs.contract_folder}{DOCS_JSON}",
                "contract": f"{api_inputs.contract_folder}{OPENAPI_JSON}",
            }
            for api_inputs in apis
            if api_inputs.portal_api is not None
        ],
    }
    return Artefact(uri=DOCS_JSON, content=f"{to_json(document)}\n".encode())


def _operations(
    reference: Reference, versions: Mapping[str, str], results: Mapping[str, Iterable[Mapping[str, Any]]]
) -> Iterator[dict[str, Any]]:
    for operation in reference.api.operations:
        name = f"{operation.method} {operation.path}"
        yield {
            "operation": name,
            "operation_id": operation.id if operation.id_is_declared else None,
            **_lifecycle(operation, versions.get(name)),
            "page": reference.addresses.operation(operation),
            "verified": list(results.get(name, ())),
        }


def _events(reference: Reference, versions: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    for webhook, operation in event_operations(reference.api):
        yield {
            "event": webhook.name,
            "operation_id": operation.id if operation.id_is_declared else None,
            **_lifecycle(operation, versions.get(webhook.name)),
            "page": reference.addresses.event(operation),
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
