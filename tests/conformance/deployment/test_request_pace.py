"""How a run behaves: it only reads, asks slowly, ends in time, and brings its own certificate."""

import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from starlette.requests import Request as Asked
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from devportal.conformance.deployment import client as deployment_module
from devportal.conformance.deployment.client import Deployment, RequestPolicy, RunTimeout
from devportal.conformance.deployment.exchange import Request
from devportal.conformance.deployment.http_connection import ConnectionSettings
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.deployment.pace import Pace
from devportal.conformance.results.result import UNFINISHED
from devportal.conformance.run.execute import exit_code
from devportal.conformance.run.options import Gate, Options, Profile, Selection
from devportal.conformance.run.run import run_conformance
from devportal.conformance.schemathesis.settings import TRUST_FILE, schemathesis_settings
from devportal.errors import InvalidSettings
from tests.apps.faulty import MissingField
from tests.apps.parcels import TOKEN, Parcels
from tests.apps.serving import never_answer, serving
from tests.conformance.credential_sets import single_credential
from tests.conformance.running import (
    CONTRACT,
    NOW,
    blocking_failures,
    describe_result,
    run_schemathesis,
    subject_of,
)
from tests.waiting import PATIENCE_S

OPTIONS = Options(
    url="http://127.0.0.1:1",
    contract=CONTRACT,
    credentials=single_credential(TOKEN),
    profile=Profile(name="test", phases=("examples", "coverage"), max_examples=1),
    gate=Gate.ALL,
    policy=RequestPolicy(timeout_s=PATIENCE_S),
)


class Watched(Parcels):
    """The good server, which notes what it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, str, float]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Note it, then answer."""
        self.asked.append((scope["method"], scope["path"], time.monotonic()))
        await super().__call__(scope, receive, send)


class Clock:
    """The time of a deployment: it goes as usual, and leaps on when it is told to."""

    def __init__(self) -> None:
        self.ahead_s = 0.0

    def monotonic(self) -> float:
        """Return what a stopwatch shows."""
        return time.monotonic() + self.ahead_s

    time = staticmethod(time.time)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Return the clock of all deployments."""
    leaping = Clock()
    monkeypatch.setattr(deployment_module, "time", leaping)
    return leaping


class Leaping(MissingField):
    """A server with a fault, which takes an hour for one of its answers."""

    def __init__(self, clock: Clock, *, after: int) -> None:
        super().__init__()
        self.clock, self.left = clock, after

    async def answer(self, request: Asked) -> Response:
        """Let the time go by, then answer."""
        self.left -= 1
        if not self.left:
            self.clock.ahead_s = 3600
        return await super().answer(request)


@pytest.mark.conformance
def test_a_run_that_only_reads_sends_nothing_else() -> None:
    """For production: no request could have changed anything, and what was left out is told."""
    server = Watched()
    with serving(server) as url:
        options = replace(OPTIONS, url=url, policy=RequestPolicy(timeout_s=PATIENCE_S, is_read_only=True))
        result = run_conformance(options, now=lambda: NOW)

    assert {method for method, _, _ in server.asked} <= {"GET", "HEAD", "OPTIONS"}
    assert len(server.asked) > 20
    assert [operation.label for operation in result.operations] == [
        "GET /v1/parcels/{parcelId}",
        "GET /v1/health",
    ]
    assert "POST /v1/parcels" in {gap.operation for gap in result.gaps if gap.check == "read-only"}
    assert result.is_clean, describe_result(result)


@pytest.mark.deep
@pytest.mark.conformance
def test_schemathesis_refuses_what_is_not_safe() -> None:
    """Should it be asked to create things all the same, its hooks stop that."""
    server = Watched()
    create = replace(subject_of(), operations=subject_of().operations[:1])
    with serving(server) as url:
        options = replace(OPTIONS, url=url, policy=RequestPolicy(timeout_s=PATIENCE_S, is_read_only=True))
        outcome = run_schemathesis(create, options, on_case=lambda _: None)

    assert {method for method, _, _ in server.asked} <= {"GET"}
    assert any("this run only reads" in error.message for error in outcome.errors)


@pytest.mark.deep
@pytest.mark.conformance
def test_schemathesis_keeps_the_rate() -> None:
    """The limit is for everything that a run sends."""
    server = Watched()
    health = replace(subject_of(), operations=subject_of().operations[2:])
    with serving(server) as url:
        options = replace(OPTIONS, url=url, policy=RequestPolicy(timeout_s=PATIENCE_S, rate_per_s=10))
        run_schemathesis(health, options, on_case=lambda _: None)

    times = [at for _, _, at in server.asked]
    assert len(times) > 3
    # Half of the limit is left to the probes of our own that are sent meanwhile. A request that arrives late
    # seems nearer to those after it: one of the earlier ones came in time.
    pauses = len(times) - 1
    assert any(times[-1] - times[at] >= 0.9 * (pauses - at) / 5 for at in range(pauses // 2 + 1))


def test_pace_spreads_requests() -> None:
    """Ten in a second are one in each tenth, and a pause is not made up for."""
    pace = Pace(10)

    waits = [pace.wait_s(100.0), pace.wait_s(100.0), pace.wait_s(100.0), pace.wait_s(105.0)]

    assert waits == pytest.approx([0, 0.1, 0.2, 0])
    assert Pace(0).wait_s(1) == 0


@pytest.mark.conformance
def test_a_run_whose_time_is_over_tells_what_it_has(clock: Clock) -> None:
    """It ends before all is tried: no verdict on what was not."""
    server = Leaping(clock, after=30)
    with serving(server) as url:
        options = replace(OPTIONS, url=url, policy=RequestPolicy(timeout_s=PATIENCE_S, max_time_s=3600))
        result = run_conformance(options, now=lambda: NOW)

    assert server.left <= 0
    assert UNFINISHED in {blocking_failure.title for blocking_failure in blocking_failures(result)}
    assert not any(failure.title == "no request succeeded" for failure in result.failures)
    assert sum(operation.cases for operation in result.operations) > 0


def test_what_was_cut_short_is_no_verdict(clock: Clock) -> None:
    """With nothing wrong but the time, a run cannot tell: 2. With a failure beside it, it can: 1."""
    with serving(Leaping(clock, after=10)) as url:
        options = replace(OPTIONS, url=url, policy=RequestPolicy(timeout_s=PATIENCE_S, max_time_s=3600))
        result = run_conformance(options, now=lambda: NOW)
    cut = next(failure for failure in result.failures if failure.title == UNFINISHED)
    other = replace(cut, check="methods", title="405 has no Allow header")

    assert exit_code(replace(result, failures=(cut,))) == 2
    assert exit_code(replace(result, failures=(cut, other))) == 1
    assert exit_code(replace(result, failures=())) == 0


def test_the_time_to_search_leaves_some_to_confirm() -> None:
    """Within the block requests end earlier, and after it they go on."""
    request = Request(method="GET", url="")
    with (
        serving(Parcels()) as url,
        Deployment(RequestPolicy(max_time_s=PATIENCE_S), mask=Mask()) as deployment,
    ):
        asked = replace(request, url=f"{url}/v1/health")
        with deployment.limit_time(0), pytest.raises(RunTimeout):
            deployment.send(asked)
        after = deployment.send(asked)

    assert after.status == 200


def test_no_request_outlasts_the_time_of_a_run() -> None:
    """Whoever is slow is not waited for beyond the end, and is not called silent for it: here that would take
    an hour.
    """

    async def never_answers(_scope: Scope, receive: Receive, _send: Send) -> None:
        await never_answer(receive)

    with serving(never_answers) as url:
        manners = RequestPolicy(timeout_s=3600, max_time_s=0.5)
        with Deployment(manners, mask=Mask()) as deployment, pytest.raises(RunTimeout):
            deployment.send(Request(method="GET", url=f"{url}/v1/health"))


def test_connection_reaches_schemathesis(tmp_path: Path) -> None:
    """Proxy, client certificate and authority are among its settings."""
    connection = ConnectionSettings(
        proxy="http://127.0.0.1:3128",
        certificate=tmp_path / "cert.pem",
        key=tmp_path / "key.pem",
        authority=tmp_path / "ca.pem",
    )

    values = schemathesis_settings(subject_of(), replace(OPTIONS, connection=connection))

    assert values["proxy"] == "http://127.0.0.1:3128"
    assert values["request-cert"] == str(tmp_path / "cert.pem")
    assert values["request-cert-key"] == str(tmp_path / "key.pem")
    assert values["tls-verify"] == TRUST_FILE


@pytest.mark.parametrize("proxy", ["foo", "http://u:hunter2@:x", "socks5://127.0.0.1:1", "http://"])
def test_a_bad_proxy_is_explained_and_not_quoted(proxy: str) -> None:
    """It may hold a password."""
    with pytest.raises(InvalidSettings, match="--proxy is not a URL") as caught:
        ConnectionSettings(proxy=proxy).check(datetime.now(UTC))

    assert "hunter2" not in str(caught.value)


def test_files_of_tls_are_checked(tmp_path: Path) -> None:
    """A key without a certificate, and files that are no PEM."""
    (tmp_path / "no.pem").write_text("no certificate")

    with pytest.raises(InvalidSettings, match="there is none"):
        ConnectionSettings(key=tmp_path / "no.pem").check(datetime.now(UTC))
    with pytest.raises(InvalidSettings, match=r"no\.pem cannot be read as a client certificate"):
        ConnectionSettings(certificate=tmp_path / "no.pem").check(datetime.now(UTC))
    with pytest.raises(InvalidSettings, match=r"gone\.pem cannot be read as an authority"):
        ConnectionSettings(authority=tmp_path / "gone.pem").check(datetime.now(UTC))


def test_values_that_are_there_are_used_in_half_of_the_cases() -> None:
    """Schemathesis draws them from a dictionary: success is seen, and what is not there is asked for too."""
    subject = subject_of().with_values({"/v1/parcels/{parcelId}": "pcl_example"})

    values = schemathesis_settings(subject, OPTIONS)

    read = next(
        operation
        for operation in values["operations"]
        if operation["include-name"] == "GET /v1/parcels/{parcelId}"
    )
    binding = read["parameters"]["path.parcelId"]
    assert values["dictionaries"][binding["dictionary"]] == {"values": ["pcl_example"]}
    assert 0 < binding["probability"] < 1


def test_a_shard_is_a_part_of_the_run() -> None:
    """The other parts are in other runs."""
    both = [
        {operation.path for operation in Selection(shard=number, shards=2).of(subject_of().operations)}
        for number in (1, 2)
    ]

    assert not both[0] & both[1]
    assert both[0] | both[1] == {operation.path for operation in subject_of().operations}


def test_an_operation_that_only_ever_gets_429_is_not_waited_for_again() -> None:
    """Two requests wait in vain, the third does not wait; after a success the next ones wait again."""
    waits: list[float] = []
    statuses = iter([429] * 13 + [204] + [429] * 6)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await Response(status_code=next(statuses))(scope, receive, send)

    policy = RequestPolicy(timeout_s=PATIENCE_S)
    with serving(app) as url, Deployment(policy, mask=Mask.of_secret(""), wait=waits.append) as deployment:
        seen = []
        for _ in range(5):
            exchange = deployment.send(Request(method="GET", url=f"{url}/"), operation="GET /")
            seen.append((exchange.status, len(waits)))

    assert seen == [(429, 5), (429, 10), (429, 10), (204, 10), (429, 15)]


def test_a_deployment_that_only_ever_returns_429_is_not_waited_for_by_each_operation() -> None:
    """Two requests wait in vain, whatever their operations; after the first success each operation counts."""
    pauses: list[float] = []
    statuses = iter([429] * 14 + [204] + [429] * 6)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await Response(status_code=next(statuses), headers={"Retry-After": "3"})(scope, receive, send)

    seen = []
    with (
        serving(app) as url,
        Deployment(RequestPolicy(timeout_s=PATIENCE_S), mask=Mask(), wait=pauses.append) as deployment,
    ):
        for name in ("a", "b", "c", "d", "e", "f"):
            sent = deployment.send(Request(method="GET", url=url), operation=name)
            seen.append((sent.status, len(pauses)))

    assert seen == [(429, 5), (429, 10), (429, 10), (429, 10), (204, 10), (429, 15)]
