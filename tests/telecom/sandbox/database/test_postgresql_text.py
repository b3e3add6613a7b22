"""Texts with U+0000, which JSON can hold and PostgreSQL cannot, are kept all the same."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.telecom.sandbox.webhook_steps import PATH, create

from telecom.sandbox.database.postgresql_server import escape_nul, unescape_nul


@given(st.text(st.sampled_from("\0\ufffe01a"), max_size=12))
def test_every_text_comes_back(text: str) -> None:
    """Also one that has the mark itself."""
    assert "\0" not in escape_nul(text)
    assert unescape_nul(escape_nul(text)) == text


@pytest.mark.parametrize("text", ["a\0b", "\0", "\ufffe0", "\ufffe\0\ufffe1"])
def test_description_is_kept(sandbox: Any, text: str) -> None:
    """Whatever the database is."""
    made = create(sandbox, description=text)

    assert sandbox.get(f"{PATH}/{made['id']}").json()["description"] == text


@pytest.mark.parametrize("path", ["/v1/messages/msg_%00", "/v1/calls/%00", "/v1/events/evt_%00a"])
def test_identifier_that_nothing_can_have_is_not_found(sandbox: Any, path: str) -> None:
    """It is no fault of the server."""
    assert sandbox.get(path).status_code == 404
