"""Half-broken contracts still make pages that keep the laws."""

import copy
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from devportal.errors import PortalError

from .laws import breaches
from .reading import CONTRACTS, RICH, api_from, pages_of, parsed

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 10**30, float("inf")),
    *("", " ", "x", "#/nowhere", "<b>", "\u202e", "日本"),
    *([], [None], [{}], {}, {"": {}}, {"x": 1}, {"type": "object"}),
    *({"$ref": "#/components/schemas/Parcel"}, {"$ref": "#/paths"}, {"$ref": 3}),
)


def places(node: Any) -> list[tuple[Any, Any]]:
    """Return every container of a document with each of its keys."""
    found = []
    keys = node if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
    for key in keys:
        found.append((node, key))
        found += places(node[key])
    return found


@pytest.mark.parametrize("name", RICH)
@given(data=st.data())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_mutated_contract_makes_lawful_pages(name: str, data: st.DataObject) -> None:
    """Any value in any place: refused with an error of ours, or shown without breaking a page."""
    document = copy.deepcopy(yaml.safe_load((CONTRACTS / name).read_text(encoding="utf-8")))
    for _ in range(data.draw(st.integers(1, 4))):
        found = places(document)
        container, key = found[data.draw(st.integers(0, len(found) - 1))]
        container[key] = copy.deepcopy(data.draw(st.sampled_from(ODD)))

    try:
        api = api_from(document)
    except PortalError:
        return

    assert breaches(pages_of(api)) == []


def test_scheme_that_nobody_declares_leads_to_the_page_of_all() -> None:
    """An operation may name a security scheme that is not there."""
    paths = {"/a": {"get": {"operationId": "a", "security": [{"lost": ["b"]}], "responses": {}}}}
    page = pages_of(api_from({"paths": paths}))["reference/a/a.md"]

    links = [one.attributes["href"] for one in parsed(page.body).find("a") if one.text == "lost"]

    assert links == ["../../authentication/"]


def test_property_without_a_name_has_a_row() -> None:
    """JSON allows the empty name; its row has an anchor and something to read."""
    schema = {"type": "object", "properties": {"": {"type": "string"}}}
    pages = pages_of(
        api_from({"paths": {"/a": {"get": {"responses": {}}}}, "components": {"schemas": {"S": schema}}})
    )

    assert breaches(pages) == []
    assert [
        one.text for one in parsed(pages["reference/schemas/s.md"].body).find("a", cls="dp-field__name")
    ] == ['""']
