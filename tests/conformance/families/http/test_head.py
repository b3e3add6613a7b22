# ruff: noqa: D102 - methods override promises: their names say it all
"""HEAD: what it says of GET is true."""

import gzip

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from devportal.conformance.families.http.head import FAMILY
from tests.conformance.families.asking import run_family
from tests.conformance.families.http.test_partial_content import CONTRACT, Downloads
from tests.conformance.families.servers.boxes import Boxes, Caller
from tests.conformance.families.servers.crates import Crates, Refusal, failures_of, titles
from tests.conformance.running import subject_of


class OtherStatus(Crates):
    """Answers HEAD with 204."""

    def answer(self, request: Request, body: bytes) -> Response:
        response = super().answer(request, body)
        if request.method == "HEAD":
            response.status_code = 204
        return response


class OtherContent(Crates):
    """Answers HEAD by hand."""

    def answer(self, request: Request, body: bytes) -> Response:
        response = super().answer(request, body)
        return Response(b"", media_type="text/plain") if request.method == "HEAD" else response


class CompressesGet(OtherContent):
    """Compresses for who accepts it, and answers HEAD by hand."""

    def answer(self, request: Request, body: bytes) -> Response:
        response = super().answer(request, body)
        if request.method == "GET" and "gzip" in request.headers.get("accept-encoding", ""):
            response.body = gzip.compress(bytes(response.body))
            response.headers["Content-Encoding"] = "gzip"
            response.headers["Content-Length"] = str(len(response.body))
        return response


class Refuses(Crates):
    """Answers HEAD with a refusal of its own."""

    status = 501

    def answer(self, request: Request, body: bytes) -> Response:
        if request.method == "HEAD":
            raise Refusal(self.status, "that is no method of ours")
        return super().answer(request, body)


class Breaks(Refuses):
    """Has nothing to leave the content away from."""

    status = 500


class OpenHead(Boxes):
    """Asks nobody who sends HEAD who he is."""

    is_head = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_without_body(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        self.is_head = scope["method"] == "HEAD"
        if self.is_head:
            await super().__call__({**scope, "method": "GET"}, receive, send_without_body)
        else:
            await super().__call__(scope, receive, send)

    def caller(self, request: Request) -> Caller:
        return Caller(account="main") if self.is_head else super().caller(request)


def test_the_right_server_is_left_alone() -> None:
    """HEAD is GET without its content."""
    assert not failures_of(FAMILY, Crates())


def test_head_that_says_otherwise() -> None:
    """Another status, another media type and another length are found."""
    assert titles(FAMILY, OtherStatus()) == {"HEAD has another status than GET"}
    assert titles(FAMILY, OtherContent()) == {
        "HEAD has another Content-Type than GET",
        "HEAD has another Content-Length than GET",
    }


def test_head_may_be_refused_and_breaks_nothing() -> None:
    """501 says that HEAD is not known; 500 says that it broke the server."""
    assert not failures_of(FAMILY, Refuses())
    assert titles(FAMILY, Breaks()) == {"HEAD is a server error"}


def test_head_asks_for_a_credential_too() -> None:
    """A way in by HEAD is found; a server that knows no HEAD is left alone."""
    assert not run_family(FAMILY, Boxes()).failures
    assert {failure.title for failure in run_family(FAMILY, OpenHead()).failures} == {
        "HEAD gets in without a credential"
    }


def test_a_server_that_compresses_is_compared_too() -> None:
    """HEAD is compared with a GET that accepts no compression."""
    assert titles(FAMILY, CompressesGet()) == titles(FAMILY, OtherContent())


class HeadOfAnotherFile(Downloads):
    """Answers the HEAD that its contract declares with the length of something else."""

    status = 200

    def answer(self, request: Request) -> Response:
        if request.method == "HEAD":
            return Response(b"another file", self.status, media_type="application/octet-stream")
        return super().answer(request)


class HeadWithAStatusOfItsOwn(HeadOfAnotherFile):
    status = 204


def test_a_head_that_the_contract_declares_is_compared_too() -> None:
    """The contract states its status: another one than that of GET makes it another response."""
    subject = subject_of(CONTRACT)

    assert not run_family(FAMILY, Downloads(), subject).failures
    assert not run_family(FAMILY, HeadWithAStatusOfItsOwn(), subject).failures
    assert {failure.title for failure in run_family(FAMILY, HeadOfAnotherFile(), subject).failures} == {
        "HEAD has another Content-Length than GET"
    }
