"""Edits of descriptions that leave the changes between two contracts as they are, and those that may not."""

import json
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from devportal.contract import Contract, read_contract
from devportal.differ import compare
from devportal.differ.description_edits import MOST_EDITS, descriptions_of, leaves_changes
from devportal.differ.policy_file import parse_policy
from devportal.documents import parse_document
from tests.differ.change_cases import FILES, ChangeCase, change_cases

PARTS = frozenset({"type", "properties", "allOf", "anyOf", "oneOf", "items", "in", "content", "responses"})
"""Keys of objects that may have a description."""
DATA = frozenset({"const", "default", "enum", "example", "examples", "mapping", "properties", "responses"})
"""What has members of any name: nothing is added to it."""
FAST = frozenset({"document-version", "schema-texts", "parameters-forms"})


def describe_parts(value: Any, words: str, numbers: Iterator[int], key: str = "") -> Any:
    """Return a part of a contract in which each object that may have a description has one of its own."""
    if isinstance(value, list):
        return [describe_parts(item, words, numbers) for item in value] if key not in DATA else value
    if not isinstance(value, dict) or (key in DATA and key not in {"properties", "responses"}):
        return value
    members = {name: describe_parts(member, words, numbers, name) for name, member in value.items()}
    if isinstance(value.get("description"), str) or (key not in DATA and PARTS & value.keys()):
        members["description"] = f"{words} of part {next(numbers)}, and no other"
    return members


def contract_of(text: str) -> Contract:
    """Return a contract written as YAML or JSON."""
    return read_contract(parse_document(text, name="api.yaml"))


def contract_described(written: str, words: str) -> Contract:
    """Return a contract whose parts have descriptions with some words."""
    data = parse_document(written, name="api.yaml").data
    return contract_of(json.dumps(describe_parts(data, words, count())))


def is_left_as_it_is(case: ChangeCase) -> bool:
    """Return whether other words in all descriptions of the newer contract leave the changes; check that they do."""
    old, before = contract_of(case.old), contract_described(case.new, "First words")
    now = contract_described(case.new, "RFC 3339 times of the customer's names, such as IDs,")
    policy, _ = parse_policy(parse_document(json.dumps(case.policy), name="policy.json"))
    changes = compare(old.api, before.api, policy).changes

    is_same = leaves_changes(changes, old=old, before=descriptions_of(before), now=now)

    assert not is_same or compare(old.api, now.api, policy).changes == changes, case.name
    return is_same


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.stem, marks=() if path.stem in FAST else pytest.mark.deep) for path in FILES],
)
def test_other_words_leave_every_kind_of_change(path: Path) -> None:
    """Whatever the differ finds, no comparison is taken for the same that is another."""
    for case in change_cases(path):
        is_left_as_it_is(case)


OLD: Mapping[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Parcels", "version": "1", "description": "Send parcels."},
    "paths": {
        "/parcels": {
            "get": {
                "operationId": "findParcels",
                "description": "Find the parcels of a day.",
                "parameters": [{"name": "day", "in": "query", "description": "A day.", "schema": {}}],
                "responses": {"200": {"description": "All of them."}},
            }
        }
    },
}


def contract_with_text(text: str, *, of: Mapping[str, Any] = OLD) -> dict[str, Any]:
    """Return a contract with another description of its operation."""
    data = deepcopy(dict(of))
    data["paths"]["/parcels"]["get"]["description"] = text
    return data


def is_left(before: Mapping[str, Any], now: Mapping[str, Any], *, old: Mapping[str, Any] = OLD) -> bool:
    """Return whether the changes since `old` are the same after an edit, if they are surely so."""
    contracts = [contract_of(json.dumps(data)) for data in (old, before, now)]
    changes = compare(contracts[0].api, contracts[1].api).changes
    return leaves_changes(changes, old=contracts[0], before=descriptions_of(contracts[1]), now=contracts[2])


def test_one_more_word_leaves_the_changes() -> None:
    """A description that is another than in the last release is another after the next word too."""
    assert is_left(
        contract_with_text("Find parcels by day."), contract_with_text("Find parcels by day or week.")
    )


@pytest.mark.parametrize(
    ("before", "now"),
    [
        pytest.param("Find the parcels of a day.", "Find parcels.", id="from what the old contract says"),
        pytest.param(
            "Find parcels.", "Find the  parcels of a Day.", id="back to it, but for spaces and case"
        ),
        pytest.param("Find parcels.", "A day.", id="to what another part says"),
        pytest.param("All of them.", "Find parcels.", id="from what another part says"),
        pytest.param("Find parcels.", "parcels of a day", id="to a part of what the old contract says"),
        pytest.param("Find parcels.", "PARCELS", id="to a title"),
    ],
)
def test_texts_that_stand_elsewhere_are_compared_again(before: str, now: str) -> None:
    """What was another text may be the same one now."""
    assert not is_left(contract_with_text(before), contract_with_text(now))


def with_more_parameters(text: str) -> dict[str, Any]:
    """Return a contract with more parameters than are looked at, each described with a text."""
    data = contract_with_text("Find parcels.")
    data["paths"]["/parcels"]["get"]["parameters"] = [
        {"name": f"p{number}", "in": "query", "description": f"{text} {number}", "schema": {}}
        for number in range(MOST_EDITS + 1)
    ]
    return data


def with_example(text: str) -> dict[str, Any]:
    """Return a contract with an example that has a member called `description`."""
    data = contract_with_text("Find parcels.")
    data["paths"]["/parcels"]["get"]["parameters"][0]["example"] = {"description": text}
    return data


def with_value_of_example(text: str) -> dict[str, Any]:
    """Return a contract with a named example whose value has a member called `description`."""
    data = contract_with_text("Find parcels.")
    examples = {"first": {"description": "The first one.", "value": {"description": text}}}
    data["paths"]["/parcels"]["get"]["parameters"][0]["examples"] = examples
    return data


def test_description_of_an_example_leaves_the_changes() -> None:
    """Only the value of an example is data."""
    before, now = with_value_of_example("Some text"), with_value_of_example("Some text")
    now["paths"]["/parcels"]["get"]["parameters"][0]["examples"]["first"]["description"] = "One of the first."

    assert is_left(before, now)


def with_idle_keyword(text: str) -> dict[str, Any]:
    """Return a contract with a keyword that has no effect, for which a digest stands in its change."""
    data = contract_with_text("Find parcels.")
    data["paths"]["/parcels"]["get"]["parameters"][0]["schema"] = {
        "then": {"description": text, "type": "string"}
    }
    return data


def with_new_parameter(text: str) -> dict[str, Any]:
    """Return a contract in which a request needs one more parameter, which breaks it."""
    data = contract_with_text("Find parcels.")
    data["paths"]["/parcels"]["get"]["parameters"].append(
        {"name": "place", "in": "query", "required": True, "description": text, "schema": {"type": "string"}}
    )
    return data


@pytest.mark.parametrize(
    "contract",
    [with_more_parameters, with_example, with_value_of_example, with_idle_keyword, with_new_parameter],
)
def test_where_words_may_matter_contracts_are_compared_again(
    contract: Callable[[str], dict[str, Any]],
) -> None:
    """Many edits, data, digests, and messages that show what breaks."""
    assert not is_left(contract("Some text"), contract("A time as in RFC 3339"))
    assert is_left(contract("Some text"), contract("Some text"), old=contract("Some text"))
