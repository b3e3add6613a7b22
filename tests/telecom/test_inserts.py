"""The tables of magic numbers that hand-written pages show."""

import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from devportal.contract import Api
from devportal.site.inserts import GROUP, Wrong
from telecom.calls import OUTCOMES
from telecom.inserts import magic_numbers
from telecom.magic_numbers import DESTINATIONS

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def table(api: Api, name: str) -> str:
    made = magic_numbers(api, (name,))
    assert isinstance(made, str)
    return made


def test_package_brings_the_insert() -> None:
    """A page that writes `magic-numbers` gets it."""
    brought = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["entry-points"][GROUP]

    point = EntryPoint(name="magic-numbers", value=brought["magic-numbers"], group=GROUP)
    assert point.load() is magic_numbers


@pytest.mark.parametrize(("name", "numbers"), [("messages", DESTINATIONS), ("calls", OUTCOMES)])
def test_every_number_has_its_row(api: Api, name: str, numbers: dict[str, object]) -> None:
    """The table has the numbers in their order, one row each, and a last one for all others."""
    header, rule, *rows = table(api, name).splitlines()

    assert [row.split("|")[1].strip(" `") for row in rows] == [*numbers, "any other"]
    assert {row.count("|") for row in (header, rule, *rows)} == {header.count("|")}


@pytest.mark.parametrize(
    ("number", "end"),
    [
        ("`+12025550171`", "`undelivered` | `undelivered` | `unreachable_handset`"),
        ("`+12025550179`", "`sent` | none | none"),
        ("`+12025550191`", "`delivered` | `delivered`, then `delivered` | none"),
        ("`+12025550193`", "`delivered`, or 422 `unsupported-channel` | `delivered` | none"),
        ("`+12025550194`", "`delivered` | `delivered`, then `sent` | none"),
        ("`+12025550196`", "429 `rate-limit-exceeded` | none | none"),
        ("any other", "`delivered` | `delivered` | none"),
    ],
)
def test_row_says_how_a_message_ends(api: Api, number: str, end: str) -> None:
    """A late receipt does not change the end, and a refusal is told by status and type."""
    (row,) = (one for one in table(api, "messages").splitlines() if one.startswith(f"| {number} |"))

    assert row.endswith(f" | {end} |")


@pytest.mark.parametrize("arguments", [(), ("numbers",), ("messages", "calls")])
def test_wrong_table_is_told_with_those_that_there_are(api: Api, arguments: tuple[str, ...]) -> None:
    """The writer of the page learns what to write."""
    wrong = magic_numbers(api, arguments)

    assert isinstance(wrong, Wrong)
    assert "'messages', 'calls'" in wrong.help
