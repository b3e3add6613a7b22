"""Deployments whose responses hold anything now and then: checks report what they can, and none ends with an error."""

import json
from random import Random
from typing import Any

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from devportal.conformance.families.registry import FAMILIES
from devportal.conformance.results.result import BROKEN_CHECK
from tests.conformance.families.asking import boxes, run_family
from tests.conformance.families.servers import articles, clinic, halls, samples, visits

VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 3.5, 10**40, [], [1], ["a", {}], {}, {"id": {}}, [[1]], {"a": [None]}),
    *("", "x", "\ud800", "2026-13-45T99:00:00Z", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00+23:59"),
)
HEADERS = (
    *(b"", b"abc", b"-1", b"99999999999999999999", b"Sat, 99 Foo 2026", b'W/"', b"/x/../y", b"http://[::1"),
    b",,;;",
)
STATUSES = (200, 201, 202, 204, 400, 404, 409, 500)
BODILESS = (204, 304)


class Distorting:
    """Replaces parts of the responses of an application at random: bodies, headers and, less often, statuses."""

    def __init__(self, app: ASGIApp, random: Random, share: float) -> None:
        self.app, self.random, self.share = app, random, share

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response of the application as it is by then."""
        messages: list[Message] = []

        async def keep(message: Message) -> None:
            messages.append(message)

        await self.app(scope, receive, keep)
        start, *rest = messages
        body = b"".join(message.get("body", b"") for message in rest)
        status = self.random.choice(STATUSES) if self.is_chosen(self.share / 3) else start["status"]
        body = b"" if status in BODILESS else self.distort_body(body)
        headers = [
            (name, self.random.choice(HEADERS) if self.is_chosen(self.share) else value)
            for name, value in start["headers"]
            if name.lower() not in (b"content-length", b"content-type")
        ]
        headers += [pair for pair in start["headers"] if pair[0].lower() == b"content-type"]
        if scope["method"] != "HEAD" and status not in BODILESS:
            headers.append((b"content-length", str(len(body)).encode()))
        await send({**start, "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def is_chosen(self, share: float) -> bool:
        """Return whether a part is one of those that are replaced."""
        return self.random.random() < share

    def distort_body(self, body: bytes) -> bytes:
        """Return a body with other values, unless it is not JSON."""
        try:
            return json.dumps(self.distort(json.loads(body))).encode()
        except ValueError:
            return body

    def distort(self, value: Any) -> Any:
        """Return a value some of whose parts are other ones, or missing."""
        if self.is_chosen(self.share):
            return self.random.choice(VALUES)
        if isinstance(value, dict):
            return {
                name: self.distort(member)
                for name, member in value.items()
                if not self.is_chosen(self.share / 2)
            }
        return [self.distort(item) for item in value] if isinstance(value, list) else value


DEEP_SERVERS = (
    (clinic.Clinic, clinic.CONTRACT),
    (articles.Articles, articles.CONTRACT),
    (samples.Samples, samples.CONTRACT),
)


@pytest.mark.parametrize("share", [pytest.param(0.03, marks=pytest.mark.deep), 0.15])
@pytest.mark.parametrize(
    ("app", "contract"),
    [
        (halls.Halls, halls.CONTRACT),
        (visits.Visits, visits.CONTRACT),
        *(pytest.param(*server, marks=pytest.mark.deep) for server in DEEP_SERVERS),
    ],
)
def test_no_check_ends_with_an_error(app: Any, contract: Any, share: float) -> None:
    broken = []
    for family in FAMILIES:
        distorting = Distorting(app(), Random(family.name), share)  # noqa: S311 - the same each time
        log = run_family(family, distorting, boxes(contract))
        broken += [failure for failure in log.failures if failure.title == BROKEN_CHECK]

    assert [(failure.check, failure.operation, failure.message) for failure in broken] == []
