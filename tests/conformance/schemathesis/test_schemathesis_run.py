"""Schemathesis as a subprocess: what it records, and what becomes of a run that ends without a result."""

from dataclasses import replace
from importlib.metadata import requires, version
from pathlib import Path

import pytest

from devportal.conformance.run.options import Options, Profile
from devportal.conformance.schemathesis.events import Case, read_events
from devportal.errors import DeploymentError, EnvironmentProblem
from tests.apps.parcels import TOKEN, Parcels
from tests.apps.serving import serving
from tests.conformance.credential_sets import single_credential
from tests.conformance.running import CONTRACT, run_schemathesis, subject_of

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
    created = [one for one in heard if one.exchange.status == 201]
    assert created
    assert created[0].phase == "examples"
    assert created[0].exchange.operation == "POST /v1/parcels"
    assert created[0].exchange.is_valid
    assert "status_code_conformance" in created[0].passed
    assert TOKEN not in str(outcome)
    assert not any(one.exchange.is_valid for one in heard if one.exchange.status == 401)


def test_the_version_is_pinned() -> None:
    """The recorder reads event classes that may change with any release."""
    assert any(one.startswith("schemathesis==") for one in requires("devportal") or ())


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


def test_lines_of_another_format_are_refused() -> None:
    """A record that we did not write, or of another version, is no record."""
    with pytest.raises(ValueError, match="event format 1, expected 2"):
        list(read_events(['{"event": "started", "format": 1, "schemathesis": "9"}']))
    with pytest.raises(ValueError, match="unknown event"):
        list(read_events(['{"event": "surprise"}']))
