"""A check that compared nothing has not passed: it is not tested, with what it would need."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

from devportal.conformance.check_list import SCHEMATHESIS_CHECKS, checks_by_group
from devportal.conformance.deployment.exchange import Exchange, HttpResponse, Request
from devportal.conformance.expectations import (
    ExpectedResponse,
    ExpectedRow,
    ExpectedRows,
    LatencyLimits,
)
from devportal.conformance.families.registry import FAMILIES
from devportal.conformance.families.responses import links
from devportal.conformance.family import Family
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.conformance.results.report import conformance_report
from devportal.conformance.results.result import Source, UntestedCheck
from devportal.conformance.run.probing import run_probe
from devportal.conformance.run.run_log import RunLog
from devportal.conformance.run.untested_checks import NOT_REACHED, untested_checks
from devportal.conformance.schemathesis.comparisons import (
    COMPARISONS,
    STATEFUL,
    CaseHistory,
    is_compared,
)
from devportal.conformance.schemathesis.events import Case
from devportal.contract import Operation
from devportal.reporting.junit import to_junit
from tests.apps.faults.catching import subject_at
from tests.apps.serving import serving
from tests.conformance.running import SendInOrder, describe_result, run, subject_of
from tests.contracts import own_contract

LIBRARY = Path(__file__).parents[2] / "apps" / "library.yaml"
SAMPLES = Path(__file__).parents[1] / "families" / "servers" / "samples.yaml"
CLINIC = Path(__file__).parents[1] / "families" / "servers" / "clinic.yaml"
PATRONS = Path(__file__).parents[1] / "families" / "servers" / "patrons.yaml"
DOWNLOADS = Path(__file__).parents[1] / "families" / "http" / "downloads.yaml"
CONTENTS = Path(__file__).parents[1] / "families" / "creations" / "contents.yaml"
LEDGER = Path(__file__).parents[1] / "families" / "servers" / "ledger.yaml"
VISITS = Path(__file__).parents[1] / "families" / "servers" / "visits.yaml"
SENT_AT = datetime(2026, 11, 27, 9, 17, 18, tzinfo=UTC).timestamp()
TRUE_OF_ANY_RESPONSE = frozenset(
    {"accept", "latency", "leaked-internals", "media-types", "methods", "odd-bodies", "odd-parameters"}
)
"""Families with a promise that a plain 404 keeps: it is no server error, shows nothing, and comes in time."""
WITH_OTHER_CREDENTIALS = frozenset({"authentication", "head"})
"""Families that compare what somebody without the right credential gets: 404 to all is no leak."""

TESTED_ELSEWHERE = frozenset({"correlation", "expired-credentials", "nested-resources", "permissions"})
TRUE_OF_EMPTY_RESPONSES = frozenset({"answers", "documented-responses", "undocumented-parts"})
PING = """\
openapi: 3.0.3
info: {title: Ping, version: "1"}
paths:
  /ping:
    get:
      operationId: ping
      responses: {"204": {description: It is there.}}
"""


@pytest.fixture
def ping(tmp_path: Path) -> Subject:
    """Return a contract with one operation, of which there is next to nothing to compare."""
    contract = tmp_path / "ping.yaml"
    contract.write_text(PING, encoding="utf-8")
    return subject_of(contract)


@dataclass(frozen=True, slots=True)
class Deaf(SendInOrder):
    """A deployment that returns one and the same response to every request (`family.Send`)."""

    status: int

    def __call__(self, operation: Operation | None, request: Request) -> Exchange:
        """Return the response."""
        headers = (("Content-Type", "application/json"), ("Date", "Fri, 27 Nov 2026 09:17:18 GMT"))
        return Exchange(
            operation=operation_label(operation) if operation is not None else "",
            request=request,
            answer=HttpResponse(status=self.status, headers=headers, body=b"{}"),
            sent_at=SENT_AT,
        )


def subjects() -> Iterator[Subject]:
    """Yield contracts with something for every family."""
    rows = ExpectedRows(source="rates.csv", rows=(ExpectedRow(values={"id": "a"}, place="rates.csv:2"),))
    yield replace(
        subject_at("http://127.0.0.1:1", own_contract(), ()),
        latency=LatencyLimits(general={95: 100.0}),
        expected=(ExpectedResponse(operation="listRates", items="/data", key=("id",), rows=rows),),
    )
    yield subject_of(LIBRARY)
    yield subject_of(VISITS)
    yield subject_of(SAMPLES)
    yield subject_of(PATRONS)
    yield subject_of(CLINIC)
    yield subject_of(DOWNLOADS)
    yield subject_of(CONTENTS)
    yield subject_of(LEDGER)


def outcomes(family: Family, send: Deaf) -> set[str]:
    """Return the outcomes of the probes of a family: `passed`, `failed`, `untested`."""
    found = set()
    for subject in subjects():
        for probe in family.probes(subject) if family.probes is not None else ():
            failures, needs = run_probe(probe, send)
            found.add("failed" if failures else "untested" if needs else "passed")
    return found


def ping_exchange(path: str = "/ping") -> Exchange:
    """Return an exchange with nothing to compare: 204, no header, no body."""
    request = Request(method="GET", url=f"http://127.0.0.1:1{path}")
    return Exchange(operation="GET /ping", request=request, answer=HttpResponse(status=204))


@pytest.mark.parametrize(
    "family",
    [other_family for other_family in FAMILIES if other_family.probes is not None],
    ids=lambda item: str(item.name),
)
def test_no_probe_passes_where_nothing_can_be_compared(family: Family) -> None:
    """On a deployment that knows nothing, a probe fails or says what it would need."""
    found = outcomes(family, Deaf(404))

    if family.name not in TRUE_OF_ANY_RESPONSE | WITH_OTHER_CREDENTIALS | TESTED_ELSEWHERE:
        assert found, "no contract of the tests has anything for it"
        assert "passed" not in found


@pytest.mark.parametrize(
    "family",
    [other_family for other_family in FAMILIES if other_family.sees is not None],
    ids=lambda item: str(item.name),
)
def test_no_check_of_exchanges_compares_an_empty_response(family: Family, ping: Subject) -> None:
    """What has neither headers nor a body is compared with its documented status only."""
    assert family.compares(ping, ping_exchange()) is (family.name in TRUE_OF_EMPTY_RESPONSES)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda item: str(item.name))
def test_a_family_without_its_comparisons_is_not_tested(family: Family) -> None:
    """Each family that compares nothing is listed, with what a contract or settings must have for it."""
    disabled, log = replace(family, probes=None, sees=None), RunLog(lambda _: None)
    log.finished_checks.add(family.name)

    gaps = [
        untested_check
        for untested_check in untested_checks([disabled], log)
        if untested_check.check == family.name
    ]

    assert [(gap.reason, gap.applies) for gap in gaps] == [(family.needs, False)]
    assert family.needs != Family(name="", summary="", words=family.words).needs


def test_a_check_of_some_operations_lists_the_others() -> None:
    """What was compared for one operation says nothing about another."""
    log = RunLog(lambda _: None)
    log.count_check("GET /a", "links", Source.DEVPORTAL, passed=True)
    log.untested_probes = {("links", "GET /a"): "a value", ("links", "GET /b"): "a value"}

    gaps = [
        untested_check
        for untested_check in untested_checks([links.FAMILY], log)
        if untested_check.check == "links"
    ]

    assert gaps == [UntestedCheck(check="links", reason="a value", operation="GET /b")]


def test_an_unfinished_run_names_the_checks_that_it_did_not_come_to() -> None:
    """They need a run that ends, whatever the contract has for them."""
    gaps = [*untested_checks(FAMILIES, RunLog(lambda _: None), is_finished=False)]

    assert {gap.check for gap in gaps} == {*(family.name for family in FAMILIES), *COMPARISONS}
    assert {gap.reason for gap in gaps} == {NOT_REACHED}


def test_each_check_of_schemathesis_has_its_comparison(ping: Subject) -> None:
    """Those of the list have one, and an empty response passes only what is true of it."""
    case = Case(phase="fuzzing", exchange=ping_exchange())
    compared = {
        comparison for comparison in COMPARISONS if is_compared(comparison, case, ping, CaseHistory())
    }

    assert COMPARISONS.keys() == {schemathesis_check.name for schemathesis_check in SCHEMATHESIS_CHECKS}
    assert compared == {"not_a_server_error", "status_code_conformance"}


def test_what_is_deleted_and_created_in_sequences_is_compared_afterwards(ping: Subject) -> None:
    """A read of a deleted path tests that it is gone; before, there was nothing to compare."""
    history, read = CaseHistory(), Case(phase=STATEFUL, exchange=ping_exchange())
    delete = replace(read.exchange.request, method="DELETE")
    checks = ("use_after_free", "ensure_resource_availability")
    before = [is_compared(check, read, ping, history) for check in checks]
    for method in ("DELETE", "POST"):
        request = replace(delete, method=method)
        history.add(replace(read, exchange=replace(read.exchange, request=request)))

    assert before == [False, False]
    assert [is_compared(check, read, ping, history) for check in checks] == [True, True]


@pytest.mark.conformance
def test_a_run_has_each_check_once(tmp_path: Path) -> None:
    """On a server with one operation each check compared something or is not tested, in JUnit too."""
    contract = tmp_path / "ping.yaml"
    contract.write_text(PING, encoding="utf-8")
    with serving(Starlette(routes=[Route("/ping", lambda _: Response(status_code=204))])) as url:
        result = run(url, contract=contract, token="", phases=("coverage", "fuzzing"))
    junit = fromstring(to_junit(conformance_report(result)))  # noqa: S314 - our own XML
    passed = {element.get("name") for element in junit.iter("testcase") if not len(element)}
    skipped = {
        element.get("name") for element in junit.iter("testcase") if element.find("skipped") is not None
    }

    assert result.is_clean, describe_result(result)
    assert passed & skipped == set()
    named = {check.name for title, group in checks_by_group(()) if title != "After a run" for check in group}
    assert passed | skipped == named
    assert passed == {
        *TRUE_OF_EMPTY_RESPONSES,
        *("head", "methods", "clock", "leaked-internals", "odd-bodies", "odd-parameters"),
        *("not_a_server_error", "status_code_conformance", "positive_data_acceptance"),
    }
