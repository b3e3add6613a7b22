"""One fault is one failure, however many checks see it."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from devportal.conformance.results.baseline import Baseline, BaselineEntry
from devportal.conformance.results.gravity import Gravity, failure_gravity
from devportal.conformance.results.json_report import parse_json_report
from devportal.conformance.results.result import Failure, KnownFailure, Source, Standing
from devportal.conformance.results.run_result import sort_failures
from devportal.conformance.results.wording import DROPPED_QUERY, VALUE_CHANGED, joined_texts
from devportal.conformance.run.joined_failures import (
    WENT_DOWN_TITLE,
    join_failures_of_last_request,
    join_same_failures,
)
from devportal.errors import Place
from devportal.reporting import Format
from tests.conformance.values import FAILURE, exchange, result, write_result

PARAMETER = Place(file="parcels.yaml", line=9, column=11)
RESPONSES = Place(file="parcels.yaml", line=20, column=7)
TODAY = date(2026, 11, 21)


def failure(name: str, status: int = 200, **changes: Any) -> Failure:
    """Return a failure of a check about a parameter."""
    source = Source.SCHEMATHESIS if "_" in name else Source.DEVPORTAL
    shown = replace(
        FAILURE, check=name, source=source, title=name, exchange=exchange(status), promise=PARAMETER
    )
    return replace(shown, **changes)


def test_one_fault_has_the_name_that_says_most() -> None:
    """Ours comes before that of Schemathesis; the count and the evidence of both stay."""
    ours, theirs = failure("boundary-values", count=2), failure("negative_data_rejection", count=7)

    (joined,) = join_same_failures([theirs, ours])

    assert (joined.check, joined.count) == ("boundary-values", 9)
    assert joined.also == (theirs,)
    assert joined.fingerprint == ours.fingerprint
    assert joined_texts(joined) == (f"negative_data_rejection [negative_data_rejection]: {theirs.message}",)


def test_a_link_that_drops_the_query_is_one_failure() -> None:
    """Pages of another size, a lost filter and a lost order have that cause; other failures have others."""
    dropped = [
        failure(name, title=DROPPED_QUERY) for name in ("filters", "pagination", "pagination", "sorting")
    ]
    other = failure("filters", title="the filter 'state' loses items")

    joined = join_same_failures([*dropped, other])

    assert {(each.check, each.title, len(each.also)) for each in joined} == {
        ("filters", "the filter 'state' loses items", 0),
        ("pagination", DROPPED_QUERY, 3),
    }


@pytest.mark.parametrize(
    "changes",
    [
        {"operation": "GET /v1/parcels"},
        {"promise": RESPONSES},
        {"exchange": exchange(500)},
        {"exchange": None},
        {"standing": Standing.NOTE},
        {"check": "boundary-values"},
        {"check": "pagination"},
    ],
)
def test_other_faults_stay_apart(changes: dict[str, Any]) -> None:
    """Another operation, promise, class of status or topic is another fault."""
    found = [failure("boundary-values"), failure("negative_data_rejection", **changes)]

    assert {join_same_failure.fingerprint for join_same_failure in join_same_failures(found)} == {
        item.fingerprint for item in found
    }


def test_a_server_error_that_is_not_documented_is_one_failure() -> None:
    """The status is undocumented because of what caused it."""
    cause = failure("json-types", 500)
    status = failure("status_code_conformance", 500, code="ST103", promise=RESPONSES)
    ours = failure("documented-responses", 500, title="500: undocumented status", promise=RESPONSES)

    (joined,) = join_same_failures([status, ours, cause])

    assert joined.check == "json-types"
    assert set(joined.also) == {status, ours}


def test_the_keywords_that_one_body_breaks_are_one_failure() -> None:
    """A `null` breaks `type` and `enum`; another status or promise is another failure."""
    ours = failure("documented-responses", title="200: the body breaks its schema")
    kinds = failure("response_schema_conformance", where="/type"), failure("response_schema_conformance")
    elsewhere = failure("response_schema_conformance", promise=RESPONSES)

    joined = join_same_failures([kinds[0], elsewhere, ours, kinds[1]])

    assert [item.check for item in joined] == ["documented-responses", "response_schema_conformance"]
    assert joined[0].also == kinds


def test_a_missing_header_of_the_credential_is_a_missing_refusal() -> None:
    """Schemathesis leaves the header out as an input; the promise that it breaks is that of the 401."""
    ours, theirs = failure("authentication"), failure("missing_required_header")
    other = failure("missing_required_header", promise=RESPONSES)

    apart, joined = join_same_failures([theirs, other, ours])

    assert (joined.check, joined.also) == ("authentication", (theirs,))
    assert apart == other


def test_requests_without_a_credential_and_with_a_wrong_one_are_one_failure() -> None:
    """Schemathesis has a failure for each, and our check sends both."""
    found = [failure("ignored_auth", title=title) for title in ("no credential", "wrong credential")]

    (joined,) = join_same_failures([*found, failure("authentication")])

    assert (joined.check, len(joined.also)) == ("authentication", 2)
    assert len(join_same_failures(found)) == 2


def test_a_confirmed_failure_gives_the_name() -> None:
    """A failure that no replay reproduced does not hide one that counts."""
    fluke = failure("boundary-values", standing=Standing.NOT_REPRODUCED)

    (joined,) = join_same_failures([fluke, failure("negative_data_rejection")])

    assert joined.check == "negative_data_rejection"
    assert joined.fails


@pytest.mark.parametrize("check", ["boundary-values", "negative_data_rejection"])
def test_an_entry_of_the_baseline_for_any_of_them_accepts_the_fault(check: str) -> None:
    """Baselines that were written before keep their meaning, and their entries are met."""
    found = [failure("boundary-values"), failure("negative_data_rejection")]
    fingerprint = next(item.fingerprint for item in found if item.check == check)
    known = KnownFailure(reason="later", expires=TODAY)
    entry = BaselineEntry(check=check, fingerprint=fingerprint, known=known, place=PARAMETER)
    baseline = Baseline(entries=(entry,), today=TODAY)

    (joined,) = join_same_failures([baseline.mark_known(item) for item in found])

    assert joined.standing is Standing.KNOWN
    assert not list(baseline.doubts([joined], [], []))


def test_the_report_of_a_joined_failure_is_read_back() -> None:
    """Shards are merged with all that their reports hold."""
    joined = join_same_failures([failure("boundary-values"), failure("negative_data_rejection")])

    assert parse_json_report(write_result(result(*joined), Format.JSON), name="r").failures == joined


@pytest.mark.parametrize(
    ("found", "gravity"),
    [
        (failure("boundary-values", 500), Gravity.SERIOUS),
        (failure("created-things"), Gravity.SERIOUS),
        (failure("pagination"), Gravity.WRONG_DATA),
        (failure("boundary-values", 422), Gravity.WRONG_DATA),
        (failure("boundary-values"), Gravity.MISSING_REFUSAL),
        (failure("boundary-values", title=VALUE_CHANGED), Gravity.WRONG_DATA),
        (failure("filters"), Gravity.WRONG_DATA),
        (failure("response_headers_conformance"), Gravity.HEADERS),
        (failure("query-parameters", is_pedantic=True), Gravity.PEDANTIC),
    ],
)
def test_gravity(found: Failure, gravity: Gravity) -> None:
    """Server errors and lost data come first, what hardly any client sends last."""
    assert failure_gravity(found) is gravity


def test_failures_are_in_the_order_of_their_gravity() -> None:
    """What to fix first is first; what does not count is last."""
    serious, data = failure("boundary-values", 500), failure("pagination")
    pedantic = failure("query-parameters", is_pedantic=True)
    fluke = failure("answers", standing=Standing.NOT_REPRODUCED)

    ordered = sort_failures([fluke, pedantic, data, serious], result().operations)

    assert ordered == (serious, data, pedantic, fluke)


def server_error(title: str, body: str) -> Failure:
    """Return the failure of a malformed body that gets 500."""
    return failure("odd-bodies", 500, title=title, exchange=exchange(500, body))


def test_malformed_bodies_with_one_server_error_are_one_failure() -> None:
    """The response is all that is known of the cause; an identifier in it differs each time."""
    found = [server_error(title, f"Oops, trace {n}a4f00000{n}") for n, title in enumerate(("emoji", "NaN"))]

    (joined,) = join_same_failures(found)

    assert [member.title for member in joined.members] == ["emoji", "NaN"]


def test_malformed_bodies_with_other_responses_stay_apart() -> None:
    """Another server error, and what is no server error."""
    found = [
        server_error("emoji", "Oops"),
        server_error("NaN", "Out of range"),
        failure("odd-bodies", 200, title="deep", exchange=exchange(200, "Oops")),
        failure("odd-bodies", 200, title="long", exchange=exchange(200, "Oops")),
    ]

    assert len(join_same_failures(found)) == 4


def test_the_request_that_brought_a_deployment_down_is_one_failure() -> None:
    """Its check found no response, which is the same fault; another request is another."""
    silent = replace(exchange(200), answer=None)
    down = failure("whole-run", title=WENT_DOWN_TITLE, operation="", exchange=silent, promise=None)
    accept, other = failure("accept", exchange=silent), failure("accept", exchange=exchange(500))

    joined = join_failures_of_last_request([accept, down, other])

    assert [item.check for item in joined] == ["whole-run", "accept"]
    assert joined[0].also == (accept,)
    assert join_failures_of_last_request([accept, other]) == (accept, other)
