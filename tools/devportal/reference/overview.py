"""The page of a whole contract."""

from dataclasses import dataclass

from devportal.contract import Api, Tag
from devportal.pages import Heading, Page, SearchEntry, plain_text
from devportal.reference.addresses import events, group_key, has_authentication
from devportal.reference.exports.downloads import DOWNLOADS
from devportal.reference.items import OperationItem, event_item, item_of
from devportal.reference.rendering import Renderer
from devportal.reference.security import scheme_view

LISTED_UP_TO = 60
"""The overview lists each operation of contracts with at most so many; of larger ones it lists the groups."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupView:
    """A group as the overview shows it; `operations` is empty where the contract is large."""

    title: str
    anchor: str
    description: str
    uri: str
    count: int
    operations: tuple[OperationItem, ...]


def overview(renderer: Renderer) -> Page:
    """Return the page of the whole contract."""
    api, addresses = renderer.api, renderer.addresses
    is_large = sum(len(group.operations) for group in api.groups) > LISTED_UP_TO
    groups = tuple(
        GroupView(
            title=group.title,
            anchor=addresses.group_anchors[group_key(group)],
            description=plain_text(group.description, limit=240),
            uri=addresses.group_of(group),
            count=len(group.operations),
            operations=() if is_large else tuple(item_of(one, addresses) for one in group.operations),
        )
        for group in api.groups
    )
    topics = unused_tags(api)
    sections = [
        ("servers", "Servers", bool(api.servers)),
        ("authentication", "Authentication", has_authentication(api)),
        ("topics", "Topics", bool(topics)),
        ("operations", "Operations", is_large),
        *((one.anchor, one.title, not is_large) for one in groups),
    ]
    return renderer.page(
        "overview",
        addresses.overview,
        title=api.title,
        description=plain_text(api.summary or api.description, limit=180),
        headings=tuple(
            Heading(level=2, anchor=anchor, title=title) for anchor, title, is_there in sections if is_there
        ),
        search=SearchEntry(title=api.title, text=_words(api)),
        values={
            "is_large": is_large,
            "groups": groups,
            "topics": topics,
            "schemes": [scheme_view(scheme, addresses) for scheme in api.security_schemes],
            "authentication": addresses.authentication if has_authentication(api) else "",
            "events": [event_item(one, operation, addresses) for one, operation in events(api)],
            "more": renderer.sidebar.bottom,
            "downloads": DOWNLOADS,
        },
    )


def unused_tags(api: Api) -> tuple[Tag, ...]:
    """Return the tags that no operation has but that say something: many contracts write chapters so."""
    used = {group.name for group in api.groups if group.is_tag}
    return tuple(tag for tag in api.tags if tag.name not in used and tag.description)


def _words(api: Api) -> str:
    names = (scheme.name for scheme in api.security_schemes)
    return " ".join((plain_text(api.description, limit=400), "authentication servers", *names))
