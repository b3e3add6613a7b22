"""Texts for properties by their names."""

import pytest

from devportal.contract.values.name_hints import text_for_property_name


@pytest.mark.parametrize(
    "name",
    ["email", "Email", "EMAIL", "billing_email", "billingEmail", "billing-email", "user.email", "x2Email"],
)
def test_the_last_word_of_a_name_tells(name: str) -> None:
    """However the words of a name are put together."""
    assert text_for_property_name(name) == "name@example.com"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("first_name", "Ada"),
        ("displayName", "Ada Lovelace"),
        ("customer_id", "customer_123"),
        ("id", "abc123"),
    ],
)
def test_names_of_people_and_ids_look_like_values(name: str, text: str) -> None:
    """The last two words are looked at first, and an id starts with what it is of."""
    assert text_for_property_name(name) == text


@pytest.mark.parametrize("name", ["", "emails", "email_verified", "mail", "42", "日本"])
def test_other_names_tell_nothing(name: str) -> None:
    """A guess that may be wrong is worse than none."""
    assert text_for_property_name(name) == ""
