"""The left column of the reference: rendered once per group and depth, not once per page."""

from functools import lru_cache
from html import escape

from jinja2 import Environment

from devportal.contract import Api
from devportal.pages import environment, href, url_of
from devportal.reference.addresses import Addresses, events, shared_schemas
from devportal.reference.views import event_item, item_of

WHOLE_UP_TO = 80
"""Contracts with at most so many operations show all of them; larger ones only those of the open group."""


@lru_cache(maxsize=1)
def _templates() -> Environment:
    return environment("devportal.reference")


class Sidebar:
    """The navigation of one contract's reference."""

    def __init__(self, api: Api, addresses: Addresses) -> None:
        """Take the contract and where its parts are shown."""
        self._api = api
        self._addresses = addresses
        self._rendered: dict[tuple[str, str], str] = {}
        self._group_by_uri = {
            addresses.operation(operation): group.name
            for group in reversed(api.groups)
            for operation in group.operations
        } | {addresses.group_of(group): group.name for group in api.groups}

    @property
    def top(self) -> tuple[tuple[str, str], ...]:
        """Title and uri of the pages above the groups."""
        links = [("Overview", self._addresses.overview)]
        if self._api.security_schemes:
            links.append(("Authentication", f"{self._addresses.overview}#authentication"))
        return tuple(links)

    @property
    def bottom(self) -> tuple[tuple[str, str], ...]:
        """Title and uri of the pages below the groups."""
        links = []
        if self._api.problem_types:
            links.append(("Errors", self._addresses.errors))
        if any(shared_schemas(self._api)):
            links.append(("Schemas", self._addresses.schemas_index))
        return tuple(links)

    def html(self, uri: str) -> str:
        """Return the navigation for the page `uri`, with the link to that page marked as current."""
        opened = self._group_by_uri.get(uri, "")
        depth = url_of(uri).count("/")
        key = (opened, f"{depth}" if depth > 2 else uri)
        if key not in self._rendered:
            self._rendered[key] = self._render(uri, opened)
        here = escape(_link_to_itself(uri, depth))
        return self._rendered[key].replace(f'href="{here}"', f'href="{here}" aria-current="page"', 1)

    def _render(self, uri: str, opened: str) -> str:
        total = sum(len(group.operations) for group in self._api.groups)
        groups = [
            {
                "title": group.title,
                "uri": self._addresses.group_of(group),
                "count": len(group.operations),
                "is_open": group.name == opened or total <= WHOLE_UP_TO // 4,
                "operations": [item_of(one, self._addresses) for one in group.operations]
                if group.name == opened or total <= WHOLE_UP_TO
                else [],
            }
            for group in self._api.groups
        ]
        shown = [event_item(one, self._addresses) for one in events(self._api)]
        if shown:
            groups.append(
                {
                    "title": "Events",
                    "uri": f"{self._addresses.overview}#events",
                    "count": len(shown),
                    "is_open": uri in self._addresses.events.values() or total <= WHOLE_UP_TO // 4,
                    "operations": shown if len(shown) <= WHOLE_UP_TO else [],
                }
            )
        return (
            _templates()
            .get_template("sidebar.html.jinja")
            .render(source=uri, top=self.top, bottom=self.bottom, groups=groups)
        )


def _link_to_itself(uri: str, depth: int) -> str:
    """Return how another page of the same depth links to this one, which is how the column was rendered."""
    if depth <= 2:
        return href(uri, uri)
    return href("/".join(["x"] * depth) + ".md", uri)
