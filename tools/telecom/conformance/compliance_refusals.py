"""Are messages refused that compliance forbids: without a registered sender, or to a recipient who opted out?"""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

from devportal.conformance.families.references.unknown_ids import random_character_like
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.resources.created_resources import response_json
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract.wording import quote_value
from telecom.compliance import PUBLIC_SHORTENERS
from telecom.conformance.registrations import approved_campaign
from telecom.conformance.sending import (
    SEND_MESSAGE,
    accepted_json,
    documented_problem,
    missing_operations,
    operation_of,
    refusal_mismatch,
    require_operation,
    response_failure,
    send_message,
)
from telecom.conformance.settings import settings_of
from telecom.problems import ProblemKind
from telecom.receipts import Channel

LIST_MESSAGES, LIST_NUMBERS = "listMessages", "listNumbers"
FOREIGN_NUMBERS = ("+14155550199", "+13125550198", "+442079460999")
"""Numbers reserved for fiction, one of which no account should have (NANP 555-01XX, Ofcom 020 7946 0xxx)."""
UNKNOWN_CAMPAIGN = "cmp_01kaj8z5a7b9c1d3e5f7g9h1j3"
"""The form of a campaign's identifier; its tail is replaced at random."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for what holds on every route, one for each route with registered senders, and one for
    recipients who have opted out.
    """
    name, declared = operation_label(require_operation(subject, SEND_MESSAGE)), settings_of(subject)
    yield Probe(operation=name, run=partial(_check_any_route, subject))
    for route in declared.registered_routes:
        yield Probe(operation=name, run=partial(_check_registered_route, subject, route))
    if declared.opted_out:
        yield Probe(operation=name, run=partial(_check_opted_out, subject, declared.opted_out))


@dataclass(slots=True)
class _ForbiddenMessages:
    """Messages that must be refused, and the texts of those that were."""

    subject: Subject
    send: Send
    refused: list[str] = field(default_factory=list)

    def check_refused(
        self, kind: ProblemKind, title: str, description: str, **members: Any
    ) -> Iterator[CheckFailure]:
        """Yield a failure if a message is not refused with the problem of a kind."""
        text = members.pop("body", "Parcels of Example: your parcel arrives today. Reply STOP to stop.")
        body = f"{text} ({uuid.uuid4().hex[:8]})"
        exchange = send_message(self.subject, self.send, **{"channel": "sms", "body": body, **members})
        if mismatch := refusal_mismatch(self.subject, exchange, kind):
            yield response_failure(
                require_operation(self.subject, SEND_MESSAGE), title, f"{description} {mismatch}", exchange
            )
        elif documented_problem(self.subject, kind) is not None:
            self.refused.append(body)

    def check_not_listed(self, route: str) -> Iterator[CheckFailure]:
        """Yield a failure if a refused message is in the list of messages."""
        operation = operation_of(self.subject, LIST_MESSAGES)
        request = self.subject.valid(operation) if operation is not None else None
        if operation is None or request is None:
            return
        separator = "&" if "?" in request.url else "?"
        url = f"{request.url}{separator}{urlencode({'to': route})}"
        exchange = self.send(operation, replace(request, url=url))
        page = response_json(exchange)
        items = page.get("data") if isinstance(page, dict) else None
        listed = [item for item in items or () if isinstance(item, dict) and item.get("body") in self.refused]
        if listed:
            text = f"{quote_value(listed[0].get('id'))} is {quote_value(listed[0].get('status'))}, but was rejected"
            yield response_failure(operation, "a rejected message exists", text, exchange)


def _check_any_route(subject: Subject, send: Send) -> Iterator[CheckFailure]:
    messages = _ForbiddenMessages(subject, send)
    yield from messages.check_refused(
        ProblemKind.CAMPAIGN_NOT_APPROVED,
        "a campaign that there is not can be named",
        "a message with a made-up campaign_id",
        campaign_id=_random_campaign_id(),
    )
    sender = _foreign_number(subject, send)
    if sender is not None:
        yield from messages.check_refused(
            ProblemKind.SENDER_NOT_USABLE,
            "somebody else's number can be the sender",
            f"a message from {sender}, which is not among the numbers of the account,",
            sender=sender,
        )


def _check_registered_route(subject: Subject, route: str, send: Send) -> Iterator[CheckFailure]:
    messages, campaign = _ForbiddenMessages(subject, send), approved_campaign(subject, send)
    yield from messages.check_refused(
        ProblemKind.SENDER_NOT_REGISTERED,
        "a route with registered senders takes messages without a campaign",
        f"a message to {route} without a campaign_id",
        to=route,
    )
    yield from messages.check_refused(
        ProblemKind.CAMPAIGN_NOT_APPROVED,
        "a route with registered senders takes a campaign that there is not",
        f"a message to {route} with a made-up campaign_id",
        to=route,
        campaign_id=_random_campaign_id(),
    )
    if campaign is not None:
        yield from messages.check_refused(
            ProblemKind.CONTENT_REFUSED,
            "a route with registered senders takes links that hide where they lead",
            f"a message to {route} with a link of {PUBLIC_SHORTENERS[0]}",
            to=route,
            campaign_id=campaign,
            body=f"Your parcel: https://{PUBLIC_SHORTENERS[0]}/3xAmPlE Reply STOP to stop.",
        )
        yield from _check_allowed_message(subject, send, route, campaign)
    yield from messages.check_not_listed(route)


def _check_allowed_message(subject: Subject, send: Send, route: str, campaign: str) -> Iterator[CheckFailure]:
    """Yield a failure if a complete message is refused: to refuse everything is not compliance."""
    text = "Parcels of Example: your parcel arrives today. Reply STOP to stop."
    exchange = send_message(subject, send, channel="sms", to=route, campaign_id=campaign, body=text)
    if accepted_json(exchange) is None:
        message = f"a message to {route} with the approved campaign {campaign!r} gets {exchange.status}"
        title = "a route with registered senders rejects an approved campaign"
        yield response_failure(require_operation(subject, SEND_MESSAGE), title, message, exchange)


def _check_opted_out(subject: Subject, recipients: tuple[str, ...], send: Send) -> Iterator[CheckFailure]:
    messages, campaign = _ForbiddenMessages(subject, send), approved_campaign(subject, send)
    variants: list[dict[str, Any]] = [{"channel": channel.value} for channel in Channel]
    if campaign is not None:
        variants.append({"campaign_id": campaign})
    for recipient in recipients:
        for members in variants:
            (name, value), *_ = members.items()
            failures = list(
                messages.check_refused(
                    ProblemKind.RECIPIENT_OPTED_OUT,
                    "a recipient who has opted out gets messages",
                    f"a message to {recipient} with the {name} {quote_value(value)}",
                    to=recipient,
                    **members,
                )
            )
            if failures:
                yield from failures
                return
        yield from messages.check_not_listed(recipient)


def _random_campaign_id() -> str:
    prefix, separator, tail = UNKNOWN_CAMPAIGN.partition("_")
    return prefix + separator + "".join(map(random_character_like, tail))


def _foreign_number(subject: Subject, send: Send) -> str | None:
    """Return a number that is not the account's, None if the account may have each of the candidates."""
    operation = operation_of(subject, LIST_NUMBERS)
    request = subject.valid(operation) if operation is not None else None
    if operation is None or request is None:
        return None
    exchange = send(operation, request)
    page = response_json(exchange)
    if exchange.status != 200 or not isinstance(page, dict) or page.get("next_cursor"):
        return None
    return next(
        (foreign_number for foreign_number in FOREIGN_NUMBERS if foreign_number not in str(page)), None
    )


def _missing_requirement(subject: Subject) -> str:
    if documented_problem(subject, ProblemKind.CAMPAIGN_NOT_APPROVED) is None:
        return f"the problem type {ProblemKind.CAMPAIGN_NOT_APPROVED.value} in the contract"
    return missing_operations(SEND_MESSAGE)(subject)


FAMILY = Family(
    name="compliance-refusals",
    summary="messages that violate compliance rules are rejected",
    words=CheckDescription(
        promise="On every route a message is rejected if its campaign is not an approved one of the account, "
        "or its sender is another account's number. On routes with registered senders it is rejected "
        "without a campaign, and with a link that hides its destination. A recipient who opted out "
        "receives nothing. Each rejection has the documented problem, and the message is not created.",
        test="Messages with an invented campaign and with a number reserved for fiction are sent. If the "
        "settings name routes with registered senders (`registered_routes`) or recipients who opted "
        "out (`opted_out`), or declare a sandbox, messages are sent there too, and a final complete "
        "one must be accepted. The list of messages is searched for rejected ones.",
        remedy="Check sender, campaign, recipient and content before you create a message and return 202.",
        sources=("service.md, What the service does 4", "the guide to compliance"),
    ),
    probes=probes,
    lacks=_missing_requirement,
    about_state=True,
)
