"""`docs.json` of a site as data: operations, events and schemas with their proof, and releases.

`docs/toolkit/commands/docs.md` describes the file. It is untrusted: what has another shape is an error.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn
from urllib.parse import urlsplit

from devportal.docs.site_source import SiteSource, safe_uri
from devportal.errors import InvalidSettings, UnreadableInput
from devportal.markup import url_of
from devportal.site.search.index import API_FOLDERS

DOCS_JSON = "docs.json"
FORMAT = 1
FORMAT_OF_SEVERAL = 2
"""The format of the file of a site with several APIs, which names the file of each."""
_API_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """The result of an operation in the newest conformance run of a deployment.

    `result` is `passed`, `failed` or `doubtful`; `text` says it in words; `page` is a uri that may have an anchor.
    """

    deployment: str
    date: str
    result: str
    text: str
    page: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentedOperation:
    """An operation or event of the site. `name` is `POST /v1/orders` or the name of the event."""

    name: str
    operation_id: str
    title: str
    page: str
    stability: str
    deprecated: bool
    sunset: str
    since: str
    """The version that added it, `next` if none has it yet; empty if the site does not say it."""
    is_event: bool
    verified: tuple[Verification, ...] = ()
    api: str = ""
    """The name of its API, in a site of several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentedSchema:
    """A shared schema that has a page. `since` is as of an operation; none is tested by itself."""

    name: str
    page: str
    stability: str
    deprecated: bool
    since: str
    sunset: str = ""
    verified: tuple[Verification, ...] = ()
    api: str = ""
    """As of an operation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentedRelease:
    """A release; `date` is an ISO 8601 day, empty if it is not on record."""

    version: str
    date: str
    api: str = ""
    """As of an operation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentedApi:
    """One of several APIs of a site: its name and title, and the uris of its records and its contract."""

    name: str
    title: str
    docs: str
    contract: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteRecords:
    """What a site says about its operations, schemas and releases; `apis` are several, if it has them."""

    title: str = ""
    version: str = ""
    site_url: str = ""
    operations: tuple[DocumentedOperation, ...] = ()
    schemas: tuple[DocumentedSchema, ...] = ()
    releases: tuple[DocumentedRelease, ...] = ()
    apis: tuple[DocumentedApi, ...] = ()

    def of_api(self, name: str) -> "SiteRecords":
        """Return the records of one of several APIs; all without a name. Raises InvalidSettings for an unknown one."""
        if not name:
            return self
        names = [api.name for api in self.apis]
        if name not in names:
            raise InvalidSettings(
                f"the site has no API {name!r}",
                help=f"its APIs are {', '.join(names)}" if names else "it has one: name none",
            )
        return replace(
            self,
            operations=tuple(operation for operation in self.operations if operation.api == name),
            schemas=tuple(schema for schema in self.schemas if schema.api == name),
            releases=tuple(release for release in self.releases if release.api == name),
        )

    def api_at(self, address: str) -> str:
        """Return the title of the API that an address below the root belongs to; empty if it is of none."""
        return next(
            (api.title for api in self.apis if _is_below(address, api.name)),
            "",
        )

    def address_filter(self, name: str) -> Callable[[str], bool]:
        """Return what says whether an address below the root is of the API that these are the records of.

        A page of a schema that several APIs share is of each of them.
        """
        shared = frozenset(url_of(schema.page) for schema in self.schemas)
        return lambda address: _is_below(address, name) or address.partition("#")[0] in shared

    def address(self, uri: str) -> str:
        """Return the absolute address of a page, with its anchor; that below the root if the site's is unknown."""
        path, hash_mark, anchor = uri.partition("#")
        return f"{self.site_url or './'}{url_of(path)}{hash_mark}{anchor}"

    def at(self, uri: str) -> DocumentedOperation | None:
        """Return the operation or event of a page."""
        return next((operation for operation in self.operations if operation.page == uri), None)


def _is_below(address: str, api: str) -> bool:
    """Return whether an address is in a folder of an API."""
    return any(address.startswith(f"{folder}/{api}/") for folder in API_FOLDERS)


def read_records(source: SiteSource) -> SiteRecords:
    """Return the records of a site; empty ones if it has none. Raises UnreadableInput."""
    text = source.read(DOCS_JSON)
    if text is None:
        return SiteRecords(site_url=source.base_url)
    root = _Node(parse_json(text, DOCS_JSON), "")
    several = isinstance(root.data, dict) and root.data.get("format") == FORMAT_OF_SEVERAL
    records = _records_of_several(source, root) if several else parse_records(text)
    return records if records.site_url else replace(records, site_url=source.base_url)


def _records_of_several(source: SiteSource, root: "_Node") -> SiteRecords:
    """Return the records of all APIs of a site together. Raises UnreadableInput."""
    apis = tuple(
        DocumentedApi(
            name=node.text("api"),
            title=node.text("title"),
            docs=node.uri("docs"),
            contract=node.uri("contract"),
        )
        for node in root.items("apis")
    )
    merged = SiteRecords(title=root.text("title"), site_url=_site_url(root.text("site_url")), apis=apis)
    for api in apis:
        text = source.read(api.docs) if _API_NAME.fullmatch(api.name) else None
        if text is None:
            raise UnreadableInput(
                f"{source.name} has no {api.docs}, which its {DOCS_JSON} names", help="build the site again"
            )
        own = parse_records(text)
        merged = replace(
            merged,
            operations=(
                *merged.operations,
                *(replace(operation, api=api.name) for operation in own.operations),
            ),
            schemas=(*merged.schemas, *(replace(schema, api=api.name) for schema in own.schemas)),
            releases=(*merged.releases, *(replace(release, api=api.name) for release in own.releases)),
        )
    return merged


def parse_json(text: str, name: str) -> Any:
    """Return the data of a JSON file of a site. Raises UnreadableInput."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableInput(f"{name} of the site is not JSON: {error}") from error


def parse_records(text: str) -> SiteRecords:
    """Return what `docs.json` says. Raises UnreadableInput if it has another shape."""
    root = _Node(parse_json(text, DOCS_JSON), "")
    form = root.data.get("format") if isinstance(root.data, dict) else None
    if form != FORMAT:
        raise UnreadableInput(
            f"{DOCS_JSON} of the site has the format {str(form)[:40]!r}, and this version reads {FORMAT}",
            help="use the version of devportal that built the site",
        )
    operations = [_operation(node, is_event=False) for node in root.items("operations")]
    operations += [_operation(node, is_event=True) for node in root.items("events")]
    return SiteRecords(
        title=root.text("title"),
        version=root.text("version"),
        site_url=_site_url(root.text("site_url")),
        operations=tuple(operations),
        schemas=tuple(
            DocumentedSchema(
                name=node.text("schema"),
                page=node.uri("page"),
                stability=node.text("stability"),
                deprecated=node.flag("deprecated"),
                since=node.text("since"),
            )
            for node in root.items("schemas")
        ),
        releases=tuple(
            DocumentedRelease(version=node.text("version"), date=node.text("date"))
            for node in root.items("releases")
        ),
    )


def _operation(node: "_Node", *, is_event: bool) -> DocumentedOperation:
    return DocumentedOperation(
        name=node.text("event" if is_event else "operation"),
        operation_id=node.text("operation_id"),
        title=node.text("title"),
        page=node.uri("page"),
        stability=node.text("stability"),
        deprecated=node.flag("deprecated"),
        sunset=node.text("sunset"),
        since=node.text("since"),
        is_event=is_event,
        verified=tuple(
            Verification(
                deployment=value.text("deployment"),
                date=value.text("date"),
                result=value.text("result"),
                text=value.text("text"),
                page=value.uri("page"),
            )
            for value in node.items("verified")
        ),
    )


def _site_url(text: str) -> str:
    """Return the address of the site; empty if it is none that a browser opens."""
    try:
        is_web = urlsplit(text).scheme in ("http", "https") and bool(urlsplit(text).hostname)
    except ValueError:
        is_web = False
    return f"{text.rstrip('/')}/" if is_web else ""


@dataclass(frozen=True, slots=True)
class _Node:
    """A value in the file, with its path for messages. Members that are null or not there are empty."""

    data: Any
    path: str

    def items(self, key: str) -> Iterator["_Node"]:
        value = self.object().get(key)
        if value is not None and not isinstance(value, list):
            self._refuse(key, "an array")
        for number, member in enumerate(value or ()):
            yield _Node(member, f"{self._path(key)}[{number}]")

    def object(self) -> Mapping[str, Any]:
        if not isinstance(self.data, dict):
            raise UnreadableInput(f"{DOCS_JSON} of the site: {self.path or 'the file'} is not an object")
        return self.data

    def text(self, key: str) -> str:
        value = self.object().get(key)
        if value is not None and not isinstance(value, str):
            self._refuse(key, "a text")
        return value or ""

    def flag(self, key: str) -> bool:
        value = self.object().get(key, False)
        if not isinstance(value, bool):
            self._refuse(key, "a boolean")
        return bool(value)

    def uri(self, key: str) -> str:
        value = self.text(key)
        safe_uri(value.partition("#")[0])
        return value

    def _path(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def _refuse(self, key: str, kind: str) -> NoReturn:
        raise UnreadableInput(f"{DOCS_JSON} of the site: {self._path(key)} is not {kind}")
