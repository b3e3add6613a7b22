"""What explains many failures at once."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from devportal.conformance.deployment.exchange import Exchange, HttpResponse
from devportal.conformance.run.preflight import failure_hints
from tests.conformance.running import subject_of
from tests.conformance.values import exchange

URL = "http://127.0.0.1:1/api"


def exchanges_with_status(status: int, *operations: str, count: int = 1, **headers: str) -> list[Exchange]:
    """Return exchanges whose response has a status (0: no response), of operations in turn."""
    names = operations or ("GET /v1/parcels",)
    made = HttpResponse(
        status=status, headers=tuple((name.replace("_", "-"), header) for name, header in headers.items())
    )
    return [
        replace(exchange(), operation=names[number % len(names)], answer=made if status else None)
        for number in range(count)
    ]


def hints_on(*exchanges: list[Exchange], url: str = URL) -> list[str]:
    """Return the hints on these exchanges."""
    return list(failure_hints(subject_of(url=url), [item for some in exchanges for item in some]))


def test_a_base_url_that_may_be_wrong_is_asked_about() -> None:
    """Nearly all answers are 404; the path of the contract's server is named where it is another."""
    (hint,) = hints_on(exchanges_with_status(401, count=3), exchanges_with_status(404, count=97))

    assert hint.startswith("97 of 100 responses are 404. Is http://127.0.0.1:1/api the base URL?")
    assert hint.endswith("try http://127.0.0.1:1.")


def test_a_path_that_is_the_contracts_is_not_put_forward() -> None:
    """Only the question is left."""
    assert hints_on(exchanges_with_status(404, count=9), url="http://127.0.0.1:1") == [
        "9 of 9 responses are 404. Is http://127.0.0.1:1 the base URL?"
    ]


@pytest.mark.parametrize(
    "counts",
    [{}, {0: 9}, {200: 11, 404: 89}, {200: 20, 302: 80}, {304: 10}, {200: 100, 502: 4}, {200: 10, 0: 20}],
)
def test_a_run_that_found_something_is_not_asked(counts: Mapping[int, int]) -> None:
    """Many 404 are right where identifiers are made up, and some answers are lost anywhere."""
    names = ("GET /v1/parcels", "POST /v1/parcels", "GET /v1/health")

    assert (
        hints_on(*(exchanges_with_status(status, *names, count=count) for status, count in counts.items()))
        == []
    )


def test_a_login_in_front_is_asked_about() -> None:
    """Whether it answers with its page at once, or leads to it."""
    pages = exchanges_with_status(200, count=60, content_type="text/html; charset=utf-8")
    (page,) = hints_on(pages, exchanges_with_status(401, count=2))
    assert page.startswith("60 of 62 responses are pages of HTML")

    (way,) = hints_on(exchanges_with_status(302, count=60, location="https://login.example.com/?next=%2F"))
    assert way.startswith("60 of 60 responses lead elsewhere, such as to 'https://login.example.com/")
    assert all(text.endswith("in front of the deployment?") for text in (page, way))


def test_an_unsteady_gateway_is_told_once() -> None:
    """Every check meets it, and tells it in words of its own."""
    names = ("GET /v1/parcels", "POST /v1/parcels", "GET /v1/health")
    lost = exchanges_with_status(502, *names, count=20) + exchanges_with_status(0, *names, count=3)

    (hint,) = hints_on(exchanges_with_status(200, *names, count=977), lost)
    assert hint.startswith("23 of 1000 requests, of 3 operations, got no response, 502: ")
    assert (
        hints_on(
            exchanges_with_status(200, *names, count=977), exchanges_with_status(502, *names[:2], count=20)
        )
        == []
    )


@pytest.mark.parametrize("status", [401, 403])
def test_a_token_that_opens_nothing_is_asked_about(status: int) -> None:
    """Some frameworks reject an unreadable token with 403, which no check before the run can tell apart."""
    (hint,) = hints_on(
        exchanges_with_status(status, count=97, www_authenticate="Token"), exchanges_with_status(200, count=3)
    )

    assert hint.startswith("97 of 100 responses are 401 or 403: the deployment asks for the scheme 'Token'")
