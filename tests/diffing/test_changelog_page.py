"""The page about the changelog: it names every field of an entry and every finding there is."""

import json
import re

from tests.house.repository import ROOT

PAGE = ROOT / "docs/toolkit/changelog.md"
CODE = ROOT / "tools/devportal"


def _first_cells(head: str) -> set[str]:
    """Return the names in the first column of the table with this head."""
    _, _, table = PAGE.read_text(encoding="utf-8").partition(f"\n| {head} |\n")
    rows = table.partition("\n\n")[0].splitlines()
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row.split("|")[1])}


def test_every_field_of_an_entry_is_described() -> None:
    """In the table of fields: those of the schema, and no other."""
    schema = json.loads((CODE / "changelog/schemas/entry.schema.json").read_text(encoding="utf-8"))

    assert _first_cells("field | what it says") == set(schema["properties"])


def test_every_finding_is_described() -> None:
    """In the table of rules: those that the code can give, and no other."""
    code = "".join(file.read_text(encoding="utf-8") for file in sorted(CODE.rglob("*.py")))

    assert _first_cells("rule | what is wrong") == set(re.findall(r'"((?:changelog|release)-[a-z-]+)"', code))
