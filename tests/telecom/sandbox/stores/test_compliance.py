"""Brands and campaigns in the sandbox."""

from typing import Any

import pytest
from tests.telecom.sandbox.conftest import BRAND
from tests.telecom.sandbox.problem_names import status_and_problem

from telecom.compliance import REGISTERED_ROUTES
from telecom.sandbox.stores.compliance_store import BRANDS, CAMPAIGNS

APPROVED = "brd_01kaj8r4n6p8q0s2t4v6w8x0y2"


def campaign(brand_id: str, **changes: Any) -> dict[str, Any]:
    return {
        "brand_id": brand_id,
        "use_case": "delivery_notification",
        "description": "Customers who ordered for delivery get one message on the day it arrives.",
        "sample_messages": ["Parcels of Example: your parcel arrives today. Reply STOP to stop."],
        "opt_in": "At checkout, a box that is not ticked: Text me about this delivery.",
        "opt_out_message": "Parcels of Example: no more messages. Reply START to get them again.",
        "help_message": "Parcels of Example: help@parcels.example. Reply STOP to stop.",
        **changes,
    }


def pass_time(sandbox: Any, *, seconds: float = 1) -> None:
    sandbox.clock.forward(seconds=seconds)
    sandbox.step()


@pytest.mark.parametrize(
    ("changes", "status", "reason", "score"),
    [
        ({}, "approved", None, 82),
        ({"tax_id": "00-0000000"}, "rejected", "name_does_not_match_tax_id", None),
        ({"website": "https://unreachable.example/"}, "rejected", "website_not_reachable", None),
    ],
)
def test_brand_is_registered_and_decided_on(
    sandbox: Any, changes: dict[str, str], status: str, reason: str | None, score: int | None
) -> None:
    """It is pending at first, without a word on its score."""
    registered = sandbox.post("/v1/brands", {**BRAND, **changes})
    pass_time(sandbox)
    decided = sandbox.get(f"/v1/brands/{registered.json()['id']}").json()

    assert registered.status_code == 202
    assert (registered.json()["status"], registered.json()["score"]) == ("pending", None)
    assert (decided["status"], decided["rejection_reason"], decided["score"]) == (status, reason, score)
    assert decided["decided_at"] == "2026-11-21T09:30:01.000Z"


def test_tax_identifier_is_not_kept(sandbox: Any) -> None:
    """Only its end comes back, and nothing else of it is in the database."""
    identifier = sandbox.post("/v1/brands", {**BRAND, "tax_id": "77-1234567"}).json()["id"]

    assert sandbox.get(f"/v1/brands/{identifier}").json()["tax_id_last4"] == "4567"
    with sandbox.database.read() as connection:
        assert "77-1234567" not in str(connection.execute(BRANDS.select()).all())


def test_brand_can_be_suspended(sandbox: Any) -> None:
    """It is approved, then suspended, and may have no campaign any more."""
    body = {**BRAND, "website": "https://suspended.example/"}
    address = f"/v1/brands/{sandbox.post('/v1/brands', body).json()['id']}"
    statuses = []
    for seconds in (1, 4.5, 0.5):
        pass_time(sandbox, seconds=seconds)
        statuses.append(sandbox.get(address).json()["status"])

    refused = sandbox.post("/v1/campaigns", campaign(address.rpartition("/")[2]))

    assert statuses == ["approved", "approved", "suspended"]
    assert status_and_problem(refused) == (409, "brand-not-approved")


def test_campaigns_are_suspended_with_their_brand(sandbox: Any) -> None:
    """What is approved is suspended and sends no more, what is pending is refused; others go on."""
    brand = sandbox.post("/v1/brands", {**BRAND, "website": "https://suspended.example/"}).json()["id"]
    pass_time(sandbox)
    approved = sandbox.post("/v1/campaigns", campaign(brand)).json()["id"]
    pass_time(sandbox)
    before = sandbox.send(message(campaign_id=approved))
    pass_time(sandbox, seconds=3.5)
    late = sandbox.post("/v1/campaigns", campaign(brand)).json()["id"]
    other = sandbox.post("/v1/campaigns", campaign(APPROVED)).json()["id"]
    pass_time(sandbox, seconds=0.5)
    after = sandbox.send(message(campaign_id=approved))
    pass_time(sandbox)

    shown = [sandbox.get(f"/v1/campaigns/{item}").json() for item in (approved, late, other)]
    assert [(item["status"], item["rejection_reason"], item["decided_at"]) for item in shown] == [
        ("suspended", None, "2026-11-21T09:30:02.000Z"),
        ("rejected", "brand_suspended", "2026-11-21T09:30:06.000Z"),
        ("approved", None, "2026-11-21T09:30:07.000Z"),
    ]
    assert before.status_code == 202
    assert status_and_problem(after) == (409, "campaign-not-approved")


@pytest.mark.parametrize(
    ("changes", "status", "reason"),
    [
        ({}, "approved", None),
        ({"sample_messages": ["Look: https://bit.ly/x"]}, "rejected", "public_link_shortener"),
        ({"help_message": "Write to help@parcels.example."}, "rejected", "opt_out_missing"),
    ],
)
def test_campaign_is_registered_and_decided_on(
    sandbox: Any, changes: dict[str, Any], status: str, reason: str | None
) -> None:
    """What was registered comes back with the decision."""
    body = campaign(APPROVED, **changes)
    registered = sandbox.post("/v1/campaigns", body)
    pass_time(sandbox)
    decided = sandbox.get(f"/v1/campaigns/{registered.json()['id']}").json()

    assert (registered.status_code, registered.json()["status"]) == (202, "pending")
    assert (decided["status"], decided["rejection_reason"]) == (status, reason)
    assert {name: decided[name] for name in body} == body


def test_campaign_needs_an_approved_brand(sandbox: Any) -> None:
    """One that is pending, refused, unknown or another account's is refused, and nothing is kept."""
    pending = sandbox.post("/v1/brands", BRAND).json()["id"]
    others = sandbox.post("/v1/brands", BRAND, token="token-of-bob").json()["id"]
    before = sandbox.count(CAMPAIGNS)

    for brand_id in (pending, others, "brd_01kaj8t6v8w0x2y4z6a8b0c2d4", "brd_nobody"):
        refused = sandbox.post("/v1/campaigns", campaign(brand_id))
        assert status_and_problem(refused) == (409, "brand-not-approved")
        assert refused.json()["errors"][0]["pointer"] == "#/brand_id"
    assert sandbox.count(CAMPAIGNS) == before


def test_brands_and_campaigns_of_others_are_not_found(sandbox: Any) -> None:
    """As if there were none."""
    brand = sandbox.post("/v1/brands", BRAND, token="token-of-bob").json()["id"]
    created = sandbox.post("/v1/campaigns", campaign(APPROVED), token="token-of-bob").json()["id"]

    for address in (f"/v1/brands/{brand}", f"/v1/campaigns/{created}"):
        assert status_and_problem(sandbox.get(address)) == (404, "not-found")
        assert sandbox.get(address, token="token-of-bob").status_code == 200


def test_registration_is_repeated_safely(sandbox: Any) -> None:
    """The same key returns the first answer; one brand is kept."""
    before = sandbox.count(BRANDS)
    key = {"Idempotency-Key": "brand-1"}

    answers = [sandbox.post("/v1/brands", BRAND, headers=key).json() for _ in range(2)]

    assert answers[0] == answers[1]
    assert sandbox.count(BRANDS) == before + 1


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"website": "http://parcels.example/"}, "#/website"),
        ({"entity_type": "company"}, "#/entity_type"),
        ({"tax_id": "1"}, "#/tax_id"),
        ({"score": 100}, "#"),
    ],
)
def test_malformed_brand_is_refused(sandbox: Any, changes: dict[str, Any], pointer: str) -> None:
    """With the place of each fault."""
    refused = sandbox.post("/v1/brands", {**BRAND, **changes})

    assert status_and_problem(refused) == (422, "validation-failed")
    assert [fault["pointer"] for fault in refused.json()["errors"]] == [pointer]


def test_what_the_reference_shows_is_there(sandbox: Any) -> None:
    """Each account has the brands and campaigns of the contract's examples, and has them again after a
    restart."""
    sandbox.restart()

    for operation_id, prefix in (("retrieveBrand", "/v1/brands/"), ("retrieveCampaign", "/v1/campaigns/")):
        operation = next(operation for operation in sandbox.api.operations if operation.id == operation_id)
        examples = operation.successes[0].content[0].examples
        assert len(examples) == 2
        for example in examples:
            for token in ("token-of-ada", "token-of-bob"):
                assert sandbox.get(prefix + example.value["id"], token=token).json() == example.value


REGISTERED = "cmp_01kaj8z5a7b9c1d3e5f7g9h1j3"


def message(to: str = "+12025550180", **changes: Any) -> dict[str, Any]:
    return {"to": to, "channel": "sms", "body": "Parcels of Example: it arrives today.", **changes}


def test_registered_route_takes_messages_of_an_approved_campaign(sandbox: Any) -> None:
    """With all the other members as they are documented."""
    accepted = sandbox.send(message(campaign_id=REGISTERED))
    shown = sandbox.get(f"/v1/messages/{accepted.json()['id']}").json()

    assert accepted.status_code == 202
    assert shown["campaign_id"] == REGISTERED


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (message(campaign_id="cmp_01kaj900d2f4g6h8j0k2m4n6p8"), "is rejected"),
        (message(campaign_id="cmp_nobody"), "is not in your account"),
        (message("+12025550123", campaign_id="cmp_nobody"), "is not in your account"),
    ],
    ids=["rejected", "unknown", "unknown on another route"],
)
def test_campaign_that_is_not_approved_is_refused(sandbox: Any, body: Any, sentence: str) -> None:
    """A campaign that is named has to be an approved one on every route."""
    refused = sandbox.send(body)

    assert status_and_problem(refused) == (409, "campaign-not-approved")
    assert refused.json()["errors"] == [{"detail": f"This campaign {sentence}.", "pointer": "#/campaign_id"}]


@pytest.mark.parametrize("number", REGISTERED_ROUTES)
def test_registered_route_wants_a_campaign(sandbox: Any, number: str) -> None:
    """Who names none is not registered there."""
    refused = sandbox.send(message(number))

    assert status_and_problem(refused) == (403, "sender-not-registered")
    assert [fault["pointer"] for fault in refused.json()["errors"]] == ["#"]


def test_campaign_of_another_account_is_none(sandbox: Any) -> None:
    """Identifiers are good for their own account only."""
    created = sandbox.post("/v1/campaigns", campaign(APPROVED), token="token-of-bob").json()["id"]
    pass_time(sandbox)

    assert status_and_problem(sandbox.send(message(campaign_id=created))) == (409, "campaign-not-approved")
    assert sandbox.send(message(campaign_id=created), token="token-of-bob").status_code == 202


def test_content_is_checked_on_registered_routes(sandbox: Any) -> None:
    """A link of a public shortener is refused there, and nowhere else."""
    text = "Parcels of Example: https://bit.ly/3x"

    refused = sandbox.send(message(campaign_id=REGISTERED, body=text))

    assert status_and_problem(refused) == (403, "content-refused")
    assert "bit.ly" in refused.json()["detail"]
    assert sandbox.send(message("+12025550123", body=text)).status_code == 202


def test_recipient_who_opted_out_gets_nothing(sandbox: Any) -> None:
    """With a campaign or without."""
    for changes in ({}, {"campaign_id": REGISTERED}):
        assert status_and_problem(sandbox.send(message("+12025550185", **changes))) == (
            403,
            "recipient-opted-out",
        )
