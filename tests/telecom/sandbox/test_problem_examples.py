"""The problems that the reference shows are those that the sandbox returns, word for word."""

import json
import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from tests.telecom.sandbox.conftest import ADA, BOB, BRAND, HELLO, UNSCOPED
from tests.telecom.sandbox.reviewing import VERSIONS, brought_to, draft_version, step

from devportal.contract import Api
from devportal.serving.receivers import Reach

MESSAGES, CALLS, ENDPOINTS, CAMPAIGNS = "/v1/messages", "/v1/calls", "/v1/webhook-endpoints", "/v1/campaigns"
CALL = {
    "to": "+12025550123",
    "from": "+12025550140",
    "flow": [{"action": "say", "text": "Hello."}],
}
RECEIPTS = {"url": "http://127.0.0.1:9/", "event_types": ["message.delivery_receipt"]}
KEY = {"Idempotency-Key": "order-4711"}
JSON = {"Content-Type": "application/json"}
SHOWN_CURSOR = "MDFrYWo5eTJtNHQ4dzN4Nno1YjdjOWQwZWY"
SHOWN_CAMPAIGN = {
    "use_case": "delivery_notification",
    "description": "Customers who ordered for delivery get one message on the day the parcel arrives.",
    "sample_messages": ["Parcels of Example: your parcel arrives today. Reply STOP to stop."],
    "opt_in": "At checkout, a box that is not ticked: Text me about this delivery.",
    "opt_out_message": "Parcels of Example: no more messages. Reply START to get them again.",
    "help_message": "Parcels of Example: write to help@parcels.example. Reply STOP to stop.",
}

Cause = Callable[[Any], httpx.Response]


def send(**changes: Any) -> Cause:
    """Return a request that sends a message with other fields."""
    return lambda sandbox: sandbox.send({**HELLO, **changes})


def reuse_key(sandbox: Any) -> httpx.Response:
    """Send two messages with one key."""
    assert sandbox.send(headers=KEY).status_code == 202
    return sandbox.send({**HELLO, "body": "Something else."}, headers=KEY)  # type: ignore[no-any-return]


def reuse_key_for_rotation(sandbox: Any) -> httpx.Response:
    """Ask for a secret again that another rotation has replaced."""
    path = f"{ENDPOINTS}/{sandbox.post(ENDPOINTS, RECEIPTS).json()['id']}/rotate-secret"
    assert sandbox.post(path, headers=KEY).status_code == 200
    assert sandbox.post(path).status_code == 200
    return sandbox.post(path, headers=KEY)  # type: ignore[no-any-return]


def fill_endpoints(sandbox: Any) -> httpx.Response:
    """Create endpoints until one is too many."""
    while (response := sandbox.post(ENDPOINTS, RECEIPTS)).status_code == 201:
        pass
    return response  # type: ignore[no-any-return]


def name_private_address(sandbox: Any) -> httpx.Response:
    """Create an endpoint in a private network, at a hosted sandbox."""
    sandbox.restart(webhook_reach=Reach.PUBLIC)
    return sandbox.post(ENDPOINTS, {**RECEIPTS, "url": "http://10.0.0.5/hooks"})  # type: ignore[no-any-return]


def replay(body: dict[str, str]) -> Cause:
    """Return a request that replays the sample event about a call record."""
    path = "/v1/events/evt_01m7yq263ge6s7v5h2n8c3d1fg/replay"
    return lambda sandbox: sandbox.post(path, body)


def register_for_pending_brand(sandbox: Any) -> httpx.Response:
    """Register a campaign before its brand is approved."""
    brand = sandbox.post("/v1/brands", BRAND).json()["id"]
    return sandbox.post(CAMPAIGNS, {**SHOWN_CAMPAIGN, "brand_id": brand})  # type: ignore[no-any-return]


def submit_contradiction(sandbox: Any) -> httpx.Response:
    """Submit a price per minute without its increment."""
    version = draft_version(sandbox, "se-voice", product="voice", unit="minute")
    return step(sandbox, version, "submit")  # type: ignore[no-any-return]


def take_step(action: str, state: str, token: str = ADA) -> Cause:
    """Return a request that takes a step of a version in some state."""
    return lambda sandbox: step(sandbox, brought_to(sandbox, state), action, token=token)


def approve_other_content(sandbox: Any) -> httpx.Response:
    """Approve a content that the version does not have."""
    approval = {"content_sha256": "0" * 64, "reason": "Checked."}
    path = f"{VERSIONS}/{brought_to(sandbox, 'submitted')}/approve"
    return sandbox.post(path, approval, token=BOB)  # type: ignore[no-any-return]


def approve_late(sandbox: Any) -> httpx.Response:
    """Approve a version after its first day."""
    version = brought_to(sandbox, "submitted")
    sandbox.clock.forward(days=1)
    return step(sandbox, version, "approve", token=BOB)  # type: ignore[no-any-return]


def activate_beside_another(sandbox: Any) -> httpx.Response:
    """Activate a version of a rate where a version of another rate is active."""
    brought_to(sandbox, "active", "se-sms-other")
    return step(sandbox, brought_to(sandbox, "approved"), "activate")  # type: ignore[no-any-return]


CAUSES: dict[tuple[str, str, str], Cause] = {
    ("sendMessage", "400", "malformedRequest"): lambda sandbox: sandbox.send(
        content=b'{"to": }', headers=JSON
    ),
    ("retrieveMessage", "400", "malformedRequest"): lambda sandbox: sandbox.request(
        "GET", f"{MESSAGES}/msg_1", json={}, headers={"Authorization": f"Bearer {ADA}"}
    ),
    ("retrieveMessage", "400", "invalidParameter"): lambda sandbox: sandbox.get(
        f"{MESSAGES}/msg_1", params={"verbose": "1"}
    ),
    ("sendMessage", "401", "unauthenticated"): lambda sandbox: sandbox.request("POST", MESSAGES, json=HELLO),
    ("sendMessage", "403", "insufficientScope"): lambda sandbox: sandbox.send(token=UNSCOPED),
    ("sendMessage", "403", "senderNotRegistered"): send(to="+12025550180"),
    ("sendMessage", "403", "contentRefused"): lambda sandbox: sandbox.send(
        {**HELLO, "to": "+12025550180", "body": "https://bit.ly/x", "campaign_id": approved_campaign(sandbox)}
    ),
    ("sendMessage", "403", "recipientOptedOut"): send(to="+12025550185"),
    ("listMessages", "404", "invalidCursor"): lambda sandbox: sandbox.get(
        MESSAGES, params={"cursor": SHOWN_CURSOR}
    ),
    ("listCountryRates", "404", "nothingPublished"): lambda sandbox: sandbox.get("/v1/rates/AQ"),
    ("sendMessage", "405", "methodNotAllowed"): lambda sandbox: sandbox.request("TRACE", MESSAGES),
    ("sendMessage", "406", "notAcceptable"): lambda sandbox: sandbox.send(headers={"Accept": "text/html"}),
    ("sendMessage", "409", "campaignNotApproved"): lambda sandbox: sandbox.send(
        {**HELLO, "campaign_id": pending_campaign(sandbox)}
    ),
    ("sendMessage", "409", "senderNotUsable"): send(sender="+14155550199"),
    ("sendMessage", "413", "contentTooLarge"): send(body="x" * 70_000),
    ("sendMessage", "415", "unsupportedMediaType"): lambda sandbox: sandbox.send(
        content=b"to=1", headers={"Content-Type": "application/x-www-form-urlencoded"}
    ),
    ("sendMessage", "422", "validationFailed"): send(to="0044 20 7946 0000", channel="fax"),
    ("sendMessage", "422", "tooManySegments"): send(body="я" * 800),
    ("sendMessage", "422", "unsupportedChannel"): send(to="+12025550193", channel="mms"),
    ("sendMessage", "422", "channelMismatch"): send(
        media=[{"url": "https://media.example.com/a.jpg", "content_type": "image/jpeg"}]
    ),
    ("sendMessage", "422", "idempotencyKeyReused"): reuse_key,
    ("startCall", "409", "callerNotUsable"): lambda sandbox: sandbox.post(
        CALLS, {**CALL, "from": "+14155550199"}
    ),
    ("startCall", "422", "validationFailed"): lambda sandbox: sandbox.post(CALLS, {**CALL, "flow": []}),
    ("createWebhookEndpoint", "403", "webhookUrlForbidden"): name_private_address,
    ("createWebhookEndpoint", "409", "tooManyWebhookEndpoints"): fill_endpoints,
    ("createWebhookEndpoint", "422", "validationFailed"): lambda sandbox: sandbox.post(
        ENDPOINTS, {**RECEIPTS, "event_types": ["message.delivered"]}
    ),
    ("updateWebhookEndpoint", "422", "validationFailed"): lambda sandbox: sandbox.patch(
        f"{ENDPOINTS}/{sandbox.post(ENDPOINTS, RECEIPTS).json()['id']}", {}
    ),
    ("rotateWebhookSecret", "409", "answerNotKept"): reuse_key_for_rotation,
    ("replayEvent", "409", "noWebhookEndpoint"): replay({}),
    ("replayEvent", "409", "unknownWebhookEndpoint"): replay(
        {"webhook_endpoint_id": "we_01kaj5z9x7v5t3r1p9n7m5k3jh"}
    ),
    ("replayEvent", "422", "validationFailed"): replay({"colour": "red"}),
    ("registerCampaign", "409", "brandNotApproved"): register_for_pending_brand,
    ("submitRateVersion", "409", "faultyDraft"): submit_contradiction,
    ("submitRateVersion", "409", "stateConflict"): take_step("submit", "submitted"),
    ("rejectRateVersion", "409", "stateConflict"): take_step("reject", "draft", BOB),
    ("approveRateVersion", "409", "stateConflict"): take_step("approve", "draft", BOB),
    ("approveRateVersion", "409", "fourEyes"): take_step("approve", "submitted"),
    ("approveRateVersion", "409", "contentChanged"): approve_other_content,
    ("approveRateVersion", "409", "windowConflict"): approve_late,
    ("activateRateVersion", "409", "stateConflict"): take_step("activate", "submitted"),
    ("activateRateVersion", "409", "windowConflict"): activate_beside_another,
}
"""What causes the problem of an example: by operation, status and name of the example."""


def approved_campaign(sandbox: Any) -> str:
    """Register a campaign, and wait for its approval."""
    campaign = pending_campaign(sandbox)
    sandbox.clock.forward(seconds=2)
    sandbox.step()
    return campaign


def pending_campaign(sandbox: Any) -> str:
    """Register a campaign of an approved brand."""
    brand = sandbox.post("/v1/brands", BRAND).json()["id"]
    sandbox.clock.forward(seconds=2)
    sandbox.step()
    registered = sandbox.post(CAMPAIGNS, {**SHOWN_CAMPAIGN, "brand_id": brand})
    campaign: str = registered.json()["id"]
    return campaign


@pytest.mark.parametrize("case", CAUSES, ids="-".join)
def test_shown_problem_is_returned(sandbox: Any, api: Api, case: tuple[str, str, str]) -> None:
    """Title, detail and errors are those of the example, but for identifiers, records and days."""
    returned = CAUSES[case](sandbox)

    assert returned.status_code == int(case[1]), returned.text
    assert comparable(returned.json()) == comparable(shown_problem(api, *case))


WITHOUT_CAUSE = {
    "idempotency-key-in-use",
    "rate-limit-exceeded",
    "internal-error",
    "service-unavailable",
    "not-found",
    "insufficient-scope",
}
"""What needs a race or a failure, or is shown in general words because many operations share the example."""


def test_every_shown_problem_has_its_cause(api: Api) -> None:
    """A new example of a problem is compared with what the sandbox returns."""
    caused = {comparable(shown_problem(api, *case)) for case in CAUSES}
    shown = {
        comparable(example.value): example.value["type"].rstrip("/").rpartition("/")[2]
        for operation in api.operations
        for response in operation.responses
        for media in response.content
        if media.name == "application/problem+json"
        for example in media.examples
    }

    assert {problem: kind for problem, kind in shown.items() if kind not in WITHOUT_CAUSE}.keys() <= caused


def shown_problem(api: Api, operation_id: str, status: str, name: str) -> dict[str, Any]:
    """Return the example of a problem."""
    operation = next(operation for operation in api.operations if operation.id == operation_id)
    response = next(response for response in operation.responses if response.status == status)
    value: dict[str, Any] = next(
        example.value for example in response.content[0].examples if example.name == name
    )
    return value


VARIABLE = re.compile(
    r"(?P<id>\b(?:brd|cmp|key)_[0-9a-z]+)|(?P<record>\brates/[a-z-]+@[0-9]+)|(?P<day>\b20[0-9-]{8}\b)"
    r"|(?P<sha256>\b[0-9a-f]{64}\b)"
)
"""What depends on what was done before."""


def comparable(problem: dict[str, Any]) -> str:
    """Return the text of a problem without what differs from one occurrence to the next."""
    known = {name: value for name, value in problem.items() if name != "correlation_id"}
    return VARIABLE.sub(lambda match: f"<{match.lastgroup}>", json.dumps(known, sort_keys=True, indent=1))
