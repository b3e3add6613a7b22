"""Rates in the contract and in the records: the same closed sets, forms and lifecycle."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.catalog.own_book import (
    BOOK,
    PATH,
    BillingTerm,
    Channel,
    Direction,
    NumberType,
    Product,
    Scheme,
    Unit,
)

from devportal.catalog import content_sha256
from devportal.catalog.audit.lifecycle import TRANSITIONS, Action, Role, State
from devportal.catalog.audit.log import line_sha256
from devportal.catalog.records.billing import billed_amount
from devportal.catalog.records.coverage import Availability, Support
from devportal.catalog.records.json_schemas import record_schema
from devportal.catalog.records.version_ref import Kind
from devportal.contract import Api, Schema
from telecom.rates import FEATURES, RATE_TERM_NAMES, rate_book
from telecom.sandbox.stores.rate_versions import fields_from_body, make_stored_version

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "rates.md"


def schema_of(api: Api, name: str) -> Schema:
    return next(schema for at, schema in api.schemas.items() if at.pointer[-1] == name)


def member(api: Api, schema: str, name: str) -> Schema:
    found = next(
        property_.schema for property_ in schema_of(api, schema).properties if property_.name == name
    )
    return api.resolve(found)


def examples(api: Api, *operations: str) -> Iterator[dict[str, Any]]:
    """Yield the items in the examples of operations' answers."""
    for operation in api.operations:
        if operation.id in operations:
            for example in operation.successes[0].content[0].examples:
                yield from example.value.get("data", [example.value])


VERSIONED = (
    "draftRateVersion",
    "listRateVersions",
    "retrieveRateVersion",
    "reviseRateVersion",
    "submitRateVersion",
    "approveRateVersion",
    "rejectRateVersion",
    "activateRateVersion",
    "withdrawRateVersion",
)
"""The operations that answer with rate versions."""


def test_state_machine_is_the_lifecycle_of_records(api: Api) -> None:
    """The contract draws, and the sandbox obeys, what the toolkit's gate and commands go by."""
    machine = schema_of(api, "RateVersionStatus").state_machine
    steps = {
        (source, transition.target)
        for transition in TRANSITIONS.values()
        for source in transition.sources
        if source is not None
    }

    assert machine is not None
    assert machine.states == tuple(State)
    assert machine.initial == (State.DRAFT,)
    assert {(transition.source, transition.target) for transition in machine.transitions} == steps


@pytest.mark.parametrize(
    ("schema", "values"),
    [
        ("Product", Product),
        ("Direction", Direction),
        ("NumberKind", NumberType),
        ("RatedNumberType", (*NumberType, None)),
        ("Unit", Unit),
        ("CoverageChannel", Channel),
        ("RegistrationScheme", Scheme),
        ("AuditRole", Role),
        ("AuditAction", Action),
    ],
)
def test_closed_sets_are_those_of_the_records(api: Api, schema: str, values: Any) -> None:
    """No value is missing from the contract, and none is there that no record can have."""
    assert list(schema_of(api, schema).enum) == [value if value is None else str(value) for value in values]


def test_support_of_an_unserved_market_is_not_in_the_contract(api: Api) -> None:
    """It cannot be published, so nobody has to expect it."""
    assert set(member(api, "Coverage", "support").enum) == set(Support) - {Support.UNAVAILABLE}


def test_features_are_those_of_the_records(api: Api) -> None:
    """Each says yes, no or unknown."""
    features = schema_of(api, "Features").properties

    assert [feature.name for feature in features] == list(FEATURES)
    assert {feature.schema.enum for feature in features} == {tuple(Availability)}


def test_billing_terms_are_those_of_the_records(api: Api) -> None:
    """Prepaid and billed, as service.md documents."""
    items = schema_of(api, "BillingTerms").items

    assert items is not None
    assert list(items.enum) == list(BillingTerm) == ["prepaid", "billed"]


@pytest.mark.parametrize(
    ("schema", "field"),
    [("Price", "price"), ("BillingIncrement", "billing_increment"), ("RateId", "id")],
)
def test_forms_are_those_of_the_records(api: Api, schema: str, field: str) -> None:
    """What the API accepts, a record can hold."""
    shape = record_schema(Kind.RATE, BOOK)
    expected = shape["$defs"]["rate"]["properties"][field]
    expected = shape["$defs"][expected["$ref"].rpartition("/")[2]] if "$ref" in expected else expected

    patterns = {
        constraint.value
        for constraint in schema_of(api, schema).constraints
        if constraint.keyword == "pattern"
    }
    assert patterns == {expected["pattern"]}


@pytest.mark.parametrize("schema", ["NewRateVersion", "RateTerms", "RateVersion", "Rate"])
def test_every_schema_of_a_rate_has_all_terms(api: Api, schema: str) -> None:
    """A term that a record gains cannot be forgotten in one of them."""
    names = [property_.name for property_ in schema_of(api, schema).properties]
    of_record = record_schema(Kind.RATE, BOOK)["$defs"]["rate"]["properties"].keys()

    assert set(RATE_TERM_NAMES) <= set(names)
    assert set(RATE_TERM_NAMES) == of_record - {"id", "version", "status", "sample", "note"}


def test_what_the_price_is_made_of_is_internal(api: Api) -> None:
    """Supplier, purchase price and note are in the file of the contract, and in nothing made of it."""
    names = {property_.name for schema in api.schemas.values() for property_ in schema.properties}

    assert {"price", "content_sha256"} <= names
    assert not {"supplier", "purchase_price", "note"} & names


def test_examples_have_their_true_content_hash(api: Api) -> None:
    """What an example shows as pinned is the hash of the terms that it shows."""
    checked = 0
    for version in examples(api, *VERSIONED):
        record = fields_from_body(version["rate_id"], version["version"], version)
        one = make_stored_version(version["id"], State(version["status"]), record)
        checked += 1
        assert content_sha256(one.terms) == version["content_sha256"], version["rate_id"]
        assert one.findings == ()

    assert checked >= 10


def test_content_hash_can_be_computed_by_its_description(api: Api) -> None:
    """Sorted names, no spaces, every value as text, nothing that is null, empty or the default."""
    checked = 0
    for version in examples(api, *VERSIONED):
        terms = {name: version[name] for name in RATE_TERM_NAMES if version[name] not in (None, [])}
        terms = {name: value for name, value in terms.items() if value != ["prepaid", "billed"]}
        named = {"kind": "rates", "id": version["rate_id"], "version": str(version["version"])}
        content = {**terms, **named, "sample": "yes" if version["sample"] else "no"}
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        checked += 1
        assert line_sha256(text) == version["content_sha256"], version["rate_id"]

    assert checked >= 10


def test_examples_of_the_log_are_a_chain(api: Api) -> None:
    """Their hashes follow from what they show."""
    entries = list(examples(api, "listAuditLog"))
    lines = [json.dumps({name: entry[name] for name in list(entry)[2:-1]}) for entry in entries]

    assert [line_sha256(line) for line in lines] == [entry["sha256"] for entry in entries]
    assert [entry["previous_sha256"] for entry in entries] == [entries[1]["sha256"], "0" * 64]


def test_guide_bills_as_the_service_does() -> None:
    """Each cell of the guide's table is what the rule for increments gives."""
    text = GUIDE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:(\d+) s|not answered) \| (.*) \|$", text, re.MULTILINE)
    (head,) = re.findall(r"^\| answered for \| (.*) \|$", text, re.MULTILINE)
    increments = head.split(" | ")

    assert len(rows) == 5
    assert "1/1" in increments
    for duration, cells in rows:
        billed = [f"{billed_amount(int(duration or 0), increment)} s" for increment in increments]
        assert cells.split(" | ") == billed, duration


def test_the_book_of_the_sandbox_is_that_of_the_project() -> None:
    """Byte by byte: what is drafted in a sandbox is read as the records of the project are."""
    assert (PATH.parents[1] / "tools" / "telecom" / "rate_book.yaml").read_bytes() == PATH.read_bytes()
    assert rate_book() == BOOK
