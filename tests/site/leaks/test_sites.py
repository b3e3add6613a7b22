"""The search on whole sites: it stops builds in which something leaks, and is silent on all others."""

import os
import subprocess
import sys
from collections.abc import Iterable
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

from devportal.catalog import AuditLog, Published, Records, load_catalog, published
from devportal.catalog.pages import Options, catalog_pages
from devportal.catalog.records.loading import PENDING
from devportal.catalog.records.rate import RateTerms
from devportal.findings import Finding
from devportal.markup import Page
from devportal.project.inputs import Inputs
from devportal.site.leak_search import leaks_in
from devportal.site.leaks.detectors import Leak
from devportal.site.leaks.private_values import find_private_values
from devportal.site.leaks.search import Search, find_leaks
from devportal.site.loaded_inputs import LoadedInputs
from devportal.site.mkdocs_messages import capture_mkdocs_log
from devportal.site.project_file import plugin_of
from devportal.site.sections.rates import RatesSection
from devportal.site.sections.section import SectionContext
from tests.contracts import own_catalog
from tests.own_site import OwnSite
from tests.site.building import DAY, ROOT, built_project, environment, write_project
from tests.site.leaks.random_catalogs import busy_rates, catalog_of, catalogs
from tests.site.leaks.written import write_rates, write_records
from tests.waiting import PATIENCE_S

QUOTE = "# Prices\n\nIn the United Kingdom it will be 0.03771 EUR for a segment.\n"


def test_build_with_a_leak_is_red(folder: Path) -> None:
    """A hand-written page quotes the price of a draft: exit 1; the message names file, byte and record."""
    write_project(folder, plugin={"records": "data"})
    write_records(folder / "data")
    (folder / "docs" / "prices.md").write_text(QUOTE, encoding="utf-8")

    ended = run(folder, "devportal", "build", "--no-cache", "-d", "site")

    assert ended.returncode == 1, ended.stderr
    page = (folder / "site" / "prices" / "index.html").read_bytes()
    place = page.index(b"0.03771 EUR")
    assert (
        "prices/index.html: error: the price '0.03771 EUR' of rates/gb-sms-albion@2, which is not public, "
        in ended.stderr
    )
    assert f"stands at byte {place}" in ended.stderr


@pytest.mark.deep
def test_mkdocs_build_with_a_leak_is_red_without_strict(folder: Path) -> None:
    """The error is one that no option takes away."""
    write_project(folder, plugin={"records": "data"})
    write_records(folder / "data")
    (folder / "docs" / "prices.md").write_text(QUOTE, encoding="utf-8")

    ended = run(folder, "mkdocs", "build")

    assert ended.returncode == 1
    assert "rates/gb-sms-albion@2" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_build_without_a_leak_is_green(folder: Path) -> None:
    """The same project, without the quotation."""
    write_project(folder, plugin={"records": "data"})
    write_records(folder / "data")

    built = built_project(folder / "mkdocs.yml", folder / "site")

    assert leaks_among(built.findings) == []


def test_packed_file_that_cannot_be_read_is_red(folder: Path) -> None:
    """A file of the project that is packed in an unknown way may hold anything."""
    write_project(folder, plugin={"records": "data"})
    write_records(folder / "data")
    (folder / "docs" / "prices.zst").write_bytes(b"\x28\xb5\x2f\xfd\x00")

    built = built_project(folder / "mkdocs.yml", folder / "site")

    assert leaks_among(built.findings) == [("leak-unread", "prices.zst")]


@pytest.mark.deep
def test_brochure_as_pdf_warns_and_stops_nothing(folder: Path) -> None:
    """A site with a PDF can be built, and says that nobody searched it whole."""
    write_project(folder, plugin={"records": "data"})
    write_records(folder / "data")
    (folder / "docs" / "brochure.pdf").write_bytes(b"%PDF-1.7\n<</FontFile2 9 0 R>>\n%%EOF\n")

    ended = run(folder, "mkdocs", "build")

    assert ended.returncode == 0, ended.stderr
    assert "brochure.pdf: warning: this file cannot be searched as a whole" in ended.stderr + ended.stdout


@pytest.mark.parametrize("name", [PENDING, "audit.jsonl", "roles.yaml"])
def test_pages_are_not_searched_for_records_that_were_not_read(folder: Path, name: str) -> None:
    """The one finding is the cause: that a page quotes a price is nothing to go by if none is public."""
    (folder / "prices").mkdir()
    (folder / "prices" / "index.html").write_text("United Kingdom: 0.0410 EUR", encoding="utf-8")
    write_records(folder / "data")
    (folder / "data" / name).write_bytes(b"\xff")
    inputs = Inputs(root=folder, contract=None, records=folder / "data", today=date(2026, 12, 1))

    rates = RatesSection.read(SectionContext(inputs=inputs))

    assert [finding.place.file for finding in rates.findings] == [f"data/{name}"]
    assert leaks_in(folder / "prices", LoadedInputs(sections=(rates,)), inputs) == ()
    assert find_leaks(folder / "prices", rates.catalog, rates.public, sources=()) != ()


def test_mkdocs_build_is_red_if_the_site_was_not_searched(folder: Path) -> None:
    """Nobody deploys a site of which it is not known whether something leaks."""
    project = write_project(folder, plugin={"records": "data"})
    write_records(folder / "data")
    (folder / "data" / PENDING).write_text("{}", encoding="utf-8")
    (folder / "docs" / "prices.md").write_text(QUOTE, encoding="utf-8")

    with environment(SOURCE_DATE_EPOCH=DAY), capture_mkdocs_log() as heard:
        config = load_config(str(project), site_dir=str(folder / "site"))
        plugin_of(
            config
        ).leak_search.stops_build = True  # as in a new process: MkDocs keeps the plugin of earlier tests
        config.plugins.on_startup(command="build", dirty=False)
        with pytest.raises(Abort):
            build(config)

    assert any("the site was not searched for what is not public" in error for error in heard.errors)
    assert not any("[leak]" in error for error in heard.errors)


def leaks_among(findings: Iterable[Finding]) -> list[tuple[str, str]]:
    """Return rule and file of the findings of the search."""
    return [(finding.rule, finding.place.file) for finding in findings if finding.rule.startswith("leak")]


def run(folder: Path, module: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a command in a project."""
    env = {**os.environ, "SOURCE_DATE_EPOCH": DAY, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(
        [sys.executable, "-m", module, *arguments], cwd=folder, env=env, capture_output=True, text=True,
        timeout=PATIENCE_S, check=False,
    )  # fmt: skip


@pytest.mark.deep
def test_own_site_has_no_leak(own_site: OwnSite) -> None:
    """The sample records are in every state, and none of them is where it should not be."""
    catalog = own_catalog()
    public = published(catalog.records, catalog.audit, date(2026, 12, 1))

    assert len(find_private_values(catalog.records, catalog.audit, public)) > 50
    assert find_leaks(own_site.site_dir, catalog, public, sources=sorted((ROOT / "docs").rglob("*.md"))) == ()


@pytest.mark.deep
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(catalogs())
def test_pages_of_random_records_have_no_leak(drawn: tuple[Records, AuditLog, Published]) -> None:
    """Whatever the records are, our own pages and files of what is public raise no alarm."""
    records, audit, public = drawn
    search = Search(find_private_values(records, audit, public), records, public)

    found = [leak for name, data in published_files(public) for leak in search.search_file(name, data)]

    assert found == []


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.deep) for seed in (1, 2, 3))])
def test_pages_of_many_records_have_no_leak(seed: int) -> None:
    """Prices of two digits and names of few words meet by chance everywhere: in summaries, lists, feeds."""
    records, audit, public = catalog_of(busy_rates(seed, 250))
    search = Search(find_private_values(records, audit, public), records, public)

    found = [leak for name, data in published_files(public) for leak in search.search_file(name, data)]

    assert found == []


@pytest.mark.deep
def test_site_of_many_records_has_no_leak(folder: Path) -> None:
    """The same with the files that are made of a whole site: the search index, `llms.txt`, twins."""
    write_project(folder, plugin={"records": "data"})
    write_rates(folder / "data", busy_rates(7, 250))

    with environment(SOURCE_DATE_EPOCH=DAY):
        built = built_project(folder / "mkdocs.yml", folder / "site")

    assert [str(finding) for finding in built.findings if finding.rule.startswith("leak")] == []
    assert len(list((folder / "site" / "coverage").iterdir())) > 50


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(catalogs())
def test_pages_of_everything_leak_each_private_rate(drawn: tuple[Records, AuditLog, Published]) -> None:
    """The search finds every rate that is not public in a table as a careless page would have it."""
    records, audit, public = drawn
    search = Search(find_private_values(records, audit, public), records, public)
    private = [
        rate.terms for rate in records.rates if rate.ref not in {row.terms.ref for row in public.rates}
    ]

    for terms in private:
        found = [leak for leak in search.search_file("all.csv", line_of(terms)) if isinstance(leak, Leak)]
        assert found, terms


def line_of(terms: RateTerms) -> bytes:
    """Return a rate as a line of CSV."""
    return f"{terms.id}@{terms.version},{terms.market},{terms.price:f},{terms.currency}\n".encode()


def published_files(public: Published) -> list[tuple[str, bytes]]:
    """Return the pages and files of what is public, by name."""
    made = []
    for catalog_page in catalog_pages(public, Options(site_url="https://a.example/", title="Parcels")):
        if isinstance(catalog_page, Page):
            made += [
                (catalog_page.uri.replace(".md", ".html"), catalog_page.body.encode()),
                (catalog_page.uri, catalog_page.markdown.encode()),
            ]
        else:
            made.append((catalog_page.uri, catalog_page.content))
    return made


def test_help_says_where_a_value_may_come_from(folder: Path) -> None:
    """A generated file cannot be fixed itself: the page that has the value can, else it is a chance hit."""
    write_records(folder / "data")
    (folder / "site").mkdir()
    (folder / "site" / "llms.txt").write_text(QUOTE, encoding="utf-8")
    catalog, _ = load_catalog(folder / "data", name="data")

    found = find_leaks(folder / "site", catalog, published(catalog.records, catalog.audit, date(2026, 12, 1)))

    assert [finding.place.file for finding in found] == ["llms.txt"]
    assert "chance hit: see docs/toolkit/leaks.md" in (found[0].help or "")
    assert (ROOT / "docs" / "toolkit" / "leaks.md").is_file()
