# ruff: noqa: D102 - methods override promises: their names say it all
"""Accept: negotiated as HTTP says."""

from starlette.requests import Request

from devportal.conformance.families.accept import FAMILY
from tests.conformance.families.crates import Crates, Refusal, found, titles


class NoRanges(Crates):
    """Knows no weights and no ranges."""

    def acceptable(self, request: Request) -> None:
        if request.headers.get("accept", "*/*") not in ("*/*", "application/json"):
            raise Refusal(406, "there is JSON only")


class Deaf(Crates):
    """Does not look."""

    def acceptable(self, request: Request) -> None:
        assert request is not None


class Strict(Crates):
    """Breaks where a range has no slash."""

    def acceptable(self, request: Request) -> None:
        for one in request.headers.get("accept", "*/*").split(","):
            one.split("/")[1]
        super().acceptable(request)


def test_the_right_server_is_left_alone() -> None:
    """It understands ranges, weights and letter case."""
    assert not found(FAMILY, Crates())


def test_each_way_to_misread_accept() -> None:
    """Ranges that are not understood, a promised 406 that does not come, and a broken parser are found."""
    assert titles(FAMILY, NoRanges()) == {"an Accept that can be met is not understood"}
    assert titles(FAMILY, Deaf()) == {"an Accept that cannot be met is not rejected with 406"}
    assert titles(FAMILY, Strict()) == {"an unreadable Accept is a server error"}
