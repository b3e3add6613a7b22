"""The left column of the reference, and the sections that a contract makes of its tags."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TypeVar

from jinja2 import Environment

from devportal.contract import Api, Group, Operation
from devportal.language import OURS, mark_texts
from devportal.markup import href, url_of
from devportal.reference.addresses import (
    event_operations,
    group_key,
    has_authentication,
    shared_schemas,
)
from devportal.reference.pages.list_pages import MAX_LISTED_GROUPS, ListPage, list_pages
from devportal.reference.pages.views import OperationItem, event_item, operation_item
from devportal.reference.reference import Reference
from devportal.translation import gettext, gettext_noop


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupSection:
    """Groups that belong together; without a title where the contract makes no sections."""

    title: str
    groups: tuple[Group, ...]
    is_rest: bool = False
    """Whether it holds what the contract's sections do not: its title is ours then."""

    @property
    def shown_title(self) -> str:
        """The title in the language of the site."""
        return gettext(self.title) if self.is_rest else self.title

    @property
    def head(self) -> Group | None:
        """The first group, if it is called as the section is: a parent of OAS 3.2 with its own operations."""
        first = self.groups[0]
        return first if self.title and first.title.casefold() == self.title.casefold() else None


def sections_of(api: Api) -> tuple[GroupSection, ...]:
    """Return all groups in sections; those that no section lists come last, as others."""
    if not api.tag_groups:
        return (GroupSection(title="", groups=api.groups),) if api.groups else ()
    by_tag = {group.name: group for group in api.groups if group.is_tag}
    found = []
    for tag_group in api.tag_groups:
        members = tuple(by_tag.pop(tag) for tag in tag_group.tags if tag in by_tag)
        if members:
            found.append(GroupSection(title=tag_group.title, groups=members))
    unnamed = [group for group_section in found if not group_section.title for group in group_section.groups]
    rest = (*unnamed, *(group for group in api.groups if not group.is_tag or group.name in by_tag))
    named = tuple(group_section for group_section in found if group_section.title)
    return (
        (*named, GroupSection(title=gettext_noop("Other") if named else "", groups=rest, is_rest=bool(named)))
        if rest
        else named
    )


def groups_by_page(api: Api, overview: str) -> tuple[ListPage[tuple[int, Group]], ...]:
    """Return all groups with the numbers of their sections, by the page that lists them: the overview, and
    pages below it where they are a great many.
    """
    groups = [(number, group) for number, section in enumerate(sections_of(api)) for group in section.groups]
    return list_pages(overview, groups, MAX_LISTED_GROUPS)


def events_title(api: Api) -> str:
    """Return what the events of a contract are called together: as no group of its operations is.

    It is a message in English, as addresses of the same page in several languages depend on it.
    """
    taken = {group.title.casefold() for group in api.groups}
    return next(
        (text for text in (gettext_noop("Events"), gettext_noop("Webhooks")) if text.casefold() not in taken),
        gettext_noop("Webhook events"),
    )


MAX_WHOLE_OPERATIONS = 80
"""Contracts with at most this many operations show all of them; larger ones only those of the open group."""
MAX_SHOWN_OPERATIONS = 80
"""How many operations of a group, or groups of a contract, the column shows at once."""
MAX_OPEN_OPERATIONS = 20
"""Contracts with at most this many operations have all groups open."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class _SidebarGroup:
    """A group in the column; without operations it is a plain link. `rest` counts those not shown.

    `section` is the title to put above it, if it is the first group of its section there; the head of a
    section is set as that title is, and has none above.
    """

    section: str = ""
    is_head: bool = False
    is_inside: bool = False
    """Whether its section has a head, and it is not that."""
    title: str
    uri: str
    count: int
    is_open: bool
    is_opened: bool = False
    """Whether the page is in this group."""
    operations: tuple[OperationItem, ...]
    rest: int = 0


class Sidebar:
    """The navigation of one contract's reference."""

    def __init__(
        self,
        reference: Reference,
        templates: Environment,
        *,
        has_stability: bool = False,
        language: str = OURS,
    ) -> None:
        """Take the reference, the templates of this package, whether there is a page of stability, and the
        language of the contract's texts.
        """
        api, addresses = reference.api, reference.addresses
        self._language = language
        self._has_stability = has_stability
        self._reference = reference
        self._templates = templates
        sections = sections_of(api)
        self._groups = tuple((section.shown_title, group) for section in sections for group in section.groups)
        self._heads = frozenset(group_key(section.head) for section in sections if section.head is not None)
        self._inside = frozenset(
            group_key(group)
            for section in sections
            if section.head is not None
            for group in section.groups[1:]
        )
        self._total = sum(len(group.operations) for group in api.groups)
        self._events = tuple(
            event_item(webhook, operation, addresses) for webhook, operation in event_operations(api)
        )
        self._rendered: dict[tuple[int, int, int, bool], str] = {}
        self._positions = dict(self._page_positions())

    def _page_positions(self) -> list[tuple[str, tuple[int, int]]]:
        """Return for each page of a group or operation the numbers of its group and of its window there."""
        found = []
        for number, (_, group) in enumerate(self._groups):
            for position, operation in enumerate(group.operations):
                found.append(
                    (
                        self._reference.addresses.operation(operation),
                        (number, position // MAX_SHOWN_OPERATIONS),
                    )
                )
        found.reverse()  # an operation belongs to the first group that lists it
        found += [
            (self._reference.addresses.group_of(group), (at, 0)) for at, (_, group) in enumerate(self._groups)
        ]
        events_group = len(self._groups)
        found += [
            (event.uri, (events_group, at // MAX_SHOWN_OPERATIONS)) for at, event in enumerate(self._events)
        ]
        return found

    @property
    def top(self) -> tuple[tuple[str, str], ...]:
        """Title and uri of the pages above the groups."""
        links = [(gettext("Overview"), self._reference.addresses.overview)]
        if has_authentication(self._reference.api):
            links.append((gettext("Authentication"), self._reference.addresses.authentication))
        return tuple(links)

    @property
    def bottom(self) -> tuple[tuple[str, str], ...]:
        """Title and uri of the pages below the groups."""
        links = []
        if self._reference.api.problem_types:
            links.append((gettext("Errors"), self._reference.addresses.errors))
        if any(shared_schemas(self._reference.api)):
            links.append((gettext("Schemas"), self._reference.addresses.schemas_index))
        if self._has_stability:
            links.append((gettext("Stability"), self._reference.addresses.stability))
        return tuple(links)

    def html(self, uri: str, part_of: str = "") -> str:
        """Return the navigation for the page `uri`, with the link to that page marked as current.

        A page that holds a part of another is shown where that one is.
        """
        shown_uri = part_of or uri
        group, window = self._positions.get(shown_uri, (-1, 0))
        depth = url_of(uri).count("/")
        is_group = 0 <= group < len(self._groups) and shown_uri == self._reference.addresses.group_of(
            self._groups[group][1]
        )
        key = (group, window, depth, is_group)
        if key not in self._rendered:
            rendered = self._render(_page_at_depth(depth), group, window, is_group=is_group)
            self._rendered[key] = mark_texts(rendered, self._language)
        here = escape(href(_page_at_depth(depth), shown_uri))
        current = "true" if part_of else "page"
        return self._rendered[key].replace(f'href="{here}"', f'href="{here}" aria-current="{current}"', 1)

    def _render(self, source: str, opened: int, window: int, *, is_group: bool) -> str:
        count = len(self._groups)
        first = max(0, min(opened, count - 1)) // MAX_SHOWN_OPERATIONS * MAX_SHOWN_OPERATIONS
        groups, above = [], ""
        for number, (section, group) in _window(list(enumerate(self._groups)), first):
            entry = self._entry(group, is_opened=number == opened, window=window)
            is_first = section != above and not entry.is_head
            groups.append(replace(entry, section=section) if is_first else entry)
            above = section
        groups += self._event_entry(is_opened=opened == count, window=window)
        return self._templates.get_template("sidebar.html.jinja").render(
            source=source,
            is_group=is_group,
            top=self.top,
            bottom=self.bottom,
            groups=groups,
            hidden=max(0, count - MAX_SHOWN_OPERATIONS),
            overview=self._reference.addresses.overview,
        )

    def _entry(self, group: Group, *, is_opened: bool, window: int) -> _SidebarGroup:
        is_shown = is_opened or self._total <= MAX_WHOLE_OPERATIONS
        shown = (
            _window(group.operations, window * MAX_SHOWN_OPERATIONS if is_opened else 0) if is_shown else ()
        )
        return _SidebarGroup(
            is_head=group_key(group) in self._heads,
            is_inside=group_key(group) in self._inside,
            title=group.title,
            uri=self._reference.addresses.group_of(group),
            count=len(group.operations),
            is_open=is_opened or self._total <= MAX_OPEN_OPERATIONS,
            is_opened=is_opened,
            operations=tuple(self._items(shown)),
            rest=len(group.operations) - len(shown) if shown else 0,
        )

    def _items(self, operations: Sequence[Operation]) -> Iterator[OperationItem]:
        """Yield operations as items. Those of one method and title have their paths below."""
        counts = Counter((operation.method, operation.title) for operation in operations)
        for operation in operations:
            item = operation_item(operation, self._reference.addresses)
            is_repeated = counts[operation.method, operation.title] > 1
            yield replace(item, name=operation.path) if is_repeated and item.title != item.path else item

    def _event_entry(self, *, is_opened: bool, window: int) -> list[_SidebarGroup]:
        if not self._events:
            return []
        shown = tuple(_window(self._events, window * MAX_SHOWN_OPERATIONS if is_opened else 0))
        entry = _SidebarGroup(
            title=gettext(events_title(self._reference.api)),
            uri=f"{self._reference.addresses.overview}#events",
            count=len(self._events),
            is_open=is_opened or self._total <= MAX_OPEN_OPERATIONS,
            operations=shown if is_opened or len(self._events) <= MAX_SHOWN_OPERATIONS else (),
            rest=len(self._events) - len(shown),
        )
        return [entry]


def _window(values: Sequence[T], first: int) -> Sequence[T]:
    return values[first : first + MAX_SHOWN_OPERATIONS]


def _page_at_depth(depth: int) -> str:
    """Return a uri with this many folders in its address: links from there are right on all such pages."""
    return "/".join(["x"] * depth) + ".md" if depth else "index.md"
