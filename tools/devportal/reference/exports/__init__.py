"""The contract for other programs: OpenAPI in one file, a Postman collection, an entry of a catalogue."""

from collections.abc import Iterable, Iterator

from devportal.contract import Api, Contract
from devportal.contract.bundle import bundle
from devportal.documents import to_json, to_yaml
from devportal.markup import Artefact
from devportal.project.settings import Settings
from devportal.reference.addresses import API_CATALOG, OPENAPI_JSON, OPENAPI_YAML, POSTMAN
from devportal.reference.exports.api_catalog import CatalogApi, api_catalog
from devportal.reference.exports.postman import EarlierCollection, postman_collection


def contract_files(contract: Contract, settings: Settings = Settings()) -> Iterator[Artefact]:
    """Yield the contract in one file, as YAML and as JSON."""
    document, folder = bundle(contract), settings.contract_folder
    yield Artefact(uri=f"{folder}{OPENAPI_YAML}", content=to_yaml(document).encode())
    yield Artefact(uri=f"{folder}{OPENAPI_JSON}", content=to_json(document).encode())


def client_files(
    contract: Contract,
    settings: Settings = Settings(),
    *,
    site_url: str,
    earlier: EarlierCollection | None = None,
) -> Iterator[Artefact]:
    """Yield the Postman collection and, for a portal of one API, the catalogue.

    Addresses in the catalogue are absolute where the site's own is known. The one of a portal with several APIs
    is a file for all of them: see `catalog_file`. `earlier` is the collection before an edit of the contract.
    """
    collection = to_json(postman_collection(contract.api, earlier))
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
