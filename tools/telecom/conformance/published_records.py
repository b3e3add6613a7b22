"""Are published records valid today, and does a country's page agree with the list?"""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlencode

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.resources.created_resources import response_json
from devportal.conformance.knowledge.subject import Subject, operation_label
from telecom.conformance.sending import operation_of, require_operation, response_failure

COUNTRY_OPERATIONS = {"listRates": "listCountryRates", "listCoverage": "retrieveCountryCoverage"}
MAX_PAGES = 60
MAX_COUNTRIES = 3
UNUSED_COUNTRIES = ("XZ", "QZ", "ZZ")
"""Codes that ISO 3166-1 leaves to users: nothing is published for them."""
ONE_DAY = timedelta(days=1)
"""The deployment may use another time zone."""


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each of the lists that are tested."""
    for name in COUNTRY_OPERATIONS:
        if operation := operation_of(subject, name):
            yield Probe(operation=operation_label(operation), run=partial(_check_published, subject, name))


def _check_published(subject: Subject, name: str, send: Send) -> Iterator[CheckFailure]:
    operation = require_operation(subject, name)
    items, last = _read_whole_list(subject, name, send)
    today = datetime.now(UTC).date()
    not_yet_valid = [
        item for item in items if (day := _parse_day(item, "effective_from")) and day > today + ONE_DAY
    ]
    expired = [item for item in items if (day := _parse_day(item, "effective_to")) and day < today - ONE_DAY]
    for title, records in (
        ("what is not valid yet is published", not_yet_valid),
        ("what is over is published", expired),
    ):
        if records:
            yield response_failure(
                operation, title, f"{len(records)} records, such as {_record_name(records[0])}", last
            )
    names = [_record_name(item)[0] for item in items]
    if duplicates := sorted({text for text in names if names.count(text) > 1}):
        message = f"more than one version is published of: {', '.join(duplicates[:3])}"
        yield response_failure(operation, "several versions of one record are published", message, last)
    if operation_of(subject, COUNTRY_OPERATIONS[name]) is not None:
        yield from _check_countries(subject, name, items, send)


def _check_countries(subject: Subject, name: str, items: list[Any], send: Send) -> Iterator[CheckFailure]:
    operation = require_operation(subject, COUNTRY_OPERATIONS[name])
    countries = {item["country"] for item in items if isinstance(item.get("country"), str)}
    for country in sorted(countries)[:MAX_COUNTRIES]:
        exchange = _read_country(subject, COUNTRY_OPERATIONS[name], country, send)
        document = response_json(exchange)
        if exchange.status != 200 or not isinstance(document, dict) or document.get("next_cursor"):
            continue
        records = document.get("data") or document.get("channels") or ()
        names = {_record_name(record) for record in records if isinstance(record, dict)}
        if names != {_record_name(item) for item in items if item.get("country") == country}:
            message = f"the list and the page of {country} show other records"
            yield response_failure(operation, "a country is not what the list says of it", message, exchange)
            break
    unused = next(
        (unused_country for unused_country in UNUSED_COUNTRIES if unused_country not in countries), None
    )
    if (
        unused is not None
        and (exchange := _read_country(subject, COUNTRY_OPERATIONS[name], unused, send)).status == 200
    ):
        yield response_failure(operation, "nothing is published, and found", f"{unused} gets 200", exchange)


def _read_country(subject: Subject, name: str, country: str, send: Send) -> Exchange:
    operation = require_operation(subject, name)
    country_subject = replace(subject, values={operation.path: country, "country": country})
    request = country_subject.valid(operation)
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    return send(operation, request)


def _read_whole_list(subject: Subject, name: str, send: Send) -> tuple[list[Any], Exchange]:
    """Return all items of a list, and the last page. Raises Unsendable if its end is not reached in time."""
    operation, items, cursor = require_operation(subject, name), list[Any](), ""
    request = subject.valid(operation)
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    for _ in range(MAX_PAGES):
        separator = "&" if "?" in request.url else "?"
        url = request.url + (separator + urlencode({"cursor": cursor}) if cursor else "")
        exchange = send(operation, replace(request, url=url))
        page = response_json(exchange)
        if exchange.status != 200 or not isinstance(page, dict) or not isinstance(page.get("data"), list):
            break
        items += [item for item in page["data"] if isinstance(item, dict)]
        cursor = page.get("next_cursor") or ""
        if not cursor:
            return items, exchange
    raise Unsendable("a list that can be read to its end")


def _parse_day(item: dict[str, Any], name: str) -> date | None:
    try:
        return date.fromisoformat(str(item.get(name))[:10])
    except ValueError:
        return None


def _record_name(item: dict[str, Any]) -> tuple[str, str]:
    return str(item.get("rate_id") or item.get("id") or json.dumps(item)), str(item.get("version"))


FAMILY = Family(
    name="published-records",
    summary="only valid records are published",
    words=CheckDescription(
        promise="Public rates and coverage are valid today, with one version of each, and a country's page "
        "contains the records that the list has for it.",
        test="The lists are read to their end, then some countries, and one that cannot exist.",
        remedy="Serve both from the same records, selected by status and effective dates.",
        sources=("the descriptions of rates and coverage in the contract",),
    ),
    probes=probes,
    lacks=lambda subject: (
        ""
        if any(operation_of(subject, country_operation) for country_operation in COUNTRY_OPERATIONS)
        else f"one of: {', '.join(COUNTRY_OPERATIONS)}"
    ),
    about_state=True,
)
