# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""Deployments that go down: what was found before is told, and what may bring one down comes last."""

from collections.abc import Callable

import pytest
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from devportal.conformance.results.result import UNFINISHED
from tests.apps.faulty import RepeatedIds
from tests.apps.parcels import Parcels
from tests.apps.serving import never_answer, serve_stoppable, serving
from tests.conformance.running import SILENT_AFTER_S, blocking_failures, describe_result, run


class Fragile(RepeatedIds):
    """Goes down for good, without an answer, where a request is deadly."""

    def __init__(self, die: Callable[[], None], is_deadly: Callable[[Request], bool]) -> None:
        super().__init__()
        self.die, self.is_deadly = die, is_deadly

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.is_deadly(Request(scope)):
            self.die()
            await never_answer(receive)
            return
        await super().__call__(scope, receive, send)


class Fallen(Fragile):
    """Says nothing from a deadly request on, and goes on listening."""

    is_silent = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.is_silent = self.is_silent or self.is_deadly(Request(scope))
        if self.is_silent:
            await never_answer(receive)
            return
        await super().__call__(scope, receive, send)


class Hiccups(RepeatedIds):
    """Says nothing once, when it is asked last of all whether it is still there."""

    is_near_the_end, has_failed = False, False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.is_near_the_end = self.is_near_the_end or Request(scope).headers.get("accept") == ";;;"
        if self.is_near_the_end and not self.has_failed and scope["path"] == "/":
            self.has_failed = True
            await never_answer(receive)
            return
        await super().__call__(scope, receive, send)


def test_what_may_bring_a_server_down_is_asked_last() -> None:
    """A server that an unreadable Accept kills has all its other faults told, and this one."""
    with serve_stoppable(
        lambda die: Fragile(die, lambda request: request.headers.get("accept") == ";;;")
    ) as url:
        result = run(url, phases=("examples",))

    assert not result.is_clean
    assert not result.is_undecided
    assert {"unique-ids", "whole-run"} == {
        blocking_failure.check for blocking_failure in blocking_failures(result)
    }, describe_result(result)
    down = next(
        blocking_failure
        for blocking_failure in blocking_failures(result)
        if blocking_failure.check == "whole-run"
    )
    assert down.title == "the deployment went down", (down, describe_result(result))
    assert down.exchange is not None
    assert dict(down.exchange.request.headers)["Accept"] == ";;;"


def test_a_server_that_is_switched_off_leaves_a_run_undecided() -> None:
    """Where all requests were answered until a server went, the run did not finish: no fault is known."""
    asked: list[str] = []

    def is_late(request: Request) -> bool:
        asked.append(request.url.path)
        return len(asked) == 60

    class Off(Parcels):
        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            is_last = is_late(Request(scope))

            async def closing(message: Message) -> None:
                if is_last and message["type"] == "http.response.start":
                    message["headers"] = [*message["headers"], (b"connection", b"close")]
                await send(message)

            await super().__call__(scope, receive, closing)
            if is_last:
                self.die()

        die: Callable[[], None]

    def make_app(die: Callable[[], None]) -> Off:
        app = Off()
        app.die = die
        return app

    with serve_stoppable(make_app) as url:
        result = run(url, phases=("examples",))

    assert [blocking_failure.title for blocking_failure in blocking_failures(result)] == [UNFINISHED], (
        describe_result(result)
    )
    assert result.is_undecided


@pytest.mark.deep
def test_what_was_told_before_a_server_went_is_in_the_result() -> None:
    """A fault that our checks have confirmed stands, though Schemathesis' first request is the last."""
    with serve_stoppable(lambda die: Fragile(die, _is_of_schemathesis)) as url:
        result = run(url, phases=("examples",))

    assert {"unique-ids", "whole-run"} == {
        blocking_failure.check for blocking_failure in blocking_failures(result)
    }, describe_result(result)
    assert not result.is_undecided


@pytest.mark.deep
def test_a_server_that_falls_silent_keeps_its_faults() -> None:
    """It takes connections and answers none any more: that is told beside what was found before."""
    fallen: list[Fallen] = []

    def make_app(die: Callable[[], None]) -> Fallen:
        fallen.append(Fallen(die, lambda request: request.headers.get("accept") == ";;;"))
        return fallen[0]

    with serve_stoppable(make_app) as url:
        result = run(url, phases=("examples",), timeout_s=SILENT_AFTER_S)
        fallen[0].die()  # its connections are still open

    assert {"unique-ids", "whole-run"} <= {
        blocking_failure.check for blocking_failure in blocking_failures(result)
    }, describe_result(result)
    gone = next(
        blocking_failure
        for blocking_failure in blocking_failures(result)
        if blocking_failure.check == "whole-run"
    )
    assert "does not respond any more" in gone.message


@pytest.mark.deep
def test_one_answer_that_does_not_come_is_no_end() -> None:
    """A deployment is asked more than once before it is said to have gone."""
    app = Hiccups()
    with serving(app) as url:
        result = run(url, phases=("examples",), timeout_s=SILENT_AFTER_S)

    assert app.has_failed
    assert {"unique-ids"} == {blocking_failure.check for blocking_failure in blocking_failures(result)}, (
        describe_result(result)
    )


def _is_of_schemathesis(request: Request) -> bool:
    return "x-schemathesis-testcaseid" in request.headers
