"""Runs against plain servers of other trades that share words with this API: nobody is wrongly accused."""

import pytest

from devportal.conformance.deployment.client import Deployment, RequestPolicy
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.families.registry import all_families, plugin_families
from devportal.conformance.run.confirm import RunContext
from devportal.conformance.run.probing import run_probes
from devportal.conformance.run.run_log import RunLog
from tests.apps.plain.apps import plain_apps
from tests.apps.serving import serving
from tests.conformance.running import describe_result, run, subject_of

pytestmark = pytest.mark.conformance
OF_PLUGIN = {plugin_family.name for plugin_family in plugin_families(["devportal-telecom"])}
"""The checks that the plug-in of this API brings."""


@pytest.mark.parametrize("name", ["chat", "transcripts"])
def test_no_check_of_ours_accuses_a_plain_app(name: str) -> None:
    """One that counts segments of its own kind, and takes messages with a list of them."""
    app, log = plain_apps()[name], RunLog(lambda _: None)
    mask = Mask.of_secret("")
    with serving(app) as url, Deployment(RequestPolicy(), mask=mask) as deployment:
        subject = subject_of(app.contract, url)
        judge = RunContext(subject=subject, deployment=deployment, mask=mask, gates=lambda _: True)
        for family in all_families(()):
            run_probes(family, judge, log)

    assert log.exchanges
    assert [(failure.check, failure.title) for failure in log.failures if failure.fails] == []


@pytest.mark.deep
@pytest.mark.parametrize("name", plain_apps())
def test_a_run_against_a_plain_app_is_green(name: str) -> None:
    """With the plug-in installed and not listed, its checks are not even among those not tested."""
    app = plain_apps()[name]
    with serving(app) as url:
        result = run(url, contract=app.contract)

    assert result.is_clean, describe_result(result)
    assert [failure for failure in result.failures if failure.fails] == []
    checks = {check.check for each in result.operations for check in each.checks}
    named = checks | {gap.check for gap in result.gaps}
    assert "unique-ids" in named
    assert len(OF_PLUGIN) > 5
    assert named & OF_PLUGIN == set()
