"""Contracts of others: each is read whole, without an exception, and without an error."""

import pytest

from devportal.contract import load_contract
from devportal.contract.validate.check import check_contract, check_model_rules
from devportal.contract.validate.example_rules import check_examples
from tests.corpus import NAMES, corpus_contract, corpus_file, each_contract

pytestmark = pytest.mark.corpus

KNOWN = {
    "discord-3.1.json": {"contract-enum"},
    "oai-examples/swagger-2.0-petstore.json": {"contract-swagger"},
}
"""What is odd in the contracts of others: there are enums without a value, and a file in an older format."""


def test_the_corpus_is_there() -> None:
    """An empty folder would make the tests below say nothing."""
    corpus_file("README.md")

    assert len(NAMES) >= 20


@each_contract
def test_each_contract_is_read_whole(name: str) -> None:
    """It has operations or events, nothing in it is refused, and its checks go through to their end."""
    contract = corpus_contract(name)

    assert {finding.rule for finding in contract.findings} <= KNOWN.get(name, set())
    assert len(contract.api.operations) + len(contract.api.webhooks) > 0
    assert sum(len(group.operations) for group in contract.api.groups) >= len(contract.api.operations)
    assert all(finding.place.line for finding in (*check_examples(contract), *check_model_rules(contract)))


@pytest.mark.parametrize(
    ("name", "operations", "schemas"),
    [("stripe.json", 417, 561), ("museum-3.1.yaml", 8, 22), ("discord-3.1.json", 242, 539)],
)
def test_nothing_of_a_large_contract_is_lost(name: str, operations: int, schemas: int) -> None:
    """The counts are those of the file."""
    found = load_contract(corpus_file(name), name=name).api

    assert (len(found.operations), len(found.schemas)) == (operations, schemas)
    assert len({operation.id for operation in found.operations}) == operations


def test_swagger_2_is_read_as_openapi() -> None:
    """A note says so, and nothing else is to be said of the official example."""
    name = "oai-examples/swagger-2.0-petstore.json"
    contract = load_contract(corpus_file(name), name=name)

    assert [(finding.rule, str(finding.place)) for finding in check_contract(contract)] == [
        ("contract-swagger", f"{name}:2:3")
    ]
    assert [operation.id for operation in contract.api.operations] == [
        "listPets",
        "createPets",
        "showPetById",
    ]
