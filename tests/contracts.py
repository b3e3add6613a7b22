"""What this repository describes, read once by each test process: its contracts and records."""

from datetime import date
from functools import cache
from pathlib import Path

from devportal.catalog import Catalog, Published, load_catalog, published
from devportal.contract import Contract, load_contract

ROOT = Path(__file__).parents[1]
OWN = ROOT / "openapi" / "openapi.yaml"


@cache
def contract_at(path: Path, name: str | None = None) -> Contract:
    """Return the contract in a file; `name` is what findings call it, in place of its path."""
    return load_contract(path, name=name)


@cache
def own_contract() -> Contract:
    """Return our contract, named as seen from the root of the repository."""
    return load_contract(OWN, name="openapi/openapi.yaml")


@cache
def own_catalog() -> Catalog:
    """Return our sample records and their audit log, in which nothing is wrong."""
    catalog, findings = load_catalog(ROOT / "data", name="data")
    assert findings == ()
    return catalog


def own_published(today: date) -> Published:
    """Return what is public of our sample records on a day."""
    catalog = own_catalog()
    return published(catalog.records, catalog.audit, today)
