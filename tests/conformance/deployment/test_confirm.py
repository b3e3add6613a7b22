# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""What a replay confirms of what Schemathesis has seen, and what it does not."""

from dataclasses import replace
from pathlib import Path

import pytest
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from devportal.conformance.deployment.exchange import Exchange, HttpResponse, Request
from devportal.conformance.knowledge.resources.created_resources import response_json
from devportal.conformance.results.result import Standing
from devportal.conformance.run.confirm import schemathesis_failures, without_expected_failures
from devportal.conformance.schemathesis.events import Case, FailedCheck
from tests.apps.parcels import TOKEN, Parcels
from tests.conformance.running import judging, subject_of

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
    with judging(app()) as judge:
        request = Request(
            method="GET",
            url=f"{judge.subject.base_url}/v1/parcels/pcl_example",
            headers=(("Authorization", f"Bearer {TOKEN}"),),
        )
        met = judge.deployment.send(request, operation=READ)
        (failure,) = schemathesis_failures(judge, [_case(met)])

    assert failure.standing is standing


@pytest.mark.parametrize(("status", "standing"), [(200, Standing.NOT_REPRODUCED), (404, Standing.CONFIRMED)])
def test_a_missing_parcel_confirms_no_parcel_without_a_credential(status: int, standing: Standing) -> None:
    """What is gone when the request is sent again gets 404, and shows nothing of the 200 that was seen."""
    with judging(Parcels()) as judge:
        headers = (("Authorization", f"Bearer {TOKEN}"),)
        url = f"{judge.subject.base_url}/v1/parcels/pcl_gone"
        request = Request(method="GET", url=url, headers=headers)
        seen = Exchange(operation=READ, request=request, answer=HttpResponse(status=status))
        ignored = FailedCheck(
            check="ignored_auth", code="ST401", title="", message="", schema_path="", exchange=seen
        )
        case = Case(phase="examples", exchange=seen, failed_checks=(ignored,))
        (failure,) = schemathesis_failures(judge, [case])

    assert failure.standing is standing


class FailsFirst(Parcels):
    """Fails when a parcel is read for the first time."""

    def __init__(self) -> None:
        super().__init__()
        self.read_paths: set[str] = set()

    async def read(self, request: HttpRequest) -> Response:
        if request.url.path not in self.read_paths:
            self.read_paths.add(request.url.path)
            return Response(status_code=500)
        return await super().read(request)


def test_a_failure_that_needs_earlier_requests_is_replayed_with_them() -> None:
    """The parcel that was read exists and answers by now: a new one is registered, and read."""
    with judging(FailsFirst()) as judge:
        subject = judge.subject
        register = subject.operation("POST /v1/parcels")
        request = subject.valid(register) if register is not None else None
        assert request is not None
        registered = judge.deployment.send(request, operation="POST /v1/parcels")
        path = f"/v1/parcels/{response_json(registered)['id']}"
        url = subject.base_url + path
        met = judge.deployment.send(replace(request, method="GET", url=url, body=None), operation=READ)
        error = FailedCheck(
            check="not_a_server_error", code="ST101", title="-", message="", schema_path="", exchange=met
        )
        case = Case(phase="fuzzing", exchange=met, failed_checks=(error,))
        (alone,) = schemathesis_failures(judge, [case])
        (whole,) = schemathesis_failures(judge, [case], [registered, met])

    assert (met.status, alone.standing) == (500, Standing.NOT_REPRODUCED)
    assert whole.standing is Standing.CONFIRMED
    assert [exchange.request.method for exchange in whole.evidence] == ["POST", "GET"]


def _case(met: Exchange) -> Case:
    """Return a case whose answer had no good identifier."""
    assert met.answer is not None
    headers = tuple(
        (name, "?" if name.lower() == "x-request-id" else text) for name, text in met.answer.headers
    )
    answer: HttpResponse = replace(met.answer, headers=headers)
    return _header_case(replace(met, answer=answer))


def _header_case(seen: Exchange) -> Case:
    """Return a case with a header that Schemathesis finds wrong."""
    fault = FailedCheck(
        check="response_headers_conformance",
        code="ST108",
        title="Response header does not conform to the schema",
        message="",
        schema_path="",
        exchange=seen,
    )
    return Case(phase="examples", exchange=seen, failed_checks=(fault,))


PAGES = """\
openapi: 3.0.3
info: {title: Pets, version: '1'}
paths:
  /pets:
    get:
      responses:
        '200':
          description: The pets.
          headers:
            X-Pagination:
              schema: {type: object, properties: {total: {type: integer}, page: {type: integer}}}
"""


@pytest.mark.parametrize(
    ("header", "kept"),
    [('{"total": 3, "page": 1}', 0), ('{"total": "three"}', 1), ("total,three", 1)],
)
def test_json_in_a_header_is_what_its_schema_describes(tmp_path: Path, header: str, kept: int) -> None:
    """Schemathesis reads objects in headers as lists of names and values; frameworks write JSON."""
    contract = tmp_path / "pets.yaml"
    contract.write_text(PAGES)
    met = Exchange(
        operation="GET /pets",
        request=Request(method="GET", url="http://127.0.0.1:1/pets"),
        answer=HttpResponse(status=200, headers=(("X-Pagination", header),)),
    )

    case = without_expected_failures(subject_of(contract), _header_case(met))

    assert len(case.failed_checks) == kept


@pytest.mark.parametrize(("status", "kept"), [(403, 0), (401, 0), (200, 1)])
def test_a_missing_credential_may_be_refused_in_any_way(tmp_path: Path, status: int, kept: int) -> None:
    """Schemathesis wants 401, and our own check knows contracts that mean 403."""
    contract = tmp_path / "pets.yaml"
    contract.write_text(PAGES)
    sent = Request(method="GET", url="http://127.0.0.1:1/pets")
    met = Exchange(operation="GET /pets", request=sent, answer=HttpResponse(status=status, headers=()))
    fault = FailedCheck(
        check="missing_required_header", code="ST203", title="", message="", schema_path="", exchange=met
    )

    case = without_expected_failures(
        subject_of(contract), Case(phase="coverage", exchange=met, failed_checks=(fault,))
    )

    assert len(case.failed_checks) == kept
