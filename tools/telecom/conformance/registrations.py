"""Brands and campaigns that checks register, and campaigns that are approved already."""

from dataclasses import dataclass
from typing import Any

from devportal.conformance.exchange import Exchange
from devportal.conformance.family import Send
from devportal.conformance.stocking import body_of
from devportal.conformance.subject import Subject
from telecom.compliance import RegistrationStatus
from telecom.conformance.sending import accepted, needed, operation_of, read_one, usual
from telecom.conformance.settings import settings_of
from telecom.conformance.waiting import awaited

BRAND, READ_BRAND = "registerBrand", "retrieveBrand"
CAMPAIGN, READ_CAMPAIGN = "registerCampaign", "retrieveCampaign"
ALL = (BRAND, READ_BRAND, CAMPAIGN, READ_CAMPAIGN)
APPROVED = RegistrationStatus.APPROVED.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """A brand or campaign that was registered: what names it, and the exchange that registered it."""

    id: str
    exchange: Exchange


def registered(subject: Subject, send: Send, name: str, **members: Any) -> tuple[Exchange, Registered | None]:
    """Register a brand or campaign by the operation of that name, with other members than the usual ones;
    return what came back, and the registration where it was accepted.
    """
    exchange = send(needed(subject, name), usual(subject, name, **members))
    found = (accepted(exchange) or {}).get("id")
    return exchange, Registered(id=found, exchange=exchange) if isinstance(found, str) else None


def status_of(subject: Subject, send: Send, reads: str, name: str) -> str:
    """Return the status that a registration is read with, empty where it cannot be read."""
    exchange = read_one(subject, send, reads, name)
    shown = body_of(exchange) if exchange.status == 200 else None
    status = shown.get("status") if isinstance(shown, dict) else None
    return status if isinstance(status, str) else ""


def becomes(subject: Subject, send: Send, reads: str, one: Registered, status: str) -> bool:
    """Wait until a registration has a status; say whether it has."""
    return awaited(subject, send, lambda: status_of(subject, send, reads, one.id) == status)


def approved_campaign(subject: Subject, send: Send) -> str | None:
    """Return a campaign that messages can name: the usual one, or in a sandbox one that is registered for
    it; None where there is none.
    """
    reading = operation_of(subject, READ_CAMPAIGN)
    request = subject.valid(reading) if reading is not None else None
    shown = body_of(send(reading, request)) if request is not None else None
    if isinstance(shown, dict) and shown.get("status") == APPROVED and isinstance(shown.get("id"), str):
        return str(shown["id"])
    can_register = settings_of(subject).is_sandbox and all(operation_of(subject, one) for one in ALL)
    return _newly_approved(subject, send) if can_register else None


def approved_brand(subject: Subject, send: Send, **members: Any) -> Registered | None:
    """Return a brand that is registered now and approved, None where that fails."""
    _, brand = registered(subject, send, BRAND, **members)
    is_approved = brand is not None and becomes(subject, send, READ_BRAND, brand, APPROVED)
    return brand if is_approved else None


def _newly_approved(subject: Subject, send: Send) -> str | None:
    brand = approved_brand(subject, send)
    _, campaign = (
        registered(subject, send, CAMPAIGN, brand_id=brand.id) if brand is not None else (None, None)
    )
    if campaign is None or not becomes(subject, send, READ_CAMPAIGN, campaign, APPROVED):
        return None
    return campaign.id
