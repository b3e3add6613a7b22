"""Brands and campaigns, and the decisions on them a moment later."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from tests.apps.second.refusals import Refusal
from tests.apps.second.requests import Answer, Request
from tests.apps.second.world import Shelf, World, seconds, shown_or_null, shown_time

DECIDED_AFTER_S = 0.25
_SHORTENER = re.compile(r"\b(bit\.ly|tinyurl\.com|t\.co|goo\.gl)/", re.IGNORECASE)
_STOP = re.compile(r"\b(STOP|STOPALL|UNSUBSCRIBE|CANCEL|END|QUIT|REVOKE|OPTOUT)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """A brand or a campaign as it was registered, and the decision on it."""

    name: str
    members: Mapping[str, Any]
    created_at: datetime
    status: str = "pending"
    reason: str | None = None
    decided_at: datetime | None = None

    def to_json(self) -> dict[str, Any]:
        """Return it as the contract shows it."""
        return {
            "status": self.status,
            "rejection_reason": self.reason,
            "decided_at": shown_or_null(self.decided_at),
            "created_at": shown_time(self.created_at),
            **self.members,
            "id": self.name,
        }

    def with_decision(self, reason: str | None, at: datetime) -> "Registration":
        """Return it with the decision, a refusal where there is a reason."""
        status = "approved" if reason is None else "rejected"
        return replace(self, status=status, reason=reason, decided_at=at)


class Compliance:
    """The brands and campaigns of all accounts."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._brands = Shelf[Registration]()
        self._campaigns = Shelf[Registration]()

    def register_brand(self, request: Request) -> Answer:
        """Answer registerBrand."""
        wish = dict(request.body)
        members = {"tax_id_last4": wish.pop("tax_id")[-4:], "score": None, **wish}
        return self._register(self._brands, request.account, "brd", members, _fault_of_brand(wish))

    def retrieve_brand(self, request: Request) -> Answer:
        """Answer retrieveBrand."""
        brand = self._brands.get(request.account, request.subject)
        score = {"score": 71} if brand.status == "approved" else {}
        return Answer(status=200, body={**brand.to_json(), **score})

    def register_campaign(self, request: Request) -> Answer:
        """Answer registerCampaign."""
        name = request.body["brand_id"]
        brand = self._brands.find(request.account, name)
        if brand is None or brand.status != "approved":
            state = brand.status if brand else "unknown here"
            raise Refusal("brand-not-approved", f"{name} is {state}.", pointer="#/brand_id")
        fault = _fault_of_campaign(request.body)
        return self._register(self._campaigns, request.account, "cmp", request.body, fault)

    def retrieve_campaign(self, request: Request) -> Answer:
        """Answer retrieveCampaign."""
        return Answer(status=200, body=self._campaigns.get(request.account, request.subject).to_json())

    def check(self, account: str, campaign: str | None) -> None:
        """Raise Refusal where a message names a campaign that is no approved one of the account."""
        if campaign is None:
            return
        found = self._campaigns.find(account, campaign)
        if found is None or found.status != "approved":
            state = found.status if found else "unknown here"
            raise Refusal("campaign-not-approved", f"{campaign} is {state}.", pointer="#/campaign_id")

    def _register(
        self,
        shelf: Shelf[Registration],
        account: str,
        prefix: str,
        members: Mapping[str, Any],
        fault: str | None,
    ) -> Answer:
        now, name = self._world.now(), self._world.new_id(prefix)
        pending = shelf.put(account, name, Registration(name=name, members=members, created_at=now))
        at = now + seconds(DECIDED_AFTER_S)
        self._world.schedule(at, lambda then: shelf.put(account, name, pending.with_decision(fault, then)))
        return Answer(status=202, body=pending.to_json())


def _fault_of_brand(wish: Mapping[str, Any]) -> str | None:
    is_lost = urlsplit(wish["website"]).netloc.partition(":")[0] == "unreachable.example"
    return "website_not_reachable" if is_lost else None


def _fault_of_campaign(wish: Mapping[str, Any]) -> str | None:
    if any(_SHORTENER.search(text) for text in wish["sample_messages"]):
        return "public_link_shortener"
    return None if _STOP.search(wish["help_message"]) else "opt_out_missing"
