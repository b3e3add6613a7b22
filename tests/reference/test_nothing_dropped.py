"""Everything in a contract is somewhere in its pages: on our contracts and on those of others."""

from dataclasses import replace
from pathlib import Path

import pytest

from devportal.contract import load_contract

from .coverage import missing
from .laws import breaches
from .reading import RICH, api_of, pages_of

ROOT = Path(__file__).parents[2]
SPECS = ROOT.parent / "shared" / "specs"
CORPUS = (
    "bandwidth.yml",
    "camara-sms/SMS.yaml",
    "discord-3.1.json",
    "freee-sm-japanese.yml",
    "museum-3.1.yaml",
    "oai-examples/v3.0/callback-example.yaml",
    "oai-examples/v3.0/link-example.yaml",
    "oai-examples/v3.1/non-oauth-scopes.yaml",
    "oai-examples/v3.1/tictactoe.yaml",
    "oai-examples/v3.1/webhook-example.yaml",
    "oai-examples/v3.2/3.2-tags-example.yaml",
    "twilio_api_v2010.json",
    "twilio_messaging_v1.json",
    "twilio_pricing_v2.json",
)


@pytest.mark.parametrize("name", RICH)
def test_rich_contracts_are_shown_whole(name: str) -> None:
    """Operations, parameters, properties, values, rules, examples, headers, scopes, callbacks, events."""
    api = api_of(name)

    assert missing(api, pages_of(api)) == []


def test_our_contract_is_shown_whole() -> None:
    """The contract of this project."""
    api = load_contract(ROOT / "openapi" / "openapi.yaml").api
    pages = pages_of(api)

    assert missing(api, pages) == []
    assert breaches(pages) == []


def test_what_is_not_shown_is_noticed() -> None:
    """The search goes red for anything that a page does not have."""
    api = api_of("rich-3.1.yaml")
    pages = pages_of(api)
    blank = {uri: replace(page, body="<h1>x</h1>") for uri, page in pages.items()}

    lost = missing(api, blank)

    for part in (
        "overview: 'Parcel Desk'",
        "GET /parcels: 'List parcels'",
        "GET /parcels: no row for the parameter query.status",
        "GET /parcels 200 header X-Total: its name",
        "POST /parcels body application/json: the example 'small'",
        "POST /parcels: callback 'moved'",
        "POST /parcels 201: 'self'",
        "POST /parcels: 'parcels.write'",
        "#/components/schemas/NewParcel.to: its name",
        "#/components/schemas/NewParcel.to: maxLength 80",
        '#/components/schemas/Box.kind: code "box"',
        "event parcel.lost PUT: 'A parcel is found again'",
        "problem https://parcels.example/problems/too-heavy: Send two.",
    ):
        assert part in lost


@pytest.mark.corpus
@pytest.mark.parametrize("name", CORPUS)
def test_contracts_of_others_are_shown_whole(name: str) -> None:
    """Real contracts: nothing missing, and their pages keep the laws."""
    if not (SPECS / name).is_file():
        pytest.skip("the corpus is not here")
    api = load_contract(SPECS / name).api
    pages = pages_of(api)

    assert missing(api, pages) == []
    assert breaches(pages, every=max(1, len(pages) // 100)) == []
