# ruff: noqa: D102 - methods are promises or override them: their names say it all
"""A credential that was valid once opens nothing; a run without one says so."""

from dataclasses import replace

from starlette.requests import Request

from devportal.conformance.families.security import expired_credentials
from tests.conformance.credential_sets import single_credential
from tests.conformance.families.asking import boxes, failed_operations, run_family
from tests.conformance.families.servers.boxes import EXPIRED, MAIN, Boxes, Caller

FAMILY = expired_credentials.FAMILY


class ForgetsTheEnd(Boxes):
    """Knows whose token it was, and not that it has ended."""

    def caller(self, request: Request) -> Caller:
        is_expired = request.headers.get("authorization") == f"Bearer {EXPIRED}"
        return Caller(account="main") if is_expired and request.method == "GET" else super().caller(request)


def test_a_server_that_refuses_it_is_silent() -> None:
    """401 on every operation is right, and all of them are asked."""
    log = run_family(FAMILY, Boxes())

    assert not log.failures
    assert not log.untested_checks
    assert len({name for name, check, _, passed in log.tallies if check == FAMILY.name and passed}) == 9


def test_a_server_that_forgets_the_end_is_told() -> None:
    """Each operation that still opens is told, the others are not, and no secret is shown."""
    log = run_family(FAMILY, ForgetsTheEnd())

    assert failed_operations(log.failures) == {
        ("GET /v1/boxes", "an expired or revoked credential is accepted"),
        ("GET /v1/boxes/{box_id}", "an expired or revoked credential is accepted"),
        ("GET /v1/moves/{move_id}", "an expired or revoked credential is accepted"),
        ("GET /v1/moves", "an expired or revoked credential is accepted"),
    }
    assert EXPIRED not in repr(log.failures)


class ForgetsWhoMayDelete(Boxes):
    def caller(self, request: Request) -> Caller:
        is_expired = request.headers.get("authorization") == f"Bearer {EXPIRED}"
        return (
            Caller(account="main") if is_expired and request.method == "DELETE" else super().caller(request)
        )


def test_what_can_be_done_once_is_told_too() -> None:
    """A deletion that succeeds is confirmed by another thing."""
    log = run_family(FAMILY, ForgetsWhoMayDelete())

    assert failed_operations(log.failures) == {
        ("DELETE /v1/boxes/{box_id}", "an expired or revoked credential is accepted")
    }


def test_without_one_there_is_a_gap() -> None:
    """What was not tested is not called passed, and what it needs is said."""
    log = run_family(FAMILY, Boxes(), replace(boxes(), parties=single_credential(MAIN)))

    assert ["DEVPORTAL_EXPIRED_TOKEN" in untested_check.reason for untested_check in log.untested_checks] == [
        True
    ]
    assert not log.tallies
