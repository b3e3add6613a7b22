"""The addresses of the parts of a contract: page URIs, anchors and files, unique and stable."""

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from operator import attrgetter
from unicodedata import category, name, normalize

from devportal.contract import Api, Group, Location, Operation, ProblemType, Schema, Webhook
from devportal.contract.keywords import KEYWORDS
from devportal.contract.wording import split_camel_case
from devportal.language import is_of_word
from devportal.project.settings import SharedSchema
from devportal.reference.schema.shapes import has_rules
from devportal.translation import gettext_noop

TAB_PREFIX = "__tab."
"""What the ids of tabs begin with, which templates number themselves: no anchor does."""


def anchor_text(text: str) -> str:
    """Return text as an id: white space, which an id cannot hold (HTML §3.2.6), becomes a dash."""
    return "-".join(text.split()) or "x"


class Anchors:
    """Hands out the ids of one page; a second one of the same text gets a number."""

    def __init__(self, *reserved: str) -> None:
        """Take the ids that the page has in any case."""
        self._taken = set(reserved)
        self._next: dict[str, int] = {}
        self._shown: set[str] = set()
        self.numbered = 0
        """How many ids have got a number."""

    def take(self, wanted: str) -> str:
        """Return an id that nothing else on the page has."""
        base = anchor_text(wanted)
        base = f"x{base}" if base.startswith(TAB_PREFIX) else base
        if base not in self._taken:
            self._taken.add(base)
            return base
        number = self._next.get(base, 1) + 1
        while (anchor := f"{base}-{number}") in self._taken:
            number += 1
        self.numbered += 1
        self._next[base] = number
        self._taken.add(anchor)
        return anchor

    def take_together(self, ids: Set[str]) -> bool:
        """Take ids of which none needs a number, or none of them where the page has one already. Say which."""
        if not self._taken.isdisjoint(ids):
            return False
        self._taken |= ids
        return True

    def is_new(self, uri: str) -> bool:
        """Say whether this is the first call with this `uri` on this page."""
        is_new = uri not in self._shown
        self._shown.add(uri)
        return is_new


OVERVIEW_SECTIONS = ("servers", "authentication", "operations", "events", "topics", "more", "contact")
"""The sections of the overview, by their anchors."""
PUBLIC_SCOPE = "public"
"""The section of the page of authentication on what needs no credential, by its anchor."""
_SYMBOLS = frozenset({"Sc", "Sk", "Sm", "So"})
MAX_SLUG_BYTES = 160
"""The longest part of an address, in bytes of UTF-8: file systems allow 255 for a name with its ending."""


_DEVICE = re.compile("con|prn|aux|nul|(?:com|lpt)[0-9¹²³]")


def slug(text: str) -> str:
    """Return text as a part of an address: `createOrder` → `create-order`, `issues/lock` → `issues-lock`.

    Letters of every script are kept, with the marks on them. Of text without any letter or digit, symbols
    become their names in Unicode: `📦` is `package`. If there is none, `x` is left. What Windows calls a
    device in every folder is not a name of a file there: `AUX` is `x-aux`.
    """
    spelled = normalize("NFC", text.replace("İ", "i"))
    if not any(map(str.isalnum, spelled)):
        spelled = " ".join(
            name(character, "")
            for character in spelled
            if not character.isascii() and category(character) in _SYMBOLS
        )
    words = _to_dashes(split_camel_case(spelled, "-"))
    short = words[:80].encode()[:MAX_SLUG_BYTES].decode(errors="ignore")
    part = short.rstrip("-") or "x"
    return f"x-{part}" if _DEVICE.fullmatch(part) else part


def _to_dashes(text: str) -> str:
    kept = "".join(character if is_of_word(character) else "-" for character in text)
    return re.sub("-+", "-", kept).strip("-").lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Addresses:
    """The uris of the pages of one contract, by the parts they show."""

    folder: str
    """The folder of the pages, that of the overview apart, which may be elsewhere."""
    overview: str
    authentication: str
    errors: str
    schemas_index: str
    stability: str
    groups: dict[str, str] = field(repr=False)
    operations: dict[Location, str] = field(repr=False)
    schemas: dict[Location, str] = field(repr=False)
    problems: dict[str, str] = field(repr=False)
    events: dict[Location, str] = field(repr=False)
    events_folder: str
    """The folder of the pages of events."""
    group_anchors: dict[str, str] = field(repr=False)
    scheme_anchors: dict[str, str] = field(repr=False)

    def group_of(self, group: Group) -> str:
        """Return the uri of a group's page."""
        return self.groups[group_key(group)]

    def operation(self, operation: Operation) -> str:
        """Return the uri of an operation's page; operations of callbacks have none."""
        return self.operations[operation.key]

    def event(self, operation: Operation) -> str:
        """Return the uri of the page of a request of a webhook."""
        return self.events[operation.key]

    def scheme(self, name: str) -> str:
        """Return where a security scheme is described; for a name that nothing declares, the page of all."""
        anchor = self.scheme_anchors.get(name)
        return f"{self.authentication}#{anchor}" if anchor else self.authentication

    def schema(self, schema: Schema) -> str | None:
        """Return the uri of the page of the shared schema that a reference points to, if it has one."""
        if schema.ref is None or schema.location in self.schemas:
            return self.schemas.get(schema.location)
        return self.schemas.get(schema.ref)


def addresses_of(
    api: Api,
    *,
    folder: str = "reference",
    overview: str = "reference/index.md",
    shared: Iterable[SharedSchema] = (),
) -> Addresses:
    """Return the addresses of all parts below `folder`; `overview` is the page of the whole.

    The schemas `shared` with other APIs have their page elsewhere.
    """
    elsewhere = {Location(*shared_schema.location): shared_schema.uri for shared_schema in shared}
    authentication, stability = f"{folder}/authentication.md", f"{folder}/stability.md"
    errors, schemas, events = (f"{folder}/{name}" for name in ("errors", "schemas", _events_folder(api)))
    sections = (schemas, errors, *([events] if event_operations(api) else []))
    uris = _PageUris(
        overview,
        authentication,
        *([stability] if api.is_marked else []),
        *(f"{section}/index.md" for section in sections),
    )
    groups = {group_key(group): uris.take(folder, group.name, index=True) for group in api.groups}
    operations: dict[Location, str] = {}
    for group in api.groups:
        parent = groups[group_key(group)].removesuffix("/index.md")
        for operation in group.operations:
            if operation.key not in operations:
                operations[operation.key] = uris.take(parent, operation.id)
    anchors, scheme_anchors = Anchors(*OVERVIEW_SECTIONS), Anchors(PUBLIC_SCOPE)
    return Addresses(
        folder=folder,
        overview=overview,
        authentication=authentication,
        errors=f"{errors}/index.md",
        schemas_index=f"{schemas}/index.md",
        stability=stability,
        groups=groups,
        operations=operations,
        schemas={
            schema.location: elsewhere.get(schema.location) or uris.take(schemas, schema.name)
            for schema in shared_schemas(api)
        },
        problems={
            problem_type.uri: uris.take(errors, problem_slug(problem_type))
            for problem_type in problem_types(api)
        },
        events={
            operation.key: uris.take(events, _event_name(webhook, operation))
            for webhook, operation in event_operations(api)
        },
        events_folder=events,
        group_anchors={group_key(group): anchors.take(f"group.{group.name}") for group in api.groups},
        scheme_anchors={
            security_scheme.name: scheme_anchors.take(f"security.{security_scheme.name}")
            for security_scheme in api.security_schemes
        },
    )


class _PageUris:
    """Hands out the uris of pages; a second one of the same name in a folder gets a number."""

    def __init__(self, *reserved: str) -> None:
        self._taken = set(reserved)

    def take(self, folder: str, name: str, *, index: bool = False) -> str:
        """Return a uri that no other page has, as a file in a folder or as the index of a folder in it."""
        base = f"{folder}/{slug(name)}"
        stem, number = base, 1
        while f"{stem}.md" in self._taken or f"{stem}/index.md" in self._taken:
            number += 1
            stem = f"{base}-{number}"
        uri = f"{stem}/index.md" if index else f"{stem}.md"
        self._taken.add(uri)
        return uri


_EVENTS_FOLDERS = ("events", "webhooks", "event-notifications")
"""What the folder of events may be called, the first that no group is called."""


def _events_folder(api: Api) -> str:
    """Return the name of the folder of events: a group that is called so keeps its name."""
    taken = {slug(group.name) for group in api.groups}
    return next((name for name in _EVENTS_FOLDERS if name not in taken), _EVENTS_FOLDERS[0])


def group_key(group: Group) -> str:
    """Return the unique key of a group: a tag may have the name of a path segment."""
    return group.name if group.is_tag else f"/{group.name}"


_page_values = attrgetter(*sorted({row.model_field for row in KEYWORDS if row.has_page}))


def shared_schemas(api: Api) -> Iterable[Schema]:
    """Return the schemas that have their own page: named ones that show more than a plain type."""
    for schema in api.schemas.values():
        shows_more = any(_page_values(schema)) if schema.ref is None else has_rules(schema)
        if schema.name and shows_more:
            yield schema


def event_operations(api: Api) -> tuple[tuple[Webhook, Operation], ...]:
    """Return the requests that the provider sends, each with its webhook."""
    return tuple((webhook, operation) for webhook in api.webhooks for operation in webhook.operations)


def _event_name(webhook: Webhook, operation: Operation) -> str:
    """Return the event's name; the requests after the first have their method in it."""
    return webhook.name if operation is webhook.operations[0] else f"{webhook.name} {operation.method}"


def has_authentication(api: Api) -> bool:
    """Say whether there is a page of authentication: also for operations that need no credential."""
    asks = any(operation.security for _, operation in event_operations(api))
    return bool(api.operations or api.security_schemes or asks)


def problem_types(api: Api) -> tuple[ProblemType, ...]:
    """Return the problem types, each URI once: the last one wins."""
    return tuple({problem_type.uri: problem_type for problem_type in api.problem_types}.values())


def problem_slug(problem: ProblemType) -> str:
    """Return the last segment of a problem type's URI, or its title where that says nothing."""
    last = problem.uri.rstrip("/").rsplit("/", 1)[-1].rsplit("#", 1)[-1]
    return last or problem.title


OPENAPI_YAML = "openapi.yaml"
OPENAPI_JSON = "openapi.json"
POSTMAN = "postman_collection.json"
APIS = "reference/index.md"
"""The page of all APIs of a portal of several."""
SHARED_SCHEMAS = "reference/schemas/index.md"
"""The list of the schemas that several APIs have in common; their pages are below its folder."""
API_CATALOG = ".well-known/api-catalog"
SKILLS_INDEX = ".well-known/agent-skills/index.json"
DOCS_JSON = "docs.json"
"""The pages of operations with their stability, history and test results, and the changes, for programs."""
LLMS = "llms.txt"
LLMS_FULL = "llms-full.txt"
LLMS_SECTIONS = "llms"
"""The folder of the sections of `llms.txt` that have their own files."""

Downloads = tuple[tuple[str, str], ...]
"""What the overview offers: label and uri."""


def downloads_in(folder: str) -> Downloads:
    """Return those of the present contract, which lies in a folder: with `/` at its end, or empty for the root."""
    return (
        (gettext_noop("OpenAPI (YAML)"), f"{folder}{OPENAPI_YAML}"),
        (gettext_noop("OpenAPI (JSON)"), f"{folder}{OPENAPI_JSON}"),
        (gettext_noop("Postman collection"), f"{folder}{POSTMAN}"),
        ("llms.txt", LLMS),
    )


DOWNLOADS: Downloads = downloads_in("")
"""Those of the only contract of a site."""
