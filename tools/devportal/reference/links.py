"""Resolves links in descriptions, and names of parts of the contract, to pages of the reference."""

import re
from collections.abc import Iterable
from functools import cached_property, partial
from html import escape, unescape
from urllib.parse import unquote, urljoin

from devportal.contract import Api, Operation, Schema
from devportal.contract.wording import normalise_name
from devportal.markup import href, item_markdown, line_markdown, render_markdown, safe_markdown, twin_href
from devportal.markup.urls import NO_SCHEME_OR_HOST
from devportal.project.setting_kinds import FROM_CONTRACT
from devportal.project.settings import Settings
from devportal.reference.addresses import Addresses, anchor_text, event_operations
from devportal.reference.author_site import author_site
from devportal.reference.pages.introduction import CHAPTER_PREFIX, chapters_of, introduction_of
from devportal.reference.pages.stability import GroundsPages
from devportal.reference.reference import Reference, reference_of
from devportal.reference.schema.shapes import SchemaShapes

_LINK = re.compile(
    rf'(?P<start><a [^<>]*?href="){NO_SCHEME_OR_HOST}(?P<target>[^"]*)(?P<end>"[^<>]*>)(?P<label>.*?)</a>',
    re.IGNORECASE | re.DOTALL,
)
"""A link to an anchor, or a relative one, in sanitised HTML."""
_RESOLVABLE = re.compile(rf'href="{NO_SCHEME_OR_HOST}', re.IGNORECASE)
_MAY_RESOLVE = re.compile(r"#|\](?:\(|:)\s*<?(?!https?://)|<(?:a|img)\b", re.IGNORECASE)
_OPERATION = re.compile(r"(?:tag/.+?/)?operation/(.+)")
_SCHEMA = re.compile(r"(?:/components/schemas|schemas?|model)/(.+)")
_TAG = re.compile(r"tag/(.+)")
_CHAPTER = re.compile(rf"{CHAPTER_PREFIX}(.+)")


class DescriptionLinks:
    """Resolves links in descriptions: anchors to pages, and relative addresses to the site of the author.

    Holds the pages of sources and decisions.
    """

    def __init__(self, reference: Reference, grounds: GroundsPages | None = None) -> None:
        """Take the reference, and the pages of stability grounds."""
        api, addresses = reference.api, reference.addresses
        self.reference = reference
        self.grounds = grounds or GroundsPages()
        self._overview = addresses.overview
        self._contract_links = reference.settings.contract_links
        self._author_site = author_site(api, self._contract_links)
        self._chapters = self._index_chapters(api)
        self._pointers = {
            str(operation.location): addresses.operation(operation) for operation in reversed(api.operations)
        }
        self._pointers |= {str(operation.key): addresses.operation(operation) for operation in api.operations}
        self._operations = _NameIndex(
            (operation.id, addresses.operation(operation)) for operation in api.operations
        )
        self._groups = _NameIndex((group.name, addresses.group_of(group)) for group in api.groups)
        self._schemas = _NameIndex((api.schemas[at].name, uri) for at, uri in addresses.schemas.items())

    def _index_chapters(self, api: Api) -> "_NameIndex":
        """Return the chapters of the contract's description by full path and by last segment: authors use
        both.
        """
        paths = [
            (chapter.anchor.removeprefix(CHAPTER_PREFIX), chapter.anchor)
            for chapter in chapters_of(introduction_of(api))
        ]
        paths += [(path.rpartition("/")[2], anchor) for path, anchor in paths]
        return _NameIndex((path, f"{self._overview}#{anchor}") for path, anchor in paths)

    def render_description(self, text: str, source: str, *, first_heading: int = 3) -> str:
        """Return CommonMark on the page `source` as safe HTML, with its links resolved."""
        return self.resolve_links(render_markdown(text, first_heading=first_heading), source)

    def resolve_links(self, fragment: str, source: str) -> str:
        """Return HTML with links to anchors and to the site of the author resolved; others are unchanged.

        A link for a site that is not known becomes its text and its address.
        """

        def link(match: re.Match[str]) -> str:
            target, label = unescape(match["target"]), match["label"]
            if target.startswith("#"):
                resolved: str | None = href(source, self.target(unquote(target)))
            else:
                resolved = self._author_address(target)
            if resolved is None:
                return f"{label} ({escape(target, quote=False)})" if target else label
            return f"{match['start']}{escape(resolved)}{match['end']}{label}</a>"

        return _LINK.sub(link, fragment) if has_resolvable_links(fragment) else fragment

    def markdown(self, text: str, source: str, *, first_heading: int = 3) -> str:
        """Return safe CommonMark for the twin of the page `source`, with links resolved to twins."""
        return safe_markdown(text, first_heading=first_heading, leads=partial(self._twin, source))

    def item(self, *texts: str, source: str, indent: int) -> str:
        """Return texts after the first words of a list item of a twin, as `item_markdown` does."""
        return item_markdown(*texts, indent=indent, leads=partial(self._twin, source))

    def line(self, text: str, source: str) -> str:
        """Return a text on one line of a twin, as `line_markdown` does."""
        return line_markdown(text, leads=partial(self._twin, source))

    def _author_address(self, target: str) -> str | None:
        """Return the address of a relative link; None if nothing says which site it is for.

        Which folder of the site a link such as `guide.md` starts from, only the setting can say.
        """
        site, is_guess = self._author_site, self._contract_links == FROM_CONTRACT
        if target.startswith("/"):
            return None if is_guess and not site else f"{site}{target}"
        if is_guess:
            return None
        return urljoin(f"{site}/", target) if site else target

    def _twin(self, source: str, anchor: str) -> str | None:
        if not anchor.startswith("#"):
            return self._author_address(anchor)
        return twin_href(source, self.target(unquote(anchor)).partition("#")[0])

    def target(self, anchor: str) -> str:
        """Return the uri of the page for an anchor; the overview if the anchor is unknown."""
        if anchor in self._pointers:
            return self._pointers[anchor]
        for pattern, index in (
            (_OPERATION, self._operations),
            (_TAG, self._groups),
            (_SCHEMA, self._schemas),
            (_CHAPTER, self._chapters),
        ):
            match = pattern.fullmatch(anchor[1:])
            found = index.get(match.group(1)) if match is not None else None
            if found is not None:
                return found
        return self._overview


def has_resolvable_links(fragment: str) -> bool:
    """Say whether HTML may have links that lead elsewhere on each page, or to the site of the author."""
    return "<a " in fragment and bool(_RESOLVABLE.search(fragment))


def may_have_resolvable_links(commonmark: str) -> bool:
    """Say whether CommonMark may have such links."""
    return bool(_MAY_RESOLVE.search(commonmark))


class _NameIndex:
    """The uris of the parts of one kind by name: an exact match, or else the first normalised match."""

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        self._by_name: dict[str, str] = {}
        self._by_normalised_name: dict[str, str] = {}
        for name, uri in names:
            self._by_name.setdefault(name, uri)
            self._by_normalised_name.setdefault(normalise_name(name), uri)
        self._by_normalised_name.pop("", None)

    def get(self, name: str) -> str | None:
        return self._by_name.get(name) or self._by_normalised_name.get(normalise_name(name))


_MEDIA_TYPE = re.compile(r"\([^()]*\)")
_FIRST_STEP = re.compile(r"\.?([^.\[|:]+)")
_RESPONSE = re.compile(r"response\.([^.\[|:(]+)")


class ContractPlaces:
    """The pages and anchors of the parts of one contract."""

    def __init__(self, api: Api, addresses: Addresses) -> None:
        """Take the contract, and where its parts are shown."""
        self._api = api
        self._addresses = addresses
        self._shapes = SchemaShapes(api, None)

    def uri(self, owner: str, field: str = "") -> str:
        """Return the uri of a place with its anchor; empty if no page is sure to show it.

        `owner` is `POST /v1/orders`, the name of an event, `schemas/Order`, or empty for the contract.
        """
        if not owner:
            return self._addresses.overview
        section, slash, name = owner.partition("/")
        if slash and " " not in section and owner not in self._requests:
            return self._component(section, name, field)
        found = self._requests.get(owner)
        if found is None:
            return ""
        operation, uri = found
        anchor = self._anchor(operation, _MEDIA_TYPE.sub("", field))
        return f"{uri}#{anchor_text(anchor)}" if anchor else uri

    @cached_property
    def _requests(self) -> dict[str, tuple[Operation, str]]:
        sent = {
            webhook.name: (operation, self._addresses.event(operation))
            for webhook, operation in event_operations(self._api)
        }
        return sent | {
            f"{operation.method} {operation.path}": (operation, self._addresses.operation(operation))
            for operation in self._api.operations
        }

    @cached_property
    def _schemas(self) -> dict[str, Schema]:
        return {schema.name: schema for schema in self._api.schemas.values()}

    def _component(self, section: str, name: str, field: str) -> str:
        if section == "securitySchemes" and name in self._addresses.scheme_anchors:
            return self._addresses.scheme(name)
        schema = self._schemas.get(name) if section == "schemas" else None
        uri = self._addresses.schemas.get(schema.location) if schema is not None else None
        if schema is None or uri is None:
            return ""
        member = self._member(schema, field)
        return f"{uri}#{anchor_text(member)}" if member else uri

    def _member(self, schema: Schema, field: str) -> str:
        """Return the first step of a path through a schema, if it is a property of the schema."""
        step = _FIRST_STEP.match(field)
        members = self._shapes.members(self._shapes.core(schema)) if step else ()
        return next((member.name for member in members if step and member.name == step[1]), "")

    def _anchor(self, operation: Operation, field: str) -> str:
        if any(f"{parameter.location_in}.{parameter.name}" == field for parameter in operation.parameters):
            return field
        if field.startswith("request") and operation.request_body is not None:
            return "body"
        response = _RESPONSE.match(field)
        if response and any(documented.status == response[1] for documented in operation.responses):
            return f"response.{response[1]}"
        return "authorization" if field == "security" and self._api.security_schemes else ""


def contract_places(api: Api, settings: Settings = Settings()) -> ContractPlaces:
    """Return the places of a contract on its pages."""
    return ContractPlaces(api, reference_of(api, settings).addresses)
