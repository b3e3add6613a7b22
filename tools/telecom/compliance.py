"""Compliance as the sandbox decides on it: registrations, routes with registered senders, content checks.

The decisions follow from data, so that the guide shows what the sandbox does. Real registries and carriers
check more, and people review.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit


class RegistrationStatus(StrEnum):
    """The status of a registration, of brands and of campaigns alike."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    SUSPENDED = "suspended"


class BrandRefusal(StrEnum):
    """Why a brand is refused."""

    NAME_DOES_NOT_MATCH_TAX_ID = "name_does_not_match_tax_id"
    WEBSITE_NOT_REACHABLE = "website_not_reachable"


class CampaignRefusal(StrEnum):
    """Why a campaign is refused."""

    PUBLIC_LINK_SHORTENER = "public_link_shortener"
    OPT_OUT_MISSING = "opt_out_missing"
    BRAND_SUSPENDED = "brand_suspended"


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrationDecision:
    """The decision on a pending registration, and the status that an approved one gets later."""

    status: RegistrationStatus
    reason: str | None = None
    later: RegistrationStatus | None = None


MISMATCHED_TAX_ID = "00-0000000"
"""A tax identifier that no legal name matches."""
UNREACHABLE_HOST = "unreachable.example"
"""A host at which there is no website."""
SUSPENDED_HOST = "suspended.example"
"""The host of brands that are approved, and suspended soon after."""
BRAND_SCORE = 82
"""The score of every approved brand."""

REGISTERED_ROUTES = ("+12025550180", "+12025550181")
"""Destinations on a route with registered senders, all reserved for fiction (NANP 555-01XX)."""
OPTED_OUT_NUMBERS = ("+12025550185",)
"""Recipients who replied STOP."""

PUBLIC_SHORTENERS = (
    *("bit.ly", "buff.ly", "cutt.ly", "goo.gl", "is.gd", "ow.ly", "rb.gy", "rebrand.ly", "shorturl.at"),
    *("t.co", "t.ly", "tiny.cc", "tinyurl.com"),
)
"""Hosts of link shorteners that anybody can use, and that spam hides behind."""

STOP_WORDS = ("STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT")
"""Replies that end messages, in any case; the list that carriers in the United States expect."""

_LINK = re.compile(r"(?:https?://)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?=[/:?#]|\b)", re.IGNORECASE)


def decide_brand(*, tax_id: str, website: str) -> RegistrationDecision:
    """Return the decision on a brand."""
    if tax_id == MISMATCHED_TAX_ID:
        return RegistrationDecision(
            status=RegistrationStatus.REJECTED, reason=BrandRefusal.NAME_DOES_NOT_MATCH_TAX_ID.value
        )
    host = urlsplit(website).hostname or ""
    if host == UNREACHABLE_HOST:
        return RegistrationDecision(
            status=RegistrationStatus.REJECTED, reason=BrandRefusal.WEBSITE_NOT_REACHABLE.value
        )
    later = RegistrationStatus.SUSPENDED if host == SUSPENDED_HOST else None
    return RegistrationDecision(status=RegistrationStatus.APPROVED, later=later)


def decide_campaign(*, sample_messages: Sequence[str], help_message: str) -> RegistrationDecision:
    """Return the decision on a campaign."""
    if any(find_link_shortener(text) is not None for text in sample_messages):
        return RegistrationDecision(
            status=RegistrationStatus.REJECTED, reason=CampaignRefusal.PUBLIC_LINK_SHORTENER.value
        )
    if not any(re.search(rf"\b{word}\b", help_message, re.IGNORECASE) for word in STOP_WORDS):
        return RegistrationDecision(
            status=RegistrationStatus.REJECTED, reason=CampaignRefusal.OPT_OUT_MISSING.value
        )
    return RegistrationDecision(status=RegistrationStatus.APPROVED)


def find_link_shortener(text: str) -> str | None:
    """Return the first host of a public link shortener in a text, None if there is none."""
    return next((host for host in _link_hosts(text) if host in PUBLIC_SHORTENERS), None)


def _link_hosts(text: str) -> Iterator[str]:
    for match in _LINK.finditer(text):
        yield match.group(1).lower().removeprefix("www.")
