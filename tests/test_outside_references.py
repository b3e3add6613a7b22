"""A contract with files outside its folder, given to each command that reads one and shows no findings of it."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from devportal.cli import cli
from tests.differ.output.repositories import repository, write

CONTRACT = """\
openapi: 3.1.0
info: {title: Parcels, version: 1.0.0}
paths:
  /parcels: {$ref: ../shared/parcels.yaml}
"""
PARCELS = """\
get:
  operationId: listParcels
  responses: {'200': {description: All, content: {application/json: {schema: {type: array, maxItems: 9}}}}}
"""
SETTINGS = (
    "site_name: P\nplugins:\n  - devportal: {contract: api/openapi.yaml, allow_outside_references: %s}\n"
)
RECORDING = '{"method": "GET", "url": "https://api.example.com/parcels"}\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project that breaks its contract in a file outside the contract's folder, and be in it."""
    files = {"api/openapi.yaml": CONTRACT, "shared/parcels.yaml": PARCELS, "mkdocs.yml": SETTINGS % "true"}
    folder = repository(tmp_path / "project", files)
    write(folder, {"shared/parcels.yaml": PARCELS.replace("get", "post"), "calls.jsonl": RECORDING})
    monkeypatch.chdir(folder)
    return folder


def run(*arguments: str) -> Result:
    """Run a command to its end."""
    return CliRunner().invoke(cli, arguments)


@pytest.mark.parametrize(
    ("arguments", "expected_code"),
    [
        (("diff", "HEAD:api/openapi.yaml", "api/openapi.yaml"), 1),
        (("pull-request", "--old", "HEAD:api/openapi.yaml", "--dry-run"), 1),
        (("accept", "--old", "HEAD:api/openapi.yaml", "--reason", "r", "0123456789abcdef"), 2),
        (("uses", "calls.jsonl", "--contract", "api/openapi.yaml"), 0),
        (("conformance", "init", "--no-input"), 0),
    ],
)
def test_no_command_goes_on_without_the_files_outside(
    project: Path, arguments: tuple[str, ...], expected_code: int
) -> None:
    """The setting of the project allows them, or else the option; without both the command could not run."""
    allowed = run(*arguments)
    for file in project.glob("conformance.*"):
        file.unlink()
    write(project, {"mkdocs.yml": SETTINGS % "false"})
    refused = run(*arguments)
    by_option = run(*arguments, "--allow-outside-references")

    assert [result.exit_code for result in (allowed, refused, by_option)] == [expected_code, 2, expected_code]
    assert "'../shared/parcels.yaml' leads outside the contract's folder" in refused.stderr
    assert "--allow-outside-references" in refused.stderr
    assert "leads outside" not in allowed.output + by_option.output


def test_a_mock_names_the_reference_that_hides_its_operations(project: Path) -> None:
    """Not the operations, which are there."""
    write(project, {"mkdocs.yml": SETTINGS % "false"})

    result = run("mock", "--contract", "api/openapi.yaml")

    assert result.exit_code == 2
    assert "'../shared/parcels.yaml' leads outside the contract's folder" in result.stderr


def test_no_change_is_claimed_of_parts_that_nobody_read(project: Path) -> None:
    """Both contracts refer to the network, so nobody knows whether that part changed."""
    text = CONTRACT.replace("../shared/parcels.yaml", "https://example.com/parcels.yaml")
    write(project, {"a.yaml": text, "b.yaml": text})

    difference = run("diff", "a.yaml", "b.yaml")
    review = run("pull-request", "--old", "a.yaml", "--new", "b.yaml", "--dry-run")

    assert difference.stdout.startswith("No change in the parts that could be read.")
    assert "changes nothing in the parts of the contract that could be read" in review.stdout


def test_places_of_files_outside_name_their_paths(project: Path) -> None:
    """As forges and editors do: no `..` behind a folder."""
    write(project, {"shared/parcels.yaml": PARCELS.replace("type: array", "type: nothing")})

    assert (
        "\nshared/parcels.yaml:3:"
        in f"\n{run('check', '--contract', 'api/openapi.yaml', '--allow-outside-references').stdout}"
    )
