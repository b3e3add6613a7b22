"""The tables of magic numbers that hand-written pages show."""

import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from devportal.contract import Api, load_contract
from devportal.markup.page import InsertProblem
from devportal.plugins import INSERTS_GROUP
from telecom.calls import CALL_OUTCOMES
from telecom.inserts import magic_numbers, sandbox_control
from telecom.magic_numbers import DESTINATIONS
from telecom.sandbox.control import CONTRACT

PROJECT = Path(__file__).parents[2] / "tools" / "telecom" / "pyproject.toml"


def table(api: Api, name: str) -> str:
    made = magic_numbers(api, (name,))
    assert isinstance(made, str)
    return made


@pytest.mark.parametrize(
    ("name", "maker"), [("magic-numbers", magic_numbers), ("sandbox-control", sandbox_control)]
)
def test_package_brings_the_insert(name: str, maker: object) -> None:
    """A page that writes its name gets it."""
    brought = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["entry-points"][INSERTS_GROUP]

    point = EntryPoint(name=name, value=brought[name], group=INSERTS_GROUP)
    assert point.load() is maker


@pytest.mark.parametrize(("name", "numbers"), [("messages", DESTINATIONS), ("calls", CALL_OUTCOMES)])
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
    (row,) = (line for line in table(api, "messages").splitlines() if line.startswith(f"| {number} |"))

    assert row.endswith(f" | {end} |")


@pytest.mark.parametrize("arguments", [(), ("numbers",), ("messages", "calls")])
def test_wrong_table_is_told_with_those_that_there_are(api: Api, arguments: tuple[str, ...]) -> None:
    """The writer of the page learns what to write."""
    wrong = magic_numbers(api, arguments)

    assert isinstance(wrong, InsertProblem)
    assert "'messages', 'calls'" in wrong.help


def test_every_request_of_control_has_its_row(api: Api) -> None:
    """With what it takes: members of its body, and parameters."""
    made = sandbox_control(api, ())
    assert isinstance(made, str)
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in made.splitlines()[2:]]

    asked = [f"`{operation.method} {operation.path}`" for operation in load_contract(CONTRACT).api.operations]
    assert [row[0] for row in rows] == asked
    advance = ["Advance the clock", "`seconds`, `by`, `to`, `to_next`", "`at_most_s`"]
    assert rows[2] == ["`POST /_sandbox/clock/advance`", *advance]
    assert rows[1][2:] == ["`mode`, `speed`", "none"]
    assert {len(row) for row in rows} == {4}


def test_requests_of_control_have_one_table(api: Api) -> None:
    """Whatever is written behind the name is wrong."""
    assert isinstance(sandbox_control(api, ("clock",)), InsertProblem)
