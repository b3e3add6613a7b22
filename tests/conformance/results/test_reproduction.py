# ruff: noqa: D102, ARG002 - methods override promises: their names say it all
"""What reproduces a failure: each script of a run shows the failure on a server that knows nothing of the run."""

import os
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from devportal.conformance.deployment.exchange import Exchange, HttpResponse
from devportal.conformance.deployment.exchange import Request as SentRequest
from devportal.conformance.families.changes import updated_resources
from devportal.conformance.families.creations import stored_resources
from devportal.conformance.families.deletions import deleted_resources
from devportal.conformance.families.filters import filters
from devportal.conformance.families.idempotency import idempotency
from devportal.conformance.families.lists import listed_resources
from devportal.conformance.families.security import tenants
from devportal.conformance.families.states import state_machines
from devportal.conformance.family import Family
from devportal.conformance.results.reproduction import reproduce_commands, reproduction_limit
from devportal.conformance.results.result import Failure, Standing
from devportal.conformance.run.earlier_requests import EarlierRequests
from tests.apps.faulty import FAULTS, Fault
from tests.apps.library import MAIN, OTHER, Library, Thing
from tests.apps.parcels import TOKEN
from tests.apps.serving import serving
from tests.conformance.families.lending import asked_of, library
from tests.conformance.running import blocking_failures, run
from tests.conformance.values import FAILURE

FORGETFUL_FAMILIES = (
    updated_resources.FAMILY,
    stored_resources.FAMILY,
    deleted_resources.FAMILY,
    idempotency.FAMILY,
    listed_resources.FAMILY,
    tenants.FAMILY,
)
"""Families whose failures need several requests."""
ORIGIN = re.compile(r"^https?://[^/]+")
MADE_UP = re.compile(r"[0-9a-f]{6,}|[0-9]+")
STATUS_LINE = re.compile(r"^HTTP/[\d.]+ (\d{3})", re.MULTILINE)


def printed_by(commands: tuple[str, ...], *, at: str, instead_of: str, environment: Mapping[str, str]) -> str:
    """Run commands in bash against another server; return what they print."""
    text = ""
    for command in commands:
        done = subprocess.run(
            ["bash", "-c", command.replace(instead_of, at)],
            env={**os.environ, **environment},
            capture_output=True,
            check=True,
            timeout=60,
        )
        text += done.stdout.decode("utf-8", "replace")
    return text


def mask_generated(body: str) -> str:
    """Return a body without identifiers and times, which differ in each run."""
    return MADE_UP.sub("#", body.strip())


def is_reproduced(failure: Failure, printed: str) -> bool:
    """Return whether the responses have the statuses of the failure, and the last one its body."""
    statuses = [int(item) for item in STATUS_LINE.findall(printed)]
    answer = failure.exchange.answer if failure.exchange is not None else None
    if answer is None or statuses != [exchange.status for exchange in failure.evidence]:
        return False
    # What else a list shows is another matter on a server that has nothing yet.
    is_list = failure.check == listed_resources.FAMILY.name
    return is_list or mask_generated(printed).endswith(mask_generated(answer.body.decode("utf-8", "replace")))


def unreproduced_failures(
    failures: Iterable[Failure], app: Callable[[], ASGIApp], **environment: str
) -> Iterator[str]:
    """Yield the failures whose commands get other statuses from a fresh server."""
    for failure in failures:
        if failure.exchange is None or reproduction_limit(failure):
            continue
        commands, run_url = reproduce_commands(failure), ORIGIN.findall(failure.exchange.request.url)[0]
        with serving(app()) as url:
            printed = printed_by(commands, at=url, instead_of=run_url, environment=environment)
        if not is_reproduced(failure, printed):
            yield "\n".join((f"{failure.operation}: {failure.title}", *commands, printed))


@pytest.mark.deep
@pytest.mark.conformance
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.app.__name__)
def test_each_script_for_a_wrong_server_shows_its_failure_on_a_fresh_one(fault: Fault) -> None:
    """Each fault alone, with the phases that find it."""
    with serving(fault.app()) as url:
        result = run(url, phases=fault.phases)

    assert blocking_failures(result)
    assert list(unreproduced_failures(blocking_failures(result), fault.app, DEVPORTAL_TOKEN=TOKEN)) == []


class Forgetful(Library):
    """A library with faults that only several requests show."""

    def change(self, book: Thing, wish: Thing) -> Thing:
        return {**book, **wish}

    def delete(self, tenant: str, key: str) -> Response:
        return Response(status_code=204)

    def book(self, tenant: str, key: str) -> Thing:
        return super().book(next((value for value, books in self.books.items() if key in books), ""), key)

    def show(self, request: Request, book: Thing) -> Response:
        return self.json({**book, "title": book["title"][:3]}, 200, {"ETag": '"1"'})

    def shown_books(self, tenant: str) -> list[Thing]:
        return super().shown_books(tenant)[:-1]

    def replay(self, tenant: str, wish: Thing, body: bytes, before: bytes, book: Thing) -> Response:
        return self.created_response(self.store(tenant, wish))


class Returning(Library):
    """Lends a book, then shows that the loan was only asked for."""

    def loan(self, key: str) -> Thing:
        loan = super().loan(key)
        loan["reads"] = loan.get("reads", 0) + 1
        return {**loan, "status": "lent" if loan["reads"] == 1 else "asked"}


@pytest.mark.parametrize(
    ("family", "app"),
    [
        *((forgetful_family, Forgetful) for forgetful_family in FORGETFUL_FAMILIES),
        (state_machines.FAMILY, Returning),
    ],
    ids=lambda item: getattr(item, "name", ""),
)
def test_scripts_of_several_requests_take_identifiers_from_the_new_responses(
    family: Family, app: type[Library]
) -> None:
    """Books that were created for a run are created again, by another account too if it is about that."""
    failures = [failure for failure in asked_of(family, app()).failures if failure.fails]
    scripts = [
        reproduce_command
        for failure in failures
        for reproduce_command in reproduce_commands(failure)
        if "\n" in reproduce_command
    ]

    assert scripts
    assert not any(MAIN in script or OTHER in script for script in scripts)
    left = unreproduced_failures(failures, app, DEVPORTAL_TOKEN=MAIN, DEVPORTAL_OTHER_TENANT_TOKEN=OTHER)
    assert list(left) == []


def test_what_a_request_needs_is_sent_before_it() -> None:
    """A failure of reading what another check created begins with the creation, though it is no evidence."""
    with_log = asked_of(stored_resources.FAMILY, Forgetful())
    reading = next(
        exchange
        for exchange in with_log.exchanges
        if exchange.operation == "GET /v1/books/{book_id}" and exchange.status == 200
    )
    failure = replace(FAILURE, exchange=reading, chain=())
    subject = replace(library(), base_url=ORIGIN.findall(reading.request.url)[0])

    whole = EarlierRequests(subject, with_log.exchanges).with_needed_requests(failure)

    assert (whole.evidence[0].request.method, whole.evidence[0].status) == ("POST", 201)
    assert whole.exchange is reading
    assert list(unreproduced_failures([whole], Forgetful, DEVPORTAL_TOKEN=MAIN)) == []


def test_what_is_gone_is_deleted_first() -> None:
    """A 404 about a deleted resource shows on no other server before the resource is deleted there too."""
    log = asked_of(deleted_resources.FAMILY, Library())
    deleted = next(
        exchange
        for exchange in log.exchanges
        if exchange.request.method == "DELETE" and exchange.status == 204
    )
    gone = next(
        exchange
        for exchange in log.exchanges
        if exchange.request.url == deleted.request.url and exchange.status == 404
    )
    run_url = ORIGIN.findall(gone.request.url)[0]
    subject = replace(library(), base_url=run_url)

    whole = EarlierRequests(subject, log.exchanges).with_needed_requests(
        replace(FAILURE, exchange=gone, chain=())
    )
    commands = reproduce_commands(whole)
    with serving(Library()) as url:
        printed = printed_by(commands, at=url, instead_of=run_url, environment={"DEVPORTAL_TOKEN": MAIN})

    assert [exchange.request.method for exchange in whole.evidence][:2] == ["POST", "DELETE"]
    assert STATUS_LINE.findall(printed) == ["201", "204", "404"]


class Unfiltered(Library):
    """A library whose list ignores its filters."""

    def filter_by_genre(self, books: list[Thing], genre: str | None) -> list[Thing]:
        return books


def test_a_list_has_items_before_it_is_read() -> None:
    """A filter that lets items through shows nothing on an empty list: some are created first."""
    log = asked_of(filters.FAMILY, Unfiltered())
    (failure,) = (failure for failure in log.failures if failure.fails)
    run_url = ORIGIN.findall(failure.evidence[0].request.url)[0]
    subject = replace(library(), base_url=run_url)

    whole = EarlierRequests(subject, log.exchanges).with_needed_requests(failure)
    commands = reproduce_commands(whole)
    with serving(Unfiltered()) as url:
        printed = printed_by(commands, at=url, instead_of=run_url, environment={"DEVPORTAL_TOKEN": MAIN})

    last = printed.rpartition("HTTP/")[2]
    assert [exchange.request.method for exchange in whole.evidence][-2:] == ["POST", "GET"]
    assert "genre=novel" in commands[0]
    assert '"poems"' in last


def test_a_failure_that_requests_may_not_show_says_why() -> None:
    """Deliveries, percentiles, races and what comes and goes are not promised to show at once."""
    first = Exchange(
        request=SentRequest(method="GET", url="http://x/a"),
        answer=HttpResponse(status=200, elapsed_s=0.2),
        sent_at=100.0,
        operation="GET /a",
    )
    at_once = replace(FAILURE, chain=(first,), exchange=replace(first, sent_at=100.1))
    later = replace(at_once, exchange=replace(first, sent_at=102.0))

    assert "the deployment sends the deliveries itself" in reproduction_limit(
        replace(FAILURE, check="webhook-log")
    )
    assert "percentile" in reproduction_limit(replace(FAILURE, check="latency"))
    assert "comes and goes" in reproduction_limit(replace(FAILURE, standing=Standing.INTERMITTENT))
    assert "at the same time" in reproduction_limit(at_once)
    assert reproduction_limit(later) == ""
    assert "\nwait" in reproduce_commands(at_once)[0]
    assert "\nsleep 1.8" in reproduce_commands(later)[0]


def test_values_are_encoded_where_addresses_need_it() -> None:
    """A cursor with characters of its own is taken from the response and percent-encoded again."""
    first = Exchange(
        request=SentRequest(method="GET", url="http://x/a"),
        answer=HttpResponse(status=200, body=b'{"next": "a/b+c=="}'),
        operation="GET /a",
    )
    second = replace(first, request=SentRequest(method="GET", url="http://x/a?cursor=a%2Fb%2Bc%3D%3D"))

    (script,) = reproduce_commands(replace(FAILURE, chain=(first,), exchange=second))

    assert "next_of_1=$(member next 1)" in script
    assert '"http://x/a?cursor=$(encoded "$next_of_1")"' in script


def test_identifiers_are_taken_from_resource_names() -> None:
    """A name such as `notes/17` (AIP-122) ends in the identifier that later addresses have."""
    first = Exchange(
        request=SentRequest(method="POST", url="http://x/v1/notes", body=b"{}"),
        answer=HttpResponse(status=200, body=b'{"name": "notes/0a1b2c3d"}'),
        operation="POST /v1/notes",
    )
    second = replace(first, request=SentRequest(method="POST", url="http://x/v1/notes/0a1b2c3d:star"))

    (script,) = reproduce_commands(replace(FAILURE, chain=(first,), exchange=second))

    assert "name_id_of_1=$(member name 1 | sed 's:.*/::')" in script
    assert '"http://x/v1/notes/${name_id_of_1}:star"' in script


def test_idempotency_keys_are_new_each_time() -> None:
    """A stored response to the key of the run would show nothing: its end is made up by the shell."""
    headers = (("Idempotency-Key", "9f1c0d62-2a51-4f3e-9b0e-52a1c0ffee00"),)
    request = SentRequest(method="POST", url="http://x/a", headers=headers, body=b"{}")

    (command,) = reproduce_commands(
        replace(FAILURE, chain=(), exchange=Exchange(request=request, answer=None))
    )

    assert command.startswith("run=$(printf %04x%04x $RANDOM $RANDOM); curl")
    assert '"Idempotency-Key: 9f1c0d62-2a51-4f3e-9b0e-52a1${run}"' in command


def test_identifiers_that_are_numbers_are_taken_for_members_that_identify() -> None:
    """Other numbers, and longer ones, may be equal by chance or hold the digits."""
    first = Exchange(
        request=SentRequest(method="POST", url="http://x/partners", body=b"{}"),
        answer=HttpResponse(status=201, body=b'{"id": 51}'),
        operation="POST /partners",
    )
    body = b'{"partner_id": 51, "ownerId": 51, "id": 51, "paid": 51, "amount": 51, "block_id": 512}'
    second = replace(first, request=SentRequest(method="POST", url="http://x/documents", body=body))

    (script,) = reproduce_commands(replace(FAILURE, chain=(first,), exchange=second))

    mark = "'\"${id_of_1}\"'"
    assert f'"partner_id": {mark}, "ownerId": {mark}, "id": {mark}, "paid": 51, "amount": 51' in script
    assert '"block_id": 512' in script
