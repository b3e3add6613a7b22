"""What is checked before a message is accepted. To add a rule: a function, and its name in `CHECKS`.

A message that is refused leaves no trace, costs nothing, and its idempotency key stays free.
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
from telecom.sandbox.stores.compliance_store import CAMPAIGNS, why_not_approved
from telecom.sandbox.stores.number_store import why_unusable
from telecom.segments import MAX_SEGMENTS, split_into_segments


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A message that an account asks to send: `asked` is `NewMessage` of the contract."""

    account: str
    asked: Mapping[str, Any]

    @property
    def channel(self) -> Channel:
        """The channel that is asked for."""
        return Channel(self.asked["channel"])

    @property
    def sms_fallback(self) -> bool:
        """Whether the text may go out as SMS where RCS does not reach."""
        return bool(self.asked.get("rcs", {}).get("sms_fallback", False))


Check = Callable[[sa.Connection, Submission], None]
"""Raises Refused where a message must not be sent; reads the database and writes nothing."""


def check_submission(connection: sa.Connection, submission: Submission) -> None:
    """Raise Refused for the first rule that a message breaks."""
    for one in CHECKS:
        one(connection, submission)


def parts_fit_channel(_: sa.Connection, submission: Submission) -> None:
    """Refuse what belongs to another channel: it would be lost on the way (422)."""
    faults = tuple(
        ErrorDetail(
            detail=f"{part} goes with the channel {channel}, not with {submission.channel}.",
            pointer=f"#/{part}",
        )
        for part, channel in (("media", Channel.MMS), ("rcs", Channel.RCS))
        if part in submission.asked and submission.channel is not channel
    )
    if faults:
        raise RequestRefused(ProblemKind.CHANNEL_MISMATCH, faults[0].detail, faults=faults)


def text_fits_segments(_: sa.Connection, submission: Submission) -> None:
    """Refuse a text that takes too many segments where it goes, or may go, as SMS (422; decision 0007)."""
    if submission.channel is not Channel.SMS and not submission.sms_fallback:
        return
    cut = split_into_segments(submission.asked["body"])
    if len(cut.segments) <= MAX_SEGMENTS:
        return
    takes = f"The text takes {len(cut.segments)} segments in {cut.encoding.value}"
    sentence = f"{takes}, and {MAX_SEGMENTS} is the most."
    raise RequestRefused(
        ProblemKind.TOO_MANY_SEGMENTS, sentence, faults=(ErrorDetail(detail=sentence, pointer="#/body"),)
    )


def recipient_has_not_opted_out(_: sa.Connection, submission: Submission) -> None:
    """Refuse a recipient who has answered STOP, on every route (403; decision 0025)."""
    number = submission.asked["to"]
    if number in OPTED_OUT_NUMBERS:
        raise RequestRefused(
            ProblemKind.RECIPIENT_OPTED_OUT,
            f"{number} has opted out of your messages. Send nothing more to this number.",
            faults=(ErrorDetail(detail="This recipient has opted out.", pointer="#/to"),),
        )


def sender_is_usable(connection: sa.Connection, submission: Submission) -> None:
    """Refuse a sender that is a number and cannot send on this channel (409; decision 0016)."""
    sender = submission.asked.get("sender", "")
    if not sender.startswith("+"):
        return
    feature = NumberFeature.MMS if submission.channel is Channel.MMS else NumberFeature.SMS
    sentence = why_unusable(connection, submission.account, sender, feature)
    if sentence is not None:
        raise RequestRefused(
            ProblemKind.SENDER_NOT_USABLE,
            sentence,
            faults=(ErrorDetail(detail=sentence, pointer="#/sender"),),
        )


def sender_is_registered(_: sa.Connection, submission: Submission) -> None:
    """Refuse a message without a campaign where the route needs one (403; decision 0025)."""
    number = submission.asked["to"]
    if number in REGISTERED_ROUTES and "campaign_id" not in submission.asked:
        raise RequestRefused(
            ProblemKind.SENDER_NOT_REGISTERED,
            f"The route to {number} needs a registered sender. Name an approved campaign in campaign_id.",
            faults=(ErrorDetail(detail="A campaign_id is missing.", pointer="#"),),
        )


def campaign_is_approved(connection: sa.Connection, submission: Submission) -> None:
    """Refuse a campaign that is named and not approved, on every route (409; decision 0025)."""
    campaign_id = submission.asked.get("campaign_id")
    if campaign_id is None:
        return
    said = why_not_approved(connection, CAMPAIGNS, submission.account, campaign_id)
    if said is not None:
        raise RequestRefused(
            ProblemKind.CAMPAIGN_NOT_APPROVED,
            f"The campaign {campaign_id!r} {said}, and a message needs an approved one.",
            faults=(ErrorDetail(detail=f"This campaign {said}.", pointer="#/campaign_id"),),
        )


def content_is_allowed(_: sa.Connection, submission: Submission) -> None:
    """Refuse what content checks find in a text on a route with registered senders (403; decision 0025)."""
    host = find_link_shortener(submission.asked["body"])
    if host is not None and submission.asked["to"] in REGISTERED_ROUTES:
        raise RequestRefused(
            ProblemKind.CONTENT_REFUSED,
            f"The text has a link of the public shortener {host}. Use a domain of your own.",
            faults=(ErrorDetail(detail=f"{host} hides where the link leads.", pointer="#/body"),),
        )


def destination_accepts(_: sa.Connection, submission: Submission) -> None:
    """Refuse what the sandbox's number stands for (decision 0031)."""
    number = submission.asked["to"]
    there = destination_of(number)
    if there.refusal is None or submission.channel not in there.refused:
        return
    if there.refusal is ProblemKind.UNSUPPORTED_CHANNEL:
        sentence = f"The channel {submission.channel} does not reach {number}. Use sms."
        raise RequestRefused(
            there.refusal, sentence, faults=(ErrorDetail(detail=sentence, pointer="#/channel"),)
        )
    raise RequestRefused(
        there.refusal,
        f"In the sandbox, {number} stands for this problem. Use another number to go on.",
        headers=_HEADERS.get(there.refusal),
    )


_HEADERS: Mapping[ProblemKind, Mapping[str, str]] = {
    ProblemKind.RATE_LIMIT_EXCEEDED: RateLimitDecision(
        limit=RateLimit().of("Messages"), allowed=False, remaining=0, reset_s=1
    ).headers(),
    ProblemKind.SERVICE_UNAVAILABLE: {"Retry-After": "5"},
}
"""What answers of these kinds need beside the document."""

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
"""The rules, in the order in which they are told."""
