"""What the contract says at a place."""

import json
from pathlib import Path

from devportal.conformance.results.run_result import LONGEST_LINE, PromiseLines
from devportal.contract import load_contract
from devportal.errors import Place
from tests.conformance.running import CONTRACT
from tests.contracts import contract_at

LINES = PromiseLines(contract_at(CONTRACT))
TEXT = CONTRACT.read_text().splitlines()


def at(line: int, column: int = 1) -> str:
    return LINES.at(Place(file=str(CONTRACT), line=line, column=column))


def test_a_line_comes_with_what_belongs_to_it() -> None:
    """What is indented more deeply, without the common indentation, and not all of a long part."""
    number = next(n for n, line in enumerate(TEXT, start=1) if line.strip() == "responses:")

    lines = at(number).splitlines()

    assert lines[0] == "responses:"
    assert lines[1] == "  '201':"
    assert lines[-1] == "…"
    assert len(lines) == 6


def test_a_line_alone_is_a_line() -> None:
    """The next of the same depth is not part of it."""
    assert at(1) == TEXT[0].strip()


def test_where_there_is_no_line_nothing_is_quoted() -> None:
    """A whole file, another file, no place, a line past the end."""
    assert LINES.at(None) == ""
    assert LINES.at(Place(file=str(CONTRACT))) == ""
    assert LINES.at(Place(file="other.yaml", line=1, column=1)) == ""
    assert at(len(TEXT) + 9) == ""


def test_a_contract_on_one_line_is_quoted_from_the_place_on(tmp_path: Path) -> None:
    """JSON that no person wrote has megabytes on its first line."""
    file = tmp_path / "openapi.json"
    responses = {"200": {"description": "d" * 300}}
    file.write_text(
        json.dumps(
            {
                "openapi": "3.0.3",
                "info": {"title": "t", "version": "1"},
                "paths": {"/a": {"get": {"responses": responses}}},
            }
        )
    )
    contract = load_contract(file)
    place = contract.place(contract.api.operations[0].responses[0].location)

    quoted = PromiseLines(contract).at(place)

    assert quoted.startswith('"200": {"description": "ddd')
    assert len(quoted) == LONGEST_LINE
