"""The page of authentication: each security scheme, what it grants, and which operations need it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from devportal.contract import Api, Group, Operation
from devportal.markup import Heading, Page, SearchEntry, SearchKind, plain_text
from devportal.reference.addresses import PUBLIC_SCOPE, Addresses, Anchors, event_operations
from devportal.reference.pages.list_pages import MAX_SCOPES_LISTED, ListPage, list_page_links, list_pages
from devportal.reference.pages.security import SchemeView, is_public, scheme_view
from devportal.reference.rendering import Renderer
from devportal.translation import gettext, join_list

MAX_SCOPES = 900
"""How many elements the scopes may take on the page; larger lists continue on pages below."""
_SCOPE_NODES = 7
"""Elements of a scope without its links."""
MAX_LINKS = 300
"""With more links than that on the page, scopes name groups of operations instead of each operation."""
MAX_GROUPS = 40
"""How many groups are named in one place; the rest are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CredentialUse:
    """A page that needs a credential: of an operation, or of a group in which `count` operations do.

    `count` is 0 for an operation.
    """

    title: str
    uri: str
    count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CredentialUses:
    """The operations that need something: how many, and links to them or to their groups.

    `rest` counts the groups that are not named.
    """

    count: int
    links: tuple[CredentialUse, ...]
    rest: int = 0

    @property
    def has_counts(self) -> bool:
        """Say whether a group has several of the operations: then each says how many."""
        return any(use.count > 1 for use in self.links)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeView:
    """A scope, what it grants and what needs it."""

    name: str
    anchor: str
    description: str
    uses: CredentialUses


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemeSection:
    """A security scheme on its page; `sent` are the events and callbacks that carry its credential."""

    scheme: SchemeView
    uses: CredentialUses
    sent: CredentialUses
    scopes: tuple[ScopeView, ...]


def authentication_pages(renderer: Renderer) -> Iterator[Page]:
    """Yield the page of all security schemes, and those of scopes that it has no room for; without schemes, a
    sentence states that.
    """
    made = _Authentication(renderer)
    api, addresses = renderer.api, renderer.addresses
    sections = tuple(made.section(scheme_view(scheme, addresses)) for scheme in api.security_schemes)
    scopes = [(section.scheme.name, scope) for section in sections for scope in section.scopes]
    is_large = sum(_SCOPE_NODES + len(scope.uses.links) for _, scope in scopes) > MAX_SCOPES
    first, *rest = pages = list_pages(
        addresses.authentication, scopes, MAX_SCOPES_LISTED if is_large else max(len(scopes), 1)
    )
    yield made.page(_sections_on_page(sections, first), list_page_links(pages))
    for list_page in rest:
        shown = tuple(section for section in _sections_on_page(sections, list_page) if section.scopes)
        title = gettext("%(list)s %(range)s", list=gettext("Scopes"), range=list_page.words)
        yield renderer.page(
            "scopes",
            list_page.uri,
            title=title,
            description=gettext("%(title)s of %(api)s.", title=title, api=renderer.title),
            crumbs=renderer.crumbs((gettext("Authentication"), addresses.authentication)),
            search=SearchEntry(kind=SearchKind.ACCESS, title=title),
            sections=tuple(entry for section in shown for entry in _scope_entries(section)),
            values={"sections": shown, "listed": gettext("Scopes"), "lists": list_page_links(pages)},
            part_of=addresses.authentication,
        ).finish()


def _sections_on_page(
    sections: Iterable[SchemeSection], page: ListPage[tuple[str, ScopeView]]
) -> tuple[SchemeSection, ...]:
    """Return the schemes with the scopes of one page."""
    return tuple(
        replace(section, scopes=tuple(scope for name, scope in page.items if name == section.scheme.name))
        for section in sections
    )


class _Authentication:
    """Collects which operations need which schemes and scopes."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._by_scheme: dict[str, list[Operation]] = {}
        self._by_scope: dict[tuple[str, str], list[Operation]] = {}
        for operation in renderer.api.operations:
            for scheme, scopes in _required_scopes(operation).items():
                self._by_scheme.setdefault(scheme, []).append(operation)
                for scope in scopes:
                    self._by_scope.setdefault((scheme, scope), []).append(operation)
        self._sent: dict[str, list[CredentialUse]] = {}
        self._sent_scope: dict[tuple[str, str], list[CredentialUse]] = {}
        for use, operation in _provider_requests(renderer.api, renderer.addresses):
            for scheme, scopes in _required_scopes(operation).items():
                self._sent.setdefault(scheme, []).append(use)
                for scope in scopes:
                    self._sent_scope.setdefault((scheme, scope), []).append(use)
        self._group_of = {
            operation.key: group for group in reversed(renderer.api.groups) for operation in group.operations
        }
        self._lists_each = sum(map(len, self._by_scope.values())) <= MAX_LINKS
        self._anchors = Anchors(PUBLIC_SCOPE, *renderer.addresses.scheme_anchors.values())

    def page(self, sections: tuple[SchemeSection, ...], lists: tuple[tuple[str, str], ...]) -> Page:
        api, addresses = self._renderer.api, self._renderer.addresses
        public = [operation for operation in api.operations if is_public(operation)]
        headings = [
            Heading(level=2, anchor=section.scheme.anchor, title=section.scheme.name) for section in sections
        ]
        if public and sections:
            headings.append(Heading(level=2, anchor=PUBLIC_SCOPE, title=gettext("No credential needed")))
        return self._renderer.page(
            "authentication",
            addresses.authentication,
            title=gettext("Authentication"),
            description=gettext(
                "How to authenticate with %(api)s: %(kinds)s.",
                api=self._renderer.title,
                kinds=join_list(dict.fromkeys(section.scheme.kind for section in sections))
                or gettext("no credential is needed"),
            ),
            crumbs=self._renderer.crumbs(),
            headings=tuple(headings),
            search=SearchEntry(
                kind=SearchKind.ACCESS,
                title=gettext("Authentication"),
                text=gettext("credentials, tokens, keys, scopes"),
            ),
            sections=tuple(entry for section in sections for entry in _scheme_entries(section)),
            values={
                "sections": sections,
                "total": len(api.operations),
                "is_sent": any(section.sent.count for section in sections),
                "is_optional": len(public) == len(api.operations)
                and any(section.uses.count for section in sections),
                "public": self._by_group(public),
                "public_anchor": PUBLIC_SCOPE,
                "listed": gettext("Scopes"),
                "lists": lists,
            },
        ).finish()

    def section(self, scheme: SchemeView) -> SchemeSection:
        declared = dict(scheme.scopes)
        for name, scope in (*self._by_scope, *self._sent_scope):
            if name == scheme.name:
                declared.setdefault(scope, "")
        return SchemeSection(
            scheme=scheme,
            uses=self._by_group(self._by_scheme.get(scheme.name, ())),
            sent=_limit_uses(self._sent.get(scheme.name, [])),
            scopes=tuple(
                ScopeView(
                    name=name,
                    anchor=self._anchors.take(f"scope.{name}"),
                    description=description,
                    uses=self._scope_uses(scheme.name, name),
                )
                for name, description in declared.items()
            ),
        )

    def _scope_uses(self, scheme: str, scope: str) -> CredentialUses:
        operations = self._by_scope.get((scheme, scope), [])
        sent = _limit_uses(self._sent_scope.get((scheme, scope), []))
        called = self._each(operations) if self._lists_each else self._by_group(operations)
        return replace(called, links=(*called.links, *sent.links))

    def _each(self, operations: Iterable[Operation]) -> CredentialUses:
        uri = self._renderer.addresses.operation
        links = tuple(CredentialUse(title=operation.title, uri=uri(operation)) for operation in operations)
        return CredentialUses(count=len(links), links=links)

    def _by_group(self, operations: Sequence[Operation]) -> CredentialUses:
        """Return operations by the group that their page belongs to; each by itself if no group has several."""
        groups: dict[str, tuple[Group, int]] = {}
        for operation in operations:
            group = self._group_of[operation.key]
            uri = self._renderer.addresses.group_of(group)
            groups[uri] = (group, groups.get(uri, (group, 0))[1] + 1)
        if len(groups) == len(operations) <= MAX_GROUPS:
            return self._each(operations)
        links = tuple(
            CredentialUse(title=group.title, uri=uri, count=count) for uri, (group, count) in groups.items()
        )
        return CredentialUses(
            count=sum(link.count for link in links), links=links[:MAX_GROUPS], rest=len(links[MAX_GROUPS:])
        )


def _provider_requests(api: Api, addresses: Addresses) -> Iterator[tuple[CredentialUse, Operation]]:
    """Yield what the provider sends: events, and callbacks with the page of their operation."""
    for webhook, operation in event_operations(api):
        use = CredentialUse(title=webhook.name, uri=addresses.event(operation))
        yield use, operation
        yield from _callback_requests(operation, use.uri)
    for operation in api.operations:
        yield from _callback_requests(operation, addresses.operation(operation))


def _callback_requests(operation: Operation, uri: str) -> Iterator[tuple[CredentialUse, Operation]]:
    for callback in operation.callbacks:
        for request in callback.operations:
            yield (
                CredentialUse(
                    title=gettext("%(part)s of %(whole)s", part=callback.name, whole=operation.title), uri=uri
                ),
                request,
            )


def _limit_uses(uses: Iterable[CredentialUse]) -> CredentialUses:
    """Return as many of the uses as there is room for, each once."""
    links = tuple(dict.fromkeys(uses))
    return CredentialUses(count=len(links), links=links[:MAX_GROUPS], rest=len(links[MAX_GROUPS:]))


def _required_scopes(operation: Operation) -> dict[str, dict[str, None]]:
    """Return the schemes that an operation accepts, each with the scopes that it then needs."""
    found: dict[str, dict[str, None]] = {}
    for requirement in operation.security:
        for use in requirement:
            found.setdefault(use.scheme, {}).update(dict.fromkeys(use.scopes or operation.scopes))
    return found


def _scheme_entries(section: SchemeSection) -> Iterator[SearchEntry]:
    """Yield what search knows of a scheme and of its scopes."""
    scheme = section.scheme
    yield SearchEntry(
        kind=SearchKind.ACCESS,
        title=f"{scheme.name}, {scheme.kind}",
        text=scheme.summary,
        anchor=scheme.anchor,
        tags=(scheme.name,),
    )
    yield from _scope_entries(section)


def _scope_entries(section: SchemeSection) -> Iterator[SearchEntry]:
    for scope in section.scopes:
        yield SearchEntry(
            kind=SearchKind.ACCESS,
            title=gettext("Scope %(name)s", name=scope.name),
            text=plain_text(scope.description, limit=160),
            anchor=scope.anchor,
            tags=(scope.name,),
        )
