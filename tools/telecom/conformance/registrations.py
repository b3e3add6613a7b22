"""Brands and campaigns that checks register, and campaigns that are already approved."""

from dataclasses import dataclass
from typing import Any

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.family import Send
from devportal.conformance.knowledge.resources.created_resources import response_json
from devportal.conformance.knowledge.subject import Subject
from telecom.compliance import RegistrationStatus
from telecom.conformance.sending import (
    accepted_json,
    operation_of,
    read_by_id,
    request_with_members,
    require_operation,
    wait_until,
)
from telecom.conformance.settings import settings_of

REGISTER_BRAND, READ_BRAND = "registerBrand", "retrieveBrand"
REGISTER_CAMPAIGN, READ_CAMPAIGN = "registerCampaign", "retrieveCampaign"
REGISTRATION_OPERATIONS = (REGISTER_BRAND, READ_BRAND, REGISTER_CAMPAIGN, READ_CAMPAIGN)
APPROVED = RegistrationStatus.APPROVED.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """A registered brand or campaign: its identifier, and the exchange that registered it."""

    id: str
    exchange: Exchange


def register(
    subject: Subject, send: Send, operation_id: str, **members: Any
) -> tuple[Exchange, Registration | None]:
    """Register a brand or campaign with other members than the usual ones. Return the exchange, and the
    registration if it was accepted."""
    exchange = send(
        require_operation(subject, operation_id), request_with_members(subject, operation_id, **members)
    )
    identifier = (accepted_json(exchange) or {}).get("id")
    return exchange, Registration(id=identifier, exchange=exchange) if isinstance(identifier, str) else None


def read_status(subject: Subject, send: Send, read_operation: str, identifier: str) -> str:
    """Return the status of a registration, empty if it cannot be read."""
    exchange = read_by_id(subject, send, read_operation, identifier)
    document = response_json(exchange) if exchange.status == 200 else None
    status = document.get("status") if isinstance(document, dict) else None
    return status if isinstance(status, str) else ""


def wait_for_status(
    subject: Subject, send: Send, read_operation: str, registration: Registration, status: str
) -> bool:
    """Wait until a registration has a status; return whether it has."""
    return wait_until(
        subject, send, lambda: read_status(subject, send, read_operation, registration.id) == status
    )


def approved_campaign(subject: Subject, send: Send) -> str | None:
    """Return a campaign that messages can name: the usual one, or in a sandbox a newly registered one; None
    if there is none."""
    reading = operation_of(subject, READ_CAMPAIGN)
    request = subject.valid(reading) if reading is not None else None
    document = response_json(send(reading, request)) if request is not None else None
    if (
        isinstance(document, dict)
        and document.get("status") == APPROVED
        and isinstance(document.get("id"), str)
    ):
        return str(document["id"])
    can_register = settings_of(subject).is_sandbox and all(
        operation_of(subject, registration_operation) for registration_operation in REGISTRATION_OPERATIONS
    )
    return _register_campaign(subject, send) if can_register else None


def approved_brand(subject: Subject, send: Send, **members: Any) -> Registration | None:
    """Return a newly registered and approved brand, None if that fails."""
    _, brand = register(subject, send, REGISTER_BRAND, **members)
    is_approved = brand is not None and wait_for_status(subject, send, READ_BRAND, brand, APPROVED)
    return brand if is_approved else None


def _register_campaign(subject: Subject, send: Send) -> str | None:
    brand = approved_brand(subject, send)
    _, campaign = (
        register(subject, send, REGISTER_CAMPAIGN, brand_id=brand.id) if brand is not None else (None, None)
    )
    if campaign is None or not wait_for_status(subject, send, READ_CAMPAIGN, campaign, APPROVED):
        return None
    return campaign.id
