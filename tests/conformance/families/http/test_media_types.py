# ruff: noqa: D102, ARG002 - methods override promises: their names say it all
"""Media types of requests: every spelling of the right one, and no other."""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.http.media_types import FAMILY
from devportal.conformance.results.result import Standing
from tests.conformance.families.asking import run_family
from tests.conformance.families.servers.crates import CONTRACT, Crates, Refusal, failures_of, titles
from tests.conformance.running import subject_of


class WholeText(Crates):
    """Compares the header as it stands."""

    def media_type(self, request: Request) -> None:
        if request.headers.get("content-type") != "application/json":
            raise Refusal(415, "send JSON")


class Anything(Crates):
    """Does not look."""

    def media_type(self, request: Request) -> None:
        assert request is not None


class Nothing(Crates):
    """Knows no crates, whatever is sent."""

    def answer(self, request: Request, body: bytes) -> Response:
        raise Refusal(404, "there is nothing here")


class NeedsOne(Crates):
    """Breaks where there is none."""

    def media_type(self, request: Request) -> None:
        if request.headers["content-type"].partition(";")[0].lower() != "application/json":
            raise Refusal(415, "send JSON")


def test_the_right_server_is_left_alone() -> None:
    """It reads the header as HTTP says."""
    assert not failures_of(FAMILY, Crates())


def test_letter_case_and_charset_mean_nothing() -> None:
    """A header that is compared as a text is found; that nobody can write it in upper case is only noted."""
    failures = failures_of(FAMILY, WholeText())

    assert {(failure.title, failure.standing) for failure in failures} == {
        ("a media type in upper case is not understood", Standing.NOTE),
        ("a media type with charset=utf-8 is not understood", Standing.CONFIRMED),
    }


def test_other_media_types_are_refused() -> None:
    """A body that is read whatever it says it is, is found; so is a missing header that breaks the server."""
    assert titles(FAMILY, Anything()) == {"an undocumented media type is not rejected with 415"}
    assert titles(FAMILY, NeedsOne()) == {"an unreadable media type is a server error"}


def test_a_class_of_statuses_promises_none_of_them(tmp_path: Path) -> None:
    """`4XX` allows 415 and does not promise it; nor is it asked for where a thing is not there."""
    contract = tmp_path / "crates.yaml"
    contract.write_text(CONTRACT.read_text().replace("'415'", "'4XX'"))

    assert not run_family(FAMILY, Anything(), subject_of(contract)).failures
    assert not failures_of(FAMILY, Nothing())
