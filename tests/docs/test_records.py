"""`docs.json`, read back: the right shape, and every other one."""

import json
from pathlib import Path
from typing import Any

import pytest

from devportal.docs.records import parse_records, read_records
from devportal.docs.site_source import open_site
from devportal.errors import UnreadableInput

from .sites import OPERATION, RECORDS, records_text, write_site


def test_operations_have_their_proof() -> None:
    """Stability, first version, the results of runs, and absolute addresses."""
    records = parse_records(records_text())

    (operation,) = records.operations
    assert (operation.name, operation.stability, operation.since) == (OPERATION, "beta", "1.1.0")
    (verified,) = operation.verified
    assert records.address(verified.page) == (
        "https://dev.example/portal/conformance/status/#sandbox.get-parcels-id"
    )


def test_a_site_without_records_has_its_own_address(tmp_path: Path) -> None:
    """Nothing is known of its operations."""
    records = read_records(open_site(str(write_site(tmp_path, {"index.md": "#"}))))

    assert (records.operations, records.releases, records.address("a/b.md")) == ((), (), "./a/b/")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"format": 2}, "has the format '2'"),
        ({"operations": {}}, "operations is not an array"),
        ({"operations": ["x"]}, r"operations\[0\] is not an object"),
        ({"operations": [{**RECORDS["operations"][0], "title": 1}]}, r"operations\[0\].title is not a text"),
        ({"operations": [{**RECORDS["operations"][0], "page": "../../x.md"}]}, "is not a file of the site"),
        ({"operations": [{**RECORDS["operations"][0], "deprecated": 1}]}, "is not a boolean"),
    ],
)
def test_another_shape_is_an_error(changed: dict[str, Any], message: str) -> None:
    """It names the member."""
    with pytest.raises(UnreadableInput, match=message):
        parse_records(records_text(**changed))


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '"x"', "[]", "NaN"])
def test_other_texts_are_errors(text: str) -> None:
    """Also those that nest without end."""
    with pytest.raises(UnreadableInput):
        parse_records(text)


def test_an_address_that_no_browser_opens_is_left_out() -> None:
    """A site cannot make a link that runs a script."""
    assert parse_records(records_text(site_url="javascript:alert(1)//")).site_url == ""
    assert json.loads(records_text())["site_url"] == "https://dev.example/portal/"
