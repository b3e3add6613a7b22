"""Campaigns for checks: one that is approved is taken, in a sandbox one is registered."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from tests.apps.faults.catching import MANNERS, subject_at
from tests.apps.faults.standing import Standing, standing

from devportal.conformance.deployment.client import Deployment
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.run.confirm import RunContext
from devportal.conformance.run.probing import LoggingSender
from devportal.conformance.run.run_log import RunLog
from devportal.contract import Contract
from telecom.conformance.registrations import (
    READ_CAMPAIGN,
    REGISTRATION_OPERATIONS,
    approved_campaign,
    read_status,
)

APPROVED, REJECTED = "cmp_01kaj8z5a7b9c1d3e5f7g9h1j3", "cmp_01kaj900d2f4g6h8j0k2m4n6p8"


@pytest.fixture(scope="module")
def sandbox(contract: Contract, tmp_path_factory: pytest.TempPathFactory) -> Standing:
    """Return a sandbox that is prepared."""
    return standing(contract.api, tmp_path_factory.mktemp("standing"))


@contextmanager
def sending(
    sandbox: Standing, contract: Contract, folder: Path, campaign: str
) -> Iterator[tuple[Subject, LoggingSender]]:
    """Yield what is tested, whose usual campaign is one of the sandbox, and the way there."""
    with sandbox.serving(folder) as served:
        known = {"/v1/campaigns/{campaign_id}": campaign}
        subject = replace(subject_at(served.url, contract, REGISTRATION_OPERATIONS), values=known)
        with Deployment(MANNERS, mask=Mask(), wait=served.wait) as deployment:
            judge = RunContext(subject=subject, deployment=deployment, mask=Mask(), gates=lambda _: True)
            yield subject, LoggingSender(judge, RunLog(lambda _: None))


def test_a_campaign_that_is_approved_is_taken(sandbox: Standing, contract: Contract, tmp_path: Path) -> None:
    """What the account has already costs nothing."""
    with sending(sandbox, contract, tmp_path, APPROVED) as (subject, send):
        assert approved_campaign(subject, send) == APPROVED


def test_none_is_registered_where_that_costs(sandbox: Standing, contract: Contract, tmp_path: Path) -> None:
    """Outside of a sandbox a campaign that is not approved is not replaced by another one."""
    with sending(sandbox, contract, tmp_path, REJECTED) as (subject, send):
        assert approved_campaign(subject, send) is None


def test_a_sandbox_gets_another_one(sandbox: Standing, contract: Contract, tmp_path: Path) -> None:
    """Where registering is free, a brand and a campaign are registered and waited for."""
    with sending(sandbox, contract, tmp_path, REJECTED) as (subject, send):
        found = approved_campaign(replace(subject, plugins={"devportal-telecom": {"is_sandbox": True}}), send)

        assert found not in (None, REJECTED)
        assert read_status(subject, send, READ_CAMPAIGN, str(found)) == "approved"
