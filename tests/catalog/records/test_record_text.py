"""The canonical text of record files: written, read and written again."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from devportal.catalog import CoverageVersion, RateVersion, load_catalog
from devportal.catalog.records.json_schemas import record_schema
from devportal.catalog.records.text import record_fields, record_order, yaml_text
from devportal.catalog.records.version_ref import Kind
from tests.catalog.build import COVERAGE, RATE, coverage, rate, records
from tests.catalog.own_book import BOOK
from tests.catalog.strategies import coverage_versions, rate_versions

AnyVersion = RateVersion | CoverageVersion

TEXT = """\
# Written by hand?
# No.
rates:
  - id: no-sms
    version: "1"
    status: active
    note: |-
      Two
      lines
    product: sms
    direction: outbound
    country: "NO"
    network:
      name: Fjord
      mcc: "242"
      mnc: "010"
    unit: segment
    price: "0.10"
    currency: EUR
    effective_from: "2026-02-01"

  - id: no-sms
    version: "1"
    status: active
    product: sms
    direction: outbound
    country: "NO"
    network:
      name: Fjord
      mcc: "242"
      mnc: "010"
    unit: segment
    price: "0.10"
    currency: EUR
    effective_from: "2026-02-01"
"""


def read(folder: Path, kind: Kind, text: str) -> tuple[AnyVersion, ...]:
    """Return the versions of a file with that text; it has no findings."""
    path = folder / kind / "one.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    catalog, findings = load_catalog(folder, name="data", book=BOOK)
    path.unlink()
    assert findings == ()
    return tuple(catalog.records.all())


def test_this_is_the_canonical_form() -> None:
    """Fields in their order, one blank line between versions, codes and numbers between quotes."""
    versions = [rate(note="Two\nlines"), rate()]

    assert yaml_text(versions, BOOK, comment="Written by hand?\nNo.") == TEXT


def test_versions_of_two_kinds_make_no_file() -> None:
    """A file has one kind, and at least one version of it."""
    mixed: list[AnyVersion] = [rate(), coverage()]
    for wrong in (mixed, []):
        with pytest.raises(ValueError, match="a record file holds versions of one kind"):
            yaml_text(wrong, BOOK)


@given(versions=st.lists(rate_versions(), min_size=1, max_size=3))
def test_rates_are_read_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, versions: list[AnyVersion]
) -> None:
    """Parse, render, parse: the same versions; render again: the same text."""
    _written_and_read(tmp_path_factory.getbasetemp(), Kind.RATE, versions)


@given(versions=st.lists(coverage_versions(), min_size=1, max_size=3))
def test_coverage_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, versions: list[AnyVersion]
) -> None:
    """The same for coverage records, whose restrictions are lists of texts."""
    _written_and_read(tmp_path_factory.getbasetemp(), Kind.COVERAGE, versions)


def _written_and_read(folder: Path, kind: Kind, versions: list[AnyVersion]) -> None:
    text = yaml_text(versions, BOOK, comment="# x: y")
    again = read(folder, kind, text)

    assert again == tuple(versions)
    assert yaml_text(again, BOOK, comment="# x: y") == text


@given(version=rate_versions() | coverage_versions())
def test_other_readers_of_yaml_take_every_value_for_text(version: AnyVersion) -> None:
    """Norway, 010, 0.10 and dates stay text for a reader of YAML 1.1 as well."""
    ((item,),) = yaml.safe_load(yaml_text([version], BOOK)).values()

    assert item == record_fields(version, BOOK)


@pytest.mark.parametrize(("kind", "name"), [(Kind.RATE, "rate"), (Kind.COVERAGE, "coverage")])
def test_every_field_of_the_shape_is_written(kind: Kind, name: str) -> None:
    """A field that the schema gains is added here too, at its place."""
    schema = record_schema(kind, BOOK)

    assert record_order(BOOK, kind) == tuple(schema["$defs"][name]["properties"])


def test_what_says_nothing_is_left_out() -> None:
    """No `sample: no`, no empty note, no unknown feature."""
    assert not {"sample", "note"} & {*record_fields(rate(RATE), BOOK)}
    assert record_fields(coverage(COVERAGE), BOOK)["features"] == {}


def test_records_without_sources_are_the_same_records() -> None:
    """Only the text of their files is gone."""
    held = records(rate(RATE, note="To be agreed"), coverage())

    without = held.without_sources()

    assert without == held
    assert {version.source.document.text for version in without.all()} == {""}
