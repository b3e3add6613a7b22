"""What there is to send: changes of releases and of published prices, and which of them a subscription gets."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from devportal.catalog.records.version_ref import Kind
from devportal.errors import EnvironmentProblem, InvalidSettings, Place, PortalError, UnreadableInput
from devportal.integrators.affected import AffectingChange, affecting_change, find_affected, impact_rank
from devportal.integrators.changes_file import Changes, changes_address, download_text
from devportal.integrators.output import advice_text, due_text
from devportal.integrators.touched import is_harmless
from devportal.integrators.uses import Uses
from devportal.markup import plain_text
from devportal.notifications.settings import Subscription
from devportal.reporting.printable import printable_line

PRICE_FEED = "rates/feed.json"
PRICE = "price"
"""What stands for the impact of a change of prices."""
_CODE_BLOCK = re.compile(r"^ *(```+|~~~+).*?^ *\1[`~]* *$", re.DOTALL | re.MULTILINE)
_LONGEST_ADVICE = 600
_ALL_FOR_ONE = frozenset({"document", "component"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One change to send. `id` never changes; texts are on one line and not markup.

    `release` is the version, or the day of a price; `url` is empty if no absolute address is known.
    """

    id: str
    impact: str
    release: str
    title: str
    message: str
    when: str = ""
    advice: str = ""
    proof: str = ""
    affects: tuple[str, ...] = ()
    url: str = ""
    apis: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    fingerprint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscriber:
    """What is remembered of a subscription: the release after which it gets changes, and what it got.

    `has_prices` is whether `delivered` has the prices that are not sent, as they are older than its wish for prices.
    `missed` are notices that others of its recipients got, by the recipient whom the mail server refused for now.
    """

    since: str = ""
    delivered: tuple[str, ...] = ()
    has_prices: bool = False
    missed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def contract_notices(changes: Changes, *, since: str) -> Iterator[Notice]:
    """Yield the changes of the releases after one, and the entries about behaviour beside the contract."""
    later = _releases_after(changes, since)
    for release in later:
        for change in release["changes"]:
            yield _change_notice(affecting_change(change, release, (), changes), change, changes)
    versions = {item["version"] for item in later}
    for id_, entry in changes.entries.items():
        if entry["beside_contract"] and entry["release"] in versions:
            yield _entry_notice(id_, entry, changes)


def _releases_after(changes: Changes, since: str) -> tuple[Mapping[str, Any], ...]:
    """Return the releases after one, all but the first if it is empty; what is not released yet is none."""
    released = tuple(release for release in changes.releases if release["version"] is not None)
    position = changes.versions.index(since) + 1 if since else 0
    return released[position:]


def _change_notice(view: AffectingChange, change: Mapping[str, Any], changes: Changes) -> Notice:
    entry = view.entries[0] if view.entries else None
    entries = [changes.entries[entry.id] for entry in view.entries]
    names = sorted({place["name"] for place in change["places"] if place["kind"] in ("operation", "event")})
    own = [change["subject"]["name"]] if change["subject"]["kind"] not in _ALL_FOR_ONE else []
    return Notice(
        id=f"change/{view.release}/{view.fingerprint}",
        impact=view.impact,
        release=view.release,
        title=printable_line(entry.title if entry else ""),
        message=printable_line(view.message),
        when=due_text(view),
        advice="" if is_harmless(change) else _advice(view),
        proof=printable_line(view.witness),
        affects=tuple(map(printable_line, names or own)),
        url=_absolute(entry.url if entry else "", changes),
        apis=tuple(sorted({api for entry in entries for api in entry["apis"]})),
        fingerprint=view.fingerprint,
    )


def _advice(view: AffectingChange) -> str:
    """Return what to do: the migrations of the entries without their code, or else the advice of the differ."""
    migrations = " ".join(_plain_advice(entry.what_to_do) for entry in view.entries).strip()
    return migrations or advice_text(view)


def _plain_advice(markdown: str) -> str:
    """Return a migration as plain text on one line: its code is on the page of the entry."""
    return printable_line(plain_text(_CODE_BLOCK.sub("", markdown), limit=_LONGEST_ADVICE))


def _entry_notice(id_: str, entry: Mapping[str, Any], changes: Changes) -> Notice:
    return Notice(
        id=f"entry/{id_}",
        impact=entry["impact"],
        release=entry["release"] or "",
        title=printable_line(entry["title"]),
        message=printable_line(entry["summary"] or entry["title"]),
        when=f"in effect from {entry['effective'] or entry['date']}",
        advice=_plain_advice(entry["what_to_do"]),
        url=_absolute(entry["url"], changes),
        apis=tuple(entry["apis"]),
        fingerprint=id_,
    )


def _absolute(url: str, changes: Changes) -> str:
    """Return an address that can be followed, empty if the portal's address is not known."""
    address = urljoin(changes.site, url) if url else ""
    return printable_line(address) if address.startswith(("https://", "http://")) else ""


def baseline_release(changes: Changes, subscription: Subscription) -> str:
    """Return the release after which a new subscription gets changes. Raises InvalidSettings for an unknown one.

    Without `since`, it is the one before the latest, empty if there is none.
    """
    if subscription.since:
        if subscription.since not in changes.versions:
            raise InvalidSettings(
                f"subscriptions/{subscription.name}/since: {changes.name} has no release {subscription.since!r}",
                help=f"use one of {', '.join(changes.versions)}",
            )
        return subscription.since
    return changes.versions[-2] if len(changes.versions) > 1 else ""


def select_notices(
    subscription: Subscription,
    subscriber: Subscriber,
    changes: Changes,
    prices: Iterable[Notice],
    uses: Uses | None,
) -> tuple[Notice, ...]:
    """Return what a subscription is to get and has not got yet, the most severe first, prices last."""
    delivered = frozenset(subscriber.delivered)
    touched = _touched_ids(uses, changes, subscriber.since) if uses is not None else None
    found = [
        contract_notice
        for contract_notice in contract_notices(changes, since=subscriber.since)
        if contract_notice.id not in delivered and _is_wanted(contract_notice, subscription, touched)
    ]
    order = {version: number for number, version in enumerate(changes.versions)}
    found.sort(
        key=lambda notice: (
            -impact_rank(notice.impact),
            -order.get(notice.release, -1),
            notice.title,
            notice.id,
        )
    )
    return (
        *found,
        *(price for price in prices if price.id not in delivered and _is_wanted_price(price, subscription)),
    )


def _is_wanted(notice: Notice, subscription: Subscription, touched: frozenset[str] | None) -> bool:
    """Return whether the filter lets a change through; an impact that this version does not know is breaking."""
    impact = notice.impact if impact_rank(notice.impact) <= impact_rank("breaking") else "breaking"
    return (
        (subscription.impacts is None or impact in subscription.impacts)
        and (subscription.apis is None or not set(subscription.apis).isdisjoint(notice.apis))
        and (touched is None or notice.id in touched)
    )


def _is_wanted_price(notice: Notice, subscription: Subscription) -> bool:
    tags = subscription.prices
    return tags is not None and (not tags or not set(tags).isdisjoint(notice.tags))


def _touched_ids(uses: Uses, changes: Changes, since: str) -> frozenset[str]:
    """Return the ids of what touches what somebody uses: the judgement of `devportal affected`."""
    first = since or (changes.versions[0] if changes.versions else "")
    if not first:
        return frozenset()
    found = find_affected(uses, changes, since=first).changes
    return frozenset(
        f"change/{change.release}/{change.fingerprint}" if change.rule else f"entry/{change.fingerprint}"
        for change in found
    )


def read_prices(source: str) -> tuple[Notice, ...]:
    """Return the price changes that a portal's feed of rates has, the newest first.

    `source` is the folder of a built portal or its address. Raises PortalError if there is no such feed.
    """
    name, text = _price_feed(source)
    try:
        data = json.loads(text)
        return tuple(_price_notice(item) for item in data["items"] if _is_price(item))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnreadableInput(
            "this is not a JSON Feed of rates",
            place=Place(file=name),
            help=f"give a portal that has {PRICE_FEED}",
        ) from error


def _price_feed(source: str) -> tuple[str, str]:
    if "://" in source and not Path(source).exists():
        address = changes_address(source)
        if not address.endswith("changelog/changes.json"):
            raise _no_feed(source)
        feed = urljoin(address, f"../{PRICE_FEED}")
        try:
            return feed, download_text(feed)
        except EnvironmentProblem as error:
            raise _no_feed(f"{source} ({error.message})") from error
    path = Path(source) / PRICE_FEED
    try:
        return str(path), path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise _no_feed(source) from error


def _no_feed(source: str) -> PortalError:
    return UnreadableInput(
        f"{source} has no {PRICE_FEED}, so changes of prices cannot be sent",
        help="give the portal's folder or address, and turn the feed of its rates on; or leave out prices",
    )


def _is_price(item: Any) -> bool:
    """Return whether an item is about prices: not about coverage, and not about other terms of a rate."""
    tags = item.get("tags", [])
    return f"kind:{Kind.RATE}" in tags and "change:terms" not in tags


def _price_notice(item: Mapping[str, Any]) -> Notice:
    url = printable_line(str(item.get("url", "")))
    return Notice(
        id=f"price/{item['id']}",
        impact=PRICE,
        release=str(item.get("date_published", ""))[:10],
        title="",
        message=printable_line(str(item["title"])),
        advice=printable_line(str(item.get("summary", "")))[:_LONGEST_ADVICE],
        url=url if url.startswith(("https://", "http://")) else "",
        tags=tuple(map(str, item.get("tags", ()))),
    )
