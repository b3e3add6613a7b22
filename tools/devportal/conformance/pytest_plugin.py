"""The pytest plugin: with `--devportal-url` a session makes one run, and each check on each operation is a
test. Without the option nothing happens, and no slow module is imported.
"""

import pytest

from devportal.errors import MissingExtra
from devportal.extras import Extra, require_extra

URL_OPTION = "--devportal-url"
PYTEST_OPTIONS = (
    (
        "url",
        "URL",
        None,
        "Test the deployment at this address: a test for each check of each operation.",
    ),
    ("contract", "FILE", "openapi/openapi.yaml", "The OpenAPI file that the deployment must conform to."),
    ("settings", "FILE", None, "What the run should know beyond the contract (conformance.yaml)."),
    ("profile", "NAME", "quick", "quick, or nightly for long fuzzing and sequences."),
    ("stability", "NAME", "all", "Operations of which stability can fail: stable, beta or all."),
    ("seed", "NUMBER", "1", "Same seed, same cases."),
    ("max-time", "SECONDS", "1800", "End a run that takes longer."),
    ("rate-limit", "PER_SECOND", "0", "Most requests in a second; 0 for no limit."),
    ("min-coverage", "PERCENT", None, "Fail if fewer of the contract's constraints are exercised."),
    ("baseline", "FILE", None, "Known failures, with reasons and last days."),
)
"""The options with a value, without their prefix `--devportal-`: name, metavar, default, help."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, all of them with one prefix."""
    group = parser.getgroup("devportal", "conformance of a deployment")
    for name, kind, default, text in PYTEST_OPTIONS:
        group.addoption(f"--devportal-{name}", metavar=kind, default=default, help=text)
    for name in ("include", "exclude"):
        group.addoption(
            f"--devportal-{name}",
            metavar="PATTERN",
            action="append",
            default=[],
            help=f"Operations to {name}: an operationId, a tag, a path; * for any text. Can be repeated.",
        )
    group.addoption("--devportal-read-only", action="store_true", help="Send GET, HEAD and OPTIONS only.")


def pytest_configure(config: pytest.Config) -> None:
    """Reject a run without its packages, and parallel processes: each of them would make a run."""
    if not config.getoption(URL_OPTION):
        return
    try:
        require_extra(Extra.CONFORMANCE, needed_by=URL_OPTION)
    except MissingExtra as error:
        raise pytest.UsageError(str(error)) from error
    if config.getoption("numprocesses", None):
        raise pytest.UsageError("--devportal-url makes one run: leave out -n")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Make the run and add its tests before other plug-ins select among them; nothing without the option."""
    if session.config.getoption(URL_OPTION) and not session.config.getoption("collectonly"):
        from devportal.conformance.pytest_tests import collect_check_items  # noqa: PLC0415 - slow to import

        items.extend(collect_check_items(session))
