"""The API as an entry of `/.well-known/api-catalog` (RFC 9727), a set of links in JSON (RFC 9264 §4.2)."""

from typing import Any
from urllib.parse import urljoin, urlsplit

from devportal.contract import Api
from devportal.markup import url_of
from devportal.reference.addresses import API_CATALOG, OPENAPI_JSON, OPENAPI_YAML, POSTMAN


def api_catalog(api: Api, *, overview: str, site_url: str = "") -> dict[str, Any]:
    """Return the catalogue. Its links are relative to its own place where the site's address is not known.

    Each server of the contract with an address of its own is an anchor; without one the reference is.
    """
    reference = _address(url_of(overview), site_url)
    links: dict[str, Any] = {
        "service-desc": [
            {"href": _address(uri, site_url), "type": media_type}
            for uri, media_type in (
                (OPENAPI_YAML, "application/openapi+yaml"),
                (OPENAPI_JSON, "application/openapi+json"),
                (POSTMAN, "application/json"),
            )
        ],
        "service-doc": [{"href": reference, "type": "text/html", "title": api.title}],
    }
    if _is_absolute(api.terms_of_service):
        links["terms-of-service"] = [{"href": api.terms_of_service}]
    license_url = dict(api.license).get("url", "")
    if _is_absolute(license_url):
        links["license"] = [{"href": license_url}]
    if api.external_docs is not None and _is_absolute(api.external_docs.url):
        links["service-doc"].append({"href": api.external_docs.url})
    anchors = dict.fromkeys(one.address for one in api.servers if _is_absolute(one.address))
    catalog = _address(API_CATALOG, site_url)
    return {
        "linkset": [
            {"anchor": catalog, "item": [{"href": anchor} for anchor in anchors or (reference,)]},
            *({"anchor": anchor, **links} for anchor in anchors or (reference,)),
        ]
    }


def _address(url: str, site_url: str) -> str:
    """Return the address of something in the site, from the catalogue's folder where that is unknown."""
    return urljoin(f"{site_url.rstrip('/')}/", url) if site_url else f"../{url}"


def _is_absolute(address: str) -> bool:
    """Say whether an address is one of the web, with all its variables filled in."""
    try:
        split = urlsplit(address)
    except ValueError:
        return False
    return split.scheme in ("http", "https") and bool(split.netloc) and "{" not in address
