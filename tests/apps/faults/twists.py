"""The usual ways to break something between a client and the sandbox, and the operations by short names."""

import json
import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.apps.faults.proxy import Asked, Forward, Given, Twist
from tests.apps.faults.standing import ADA

Make = Callable[[], Twist]

SEND, LIST = "POST /v1/messages", "GET /v1/messages"
READ = "GET /v1/messages/{message_id}"
CALL, CALLS, READ_CALL = "POST /v1/calls", "GET /v1/calls", "GET /v1/calls/{call_id}"
ENDPOINT, ENDPOINTS = "POST /v1/webhook-endpoints", "GET /v1/webhook-endpoints"
READ_ENDPOINT = "GET /v1/webhook-endpoints/{webhook_endpoint_id}"
CHANGE_ENDPOINT = "PATCH /v1/webhook-endpoints/{webhook_endpoint_id}"
DELETE_ENDPOINT = "DELETE /v1/webhook-endpoints/{webhook_endpoint_id}"
EVENTS, READ_EVENT = "GET /v1/events", "GET /v1/events/{event_id}"
BRAND, READ_BRAND = "POST /v1/brands", "GET /v1/brands/{brand_id}"
DRAFT, VERSIONS = "POST /v1/rate-versions", "GET /v1/rate-versions"
READ_VERSION = "GET /v1/rate-versions/{rate_version_id}"
REVISE = "PUT /v1/rate-versions/{rate_version_id}"
RATES, COUNTRY_RATES = "GET /v1/rates", "GET /v1/rates/{country}"
COVERAGE, COUNTRY_COVERAGE = "GET /v1/coverage", "GET /v1/coverage/{country}"
AUDIT = "GET /v1/audit-log"
EVERYTHING = "* /v1/*"

MESSAGES = ("sendMessage", "listMessages", "retrieveMessage")
CALLS_IDS = ("startCall", "listCalls", "retrieveCall")
ENDPOINT_IDS = (
    "createWebhookEndpoint",
    "listWebhookEndpoints",
    "retrieveWebhookEndpoint",
    "updateWebhookEndpoint",
    "deleteWebhookEndpoint",
)
BRANDS = ("registerBrand", "retrieveBrand")
VERSION_IDS = ("draftRateVersion", "listRateVersions", "retrieveRateVersion", "reviseRateVersion")


def any_request(_asked: Asked) -> bool:
    """Match every request."""
    return True


def answer(
    label: str,
    change: Callable[[Given], Given],
    *,
    statuses: range | tuple[int, ...] = range(200, 300),
    when: Callable[[Asked], bool] = any_request,
) -> Make:
    """Change the answers of an operation that have one of the statuses."""

    async def twist(asked: Asked, forward: Forward) -> Given:
        given = await forward(asked)
        concerned = asked.has(label) and given.status in statuses and when(asked)
        return change(given) if concerned else given

    return lambda: twist


def request(
    label: str, change: Callable[[Asked], Asked], *, when: Callable[[Asked], bool] = any_request
) -> Make:
    """Change the requests for an operation before the sandbox sees them."""

    async def twist(asked: Asked, forward: Forward) -> Given:
        return await forward(change(asked) if asked.has(label) and when(asked) else asked)

    return lambda: twist


def breaks_down(label: str, when: Callable[[Asked], bool] = any_request) -> Make:
    """Answer 500 without a word to some requests for an operation."""

    async def twist(asked: Asked, forward: Forward) -> Given:
        return internal_error() if asked.has(label) and when(asked) else await forward(asked)

    return lambda: twist


def refuses(label: str, when: Callable[[Asked], bool]) -> Make:
    """Refuse some requests with a body as the sandbox refuses a body that does not fit."""

    async def twist(asked: Asked, forward: Forward) -> Given:
        if asked.has(label) and when(asked):
            return await forward(replace(asked, body=b"{}"))
        return await forward(asked)

    return lambda: twist


def internal_error() -> Given:
    """Return the response of a program that crashed."""
    headers = (("content-type", "text/plain"), ("x-correlation-id", secrets.token_hex(16)))
    return Given(status=500, headers=headers, body=b"Internal Server Error")


def each_item(change: Callable[[Any], Any]) -> Callable[[Given], Given]:
    """Return what changes every item of a list."""
    return lambda given: given.with_members(data=[change(item) for item in given.json["data"]])


def as_ada(asked: Asked) -> Asked:
    """Return the request as if the first account had sent it."""
    return asked.with_headers(authorization=f"Bearer {ADA}")


def bearer(asked: Asked) -> str:
    """Return the credential of a request, empty where it has none."""
    scheme, _, text = asked.header("authorization").partition(" ")
    return text.strip() if scheme.lower() == "bearer" else ""


def text_of(asked: Asked, name: str) -> str:
    """Return a member of the body that is text, else nothing."""
    value = asked.json.get(name) if isinstance(asked.json, dict) else None
    return value if isinstance(value, str) else ""


def is_object(asked: Asked) -> bool:
    """Say whether the body is a JSON object."""
    return isinstance(asked.json, dict)


def is_json(body: bytes) -> bool:
    """Say whether bytes are JSON."""
    try:
        json.loads(body)
    except ValueError:
        return False
    return True
