"""The left column of the reference: rendered once per part of a group and depth, not once per page.

It never holds the whole of a large contract: a column of a thousand links on a thousand pages would be most
of the site.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TypeVar

from jinja2 import Environment

from devportal.contract import Api, Group
from devportal.pages import href, url_of
from devportal.reference.addresses import Addresses, events, group_key, has_authentication, shared_schemas
from devportal.reference.items import OperationItem, event_item, item_of
from devportal.reference.sections import events_title, sections_of

WHOLE_UP_TO = 80
"""Contracts with at most so many operations show all of them; larger ones only those of the open group."""
WINDOW = 80
"""How many operations of one group, or groups of one contract, stand in the column at once."""
OPEN_UP_TO = 20
"""Contracts with at most so many operations have all groups open."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """A group in the column; without operations it is a plain link. `rest` counts those not shown.

    `section` is the title to put above it, where it is the first group of its section there; the head of a
    section is set as that title is, and has none above.
    """

    section: str = ""
    is_head: bool = False
    title: str
    uri: str
    count: int
    is_open: bool
    operations: tuple[OperationItem, ...]
    rest: int = 0


class Sidebar:
    """The navigation of one contract's reference."""

    def __init__(
        self, api: Api, addresses: Addresses, templates: Environment, *, has_stability: bool = False
    ) -> None:
        """Take the contract, where its parts are shown, the templates of this package, and whether there is
        a page of what says how stable it is.
        """
        self._has_stability = has_stability
        self._api = api
        self._templates = templates
        self._addresses = addresses
        sections = sections_of(api)
        self._groups = tuple((one.title, group) for one in sections for group in one.groups)
        self._heads = frozenset(group_key(one.head) for one in sections if one.head is not None)
        self._total = sum(len(group.operations) for group in api.groups)
        self._events = tuple(event_item(one, operation, addresses) for one, operation in events(api))
        self._rendered: dict[tuple[int, int, int], str] = {}
        self._spots = dict(self._places())

    def _places(self) -> list[tuple[str, tuple[int, int]]]:
        """Return for each page of a group or operation the numbers of its group and of its window there."""
        found = []
        for number, (_, group) in enumerate(self._groups):
            for position, operation in enumerate(group.operations):
                found.append((self._addresses.operation(operation), (number, position // WINDOW)))
        found.reverse()  # an operation belongs to the first group that lists it
        found += [(self._addresses.group_of(one), (at, 0)) for at, (_, one) in enumerate(self._groups)]
        events_group = len(self._groups)
        found += [(one.uri, (events_group, at // WINDOW)) for at, one in enumerate(self._events)]
        return found

    @property
    def top(self) -> tuple[tuple[str, str], ...]:
        """Title and uri of the pages above the groups."""
        links = [("Overview", self._addresses.overview)]
        if has_authentication(self._api):
            links.append(("Authentication", self._addresses.authentication))
        return tuple(links)

    @property
    def bottom(self) -> tuple[tuple[str, str], ...]:
        """Title and uri of the pages below the groups."""
        links = []
        if self._api.problem_types:
            links.append(("Errors", self._addresses.errors))
        if any(shared_schemas(self._api)):
            links.append(("Schemas", self._addresses.schemas_index))
        if self._has_stability:
            links.append(("Stability", self._addresses.stability))
        return tuple(links)

    def html(self, uri: str, part_of: str = "") -> str:
        """Return the navigation for the page `uri`, with the link to that page marked as current.

        A page that holds a part of another is shown where that one is.
        """
        whole = part_of or uri
        group, window = self._spots.get(whole, (-1, 0))
        depth = url_of(uri).count("/")
        key = (group, window, depth)
        if key not in self._rendered:
            self._rendered[key] = self._render(_any_page(depth), group, window)
        here = escape(href(_any_page(depth), whole))
        current = "true" if part_of else "page"
        return self._rendered[key].replace(f'href="{here}"', f'href="{here}" aria-current="{current}"', 1)

    def _render(self, source: str, opened: int, window: int) -> str:
        count = len(self._groups)
        first = max(0, min(opened, count - 1)) // WINDOW * WINDOW
        groups, above = [], ""
        for number, (section, group) in _part(list(enumerate(self._groups)), first):
            entry = self._entry(group, is_opened=number == opened, window=window)
            is_first = section != above and not entry.is_head
            groups.append(replace(entry, section=section) if is_first else entry)
            above = section
        groups += self._event_entry(is_opened=opened == count, window=window)
        return self._templates.get_template("sidebar.html.jinja").render(
            source=source,
            top=self.top,
            bottom=self.bottom,
            groups=groups,
            hidden=max(0, count - WINDOW),
            overview=self._addresses.overview,
        )

    def _entry(self, group: Group, *, is_opened: bool, window: int) -> _Entry:
        is_shown = is_opened or self._total <= WHOLE_UP_TO
        shown = _part(group.operations, window * WINDOW if is_opened else 0) if is_shown else ()
        return _Entry(
            is_head=group_key(group) in self._heads,
            title=group.title,
            uri=self._addresses.group_of(group),
            count=len(group.operations),
            is_open=is_opened or self._total <= OPEN_UP_TO,
            operations=tuple(item_of(one, self._addresses) for one in shown),
            rest=len(group.operations) - len(shown) if shown else 0,
        )

    def _event_entry(self, *, is_opened: bool, window: int) -> list[_Entry]:
        if not self._events:
            return []
        shown = tuple(_part(self._events, window * WINDOW if is_opened else 0))
        entry = _Entry(
            title=events_title(self._api),
            uri=f"{self._addresses.overview}#events",
            count=len(self._events),
            is_open=is_opened or self._total <= OPEN_UP_TO,
            operations=shown if is_opened or len(self._events) <= WINDOW else (),
            rest=len(self._events) - len(shown),
        )
        return [entry]


def _part(values: Sequence[T], first: int) -> Sequence[T]:
    return values[first : first + WINDOW]


def _any_page(depth: int) -> str:
    """Return a uri with so many folders in its address: links from there are right on all such pages."""
    return "/".join(["x"] * depth) + ".md" if depth else "index.md"
