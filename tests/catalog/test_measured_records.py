"""The records that a site of many rates is measured with."""

import runpy
from datetime import date
from pathlib import Path

from devportal.catalog import check_catalog, load_catalog, published
from devportal.catalog.audit.lifecycle import State

MAKER = Path(__file__).parents[2] / "bench" / "records.py"
TODAY = date(2026, 12, 1)


def test_measured_records_are_sound_and_have_a_past(tmp_path: Path) -> None:
    """Nothing is found in them, every state is among them, and what was replaced was in force for months."""
    runpy.run_path(str(MAKER))["write_project"](tmp_path, rows=1500, countries=5)

    catalog, findings = load_catalog(tmp_path / "data", name="data")
    found = [*findings, *check_catalog(catalog, today=TODAY)]
    public = published(catalog.records, catalog.audit, TODAY)

    assert found == []
    assert {version.status for version in catalog.records.rates} == set(State)
    assert {
        (replaced_rate.held_from, replaced_rate.held_until) for replaced_rate in public.replaced_rates
    } == {(date(2026, 7, 1), date(2026, 11, 1))}
    assert {replaced_rate.terms.id for replaced_rate in public.replaced_rates} <= {
        rate.terms.id for rate in public.rates
    }
