"""The API catalogue: a linkset by RFC 9264 that leads to the description and the documentation."""

from urllib.parse import urljoin

from devportal.reference.addresses import API_CATALOG
from devportal.reference.exports.api_catalog import CatalogApi, api_catalog
from tests.reference.reading import api_from

PATHS = {"/a": {"get": {"responses": {"200": {"description": "OK"}}}}}


def test_links_of_a_site_with_an_address_are_absolute() -> None:
    """Each server is an item of the catalogue and the anchor of its links; unusable ones are left out."""
    api = api_from(
        {
            "info": {"title": "T", "version": "1", "termsOfService": "https://t.example/terms"},
            "servers": [{"url": "https://a.example/v1/"}, {"url": "/b"}, {"url": "https://{x}.example"}],
            "paths": PATHS,
        }
    )

    made = api_catalog(
        [CatalogApi(api=api, overview="reference/index.md")], site_url="https://dev.example/portal"
    )

    catalogue, links = made["linkset"]
    assert catalogue == {
        "anchor": "https://dev.example/portal/.well-known/api-catalog",
        "item": [{"href": "https://a.example/v1"}],
    }
    assert links == {
        "anchor": "https://a.example/v1",
        "service-desc": [
            {"href": "https://dev.example/portal/openapi.yaml", "type": "application/openapi+yaml"},
            {"href": "https://dev.example/portal/openapi.json", "type": "application/openapi+json"},
            {"href": "https://dev.example/portal/postman_collection.json", "type": "application/json"},
        ],
        "service-doc": [{"href": "https://dev.example/portal/reference/", "type": "text/html", "title": "T"}],
        "terms-of-service": [{"href": "https://t.example/terms"}],
    }


def test_links_of_a_site_without_an_address_count_from_the_catalogue() -> None:
    """They lead where they should, wherever the site is put; the reference stands for an unknown server."""
    made = api_catalog([CatalogApi(api=api_from({"paths": PATHS}), overview="index.md")])

    catalogue, links = made["linkset"]
    here = f"https://any.example/deep/{API_CATALOG}"
    assert urljoin(here, catalogue["anchor"]) == here
    assert urljoin(here, links["anchor"]) == "https://any.example/deep/"
    assert urljoin(here, links["service-desc"][0]["href"]) == "https://any.example/deep/openapi.yaml"


def test_addresses_that_are_none_are_left_out() -> None:
    """What the contract calls an address need not be one."""
    info = {
        "title": "T",
        "version": "1",
        "termsOfService": "javascript:alert(1)",
        "license": {"name": "x", "url": "//["},
    }

    made = api_catalog([CatalogApi(api=api_from({"info": info, "paths": PATHS}), overview="index.md")])

    assert set(made["linkset"][1]) == {"anchor", "service-desc", "service-doc"}


def test_several_apis_are_one_catalogue() -> None:
    """Each server is one anchor (RFC 9264 §4.2.1): APIs on the same one have their links there together."""
    server = {"servers": [{"url": "https://api.dev.example"}]}
    first = CatalogApi(
        api=api_from({"paths": PATHS, **server}), overview="reference/a/index.md", folder="reference/a/"
    )
    second = CatalogApi(
        api=api_from({"paths": PATHS, **server}), overview="reference/b/index.md", folder="reference/b/"
    )
    third = CatalogApi(api=api_from({"paths": PATHS}), overview="reference/c/index.md", folder="reference/c/")

    made = api_catalog([first, second, third], site_url="https://dev.example")
    catalogue, shared, own = made["linkset"]

    assert [item["href"] for item in catalogue["item"]] == [
        "https://api.dev.example",
        "https://dev.example/reference/c/",
    ]
    assert [item["href"] for item in shared["service-doc"]] == [
        "https://dev.example/reference/a/",
        "https://dev.example/reference/b/",
    ]
    assert len(shared["service-desc"]) == 6
    assert own["service-desc"][0]["href"] == "https://dev.example/reference/c/openapi.yaml"
