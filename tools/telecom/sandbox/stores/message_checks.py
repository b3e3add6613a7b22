"""The checks before a message is accepted. To add a rule: a function, and its name in `CHECKS`.

A refused message is not stored, costs nothing, and its idempotency key stays free.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from telecom.compliance import OPTED_OUT_NUMBERS, REGISTERED_ROUTES, find_link_shortener
from telecom.magic_numbers import destination_of
from telecom.numbers import NumberFeature
from telecom.problems import ErrorDetail, ProblemKind
from telecom.receipts import Channel
from telecom.sandbox.api.exchange import RequestRefused
from telecom.sandbox.api.rate_limit import RateLimit, RateLimitDecision
from telecom.sandbox.stores.compliance_store import CAMPAIGNS, not_approved_reason
from telecom.sandbox.stores.number_store import unusable_reason
from telecom.segments import MAX_SEGMENTS, split_into_segments


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A message that an account requests to send: `request` is `NewMessage` of the contract."""

    account: str
    request: Mapping[str, Any]

    @property
    def channel(self) -> Channel:
        """The requested channel."""
        return Channel(self.request["channel"])

    @property
    def sms_fallback(self) -> bool:
        """Whether the text may be sent as SMS if RCS does not reach the recipient."""
        return bool(self.request.get("rcs", {}).get("sms_fallback", False))


Check = Callable[[sa.Connection, Submission], None]
"""Raises RequestRefused if a message must not be sent; reads the database and writes nothing."""


def check_submission(connection: sa.Connection, submission: Submission) -> None:
    """Raise RequestRefused for the first rule that a message breaks."""
    for check in CHECKS:
        check(connection, submission)


def parts_fit_channel(_: sa.Connection, submission: Submission) -> None:
    """Refuse members of another channel: they would be lost (422)."""
    errors = tuple(
        ErrorDetail(
            detail=f"{member} goes with the channel {channel}, not with {submission.channel}.",
            pointer=f"#/{member}",
        )
        for member, channel in (("media", Channel.MMS), ("rcs", Channel.RCS))
        if member in submission.request and submission.channel is not channel
    )
    if errors:
        raise RequestRefused(ProblemKind.CHANNEL_MISMATCH, errors[0].detail, errors=errors)


def text_fits_segments(_: sa.Connection, submission: Submission) -> None:
    """Refuse a text that takes too many segments if it is, or may be, sent as SMS (422; decision 0007)."""
    if submission.channel is not Channel.SMS and not submission.sms_fallback:
        return
    segmentation = split_into_segments(submission.request["body"])
    if len(segmentation.segments) <= MAX_SEGMENTS:
        return
    usage = f"The text takes {len(segmentation.segments)} segments in {segmentation.encoding.value}"
    sentence = f"{usage}; the maximum is {MAX_SEGMENTS}."
    raise RequestRefused(
        ProblemKind.TOO_MANY_SEGMENTS, sentence, errors=(ErrorDetail(detail=sentence, pointer="#/body"),)
    )


def recipient_has_not_opted_out(_: sa.Connection, submission: Submission) -> None:
    """Refuse a recipient who replied STOP, on every route (403; decision 0025)."""
    number = submission.request["to"]
    if number in OPTED_OUT_NUMBERS:
        raise RequestRefused(
            ProblemKind.RECIPIENT_OPTED_OUT,
            f"{number} has opted out of your messages. Send nothing more to this number.",
            errors=(ErrorDetail(detail="This recipient has opted out.", pointer="#/to"),),
        )


def sender_is_usable(connection: sa.Connection, submission: Submission) -> None:
    """Refuse a sender that is a number and cannot send on this channel (409; decision 0016)."""
    sender = submission.request.get("sender", "")
    if not sender.startswith("+"):
        return
    feature = NumberFeature.MMS if submission.channel is Channel.MMS else NumberFeature.SMS
    sentence = unusable_reason(connection, submission.account, sender, feature)
    if sentence is not None:
        raise RequestRefused(
            ProblemKind.SENDER_NOT_USABLE,
            sentence,
            errors=(ErrorDetail(detail=sentence, pointer="#/sender"),),
        )


def sender_is_registered(_: sa.Connection, submission: Submission) -> None:
    """Refuse a message without a campaign if the route needs one (403; decision 0025)."""
    number = submission.request["to"]
    if number in REGISTERED_ROUTES and "campaign_id" not in submission.request:
        raise RequestRefused(
            ProblemKind.SENDER_NOT_REGISTERED,
            f"The route to {number} needs a registered sender. Name an approved campaign in campaign_id.",
            errors=(ErrorDetail(detail="A campaign_id is missing.", pointer="#"),),
        )


def campaign_is_approved(connection: sa.Connection, submission: Submission) -> None:
    """Refuse a campaign that is not approved, on every route (409; decision 0025)."""
    campaign_id = submission.request.get("campaign_id")
    if campaign_id is None:
        return
    reason = not_approved_reason(connection, CAMPAIGNS, submission.account, campaign_id)
    if reason is not None:
        raise RequestRefused(
            ProblemKind.CAMPAIGN_NOT_APPROVED,
            f"The campaign {campaign_id!r} {reason}, and a message needs an approved one.",
            errors=(ErrorDetail(detail=f"This campaign {reason}.", pointer="#/campaign_id"),),
        )


def content_is_allowed(_: sa.Connection, submission: Submission) -> None:
    """Refuse forbidden content on a route with registered senders (403; decision 0025)."""
    host = find_link_shortener(submission.request["body"])
    if host is not None and submission.request["to"] in REGISTERED_ROUTES:
        raise RequestRefused(
            ProblemKind.CONTENT_REFUSED,
            f"The text has a link of the public shortener {host}. Use your own domain.",
            errors=(ErrorDetail(detail=f"{host} hides where the link leads.", pointer="#/body"),),
        )


def destination_accepts(_: sa.Connection, submission: Submission) -> None:
    """Refuse a message to a magic number that stands for a refusal (decision 0031)."""
    number = submission.request["to"]
    destination = destination_of(number)
    if destination.refusal is None or submission.channel not in destination.refused_channels:
        return
    if destination.refusal is ProblemKind.UNSUPPORTED_CHANNEL:
        sentence = f"The channel {submission.channel} does not reach {number}. Use sms."
        raise RequestRefused(
            destination.refusal, sentence, errors=(ErrorDetail(detail=sentence, pointer="#/channel"),)
        )
    raise RequestRefused(
        destination.refusal,
        f"In the sandbox, {number} simulates this problem. Use another number to continue.",
        headers=_HEADERS.get(destination.refusal),
    )


_HEADERS: Mapping[ProblemKind, Mapping[str, str]] = {
    ProblemKind.RATE_LIMIT_EXCEEDED: RateLimitDecision(
        limit=RateLimit().of("Messages"), is_allowed=False, remaining=0, reset_s=1
    ).headers(),
    ProblemKind.SERVICE_UNAVAILABLE: {"Retry-After": "5"},
}
"""The headers that responses of these kinds need besides the document."""

CHECKS: tuple[Check, ...] = (
    parts_fit_channel,
    text_fits_segments,
    recipient_has_not_opted_out,
    sender_is_usable,
    sender_is_registered,
    campaign_is_approved,
    content_is_allowed,
    destination_accepts,
)
"""The rules, in the order in which they are checked."""
