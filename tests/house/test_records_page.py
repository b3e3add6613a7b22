"""The page about records says what is there: columns, steps, and examples that are read."""

import re
from pathlib import Path

from devportal.catalog import load_catalog
from devportal.catalog.audit.lifecycle import TRANSITIONS
from devportal.catalog.records.version_ref import Kind
from devportal.catalog.spreadsheet.columns import columns_of
from tests.catalog.own_book import BOOK

from .repository import ROOT

PAGE = (ROOT / "docs" / "toolkit" / "records.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """Return the part of the page below a heading, whatever its level, up to the next heading."""
    return re.split(r"^#+ ", PAGE.partition(f"# {title}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


def rows(title: str) -> list[list[str]]:
    """Return the cells of the table below a heading, its head left out."""
    lines = [line for line in section(title).splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def example(title: str, *, below: str = "") -> str:
    """Return the first block of code that has a title, of those below a heading."""
    found = re.search(
        rf'```\w+ title="{re.escape(title)}"\n(.*?)```',
        PAGE.partition(below)[2] if below else PAGE,
        re.DOTALL,
    )
    assert found, title
    return found.group(1)


def test_the_columns_that_are_needed_are_told() -> None:
    """A row may be short, but not of these."""
    told = {cells[0]: set(re.findall(r"`(\w+)`", cells[1])) - {"zone"} for cells in rows("CSV")}
    declared = {field.name for field in (*BOOK.fields, *BOOK.coverage.fields)}

    assert told == {
        str(kind): {column.name for column in columns_of(kind, BOOK) if column.is_required} - declared
        for kind in Kind
    }


def test_the_steps_are_those_of_the_lifecycle() -> None:
    """From which states, to which, and which role may."""
    told = {cells[0].strip("`"): cells[1:] for cells in rows("The review")}

    assert told.keys() == {str(action) for action in TRANSITIONS}
    for action, transition in TRANSITIONS.items():
        sources, target, role = told[action]
        assert {part for part in sources.split(", ") if part} == {
            str(source) for source in transition.sources if source
        }
        assert (target, role) == (str(transition.target), str(transition.role))


def test_the_examples_are_read(tmp_path: Path) -> None:
    """The record and the roles on the page have no findings."""
    for name, heading in (("book.yaml", ""), ("rates/no.yaml", "## The folder"), ("roles.yaml", "## Roles")):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(example(f"data/{name}", below=heading), encoding="utf-8")

    catalog, findings = load_catalog(tmp_path, name="data")

    assert findings == ()
    assert [str(version.ref) for version in catalog.records.rates] == ["rates/no-parcel-bergen@3"]
    assert catalog.audit.roles is not None
    assert set(catalog.audit.roles.grants) == {"ida.berg", "omar.haddad", "tomas.vega"}
