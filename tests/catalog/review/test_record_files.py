"""A change to a record leaves the rest of its file byte for byte."""

from pathlib import Path

import pytest

from devportal.catalog import RateVersion, load_catalog
from devportal.catalog.audit.lifecycle import State
from devportal.catalog.records.text import yaml_text
from devportal.catalog.review.record_files import RecordFiles
from devportal.errors import RefusedWrite
from tests.catalog.own_book import BOOK, replace

FIELDS = """
    product: sms
    direction: outbound
    country: "NO"   # Norway
    unit: segment
    price: 0.10
    currency: EUR
    effective_from: 2026-12-01
"""
TWO = f"""# Sample records.
rates:
  # The first one.
  - id: no-sms
    version: 1
    status: draft   # since Monday
{FIELDS}
  # The second one.
  - {{id: no-sms, version: 2, status: "draft", product: sms, direction: outbound, country: NO,
     unit: segment, price: 0.10, currency: EUR, effective_from: 2027-01-01}}
# The end.
"""


def load_versions(folder: Path, content: bytes, file: str = "rates/no.yaml") -> tuple[RateVersion, ...]:
    """Write a file and return its versions, which must be sound."""
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    (folder / file).write_bytes(content)
    catalog, findings = load_catalog(folder, name="data", book=BOOK)
    assert findings == ()
    return catalog.records.rates


def new_contents(files: RecordFiles) -> dict[str, bytes]:
    """Return the new bytes of each file that changes."""
    return {change.path: change.after for change in files.changes()}


@pytest.mark.parametrize("form", ["\n", "\r\n", "bom"])
def test_a_status_is_replaced_where_it_stands(tmp_path: Path, form: str) -> None:
    """Comments, quotes, line breaks and a byte order mark stay."""
    text = TWO.replace("\n", "\r\n") if form == "\r\n" else f"﻿{TWO}" if form == "bom" else TWO
    first, second = load_versions(tmp_path, text.encode())
    files = RecordFiles(tmp_path, BOOK, name="data")

    files.set_status(first, State.SUBMITTED)
    files.set_status(second, State.ACTIVE)

    expected = text.replace("status: draft", "status: submitted").replace('"draft"', '"active"')
    assert new_contents(files) == {"rates/no.yaml": expected.encode()}


@pytest.mark.parametrize(
    "status",
    [
        "? status\n    : draft",
        "status: &s draft",
        "status: !!str draft",
        'status: "dr\\x61ft"',
        "status:\n      draft",
        "status: >-\n      draft",
    ],
)
def test_other_forms_are_refused(tmp_path: Path, status: str) -> None:
    """What stands in a form that cannot be changed in place is named, and left alone."""
    text = f"rates:\n  - id: no-sms\n    version: 1\n    {status}{FIELDS}"
    (version,) = load_versions(tmp_path, text.encode())
    files = RecordFiles(tmp_path, BOOK, name="data")

    with pytest.raises(
        RefusedWrite, match=r"data/rates/no.yaml:4:\d+: the status is not written as one word"
    ):
        files.set_status(version, State.SUBMITTED)


def test_a_status_that_versions_share_is_refused(tmp_path: Path) -> None:
    """A status that comes from a merged mapping is not the version's own."""
    text = (
        f"rates:\n  - &one\n    id: no-sms\n    version: 1\n    status: draft{FIELDS}"
        "  - <<: *one\n    version: 2\n    effective_from: 2027-01-01\n"
    )
    first, second = load_versions(tmp_path, text.encode())

    with pytest.raises(RefusedWrite, match="the status is not written"):
        RecordFiles(tmp_path, BOOK, name="data").set_status(second, State.SUBMITTED)
    files = RecordFiles(tmp_path, BOOK, name="data")
    files.set_status(first, State.SUBMITTED)
    with pytest.raises(RefusedWrite, match="cannot be changed in place"):
        files.changes()


def test_a_new_version_goes_to_the_file_of_its_country(tmp_path: Path) -> None:
    """What was there stays byte for byte; the file then holds what was there and the new versions."""
    first, second = load_versions(tmp_path, TWO.encode())
    third, fourth = (replace(first, terms=replace(first.terms, version=number)) for number in (3, 4))
    files = RecordFiles(tmp_path, BOOK, name="data")

    files.add(third)
    files.add(fourth)

    ((name, content),) = new_contents(files).items()
    assert name == "rates/no.yaml"
    assert content.startswith(TWO.encode().rstrip())
    assert load_versions(tmp_path, content) == (first, second, third, fourth)


def test_a_new_country_gets_a_file(tmp_path: Path) -> None:
    """The file is as the toolkit writes record files."""
    (first, _) = load_versions(tmp_path, TWO.encode())
    swedish = replace(first, terms=replace(first.terms, id="se-sms", country="SE"))
    files = RecordFiles(tmp_path, BOOK, name="data")

    files.add(swedish)

    assert new_contents(files) == {"rates/se.yaml": yaml_text([swedish], BOOK).encode()}


def test_a_file_in_flow_style_gets_no_new_version(tmp_path: Path) -> None:
    """Where nothing can be put at the end, a second file of the country is made."""
    text = (
        "rates: [{id: no-sms, version: 1, status: draft, product: sms, direction: outbound, country: NO, "
        "unit: segment, price: 0.10, currency: EUR, effective_from: 2026-12-01}]\n"
    )
    (first,) = load_versions(tmp_path, text.encode())
    files = RecordFiles(tmp_path, BOOK, name="data")

    files.add(replace(first, terms=replace(first.terms, version=2)))

    assert list(new_contents(files)) == ["rates/no-2.yaml"]


@pytest.mark.parametrize("breaks", ["\n", "\r\n"])
def test_a_draft_is_replaced(tmp_path: Path, breaks: str) -> None:
    """The lines of the version are those of the new one; comments above it and below it stay."""
    text = TWO.replace("\n", breaks)
    first, second = load_versions(tmp_path, text.encode())
    changed = replace(first, note="=1+1\n# no comment", terms=replace(first.terms, currency="USD"))
    files = RecordFiles(tmp_path, BOOK, name="data")

    files.replace(first, changed)

    (content,) = new_contents(files).values()
    assert content.startswith(f"# Sample records.{breaks}rates:{breaks}  # The first one.{breaks}".encode())
    assert content.endswith(text[text.index("  # The second one.") :].encode())
    assert load_versions(tmp_path, content) == (changed, second)


def test_what_changes_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    """A file that an editor saved between reading and writing is refused."""
    first, _ = load_versions(tmp_path, TWO.encode())
    (tmp_path / "rates/no.yaml").write_bytes(TWO.replace("0.10", "0.20").encode())

    with pytest.raises(RefusedWrite, match="somebody changed this file"):
        RecordFiles(tmp_path, BOOK, name="data").set_status(first, State.SUBMITTED)
