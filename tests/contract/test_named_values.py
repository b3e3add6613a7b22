"""Texts for properties by their names."""

import pytest

from devportal.contract.named_values import text_called


@pytest.mark.parametrize(
    "name",
    ["email", "Email", "EMAIL", "billing_email", "billingEmail", "billing-email", "user.email", "x2Email"],
)
def test_the_last_word_of_a_name_tells(name: str) -> None:
    """However the words of a name are put together."""
    assert text_called(name) == "name@example.com"


@pytest.mark.parametrize(
    "name", ["", "emails", "email_verified", "emailId", "mail", "username", "42", "日本"]
)
def test_other_names_tell_nothing(name: str) -> None:
    """A guess that may be wrong is worse than none."""
    assert text_called(name) == ""
