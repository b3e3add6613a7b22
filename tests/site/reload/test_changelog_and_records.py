"""Edits of a served site with releases, a changelog, records and results: each shows in all that is made from it."""

import shutil
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path

import pytest
from mkdocs.exceptions import MkDocsException

from devportal.catalog.preview import Card, preview_png
from devportal.last_results import LastResults
from devportal.markup.templates import render_page
from devportal.reporting import Format
from devportal.site.commands.live_server import building
from devportal.site.project_file import plugin_of
from devportal.site.reload.background import BackgroundTask
from devportal.site.reload.last_inputs import LastInputs
from tests.catalog.own_book import replace as with_terms
from tests.changelog.history import Shelf
from tests.conformance.values import result, write_result
from tests.site.building import CONTRACT, write_contract, write_project
from tests.site.leaks.written import NEXT, PUBLIC, write_rates, write_records
from tests.site.reload.test_served_site import (
    ADDRESS,
    EDITS,
    ENTRY,
    Edit,
    contract_with,
    day,
    deep_unless,
    in_one_save,
    operation_of,
    reload_after,
    remove,
    replace,
    write,
    write_to,
)

__all__ = ["day"]
"""Tests of one day."""

FIRST = "changelog/2026-06-15-parcels.md"
SECOND = "changelog/2026-07-01-crates.md"
THIRD = "changelog/2026-08-01-boxes.md"
RELEASED = ENTRY.replace("audience: [rest]\n", 'audience: [rest]\nspec_from: "1.0.0"\nspec_to: "2.0.0"\n')
OTHER = with_terms(PUBLIC, id="gb-sms", price=Decimal("0.0520"), network=None)
ELSEWHERE = with_terms(PUBLIC, id="se-sms", country="SE", network=None)
DRAFT = with_terms(NEXT, id="gb-sms-wessex", version=1)


def entry(name: str, title: str, *, of: str = ENTRY, impact: str = "additive") -> str:
    """Return the text of an entry."""
    told = of.replace("id: 2026-06-15-parcels", f"id: {name}").replace(
        "date: 2026-06-15", f"date: {name[:10]}"
    )
    return told.replace("title: Find a parcel", f"title: {title}").replace(
        "impact: additive", f"impact: {impact}"
    )


def records(*rates: tuple[object, bool, str]) -> Edit:
    """Return an edit that has these records and no others, each with whether it is public, and its note."""

    def edit(folder: Path) -> None:
        shutil.rmtree(folder / "data", ignore_errors=True)
        write_rates(folder / "data", rates)  # type: ignore[arg-type]

    return edit


PUBLISHED = records((PUBLIC, True, ""), (OTHER, True, ""))
UNPUBLISHED = records((PUBLIC, True, ""), (OTHER, False, ""))
DRAFTED = records((PUBLIC, True, ""), (DRAFT, False, ""))
CHEAPER = records((PUBLIC, True, ""), (with_terms(DRAFT, price=Decimal("0.0777")), False, ""))

ABROAD = records((PUBLIC, True, ""), (OTHER, True, ""), (ELSEWHERE, True, ""))


def write_report(name: str, seconds: float) -> Edit:
    """Return an edit that writes the report of a conformance run."""

    def edit(folder: Path) -> None:
        text = write_result(result(), Format.JSON)
        write(folder / "results" / name, text.replace('"duration_s": 1.5', f'"duration_s": {seconds}'))

    return edit


def project_in(folder: Path) -> Path:
    """Write a project with all kinds of inputs; return its `mkdocs.yml`."""
    folders = {"changelog": "changelog", "releases": "releases", "records": "data", "results": "results"}
    config = write_project(folder, plugin=folders, site_url="https://parcels.example/")
    Shelf(
        folder,
        *({**CONTRACT, "info": {"title": "Parcels", "version": number}} for number in ("1.0.0", "2.0.0")),
    )
    write_contract(folder / "openapi.yaml", {**CONTRACT, "info": {"title": "Parcels", "version": "3.0.0"}})
    write(folder / "docs" / "one.md", "# One\n\nText of one.\n\n<!-- devportal: published-prices -->\n")
    write(folder / FIRST, ENTRY)
    write(folder / SECOND, entry("2026-07-01-crates", "Find a crate", of=RELEASED))
    write(folder / THIRD, entry("2026-08-01-boxes", "Find no box", impact="breaking"))
    records((PUBLIC, True, ""), (NEXT, False, "Not yet"))(folder)
    write_report("first.json", 1.5)(folder)
    return config


NEW_ENTRY = write_to("changelog/2026-09-01-bags.md", entry("2026-09-01-bags", "Find a bag", impact="risky"))
SERIES: Mapping[str, tuple[Edit, ...]] = {
    "text of an entry": (
        replace(FIRST, "Parcels can", "Crates can"),
        replace(FIRST, "Crates can", "Boxes can"),
    ),
    "title of an entry": (replace(SECOND, "Find a crate", "Look for a crate"),),
    "day of an entry": (replace(THIRD, "\ndate: 2026-08-01", "\ndate: 2026-06-01"),),
    "impact of an entry": (replace(THIRD, "impact: breaking", "impact: risky"),),
    "release of an entry": (replace(SECOND, 'spec_to: "2.0.0"\n', ""),),
    "new entry": (NEW_ENTRY, replace(FIRST, "Parcels can", "Crates can")),
    "entry that comes and goes": (NEW_ENTRY, remove("changelog/2026-09-01-bags.md"), NEW_ENTRY),
    "removed entry": (remove(SECOND),),
    "all entries removed": (in_one_save(remove(FIRST), remove(SECOND), remove(THIRD)), NEW_ENTRY),
    "description": (
        contract_with(lambda document: operation_of(document).update(description="It is found.")),
        contract_with(lambda document: operation_of(document).update(description="It is found soon.")),
    ),
    "operation": (EDITS["operation"], contract_with(lambda document: document["paths"].pop("/crates/{id}"))),
    "title of the contract": (contract_with(lambda document: document["info"].update(title="Crates")),),
    "description and entry": (
        in_one_save(
            contract_with(lambda document: operation_of(document).update(description="It is found.")),
            replace(FIRST, "Parcels can", "Crates can"),
        ),
    ),
    "policy of comparisons": (
        write_to("openapi-diff.yaml", "acknowledged: []\n"),
        EDITS["operation"],
    ),
    "record added": (records((PUBLIC, True, ""), (OTHER, True, ""), (NEXT, False, "Not yet")),),
    "record published": (UNPUBLISHED, PUBLISHED),
    "record unpublished": (PUBLISHED, UNPUBLISHED),
    "no record published": (records((PUBLIC, False, "")), records((PUBLIC, True, ""))),
    "price of a draft": (DRAFTED, CHEAPER),
    "digits of a price": (
        records((PUBLIC, True, "")),
        records((with_terms(PUBLIC, price=Decimal("0.041000")), True, "")),
    ),
    "record of another market": (ABROAD, PUBLISHED, ABROAD),
    "title in the rate book": (ABROAD, replace("data/book.yaml", "title: Direction", "title: Way")),
    "report": (
        write_report("second.json", 2.5),
        write_report("first.json", 3.5),
        remove("results/first.json"),
    ),
}


FAST = frozenset(
    {
        "new entry",
        "description and entry",
        "record published",
    }
)
"""The series that are tried each time: one of each kind."""


@pytest.mark.parametrize("edits", deep_unless(FAST, SERIES))
def test_a_served_site_is_what_a_new_one_would_be(edits: tuple[Edit, ...], tmp_path: Path) -> None:
    """Each file is, byte for byte, after all the edits and after one more of a page."""
    made = reload_after(project_in(tmp_path), *edits, replace("docs/one.md", "Text of one", "Another text"))

    assert made.differences == []


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (
            "changelog/orders/2026-11-02-items-of-an-order.md",
            "\n## What changed\n\n",
            "\n## What changed\n\nNow: ",
        ),
        pytest.param("apis/stock.yaml", "description: ", "description: Now ", marks=pytest.mark.deep),
        pytest.param("docs/guides/first-order.md", "# ", "# New ", marks=pytest.mark.deep),
    ],
)
def test_several_apis_are_served_as_they_are_built(name: str, old: str, new: str, tmp_path: Path) -> None:
    """An edit of one of them shows wherever there is something of all."""
    project = tmp_path / "project"
    shutil.copytree(Path(__file__).parents[1] / "several_apis", project)
    edit = replace(name, old, new)

    assert reload_after(project / "mkdocs.yml", edit, edit).differences == []


@pytest.mark.parametrize(
    "plugin",
    [
        {"changelog": "changelog", "feed": False},
        pytest.param({"changelog": "changelog", "language": "de"}, marks=pytest.mark.deep),
        pytest.param(
            {"changelog": "changelog", "audiences": {"all": {}, "some": {}}}, marks=pytest.mark.deep
        ),
    ],
    ids=str,
)
def test_other_changelogs_are_served_as_they_are_built(plugin: dict[str, object], tmp_path: Path) -> None:
    """Those without releases or feeds, in another language, and for an audience."""
    config = write_project(tmp_path, plugin=plugin, site_url="https://parcels.example/")
    write(tmp_path / FIRST, ENTRY)
    write(tmp_path / THIRD, entry("2026-08-01-boxes", "Find no box", impact="breaking"))

    made = reload_after(config, SERIES["text of an entry"][0], NEW_ENTRY, SERIES["impact of an entry"][0])

    assert made.differences == []


def test_pages_that_do_not_show_an_entry_are_not_rendered_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own page and lists are; comparisons and the pages of other entries are not, unless they name its title."""
    config = project_in(tmp_path)
    rendered: list[str] = []

    def render(templates: object, name: str, uri: str, values: dict[str, object]) -> tuple[str, str]:
        rendered.append(uri)
        return render_page(templates, name, uri, values)  # type: ignore[arg-type]

    monkeypatch.setattr("devportal.changelog.pages.rendering.render_page", render)
    with building(config, tmp_path / "served", address=ADDRESS) as builder:
        builder()
        everything = set(rendered)
        rendered.clear()
        replace(FIRST, "Parcels can", "Crates can")(tmp_path)
        builder()
        after_text = set(rendered)
        rendered.clear()
        replace(FIRST, "title: Find a parcel", "title: Look for a parcel")(tmp_path)
        builder()

    assert FIRST in after_text and {SECOND, "changelog/compare/index.md"} <= everything - after_text  # noqa: PT018
    assert SECOND in rendered


def test_pages_of_markets_that_do_not_show_a_record_are_not_rendered_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page of its market and those of all rates are; the pages and images of other markets are not."""
    config = write_project(tmp_path, plugin={"records": "data"})
    rendered: list[str] = []

    def render(templates: object, name: str, uri: str, values: dict[str, object]) -> tuple[str, str]:
        rendered.append(uri)
        return render_page(templates, name, uri, values)  # type: ignore[arg-type]

    def draw(card: Card) -> bytes:
        rendered.append(card.title)
        return preview_png(card)

    for module in ("countries", "coverage", "rates", "rates_product"):
        monkeypatch.setattr(f"devportal.catalog.pages.{module}.render_page", render)
    monkeypatch.setattr("devportal.catalog.preview.preview_png", draw)
    ABROAD(tmp_path)
    with building(config, tmp_path / "served", address=ADDRESS) as builder:
        builder()
        everything = set(rendered)
        rendered.clear()
        records((PUBLIC, True, ""), (OTHER, False, ""), (ELSEWHERE, True, ""))(tmp_path)
        builder()

    assert {"coverage/gb/index.md", "rates/index.md", "rates/sms/index.md"} <= {*rendered}
    assert everything - {*rendered} == {"coverage/se/index.md", "Sweden", "Coverage"}


def test_sections_are_read_again_if_their_files_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of which no file has changed are as they were read."""
    config = project_in(tmp_path)
    read: list[str] = []
    section = LastInputs.section

    def note(last: LastInputs, section_class: type, context: object, reads: Callable[..., object]) -> object:
        def reading(given: object) -> object:
            read.append(section_class.__name__)
            return reads(given)

        return section(last, section_class, context, reading)  # type: ignore[arg-type]

    monkeypatch.setattr(LastInputs, "section", note)
    with building(config, tmp_path / "served", address=ADDRESS) as builder:
        builder()
        by_edit = []
        for edit in (
            replace(FIRST, "Parcels can", "Crates can"),
            records((PUBLIC, True, ""), (OTHER, True, "")),
            write_report("first.json", 9.5),
        ):
            read.clear()
            edit(tmp_path)
            builder()
            by_edit.append([*read])

    assert by_edit == [["ChangelogSection"], ["RatesSection"], ["ConformanceSection"]]


def test_a_leak_is_found_after_the_edit_is_shown(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The search follows the build; who asks for its findings, and the next build, wait for it."""
    config = project_in(tmp_path)
    with building(config, tmp_path / "served", address=ADDRESS) as builder:
        builder()
        replace("docs/one.md", "Text of one", "In the United Kingdom it will be 0.03771 EUR for a segment")(
            tmp_path
        )
        builder()
        leaks = [each for each in plugin_of(builder.first_config).findings if each.rule == "leak"]

    assert "one/index.html" in {leak.place.file for leak in leaks}
    assert any("0.03771" in record.getMessage() for record in caplog.records)


def test_a_leak_fails_a_strict_build(tmp_path: Path) -> None:
    """There the search comes first: a page with a leak is not shown as if all were well."""
    config = write_project(tmp_path, plugin={"records": "data"}, strict=True)
    write_records(tmp_path / "data")
    leak = replace(
        "docs/index.md", "# Welcome", "# In the United Kingdom it will be 0.03771 EUR for a segment"
    )
    with building(config, tmp_path / "served", address=ADDRESS) as builder:
        builder()
        leak(tmp_path)

        with pytest.raises(MkDocsException):
            builder()


def test_a_task_runs_beside_the_server_and_its_error_is_raised_once() -> None:
    """Who waits for it gets the error, and need not wait for the pause before it."""
    done: list[str] = []
    task = BackgroundTask()

    task.start(lambda: done.append("first"))
    task.start(lambda: 1 / 0)

    assert done == ["first"]
    with pytest.raises(ZeroDivisionError):
        task.wait()
    task.wait()


def test_results_are_made_again_from_other_causes_only() -> None:
    """What nobody asks for between two beginnings is forgotten."""
    last, made = LastResults(), list[tuple[str, int]]()

    def ask(name: str, causes: int) -> tuple[str, int]:
        def make() -> tuple[str, int]:
            made.append((name, causes))
            return name, causes

        return last.result(name, causes, make)

    assert ask("a", 1) == ask("a", 1) == ("a", 1)
    last.begin()
    assert ask("a", 1) == ("a", 1)
    assert ask("b", 1) == ("b", 1)
    last.begin()
    assert ask("b", 2) == ("b", 2)
    last.begin()
    assert ask("a", 1) == ("a", 1)
    assert (last.has("a", 1), last.has("a", 2), last.has("b", 2)) == (True, False, True)
    assert made == [("a", 1), ("b", 1), ("b", 2), ("a", 1)]
    last.forget()
    assert not last.has("a", 1)
