"""Links in descriptions that begin with a slash: which site their author wrote them for."""

from typing import Any

import pytest

from devportal.project.settings import Settings
from devportal.reference.author_site import author_site
from tests.reference.reading import api_from, pages_of

DOCS = "https://docs.parcels.example"
LINKS = "See [auth](/docs/auth?a=1&b=2#x), [other](//parcels.example/x) and `[code](/docs/x)`."
PATHS: dict[str, Any] = {
    "/a": {
        "get": {
            "operationId": "a",
            "description": LINKS,
            "parameters": [{"name": "q", "in": "query", "schema": {"type": "string"}, "description": LINKS}],
            "responses": {"200": {"description": LINKS}},
        }
    }
}


@pytest.mark.parametrize(
    ("document", "site"),
    [
        ({}, ""),
        ({"externalDocs": {"url": f"{DOCS}/start"}}, DOCS),
        (
            {"info": {"contact": {"url": "https://Docs.Parcels.example"}, "termsOfService": f"{DOCS}/terms"}},
            DOCS,
        ),
        ({"externalDocs": {"url": DOCS}, "info": {"termsOfService": "https://parcels.example/terms"}}, ""),
        (
            {"externalDocs": {"url": "docs/start"}, "info": {"contact": {"url": "mailto:a@parcels.example"}}},
            "",
        ),
    ],
)
def test_a_contract_names_its_site_if_all_its_addresses_are_on_one(
    document: dict[str, Any], site: str
) -> None:
    """Relative addresses name none, and neither do two sites."""
    info = {"title": "Parcels", "version": "1", **document.get("info", {})}

    assert author_site(api_from({**document, "info": info}), "auto") == site


def test_links_lead_to_the_site_of_the_setting() -> None:
    """On the page and in its twin, wherever a description stands; code and other hosts stay as they are."""
    page = pages_of(api_from({"paths": PATHS}), Settings(contract_links=DOCS))["reference/a/a.md"]

    assert page.body.count(f'href="{DOCS}/docs/auth?a=1&amp;b=2#x"') == 3
    assert page.body.count('href="//parcels.example/x"') == 3
    assert page.markdown.count(f"[auth]({DOCS}/docs/auth?a=1&b=2#x)") == 3
    assert page.markdown.count("`[code](/docs/x)`") == 3


def test_links_lead_into_the_portal_without_the_setting() -> None:
    """As they are written."""
    page = pages_of(api_from({"paths": PATHS}))["reference/a/a.md"]

    assert page.body.count('href="/docs/auth?a=1&amp;b=2#x"') == 3
    assert page.markdown.count("[auth](/docs/auth?a=1&b=2#x)") == 3
