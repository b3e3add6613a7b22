"""Values for properties by their names, their owners and their descriptions."""

from typing import Any

import pytest

from devportal.contract.validate.json_schema import Direction
from devportal.contract.values.synthesis import sample_value
from tests.reference.reading import api_from


def value_named(name: str, schema: dict[str, Any] | None = None, *, owner: str = "S", **members: Any) -> Any:
    """Return the value that a sample has for a property of a component, which may have other members."""
    value = schema if schema is not None else {"type": "string"}
    properties = {name: value, **members}
    schemas = {
        owner: {"type": "object", "required": [*properties], "properties": properties},
        "payment_method": {"type": "object", "properties": {"id": {"type": "string"}}},
        "email": {
            "type": "object",
            "properties": {"email": {"type": "string"}, "verified": {"type": "boolean"}},
        },
    }
    api = api_from({"openapi": "3.1.0", "paths": {}, "components": {"schemas": schemas}})
    holder = next(value for at, value in api.schemas.items() if at.pointer[-1] == owner)
    sample = sample_value(api, holder, Direction.REQUEST)
    assert sample.is_valid
    return sample.value[name]


TEXT = {"type": "string"}


@pytest.mark.parametrize(
    "name",
    ["email", "Email", "EMAIL", "billing_email", "billingEmail", "billing-email", "user.email", "x2Email"],
)
def test_the_last_word_of_a_name_decides(name: str) -> None:
    """However the words of a name are put together."""
    assert value_named(name) == "name@example.com"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("first_name", "Ada"),
        ("If-Match", '"5d41402abc4b2a76b9719d911017c592"'),
        ("If-None-Match", '"5d41402abc4b2a76b9719d911017c592"'),
        ("displayName", "Ada Lovelace"),
        ("customer_name", "Ada Lovelace"),
        ("account_holder_name", "Ada Lovelace"),
        ("bank_name", "Example bank"),
        ("company_name", "Example Ltd"),
        ("customer_id", "customer_123"),
        ("default_payment_method_id", "payment_method_123"),
        ("on_behalf_of", "abc123"),
        ("payment_method", "payment_method_123"),
        ("callback_url", "https://example.com/"),
        ("expires_at", "2026-02-28T12:00:00Z"),
        ("updated", "2026-01-31T12:00:00Z"),
        ("token_type", "Bearer"),
        ("countryName", "Italy"),
        ("author", "Ada Lovelace"),
        ("shipping_method", "Example shipping method"),
        ("line1", "12 Main Street"),
        ("address_line_2", "Floor 3"),
        ("last4", "4242"),
        ("unit_amount_decimal", "10.00"),
        ("cover_letter", "Example cover letter"),
    ],
)
def test_texts_look_like_values(name: str, text: str) -> None:
    """The last two words are looked at first; an id starts with what it is of; the rest names the property."""
    assert value_named(name) == text


@pytest.mark.parametrize(
    ("owner", "text"),
    [
        ("Product", "Example product"),
        ("CreateMuseumRequest", "Example museum"),
        ("paymentMethods", "Example payment method"),
        ("Customer", "Ada Lovelace"),
        ("Company", "Example Ltd"),
        ("S", "Example"),
    ],
)
def test_a_name_is_that_of_its_owner(owner: str, text: str) -> None:
    """Only people are called like people."""
    assert value_named("name", owner=owner) == text


def test_what_has_an_email_and_a_name_is_a_person() -> None:
    """Whatever it is called."""
    assert value_named("name", owner="Entry", email=TEXT) == "Ada Lovelace"


def test_an_email_is_one_beside_an_object_of_that_name() -> None:
    """Values with a notation that all APIs share are never identifiers, as `payment_method` is."""
    assert value_named("email") == "name@example.com"
    assert value_named("payment_method") == "payment_method_123"


def test_a_state_is_a_region_only_in_an_address() -> None:
    """Elsewhere it is a status."""
    assert value_named("state", owner="Order") == "active"
    assert value_named("state", owner="Order", city=TEXT, postal_code=TEXT) == "Lazio"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("電話番号", "+12025550123"),
        ("メールアドレス", "name@example.com"),
        ("商品名", "Example product"),
        ("会社名", "Example Ltd"),
        ("Straße", "12 Main Street"),
        ("prénom", "Ada"),
        ("dirección", "12 Main Street"),
        ("Währung", "EUR"),
        ("이메일", "name@example.com"),
        ("配送先", "Example 配送先"),
    ],
)
def test_names_in_other_languages_have_values(name: str, text: str) -> None:
    """With and without spaces or accents."""
    assert value_named(name) == text


@pytest.mark.parametrize("name", ["sent_via", "monthly_cap"])
def test_words_that_english_has_too_are_not_translated(name: str) -> None:
    """In Italian, "via" is a street and "cap" a postcode: more contracts mean the English word."""
    assert value_named(name) not in ("12 Main Street", "00184")


@pytest.mark.parametrize(
    ("name", "schema", "value"),
    [
        ("id", {"type": "integer"}, 123),
        ("percentage", {"type": "number", "maximum": 5}, 1),
        ("amount_received", {"type": "integer"}, 1000),
        ("latitude", {"type": "number"}, 41.9028),
        ("latitude", {"type": "integer"}, 1),
        ("expires_at", {"type": "integer"}, 1772280000),
        ("expires_at", {"type": "integer", "description": "In milliseconds."}, 1772280000000),
        ("lat", {"type": "number"}, 41.9028),
        ("lng", {"type": "number", "maximum": 10}, 1),
        ("user_id", {"type": "string", "pattern": "^[1-9][0-9]*$"}, "123456"),
        ("contact", {"type": "string", "format": "phone"}, "+12025550123"),
        ("key", {"type": "string", "description": "ISO 4217 code"}, "EUR"),
        ("stage", {"type": "string", "description": "Possible values: **test**, **live**."}, "test"),
        ("stage", {"type": "string", "maxLength": 3, "description": "Can be `test` or `live`."}, "abc"),
        ("tags", {"type": "array", "items": TEXT}, ["example"]),
        ("country", {"oneOf": [{"type": "string", "maxLength": 2}, {"type": "null"}]}, "IT"),
        ("country", {"oneOf": [{"type": "string", "maxLength": 2}, {"enum": ["", "IT"]}]}, "st"),
    ],
)
def test_values_keep_the_rules_of_their_schemas(name: str, schema: dict[str, Any], value: Any) -> None:
    """Types, patterns, bounds and the branches of a choice."""
    assert value_named(name, schema) == value


DATE = {"type": "string", "format": "date"}
DATE_TIME = {"type": "string", "format": "date-time"}


@pytest.mark.parametrize(
    ("name", "schema", "value"),
    [
        ("start_date", DATE, "2026-01-31"),
        ("end_date", DATE, "2026-02-28"),
        ("endDate", TEXT, "2026-02-28"),
        ("valid_until", DATE_TIME, "2026-02-28T12:00:00Z"),
        ("dateTo", DATE, "2026-02-28"),
        ("due_at", {"type": "integer"}, 1772280000),
        ("birthDate", DATE, "1990-12-10"),
        ("date_of_birth", TEXT, "1990-12-10"),
        ("place_of_birth", TEXT, "Example place of birth"),
        ("born_at", DATE_TIME, "1990-12-10T00:00:00Z"),
        ("end_date", {**DATE, "example": "2020-01-01"}, "2020-01-01"),
        ("end_date", {**DATE, "pattern": "-01-"}, "2026-01-31"),
        ("sender", DATE, "2026-01-31"),
    ],
)
def test_what_ends_is_later_than_what_begins(name: str, schema: dict[str, Any], value: Any) -> None:
    """And people were born earlier, in whatever form the times are; rules and examples of the contract come first."""
    assert value_named(name, schema) == value


@pytest.mark.parametrize(("name", "key"), [("_links", "self"), ("links", "self"), ("labels", "key")])
def test_maps_of_links_have_the_link_that_all_have(name: str, key: str) -> None:
    """As HAL and JSON:API name them."""
    links = {"type": "object", "additionalProperties": {"type": "string", "format": "uri"}}

    assert value_named(name, links) == {key: "https://example.com/"}
