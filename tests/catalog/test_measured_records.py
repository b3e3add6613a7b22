"""The records that a site of many rates is measured with."""

import runpy
import sys
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from devportal.catalog import check_catalog, load_catalog, published
from devportal.catalog.audit.lifecycle import State
from devportal.catalog.pages import Options, catalog_pages
from devportal.extras import Extra, missing_packages
from devportal.parallel import MIN_TASKS, run_sources

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


@pytest.mark.skipif(sys.platform != "linux", reason="other systems render in one process")
@pytest.mark.deep
def test_pages_are_the_same_with_any_number_of_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages, files, sheets and images, in the same order."""
    monkeypatch.setattr("threading.active_count", lambda: 1)
    countries = 2 * MIN_TASKS
    runpy.run_path(str(MAKER))["write_project"](tmp_path, rows=6 * countries, countries=countries)
    catalog, _ = load_catalog(tmp_path / "data", name="data")
    public = published(catalog.records, catalog.audit, TODAY)
    options = Options(site_url="https://rates.example.com/", title="Many rates", sheets=has_pdf())

    alone = [*catalog_pages(public, options)]
    spread = [
        [*catalog_pages(public, options, run_sources=partial(run_sources, processes=processes, max_chunk=1))]
        for processes in (2, 3)
    ]

    assert len(alone) > 4 * countries
    assert spread == [alone, alone]


def has_pdf() -> bool:
    """Return whether rate sheets can be made."""
    return not missing_packages(Extra.PDF)
