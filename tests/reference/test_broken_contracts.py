"""Half-broken contracts still make pages that keep the laws."""

import json
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from devportal.contract import Contract, check_contract, read_contract
from devportal.documents import parse_document
from devportal.errors import PortalError
from devportal.markup import Page
from tests.mutations import mutants

from .laws import breaches
from .reading import CONTRACTS, api_from, pages_of, parse_html

LARGE = (HealthCheck.too_slow, HealthCheck.data_too_large)
BROKEN = ("complete-3.1.yaml", "complete-3.0.yaml", "complete-3.2.yaml", "rich-3.0.yaml", "rich-3.1.yaml")


def data_of(name: str) -> Any:
    """Return the data of a contract of the tests."""
    return yaml.load((CONTRACTS / name).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


def read(document: Any) -> Contract:
    """Return a contract given as data, which may hold what YAML cannot say."""
    return read_contract(parse_document(json.dumps(document), name="t.json"))


def checked_pages(document: Any) -> dict[str, Page]:
    """Check a contract and return its pages."""
    contract = read(document)
    for finding in check_contract(contract):
        assert finding.place.line
        assert finding.help
        assert "\n" not in finding.message
    return pages_of(contract.api)


@pytest.mark.parametrize(
    "name", [BROKEN[0], *(pytest.param(name, marks=pytest.mark.deep) for name in BROKEN[1:])]
)
@given(data=st.data())
@settings(max_examples=20, deadline=None, suppress_health_check=LARGE)
def test_mutated_contract_makes_lawful_pages(name: str, data: st.DataObject) -> None:
    """Anything in any place: refused by an error of ours, or checked and shown lawfully, twice the same."""
    document = data.draw(mutants(data_of(name)))
    try:
        pages = checked_pages(document)
    except PortalError:
        return

    assert breaches(pages) == []
    assert checked_pages(document) == pages


def test_scheme_that_nobody_declares_leads_nowhere() -> None:
    """An operation may name a security scheme that is not there: its name stands all the same."""
    paths = {"/a": {"get": {"operationId": "a", "security": [{"lost": ["b"]}], "responses": {}}}}
    page = pages_of(api_from({"paths": paths}))["reference/a/a.md"]

    (shown,) = parse_html(page.body).find(cls="dp-auth")

    assert (shown.text, shown.find("a")) == ("lost not declared b", [])


def test_property_without_a_name_has_a_row() -> None:
    """JSON allows the empty name; its row has an anchor and something to read."""
    schema = {"type": "object", "properties": {"": {"type": "string"}}}
    pages = pages_of(
        api_from({"paths": {"/a": {"get": {"responses": {}}}}, "components": {"schemas": {"S": schema}}})
    )

    assert breaches(pages) == []
    assert [
        element.text
        for element in parse_html(pages["reference/schemas/s.md"].body).find("a", cls="dp-field__name")
    ] == ['""']
