"""Requests that must be refused, sent one after the other."""

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from devportal.conformance.deployment.client import Deployment, RequestPolicy
from devportal.conformance.deployment.exchange import Request
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.family import CheckFailure
from devportal.conformance.knowledge.requests.forbidden_requests import (
    ForbiddenRequest,
    check_forbidden_requests,
)
from devportal.conformance.run.probing import DirectSender
from tests.apps.serving import serving
from tests.conformance.running import subject_of
from tests.waiting import PATIENCE_S


async def status_app(scope: Scope, receive: Receive, send: Send) -> None:
    """Respond with the status in the path, and break off at `/0`."""
    status = int(scope["path"].removeprefix("/"))
    if status:
        await Response(status_code=status)(scope, receive, send)
    else:
        head = {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"9")]}
        await send(head)


def faults(*statuses: int) -> list[CheckFailure]:
    """Return the faults of a server that answers an invalid creation with these."""
    create = subject_of().operations[0]
    with (
        serving(status_app) as url,
        Deployment(RequestPolicy(timeout_s=PATIENCE_S), mask=Mask()) as deployment,
    ):
        requests = (
            ForbiddenRequest(
                case=f"{status}",
                promise=create.location,
                request=Request(method="GET", url=f"{url}/{status}"),
            )
            for status in statuses
        )
        return list(
            check_forbidden_requests(
                create,
                requests,
                DirectSender(deployment),
                accepted_title="ACCEPTED",
                server_error_title="BROKEN",
            )
        )


def test_what_is_not_refused_is_told_by_its_kind() -> None:
    """A success and a server error are a fault each, however often they come; a refusal is none. What is the same is
    said once.
    """
    found = faults(422, 201, 500, 201, 200)

    assert [check_failure.title for check_failure in found] == ["ACCEPTED", "BROKEN"]
    assert found[0].message == "201 gets 201; 200 gets 200"


def test_silence_ends_the_sending() -> None:
    """Each further request could take as long; what was found before is told."""
    assert [fault.title for fault in faults(201, 0, 500)] == ["ACCEPTED"]
