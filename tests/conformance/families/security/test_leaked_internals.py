# ruff: noqa: ARG002 - servers override promises
"""Errors that show what only developers should see."""

from dataclasses import replace

import pytest
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from devportal.conformance.deployment.credentials import VARIABLES, Credential, CredentialSet, Role
from devportal.conformance.deployment.exchange import Exchange, HttpResponse, Request
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.families.references import unknown_ids
from devportal.conformance.families.security.leaked_internals import FAMILY, find_failures
from devportal.conformance.results.result import Standing
from tests.apps.library import Library, Thing
from tests.apps.library import Refusal as LibraryRefusal
from tests.apps.parcels import Parcels
from tests.apps.parcels import Refusal as ParcelRefusal
from tests.apps.serving import serving
from tests.conformance.families.asking import boxes, failed_operations, run_family
from tests.conformance.families.lending import asked_of, failure_titles
from tests.conformance.families.servers.boxes import MAIN, Boxes, Refusal
from tests.conformance.running import run

TRACE = "an error response shows a stack trace"
INTERNAL = "an error response shows addresses or files of the deployment"
DATABASE = "an error response shows text of the database"


def titles(text: str, *, status: int = 404, sent: str = "") -> list[str]:
    """Return the titles of what a response with a text gives away."""
    exchange = Exchange(
        request=Request(method="GET", url=f"http://127.0.0.1/v1/boxes/{sent}"),
        answer=HttpResponse(status=status, headers=(), body=text.encode(), elapsed_s=0),
        operation="GET /v1/boxes/{box_id}",
    )
    return [failure.title for failure in find_failures(boxes(), (exchange,))]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ('{"error": "Traceback (most recent call last):\\n  File \\"/app/views.py\\", line 8"}', TRACE),
        ("java.lang.NullPointerException\n\tat com.acme.Box.get(Box.java:42)", TRACE),
        ("TypeError: x is undefined\n    at Box.get (/app/box.js:10:5)", TRACE),
        ("   at Acme.Boxes.Get(String id) in C:\\src\\Boxes.cs:line 12", TRACE),
        ("Uncaught Error in /app/index.php:12", TRACE),
        ("app/models/box.rb:12:in `find'", TRACE),
        ("panic: boom\n\ngoroutine 1 [running]:", TRACE),
        ("ActiveRecord::RecordNotFound: Couldn't find Box", TRACE),
        ("connect ECONNREFUSED 10.0.3.17:5432", INTERNAL),
        ("open /etc/boxes/config.yaml: permission denied", INTERNAL),
        ("pq: invalid input syntax for type integer", DATABASE),
        ("SELECT id, name FROM boxes WHERE id = 'a'", DATABASE),
        ("SQLSTATE[42P01]: Undefined table", DATABASE),
        ('duplicate key value violates unique constraint "boxes_pkey"', DATABASE),
        ("ORA-00942: table or view does not exist", DATABASE),
    ],
)
def test_internals_are_found(text: str, title: str) -> None:
    """The traces of seven platforms and the words of four databases are known."""
    assert titles(text) == [title]


@pytest.mark.parametrize(
    "text",
    [
        '{"error": "Select a box from the list, and update its set of labels."}',
        '{"error": "The box at line 12 of the file was not found (404)."}',
        '{"error": "The name violates a constraint: it is too long."}',
    ],
)
def test_plain_words_are_left_alone(text: str) -> None:
    """English that resembles SQL or a trace is no leak."""
    assert titles(text) == []


def test_what_the_client_sent_is_no_leak() -> None:
    """A response may quote the request, and a success may be about anything."""
    assert titles("there is no box SELECT a FROM b", sent="SELECT+a+FROM+b") == []
    assert titles("SELECT a FROM b", status=200) == []


class Repeating(Boxes):
    """Shows the header that it got."""

    def find(self, caller: object, key: str) -> dict[str, object]:
        """Repeat the credential of the request."""
        raise Refusal(404, f"nothing for Bearer {MAIN}")


def test_a_credential_in_an_error() -> None:
    """Errors are logged: they must not have the secret of their request."""
    both = replace(FAMILY, probes=unknown_ids.FAMILY.probes)

    assert {title for _, title in failed_operations(run_family(both, Repeating()).failures)} == {
        "an error response repeats the credential"
    }


@pytest.mark.parametrize(("secret", "count"), [("token", 0), ("s3cret", 1)])
def test_a_credential_that_is_a_word_may_be_of_the_text(secret: str, count: int) -> None:
    """The token `token` is in "invalid token"."""
    credential = Credential(role=Role.MAIN, secret=secret, name=VARIABLES[Role.MAIN])
    parties = CredentialSet(everyone=(credential,))
    exchange = Exchange(
        request=Request(
            method="GET", url="http://127.0.0.1/v1/boxes/1", headers=(("Authorization", f"Bearer {secret}"),)
        ),
        answer=HttpResponse(status=401, body=f"invalid {secret}".encode()),
        operation="GET /v1/boxes/{box_id}",
    )

    found = find_failures(boxes(parties=parties), (Mask.of(parties).exchange(exchange),))

    assert len([*found]) == count


class Debugging(Boxes):
    """Shows where a box was not found."""

    def find(self, caller: object, key: str) -> dict[str, object]:
        """Fail as a program in debug mode."""
        raise Refusal(404, "Traceback (most recent call last): KeyError")


def test_servers() -> None:
    """The right server is left alone, and one in debug mode is found once."""
    both = replace(FAMILY, probes=unknown_ids.FAMILY.probes)

    assert failed_operations(run_family(both, Boxes()).failures) == set()
    assert {title for _, title in failed_operations(run_family(both, Debugging()).failures)} == {TRACE}


class Concatenating(Library):
    """Builds SQL from the title that is searched for."""

    def filter_by_title(self, books: list[Thing], title: str) -> list[Thing]:
        """Fail at a quote, with the message of the driver."""
        if "'" in title:
            raise LibraryRefusal(400, "sqlite3.OperationalError: unrecognized token")
        return super().filter_by_title(books, title)


def test_a_quote_in_a_query_shows_the_database() -> None:
    """A free text with a quote is sent to each list, and the right server stays silent."""
    assert failure_titles(FAMILY, Concatenating()) == {DATABASE}
    assert not asked_of(FAMILY, Library()).failures


class FailsUnderStress(Parcels):
    """Shows where it fails at a number that is far too large."""

    async def read(self, request: HttpRequest) -> Response:
        """Fail as a program in debug mode at such a number."""
        if "9" * 60 in request.url.path:
            raise ParcelRefusal(400, "malformed", "Traceback (most recent call last): OverflowError")
        return await super().read(request)


@pytest.mark.conformance
def test_a_leak_that_only_stress_checks_provoke_is_found() -> None:
    """They run after all others, and their responses are searched too."""
    with serving(FailsUnderStress()) as url:
        result = run(url, phases=("examples",))

    leaks = [failure for failure in result.failures if failure.check == FAMILY.name]
    assert [(leak.title, leak.standing) for leak in leaks] == [(TRACE, Standing.CONFIRMED)]
