"""Reads expected rows: from a CSV, JSON or YAML file, or from the published records of a project."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from devportal.catalog import Catalog, Published, load_catalog, published
from devportal.catalog.pages.columns import coverage_columns, rate_columns
from devportal.catalog.pages.downloads import json_file
from devportal.conformance.expectations import ExpectedResponse, ExpectedRow, ExpectedRows
from devportal.contract.wording import quote_value
from devportal.documents import parse_pointer, read_document, read_text, value_at
from devportal.errors import InvalidSettings, Place, UnreadableInput

RATES, COVERAGE = "rates", "coverage"


def parse_expected(declared: Mapping[str, Any], folder: Path, *, place: Place) -> ExpectedResponse:
    """Return an expectation of the settings with its rows; files are relative to `folder`.

    Raises UnreadableInput for a file that cannot be read, InvalidSettings for one without rows, and for
    columns that it does not have.
    """
    rows = _read_rows(declared["from"], folder, place)
    key, members = tuple(declared.get("key", ())), declared.get("members", {})
    unknown = [item for item in (*key, *members) if item not in rows.columns]
    if unknown:
        raise InvalidSettings(
            f"{rows.source} has no column {quote_value(unknown[0])}",
            place=place,
            help=f"its columns are: {', '.join(rows.columns)}",
        )
    if "items" in declared and not key:
        raise InvalidSettings(
            "`expected` with `items` does not say which columns identify an item",
            place=place,
            help=f"add `key: [{rows.columns[0]}]`",
        )
    return ExpectedResponse(
        operation=declared["operation"],
        values={name: str(value) for name, value in declared.get("values", {}).items()},
        body=declared.get("body"),
        items=declared.get("items"),
        key=key,
        members=members,
        is_whole=declared.get("whole", True),
        rows=rows,
    )


def _read_rows(declared: Mapping[str, Any], folder: Path, place: Place) -> ExpectedRows:
    if "file" in declared:
        path = folder / declared["file"]
        rows = tuple(_csv_rows(path) if path.suffix.lower() == ".csv" else _document_rows(path, declared))
        found = ExpectedRows(source=declared["file"], rows=rows)
    else:
        found = _record_rows(folder / declared["records"], declared.get("kind", RATES), declared["records"])
    if not found.rows:
        raise InvalidSettings(
            f"{found.source} has no rows", place=place, help="an expectation of nothing tests nothing"
        )
    return found


def _csv_rows(path: Path) -> Iterator[ExpectedRow]:
    """Yield the rows of a CSV file in UTF-8 with a header (RFC 4180)."""
    text = read_text(path, name=str(path)).removeprefix("\ufeff")
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            if None in row or None in row.values():
                raise UnreadableInput(
                    "this row has another number of cells than the header",
                    place=Place(file=str(path), line=reader.line_num),
                    help="put texts with commas in quotes",
                )
            yield ExpectedRow(values=row, place=f"{path.name}:{reader.line_num}")
    except csv.Error as error:
        raise UnreadableInput(
            f"this is not CSV: {error}",
            place=Place(file=str(path), line=reader.line_num),
            help="see RFC 4180",
        ) from error


def _document_rows(path: Path, declared: Mapping[str, Any]) -> Iterator[ExpectedRow]:
    """Yield the rows of a JSON or YAML file: a list of objects, or the only list in an object."""
    document = read_document(path)
    pointer = parse_pointer(declared["rows"]) if "rows" in declared else ()
    found: Any = value_at(document.data, declared.get("rows", ""))
    if "rows" not in declared and isinstance(found, dict):
        lists = [(name, value) for name, value in found.items() if isinstance(value, list)]
        pointer, found = ((lists[0][0],), lists[0][1]) if len(lists) == 1 else ((), None)
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise UnreadableInput(
            "there is no list of objects",
            place=document.place(pointer),
            help="write a list of objects, or say with `rows` where it is: `rows: /prices`",
        )
    for position, values in enumerate(found):
        line = document.place((*pointer, str(position))).line
        yield ExpectedRow(values=values, place=f"{path.name}:{line}")


def _record_rows(folder: Path, kind: str, name: str) -> ExpectedRows:
    """Return the records that are public today: their `id`, and the columns of their public files."""
    catalog, findings = load_catalog(folder, name=name)
    if findings:
        raise InvalidSettings(
            f"the records in {name} have {len(findings)} problems, such as: {findings[0]}",
            help="run 'devportal check' and fix them",
        )
    public = published(catalog.records, catalog.audit, _today())
    rows = tuple(
        ExpectedRow(values=values, place=f"the published {kind} in {name}")
        for values in _public_rows(public, kind)
    )
    return ExpectedRows(
        source=f"the published {kind} in {name}",
        rows=rows,
        unapproved=_unpublished_ids(catalog, public, kind),
    )


def _public_rows(public: Published, kind: str) -> list[dict[str, Any]]:
    artefact = (
        json_file("", kind, rate_columns(public.book), public.rates)
        if kind == RATES
        else json_file("", kind, coverage_columns(public.book), public.coverage)
    )
    rows: list[dict[str, Any]] = json.loads(artefact.content)[kind]
    return [{"id": id_, **row} for id_, row in zip(_public_ids(public, kind), rows, strict=True)]


def _public_ids(public: Published, kind: str) -> list[str]:
    if kind == RATES:
        return [rate.terms.id for rate in public.rates]
    return [covered.terms.id for covered in public.coverage]


def _unpublished_ids(catalog: Catalog, public: Published, kind: str) -> frozenset[str]:
    """Return the identifiers of records no version of which is public."""
    records = catalog.records
    versions = records.rates if kind == RATES else records.coverage
    return frozenset({version.terms.id for version in versions}.difference(_public_ids(public, kind)))


def _today() -> date:
    return datetime.now(UTC).date()
