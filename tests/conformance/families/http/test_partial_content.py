# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Parts of a content."""

import re
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from devportal.conformance.families.http.partial_content import FAMILY
from devportal.conformance.run.run_log import RunLog
from tests.conformance.families.asking import run_family
from tests.conformance.running import subject_of

CONTRACT = Path(__file__).parent / "downloads.yaml"
CONTENT = b"ten bytes!"
BINARY = "application/octet-stream"


class Downloads:
    """Serves one range as HTTP says. Each method is a promise; a faulty server overrides one."""

    content = CONTENT

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.answer(Request(scope, receive))(scope, receive, send)

    def answer(self, request: Request) -> Response:
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", request.headers.get("range", ""))
        if asked is None:
            return Response(self.content, media_type=BINARY)
        first, last = int(asked[1]), int(asked[2] or len(self.content) - 1)
        if first >= len(self.content):
            return self.beyond()
        return self.part(first, min(last, len(self.content) - 1))

    def beyond(self) -> Response:
        return Response(status_code=416, headers={"Content-Range": f"bytes */{len(self.content)}"})

    def part(self, first: int, last: int) -> Response:
        return self.partial(self.content[first : last + 1], f"bytes {first}-{last}/{len(self.content)}")

    def partial(self, body: bytes, stated: str) -> Response:
        return Response(body, 206, {"Content-Range": stated}, BINARY)


class SendsMore(Downloads):
    """Serves one more byte than it was asked for, and says so: servers may."""

    def part(self, first: int, last: int) -> Response:
        return super().part(first, last + 1)


class KnowsNoLength(Downloads):
    def part(self, first: int, last: int) -> Response:
        return self.partial(self.content[first : last + 1], f"bytes {first}-{last}/*")


class ExcludesTheLast(Downloads):
    def part(self, first: int, last: int) -> Response:
        return self.partial(self.content[first:last], f"bytes {first}-{last}/{len(self.content)}")


class SendsAll(Downloads):
    def part(self, first: int, last: int) -> Response:
        return self.partial(self.content, f"bytes {first}-{last}/{len(self.content)}")


class CountsFromOne(Downloads):
    def part(self, first: int, last: int) -> Response:
        return self.partial(self.content[first - 1 : last], f"bytes {first}-{last}/{len(self.content)}")


class StatesTheLengthOfThePart(Downloads):
    def part(self, first: int, last: int) -> Response:
        return self.partial(self.content[first : last + 1], f"bytes {first}-{last}/{last + 1}")


class SwapsPositions(Downloads):
    def part(self, first: int, last: int) -> Response:
        return self.partial(self.content[first : last + 1], f"bytes {last}-{first - 1}/{len(self.content)}")


class StatesNothing(Downloads):
    def partial(self, body: bytes, stated: str) -> Response:  # noqa: ARG002 - a promise
        return Response(body, 206, media_type=BINARY)


class CallsPartsWhole(Downloads):
    def partial(self, body: bytes, stated: str) -> Response:
        return Response(body, 200, {"Content-Range": stated}, BINARY)


class ServesNothingBeyond(Downloads):
    def beyond(self) -> Response:
        return self.partial(b"", f"bytes 10-9/{len(self.content)}")


class FailsBeyond(Downloads):
    def beyond(self) -> Response:
        return Response(status_code=500)


class FailsOnRanges(Downloads):
    def part(self, first: int, last: int) -> Response:  # noqa: ARG002 - a promise
        return Response(status_code=500)


class IgnoresRanges(Downloads):
    def answer(self, request: Request) -> Response:  # noqa: ARG002 - a promise
        return Response(self.content, media_type=BINARY)


class ServesTwoBytes(Downloads):
    content = b"ok"


def log_of(app: Downloads) -> RunLog:
    return run_family(FAMILY, app, subject_of(CONTRACT))


@pytest.mark.parametrize("app", [Downloads(), SendsMore(), KnowsNoLength()])
def test_parts_as_http_allows_them_are_left_alone(app: Downloads) -> None:
    """Each has been tested, and passes."""
    log = log_of(app)

    assert [failure.title for failure in log.failures] == []
    assert log.untested_probes == {}


@pytest.mark.parametrize(
    ("app", "title"),
    [
        (ExcludesTheLast(), "a part has another length than its Content-Range"),
        (SendsAll(), "a part has another length than its Content-Range"),
        (CountsFromOne(), "a part is not the one that its Content-Range states"),
        (StatesTheLengthOfThePart(), "Content-Range states another length of the whole"),
        (SwapsPositions(), "Content-Range is not valid"),
        (StatesNothing(), "206 has no Content-Range"),
        (CallsPartsWhole(), "a part of a content has the status of the whole"),
        (ServesNothingBeyond(), "a range beyond the content is not rejected with 416"),
        (FailsBeyond(), "a range beyond the content is not rejected with 416"),
        (FailsOnRanges(), "a range is a server error"),
    ],
)
def test_wrong_parts_are_found(app: Downloads, title: str) -> None:
    """Each is confirmed."""
    failures = log_of(app).failures

    assert [(failure.title, failure.fails) for failure in failures] == [(title, True)]


@pytest.mark.parametrize("app", [IgnoresRanges(), ServesTwoBytes()])
def test_what_has_no_parts_is_not_tested(app: Downloads) -> None:
    """A server may ignore `Range` (RFC 9110 §14.2), and one byte of two proves little."""
    log = log_of(app)

    assert log.failures == []
    assert [*log.untested_probes] == [("partial-content", "GET /file")]
