# ruff: noqa: D102, ARG002 - methods are promises or override them: their names say it all
"""Mock servers: nothing about state is tested on one, and no real server is taken for one."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.deployment.client import Deployment, RequestPolicy
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.run.confirm import RunContext
from devportal.conformance.run.mocks import MOCK_NOTE, NO_STATE_REASON, is_mock
from devportal.conformance.run.probing import LoggingSender
from devportal.conformance.run.run_log import RunLog
from tests.apps.faulty import MissingField, RepeatedIds
from tests.apps.mock import Mock
from tests.apps.parcels import Parcels
from tests.apps.serving import serving
from tests.conformance.running import blocking_failures, describe_result, run, subject_of


class AnyIdFindsTheSame(Parcels):
    """A wrong server: whatever is asked for, the first parcel comes."""

    async def read(self, request: Request) -> Response:
        self.authenticate(request)
        return self.json(self.parcels["pcl_example"], 200)


class SameAnswerToAll(Parcels):
    """A wrong server: whatever is registered, the first parcel comes."""

    def created_response(self, parcel: dict[str, Any]) -> Response:
        return self.json(self.parcels["pcl_example"], 201)


class WrongMock(Mock, MissingField):
    """A mock that leaves out what is required."""

    def created_response(self, parcel: dict[str, Any]) -> Response:
        return MissingField.created_response(self, self.parcel("pcl_example", "GB", 420))


@pytest.fixture
def sender(request: pytest.FixtureRequest) -> Iterator[LoggingSender]:
    """Yield a sender to a server."""
    with serving(request.param()) as url, Deployment(RequestPolicy(), mask=Mask()) as deployment:
        subject = subject_of(url=url)
        judge = RunContext(subject=subject, deployment=deployment, mask=Mask(), gates=lambda _: True)
        yield LoggingSender(judge, RunLog(lambda _: None))


@pytest.mark.parametrize("sender", [Mock, WrongMock], indirect=True)
def test_what_answers_alike_is_a_mock(sender: LoggingSender) -> None:
    """The same bytes for different creations and for different identifiers are a mock's."""
    assert is_mock(sender.context.subject, sender)


@pytest.mark.parametrize("sender", [Parcels, RepeatedIds, AnyIdFindsTheSame, SameAnswerToAll], indirect=True)
def test_a_server_with_one_fault_is_no_mock(sender: LoggingSender) -> None:
    """One that repeats identifiers, or finds one thing for all, shows elsewhere that it keeps things."""
    assert not is_mock(sender.context.subject, sender)


@pytest.mark.conformance
def test_a_mock_is_green_and_its_state_a_gap() -> None:
    """A mock that keeps all other promises raises no alarm; what could not be tested is told."""
    with serving(Mock()) as url:
        result = run(url, phases=("examples", "coverage"))

    assert result.is_clean, describe_result(result)
    assert MOCK_NOTE in result.hints
    assert MOCK_NOTE.endswith("state cannot be tested")
    assert {"created-things", "unique-ids", "unknown-ids"} <= {
        gap.check for gap in result.gaps if gap.reason == NO_STATE_REASON
    }


@pytest.mark.deep
@pytest.mark.conformance
def test_other_promises_hold_for_a_mock_too() -> None:
    """What a mock breaks without any state is a failure as ever."""
    with serving(WrongMock()) as url:
        result = run(url, phases=("examples",))

    found = {
        member.check for blocking_failure in blocking_failures(result) for member in blocking_failure.members
    }
    assert "response_schema_conformance" in found, describe_result(result)
