# ruff: noqa: D102 - methods override promises: their names say it all
"""Whitespace: it counts within values, and not between tokens."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from devportal.conformance.deployment.exchange import Request
from devportal.conformance.families.validation.whitespace import FAMILY, WHITESPACE_ACCEPTED, json_spellings
from tests.conformance.families.servers.crates import Crates, Refusal, failures_of, text, titles


class LooseEnd(Crates):
    """Thinks that `$` matches at the very end only."""

    def rules(self) -> dict[str, Callable[[Any], bool]]:
        def is_code(value: Any) -> bool:
            return isinstance(value, str) and re.match("^C[0-9]{3,6}$", value) is not None

        return {**super().rules(), "code": is_code}


class Trimming(Crates):
    """Takes whitespace away before it validates."""

    def rules(self) -> dict[str, Callable[[Any], bool]]:
        def is_code(value: Any) -> bool:
            return isinstance(value, str) and text("C[0-9]{3,6}")(value.strip())

        return {**super().rules(), "code": is_code}


class NoEscapes(Crates):
    """Looks for a member in the text."""

    def parse(self, body: bytes) -> Any:
        if b'"name"' not in body:
            raise Refusal(400, "there is no name")
        return super().parse(body)


class FirstMember(Crates):
    """Wants the name first."""

    def parse(self, body: bytes) -> Any:
        data = super().parse(body)
        if (isinstance(data, dict) and next(iter(data), "") == "origin") or b"\t \r\n" in body:
            raise Refusal(400, "that is not JSON")
        return data


def test_the_right_server_is_left_alone() -> None:
    """It refuses whitespace in values, and overlooks it between them."""
    assert not failures_of(FAMILY, Crates())


@pytest.mark.parametrize("server", [LooseEnd, Trimming])
def test_whitespace_that_a_pattern_forbids(server: type[Crates]) -> None:
    """A line feed after `$`, and a value that is trimmed, are found."""
    failures = failures_of(FAMILY, server())

    assert [failure.title for failure in failures] == [WHITESPACE_ACCEPTED]
    assert "a line feed after '/code'" in failures[0].message


@pytest.mark.parametrize("server", [NoEscapes, FirstMember])
def test_other_spellings_of_json(server: type[Crates]) -> None:
    """The same JSON written in another way is understood."""
    assert all(title.endswith("is not understood") for title in titles(FAMILY, server()))
    assert titles(FAMILY, server())


def test_spellings_say_the_same() -> None:
    """Every spelling is read as the body it was made of."""
    value = {"a": ["\U0001f389 \u00e9", 1.5, None], "b": {"c": "\\"}}
    request = Request(method="POST", url="http://x/", body=json.dumps(value).encode())

    assert [json.loads(json_spelling.request.body or b"") for json_spelling in json_spellings(request)] == [
        value
    ] * 4
