"""Are rejected and suspended registrations unusable? Runs only in sandboxes: registering costs money
elsewhere."""

from collections.abc import Iterator
from functools import partial

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.subject import Subject, operation_label
from telecom.compliance import (
    MISMATCHED_TAX_ID,
    PUBLIC_SHORTENERS,
    SUSPENDED_HOST,
    BrandRefusal,
    CampaignRefusal,
    RegistrationStatus,
)
from telecom.conformance.registrations import (
    READ_BRAND,
    READ_CAMPAIGN,
    REGISTER_BRAND,
    REGISTER_CAMPAIGN,
    REGISTRATION_OPERATIONS,
    Registration,
    approved_brand,
    read_status,
    register,
    wait_for_status,
)
from telecom.conformance.sending import (
    SEND_MESSAGE,
    missing_operations,
    read_by_id,
    refusal_mismatch,
    require_operation,
    response_failure,
    send_message,
)
from telecom.conformance.settings import missing_sandbox
from telecom.problems import ProblemKind

REJECTED, SUSPENDED = RegistrationStatus.REJECTED.value, RegistrationStatus.SUSPENDED.value
NEVER_USABLE = "a registration that was not approved can be used"


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for brands and campaigns that are refused, and one for those that are suspended."""
    yield Probe(
        operation=operation_label(require_operation(subject, REGISTER_CAMPAIGN)),
        run=partial(_check_refused_brand, subject),
    )
    yield Probe(
        operation=operation_label(require_operation(subject, SEND_MESSAGE)),
        run=partial(_check_refused_campaign, subject),
    )
    yield Probe(
        operation=operation_label(require_operation(subject, SEND_MESSAGE)),
        run=partial(_check_suspension, subject),
    )


def _check_refused_brand(subject: Subject, send: Send) -> Iterator[CheckFailure]:
    _, brand = register(subject, send, REGISTER_BRAND, tax_id=MISMATCHED_TAX_ID)
    if brand is None:
        raise Unsendable("a brand that can be registered")
    yield from _check_campaign_refused(subject, send, brand, "is neither decided nor rejected")
    yield from _check_decision(
        subject, send, READ_BRAND, brand, BrandRefusal.NAME_DOES_NOT_MATCH_TAX_ID.value
    )
    yield from _check_campaign_refused(subject, send, brand, "is rejected")


def _check_refused_campaign(subject: Subject, send: Send) -> Iterator[CheckFailure]:
    brand = approved_brand(subject, send)
    if brand is None:
        raise Unsendable("a brand that the deployment approves")
    texts = [f"Your parcel: https://{PUBLIC_SHORTENERS[0]}/3xAmPlE Reply STOP to stop."]
    _, campaign = register(subject, send, REGISTER_CAMPAIGN, brand_id=brand.id, sample_messages=texts)
    if campaign is None:
        raise Unsendable("a campaign that can be registered")
    yield from _check_message_refused(subject, send, campaign, "is neither decided nor rejected")
    yield from _check_decision(
        subject, send, READ_CAMPAIGN, campaign, CampaignRefusal.PUBLIC_LINK_SHORTENER.value
    )
    yield from _check_message_refused(subject, send, campaign, "is rejected")


def _check_suspension(subject: Subject, send: Send) -> Iterator[CheckFailure]:
    """Check that a brand that is suspended after its approval takes its campaigns along."""
    brand = approved_brand(subject, send, website=f"https://{SUSPENDED_HOST}/")
    if brand is None:
        raise Unsendable("a brand that the deployment approves")
    _, campaign = register(subject, send, REGISTER_CAMPAIGN, brand_id=brand.id)
    if not wait_for_status(subject, send, READ_BRAND, brand, SUSPENDED):
        yield response_failure(
            require_operation(subject, READ_BRAND),
            "a brand is not decided on as the guide says",
            f"{brand.id!r} with its website at {SUSPENDED_HOST} is not suspended in time",
            brand.exchange,
        )
        return
    yield from _check_campaign_refused(subject, send, brand, "is suspended")
    if campaign is None:
        return
    status = read_status(subject, send, READ_CAMPAIGN, campaign.id)
    if status not in (SUSPENDED, REJECTED):
        text = f"the brand {brand.id!r} is suspended, and its campaign {campaign.id!r} is {status!r}"
        title = "a campaign outlives its brand"
        yield response_failure(require_operation(subject, READ_CAMPAIGN), title, text, campaign.exchange)
    yield from _check_message_refused(subject, send, campaign, "has a suspended brand")


def _check_decision(
    subject: Subject, send: Send, read_operation: str, registration: Registration, reason: str
) -> Iterator[CheckFailure]:
    """Yield a failure if a registration is not rejected for the reason that the guide gives."""
    operation = require_operation(subject, read_operation)
    if not wait_for_status(subject, send, read_operation, registration, REJECTED):
        status = read_status(subject, send, read_operation, registration.id)
        text = f"{registration.id!r} is {status!r}, but should be rejected"
        yield response_failure(
            operation, "a registration is not decided on as the guide says", text, registration.exchange
        )
        return
    exchange = read_by_id(subject, send, read_operation, registration.id)
    if f'"{reason}"' not in (exchange.answer.body.decode("utf-8", "replace") if exchange.answer else ""):
        text = f"{registration.id!r} is rejected without the reason {reason!r}"
        yield response_failure(
            operation,
            "a registration is rejected for a different reason",
            text,
            registration.exchange,
            exchange,
        )


def _check_campaign_refused(
    subject: Subject, send: Send, brand: Registration, state: str
) -> Iterator[CheckFailure]:
    exchange, _ = register(subject, send, REGISTER_CAMPAIGN, brand_id=brand.id)
    if mismatch := refusal_mismatch(subject, exchange, ProblemKind.BRAND_NOT_APPROVED):
        text = f"a campaign of {brand.id!r}, which {state}, {mismatch}"
        yield response_failure(
            require_operation(subject, REGISTER_CAMPAIGN), NEVER_USABLE, text, brand.exchange, exchange
        )


def _check_message_refused(
    subject: Subject, send: Send, campaign: Registration, state: str
) -> Iterator[CheckFailure]:
    exchange = send_message(subject, send, channel="sms", campaign_id=campaign.id)
    if mismatch := refusal_mismatch(subject, exchange, ProblemKind.CAMPAIGN_NOT_APPROVED):
        text = f"a message of {campaign.id!r}, which {state}, {mismatch}"
        yield response_failure(
            require_operation(subject, SEND_MESSAGE), NEVER_USABLE, text, campaign.exchange, exchange
        )


def _missing_requirement(subject: Subject) -> str:
    return missing_sandbox(subject) or missing_operations(SEND_MESSAGE, *REGISTRATION_OPERATIONS)(subject)


FAMILY = Family(
    name="registration-decisions",
    summary="only approved brands and campaigns can be used",
    words=CheckDescription(
        promise="Campaigns require an approved brand, and messages an approved campaign: not before the "
        "decision, not after a rejection, and no longer once the brand is suspended. The request is "
        "rejected with the documented problem, and a rejected registration gives its reason.",
        test="In a sandbox, brands and campaigns that the guide says are rejected or suspended are "
        "registered and used, at once and after the decision.",
        remedy="Look up the status in the transaction that accepts a message or a campaign, never from a "
        "cache. Suspend campaigns together with their brand.",
        sources=("the descriptions of brands and campaigns in the contract", "the guide to compliance"),
    ),
    probes=probes,
    lacks=_missing_requirement,
    beside=True,
    about_state=True,
)
