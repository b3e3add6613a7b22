# ruff: noqa: D102, ARG002 - methods are promises or override them: their names say it all
"""No shared cache keeps what needs a credential."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.deployment.exchange import Exchange, HttpResponse
from devportal.conformance.deployment.exchange import Request as Sent
from devportal.conformance.families.security import private_caching
from devportal.conformance.families.security.private_caching import parse_cache_control
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Operation, SecurityScheme
from tests.conformance.families.asking import boxes, failed_operations, run_family
from tests.conformance.families.servers.boxes import Boxes

FAMILY = private_caching.FAMILY
READ = "GET /v1/boxes/{box_id}"
TITLE = "a shared cache may store a response that requires a credential"
SUBJECT = boxes()
BEARER = ("Authorization", "Bearer $DEVPORTAL_TOKEN")


def faults(
    control: str, *, sent: tuple[str, str] = BEARER, url: str = "", method: str = "GET", **headers: str
) -> int:
    """Return how many faults an answer has with this Cache-Control."""
    exchange = Exchange(
        operation=READ,
        request=Sent(method=method, url=f"http://127.0.0.1:1/v1/boxes/box_1{url}", headers=(sent,)),
        answer=HttpResponse(status=200, headers=(("Cache-Control", control), *headers.items())),
    )
    return len(list(private_caching.find_failures(SUBJECT, (exchange,))))


@pytest.mark.parametrize(
    "control",
    [
        "",
        "private",
        "no-store",
        "max-age=60",
        "private, max-age=60",
        "PUBLIC, No-Cache",
        "public, max-age=0",
        "no-cache, no-store, must-revalidate",
        "max-age=0, must-revalidate",
        "must-revalidate",
        'private="set-cookie, public", max-age=60',
        "s-maxage=0, max-age=60",
        'community="public, s-maxage=60"',
    ],
)
def test_what_shared_caches_must_not_give_to_others_is_silent(control: str) -> None:
    """Nothing said, something that keeps others out, or no lifetime: all are right."""
    assert not faults(control)


@pytest.mark.parametrize(
    "control",
    ["public", "Public, Max-Age=60", "s-maxage=60", "max-age=60, must-revalidate", 'public, max-age="60"'],
)
def test_what_shared_caches_may_give_to_others_is_a_fault(control: str) -> None:
    """Directives that RFC 9111 §3.5 names, with a lifetime."""
    assert faults(control) == 1


def test_who_asked_and_how_counts() -> None:
    """Answers to nobody, to other methods, and those that vary with the credential are no fault."""
    assert not faults("public, max-age=60", sent=("Accept", "*/*"))
    assert not faults("public, max-age=60", method="POST")
    assert not faults("public, max-age=60", Vary="Accept, authorization")
    assert not faults("public, max-age=60", Vary="*")
    assert faults("public, max-age=60", Vary="Accept") == 1
    assert faults("public, max-age=60", method="HEAD") == 1


@pytest.mark.parametrize(
    ("carrier", "sent", "url"),
    [
        ("header", ("key", "$DEVPORTAL_TOKEN"), ""),
        ("query", ("Accept", "*/*"), "?key=$DEVPORTAL_TOKEN"),
        ("cookie", ("Cookie", "a=b; key=$DEVPORTAL_TOKEN"), ""),
    ],
)
def test_keys_elsewhere_need_words_that_are_clear(carrier: str, sent: tuple[str, str], url: str) -> None:
    """For keys outside Authorization only `public` and `s-maxage` with a lifetime count."""
    scheme = replace(SUBJECT.api.security_schemes[0], kind="apiKey", carrier=carrier, parameter="key")
    subject = with_scheme(scheme)
    answers = {
        control: Exchange(
            operation=READ,
            request=Sent(method="GET", url=f"http://127.0.0.1:1/v1/boxes/box_1{url}", headers=(sent,)),
            answer=HttpResponse(status=200, headers=(("Cache-Control", control),)),
        )
        for control in ("public, max-age=60", "s-maxage=9", "public", "max-age=60, must-revalidate")
    }

    found = [
        control
        for control, answer in answers.items()
        if any(private_caching.find_failures(subject, (answer,)))
    ]

    assert found == ["public, max-age=60", "s-maxage=9"]


def with_scheme(scheme: SecurityScheme) -> Subject:
    """Return the subject with another security scheme."""
    api = replace(SUBJECT.api, security_schemes=(scheme,))
    return replace(SUBJECT, contract=replace(SUBJECT.contract, api=api))


def test_what_every_account_sees_may_be_public() -> None:
    """Things that settings call shared are left out."""
    shared = replace(SUBJECT, shared=frozenset({READ}))
    exchange = Exchange(
        operation=READ,
        request=Sent(method="GET", url="http://127.0.0.1:1/v1/boxes/box_1", headers=(BEARER,)),
        answer=HttpResponse(status=200, headers=(("Cache-Control", "public, max-age=60"),)),
    )

    assert any(private_caching.find_failures(SUBJECT, (exchange,)))
    assert not any(private_caching.find_failures(shared, (exchange,)))


def test_directives_are_read_as_they_are_written() -> None:
    """Case, spaces and quotes say nothing."""
    assert parse_cache_control('Public,  Max-Age = "60" ,x') == {"public": "", "max-age": "60", "x": ""}


class Generous(Boxes):
    """Marks everything as public: right for what needs no credential only."""

    def stamp(self, request: Request, response: Response) -> None:
        response.headers["Cache-Control"] = "public, max-age=300"


class Careful(Boxes):
    def stamp(self, request: Request, response: Response) -> None:
        public = request.url.path == "/v1/sizes"
        response.headers["Cache-Control"] = "public, max-age=300" if public else "private, no-store"


def each_is_read(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each operation that reads: the family itself sends nothing."""
    for operation in subject.operations:
        if operation.method == "GET":
            yield Probe(operation=operation_label(operation), run=partial(read, subject, operation))


def read(subject: Subject, operation: Operation, send: Send) -> Iterator[CheckFailure]:
    """Send a valid request and find nothing wrong."""
    request = subject.valid(operation)
    assert request is not None
    send(operation, request)
    yield from ()


def test_servers_are_told_apart() -> None:
    """A run confirms the fault for what needs a credential, and says nothing of the rest."""
    reading = replace(FAMILY, probes=each_is_read)

    assert not run_family(reading, Careful()).failures
    assert failed_operations(run_family(reading, Generous()).failures) == {
        (name, TITLE) for name in ("GET /v1/boxes", READ, "GET /v1/moves", "GET /v1/moves/{move_id}")
    }
