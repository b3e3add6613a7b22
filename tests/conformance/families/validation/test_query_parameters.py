# ruff: noqa: D102 - methods override promises: their names say it all
"""Query parameters: whole values are read, and decoded before they are."""

import re

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.validation.query_parameters import (
    FAMILY,
    FORBIDDEN_TEXT_ACCEPTED,
    FORBIDDEN_TEXT_BREAKS_SERVER,
    ODD_SPELLING_ACCEPTED,
    WRONG_TYPE_ACCEPTED,
    WRONG_TYPE_BREAKS_SERVER,
)
from tests.conformance.families.servers.crates import Crates, Refusal, failures_of, titles


class AsFarAsItGoes(Crates):
    """Reads the digits at the beginning."""

    def limit(self, given: str) -> int:
        digits = re.match("[0-9]+", given)
        if digits is None:
            raise Refusal(400, "limit is 1 to 50")
        return super().limit(digits.group())


class AsPythonReads(Crates):
    """Reads what Python takes for a whole number."""

    def limit(self, given: str) -> int:
        try:
            return super().limit(str(int(given)))
        except ValueError:
            raise Refusal(400, "limit is 1 to 50") from None


class Unchecked(Crates):
    """Breaks at what is no number."""

    def limit(self, given: str) -> int:
        return int(float(given))


class AnyColour(Crates):
    """Shows everything for a colour that it does not know."""

    def colour(self, given: str) -> str:
        return given


class AnyCode(Crates):
    """Looks for whatever is asked for."""

    def code(self, given: str) -> str:
        return given


class UnknownColour(Crates):
    """Breaks at a colour that it does not know."""

    def colour(self, given: str) -> str:
        if given not in ("red", "green"):
            raise Refusal(500, "no such key")
        return given


class Undecoded(Crates):
    """Looks for words in the query as it stands."""

    def list_crates(self, request: Request) -> Response:
        if "colour" in request.query_params and "colour=red" not in request.url.query:
            raise Refusal(400, "there is red and green")
        return super().list_crates(request)


def test_the_right_server_is_left_alone() -> None:
    """Whole numbers and booleans are what JSON says."""
    assert not failures_of(FAMILY, Crates())


@pytest.mark.parametrize(
    ("server", "expected"),
    [
        (AsFarAsItGoes, {WRONG_TYPE_ACCEPTED: False, ODD_SPELLING_ACCEPTED: True}),
        (AsPythonReads, {ODD_SPELLING_ACCEPTED: True}),
    ],
)
def test_a_value_that_is_read_in_part_or_too_kindly(server: type[Crates], expected: dict[str, bool]) -> None:
    """`1.5` and `1_0` are no whole numbers; that hardly any client sends the second makes it pedantic."""
    assert {failure.title: failure.is_pedantic for failure in failures_of(FAMILY, server())} == expected


@pytest.mark.parametrize("server", [AnyColour, AnyCode])
def test_a_text_that_is_none_of_those_allowed(server: type[Crates]) -> None:
    """What an enum or a pattern forbids has to be refused, and is not to be ignored."""
    assert titles(FAMILY, server()) == {FORBIDDEN_TEXT_ACCEPTED}


def test_a_value_that_breaks_the_server() -> None:
    """A text for a number is found to break it; so are an unknown word, and a value that is not decoded."""
    assert WRONG_TYPE_BREAKS_SERVER in titles(FAMILY, Unchecked())
    assert titles(FAMILY, UnknownColour()) == {FORBIDDEN_TEXT_BREAKS_SERVER}
    assert titles(FAMILY, Undecoded()) == {"a percent-encoded value is not understood"}
