"""Right servers with the habits of common frameworks: reports about them are quiet and true."""

import pytest

from devportal.conformance.results.result import ContractPart
from devportal.errors import DeploymentError
from tests.apps.frameworks import FRAMEWORKS
from tests.apps.frameworks.apps import SECRET
from tests.apps.serving import serving
from tests.conformance.running import describe_result, run

EXERCISED = (ContractPart.OPERATION, ContractPart.PARAMETER, ContractPart.STATUS)
STATE_CHECKS = frozenset({"created-things", "deleted-things"})
"""Checks that need only a resource that can be created, read and deleted."""
pytestmark = pytest.mark.conformance


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(framework, marks=[] if framework == "django" else [pytest.mark.deep])
        for framework in FRAMEWORKS
    ],
)
def test_a_right_server_is_not_accused(name: str) -> None:
    """Whatever its error bodies, paging, media types and tokens look like."""
    app = FRAMEWORKS[name]()
    with serving(app) as url:
        result = run(url, contract=app.contract, token=app.token)

    assert result.is_clean, describe_result(result)
    assert not result.hints
    assert not STATE_CHECKS & {gap.check for gap in result.gaps if not gap.operation}, describe_result(result)
    never = {
        covered_part.name
        for covered_part in result.coverage
        if not covered_part.count and covered_part.part in EXERCISED
    }
    assert never == set(), describe_result(result)


@pytest.mark.parametrize(("name", "scheme"), [("django", "Token"), ("aspnet", "Bearer")])
def test_a_token_without_its_scheme_is_explained(name: str, scheme: str) -> None:
    """The contract names the scheme in words only."""
    app = FRAMEWORKS[name]()
    with serving(app) as url, pytest.raises(DeploymentError) as caught:
        run(url, contract=app.contract, token=SECRET)

    assert f"--token '{scheme} …'" in caught.value.help
    assert SECRET not in str(caught.value)
