"""Sending recorded exchanges again."""

from dataclasses import replace

from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from devportal.conformance.deployment.client import Deployment, RequestPolicy
from devportal.conformance.deployment.exchange import Exchange, HttpResponse, Request
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.run.replay import replay_exchanges, text_leaves
from tests.apps.parcels import TOKEN, Parcels
from tests.apps.serving import serving
from tests.waiting import PATIENCE_S

BODY = b'{"destination": "GB", "weight_g": 5}'


def test_a_later_request_follows_the_renewed_answer() -> None:
    """The id of what is created anew takes the place of the recorded one."""
    mask = Mask.of_secret(TOKEN)
    with serving(Parcels()) as url, Deployment(RequestPolicy(timeout_s=PATIENCE_S), mask=mask) as deployment:
        headers = (("Authorization", f"Bearer {TOKEN}"), ("Content-Type", "application/json"))
        create = Request(method="POST", url=f"{url}/v1/parcels", headers=headers, body=BODY)
        first = deployment.send(create)
        assert first.answer is not None
        key = first.answer.body.decode().split('"')[3]
        second = deployment.send(Request(method="GET", url=f"{url}/v1/parcels/{key}", headers=headers))

        renewed = replay_exchanges(deployment, mask, (first, second))

    assert renewed is not None
    assert [exchange.status for exchange in renewed] == [201, 200]
    assert key not in renewed[1].request.url
    assert TOKEN not in str(renewed)


def test_a_request_that_was_cut_is_not_sent() -> None:
    """Half a body would prove nothing."""
    mask = Mask()
    with serving(Parcels()) as url, Deployment(RequestPolicy(timeout_s=1), mask=mask) as deployment:
        cut = Exchange(request=Request(method="GET", url=url, complete=False), answer=None)
        odd = replace(cut, request=Request(method="GET", url=url, headers=(("A", "a\nb"),)))
        sent = replay_exchanges(deployment, mask, (cut,))
        unsendable = replay_exchanges(deployment, mask, (odd,))

    assert sent is None
    assert unsendable is None


def test_a_short_number_is_an_identifier_in_the_path() -> None:
    """The numbers of a new database are short: they are replaced as a whole segment, and nowhere else."""
    headers = (("Content-Type", "application/json"),)
    created = Exchange(
        request=Request(method="POST", url="/api/4/notes/", headers=headers, body=b'{"stars": 4}'),
        answer=HttpResponse(status=201, body=b'{"id": 4, "stars": 4}'),
    )
    read = Exchange(request=Request(method="GET", url="/api/4/notes/4/?size=4", headers=headers), answer=None)

    with serving(note_app) as url, Deployment(RequestPolicy(timeout_s=PATIENCE_S), mask=Mask()) as deployment:
        recorded = [
            replace(exchange, request=replace(exchange.request, url=url + exchange.request.url))
            for exchange in (created, read)
        ]
        renewed = replay_exchanges(deployment, Mask(), recorded)

    assert renewed is not None
    assert renewed[0].request.body == b'{"stars": 4}'
    assert renewed[1].request.url == f"{url}/api/4/notes/17/?size=4"


async def note_app(scope: Scope, receive: Receive, send: Send) -> None:
    """Return the same note to each request."""
    await JSONResponse({"id": 17, "stars": 4}, 201)(scope, receive, send)


def test_a_resource_name_ends_in_an_identifier() -> None:
    """A name such as `notes/17` (AIP-122), or an address in `Location`, leads elsewhere when it is renewed."""
    created = Exchange(
        request=Request(method="POST", url="/v1/notes", body=b"{}"),
        answer=HttpResponse(status=201, body=b'{"name": "notes/4", "stars": 4}'),
    )
    moved = Exchange(
        request=Request(method="POST", url="/v1/notes", body=b"{}"),
        answer=HttpResponse(status=201, headers=(("Location", "/v1/notes/old-one"),), body=b""),
    )
    reads = [
        Exchange(request=Request(method="GET", url=url), answer=None)
        for url in ("/v1/notes/4?size=4", "/v1/notes/old-one")
    ]

    with (
        serving(named_note_app) as url,
        Deployment(RequestPolicy(timeout_s=PATIENCE_S), mask=Mask()) as deployment,
    ):
        recorded = [
            replace(exchange, request=replace(exchange.request, url=url + exchange.request.url))
            for exchange in (created, moved, *reads)
        ]
        renewed = replay_exchanges(deployment, Mask(), recorded)

    assert renewed is not None
    assert [exchange.request.url.removeprefix(url) for exchange in renewed[2:]] == [
        "/v1/notes/17?size=4",
        "/v1/notes/new-one",
    ]


async def named_note_app(scope: Scope, receive: Receive, send: Send) -> None:
    """Return the same note to each request."""
    headers = {"Location": "/v1/notes/new-one"}
    await JSONResponse({"name": "notes/17", "stars": 4}, 201, headers)(scope, receive, send)


def test_half_of_a_surrogate_pair_is_taken_from_no_response() -> None:
    """A deployment that stored one returns it; no address can have it."""
    assert list(text_leaves({"a": "\ud800", "b": ["\U0001f600", 7, True, None]}, ())) == [
        (("b", 0), "\U0001f600"),
        (("b", 1), "7"),
    ]
