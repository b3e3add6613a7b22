"""The plugin of pytest: a run as tests, and nothing at all without its option."""

import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
import uvicorn.protocols.http.httptools_impl  # noqa: F401 - else pytester imports it twice

from devportal.conformance.pytest_tests import check_outcomes
from devportal.conformance.results.result import CoveredConstraint
from tests.apps.faulty import MissingField
from tests.apps.parcels import TOKEN, Parcels
from tests.apps.serving import closed_port, serving
from tests.conformance.running import CONTRACT
from tests.conformance.values import result

pytest_plugins = ["pytester"]
# Where the package is installed the plugin comes by its entry point: here it comes by its module.
PLUGIN = ("-p", "no:devportal-conformance", "-p", "devportal.conformance.pytest_plugin")
QUIET = ("-p", "no:schemathesis", "-p", "no:cacheprovider")


@pytest.fixture
def session(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project with one test of its own, and the token in the environment."""
    monkeypatch.setenv("DEVPORTAL_TOKEN", TOKEN)
    pytester.makepyfile("def test_own(): pass")
    return pytester


def run_pytest(session: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Run pytest in a process of its own."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        *PLUGIN,
        *QUIET,
        "--devportal-contract",
        str(CONTRACT),
        *arguments,
    ]
    return session.run(*command)


@pytest.mark.conformance
def test_a_broken_promise_is_a_failed_test(session: pytest.Pytester) -> None:
    """Each check on each operation is a test; a failed one says what was promised and how to see it again."""
    with serving(MissingField()) as url:
        result = run_pytest(session, "--devportal-url", url, "--devportal-include", "registerParcel", "-v")

    said = result.stdout.str()
    outcomes = result.parseoutcomes()
    assert result.ret == 1
    assert outcomes["failed"] >= 1
    assert outcomes["passed"] > 5, "the test of the project among them"
    assert "POST /v1/parcels [response_schema_conformance]" in said
    assert "reproduce: curl" in said
    assert "contract: parcels.yaml" in said or "contract: " in said
    assert TOKEN not in said


@pytest.mark.deep
@pytest.mark.conformance
def test_a_kept_contract_is_green_and_tests_can_be_chosen(session: pytest.Pytester) -> None:
    """Every check passes, and `-k` chooses among them as among other tests."""
    with serving(Parcels()) as url:
        result = run_pytest(
            session, "--devportal-url", url, "--devportal-include", "/v1/health", "-k", "methods", "-v"
        )

    outcomes = result.parseoutcomes()
    assert result.ret == 0, result.stdout.str()
    assert outcomes["passed"] == 1
    assert outcomes["deselected"] > 1
    result.stdout.fnmatch_lines(["*GET /v1/health [[]methods[]]*PASSED*"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--devportal-url", f"http://127.0.0.1:{closed_port()}"), "does not respond"),
        pytest.param(
            ("--devportal-url", "nonsense"), "is not the base URL of a deployment", marks=pytest.mark.deep
        ),
        pytest.param(
            ("--devportal-url", "http://127.0.0.1:1", "--devportal-profile", "huge"),
            "must be one of: quick",
            marks=pytest.mark.deep,
        ),
        pytest.param(
            ("--devportal-url", "http://127.0.0.1:1", "--devportal-seed", "x"),
            "must be a number",
            marks=pytest.mark.deep,
        ),
    ],
)
def test_what_cannot_run_is_a_usage_error(
    session: pytest.Pytester, arguments: tuple[str, ...], message: str
) -> None:
    """Exit code 4, one message, no traceback."""
    result = run_pytest(session, *arguments)

    said = result.stdout.str() + result.stderr.str()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert message in said
    assert "Traceback" not in said


@pytest.mark.parametrize(("percent", "is_enough"), [(0.0, True), (100.0, False)])
def test_coverage_that_is_demanded_is_a_test(percent: float, *, is_enough: bool) -> None:
    """It fails if too few constraints were exercised; without the option there is no such test."""
    constraint = CoveredConstraint(where="query q", keyword="minLength", value="3", obeyed=0, broken=0)
    of_run = result()
    operations = tuple(replace(operation, constraints=(constraint,)) for operation in of_run.operations)
    demanding = replace(of_run, operations=operations, min_coverage=percent)

    (outcome,) = (outcome for outcome in check_outcomes(demanding) if "min-coverage" in outcome.name)
    assert bool(outcome.warning) is not is_enough
    assert not [outcome for outcome in check_outcomes(of_run) if "min-coverage" in outcome.name]


def test_without_the_option_nothing_happens(session: pytest.Pytester) -> None:
    """The tests of the project run, and only they."""
    result = run_pytest(session)

    result.assert_outcomes(passed=1)


def test_the_plugin_is_cheap_to_import() -> None:
    """Every pytest of everybody who installs the package imports it."""
    heavy = {"httpx", "schemathesis", "hypothesis", "rich", "jsonschema_rs", "jinja2", "yaml", "click"}
    script = (
        "import sys, pytest; before = set(sys.modules); import devportal.conformance.pytest_plugin; "
        f"print(sorted(({heavy} & set(sys.modules)) - before))"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_the_package_brings_the_plugin() -> None:
    """Whoever installs the package has the option."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]

    assert project["entry-points"]["pytest11"] == {"devportal-conformance": PLUGIN[-1]}
