"""A carrier's project from the spreadsheet to the site: nothing in it knows of any other trade."""

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from devportal.catalog import check_catalog, load_catalog, published
from devportal.cli import cli
from devportal.findings import Finding
from tests.catalog.publishing import read
from tests.site.building import ROOT, built_project, contents, environment

HERE = Path(__file__).parent
FIRST_DAY = date(2026, 12, 1)
_NOON = "1796126400"
"""Noon of that day (UTC), in seconds."""
ACTIVE = (
    *("home-parcel-2kg", "home-parcel-10kg", "home-parcel-2kg-express", "eu-1-parcel-2kg"),
    *("home-letter", "home-pallet"),
)
"""What becomes public; the rate for the rest of the world stays a draft."""
SCRIPTS = (
    *("address", "catalog", "estimate", "estimate-cost", "hand-out"),
    *("market-names", "markets", "rates-file"),
)
"""The scripts of rates and coverage."""
MESSAGING = re.compile(
    r"\b(sms|mms|rcs|gsm|mcc|mnc|10dlc|dlt|segments?|telecom|phone numbers?|dialling|dialing)\b",
    re.IGNORECASE,
)
ROLES = """\
roles:
  - {actor: ida, roles: [editor]}
  - {actor: omar, roles: [approver]}
  - {actor: lin, roles: [publisher]}
"""
SETTINGS = """\
site_name: Nordfrakt
site_url: https://carrier.example/
theme: {name: material}
plugins:
  - search
  - devportal: {contract: "", records: data}
"""


@dataclass(frozen=True, kw_only=True)
class Carrier:
    """The project, what its site holds, and what was found while it was built."""

    folder: Path
    site: dict[str, bytes]
    findings: tuple[Finding, ...]

    def text(self, name: str) -> str:
        """Return a file of the site."""
        return self.site[name].decode()


def run(data: Path, *arguments: str, actor: str | None = None) -> Result:
    """Run a command of the review, which goes well."""
    acting = ("--actor", actor) if actor else ()
    result = CliRunner().invoke(cli, [*arguments, "--records", str(data), *acting], prog_name="devportal")
    assert result.exit_code == 0, result.output
    return result


def approve(data: Path, kind: str, *names: str) -> None:
    """Approve versions by the hashes that `show` prints."""
    shown = json.loads(run(data, kind, "show", *names, "--json").stdout)
    read_ones = [word for item in shown for word in ("--content", item["content_sha256"])]
    run(data, kind, "approve", *names, *read_ones, actor="omar")


@pytest.fixture(scope="module")
def carrier(tmp_path_factory: pytest.TempPathFactory) -> Carrier:
    """Return the project: imported, submitted, approved, activated and built, once for all tests."""
    folder = tmp_path_factory.mktemp("carrier")
    data = folder / "data"
    (data / "coverage").mkdir(parents=True)
    (folder / "docs").mkdir()
    (folder / "mkdocs.yml").write_text(SETTINGS, encoding="utf-8")
    (folder / "docs" / "index.md").write_text("# Nordfrakt\n\n[Rates](rates/index.md)\n", encoding="utf-8")
    (data / "book.yaml").write_bytes((HERE / "book.yaml").read_bytes())
    (data / "roles.yaml").write_text(ROLES, encoding="utf-8")
    (data / "coverage" / "all.yaml").write_bytes((HERE / "coverage.yaml").read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("devportal.catalog.review.writes.utc_now", _first_day)
        patch.setattr("devportal.catalog.review.queries.utc_now", _first_day)
        run(data, "rates", "import", str(HERE / "rates.csv"), actor="ida")
        run(data, "rates", "submit", *ACTIVE, actor="ida")
        approve(data, "rates", *ACTIVE)
        run(data, "rates", "activate", *ACTIVE, actor="lin")
        run(data, "coverage", "submit", "--market", "home", "--market", "EU-1", actor="ida")
        approve(data, "coverage", "home-parcel", "eu-1-parcel")
        run(data, "coverage", "activate", "--state", "approved", actor="lin")
    with environment(SOURCE_DATE_EPOCH=_NOON):
        built = built_project(folder / "mkdocs.yml", folder / "site")
    return Carrier(folder=folder, site=contents(folder / "site"), findings=tuple(built.findings))


def _first_day() -> datetime:

    return datetime.combine(FIRST_DAY, time(12), UTC)


def test_records_and_site_have_no_problem(carrier: Carrier) -> None:
    """Neither the check nor the build finds anything, the search for drafts among it."""
    catalog, findings = load_catalog(carrier.folder / "data", name="data")

    assert (*findings, *check_catalog(catalog, today=FIRST_DAY)) == ()
    assert carrier.findings == ()
    public = published(catalog.records, catalog.audit, FIRST_DAY)
    assert (len(public.rates), len(public.coverage)) == (len(ACTIVE), 2)


def test_public_files_have_the_columns_of_the_book(carrier: Carrier) -> None:
    """What is declared stands between what every project has; each row is one public rate."""
    rows = list(csv.DictReader(io.StringIO(carrier.text("rates/rates.csv"))))

    assert list(rows[0])[:10] == [
        *("row_id", "product", "service", "zone", "zone_name", "weight", "depot", "code", "unit", "price")
    ]
    assert {row["row_id"] for row in rows} == {f"{name}@1" for name in ACTIVE}
    assert {row["code"] for row in rows} == {"", "HAM-03"}
    assert json.loads(carrier.text("coverage/eu-1/coverage-eu-1.json"))["coverage"][0]["signature"] == "no"


def test_rates_can_be_filtered_by_what_is_declared(carrier: Carrier) -> None:
    """Each filter has its choices, each choice its page, and each row says what the script asks."""
    page = carrier.text("rates/parcel/index.html")
    rows = read(page).rows

    assert re.findall(r'<(?:select|input) name="(\w+)"', page) == [
        "zone",
        "service",
        "weight",
        "depot",
        "currency",
        "order",
    ]
    assert rows["rate-eu-1-parcel-2kg-1"] == {
        "zone": "eu-1",
        "service": "standard",
        "weight": "2",
        "depot": "HAM-03",
        "currency": "EUR",
        "price": "7.35",
        "unit": "piece",
    }
    assert set(read(carrier.text("rates/parcel/weight-10/index.html")).rows) == {"rate-home-parcel-10kg-1"}
    assert set(read(carrier.text("rates/parcel/express/index.html")).rows) == {
        "rate-home-parcel-2kg-express-1"
    }
    assert "Hamburg Nord" in carrier.text("rates/parcel/depots/index.html")


def test_a_product_starts_at_its_headline(carrier: Carrier) -> None:
    """What stands beside the standard service does not make it cheap or dear."""
    page = carrier.text("rates/parcel/index.md")

    assert "Parcel rates for 2 zones, standard from 4.50 EUR per piece" in page
    assert "| Nordics | up to 2 kg | All depots | Standard | 4.50 EUR | per piece |" in page


def test_a_zone_is_shown_with_its_countries_on_the_map(carrier: Carrier) -> None:
    """Each country leads to the page of its zone, and the table lists zones."""
    page = carrier.text("coverage/index.html")

    drawn = re.findall(r'<a class="dp-world__(\w+)" data-zone="([\w-]+)" href="([\w-]+)/"', page)
    assert sorted(drawn) == sorted([*[("full", "home", "home")] * 3, *[("limited", "eu-1", "eu-1")] * 3])
    assert 'id="zone-eu-1" data-zone="eu-1"' in page
    assert "Germany, France, Netherlands" in carrier.text("coverage/eu-1/index.html")
    assert "Customs papers, usually 3 days" in page


def test_the_estimator_works_out_what_the_units_say(carrier: Carrier) -> None:
    """By the piece, and by weight that is billed in steps."""
    pallets = carrier.text("rates/pallet/index.html")

    assert "1,000 pieces × 4.50 EUR = 4,500.00 EUR" in carrier.text("rates/parcel/index.html")
    assert "120,500 g × 0.3825 EUR ÷ 1,000 = 46.09125 EUR" in pallets
    assert "Grams of each pallet" in pallets


def test_changes_have_a_feed(carrier: Carrier) -> None:
    """Its items are in the words of the book, their categories too."""
    items = json.loads(carrier.text("rates/feed.json"))["items"]

    titles = [item["title"] for item in items]
    assert "Nordics, Parcel standard, up to 2 kg: new, 4.50 EUR per piece" in titles
    assert any("zone:eu-1" in item["tags"] for item in items)


def test_no_byte_of_the_site_is_of_the_draft(carrier: Carrier) -> None:
    """Neither its name, nor its price, nor its depot."""
    everything = b"\n".join(carrier.site.values())

    for secret in (b"world-parcel", b"31.4159", b"Bergen Havn", b"BGO-44"):
        assert secret not in everything


@pytest.mark.parametrize(
    ("planted", "what"),
    [
        ("Ask for depot BGO-44.", "depot code 'BGO-44'"),
        ("Rest of the world: 31.4159 EUR.", "price '31.4159 EUR'"),
        ("To Japan from 31.4159 EUR.", "price '31.4159 EUR'"),
        ("See world-parcel-2kg.", "identifier 'world-parcel-2kg'"),
        ("We open Bergen Havn in May.", "depot 'Bergen Havn'"),
    ],
)
def test_what_only_the_draft_holds_is_found_on_a_page(
    planted: str, what: str, tmp_path: Path, leaks: Callable[[Path], list[str]]
) -> None:
    """A code, a price in its zone or in a country of it, an identifier, and a name."""
    (tmp_path / "index.html").write_text(f"<p>{planted}</p>", encoding="utf-8")

    (found,) = leaks(tmp_path)

    assert f"the {what} of rates/world-parcel-2kg@1, which is not public" in found


@pytest.fixture(scope="module")
def leaks(carrier: Carrier) -> Callable[[Path], list[str]]:
    """Return what searches a folder for what only the carrier's records hold."""
    from devportal.site.leaks.search import find_leaks

    catalog, _ = load_catalog(carrier.folder / "data", name="data")
    public = published(catalog.records, catalog.audit, FIRST_DAY)
    return lambda site: [str(leak) for leak in find_leaks(site, catalog, public)]


def test_an_export_is_imported_without_a_change(
    carrier: Carrier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a spreadsheet holds of the declared fields is what the records hold."""
    for module in ("writes", "queries"):
        monkeypatch.setattr(f"devportal.catalog.review.{module}.utc_now", _first_day)
    data, file = carrier.folder / "data", tmp_path / "rates.csv"
    run(data, "rates", "export", "--output", str(file))

    again = run(data, "rates", "import", str(file), "--dry-run", actor="ida")

    assert "7 of 7 rows change nothing" in again.stderr


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("zone: eu-1", "zone: eu-9", "which is none of its values"),
        ('weight: "2"', 'weight: "40"', "weight is '40', which is not from 0 to 31.5"),
        ('weight: "2"', 'weight: "2.0"', "`rates.0.weight` is '2.0'"),
        ('    weight: "2"\n', "", "the product is 'parcel', but no weight"),
        ("unit: piece", "unit: kg", "the unit is 'kg', but the product 'parcel' has 'piece'"),
    ],
)
def test_what_the_book_does_not_allow_is_found(old: str, new: str, said: str, tmp_path: Path) -> None:
    """With the value, by the shape or by the reader."""
    text = (
        "rates:\n  - id: a\n    version: 1\n    status: draft\n    product: parcel\n    service: standard\n"
        '    zone: eu-1\n    weight: "2"\n    unit: piece\n    price: "1.00"\n    currency: EUR\n'
        "    effective_from: 2026-12-01\n"
    )
    (tmp_path / "rates").mkdir()
    (tmp_path / "book.yaml").write_bytes((HERE / "book.yaml").read_bytes())
    (tmp_path / "rates" / "a.yaml").write_text(text.replace(old, new), encoding="utf-8")

    catalog, findings = load_catalog(tmp_path, name="data")

    assert catalog.records.rates == ()
    assert any(said in finding.message for finding in findings), findings


def test_no_word_of_messaging_is_in_what_is_made_for_a_carrier(carrier: Carrier) -> None:
    """Pages, twins, files, feeds and the scripts of rates; what all sites have besides is not of the book."""
    scripts = set(SCRIPTS)
    own = {
        name: content
        for name, content in carrier.site.items()
        if not name.startswith(("assets/", "search/")) or Path(name).stem in scripts
    }
    found = {
        f"{name}: {match.group()}"
        for name, content in own.items()
        for match in MESSAGING.finditer(content.decode("utf-8", "replace"))
    }

    assert len(own) > 40
    assert found == set()


@pytest.mark.parametrize("kind", ["rates", "coverage"])
def test_no_word_of_messaging_is_in_the_help(kind: str) -> None:
    """Of the commands for either kind of record."""
    listed = CliRunner().invoke(cli, [kind, "--help"], prog_name="devportal").output
    commands = re.findall(r"^  (\w+)  ", listed, re.MULTILINE)
    texts = [
        CliRunner().invoke(cli, [kind, command, "--help"], prog_name="devportal").output
        for command in commands
    ]

    assert len(commands) == 14
    assert not MESSAGING.search("\n".join([listed, *texts]))


def test_no_word_of_messaging_is_in_the_sources() -> None:
    """Of the catalog, its review, the search for leaks and the scripts of rates."""
    tools = ROOT / "tools" / "devportal"
    assets = tools / "site" / "theme" / "assets" / "devportal"
    sources = [
        *(path for part in ("catalog", "review", "site/leaks") for path in (tools / part).rglob("*.*")),
        tools / "site" / "sections" / "rates.py",
        *(assets / f"{name}.js" for name in SCRIPTS),
    ]
    read_ones = [path for path in sources if path.suffix in {".py", ".js", ".json", ".jinja", ".md", ".css"}]
    found = {
        f"{path.relative_to(tools)}: {match.group()}"
        for path in read_ones
        for match in MESSAGING.finditer(path.read_text("utf-8"))
    }

    assert len(read_ones) > 100
    assert found == set()
