"""Rates and coverage: the approved records of a catalogue, through its publication gate."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from devportal.catalog import Catalog, PublishedCoverage, PublishedRate, published
from devportal.catalog.records.values import Values
from tests.apps.second.paging import Pages, matches
from tests.apps.second.refusals import Refusal
from tests.apps.second.requests import Answer, Request
from tests.apps.second.world import World

FEATURES = (
    *("two_way", "alphanumeric_sender", "delivery_receipts", "concatenation", "unicode"),
    "number_portability",
)

CACHED = "public, no-cache"


class Discovery:
    """What anybody may know today."""

    def __init__(self, world: World, pages: Pages, catalog: Catalog) -> None:
        self._world = world
        self._pages = pages
        self._catalog = catalog

    def rates(self, request: Request) -> Answer:
        """Answer listRates."""
        rows = [row for row in enumerate(self._rates()) if _is_asked_for(row[1], request)]
        return _tagged_answer(request, self._pages.page(request, rows))

    def country_rates(self, request: Request) -> Answer:
        """Answer listCountryRates."""
        rows = [row for row in enumerate(self._rates()) if row[1]["country"] == request.subject]
        if not rows:
            raise _not_found(request)
        asked_for = [row for row in rows if _is_asked_for(row[1], request)]
        return _tagged_answer(request, self._pages.page(request, asked_for))

    def coverage(self, request: Request) -> Answer:
        """Answer listCoverage."""
        scheme = request.query.get("registration")
        rows = [
            (rank, shown)
            for rank, shown in enumerate(self._coverage())
            if matches(shown, request, "country", "channel")
            and scheme in (None, shown["registration"]["scheme"])
        ]
        return _tagged_answer(request, self._pages.page(request, rows))

    def country_coverage(self, request: Request) -> Answer:
        """Answer retrieveCountryCoverage."""
        channels = [item for item in self._coverage() if item["country"] == request.subject]
        if not channels:
            raise _not_found(request)
        return _tagged_answer(request, {"channels": channels, "country": request.subject})

    def _rates(self) -> list[dict[str, Any]]:
        order = ("country", "product", "direction", "rate_id")
        return _sort_rows(map(_rate, self._published_records().rates), order)

    def _coverage(self) -> list[dict[str, Any]]:
        return _sort_rows(map(_market, self._published_records().coverage), ("country", "channel"))

    def _published_records(self) -> Any:
        return published(self._catalog.records, self._catalog.audit, self._world.now().date())


def _sort_rows(shown: Iterable[dict[str, Any]], order: tuple[str, ...]) -> list[dict[str, Any]]:
    return sorted(shown, key=lambda item: tuple(item[name] for name in order))


def _is_asked_for(shown: dict[str, Any], request: Request) -> bool:
    network = shown["network"]
    code = network and network["mcc"] + network["mnc"]
    named = matches(shown, request, "country", "product", "direction", "number_type", "currency")
    return named and request.query.get("network") in (None, code)


def _rate(published_rate: PublishedRate) -> dict[str, Any]:
    terms, network = published_rate.terms, published_rate.terms.declared.get("network")
    return {
        "rate_id": terms.id,
        "version": terms.version,
        "product": terms.product.key,
        "direction": terms.declared["direction"],
        "country": terms.market,
        "network": dict(network) if isinstance(network, Values) else None,
        "number_type": terms.declared.get("number_type"),
        "prefixes": list(terms.declared.get("prefixes", ())),
        "unit": terms.unit.key,
        "price": f"{terms.price:f}",
        "currency": terms.currency,
        "billing_increment": terms.declared.get("billing_increment"),
        "billing_terms": list(terms.billing_terms or ("prepaid", "billed")),
        **_days(published_rate),
    }


def _market(published_coverage: PublishedCoverage) -> dict[str, Any]:
    terms, features, registration = (
        published_coverage.terms,
        published_coverage.terms.features,
        published_coverage.terms.registration,
    )
    return {
        "id": terms.id,
        "version": terms.version,
        "country": terms.market,
        "dialling_code": terms.declared["dialling_code"],
        "channel": terms.channel.key,
        "support": terms.support.value,
        "number_types": list(terms.declared.get("number_types", ())),
        "features": {name: str(features[name]) for name in FEATURES} if features else {},
        "registration": {
            "scheme": registration.scheme.key if registration else "none",
            "lead_time_days": registration.lead_time_days if registration else None,
        },
        "restrictions": list(terms.restrictions),
        "reviewed_on": terms.reviewed_on.isoformat(),
        **_days(published_coverage),
    }


def _days(published_rate: PublishedRate | PublishedCoverage) -> dict[str, Any]:
    end = published_rate.terms.effective_to
    return {
        "approved_on": published_rate.approved_on.isoformat(),
        "effective_from": published_rate.terms.effective_from.isoformat(),
        "effective_to": end and end.isoformat(),
        "sample": published_rate.terms.sample,
    }


def _tagged_answer(request: Request, body: Any) -> Answer:
    """Return an answer with its tag, or that nothing has changed (RFC 9110 §13.1.2)."""
    content = json.dumps(body, sort_keys=True).encode()
    tag = f'"{hashlib.blake2b(content, digest_size=16).hexdigest()}"'
    headers = {"Cache-Control": CACHED, "ETag": tag}
    known = [part.strip().removeprefix("W/") for part in request.headers.get("if-none-match", "").split(",")]
    if tag in known or known == ["*"]:
        return Answer(status=304, headers=headers)
    return Answer(status=200, body=body, headers=headers)


def _not_found(request: Request) -> Refusal:
    return Refusal("not-found", f"There is nothing to tell of {request.subject!r}.")
