"""Relative links in descriptions: which site their author wrote them for."""

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
            "parameters": [
                {
                    "name": "q",
                    "in": "query",
                    "schema": {"type": "string", "description": LINKS},
                    "description": "Q.",
                }
            ],
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


def test_relative_links_follow_the_setting() -> None:
    """They start from the address that it names."""
    text = {"paths": {"/a": {"get": {"operationId": "a", "description": "See [a](b/c) and [d](/e)."}}}}

    page = pages_of(api_from(text), Settings(contract_links=f"{DOCS}/v1"))["reference/a/a.md"]

    assert f'href="{DOCS}/v1/b/c"' in page.body
    assert f"See [a]({DOCS}/v1/b/c) and [d]({DOCS}/v1/e)." in page.markdown


def test_links_for_an_unknown_site_are_text_with_their_address() -> None:
    """A link that leads nowhere helps nobody; a relative one has no known folder, even on a known site."""
    text = 'See the [`rules`](/docs/rules "Rules"), ![map](map.png) and [more](#tag/x).'
    page = {"get": {"operationId": "a", "description": text}}
    info = {"title": "Parcels", "version": "1"}
    named = {"paths": {"/a": page}, "info": info, "externalDocs": {"url": f"{DOCS}/start"}}

    unknown = pages_of(api_from({"paths": {"/a": page}}), Settings(contract_links="auto"))["reference/a/a.md"]
    known = pages_of(api_from(named), Settings(contract_links="auto"))["reference/a/a.md"]

    assert "See the <code>rules</code> (/docs/rules), map (map.png)" in unknown.body
    assert "See the `rules` (`/docs/rules`), map (`map.png`) and [more](../index.md)." in unknown.markdown
    assert f'href="{DOCS}/docs/rules"' in known.body
    assert "map (`map.png`)" in known.markdown


def test_links_lead_into_the_portal_without_the_setting() -> None:
    """As they are written."""
    page = pages_of(api_from({"paths": PATHS}))["reference/a/a.md"]

    assert page.body.count('href="/docs/auth?a=1&amp;b=2#x"') == 3
    assert page.markdown.count("[auth](/docs/auth?a=1&b=2#x)") == 3
