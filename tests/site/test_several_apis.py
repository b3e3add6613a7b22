"""One portal of several APIs: what each has for itself, what there is once, and nothing of one in another."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from devportal.contract import load_contract
from devportal.site.commands.build import build_project

from .building import run_command, write_report

PROJECT = Path(__file__).parent / "several_apis"
NAMES = ("orders", "stock", "carriers")


pytestmark = pytest.mark.usefixtures("day_of_tests")


def copy_project(folder: Path) -> Path:
    """Copy the example project and return its `mkdocs.yml`."""
    shutil.copytree(PROJECT, folder, dirs_exist_ok=True)
    return folder / "mkdocs.yml"


def set_contracts(config: Path, **changes: object) -> None:
    """Change settings of APIs, by their names; None removes one."""
    settings = yaml.safe_load(config.read_text(encoding="utf-8"))
    contracts = settings["plugins"][1]["devportal"]["contracts"]
    for name, members in changes.items():
        if members is None:
            del contracts[name]
        else:
            contracts[name] = {**contracts.get(name, {}), **members}  # type: ignore[dict-item]
    config.write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")


def add_report(config: Path) -> None:
    """Give the API of orders the report of a conformance run."""
    folder = config.parent
    contract = load_contract(folder / "apis" / "orders.yaml")
    write_report(folder / "runs", contract, label="GET /orders")
    set_contracts(config, orders={"results": "runs"})


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the site of the example project, with a report of one API."""
    folder = tmp_path_factory.mktemp("several")
    config = copy_project(folder / "project")
    add_report(config)
    built = build_project(config, site_dir=folder / "site")
    assert [*map(str, built.findings), *built.warnings] == []
    assert built.operations == 4
    return folder / "site"


def page(site: Path, address: str) -> str:
    """Return a page of the site."""
    return (site / address / "index.html").read_text(encoding="utf-8")


def test_all_links_of_the_site_lead_somewhere(site: Path) -> None:
    """Pages, anchors and files of all APIs are where others say."""
    checked = run_command("links", site)

    assert checked.exit_code == 0, checked.output


def test_each_api_has_its_reference_and_files_below_its_name(site: Path) -> None:
    """The same operationIds and tags are no matter; at the root there is no contract."""
    assert "Returns the orders of a shop" in page(site, "reference/orders/orders/list")
    assert "Returns what is in stock" in page(site, "reference/stock/items/list")
    assert "Sent when a grower" in page(site, "reference/carriers/events/pickup-ready")
    titles = [
        json.loads((site / "reference" / name / "openapi.json").read_text())["info"]["title"]
        for name in NAMES
    ]
    assert titles == ["Orders API", "Stock API", "Carriers"]
    assert not (site / "openapi.json").exists()
    assert all((site / "reference" / name / "postman_collection.json").is_file() for name in NAMES)


def test_pages_of_an_api_lead_to_the_others_and_stay_in_it(site: Path) -> None:
    """The left column names the API of the page; breadcrumbs lead to it and to all."""
    text = page(site, "reference/stock/items/list")

    assert '<a href="../../" aria-current="true">Stock API</a>' in text
    assert '<a href="../../../orders/">Orders API</a>' in text
    assert '<a href="../../../">APIs</a>' in text
    assert "reference/orders/orders" not in text


def test_home_has_a_card_for_each_api(site: Path) -> None:
    """What it is, its version, how stable and how large it is, and how its deployments did."""
    home, markdown = page(site, ""), (site / "index.md").read_text(encoding="utf-8")

    for words in (
        "Orders API",
        "version 1.1.0",
        "2 stable",
        "1 beta",
        "3 operations",
        "1 operation verified",
    ):
        assert words in home
    for words in ("Stock API", "1 operation", "Carrier callbacks", "1 event"):
        assert words in home
    assert "[Carrier callbacks](" in markdown
    assert home.count('class="dp-api-card"') == page(site, "reference").count('class="dp-api-card"') == 3


def test_the_twin_of_home_reads_as_text(site: Path) -> None:
    """One line for each API, with commas between what its card shows as badges."""
    lines = (site / "index.md").read_text(encoding="utf-8").splitlines()
    cards = [line.partition("): ")[2] for line in lines if line.startswith("- [")]

    assert [card.rpartition(". ")[2] for card in cards] == [
        "Version 1.1.0, 2 stable, 1 beta, 3 operations, 1 operation verified",
        "Version 2.0.0, 1 operation",
        "Version 0.3.0, 1 event",
    ]


@pytest.mark.parametrize("language", ["", "de"])
def test_texts_of_a_contract_in_another_language_are_marked(tmp_path: Path, language: str) -> None:
    """On pages of this API and on its card; the site and the pages of the others keep their language."""
    config = copy_project(tmp_path)
    if language:
        config.write_text(
            config.read_text().replace(
                "      contracts:", f"      language: {language}\n      contracts:", 1
            ),
            encoding="utf-8",
        )
    stock = tmp_path / "apis" / "stock.yaml"
    stock.write_text(stock.read_text().replace("info:", "info:\n  x-language: eo", 1), encoding="utf-8")
    built = build_project(config, site_dir=tmp_path / "site")
    texts = [
        page(tmp_path / "site", at)
        for at in ("reference/stock/items/list", "reference/orders/orders/list", "")
    ]

    assert [*map(str, built.findings), *built.warnings] == []
    assert all(f'<html lang="{language or "en"}"' in text for text in texts)
    assert ['lang="eo"' in text for text in texts] == [True, False, True]
    assert 'class="dp-api-card__summary" lang="eo"' in texts[2]
    assert texts[2].count('lang="eo"') == 1


def test_a_home_page_of_the_project_may_have_the_cards(tmp_path: Path) -> None:
    """Then there is no generated one."""
    config = copy_project(tmp_path / "project")
    (config.parent / "docs" / "index.md").write_text(
        "# Ours\n\n<!-- devportal: api-cards -->\n", encoding="utf-8"
    )
    built = build_project(config, site_dir=tmp_path / "site")

    assert [*built.findings, *built.warnings] == []
    assert "Ours" in page(tmp_path / "site", "")
    assert page(tmp_path / "site", "").count('class="dp-api-card"') == 3


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ("operations Items", "the insert 'operations' could be of any of several APIs"),
        ("nix/operations Items", "there is no API 'nix'"),
        ("stock/operations Orders", "there is no tag of operations 'Orders'"),
    ],
)
def test_an_insert_names_its_api(tmp_path: Path, mark: str, message: str) -> None:
    """One without a name, of an unknown API or of a part of another one is an error at its place."""
    config = copy_project(tmp_path)
    (tmp_path / "docs" / "guides" / "first-order.md").write_text(
        f"# One\n\n<!-- devportal: {mark} -->\n", encoding="utf-8"
    )
    checked = run_command("check", "-f", config)

    assert checked.exit_code == 1
    assert f"docs/guides/first-order.md:3:1: error: {message}" in checked.output


def test_one_index_finds_in_all_apis(site: Path) -> None:
    """It names the folders of each, by which the dialog knows which API a result is of."""
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))

    assert [item["title"] for item in index["apis"]] == ["Orders API", "Stock API", "Carrier callbacks"]
    assert index["apis"][1]["folders"][:2] == ["reference/stock/", "changelog/api/stock/"]
    found = run_command("docs", "search", "list", "--site", site, "--format", "json")
    apis = {result["api"] for result in json.loads(found.output)["results"] if result["kind"] == "operation"}
    assert {"Orders API", "Stock API"} <= apis


def test_a_search_from_the_command_line_can_be_of_one_api(site: Path) -> None:
    """Only its pages are found, and pages of schemas that it shares; an unknown name is an error with all names."""
    every, one, shared = (
        json.loads(run_command("docs", "search", *words, "--site", site, "--format", "json").output)[
            "results"
        ]
        for words in (("list",), ("list", "--api", "stock"), ("address", "--api", "stock"))
    )
    unknown = run_command("docs", "search", "list", "--api", "nix", "--site", site)

    assert {"Orders API", "Stock API"} <= {result["api"] for result in every}
    assert {result["api"] for result in one} == {"Stock API"}
    assert [result["title"] for result in shared if "/reference/schemas/" in result["url"]] == ["Address"]
    assert unknown.exit_code == 2
    assert "the site has no API 'nix'" in unknown.output
    assert "its APIs are orders, stock, carriers" in unknown.output


def test_the_catalogue_has_every_api(site: Path) -> None:
    """RFC 9727: one entry for each, with the address of its contract."""
    catalogue = json.loads((site / ".well-known" / "api-catalog").read_text(encoding="utf-8"))
    first, *others = catalogue["linkset"]

    assert len(first["item"]) == len(others) == 3
    assert [item["service-desc"][1]["href"] for item in others] == [
        f"https://developers.meadow.example/reference/{name}/openapi.json" for name in NAMES
    ]


def test_an_api_is_called_by_its_title_in_the_settings(site: Path) -> None:
    """The contract calls it "Carriers": pages, their descriptions and files for programs do not."""
    catalogue = json.loads((site / ".well-known" / "api-catalog").read_text(encoding="utf-8"))
    docs = json.loads((site / "reference/carriers/docs.json").read_text(encoding="utf-8"))
    listed = (site / "llms.txt").read_text(encoding="utf-8")

    assert catalogue["linkset"][-1]["service-doc"][0]["title"] == docs["title"] == "Carrier callbacks"
    assert "The shared schemas of Carrier callbacks." in listed
    assert "of Carriers" not in listed
    assert "(https://developers.meadow.example/reference/carriers/index.md): " in (
        site / "index.md"
    ).read_text(encoding="utf-8")


def test_one_changelog_has_the_entries_of_all_apis(site: Path) -> None:
    """Two entries of one id are two pages; readers choose an API, and subscribe to one or to all."""
    whole, one = page(site, "changelog"), page(site, "changelog/api/stock")

    for title in (
        "List the items of an order",
        "Stock names the farm",
        "Orders are confirmed within an hour",
    ):
        assert title in whole
    assert "Stock names the farm" in one
    assert "Orders are confirmed" not in one
    assert '<option value="orders" data-label="Orders API">Orders API (2)</option>' in whole
    assert "Stock names" in page(site, "changelog/api/stock/2026-10-01-stock-by-farm")
    assert "Orders are" in page(site, "changelog/api/orders/2026-10-01-stock-by-farm")
    assert "Contract of 1.0.0" in page(site, "changelog/api/orders/releases")
    assert (site / "changelog/api/orders/compare/1.0.0...1.1.0/index.html").is_file()
    feeds = [json.loads((site / at / "feed.json").read_text()) for at in ("changelog", "changelog/api/stock")]
    assert [len(feed["items"]) for feed in feeds] == [3, 1]
    assert len({item["id"] for item in feeds[0]["items"]}) == 3


def test_an_api_without_entries_can_be_subscribed_to(tmp_path: Path) -> None:
    """Its list is empty, and its feeds are there before the first entry."""
    config = copy_project(tmp_path / "project")
    (config.parent / "changelog" / "none").mkdir()
    (config.parent / "changelog" / "none" / ".gitkeep").touch()
    set_contracts(config, carriers={"changelog": "changelog/none"})
    built = build_project(config, site_dir=tmp_path / "site")

    assert [*built.findings, *built.warnings] == []
    assert "Carrier callbacks (0)" in page(tmp_path / "site", "changelog")
    assert (tmp_path / "site/changelog/api/carriers/feed.rss").is_file()


def test_operations_say_in_which_release_of_their_api_they_came(site: Path) -> None:
    """The mark leads to the entry below the name of the API."""
    text = page(site, "reference/orders/items/items")

    assert "changelog/api/orders/2026-11-02-items-of-an-order/" in text


def test_one_status_has_the_deployments_of_all_apis(site: Path) -> None:
    """The results of each API are on a page of their own, which operations lead to."""
    assert "Orders API" in page(site, "conformance/status")
    assert "Conformance status of Orders API" in page(site, "conformance/api/orders")
    assert "conformance/api/orders/#" in page(site, "reference/orders/orders/list")
    assert not (site / "conformance/api/stock").exists()


def test_a_schema_of_a_shared_file_has_one_page(site: Path) -> None:
    """It names its APIs, and their pages lead to it; schemas that only have one name each have theirs."""
    shared = page(site, "reference/schemas/address")

    assert "Shared by" in shared
    assert '<a href="../../stock/">Stock API</a>.' in shared
    assert 'href="../../../schemas/address/"' in page(site, "reference/orders/orders/create") or (
        "schemas/address/" in page(site, "reference/orders/orders/create")
    )
    assert not (site / "reference/orders/schemas/address").exists()
    assert not (site / "reference/stock/schemas/address").exists()
    assert all((site / f"reference/{name}/schemas/item/index.html").is_file() for name in NAMES)


def test_a_schema_that_an_overlay_changes_is_not_shared(tmp_path: Path) -> None:
    """What is read decides, not where it is written: each API then has its own page."""
    config = copy_project(tmp_path / "project")
    text = (config.parent / "apis" / "common.yaml").read_text(encoding="utf-8")
    (config.parent / "apis" / "other.yaml").write_text(text.replace("The town.", "A town."), encoding="utf-8")
    stock = config.parent / "apis" / "stock.yaml"
    stock.write_text(stock.read_text().replace("common.yaml", "other.yaml"), encoding="utf-8")
    build_project(config, site_dir=tmp_path / "site")

    assert not (tmp_path / "site/reference/schemas").exists()
    assert "The town." in page(tmp_path / "site", "reference/orders/schemas/address")
    assert "A town." in page(tmp_path / "site", "reference/stock/schemas/address")


def test_commands_ask_for_the_api_where_several_could_be_meant(site: Path) -> None:
    """The error names the candidates; with the name there is an answer."""
    unclear = run_command("docs", "operation", "list", "--site", site)
    clear = run_command("docs", "operation", "list", "--api", "stock", "--site", site)
    alone = run_command("docs", "operation", "create", "--site", site)

    assert unclear.exit_code == 2
    assert "several APIs have an operation 'list': orders (GET /orders), stock (GET /items)" in unclear.output
    assert "GET /items" in clear.output
    assert "POST /orders" in alone.output
    assert "several APIs have a schema 'Item'" in run_command("docs", "schema", "Item", "--site", site).output
    assert (
        "What to pick up" in run_command("docs", "schema", "Item", "--api", "carriers", "--site", site).output
    )


def test_programs_read_the_changes_of_an_api(site: Path, tmp_path: Path) -> None:
    """The list of all names that of each; a program that knows one contract only refuses it."""
    uses = tmp_path / "uses.yaml"
    uses.write_text("version: 1\nsince: 1.0.0\noperations:\n  GET /orders: {}\n", encoding="utf-8")
    lists = json.loads((site / "changelog" / "changes.json").read_text(encoding="utf-8"))

    unclear = run_command("affected", "--uses", uses, "--changes", site)
    clear = run_command("affected", "--uses", uses, "--changes", site, "--api", "orders")

    assert lists["version"] == 2
    assert [item["changes"] for item in lists["apis"]] == [
        "changelog/api/orders/changes.json",
        "changelog/api/stock/changes.json",
    ]
    assert (unclear.exit_code, "name one of orders, stock" in unclear.output) == (2, True)
    assert (clear.exit_code, "Not affected: 1 change since 1.0.0" in clear.output) == (0, True)
    changes = run_command("docs", "changes", "--site", site)
    assert "3 changes." in changes.output
    assert (
        "is the version of one API"
        in run_command("docs", "changes", "--since", "1.0.0", "--site", site).output
    )


def test_the_example_project_has_no_problems() -> None:
    """It is checked as any other."""
    checked = run_command("check", "-f", PROJECT / "mkdocs.yml")

    assert (checked.exit_code, checked.output.strip()) == (0, "No problems found.")


def test_problems_of_all_contracts_are_reported(tmp_path: Path) -> None:
    """A contract that cannot be read hides nothing of the others, and the exit code says so."""
    config = copy_project(tmp_path)
    stock, carriers = tmp_path / "apis" / "stock.yaml", tmp_path / "apis" / "carriers.yaml"
    stock.write_text(stock.read_text().replace("left: 40,", "left: many,"), encoding="utf-8")
    carriers.write_text("openapi: 3.1.0\ninfo: {title: Carriers\n", encoding="utf-8")

    checked, built = (
        run_command("check", "-f", config),
        run_command("build", "-f", config, "--no-cache", "-d", tmp_path / "out"),
    )

    assert checked.exit_code == built.exit_code == 2
    assert "apis/stock.yaml:" in checked.output
    assert "error: apis/carriers.yaml:3:1: this is not YAML" in checked.output
    assert "Check failed: 1 API could not be read, and 1 error listed above." in checked.output
    assert "apis/carriers.yaml:3:1: this is not YAML" in built.output


def test_an_edit_of_one_contract_renders_no_page_of_another(tmp_path: Path) -> None:
    """The site is the same as that of a build from nothing."""
    config = copy_project(tmp_path / "project")
    cache = tmp_path / "cache"
    first = build_project(config, site_dir=tmp_path / "site", cache=cache)
    again = build_project(config, site_dir=tmp_path / "site", cache=cache)
    stock = config.parent / "apis" / "stock.yaml"
    stock.write_text(
        stock.read_text().replace("Returns what is in stock", "Lists what is there"), encoding="utf-8"
    )
    edited = build_project(config, site_dir=tmp_path / "site", cache=cache)
    build_project(config, site_dir=tmp_path / "new")

    assert first.rendered > 20
    assert (again.rendered, edited.rendered) == (0, 3)
    files = [
        {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        for root in (tmp_path / "site", tmp_path / "new")
    ]
    assert files[0] == files[1]


def test_an_api_that_leaves_takes_its_pages_with_it(tmp_path: Path) -> None:
    """The store keeps nothing of it, and one that comes back is rendered."""
    config = copy_project(tmp_path / "project")
    cache = tmp_path / "cache"
    build_project(config, site_dir=tmp_path / "site", cache=cache)
    set_contracts(config, carriers=None)
    build_project(config, site_dir=tmp_path / "site", cache=cache)

    assert not (tmp_path / "site/reference/carriers").exists()
    set_contracts(config, carriers={"file": "apis/carriers.yaml"})
    build_project(config, site_dir=tmp_path / "site", cache=cache)
    assert (tmp_path / "site/reference/carriers/index.html").is_file()


def test_apis_of_one_title_are_told_apart(tmp_path: Path) -> None:
    """By their names; a title that is set counts."""
    config = copy_project(tmp_path / "project")
    set_contracts(config, stock={"title": "Orders API"})
    build_project(config, site_dir=tmp_path / "site")

    home = page(tmp_path / "site", "")
    assert "Orders API (orders)" in home
    assert "Orders API (stock)" in home


def test_audiences_have_a_portal_of_several_apis_each(tmp_path: Path) -> None:
    """A tag that one of the contracts has may be hidden; texts of other audiences are found in any API."""
    config = copy_project(tmp_path / "project")
    settings = yaml.safe_load(config.read_text(encoding="utf-8"))
    settings["plugins"][1]["devportal"]["audiences"] = {"public": {"hide_tags": ["Orders"]}, "partner": {}}
    config.write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")
    secret = "Counted at night by the people of the depot."
    stock = config.parent / "apis" / "stock.yaml"
    text = stock.read_text(encoding="utf-8").replace(
        "description: Returns what", f"description: {secret} Returns what"
    )
    stock.write_text(
        text.replace("tags: [Items]", "tags: [Items]\n      x-audience: partner", 1), encoding="utf-8"
    )
    (config.parent / "docs/guides/first-order.md").write_text(f"# One\n\n{secret}\n", encoding="utf-8")

    public = build_project(config, audience="public", site_dir=tmp_path / "public")
    partner = build_project(config, audience="partner", site_dir=tmp_path / "partner")

    assert "leak-audience" in {finding.rule for finding in public.findings}
    assert not partner.findings
    assert not (tmp_path / "public/reference/orders/orders").exists()
    assert (tmp_path / "partner/reference/orders/orders/index.html").is_file()


def test_a_folder_that_is_missing_is_named_with_its_setting(tmp_path: Path) -> None:
    """A check and a build say what is missing, which setting names it, and what to do."""
    config = copy_project(tmp_path)
    set_contracts(
        config,
        stock={"changelog": "changelog/none", "releases": "releases/stock"},
        carriers={"results": "runs/none"},
    )

    checked, built = (
        run_command("check", "-f", config),
        run_command("build", "-f", config, "-d", tmp_path / "site"),
    )
    released = run_command("release", "2.0.1", "-f", config, "--api", "stock")

    for output in (checked.output, built.output):
        assert (
            "changelog/none: there is no such folder, which the setting 'contracts.stock.changelog'" in output
        )
        assert "runs/none: there is no such folder, which the setting 'contracts.carriers.results'" in output
        assert "make the folder, or fix or remove the setting in mkdocs.yml" in output
    assert (checked.exit_code, built.exit_code, released.exit_code) == (2, 2, 2)
    assert "Check failed: 2 APIs could not be read." in checked.output
    assert "'contracts.stock.changelog' names" in released.output


def test_pages_of_conformance_are_there_before_the_first_run(tmp_path: Path) -> None:
    """They say that there are no results; without the setting they are not there, and the problem names it."""
    config = copy_project(tmp_path)
    config.write_text(
        config.read_text(encoding="utf-8") + "  - Conformance: conformance/index.md\n", encoding="utf-8"
    )
    without = build_project(config, site_dir=tmp_path / "without")
    (tmp_path / "runs").mkdir()
    set_contracts(config, orders={"results": "runs"})
    built = build_project(config, site_dir=tmp_path / "site")

    assert len(without.warnings) == 1
    assert "the setting 'results' makes the pages of 'conformance/'" in without.warnings[0]
    assert [*built.findings, *built.warnings] == []
    assert "No results are published yet." in page(tmp_path / "site", "conformance")
    assert "No results are published yet." in page(tmp_path / "site", "conformance/status")


def test_redirects_lead_to_pages_of_other_apis(tmp_path: Path) -> None:
    """And to those of all APIs; one that leads nowhere is an error."""
    config = copy_project(tmp_path)
    (tmp_path / "orders.redirects.yaml").write_text(
        "pages:\n"
        "  reference/orders/stock/: reference/stock/items/list/#response.200\n"
        "  reference/orders/address/: reference/schemas/address/\n"
        "  reference/orders/shared/: reference/schemas/\n"
        "  reference/orders/apis/: reference/\n"
        "  reference/orders/events/: reference/carriers/events/pickup-ready/\n"
        "  reference/orders/nothing/: reference/stock/items/nothing/\n",
        encoding="utf-8",
    )
    set_contracts(config, orders={"redirects": "orders.redirects.yaml"})

    checked = run_command("check", "-f", config)

    assert checked.exit_code == 1
    (error,) = [line for line in checked.output.splitlines() if ": error: " in line]
    assert "redirects.yaml:7:3: error: 'reference/stock/items/nothing/' is not a page of this site" in error


def test_releases_and_entries_are_of_one_api(tmp_path: Path) -> None:
    """Commands that write need its name."""
    config = copy_project(tmp_path)
    unclear, unknown = (
        run_command("changelog", "draft", "-f", config),
        run_command("changelog", "draft", "-f", config, "--api", "nix"),
    )
    nothing = run_command("changelog", "draft", "-f", config, "--api", "orders")
    without = run_command("release", "0.3.0", "-f", config, "--api", "carriers")

    assert (unclear.exit_code, "choose one with --api: orders, stock, carriers" in unclear.output) == (
        2,
        True,
    )
    assert (unknown.exit_code, "this project has no API 'nix'" in unknown.output) == (2, True)
    assert (nothing.exit_code, "nothing to write" in nothing.output) == (0, True)
    assert (without.exit_code, "set 'contracts.carriers.changelog' in mkdocs.yml" in without.output) == (
        2,
        True,
    )


def test_a_release_judges_one_api(tmp_path: Path) -> None:
    """Problems of another API, and of hand-written pages, do not prevent it; those of the API itself do."""
    config = copy_project(tmp_path)
    (tmp_path / "changelog" / "stock" / "2026-10-02-wrong.md").write_text("# Nothing\n", encoding="utf-8")
    (tmp_path / "apis" / "carriers.yaml").write_text("openapi: 3.1.0\ninfo: [\n", encoding="utf-8")
    orders = tmp_path / "apis" / "orders.yaml"
    orders.write_text(orders.read_text().replace("version: 1.1.0", "version: 1.1.1", 1), encoding="utf-8")
    set_contracts(config, stock={"releases": "releases/stock"})

    checked = run_command("check", "-f", config)
    other = run_command("release", "1.1.1", "-f", config, "--api", "orders", "--dry-run")
    itself = run_command("release", "1.0.0", "-f", config, "--api", "stock", "--dry-run")

    assert (checked.exit_code, "2026-10-02-wrong.md" in checked.output) == (2, True)
    assert other.exit_code == 0, other.output
    assert "1.1.1 would be released" in other.output
    assert (itself.exit_code, "changelog/stock/2026-10-02-wrong.md:1" in itself.output) == (1, True)


def test_known_problems_are_of_one_contract(tmp_path: Path) -> None:
    """Contracts that share a folder have a baseline each, which has the name of the API."""
    config = copy_project(tmp_path)
    for name, good, bad in (
        ("orders", "quantity: 2}", "quantity: two}"),
        ("stock", "left: 40,", "left: many,"),
    ):
        contract = tmp_path / "apis" / f"{name}.yaml"
        contract.write_text(contract.read_text().replace(good, bad), encoding="utf-8")

    before = run_command("check", "-f", config)
    written = run_command("check", "-f", config, "--update-baseline")
    after = run_command("check", "-f", config)

    assert before.exit_code == 1
    assert written.exit_code == after.exit_code == 0
    assert sorted(path.name for path in (tmp_path / "apis").glob("*baseline*")) == [
        "orders.baseline.yaml",
        "stock.baseline.yaml",
    ]


def test_what_an_api_published_stays_as_a_revision_has_it(tmp_path: Path) -> None:
    """Each API is compared with itself; one that is gone is missed."""
    config = copy_project(tmp_path)
    git = ("git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b.c")
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "Add")):
        subprocess.run([*git, *words], check=True, capture_output=True)

    same = run_command("check", "-f", config, "--since", "HEAD")
    set_contracts(config, orders=None)
    (tmp_path / "docs" / "guides" / "first-order.md").write_text("# One\n", encoding="utf-8")
    gone = run_command("check", "-f", config, "--since", "HEAD")

    assert (same.exit_code, "compared with HEAD: 2 releases, 2 changelog entries" in same.output) == (0, True)
    assert gone.exit_code == 1
    assert "HEAD" in gone.output
