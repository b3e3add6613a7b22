"""The contract for other programs: OpenAPI in one file, a Postman collection, an entry of a catalogue."""

from collections.abc import Iterable, Iterator

from devportal.contract import Api, Contract
from devportal.contract.bundle import bundle
from devportal.documents import to_json, to_yaml
from devportal.markup import Artefact
from devportal.project.settings import Settings
from devportal.reference.addresses import API_CATALOG, OPENAPI_JSON, OPENAPI_YAML, POSTMAN
from devportal.reference.exports.api_catalog import CatalogApi, api_catalog
from devportal.reference.exports.postman import postman_collection


def exports(contract: Contract, settings: Settings = Settings(), *, site_url: str = "") -> Iterator[Artefact]:
    """Yield the files; addresses in them are absolute where the site's own is known.

    The catalogue of a portal with several APIs is one file for all: see `catalog_file`.
    """
    document, folder = bundle(contract), settings.contract_folder
    yield Artefact(uri=f"{folder}{OPENAPI_YAML}", content=to_yaml(document).encode())
    yield Artefact(uri=f"{folder}{OPENAPI_JSON}", content=to_json(document).encode())
    yield Artefact(uri=f"{folder}{POSTMAN}", content=to_json(postman_collection(contract.api)).encode())
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
