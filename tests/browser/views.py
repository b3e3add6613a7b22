"""The kinds of pages and how they are looked at: what holds for these holds for all that look like them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import pytest
from playwright.sync_api import Page, ViewportSize

WIDE: ViewportSize = {"width": 1440, "height": 900}
TABLET: ViewportSize = {"width": 1024, "height": 768}
PHONE: ViewportSize = {"width": 390, "height": 844}
SMALL: ViewportSize = {"width": 320, "height": 640}
"""The width at which WCAG 2.2 asks for no scrolling in two directions (criterion 1.4.10)."""

_PORTAL = (
    "",
    "guides/",
    "guides/get-started/",
    "guides/segments/",
    "guides/signature-playground/",
    "guides/webhooks/",
    "products/",
    "products/messaging/",
    "about/honesty/",
    "reference/",
    "reference/authentication/",
    "reference/messages/",
    "reference/messages/send-message/",
    "reference/messages/list-messages/",
    "reference/webhooks/delete-webhook-endpoint/",
    "reference/rates/list-rates/",
    "reference/events/message-delivery-receipt/",
    "reference/errors/",
    "reference/errors/validation-failed/",
    "reference/schemas/",
    "reference/schemas/new-message/",
    "reference/schemas/message-status/",
    "reference/stability/",
    "reference/2.0.0/",
    "reference/2.0.0/messages/list-usage/",
    "rates/",
    "rates/sms/",
    "rates/sms/inbound/",
    "rates/sms/networks/",
    "coverage/",
    "coverage/sms/",
    "coverage/no/",
    "coverage/no/history/",
    "changelog/",
    "changelog/impact/breaking/",
    "changelog/api/messages/breaking/",
    "changelog/2026-09-01-plus-sign-required/",
    "changelog/feeds/",
    "changelog/releases/",
    "changelog/compare/",
    "changelog/compare/3.4.0...3.5.0/",
    "conformance/",
    "conformance/status/",
    "toolkit/commands/",
    "toolkit/python-api/",
    "decisions/0005-idempotency-key/",
)
_PARCELS = (
    "",
    "reference/authentication/",
    "reference/parcels/",
    "reference/parcels/list-parcels/",
    "reference/parcels/create-parcel/",
    "reference/parcels/delete-parcel/",
    "reference/schemas/item/",
)
_BIG = (
    "",
    "reference/hook-1s/",
    "reference/meta/",
    "reference/repo-0s/repo-0s-list-thing-0/",
    "reference/meta/meta-set-thing-1169/",
    "reference/schemas/",
    "reference/schemas/event/",
    "reference/schemas/thing-3/",
)
"""Pages of the large contract (`big_contract.py`)."""
PATHS = (
    *(f"portal/{text}" for text in _PORTAL),
    *(f"parcels/{parcel}" for parcel in _PARCELS),
    *(f"big/{text}" for text in _BIG),
)

Scheme = Literal["light", "dark"]
SCHEMES: dict[Scheme, str] = {"light": "default", "dark": "slate"}
"""What the theme calls the schemes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A page, by its path below the server's root, as one kind of reader sees it first."""

    path: str
    scheme: Scheme
    viewport: ViewportSize

    def __str__(self) -> str:
        """Return the look as the name of a test shows it."""
        return f"{self.path or 'home'} {self.scheme} {self.viewport['width']}"


ALIKE = frozenset(
    (
        *(
            f"portal/{item}"
            for item in (
                "guides/",
                "guides/webhooks/",
                "products/messaging/",
                "about/honesty/",
                "reference/authentication/",
                "reference/webhooks/delete-webhook-endpoint/",
                "reference/rates/list-rates/",
                "reference/errors/validation-failed/",
                "reference/schemas/message-status/",
                "reference/2.0.0/messages/list-usage/",
                "rates/sms/inbound/",
                "coverage/sms/",
                "coverage/no/history/",
                "changelog/impact/breaking/",
                "changelog/api/messages/breaking/",
                "toolkit/commands/",
                "toolkit/python-api/",
                "decisions/0005-idempotency-key/",
            )
        ),
        *(f"parcels/{parcel}" for parcel in _PARCELS[2:]),
        "big/reference/hook-1s/",
        "big/reference/repo-0s/repo-0s-list-thing-0/",
        "big/reference/schemas/thing-3/",
    )
)
"""Pages that look like others of their kind."""
_MOST_READ = frozenset({"portal/", "portal/reference/messages/send-message/"})
_READERS: tuple[tuple[Scheme, ViewportSize], ...] = (("light", WIDE), ("dark", PHONE))


def _looks(path: str) -> tuple[Look, ...]:
    return tuple(Look(path=path, scheme=scheme, viewport=viewport) for scheme, viewport in _READERS)


def _looks_of_each_kind() -> Iterator[Look]:
    for number, path in enumerate(path for path in PATHS if path not in ALIKE):
        looks = _looks(path)
        yield from looks if path in _MOST_READ else looks[number % 2 :][:1]


EACH_KIND = tuple(_looks_of_each_kind())
"""Each kind of page once, in turn light and wide or dark and on a phone; those that are read most in both."""
ALL_OTHERS = tuple(look for path in PATHS for look in _looks(path) if look not in EACH_KIND)
"""Together with those of each kind, every page in every look."""


def schemes_in_turn(*subjects: str) -> list[object]:
    """Return each subject with each scheme; in the fast tier each with one of them, in turn."""
    schemes: tuple[Scheme, ...] = ("light", "dark")
    return [
        pytest.param(subject, scheme, marks=[] if number % 2 == turn else [pytest.mark.deep])
        for number, subject in enumerate(subjects)
        for turn, scheme in enumerate(schemes)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """A file that a page was loaded with: its address, and how many bytes of it came over the network."""

    url: str
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A page that is loaded, what the browser complained of on the way, and what it measured."""

    look: Look
    page: Page = field(repr=False)
    complaints: tuple[str, ...]
    resources: tuple[Resource, ...] = field(repr=False)
    """What was loaded from an empty cache, the page itself first."""
    shift: float
    """By how much what was there moved while the page was loaded (Cumulative Layout Shift)."""
