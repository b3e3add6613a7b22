"""A JSON report read back."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.conformance.deployment.exchange import Exchange, HttpResponse, Request
from devportal.conformance.results.json_report import parse_json_report, result_schema
from devportal.conformance.results.result import (
    BaselineWarning,
    ContractPart,
    CoveredConstraint,
    CoveredPart,
    Failure,
    KnownFailure,
    Latency,
    Result,
    RunWarning,
    Shard,
    Source,
    Standing,
    UntestedCheck,
)
from devportal.conformance.results.wording import check_page
from devportal.errors import Place, UnreadableInput
from devportal.reporting import Format
from tests.conformance.values import FAILURE, LABEL, result, write_result

SCHEMA = jsonschema_rs.Draft202012Validator(result_schema())
texts = st.text(st.characters(codec="utf-8"), max_size=20)
counts = st.integers(min_value=0, max_value=10**6)
times = st.floats(min_value=0, max_value=1e6, allow_nan=False)
headers = st.lists(st.tuples(texts, texts), max_size=3).map(tuple)
places = st.builds(Place, file=texts, line=counts, column=counts)
digests = st.text("0123456789abcdef", min_size=16, max_size=16)
requests = st.builds(
    Request,
    method=texts,
    url=texts,
    headers=headers,
    body=st.none() | st.binary(max_size=20),
    complete=st.booleans(),
)
answers = st.builds(
    HttpResponse, status=counts, headers=headers, body=st.binary(max_size=20), elapsed_s=times
)
exchanges = st.builds(
    Exchange,
    request=requests,
    answer=st.none() | answers,
    operation=texts,
    is_valid=st.booleans(),
    unanswered=texts,
    sent_at=times,
)
failures = st.builds(
    Failure,
    check=texts,
    source=st.sampled_from(Source),
    title=texts,
    message=texts,
    operation=texts,
    code=texts,
    where=texts,
    promise=st.none() | places,
    promise_text=texts,
    exchange=st.none() | exchanges,
    chain=st.lists(exchanges, max_size=2).map(tuple),
    count=st.integers(min_value=1, max_value=10**6),
    seen_in=st.lists(digests, max_size=2).map(tuple),
    standing=st.sampled_from(Standing),
    gates=st.booleans(),
    known=st.none()
    | st.builds(KnownFailure, reason=texts, expires=st.dates(min_value=date(1000, 1, 1)), owner=texts),
)


@st.composite
def results(draw: st.DrawFn) -> Result:
    """Return any result of one operation."""
    base = result(*draw(st.lists(failures, max_size=2)))
    latencies = st.builds(Latency, p50_ms=times, p95_ms=times, p99_ms=times, slowest_ms=times)
    constraints = st.builds(
        CoveredConstraint,
        where=texts.filter(bool),
        in_response=st.booleans(),
        keyword=texts.filter(bool),
        value=texts,
        obeyed=st.none() | counts,
        broken=st.none() | counts,
    )
    operation = replace(
        base.operations[0],
        latency=draw(st.none() | latencies),
        constraints=tuple(draw(st.lists(constraints, max_size=2))),
    )
    exercised = st.builds(
        CoveredPart, part=st.sampled_from(ContractPart), operation=texts, name=texts, count=counts
    )
    warned = st.builds(
        RunWarning,
        kind=texts,
        subjects=st.lists(texts, max_size=2).map(tuple),
        message=texts,
        gates=st.booleans(),
    )
    doubts = st.builds(BaselineWarning, place=places, operation=texts, about=texts, reason=texts)
    return replace(
        base,
        started_at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=draw(counts)),
        duration_s=draw(times),
        operations=(operation,),
        warnings=tuple(draw(st.lists(warned, max_size=2))),
        gaps=tuple(
            draw(st.lists(st.builds(UntestedCheck, check=texts, reason=texts, operation=texts), max_size=2))
        ),
        coverage=tuple(draw(st.lists(exercised, max_size=2))),
        doubts=tuple(draw(st.lists(doubts, max_size=2))),
        hints=tuple(draw(st.lists(texts, max_size=2))),
        assumptions=tuple(draw(st.lists(texts, max_size=2))),
        shard=Shard(number=draw(st.integers(1, 9)), of=9),
        site=draw(texts),
        min_coverage=draw(st.none() | st.integers(0, 100)),
    )


@given(results())
def test_what_is_written_is_read_back(value: Result) -> None:
    """Nothing of a result is lost, and each report keeps the published schema."""
    text = write_result(value, Format.JSON)

    SCHEMA.validate(json.loads(text))
    assert parse_json_report(text, name="a.json") == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "this is not JSON"),
        ("[]", "it names no format"),
        ('{"format": 99}', "its format is 99"),
        ('{"format": 1}', "this is not a result of a conformance run"),
    ],
)
def test_another_file_is_explained(text: str, message: str) -> None:
    """With its name and what to give."""
    with pytest.raises(UnreadableInput) as caught:
        parse_json_report(text, name="a.json")

    assert str(caught.value).startswith("a.json: ")
    assert message in str(caught.value)
    assert "--json FILE" in str(caught.value)


def test_the_place_of_a_fault_in_a_report_is_told() -> None:
    """Somebody may have edited it."""
    data: dict[str, Any] = json.loads(write_result(result(FAILURE), Format.JSON))
    data["failures"][0]["standing"] = "doubtful"

    with pytest.raises(UnreadableInput, match="failures/0/standing"):
        parse_json_report(json.dumps(data), name="a.json")


def test_a_report_says_how_to_reproduce() -> None:
    """All commands of a chain in their order, the check's page, and what the contract says."""
    assert FAILURE.exchange is not None
    before = replace(FAILURE.exchange, request=replace(FAILURE.exchange.request, method="PUT"))
    told = json.loads(
        write_result(
            replace(result(replace(FAILURE, chain=(before,))), site="https://portal.example/"), Format.JSON
        )
    )

    (failure,) = told["failures"]
    (script,) = failure["reproduce"]
    assert [item.split()[0] for item in script.split(" -X ")[1:]] == ["PUT", "POST"]
    assert failure["page"] == check_page("https://portal.example/", "unique-ids")
    assert failure["promise_text"] == "id:\n  type: string"
    assert failure["operation"] == LABEL


def test_a_report_of_before_is_read() -> None:
    """Reports without constraints, which a portal keeps, have none."""
    data = json.loads(write_result(result(), Format.JSON))
    for operation in data["operations"]:
        del operation["constraints"]
    del data["run"]["min_coverage"]

    assert parse_json_report(json.dumps(data), name="r.json") == result()
