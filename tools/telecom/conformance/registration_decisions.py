"""Is what was not approved of no use, and what was suspended no more? In sandboxes: registering costs."""

from collections.abc import Iterator
from functools import partial

from devportal.conformance.family import Family, Fault, Probe, Send, Words
from devportal.conformance.line import Unsendable
from devportal.conformance.subject import Subject, label
from telecom.compliance import (
    MISMATCHED_TAX_ID,
    PUBLIC_SHORTENERS,
    SUSPENDED_HOST,
    BrandRefusal,
    CampaignRefusal,
    RegistrationStatus,
)
from telecom.conformance.refusing import misrefusal
from telecom.conformance.registrations import (
    ALL,
    BRAND,
    CAMPAIGN,
    READ_BRAND,
    READ_CAMPAIGN,
    Registered,
    approved_brand,
    becomes,
    registered,
    status_of,
)
from telecom.conformance.sending import SEND, fault, lacking, needed, read_one, send_message
from telecom.conformance.settings import lacks_sandbox
from telecom.problems import Kind

REJECTED, SUSPENDED = RegistrationStatus.REJECTED.value, RegistrationStatus.SUSPENDED.value
NEVER_USABLE = "a registration that was not approved can be used"


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for brands and campaigns that are refused, and one for those that are suspended."""
    yield Probe(operation=label(needed(subject, CAMPAIGN)), run=partial(_refused_brand, subject))
    yield Probe(operation=label(needed(subject, SEND)), run=partial(_refused_campaign, subject))
    yield Probe(operation=label(needed(subject, SEND)), run=partial(_suspended, subject))


def _refused_brand(subject: Subject, send: Send) -> Iterator[Fault]:
    _, brand = registered(subject, send, BRAND, tax_id=MISMATCHED_TAX_ID)
    if brand is None:
        raise Unsendable("no brand can be registered")
    yield from _no_campaign_of(subject, send, brand, "is not decided on or refused")
    yield from _decided(subject, send, READ_BRAND, brand, BrandRefusal.NAME_DOES_NOT_MATCH_TAX_ID.value)
    yield from _no_campaign_of(subject, send, brand, "is refused")


def _refused_campaign(subject: Subject, send: Send) -> Iterator[Fault]:
    brand = approved_brand(subject, send)
    if brand is None:
        raise Unsendable("no brand is approved")
    texts = [f"Your parcel: https://{PUBLIC_SHORTENERS[0]}/3xAmPlE Reply STOP to stop."]
    _, campaign = registered(subject, send, CAMPAIGN, brand_id=brand.id, sample_messages=texts)
    if campaign is None:
        raise Unsendable("no campaign can be registered")
    yield from _no_message_of(subject, send, campaign, "is not decided on or refused")
    yield from _decided(subject, send, READ_CAMPAIGN, campaign, CampaignRefusal.PUBLIC_LINK_SHORTENER.value)
    yield from _no_message_of(subject, send, campaign, "is refused")


def _suspended(subject: Subject, send: Send) -> Iterator[Fault]:
    """A brand that is approved and then suspended takes its campaigns along."""
    brand = approved_brand(subject, send, website=f"https://{SUSPENDED_HOST}/")
    if brand is None:
        raise Unsendable("no brand is approved")
    _, campaign = registered(subject, send, CAMPAIGN, brand_id=brand.id)
    if not becomes(subject, send, READ_BRAND, brand, SUSPENDED):
        yield fault(
            needed(subject, READ_BRAND),
            "a brand is not decided on as the guide says",
            f"{brand.id!r} with its website at {SUSPENDED_HOST} is not suspended in time",
            brand.exchange,
        )
        return
    yield from _no_campaign_of(subject, send, brand, "is suspended")
    if campaign is None:
        return
    status = status_of(subject, send, READ_CAMPAIGN, campaign.id)
    if status not in (SUSPENDED, REJECTED):
        text = f"the brand {brand.id!r} is suspended, and its campaign {campaign.id!r} is {status!r}"
        title = "a campaign outlives its brand"
        yield fault(needed(subject, READ_CAMPAIGN), title, text, campaign.exchange)
    yield from _no_message_of(subject, send, campaign, "has a suspended brand")


def _decided(subject: Subject, send: Send, reads: str, one: Registered, reason: str) -> Iterator[Fault]:
    """Yield a fault where a registration is not refused for the reason of the guide."""
    operation = needed(subject, reads)
    if not becomes(subject, send, reads, one, REJECTED):
        text = f"{one.id!r} is {status_of(subject, send, reads, one.id)!r}, and is to be refused"
        yield fault(operation, "a registration is not decided on as the guide says", text, one.exchange)
        return
    exchange = read_one(subject, send, reads, one.id)
    if f'"{reason}"' not in (exchange.answer.body.decode("utf-8", "replace") if exchange.answer else ""):
        text = f"{one.id!r} is refused, and {reason!r} is not told"
        yield fault(operation, "a registration is refused for another reason", text, one.exchange, exchange)


def _no_campaign_of(subject: Subject, send: Send, brand: Registered, why: str) -> Iterator[Fault]:
    exchange, _ = registered(subject, send, CAMPAIGN, brand_id=brand.id)
    if wrong := misrefusal(subject, exchange, Kind.BRAND_NOT_APPROVED):
        text = f"a campaign of {brand.id!r}, which {why}, {wrong}"
        yield fault(needed(subject, CAMPAIGN), NEVER_USABLE, text, brand.exchange, exchange)


def _no_message_of(subject: Subject, send: Send, campaign: Registered, why: str) -> Iterator[Fault]:
    exchange = send_message(subject, send, channel="sms", campaign_id=campaign.id)
    if wrong := misrefusal(subject, exchange, Kind.CAMPAIGN_NOT_APPROVED):
        text = f"a message of {campaign.id!r}, which {why}, {wrong}"
        yield fault(needed(subject, SEND), NEVER_USABLE, text, campaign.exchange, exchange)


def _lacks(subject: Subject) -> str:
    return lacks_sandbox(subject) or lacking(SEND, *ALL)(subject)


FAMILY = Family(
    name="registration-decisions",
    summary="only approved brands and campaigns can be used",
    words=Words(
        promise="A brand has campaigns, and a campaign has messages, only while it is approved: not before "
        "the decision, not after a refusal, and no more once the brand is suspended. The refusal has its "
        "documented problem, and a refused registration tells its reason.",
        test="In a sandbox, brands and campaigns are registered that the guide says are refused or "
        "suspended, and used at once and after the decision.",
        remedy="Look up the status where a message or a campaign is accepted, in the same transaction, and "
        "never from a cache; suspend campaigns where their brand is suspended.",
        sources=("the descriptions of brands and campaigns in the contract", "the guide to compliance"),
    ),
    probes=probes,
    lacks=_lacks,
    beside=True,
    about_state=True,
)
