"""The page about records is walked from an empty folder to public prices, and on to the next ones."""

import json
import re
import shlex
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from devportal.catalog import check_catalog, load_catalog, published
from devportal.cli import cli

from .test_records_page import example

FILES = ("data/book.yaml", "data/roles.yaml", "mkdocs.yml", "prices.csv", "new-prices.csv")


def day(days: int) -> str:
    """Return the day so many days from today (UTC)."""
    return (datetime.now(UTC) + timedelta(days=days)).date().isoformat()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the files of the page; its days become today and tomorrow."""
    for name in FILES:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        text = example(name).replace("2027-01-01", day(0)).replace("2027-02-01", day(1))
        path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(command: str) -> Result:
    """Run a command of the page; what asks on a terminal is told here what has been read."""
    arguments = shlex.split(command)[1:]
    result = CliRunner().invoke(cli, arguments, prog_name="devportal", env={"DEVPORTAL_ACTOR": None})
    if asked := re.search(r"repeat this with (--content \w+)", result.stderr):
        return run(f"{command} {asked[1]}")
    assert result.exit_code == 0, result.output
    return result


def prices(project: Path) -> dict[str, str]:
    """Return the prices that are public today, by the names of their versions."""
    today = datetime.now(UTC).date()
    catalog, findings = load_catalog(project / "data", name="data")
    assert findings == ()
    assert list(check_catalog(catalog, today=today)) == []
    public = published(catalog.records, catalog.audit, today)
    return {f"{rate.terms.id}@{rate.terms.version}": str(rate.terms.price) for rate in public.rates}


def test_a_list_becomes_public_prices(project: Path) -> None:
    """Four commands, and nothing but the files of the page."""
    *before, activate = example("From a list to public prices").splitlines()
    for command in before:
        run(command)
    assert prices(project) == {}
    run(activate)

    assert prices(project) == {"no-parcel@1": "7.90", "us-box@1": "2.00"}


def test_the_next_price_waits_for_its_day(project: Path) -> None:
    """What is approved ahead and activated where it is due leaves the price of today in force."""
    walked = ("From a list to public prices", "Ahead of the day", "Each day")
    for command in "".join(map(example, walked)).splitlines():
        run(command)

    assert prices(project) == {"no-parcel@1": "7.90", "us-box@1": "2.00"}
    (shown,) = json.loads(run("devportal rates show no-parcel@2 --json").stdout)
    assert shown["fields"]["status"] == "approved"
