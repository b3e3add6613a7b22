"""The page of a whole contract."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import Any

from devportal.contract import Api, Group, Tag
from devportal.markup import Heading, Page, SearchEntry
from devportal.reference.addresses import (
    OVERVIEW_SECTIONS,
    Addresses,
    Anchors,
    event_operations,
    group_key,
    has_authentication,
)
from devportal.reference.pages.introduction import (
    FIRST_HEADING,
    add_chapter_anchors,
    brief_text,
    chapters_of,
    introduction_of,
    lead_text,
)
from devportal.reference.pages.list_pages import MAX_EVENTS, ListPage, list_page_links, list_pages
from devportal.reference.pages.security import scheme_view
from devportal.reference.pages.sidebar import events_title, groups_by_page, sections_of
from devportal.reference.pages.views import OperationItem, event_item, operation_item
from devportal.reference.rendering import Renderer
from devportal.reference.samples.servers import host_note
from devportal.translation import gettext

MAX_INLINE_OPERATIONS = 60
"""The overview lists each operation of contracts with at most this many; of larger ones it lists the groups."""

_LONGEST_CHAPTER = 400
"""How many characters of a chapter of the introduction search finds, and of what stands before the first."""

LISTED_OPERATION_LEVEL = 3
"""How deep the headings of the introduction are that the table of contents lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupView:
    """A group as the overview shows it; `operations` is empty if the contract is large.

    One that is the head of its section has no heading.
    """

    key: str
    title: str
    is_head: bool
    anchor: str
    description: str
    uri: str
    count: int
    operations: tuple[OperationItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionView:
    """A section of groups; without title and anchor where the contract makes none. `tag` is the one that
    it is called as, if that has no operations: its description stands below the heading.
    """

    title: str
    anchor: str
    tag: Tag | None
    groups: tuple[GroupView, ...]


def overview_pages(renderer: Renderer) -> Iterator[Page]:
    """Yield the page of the whole contract, and those of groups and events that it has no room for."""
    api, addresses = renderer.api, renderer.addresses
    is_large = sum(len(group.operations) for group in api.groups) > MAX_INLINE_OPERATIONS
    sections = tuple(_sections(api, addresses, is_large=is_large))
    groups, event_lists = groups_by_page(api, addresses.overview), _event_lists(api, addresses)
    yield _overview(renderer, sections, groups, event_lists, is_large=is_large)
    for part in groups[1:]:
        shown = {"sections": _sections_on_page(sections, part), "lists": list_page_links(groups)}
        yield _list_page(renderer, "groups", part.uri, gettext("Groups"), part.words, **shown)
    for event_list in event_lists[1:]:
        listed = {"events": event_list.items, "lists": list_page_links(event_lists)}
        yield _list_page(
            renderer, "events", event_list.uri, gettext(events_title(api)), event_list.words, **listed
        )


def _list_page(renderer: Renderer, template: str, uri: str, listed: str, words: str, **values: Any) -> Page:
    """Return a page of a list that begins on the overview."""
    title = gettext("%(list)s %(range)s", list=listed, range=words)
    return renderer.page(
        template,
        uri,
        title=title,
        description=gettext("%(title)s of %(api)s.", title=title, api=renderer.title),
        crumbs=renderer.crumbs(),
        search=SearchEntry(title=title),
        values={"listed": listed, **values},
        part_of=renderer.addresses.overview,
    ).finish()


def _event_lists(api: Api, addresses: Addresses) -> tuple[ListPage[OperationItem], ...]:
    """Return the events by the page that lists them: the overview first."""
    items = [event_item(webhook, operation, addresses) for webhook, operation in event_operations(api)]
    first, *rest = list_pages(f"{addresses.events_folder}/index.md", items, MAX_EVENTS)
    return replace(first, uri=addresses.overview), *rest


def _sections_on_page(
    sections: Sequence[SectionView], page: ListPage[tuple[int, Group]]
) -> tuple[SectionView, ...]:
    """Return the sections with those of their groups that a page lists."""
    listed = {group_key(group) for _, group in page.items}
    left = (
        (section, tuple(group for group in section.groups if group.key in listed)) for section in sections
    )
    return tuple(
        replace(
            section_view, groups=groups, tag=section_view.tag if groups[0] is section_view.groups[0] else None
        )
        for section_view, groups in left
        if groups
    )


def _overview(
    renderer: Renderer,
    sections: tuple[SectionView, ...],
    groups: tuple[ListPage[tuple[int, Group]], ...],
    event_lists: tuple[ListPage[OperationItem], ...],
    *,
    is_large: bool,
) -> Page:
    api, addresses = renderer.api, renderer.addresses
    topics = unused_tags(api)
    note = host_note(api.servers) if _is_sent_to_root(api) else ""
    shown = _sections_on_page(sections, groups[0])
    text = introduction_of(api)
    chapters = chapters_of(text)
    introduction = renderer.links.render_description(text, addresses.overview, first_heading=FIRST_HEADING)
    return renderer.page(
        "overview",
        addresses.overview,
        title=renderer.title,
        description=brief_text(api.summary or text, 180),
        headings=(
            *(
                Heading(level=chapter.level, anchor=chapter.anchor, title=chapter.title)
                for chapter in chapters
                if chapter.level <= LISTED_OPERATION_LEVEL
            ),
            *_headings(
                api,
                shown,
                has_servers=bool(api.servers or note or renderer.console_note),
                has_topics=bool(topics),
                is_large=is_large,
            ),
        ),
        search=SearchEntry(title=renderer.title, text=_search_words(api)),
        sections=tuple(
            SearchEntry(
                title=chapter.title,
                text=shorten(chapter.text, _LONGEST_CHAPTER, placeholder="…"),
                anchor=chapter.anchor,
            )
            for chapter in chapters
        ),
        values={
            "introduction": add_chapter_anchors(introduction, chapters),
            "introduction_text": text,
            "host_note": note,
            "console_note": renderer.console_note,
            "is_large": is_large,
            "sections": shown,
            "group_lists": list_page_links(groups),
            "topics": topics,
            "schemes": [scheme_view(scheme, addresses) for scheme in api.security_schemes],
            "authentication": addresses.authentication if has_authentication(api) else "",
            "events_title": gettext(events_title(api)),
            "events": event_lists[0].items,
            "event_lists": list_page_links(event_lists),
            "more": renderer.sidebar.bottom,
            "downloads": [(gettext(label), uri) for label, uri in renderer.downloads],
            "contact_words": {"name": gettext("name"), "url": gettext("website"), "email": gettext("email")},
        },
    ).finish()


def _sections(api: Api, addresses: Addresses, *, is_large: bool) -> Iterator[SectionView]:
    anchors = Anchors(*OVERVIEW_SECTIONS, *addresses.group_anchors.values())
    heads = _section_tags(api)
    for section in sections_of(api):
        groups = tuple(
            GroupView(
                key=group_key(group),
                title=group.title,
                is_head=group is section.head,
                anchor=addresses.group_anchors[group_key(group)],
                description=brief_text(group.description, 240),
                uri=addresses.group_of(group),
                count=len(group.operations),
                operations=()
                if is_large
                else tuple(operation_item(operation, addresses) for operation in group.operations),
            )
            for group in section.groups
        )
        anchor = anchors.take(f"section.{section.title}") if section.title else ""
        yield SectionView(
            title=section.shown_title, anchor=anchor, tag=heads.get(section.title), groups=groups
        )


def _headings(
    api: Api,
    sections: tuple[SectionView, ...],
    *,
    has_servers: bool,
    has_topics: bool,
    is_large: bool,
) -> Iterator[Heading]:
    """Yield what the table of contents lists."""
    chapters = (
        ("servers", gettext("Servers"), has_servers),
        ("authentication", gettext("Authentication"), has_authentication(api)),
        ("topics", gettext("Topics"), has_topics),
        ("operations", gettext("Operations"), is_large),
    )
    yield from (
        Heading(level=2, anchor=anchor, title=title) for anchor, title, is_there in chapters if is_there
    )
    for section in sections:
        level = 2
        if section.title:
            yield Heading(level=3 if is_large else 2, anchor=section.anchor, title=section.title)
            level = 3
        if not is_large:
            yield from (
                Heading(level=level, anchor=group.anchor, title=group.title)
                for group in section.groups
                if not group.is_head
            )
    if event_operations(api):
        yield Heading(level=2, anchor="events", title=gettext(events_title(api)))


def _is_sent_to_root(api: Api) -> bool:
    """Say whether an operation is sent to the servers of the whole contract, or to none."""
    return any(operation.servers == api.servers for operation in api.operations)


def unused_tags(api: Api) -> tuple[Tag, ...]:
    """Return the tags that no operation has but that say something: many contracts write chapters so. Those
    that head a section are not among them.
    """
    shown = {tag.name for tag in _section_tags(api).values()}
    return tuple(tag for tag in _described_unused_tags(api) if tag.name not in shown)


def _described_unused_tags(api: Api) -> Iterator[Tag]:
    used = {group.name for group in api.groups if group.is_tag}
    unused = (tag for tag in api.tags if tag.name not in used)
    return (tag for tag in unused if tag.description or tag.external_docs or tag.summary)


def _section_tags(api: Api) -> dict[str, Tag]:
    """Return the tags without operations that sections are called as, by the titles of those."""
    titles = {section.title for section in sections_of(api)}
    return {
        tag.title: tag for tag in _described_unused_tags(api) if tag.is_navigation and tag.title in titles
    }


def _search_words(api: Api) -> str:
    names = (scheme.name for scheme in api.security_schemes)
    lead = shorten(lead_text(introduction_of(api)), _LONGEST_CHAPTER, placeholder="…")
    return " ".join((lead, gettext("authentication servers"), *names))
