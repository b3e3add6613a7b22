# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""What a replay confirms of what Schemathesis has seen, and what it does not."""

from dataclasses import replace

import pytest
from starlette.responses import Response

from devportal.conformance.confirm import Judge, schemathesis_failures
from devportal.conformance.deployment import Deployment, Manners
from devportal.conformance.events import Case, Deviation
from devportal.conformance.exchange import Answer, Exchange, Request
from devportal.conformance.masking import Mask
from devportal.conformance.result import Standing
from tests.apps.parcels import TOKEN, Parcels
from tests.apps.serving import serving
from tests.conformance.running import subject_of
from tests.waiting import PATIENCE_S

READ = "GET /v1/parcels/{parcelId}"


class Nameless(Parcels):
    """Identifies no request."""

    def stamp(self, response: Response, request_id: str) -> None:  # noqa: ARG002 - the base class's signature
        response.headers["X-Request-Id"] = "?"


@pytest.mark.parametrize(
    ("app", "standing"), [(Parcels, Standing.NOT_REPRODUCED), (Nameless, Standing.CONFIRMED)]
)
def test_a_wrong_header_is_confirmed_by_a_wrong_header(app: type[Parcels], standing: Standing) -> None:
    """Schemathesis has one code for schemas of bodies and of headers; the same status alone shows nothing."""
    with serving(app()) as url, Deployment(Manners(timeout_s=PATIENCE_S), mask=Mask()) as deployment:
        judge = Judge(subject=subject_of(url=url), deployment=deployment, mask=Mask(), gates=lambda _: True)
        request = Request(
            method="GET",
            url=f"{url}/v1/parcels/pcl_example",
            headers=(("Authorization", f"Bearer {TOKEN}"),),
        )
        met = deployment.send(request, operation=READ)
        (failure,) = schemathesis_failures(judge, [_case(met)])

    assert failure.standing is standing


def _case(met: Exchange) -> Case:
    """Return a case whose answer had no good identifier."""
    assert met.answer is not None
    headers = tuple(
        (name, "?" if name.lower() == "x-request-id" else text) for name, text in met.answer.headers
    )
    answer: Answer = replace(met.answer, headers=headers)
    seen = replace(met, answer=answer)
    fault = Deviation(
        check="response_headers_conformance",
        code="ST108",
        title="Response header does not conform to the schema",
        message="",
        where="",
        exchange=seen,
    )
    return Case(phase="examples", about="", exchange=seen, deviations=(fault,))
