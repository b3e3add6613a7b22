"""The contract for other programs: OpenAPI in one file, a Postman collection, an entry of a catalogue."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from devportal.contract import Api, Contract
from devportal.contract.published.bundle import bundle
from devportal.documents import Pointer, parse_pointer, to_json, to_yaml
from devportal.documents.writing import rewrite_yaml_members
from devportal.markup import Artefact
from devportal.project.settings import Settings
from devportal.reference.addresses import API_CATALOG, OPENAPI_JSON, OPENAPI_YAML, POSTMAN
from devportal.reference.exports.api_catalog import CatalogApi, api_catalog
from devportal.reference.exports.postman import EarlierCollection, postman_collection


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierFiles:
    """The files of a contract before an edit.

    `yaml` is the contract itself, None if more is different than the operations and schemas of `edited_units`, or if
    it was not a copy of the contract.
    """

    yaml: str | None = field(repr=False)
    edited_units: frozenset[str]
    collection: EarlierCollection


def contract_files(
    contract: Contract, settings: Settings = Settings(), earlier: EarlierFiles | None = None
) -> Iterator[Artefact]:
    """Yield the contract in one file, as YAML and as JSON. What has not changed is taken from `earlier` files."""
    document, folder = bundle(contract), settings.contract_folder
    text = _edited_yaml(document, earlier) if earlier is not None else None
    yield Artefact(uri=f"{folder}{OPENAPI_YAML}", content=(text or to_yaml(document)).encode())
    yield Artefact(uri=f"{folder}{OPENAPI_JSON}", content=to_json(document).encode())


def _edited_yaml(document: dict[str, Any], earlier: EarlierFiles) -> str | None:
    """Return the YAML of a document, only its edited paths and schemas written again; None if all has to be."""
    text = earlier.yaml
    if text is None:
        return None
    names: dict[Pointer, set[str]] = {}
    for unit in earlier.edited_units:
        *path, name = parse_pointer(unit)[: 2 if unit.startswith("/paths/") else 3]
        names.setdefault(tuple(path), set()).add(name)
    for edited_path, edited in names.items():
        text = rewrite_yaml_members(text, document, edited_path, edited)
        if text is None:
            return None
    return text


def client_files(
    contract: Contract,
    settings: Settings = Settings(),
    *,
    site_url: str,
    earlier: EarlierFiles | None = None,
) -> Iterator[Artefact]:
    """Yield the Postman collection and, for a portal of one API, the catalogue.

    Addresses in the catalogue are absolute where the site's own is known. The one of a portal with several APIs
    is a file for all of them: see `catalog_file`. `earlier` are the files before an edit of the contract.
    """
    collection = to_json(postman_collection(contract.api, earlier.collection if earlier else None))
    yield Artefact(uri=f"{settings.contract_folder}{POSTMAN}", content=collection.encode())
    if settings.portal_api is None:
        yield catalog_file([(contract.api, settings)], site_url=site_url)


def catalog_file(apis: Iterable[tuple[Api, Settings]], *, site_url: str) -> Artefact:
    """Return the catalogue of the APIs of a portal."""
    catalog = api_catalog(
        [
            CatalogApi(
                api=api,
                overview=settings.overview,
                folder=settings.contract_folder,
                title=settings.portal_api.title if settings.portal_api is not None else "",
            )
            for api, settings in apis
        ],
        site_url=site_url,
    )
    return Artefact(uri=API_CATALOG, content=f"{to_json(catalog)}\n".encode())
