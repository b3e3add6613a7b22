"""The extensions (`x-…`) that the reader knows: where each is allowed, and its effect."""

from collections.abc import Mapping
from dataclasses import dataclass

from devportal.contract.read.lifecycle_extensions import SUCCESSOR_KEYS


@dataclass(frozen=True, slots=True, kw_only=True)
class Extension:
    """An extension in all spellings that are in use, the usual one first; `effect` is Markdown.

    `kinds` are those of the objects in which it has an effect (`oas_objects`), and `where` says more exactly which of
    them. None stands for all objects.
    """

    names: tuple[str, ...]
    kinds: frozenset[str] | None
    where: str
    effect: str


_ROOT = frozenset({"document"})
_INFO = frozenset({"info"})
_OPERATION = frozenset({"operation"})
_ANY_OPERATION = _OPERATION | {"sent operation"}
_SCHEMA = frozenset({"schema"})
_TAG = frozenset({"tag"})
_WITH_STABILITY = _ANY_OPERATION | _SCHEMA | _TAG | {
    "path item", "event", "parameter", "header", "media type", "request body", "response", "link",
    "security scheme", "part", "server",
}  # fmt: skip
_PARTS_WITH_STABILITY = (
    "path item, operation, event, schema, field, parameter, header, body, media type, response, link, "
    "security scheme, problem type, tag, server"
)

EXTENSIONS = (
    Extension(
        names=("x-language",),
        kinds=_INFO,
        where="`info`",
        effect="The language of the contract's texts as a tag (BCP 47), such as `ja` or `pt-BR`: pages mark "
        "these texts with it. It is the language of the site too, unless the setting `language` says "
        "another. `devportal check` reports what is not a language tag.",
    ),
    Extension(
        names=("x-logo",),
        kinds=_INFO,
        where="`info`",
        effect="The logo and favicon of a site that sets none: the `url` of its mapping is an image below the "
        "folder of the contract (SVG, PNG, JPEG, GIF, WebP, up to 512 kB) or a `data:` address. Pages load "
        "nothing from other hosts, so in place of another image the site shows initials of its name.",
    ),
    Extension(
        names=("x-stability-level",),
        kinds=_WITH_STABILITY,
        where=_PARTS_WITH_STABILITY,
        effect="A badge: `stable`, `beta`, `alpha` or `draft`. Conformance gates on `stable`, and the differ "
        "calls no change of another part breaking.",
    ),
    Extension(
        names=("x-beta-keywords", "x-beta-values"),
        kinds=_SCHEMA,
        where="schema",
        effect="A badge `beta` at these of its keywords, such as `maxLength`, or at these values of its "
        "`enum`.",
    ),
    Extension(
        names=("x-source", "x-decision"),
        kinds=_WITH_STABILITY,
        where=_PARTS_WITH_STABILITY,
        effect="Where the part is documented, and which record proposes it. Each is a text or a list of "
        "texts. The settings `sources` and `decisions` turn them into links, and `devportal check` "
        "reports broken ones.",
    ),
    Extension(
        names=("x-sunset",),
        kinds=_ANY_OPERATION | _SCHEMA | {"parameter", "header", "security scheme"},
        where="operation, event, schema, field, parameter, header or security scheme that is `deprecated`",
        effect="The day it stops working, next to the badge.",
    ),
    Extension(
        names=SUCCESSOR_KEYS,
        kinds=_ANY_OPERATION | {"parameter"},
        where="operation, parameter",
        effect="A link to what takes its place.",
    ),
    Extension(
        names=("x-renamed-from",),
        kinds=_ANY_OPERATION | _SCHEMA | {"parameter", "header"},
        where="operation, parameter, header, property, shared schema",
        effect="Its earlier name, or a list of them: `devportal diff` then calls the part renamed. An operation "
        "names its earlier operationId, or method and path such as `GET /v1/orders`. If there are releases, old "
        "links to its page lead to the new one.",
    ),
    Extension(
        names=("x-internal",),
        kinds=None,
        where="anything",
        effect="`true`: left out of the site and of every file for programs, with everything that "
        "only it refers to. Links, successors and scopes that name it are removed too, and texts "
        "that name it literally are reported.",
    ),
    Extension(
        names=("x-audience",),
        kinds=None,
        where="anything",
        effect="The audience that the part is for, or a list of them: for the [audiences](audiences.md) of the "
        "project that it does not name, the part is `x-internal`. A project without audiences shows it, and "
        "`devportal check` warns of that.",
    ),
    Extension(
        names=("x-enumDescriptions", "x-enum-descriptions"),
        kinds=_SCHEMA,
        where="schema with an `enum`",
        effect="What each value means.",
    ),
    Extension(
        names=("x-enum-varnames", "x-enumNames", "x-enum-names"),
        kinds=_SCHEMA,
        where="schema with an `enum`",
        effect="What each value is called in code.",
    ),
    Extension(
        names=("x-extensible-enum",),
        kinds=_SCHEMA,
        where="schema",
        effect="Values of a set that may grow: they are listed, and a new one breaks nothing.",
    ),
    Extension(
        names=("x-unit",), kinds=_SCHEMA, where="schema", effect="The unit of a number, shown after its type."
    ),
    Extension(
        names=("x-state-machine",),
        kinds=_SCHEMA,
        where="shared schema with an `enum`",
        effect="How the values follow each other: a drawing and a table on the page of the schema.",
    ),
    Extension(
        names=("x-problem-types",),
        kinds=_ROOT,
        where="the root",
        effect="A page for each problem type.",
    ),
    Extension(
        names=("x-devportal-plugins",),
        kinds=_ROOT,
        where="the root",
        effect="A list of [plug-ins](plugins.md#list-it): `devportal conformance` runs their checks "
        "even if the settings do not list them, and pages of the portal can use their inserts.",
    ),
    Extension(
        names=("x-scopes",),
        kinds=_ANY_OPERATION | {"security scheme"},
        where="operation, HTTP scheme",
        effect="Scopes of bearer tokens, for which OpenAPI 3.0 has no words.",
    ),
    Extension(
        names=("x-required-scopes",),
        kinds=_ANY_OPERATION,
        where="operation",
        effect="The same as `x-scopes` of an operation.",
    ),
    Extension(
        names=("x-webhooks",),
        kinds=_ROOT,
        where="the root, in OpenAPI 3.0",
        effect="Events, as `webhooks` in 3.1.",
    ),
    Extension(
        names=("x-tagGroups",),
        kinds=_ROOT,
        where="the root",
        effect="A second level in the left column and on the overview. In OpenAPI 3.2 the `parent` of tags "
        "says the same, and a tag of another `kind` than `nav` is a badge at its operations.",
    ),
    Extension(
        names=("x-displayName",), kinds=_TAG, where="tag", effect="The title of a tag, in place of its name."
    ),
    Extension(
        names=("x-codeSamples", "x-code-samples"),
        kinds=_OPERATION,
        where="operation",
        effect="Your samples, before the generated ones. The setting `contract_samples` makes them replace those. "
        "The choice of a server reaches samples that name the first server.",
    ),
    Extension(
        names=("x-mock",),
        kinds=_OPERATION,
        where="operation",
        effect="What `devportal mock` returns for it: `code`, a documented status, and `example`, the name of an "
        "example. A request can ask for another one with `Prefer`.",
    ),
    Extension(
        names=("x-sandbox",),
        kinds=frozenset({"server"}),
        where="server",
        effect="Whether nothing that is sent to it has consequences. Where it is left out, the address and "
        "the description of the server decide.",
    ),
)
EXTENSION_BY_NAME: Mapping[str, Extension] = {
    name: extension for extension in EXTENSIONS for name in extension.names
}
SHOWN_EXTENSIONS = frozenset(EXTENSION_BY_NAME)
"""The names of all of them."""
SCHEMA_EXTENSIONS = tuple(
    name for extension in EXTENSIONS if extension.kinds == _SCHEMA for name in extension.names
)
"""The names of those that have an effect in schemas alone."""

HIDING_EXTENSIONS = frozenset(
    {"x-excluded", "x-fern-ignore", "x-gitbook-ignore", "x-hidden", "x-scalar-ignore"}
)
"""Those with which other tools leave a part out if they are `true`, as `x-internal` does here."""

_EXAMPLE_ADVICE = "write 'example' or 'examples' instead"
_STABILITY_ADVICE = "write 'x-stability-level' instead: stable, beta, alpha or draft"
_TRY_IT_ADVICE = "the setting 'console' says where pages have Try it"
ADVICE_BY_FOREIGN_EXTENSION: Mapping[str, str] = {
    "x-alpha": "write 'x-stability-level: alpha' instead",
    "x-badges": _STABILITY_ADVICE,
    "x-beta": "write 'x-stability-level: beta' instead",
    "x-default": _EXAMPLE_ADVICE,
    "x-deprecated": "write 'deprecated: true' instead",
    "x-deprecated-sunset": "write 'x-sunset' instead",
    "x-example": _EXAMPLE_ADVICE,
    "x-examples": _EXAMPLE_ADVICE,
    "x-explorer-enabled": _TRY_IT_ADVICE,
    "x-favicon": "the setting 'favicon' under 'theme' names the icon of a site",
    "x-feedbackLink": "the setting 'feedback_url' has the address where readers report a problem",
    "x-hideTryIt": _TRY_IT_ADVICE,
    "x-hideTryItPanel": _TRY_IT_ADVICE,
    "x-mint": "write its 'content' into the description, and its 'metadata' into summary and description",
    "x-ms-enum": "write 'x-enumDescriptions' for what values mean, and 'x-enum-varnames' for their names in code",
    "x-nullable": "write 'nullable: true' in OpenAPI 3.0, or \"null\" in the list of types in later versions",
    "x-page-description": "write it into the description of the tag",
    "x-page-title": "write 'x-displayName' instead",
    "x-parent": "write 'parent' in OpenAPI 3.2, or 'x-tagGroups' at the root in earlier versions",
    "x-readme": "write its 'code-samples' as 'x-codeSamples'; the settings 'console' and 'sample_languages' replace "
    "'explorer-enabled' and 'samples-languages'",
    "x-samples-languages": "the setting 'sample_languages' lists the languages of code samples",
    "x-scalar-stability": _STABILITY_ADVICE,
    "x-stability": _STABILITY_ADVICE,
    "x-topics": "write each topic as a page of the project, and list it under 'nav'",
}
"""What says here what an extension of another tool says there, by its documented meaning in that tool."""
