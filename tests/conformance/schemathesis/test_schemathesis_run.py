"""Schemathesis as a subprocess: what it records, and what becomes of a run that ends without a result."""

import ast
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import requires, version
from pathlib import Path

import pytest

from devportal.conformance import schemathesis
from devportal.conformance.run.options import Options, Profile
from devportal.conformance.schemathesis.events import Case, read_events
from devportal.conformance.schemathesis.process import SchemathesisProcess
from devportal.errors import DeploymentError, EnvironmentProblem
from tests.apps.parcels import TOKEN, Parcels
from tests.apps.serving import serving
from tests.conformance.credential_sets import single_credential
from tests.conformance.running import CONTRACT, describe_result, run, run_schemathesis, subject_of
from tests.mock import contracts
from tests.mock.serving import listening_mock

pytestmark = pytest.mark.conformance
OPTIONS = Options(
    url="http://127.0.0.1:1",
    contract=CONTRACT,
    credentials=single_credential(TOKEN),
    profile=Profile(name="test", phases=("examples",), max_examples=1),
)
SUBJECT = subject_of()


def test_every_case_is_recorded() -> None:
    """Each request arrives here with its answer, its checks and its kind, and without the token."""
    heard: list[Case] = []
    with serving(Parcels()) as url:
        outcome = run_schemathesis(SUBJECT, replace(OPTIONS, url=url), on_case=heard.append)

    assert outcome.stop_reason == "completed"
    assert outcome.version == version("schemathesis")
    assert tuple(heard) == outcome.cases
    created = [case for case in heard if case.exchange.status == 201]
    assert created
    assert created[0].phase == "examples"
    assert created[0].exchange.operation == "POST /v1/parcels"
    assert created[0].exchange.is_valid
    assert "status_code_conformance" in created[0].passed
    assert TOKEN not in str(outcome)
    assert not any(case.exchange.is_valid for case in heard if case.exchange.status == 401)


SWAGGER = """\
swagger: '2.0'
info: {title: Pots, version: '1'}
produces: [application/json]
paths:
  /pots/{id}/pictures:
    parameters: [{name: id, in: path, required: true, type: string}]
    post:
      consumes: [multipart/form-data]
      parameters:
        - {name: picture, in: formData, type: file, required: true}
        - {name: caption, in: formData, type: string}
      responses: {200: {description: Added.}, 400: {description: No.}, 422: {description: No.}, 415: {description: No.}}
    delete:
      responses: {204: {description: They are gone.}, 404: {description: There are none.}}
"""


def test_swagger_is_tested_as_the_openapi_that_is_read(tmp_path: Path) -> None:
    """A response without a schema needs no media type, and a form may have other fields."""
    contract = tmp_path / "swagger.yaml"
    contract.write_text(SWAGGER, encoding="utf-8")
    with listening_mock(contract) as url:
        result = run(url, contract=contract, token=contracts.TOKEN)

    assert result.is_clean, describe_result(result)
    assert "status_code_conformance" not in {gap.check for gap in result.gaps if not gap.operation}


LOCKS = """\
openapi: 3.2.0
info: {title: Doors, version: '1'}
paths:
  /door:
    additionalOperations:
      LOCK: {responses: {'204': {description: Locked}}}
"""
READ = """\
    get: {responses: {'200': {description: The door}}}
"""


@pytest.mark.parametrize("text", [LOCKS, LOCKS + READ])
def test_methods_of_additional_operations_are_no_warning(tmp_path: Path, text: str) -> None:
    """Schemathesis reads none of them (OAS 3.2.0 §4.9.1), and would warn of each that it is asked for."""
    contract = tmp_path / "doors.yaml"
    contract.write_text(text, encoding="utf-8")
    with listening_mock(contract) as url:
        result = run(url, contract=contract, token=contracts.TOKEN)

    assert result.is_clean, describe_result(result)


def test_the_version_is_pinned() -> None:
    """The recorder reads event classes that may change with any release."""
    assert any(require.startswith("schemathesis==") for require in requires("devportal") or ())


def test_a_run_without_a_result_is_explained(tmp_path: Path) -> None:
    """The last words of Schemathesis are the reason; nothing is decided about the deployment."""
    gone = replace(OPTIONS, contract=tmp_path / "gone.yaml")

    with pytest.raises(DeploymentError, match="exit code 2 and without a result") as caught:
        run_schemathesis(SUBJECT, gone, on_case=lambda _: None)

    assert "does not exist" in str(caught.value)


def test_a_missing_schemathesis_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the package is not there, the message says how to get it."""
    (tmp_path / "schemathesis").mkdir()
    (tmp_path / "schemathesis" / "__init__.py").touch()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    with pytest.raises(EnvironmentProblem, match="Schemathesis is not installed"):
        run_schemathesis(SUBJECT, OPTIONS, on_case=lambda _: None)


@pytest.mark.deep
def test_tables_of_unicode_are_kept_for_the_next_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are in the cache of this user, and nothing that grows with each run."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("HYPOTHESIS_STORAGE_DIRECTORY", raising=False)
    kept = []
    for _ in range(2):
        with serving(Parcels()) as url:
            run_schemathesis(SUBJECT, replace(OPTIONS, url=url), on_case=lambda _: None)
        kept.append(sorted(file for file in tmp_path.rglob("*") if file.is_file()))

    assert "charmap.json.gz" in {file.name for file in kept[0]}
    assert kept[1] == kept[0]


def test_a_folder_that_the_user_names_for_hypothesis_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables are there, not in our cache."""
    monkeypatch.setenv("HYPOTHESIS_STORAGE_DIRECTORY", "/somewhere")

    environment = environment_of_a_run()

    assert environment["HYPOTHESIS_STORAGE_DIRECTORY"] == "/somewhere"


def test_a_user_without_a_home_needs_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables are made anew in each run."""
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("HYPOTHESIS_STORAGE_DIRECTORY", raising=False)

    def without_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", without_home)

    environment = environment_of_a_run()

    assert "HYPOTHESIS_STORAGE_DIRECTORY" not in environment


def environment_of_a_run() -> dict[str, str]:
    """Return the variables that Schemathesis would be started with."""
    process = SchemathesisProcess(SUBJECT, OPTIONS)
    try:
        return process._environment()
    finally:
        process._folder.cleanup()


def test_lines_of_another_format_are_refused() -> None:
    """A record that we did not write, or of another version, is no record."""
    with pytest.raises(ValueError, match="event format 1, expected 2"):
        list(read_events(['{"event": "started", "format": 1, "schemathesis": "9"}']))
    with pytest.raises(ValueError, match="unknown event"):
        list(read_events(['{"event": "surprise"}']))


def test_the_recorder_imports_little() -> None:
    """Each process of each run imports what the recorder needs beside Schemathesis: a client, or what reads contracts,
    would double the time until it sends its first request.
    """
    tree = ast.parse((Path(schemathesis.__path__[0]) / "recorder.py").read_text(encoding="utf-8"))
    modules = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    imports = "; ".join(f"import {module}" for module in modules if module.startswith("devportal."))
    heavy = {"httpx", "cryptography", "devportal.contract.load", "devportal.contract.validate.check"}

    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {imports}; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert "devportal.conformance.deployment.exchange" in done.stdout.split()
    assert heavy & {*done.stdout.split()} == set()
