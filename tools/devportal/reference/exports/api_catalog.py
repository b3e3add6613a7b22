"""The APIs as entries of `/.well-known/api-catalog` (RFC 9727), a set of links in JSON (RFC 9264 §4.2)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from devportal.contract import Api
from devportal.markup import url_of
from devportal.project.site_url import is_web_address
from devportal.reference.addresses import API_CATALOG, OPENAPI_JSON, OPENAPI_YAML, POSTMAN


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogApi:
    """An API of a portal: the uri of its overview, and the folder of its files, with `/` at its end or empty.
    `title` is what the portal calls it, if not as the contract does.
    """

    api: Api
    overview: str
    folder: str = ""
    title: str = ""


def api_catalog(apis: Iterable[CatalogApi], *, site_url: str = "") -> dict[str, Any]:
    """Return the catalogue. Its links are relative to its own place where the site's address is not known.

    Each server of a contract with its own address is an anchor; without one the reference is. APIs on one
    server have one anchor (RFC 9264 §4.2.1), with the links of each.
    """
    links_by_anchor: dict[str, dict[str, Any]] = {}
    for catalog_api in apis:
        reference = _address(url_of(catalog_api.overview), site_url)
        anchors = dict.fromkeys(
            server.address for server in catalog_api.api.servers if is_web_address(server.address)
        )
        for anchor in anchors or (reference,):
            links = links_by_anchor.setdefault(anchor, {})
            for relation, targets in _links(catalog_api, reference, site_url).items():
                added = links.setdefault(relation, [])
                added += [target for target in targets if target not in added]
    return {
        "linkset": [
            {
                "anchor": _address(API_CATALOG, site_url),
                "item": [{"href": anchor} for anchor in links_by_anchor],
            },
            *({"anchor": anchor, **links} for anchor, links in links_by_anchor.items()),
        ]
    }


def _links(catalog_api: CatalogApi, reference: str, site_url: str) -> dict[str, list[dict[str, str]]]:
    """Return the links of an API by their relations."""
    api = catalog_api.api
    links: dict[str, list[dict[str, str]]] = {
        "service-desc": [
            {"href": _address(f"{catalog_api.folder}{uri}", site_url), "type": media_type}
            for uri, media_type in (
                (OPENAPI_YAML, "application/openapi+yaml"),
                (OPENAPI_JSON, "application/openapi+json"),
                (POSTMAN, "application/json"),
            )
        ],
        "service-doc": [{"href": reference, "type": "text/html", "title": catalog_api.title or api.title}],
    }
    if is_web_address(api.terms_of_service):
        links["terms-of-service"] = [{"href": api.terms_of_service}]
    license_url = dict(api.license).get("url", "")
    if is_web_address(license_url):
        links["license"] = [{"href": license_url}]
    if api.external_docs is not None and is_web_address(api.external_docs.url):
        links["service-doc"].append({"href": api.external_docs.url})
    return links


def _address(url: str, site_url: str) -> str:
    """Return the address of something in the site, from the catalogue's folder where that is unknown."""
    return urljoin(f"{site_url.rstrip('/')}/", url) if site_url else f"../{url}"
