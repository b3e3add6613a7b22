# ruff: noqa: D102 - methods override promises: their names say it all
"""JSON types: converted values are noticed."""

from collections.abc import Callable
from typing import Any

from starlette.responses import Response

from devportal.conformance.families.validation.json_types import (
    FAMILY,
    WRONG_TYPE_ACCEPTED,
    WRONG_TYPE_BREAKS_SERVER,
    values_of_other_types,
)
from tests.conformance.families.servers.crates import Crates, failures_of, is_whole_number


class Converting(Crates):
    """Takes a number in a text for a number."""

    def rules(self) -> dict[str, Callable[[Any], bool]]:
        return {
            **super().rules(),
            "weight": lambda value: is_whole_number(int(value) if isinstance(value, str) else value),
        }


class Comparing(Crates):
    """Breaks where a list is none."""

    def rules(self) -> dict[str, Callable[[Any], bool]]:
        return {**super().rules(), "tags": lambda value: 1 <= len(value) <= 3}


def test_the_right_server_is_left_alone() -> None:
    """It refuses every other type."""
    assert not failures_of(FAMILY, Crates())


def test_a_number_in_a_text_is_no_number() -> None:
    """A server that converts is found."""
    failures = failures_of(FAMILY, Converting())

    assert [failure.title for failure in failures if "a text at '/weight'" in failure.message] == [
        WRONG_TYPE_ACCEPTED
    ]


def test_a_wrong_type_breaks_no_server() -> None:
    """An unchecked value that makes the server fail is found."""
    failures = failures_of(FAMILY, Comparing())

    assert WRONG_TYPE_BREAKS_SERVER in {failure.title for failure in failures}
    assert all("'/tags" in failure.message for failure in failures)


def test_a_body_of_another_type_breaks_no_server() -> None:
    """A server that takes every body for an object is found."""

    class Trusting(Crates):
        def pack(self, data: Any) -> Response:
            if not isinstance(data, dict):
                return self.json({}, 500)
            return super().pack(data)

    failures = failures_of(FAMILY, Trusting())

    assert {failure.title for failure in failures} == {WRONG_TYPE_BREAKS_SERVER}
    assert "a list at the body" in failures[0].message


def test_a_value_is_of_one_type() -> None:
    """No value is replaced by one of its own type."""
    assert {name for name, _ in values_of_other_types(value=True)} == {
        "a text",
        "a number",
        "a list",
        "an object",
        "null",
    }
    assert {name for name, _ in values_of_other_types(value=None)} == {"a list", "an object"}
    assert dict(values_of_other_types(value="12"))["a number"] == 12
