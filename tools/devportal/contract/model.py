"""The model `Api`: everything in a contract, without the differences between OAS versions. Nothing outside
this package reads the raw document.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from devportal.contract.path_templates import fill_placeholders
from devportal.contract.read.references import has_no_keywords, merge_ref_siblings
from devportal.contract.schemas import ABSENT, ExternalDocs, Grounds, Location, Schema, Stability
from devportal.contract.values.discriminator_values import DiscriminatorValue
from devportal.documents import Pointer


class ParameterLocation(StrEnum):
    """The location of a parameter. `QUERYSTRING` is the whole query (OAS 3.2)."""

    PATH = "path"
    QUERY = "query"
    HEADER = "header"
    COOKIE = "cookie"
    QUERYSTRING = "querystring"


IGNORED_HEADER_PARAMETERS = frozenset({"accept", "content-type", "authorization"})
"""The header parameters, in lower case, that mean nothing: media types and security describe them (OAS 3.0.3
§4.7.12.1).
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A named example. `external` is the address of a value that is not in the contract; `serialised` is
    the value as it is sent (`serializedValue` of OAS 3.2), of which `value` is then what can be read. Without
    any value, `value` is ABSENT: the example is only a text.
    """

    name: str
    value: Any = None
    serialised: str | None = None
    summary: str = ""
    description: str = ""
    external: str = ""
    hidden: tuple[Pointer, ...] = ()
    """Members of the written value that do not travel in the direction of the body; `value` is without them."""
    json_texts: tuple[Pointer, ...] = ()
    """Where the written value has a JSON text in place of an object or array; `value` has what it holds."""
    location: Location

    @property
    def has_value(self) -> bool:
        """Return whether the value is in the contract."""
        return not self.external and self.value is not ABSENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoding:
    """How one property of a form or multipart body is written, or one item, which has no name (OAS 3.2)."""

    property_name: str = ""
    content_type: str = ""
    style: str = ""
    explode: bool | None = None
    allow_reserved: bool = False
    headers: tuple["Header", ...] = ()
    encodings: tuple["Encoding", ...] = ()
    prefix_encodings: tuple["Encoding", ...] = ()
    item_encoding: "Encoding | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaType:
    """A body in one media type. `item_schema` is the schema of each item of a stream; encodings of the first
    items and of each further one came with it (OAS 3.2).
    """

    name: str
    schema: Schema | None = None
    item_schema: Schema | None = None
    examples: tuple[Example, ...] = ()
    encodings: tuple[Encoding, ...] = ()
    prefix_encodings: tuple[Encoding, ...] = ()
    item_encoding: Encoding | None = None
    stability: Stability | None = None
    grounds: Grounds | None = None
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter with its serialisation; `content` is set if it has a media type."""

    name: str
    location_in: ParameterLocation
    required: bool = False
    deprecated: bool = False
    sunset: str = ""
    renamed_from: tuple[str, ...] = ()
    """Earlier names (`x-renamed-from`)."""
    successor: str = ""
    description: str = ""
    schema: Schema | None = None
    content: MediaType | None = None
    style: str
    explode: bool
    allow_reserved: bool = False
    allow_empty: bool = False
    examples: tuple[Example, ...] = ()
    stability: Stability | None = None
    unknown_stability: str = ""
    """The level as written, if it is none that exists: then the part inherits one."""
    grounds: Grounds | None = None
    location: Location
    broken: str = ""
    """The `$ref` of the parameter as written, if it cannot be resolved: then little else is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """A header of a response or of a multipart part. Its style is always `simple` (OAS 3.0.3 §4.7.21)."""

    name: str
    required: bool = False
    deprecated: bool = False
    sunset: str = ""
    renamed_from: tuple[str, ...] = ()
    """Earlier names (`x-renamed-from`)."""
    description: str = ""
    schema: Schema | None = None
    content: MediaType | None = None
    explode: bool = False
    examples: tuple[Example, ...] = ()
    stability: Stability | None = None
    unknown_stability: str = ""
    """The level as written, if it is none that exists: then the part inherits one."""
    grounds: Grounds | None = None
    location: Location
    broken: str = ""
    """The `$ref` of the header as written, if it cannot be resolved: then little else is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestBody:
    """A request body in one or more media types."""

    required: bool = False
    description: str = ""
    content: tuple[MediaType, ...] = ()
    stability: Stability | None = None
    grounds: Grounds | None = None
    location: Location
    broken: str = ""
    """The `$ref` of the body as written, if it cannot be resolved: then little else is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerVariable:
    """A variable in a server's address; one without a default has the first of its values.

    A default can be empty. It is None for a variable without a default and without values.
    """

    name: str
    default: str | None = None
    enum: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A base address, possibly with variables in braces. Names came with OAS 3.2."""

    url: str
    name: str = ""
    description: str = ""
    variables: tuple[ServerVariable, ...] = ()
    is_sandbox: bool | None = None
    """Whether requests to it have no consequences (`x-sandbox`), None if that is not declared."""
    stability: Stability | None = None
    grounds: Grounds | None = None

    @property
    def address(self) -> str:
        """The address with each variable that has a default at it, without a trailing slash."""
        defaults = {
            variable.name: variable.default for variable in self.variables if variable.default is not None
        }
        return fill_placeholders(self.url, defaults).rstrip("/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link from a response to another operation, with values taken from this exchange.

    `target` is the location of the operation that an id or a reference names, if the contract has it.
    """

    name: str
    operation_id: str = ""
    operation_ref: str = ""
    parameters: tuple[tuple[str, Any], ...] = ()
    request_body: Any = None
    description: str = ""
    server: Server | None = None
    target: Location | None = None
    stability: Stability | None = None
    grounds: Grounds | None = None
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """The response for one status: `202`, a range such as `4XX`, or `default`. Summaries came with OAS 3.2."""

    status: str
    summary: str = ""
    description: str = ""
    headers: tuple[Header, ...] = ()
    content: tuple[MediaType, ...] = ()
    links: tuple[Link, ...] = ()
    stability: Stability | None = None
    grounds: Grounds | None = None
    location: Location
    broken: str = ""
    """The `$ref` of the response as written, if it cannot be resolved: then little else is known."""

    @property
    def is_success(self) -> bool:
        """Say whether the status is in the 2xx class."""
        return self.status.startswith("2")


@dataclass(frozen=True, slots=True, kw_only=True)
class RequiredScheme:
    """One security scheme that a request must satisfy, with the scopes or roles it needs."""

    scheme: str
    scopes: tuple[str, ...] = ()


Requirement = tuple[RequiredScheme, ...]
"""Schemes that apply together; the empty tuple means that no credential is needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeSample:
    """A code sample that the contract itself brings (`x-codeSamples`)."""

    language: str
    label: str
    source: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class MockHint:
    """What a mock returns for an operation, whatever is asked (`x-mock`): a status, empty for any, and an example
    of the contract by its name, empty for any.
    """

    code: str = ""
    example: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Callback:
    """Requests that the provider sends because of an operation, to an address from a runtime expression."""

    name: str
    expression: str
    operations: tuple["Operation", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method of one path, or the request of a webhook or callback.

    `id` is the operationId, or one generated from method and path (see `id_is_declared`). `title` is never
    empty: the summary, or a name made from the id or from method and path. Operations inherit servers and
    security from the root of the contract. Webhooks and callbacks do not: they declare their own, or have
    none.
    """

    id: str
    id_is_declared: bool
    method: str
    path: str
    title: str
    summary: str = ""
    description: str = ""
    path_description: str = ""
    """The texts of its path item, with which `description` ends unless they repeat the title."""
    tags: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    request_body: RequestBody | None = None
    responses: tuple[Response, ...] = ()
    callbacks: tuple[Callback, ...] = ()
    security: tuple[Requirement, ...] = ()
    security_is_declared: bool = False
    """Whether the operation says itself what it requires; else it is what the contract's root says."""
    scopes: tuple[str, ...] = ()
    """Scopes that a token needs where its scheme cannot carry them (`x-scopes`, decision 0002)."""
    servers: tuple[Server, ...] = ()
    deprecated: bool = False
    sunset: str = ""
    renamed_from: tuple[str, ...] = ()
    """Earlier operationIds, or methods and paths such as `GET /v1/orders` (`x-renamed-from`)."""
    successor: str = ""
    """What takes the place of a deprecated operation: the id of another one, or else as written."""
    stability: Stability = Stability.STABLE
    unknown_stability: str = ""
    """The level as written, if it is none that exists: then the part inherits one."""
    stability_is_declared: bool = False
    grounds: Grounds | None = None
    external_docs: ExternalDocs | None = None
    code_samples: tuple[CodeSample, ...] = ()
    mock_hint: MockHint | None = field(default=None, compare=False)
    """What a mock of the contract returns (`x-mock`), None if it decides itself."""
    location: Location
    """The location of the operation object."""
    key: Location
    """The location under its own path, or under the name of its event or callback. Operations of a shared
    path item have the same `location`, but different keys.
    """

    @property
    def request_content(self) -> tuple[MediaType, ...]:
        """The media types of the request body, none without a request body."""
        return self.request_body.content if self.request_body is not None else ()

    @property
    def successes(self) -> tuple[Response, ...]:
        """The responses in the 2xx class."""
        return tuple(response for response in self.responses if response.is_success)


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """An event that the provider sends to a receiver: `webhooks` in 3.1, `x-webhooks` in 3.0."""

    name: str
    operations: tuple[Operation, ...] = ()
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A tag as the contract declares it. `summary`, `parent` and `kind` came with OAS 3.2; a parent is
    always a declared tag, and never below its child.
    """

    name: str
    title: str
    summary: str = ""
    description: str = ""
    parent: str = ""
    kind: str = ""
    external_docs: ExternalDocs | None = None
    stability: Stability | None = None
    grounds: Grounds | None = None

    @property
    def is_navigation(self) -> bool:
        """Say whether operations are grouped by it; one of another kind, such as `badge` or `audience`, is
        a word at each of its operations (OAS 3.2.0 §4.22).
        """
        return self.kind in ("", "nav")


@dataclass(frozen=True, slots=True, kw_only=True)
class TagGroup:
    """Tags that belong together: of `x-tagGroups`, or a tag with all below it (OAS 3.2).

    The last one may have no name and no title: it holds the tags that no other group lists.
    """

    name: str
    title: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Operations that belong on one page: those of a tag, or of a path segment if there are no tags."""

    name: str
    title: str
    description: str = ""
    external_docs: ExternalDocs | None = None
    operations: tuple[Operation, ...] = ()
    is_tag: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class OAuthFlow:
    """One OAuth 2 flow with the scopes it can grant. The device flow came with OAS 3.2."""

    kind: str
    authorization_url: str = ""
    device_authorization_url: str = ""
    token_url: str = ""
    refresh_url: str = ""
    scopes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SecurityScheme:
    """An authentication scheme. `carrier` is the location of an API key, `parameter` its name."""

    name: str
    kind: str
    description: str = ""
    carrier: str = ""
    parameter: str = ""
    scheme: str = ""
    bearer_format: str = ""
    flows: tuple[OAuthFlow, ...] = ()
    openid_url: str = ""
    oauth_metadata_url: str = ""
    deprecated: bool = False
    sunset: str = ""
    scopes: tuple[tuple[str, str], ...] = ()
    """Scopes with their meanings that a token of a scheme without flows can carry (`x-scopes`)."""
    stability: Stability | None = None
    grounds: Grounds | None = None
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemType:
    """A problem type of the registry `x-problem-types` (RFC 9457 §3.1.1): its URI, title and status,
    when it occurs, and what the caller does about it."""

    uri: str
    title: str
    status: int
    description: str = ""
    resolution: str = ""
    stability: Stability | None = None
    grounds: Grounds | None = None
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class UnusedComponent:
    """A component that nothing refers to, with a digest of what is written there."""

    section: str
    name: str
    digest: str
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """A whole contract. `schemas` holds every schema that a reference leads to, by location."""

    openapi: str
    title: str
    version: str
    language: str = ""
    """The language of its texts (`x-language`, BCP 47); empty if it is not declared."""
    dialect: str = ""
    """The dialect of schemas that say none themselves (`jsonSchemaDialect`); empty for the OAS's own."""
    summary: str = ""
    description: str = ""
    terms_of_service: str = ""
    contact: tuple[tuple[str, str], ...] = ()
    license: tuple[tuple[str, str], ...] = ()
    external_docs: ExternalDocs | None = None
    servers: tuple[Server, ...] = ()
    security: tuple[Requirement, ...] = ()
    """The requirements of operations that declare none themselves; they are already filled in there."""
    tags: tuple[Tag, ...] = ()
    tag_groups: tuple[TagGroup, ...] = ()
    """A second level above the tags; empty if the contract has none. Else each tag is in exactly one."""
    groups: tuple[Group, ...] = ()
    operations: tuple[Operation, ...] = ()
    webhooks: tuple[Webhook, ...] = ()
    schemas: Mapping[Location, Schema] = field(default_factory=dict)
    copies: Mapping[Location, Location] = field(default_factory=dict, repr=False, compare=False)
    """The originals of schemas that are copies with other dynamic references, by location."""
    security_schemes: tuple[SecurityScheme, ...] = ()
    component_names: frozenset[tuple[str, str]] = field(default=frozenset(), repr=False, compare=False)
    """Section and name of each component, but schemas and security schemes."""
    unused_components: tuple[UnusedComponent, ...] = field(default=(), repr=False, compare=False)
    """What no reference leads to, but schemas and security schemes."""
    problem_types: tuple[ProblemType, ...] = ()
    plugins: tuple[str, ...] = ()
    """The plug-ins that the contract names, as they are written there."""
    is_marked: bool = field(default=False, compare=False)
    """Whether some part may say how stable it is; where not, none does."""
    has_read_only: bool = field(default=True, compare=False)
    """Whether some schema may be `readOnly`."""
    has_write_only: bool = field(default=True, compare=False)
    """Whether some schema may be `writeOnly`."""
    marks: Mapping[Location, DiscriminatorValue] = field(default_factory=dict, repr=False, compare=False)
    """The discriminator value that selects each schema, derived from `schemas`."""
    text_digests: Mapping[Location, str] = field(default_factory=dict, repr=False, compare=False)
    """A digest of the text of each component, and of each schema in another file, as it is written:
    references in it are not followed.
    """

    def badges(self, operation: Operation) -> tuple[Tag, ...]:
        """Return the tags of an operation that are not groups, in the order declared."""
        return tuple(tag for tag in self.tags if not tag.is_navigation and tag.name in operation.tags)

    def resolve(self, schema: Schema) -> Schema:
        """Return the schema at the end of a chain of references, merged with the siblings of the references;
        a schema without a reference itself.

        A broken or circular chain returns its last reference, which the reader has reported.
        """
        if schema.ref is None:  # as most schemas
            return schema
        seen = set()
        siblings: list[Schema] = []
        while schema.ref is not None and schema.ref not in seen and schema.ref in self.schemas:
            seen.add(schema.ref)
            if not has_no_keywords(schema):
                siblings.append(schema)
            schema = self.schemas[schema.ref]
        for sibling in reversed(siblings):
            schema = merge_ref_siblings(schema, sibling)
        return schema
