"""The fields that each kind of object may have, by version of the OAS (3.0.4 §4.7, 3.1.1 §4.8, 3.2.0 §4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

VERSIONS = ("3.0", "3.1", "3.2")

_PARAMETER = """
description required deprecated allowEmptyValue style explode allowReserved schema example examples
content
"""
_OPERATION = """
tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated
security servers
"""
_SCHEMA = """
title multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems
minItems uniqueItems maxProperties minProperties required enum type allOf oneOf anyOf not items properties
format default additionalProperties description nullable discriminator readOnly writeOnly xml externalDocs
example deprecated
"""
_SCHEMA_2020 = """
$schema $id $anchor $dynamicRef $dynamicAnchor $defs $comment $vocabulary if then else dependentSchemas
contains prefixItems patternProperties propertyNames unevaluatedItems unevaluatedProperties const
maxContains minContains dependentRequired contentEncoding contentMediaType contentSchema examples
"""
_FIELDS: Mapping[str, tuple[str, str, str]] = {
    "document": (
        "openapi info servers paths components security tags externalDocs",
        "webhooks jsonSchemaDialect",
        "$self",
    ),
    "info": ("title description termsOfService contact license version", "summary", ""),
    "contact": ("name url email", "", ""),
    "license": ("name url", "identifier", ""),
    "server": ("url description variables", "", "name"),
    "server variable": ("enum default description", "", ""),
    "components": (
        "schemas responses parameters examples requestBodies headers securitySchemes links callbacks",
        "pathItems",
        "mediaTypes",
    ),
    "path item": (
        "summary description servers parameters get put post delete options head patch trace",
        "",
        "query additionalOperations",
    ),
    "operation": (_OPERATION, "", ""),
    "external documentation": ("description url", "", ""),
    "parameter": (f"name in {_PARAMETER}", "", ""),
    "header": (_PARAMETER, "", ""),
    "request body": ("description content required", "", ""),
    "media type": (
        "schema example examples encoding",
        "",
        "itemSchema prefixEncoding itemEncoding description",
    ),
    "encoding": (
        "contentType headers style explode allowReserved",
        "",
        "encoding prefixEncoding itemEncoding",
    ),
    "response": ("description headers content links", "", "summary"),
    "example": ("summary description value externalValue", "", "dataValue serializedValue"),
    "link": ("operationRef operationId parameters requestBody description server", "", ""),
    "tag": ("name description externalDocs", "", "summary parent kind"),
    "security scheme": (
        "type description name in scheme bearerFormat flows openIdConnectUrl",
        "",
        "oauth2MetadataUrl deprecated",
    ),
    "set of flows": ("implicit password clientCredentials authorizationCode", "", "deviceAuthorization"),
    "flow": ("authorizationUrl tokenUrl refreshUrl scopes", "", "deviceAuthorizationUrl"),
    "discriminator": ("propertyName mapping", "", "defaultMapping"),
    "XML object": ("name namespace prefix attribute wrapped", "", "nodeType"),
    "schema": (_SCHEMA, _SCHEMA_2020, ""),
    "state machine": ("initial transitions", "", ""),
    "transition": ("from to on description event", "", ""),
}
"""What came with 3.0, with 3.1 and with 3.2. Extensions and `$ref` may stand in each. State machines are ours
(decision 0026).
"""
_GONE = {("schema", "nullable"): "3.1"}
"""The version from which on a field is none any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """The fields of one kind of object in one version; those of others, with what became of them."""

    here: frozenset[str]
    elsewhere: Mapping[str, str]


@lru_cache(maxsize=128)
def fields_of(kind: str, version: str) -> Fields | None:
    """Return the fields of a kind of object in a version such as `3.1.0`; None for names of the author's."""
    if kind not in _FIELDS:
        return None
    since = {
        name: first for first, names in zip(VERSIONS, _FIELDS[kind], strict=True) for name in names.split()
    }
    return Fields(
        here=frozenset(name for name, first in since.items() if _is_there(kind, name, first, version[:3])),
        elsewhere={
            name: f"came with OAS {first}" if first > version[:3] else f"went with OAS {_GONE[kind, name]}"
            for name, first in since.items()
            if not _is_there(kind, name, first, version[:3])
        },
    )


def _is_there(kind: str, name: str, first: str, version: str) -> bool:
    return first <= version and not _GONE.get((kind, name), "9") <= version
