"""The example whose contract is Swagger 2.0: built, compared, mocked and tested as users do it.

The manual's page on contracts quotes it.
"""

import json
import shutil
from html import unescape
from pathlib import Path

import pytest

from devportal.site.commands.build import build_project
from tests.conformance.running import describe_result
from tests.conformance.running import run as run_conformance
from tests.mock.contracts import TOKEN
from tests.mock.serving import listening_mock

from .building import ROOT, run_command

EXAMPLE = Path(__file__).parent / "swagger"
CONTRACT = EXAMPLE / "swagger.yaml"
PAGE = (ROOT / "docs" / "toolkit" / "your-contract.md").read_text(encoding="utf-8")
NOTE = "swagger.yaml:2:1: note: this Swagger 2.0 document is read as OpenAPI 3.0.3 [contract-swagger]"


pytestmark = pytest.mark.usefixtures("day_of_tests")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the site of the example, which is built without a problem."""
    folder = tmp_path_factory.mktemp("pottery")
    shutil.copytree(EXAMPLE, folder / "project")
    built = build_project(folder / "project" / "mkdocs.yml", site_dir=folder / "site")
    assert [finding.rule for finding in built.findings] == ["contract-swagger"]
    assert built.warnings == ()
    assert built.operations == 7
    return folder / "site"


def page(site: Path, address: str) -> str:
    """Return a page of the site as people read it."""
    return unescape((site / "reference" / address / "index.html").read_text(encoding="utf-8"))


def test_the_project_has_no_problems() -> None:
    """A note says how the contract is read."""
    checked = run_command("check", "-f", EXAMPLE / "mkdocs.yml")

    assert checked.exit_code == 0, checked.output
    assert checked.output.startswith(NOTE)
    assert "Check passed: 1 note." in checked.output


def test_what_swagger_writes_in_another_way_is_on_the_pages(site: Path) -> None:
    """A file in a form, a file as response, a discriminator, a flow of OAuth 2, a value that may be null."""
    photo, label = page(site, "pieces/add-photo"), page(site, "pieces/get-label")

    assert "multipart/form-data" in photo
    assert "file=@" in photo
    assert "application/pdf" in label
    assert all(item in page(site, "firings/list-firings") for item in ("BisqueFiring", "GlazeFiring"))
    assert "https://accounts.kiln-street.example/token" in page(site, "authentication")
    assert run_command("links", site).exit_code == 0


def test_the_site_publishes_openapi(site: Path) -> None:
    """Lists are written as the collectionFormat says, and a body by reference is one."""
    contract = json.loads((site / "openapi.json").read_text(encoding="utf-8"))
    lists = {
        parameter["name"]: (parameter["style"], parameter["explode"])
        for path in ("/pieces", "/firings")
        for parameter in contract["paths"][path]["get"]["parameters"]
        if parameter.get("schema", {}).get("type") == "array"
    }

    assert contract["openapi"] == "3.0.3"
    assert contract["servers"] == [{"url": "https://api.kiln-street.example/v1"}]
    assert lists == {"clay": ("form", True), "weekdays": ("pipeDelimited", False)}
    assert contract["paths"]["/pieces"]["post"]["requestBody"]["content"]["application/json"]["schema"] == {
        "$ref": "#/components/schemas/PieceInput"
    }
    assert contract["components"]["schemas"]["PieceInput"]["properties"]["note"]["nullable"] is True


def test_the_changelog_compares_releases(site: Path) -> None:
    """A release of Swagger 2.0 is frozen as OpenAPI, and compared with the next one."""
    changes = json.loads((site / "changelog/changes.json").read_text(encoding="utf-8"))
    comparison = (site / "changelog/compare/1.0.0...2.0.0/index.html").read_text(encoding="utf-8")

    assert sorted(changes["entries"]) == ["2026-11-03-labels", "2026-11-03-shorter-titles"]
    assert "maxLength is lowered from 80 to 60" in unescape(comparison)


@pytest.mark.deep
@pytest.mark.conformance
def test_a_mock_conforms() -> None:
    """Forms, files and lists too."""
    with listening_mock(CONTRACT) as url:
        result = run_conformance(url, contract=CONTRACT, token=TOKEN)

    assert result.is_clean, describe_result(result)


def test_the_manual_quotes_the_note() -> None:
    """As the command prints it."""
    assert NOTE in PAGE
