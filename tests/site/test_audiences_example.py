"""The example of audiences, overlays and a language: built, searched, compared, mocked and tested as users do it.

The manual's page on audiences quotes its settings.
"""

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

from devportal.documents import to_yaml
from devportal.site.commands.build import build_audiences
from tests.conformance.running import describe_result
from tests.conformance.running import run as run_conformance
from tests.mock.contracts import TOKEN
from tests.mock.serving import listening_mock

from .building import ROOT, run_command

EXAMPLE = Path(__file__).parent / "several_audiences"
PAGE = (ROOT / "docs" / "toolkit" / "audiences.md").read_text(encoding="utf-8")
FOR_WARDENS = (
    "/settlements",
    "listSettlements",
    "getSettlement",
    "Settlement",
    "wardenId",
    "wardenShare",
    "31.45",
    "reserveBeds",
    "Beds that are held back for people in need",
    "See what a hut is paid",
)
"""What is for wardens and the staff: of a path, an operation, a schema, a parameter, properties, an example, a
description and an entry of the changelog.
"""
OF_FORECASTS = ("/forecast", "forecastOccupancy", "NightForecast", "occupancyShare", "how-full")
OF_WARDENS_OVERLAY = ("https://accounts.larch-huts.example", "Lärchenhütten")


pytestmark = pytest.mark.usefixtures("day_of_tests")


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the three sites, which are built without a problem."""
    folder = tmp_path_factory.mktemp("huts")
    shutil.copytree(EXAMPLE, folder / "project")
    built = build_audiences(folder / "project" / "mkdocs.yml", site_dir=folder / "sites")
    assert [str(finding) for build_result in built for finding in build_result.findings] == []
    assert [warning for build_result in built for warning in build_result.warnings] == []
    assert [build_result.site_dir.name for build_result in built] == ["public", "wardens", "staff"]
    return folder / "sites"


def all_text(site: Path) -> str:
    """Return all that a site has, with the names of its files."""
    files = sorted(path for path in site.rglob("*") if path.is_file())
    return "\n".join(f"{file}\n{file.read_bytes().decode('utf-8', 'replace')}" for file in files)


def test_the_project_has_no_problems() -> None:
    """For none of its audiences."""
    checked = run_command("check", "-f", EXAMPLE / "mkdocs.yml")

    assert (checked.exit_code, checked.output.strip()) == (0, "No problems found.")


@pytest.mark.parametrize(
    ("audience", "present", "absent"),
    [
        ("public", (), (*FOR_WARDENS, *OF_FORECASTS, *OF_WARDENS_OVERLAY)),
        ("wardens", (*FOR_WARDENS[:8], OF_FORECASTS[1], *OF_WARDENS_OVERLAY), ("how-full",)),
        ("staff", (*FOR_WARDENS, *OF_FORECASTS), OF_WARDENS_OVERLAY),
    ],
)
def test_each_site_has_what_is_for_its_readers(
    sites: Path, audience: str, present: tuple[str, ...], absent: tuple[str, ...]
) -> None:
    """By a search of all bytes, which knows nothing of the toolkit's own."""
    text = all_text(sites / audience)

    assert [other_text for other_text in present if other_text not in text] == []
    assert [other_text for other_text in absent if other_text in text] == []
    assert run_command("links", sites / audience).exit_code == 0


def test_a_secret_in_a_guide_fails_the_build(tmp_path: Path) -> None:
    """Of the site that must not have it."""
    config = Path(shutil.copytree(EXAMPLE, tmp_path / "project"), "mkdocs.yml")
    with (config.parent / "docs" / "index.md").open("a", encoding="utf-8") as page:
        page.write("\nUse `wardenShare`, and see /settlements/{settlement_id}.\n")

    built = run_command("build", "-f", config, "--audience", "public", "-d", tmp_path / "site", "--no-cache")

    assert built.exit_code == 1
    assert "'wardenShare' is on the site of 'public'" in built.output
    assert "the path '/settlements/{settlement_id}' is on the site of 'public'" in built.output


def test_the_site_of_the_wardens_is_german(sites: Path) -> None:
    """Its pages, its frame, the words of the toolkit and the texts of the contract."""
    home = (sites / "wardens/index.html").read_text(encoding="utf-8")
    operation = (sites / "wardens/reference/huts/list-huts/index.html").read_text(encoding="utf-8")
    contract = json.loads((sites / "wardens/openapi.json").read_text(encoding="utf-8"))

    assert '<html lang="de"' in home
    assert all(
        item in home for item in ("Lärchenhütten für Hüttenwirte", "Anleitungen", "Änderungen", "Suche")
    )
    assert "Find a free bed" not in home
    assert "Query-Parameter" in operation
    assert "Nur Hütten dieser Gegend." in operation
    texts = re.findall(r"description: '?(.+)", to_yaml(contract))
    published = (sites / "public/openapi.yaml").read_text(encoding="utf-8")
    assert [text for text in texts if f"description: {text}\n" in published] == [
        "Sandbox"  # a word of German too
    ]


def test_the_changelog_is_that_of_the_audience(sites: Path) -> None:
    """Entries, comparisons and the changes for programs; an audience with overlays has the entries alone."""
    changes = {
        item: json.loads((sites / item / "changelog/changes.json").read_text(encoding="utf-8"))
        for item in ("public", "wardens", "staff")
    }
    entries = {name: sorted(entry[11:] for entry in change["entries"]) for name, change in changes.items()}
    comparison = "changelog/compare/1.0.0...1.1.0/index.html"

    assert entries == {
        "public": ["huts-of-a-region"],
        "wardens": ["huts-of-a-region", "nights-of-a-hut", "settlements"],
        "staff": ["huts-of-a-region", "nights-of-a-hut", "settlements"],
    }
    assert "region" in (sites / "public" / comparison).read_text(encoding="utf-8")
    assert "/settlements" in (sites / "staff" / comparison).read_text(encoding="utf-8")
    assert not (sites / "wardens" / comparison).exists()


def test_overlays_choose_the_servers(sites: Path) -> None:
    """The contract names a mock on the developer's computer; no site does."""
    servers = {
        item: [server["url"] for server in json.loads((sites / item / "openapi.json").read_text())["servers"]]
        for item in ("public", "wardens", "staff")
    }
    published = ["https://api.larch-huts.example/v1", "https://sandbox.larch-huts.example/v1"]

    assert servers == dict.fromkeys(("public", "wardens", "staff"), published)


@pytest.mark.deep
@pytest.mark.conformance
@pytest.mark.parametrize("audience", ["public", "wardens", "staff"])
def test_a_mock_of_each_contract_conforms(sites: Path, audience: str) -> None:
    """The contract that a site publishes is mocked, and tested as a deployment is."""
    contract = sites / audience / "openapi.json"
    with listening_mock(contract) as url:
        result = run_conformance(url, contract=contract, token=TOKEN)

    assert result.is_clean, describe_result(result)
    assert not {"created-things", "actions", "filters", "pagination"} & {
        gap.check for gap in result.gaps if not gap.operation
    }


def test_the_manual_quotes_the_settings() -> None:
    """The block of the page is what is in the file of the example."""
    quoted = re.search(r'```yaml title="mkdocs.yml"\n(.*?)```', PAGE, re.DOTALL)
    assert quoted is not None
    settings = yaml.safe_load((EXAMPLE / "mkdocs.yml").read_text(encoding="utf-8"))

    assert yaml.safe_load(quoted[1])["plugins"] == settings["plugins"]
