"""The file of redirects: found beside the contract, checked against the pages, published with the site."""

import json
from html import unescape
from pathlib import Path

import pytest

from devportal.findings import Finding, Level, has_errors
from devportal.project.inputs import redirects_beside
from devportal.site.cache.last_build import ContractBuild
from devportal.site.commands.build import BuildResult, build_contract, build_project
from devportal.site.commands.check import check_contract_file, check_project
from tests.own_site import OwnSite
from tests.site.building import ROOT, write_contract, write_project

MOVED = "operations: {findParcel: getParcel}\n"


def messages(findings: tuple[Finding, ...]) -> list[str]:
    """Return rule, line and message of those findings that are about redirects."""
    return [
        f"{finding.place.line} {finding.rule}: {finding.message}"
        for finding in findings
        if finding.rule.startswith("redirect")
    ]


def build_with_redirects(folder: Path, text: str) -> BuildResult:
    """Build the site of a contract with a file of redirects beside it."""
    (folder / "redirects.yaml").write_text(text, encoding="utf-8")
    return build_contract(
        ContractBuild(contract=write_contract(folder / "contract.yaml"), site_dir=folder / "site")
    )


def test_file_beside_the_contract_is_taken(folder: Path) -> None:
    """Its pages lead on, and its anchors are in the table that the script reads."""
    site = build_with_redirects(folder, MOVED).site_dir

    page = (site / "reference/parcels/find-parcel/index.html").read_text(encoding="utf-8")
    table = json.loads((site / "assets/devportal/redirects.json").read_text(encoding="utf-8"))
    assert 'url=../../../reference/parcels/get-parcel/"' in page
    assert table == {"reference/parcels/get-parcel/#findParcel": "reference/parcels/get-parcel/"}


def test_pages_below_a_page_that_has_moved_lead_on(folder: Path) -> None:
    """Of an operation and of a schema whose fields are too many for one page."""
    large = {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(600)}}
    schema = {"type": "object", "properties": {"settings": large}}
    content = {"application/json": {"schema": schema}}
    send = {"operationId": "send", "tags": ["New"], "responses": {}, "requestBody": {"content": content}}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Large", "version": "1"},
        "paths": {"/a": {"post": send}},
        "components": {"schemas": {"Large": schema}},
    }
    (folder / "redirects.yaml").write_text(
        "tags: {Old: New}\npages: {reference/schemas/big/: reference/schemas/large/}\n", encoding="utf-8"
    )

    made = build_contract(
        ContractBuild(contract=write_contract(folder / "contract.yaml", document), site_dir=folder / "site")
    )

    for old, new in (("old/send", "new/send"), ("schemas/big", "schemas/large")):
        was, there = made.site_dir / "reference" / old, made.site_dir / "reference" / new
        parts = sorted(page.relative_to(there) for page in there.rglob("index.html"))
        assert len(parts) > 2
        assert sorted(page.relative_to(was) for page in was.rglob("index.html")) == parts
        assert f'/{new}/{parts[0].parent}/"' in (was / parts[0]).read_text(encoding="utf-8")
    assert messages(made.findings) == []


@pytest.mark.parametrize("others", [0, 4, 5])
def test_redirects_lead_to_the_parts_that_the_site_has(folder: Path, others: int) -> None:
    """A large page is divided as it is built, with all that stands on it beside its fields."""
    large = {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(600)}}
    content = {"application/json": {"schema": {"type": "object", "properties": {"settings": large}}}}
    send = {"operationId": "send", "tags": ["New"], "responses": {}, "requestBody": {"content": content}}
    reads = {
        f"/b{number}": {"get": {"operationId": f"b{number}", "tags": ["New"], "responses": {}}}
        for number in range(others)
    }
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Large", "version": "1"},
        "paths": {"/a": {"post": send}, **reads},
    }
    (folder / "redirects.yaml").write_text("tags: {Old: New}\n", encoding="utf-8")

    made = build_contract(
        ContractBuild(contract=write_contract(folder / "contract.yaml", document), site_dir=folder / "site")
    )

    was, there = (made.site_dir / "reference" / item for item in ("old/send", "new/send"))
    parts = sorted(page.relative_to(there) for page in there.rglob("index.html"))
    assert len(parts) > 2
    assert sorted(page.relative_to(was) for page in was.rglob("index.html")) == parts


def test_redirects_are_no_pages_of_the_site(folder: Path) -> None:
    """Neither the sitemap nor search knows of old addresses."""
    config = write_project(folder, site_url="https://parcels.example/")
    (folder / "redirects.yaml").write_text(MOVED, encoding="utf-8")
    site = build_project(config, site_dir=folder / "site").site_dir

    for file in ("sitemap.xml", "search/search_index.json"):
        assert "find-parcel" not in (site / file).read_text(encoding="utf-8")


def test_folders_without_page_lead_home(folder: Path) -> None:
    """Around a contract the overview is the home page, and `reference/` leads there."""
    site = build_with_redirects(folder, "").site_dir

    assert 'href="../"' in (site / "reference/index.html").read_text(encoding="utf-8")


def test_build_tells_what_is_wrong(folder: Path) -> None:
    """A row that leads nowhere is among the findings of a build, with its place."""
    found = build_with_redirects(folder, "\noperations: {findParcel: getParcels}\n").findings

    assert messages(found) == ["2 redirect-target: the contract has no operation 'getParcels'"]


def test_a_target_that_no_file_can_have_is_a_missing_page(folder: Path) -> None:
    """Its name is longer than a file system takes: this site does not have it."""
    found = build_with_redirects(folder, f"\npages: {{old/: {'x' * 300}/}}\n").findings

    (message,) = messages(found)
    assert message.startswith("2 redirect-elsewhere: this site does not have the page")


def test_row_that_names_a_file_stops_nothing(folder: Path) -> None:
    """What the site publishes itself stays, and the row is told."""
    text = (
        "pages:\n  openapi.json: index.md\n  llms.txt: index.md\n  a.html: index.md\n  a.html/b/: index.md\n"
    )

    made = build_with_redirects(folder, text)

    assert [message.partition(" is a file")[0] for message in messages(made.findings)] == [
        "2 redirect-source: 'openapi.json'",
        "3 redirect-source: 'llms.txt'",
        "5 redirect-source: 'a.html'",
    ]
    assert (made.site_dir / "openapi.json").is_file()
    assert (made.site_dir / "a.html").is_file()


@pytest.mark.parametrize(
    "name",
    [
        "assets/devportal/matching.js",
        "assets/images/favicon.png",
        "search/search_index.json",
        "sitemap.xml.gz",
    ],
)
def test_no_page_can_be_where_a_file_of_the_theme_is(name: str, folder: Path) -> None:
    """A check says so, and the build goes on without the row."""
    text = f"pages: {{{name}/: reference/parcels/, {name}/old/: reference/parcels/}}\n"
    config = write_project(folder)
    (folder / "redirects.yaml").write_text(text, encoding="utf-8")

    found = check_project(config).all_findings()
    made = build_project(config, site_dir=folder / "site")

    assert messages(found) == messages(made.findings)
    assert messages(found) == [
        f"1 redirect-source: '{name}' is a file of this site, so no page can be at '{name}/'",
        f"1 redirect-source: '{name}' is a file of this site, so no page can be at '{name}/old/'",
    ]


def test_a_contract_is_not_its_own_redirects(folder: Path) -> None:
    """Also where it is called like them."""
    contract = write_contract(folder / "redirects.yaml")

    assert redirects_beside(contract) is None
    assert messages(check_contract_file(contract).all_findings()) == []


def test_check_of_a_contract_tells_what_is_wrong(folder: Path) -> None:
    """So does a check, where nothing is built."""
    (folder / "redirects.yaml").write_text("pages: {reference/parcels/: index.md}\n", encoding="utf-8")
    contract = write_contract(folder / "contract.yaml")

    found = check_contract_file(contract).all_findings()

    assert messages(found) == ["1 redirect-source: 'reference/parcels/' is a page of this site"]


def test_row_for_the_site_of_a_project_stops_no_site_of_the_contract_alone(folder: Path) -> None:
    """Who has guides keeps their old addresses in the same file: a row with a page that only the project has
    is noted and left out, and the row beside it is published.
    """
    text = "pages:\n  a/: guides/start/\n  guides/b/#x: reference/parcels/\n  c/: reference/parcels/\n"

    made = build_with_redirects(folder, text)

    told = [finding for finding in made.findings if finding.rule.startswith("redirect")]
    assert [(finding.place.line, finding.rule, finding.level) for finding in told] == [
        (2, "redirect-elsewhere", Level.NOTE),
        (3, "redirect-elsewhere", Level.NOTE),
    ]
    assert tuple(told) == check_contract_file(folder / "contract.yaml").all_findings()
    assert not (made.site_dir / "a").exists()
    assert (made.site_dir / "c" / "index.html").is_file()


def test_wrong_row_for_the_reference_fails_on_a_site_of_the_contract_alone(folder: Path) -> None:
    """What every site of the contract has can be judged on each."""
    made = build_with_redirects(folder, "pages: {a/: reference/parcel/, reference/parcels/: reference/}\n")

    assert messages(made.findings) == [
        "1 redirect-target: 'reference/parcel/' is not a page of this site",
        "1 redirect-source: 'reference/parcels/' is a page of this site",
    ]
    assert has_errors(made.findings)


def test_wrong_row_fails_in_a_project(folder: Path) -> None:
    """Its site is the one that the rows are for, so a page that it does not have is nowhere."""
    config = write_project(folder)
    (folder / "redirects.yaml").write_text("pages: {a/: guides/start/, guides/b/#x: /}\n", encoding="utf-8")

    found = check_project(config).all_findings()

    assert messages(found) == [
        "1 redirect-target: 'guides/start/' is not a page of this site",
        "1 redirect-source: nothing is at 'guides/b/' any more, so nobody is led on from 'guides/b/#x'",
    ]
    assert has_errors(found)


def test_anchor_of_a_folder_without_page_leads_on(folder: Path) -> None:
    """Around a contract alone the overview is the home page; what led away from the overview of a project, or
    to it, does so from and by way of the page at `reference/`.
    """
    made = build_with_redirects(
        folder, "pages: {reference/#old: reference/parcels/, a/: reference/#group.Parcels}\n"
    )

    moved = (made.site_dir / "reference" / "index.html").read_text(encoding="utf-8")
    assert messages(made.findings) == []
    assert unescape(moved).count('{"old": "../reference/parcels/"}') == 1
    assert 'url=../#group.Parcels"' in (made.site_dir / "a" / "index.html").read_text(encoding="utf-8")


def test_check_of_a_project_knows_pages_written_by_hand(folder: Path) -> None:
    """A row may lead to a page or file in `docs`; the setting names another file than the usual one."""
    config = write_project(folder, plugin={"redirects": "moved.yaml"})
    (folder / "docs" / "guides").mkdir()
    (folder / "docs" / "guides" / "start.md").write_text("# Start\n", encoding="utf-8")
    (folder / "docs" / "terms.html").write_text("Terms", encoding="utf-8")
    (folder / "moved.yaml").write_text(
        "pages:\n  a: guides/start/\n  b: terms.html\n  c: /\n  d: guides/\n", encoding="utf-8"
    )

    found = check_project(config).all_findings()

    assert messages(found) == ["5 redirect-target: 'guides/' is not a page of this site"]


@pytest.mark.parametrize("text", ["pages: [", "pages: {a: b, a: c}"])
def test_file_that_does_not_parse_is_a_finding(folder: Path, text: str) -> None:
    """The site is built all the same."""
    result = build_with_redirects(folder, text)

    (finding,) = [finding for finding in result.findings if finding.rule == "redirect-unreadable"]
    assert finding.place.line > 0
    assert (result.site_dir / "index.html").is_file()


@pytest.mark.deep
def test_redirects_of_this_project_lead_on(own_site: OwnSite, folder: Path) -> None:
    """Every row of this project's own file leads to a place that is there, as its build says; a check and a
    build of the contract alone say so of the rows about the reference, and leave out those about guides.
    """
    contract = ROOT / "openapi" / "openapi.yaml"
    path = redirects_beside(contract)
    assert path is not None

    found = check_contract_file(contract).all_findings()
    alone = build_contract(ContractBuild(contract=contract, site_dir=folder / "site")).findings

    assert own_site.complaints == ()
    assert messages(found) == messages(alone)
    assert {finding.rule for finding in alone} == {"redirect-elsewhere"}
    assert not [finding for finding in alone if "'reference/" in finding.message]


def test_changed_redirects_change_the_site(folder: Path) -> None:
    """A build that follows another takes away what no row asks for any more."""
    config, site, cache = write_project(folder), folder / "site", folder / "cache"
    redirects = folder / "redirects.yaml"
    redirects.write_text(MOVED, encoding="utf-8")
    build_project(config, site_dir=site, cache=cache)
    there = (site / "reference/parcels/find-parcel/index.html").is_file()

    redirects.unlink()
    build_project(config, site_dir=site, cache=cache)

    assert there
    assert not (site / "reference/parcels/find-parcel/index.html").exists()


def test_one_row_moves_all_anchors_that_begin_alike(folder: Path) -> None:
    """The table has it as it is written; one that leads to its own page would lead nowhere."""
    page, text = "reference/parcels/get-parcel/", "pages:\n"
    moved = build_with_redirects(folder, f"{text}  '{page}#old-*': reference/\n")

    table = json.loads((moved.site_dir / "assets/devportal/redirects.json").read_text(encoding="utf-8"))
    circle = build_with_redirects(folder, f"{text}  '{page}#old-*': {page}\n")

    assert table == {f"{page}#old-*": ""}
    assert messages(moved.findings) == []
    assert messages(circle.findings) == [f"2 redirect-loop: '{page}#old-*' leads to itself"]
