"""Faults in compliance: messages that must not go and do, registrations of use that were not approved."""

from collections.abc import Callable
from typing import Any

from tests.apps.faults.proxy import Asked, Fault, Forward, Given
from tests.apps.faults.telecom import SANDBOX, treat_number_as
from tests.apps.faults.twists import (
    BRAND,
    LIST,
    MESSAGES,
    READ_BRAND,
    SEND,
    Make,
    answer,
    request,
    text_of,
)

ROUTE, OPTED_OUT, USUAL = "+12025550180", "+12025550185", "+12025550123"
ROUTES = (ROUTE, "+12025550181")
COMPLIANCE = ("registerBrand", "retrieveBrand", "registerCampaign", "retrieveCampaign")
CAMPAIGN, READ_CAMPAIGN = "POST /v1/campaigns", "GET /v1/campaigns/{campaign_id}"
BRAND_THAT_IS_APPROVED = "brd_01kaj8r4n6p8q0s2t4v6w8x0y2"


def _compliance_fault(name: str, breaks: str, make: Make) -> Fault:
    return Fault(
        name=name,
        breaks=breaks,
        check="compliance-refusals",
        operations=(*MESSAGES, *COMPLIANCE, "listNumbers"),
        make=make,
        plugins=SANDBOX,
    )


def _without(member: str, *numbers: str) -> Make:
    """Send messages as if they did not have a member: all, or those to some numbers."""

    def is_concerned(asked: Asked) -> bool:
        return bool(text_of(asked, member)) and (not numbers or text_of(asked, "to") in numbers)

    def without_member(asked: Asked) -> Asked:
        return asked.with_json({name: value for name, value in asked.json.items() if name != member})

    return request(SEND, without_member, when=is_concerned)


def _problem(slug: str, **members: Any) -> Callable[[Given], Given]:
    """Change which problem is told."""

    def with_problem(given: Given) -> Given:
        kind = given.json["type"].rstrip("/").rpartition("/")[0] + f"/{slug}/"
        return given.with_members(type=kind, **members)

    return with_problem


def _lists_refused_bodies() -> Callable[[Asked, Forward], Any]:
    """Store the bodies of refused messages, and list them."""
    bodies: list[str] = []

    async def twist(asked: Asked, forward: Forward) -> Given:
        given = await forward(asked)
        if asked.has(SEND) and given.status == 403:
            bodies.append(text_of(asked, "body"))
        if asked.has(LIST) and given.status == 200 and bodies and given.json["data"]:
            first, *rest = given.json["data"]
            return given.with_members(data=[{**first, "body": bodies[-1]}, *rest])
        return given

    return twist


REFUSALS = (
    _compliance_fault(
        "any-campaign-will-do",
        "a campaign has to be an approved one of the account",
        _without("campaign_id"),
    ),
    _compliance_fault(
        "anybodys-number-as-sender",
        "a sender has to be a number of the account",
        _without("sender"),
    ),
    _compliance_fault(
        "routes-that-ask-for-no-campaign",
        "routes with registered senders ask for a campaign",
        request(
            SEND,
            lambda asked: asked.with_members(to=USUAL),
            when=lambda asked: text_of(asked, "to") in ROUTES and not text_of(asked, "campaign_id"),
        ),
    ),
    _compliance_fault(
        "routes-that-take-links-of-shorteners",
        "content checks refuse links that hide where they lead",
        request(
            SEND,
            lambda asked: asked.with_members(body=asked.json["body"].replace("bit.ly", "parcels.example")),
            when=lambda asked: text_of(asked, "to") in ROUTES,
        ),
    ),
    _compliance_fault(
        "routes-that-refuse-everybody",
        "an approved campaign is good for a route with registered senders",
        _without("campaign_id", *ROUTES),
    ),
    _compliance_fault(
        "messages-to-who-has-opted-out",
        "who has opted out gets nothing",
        treat_number_as(OPTED_OUT, USUAL),
    ),
    _compliance_fault(
        "an-opt-out-of-sms-alone",
        "who has opted out gets nothing, on no channel",
        request(
            SEND,
            lambda asked: asked.with_members(to=USUAL),
            when=lambda asked: text_of(asked, "to") == OPTED_OUT and text_of(asked, "channel") != "sms",
        ),
    ),
    _compliance_fault(
        "an-opt-out-that-a-campaign-outweighs",
        "who has opted out gets nothing, whoever sends",
        request(
            SEND,
            lambda asked: asked.with_members(to=USUAL),
            when=lambda asked: text_of(asked, "to") == OPTED_OUT and bool(text_of(asked, "campaign_id")),
        ),
    ),
    _compliance_fault(
        "a-refusal-that-blames-the-scope",
        "each refusal has its own problem",
        answer(SEND, _problem("insufficient-scope"), statuses=(403,)),
    ),
    _compliance_fault("refused-and-sent-all-the-same", "what is refused is nowhere", _lists_refused_bodies),
)


def _decision(name: str, breaks: str, make: Make) -> Fault:
    return Fault(
        name=name,
        breaks=breaks,
        check="registration-decisions",
        operations=(*MESSAGES, *COMPLIANCE),
        make=make,
        plugins=SANDBOX,
    )


DECISIONS = (
    _decision(
        "campaigns-of-any-brand",
        "campaigns are of approved brands",
        request(CAMPAIGN, lambda asked: asked.with_members(brand_id=BRAND_THAT_IS_APPROVED)),
    ),
    _decision(
        "messages-of-any-campaign",
        "messages are of approved campaigns",
        _without("campaign_id"),
    ),
    _decision(
        "campaigns-that-outlive-their-brand",
        "campaigns are suspended with their brand",
        answer(
            READ_CAMPAIGN,
            lambda given: given.with_members(
                status="approved" if given.json["status"] == "suspended" else given.json["status"]
            ),
        ),
    ),
    _decision(
        "brands-that-nobody-looks-at",
        "a brand whose name does not match is refused",
        request(BRAND, lambda asked: asked.with_members(tax_id="12-3456789")),
    ),
    _decision(
        "a-refusal-without-a-reason",
        "a refused registration tells its reason",
        answer(READ_BRAND, lambda given: given.with_members(rejection_reason=None)),
    ),
)
FAULTS = (*REFUSALS, *DECISIONS)
