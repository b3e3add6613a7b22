"""The contract for other programs: OpenAPI in one file, a Postman collection, an entry of a catalogue."""

from collections.abc import Iterator

from devportal.contract import Contract
from devportal.contract.bundle import bundle
from devportal.documents import to_json, to_yaml
from devportal.markup import Artefact
from devportal.project.settings import Settings
from devportal.reference.addresses import API_CATALOG, OPENAPI_JSON, OPENAPI_YAML, POSTMAN
from devportal.reference.exports.api_catalog import api_catalog
from devportal.reference.exports.postman import postman_collection


def exports(contract: Contract, settings: Settings = Settings(), *, site_url: str = "") -> Iterator[Artefact]:
    """Yield the files; addresses in them are absolute where the site's own is known."""
    document = bundle(contract)
    yield Artefact(uri=OPENAPI_YAML, content=to_yaml(document).encode())
    yield Artefact(uri=OPENAPI_JSON, content=to_json(document).encode())
    yield Artefact(uri=POSTMAN, content=to_json(postman_collection(contract.api)).encode())
    catalog = api_catalog(contract.api, overview=settings.overview, site_url=site_url)
    yield Artefact(uri=API_CATALOG, content=f"{to_json(catalog)}\n".encode())
