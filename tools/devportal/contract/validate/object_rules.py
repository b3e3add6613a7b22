"""Rules for single objects of a contract: the OAS requires more than its schemas check.

This walks the raw document, so that each mistake is reported once, at its place: a requirement at the root of
a document counts for all of its operations.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from devportal.contract.internal.withheld import LocatedObject, internal_parts, published_objects
from devportal.contract.load import Contract
from devportal.contract.operation_names import every_operation
from devportal.contract.regex import is_regex
from devportal.contract.schemas import Location
from devportal.contract.validate.header_values import (
    TOKEN,
    is_field_value,
    is_list_of_media_types,
    is_media_type,
    is_token,
)
from devportal.contract.wording import quote_value, truncate_text
from devportal.documents.pointer import as_mapping
from devportal.findings import Finding, Level
from devportal.suggestions import suggest_name

_TEMPLATE_VARIABLE = re.compile(r"\{([^{}]*)\}")
_RUNTIME_EXPRESSION = re.compile(
    rf"\$(url|method|statusCode|(request|response)\.(header\.{TOKEN}|(query|path)\..+|body(#(/.*)?)?))",
    re.DOTALL,
)
"""A runtime expression (OAS 3.1.1 §4.8.20.4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _ObjectProblem:
    """One mistake, at its location."""

    location: Location
    rule: str
    message: str
    advice: str
    level: Level = Level.WARNING


@dataclass(frozen=True, slots=True, kw_only=True)
class _DeclaredNames:
    """What objects may name: security schemes and operations."""

    version: str
    schemes: frozenset[str]
    operations: frozenset[str]


_ObjectCheck = Callable[[Mapping[str, Any], Location, _DeclaredNames], Iterator[_ObjectProblem]]


def check_objects(contract: Contract) -> Iterator[Finding]:
    """Yield the problems of each object, and of the names that it refers to."""
    objects = published_objects(contract.source)
    declared = _declared_names(contract, objects)
    for kind, value, location in objects:
        for check in _CHECKS.get(kind, ()):
            for problem in check(value, location, declared):
                yield Finding(
                    rule=problem.rule,
                    level=problem.level,
                    place=contract.place(problem.location),
                    message=problem.message,
                    help=problem.advice,
                )


def _declared_names(contract: Contract, objects: Iterable[LocatedObject]) -> _DeclaredNames:
    """Return the declared names, including internal ones: references to those are another rule."""
    components = contract.source.root().mapping("components")
    schemes = components.members("securitySchemes") if components is not None else ()
    read_ids = (operation.id for operation in every_operation(contract.api) if operation.id_is_declared)
    raw_ids = (value.get("operationId") for kind, value, _ in objects if "operation" in kind)
    text_ids = (raw_id for raw_id in raw_ids if isinstance(raw_id, str))
    return _DeclaredNames(
        version=contract.api.openapi,
        schemes=frozenset(name for name, _ in schemes),
        operations=frozenset(
            [*read_ids, *text_ids, *internal_parts(contract.source.quiet()).operations.names]
        ),
    )


def _check_security(
    value: Mapping[str, Any], location: Location, declared: _DeclaredNames
) -> Iterator[_ObjectProblem]:
    """A requirement names a declared scheme; from 3.2 on also one by its URI (OAS 3.2.0 §4.30)."""
    for number, requirement in enumerate(_as_list(value.get("security"))):
        for name in as_mapping(requirement):
            if name in declared.schemes or ("/" in name and declared.version.startswith("3.2")):
                continue
            yield _ObjectProblem(
                location=location.child("security", number, name),
                rule="contract-security",
                level=Level.ERROR,
                message=f"the security scheme {quote_value(name)} is not declared",
                advice=suggest_name(name, declared.schemes, "declare it under 'components.securitySchemes'"),
            )


def _check_path_template(
    value: Mapping[str, Any], location: Location, _: _DeclaredNames
) -> Iterator[_ObjectProblem]:
    """A path names each parameter once: it has one value (OAS 3.2.0 §4.8.2)."""
    for path in value:
        names = _TEMPLATE_VARIABLE.findall(path) if path.startswith("/") else []
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield _ObjectProblem(
                location=location.child(path),
                rule="contract-path",
                level=Level.ERROR,
                message=f"the path {quote_value(path)} names the parameter {quote_value(name)} more than once",
                advice="give each path parameter a unique name",
            )


def _check_server_variables(
    value: Mapping[str, Any], location: Location, declared_names: _DeclaredNames
) -> Iterator[_ObjectProblem]:
    """The address of a server and its variables name the same, and defaults are among the values that there
    are (OAS 3.1.1 §4.8.5, §4.8.6).
    """
    url, variables = value.get("url"), as_mapping(value.get("variables"))
    template_names = set(_TEMPLATE_VARIABLE.findall(url)) if isinstance(url, str) else set()
    for name in sorted(template_names - variables.keys()):
        yield _ObjectProblem(
            location=location.child("url"),
            rule="contract-server",
            level=Level.ERROR,
            message=f"the server {quote_value(url)} has no variable {quote_value(name)}, which its address names",
            advice=f"declare {truncate_text(repr(name))} under its 'variables', with a 'default'",
        )
    for name, variable in variables.items():
        if template_names and name not in template_names:
            yield _ObjectProblem(
                location=location.child("variables", name),
                rule="contract-server",
                message=f"the address of this server does not name its variable {quote_value(name)}",
                advice=f"write {{{truncate_text(name)}}} into the 'url', or remove the variable",
            )
        values, default = _as_list(as_mapping(variable).get("enum")), as_mapping(variable).get("default")
        yield from _check_control_characters(
            location.child("variables", name), {"default": [default], "enum": values}
        )
        if values and isinstance(default, str) and default not in values:
            yield _ObjectProblem(
                location=location.child("variables", name, "default"),
                rule="contract-server",
                level=Level.WARNING if declared_names.version.startswith("3.0") else Level.ERROR,
                message=f"the default {quote_value(default)} is none of the values under 'enum'",
                advice="add it to them, or choose one of them",
            )


def _check_control_characters(variable: Location, texts: Mapping[str, list[Any]]) -> Iterator[_ObjectProblem]:
    """A value of an address has no control characters (RFC 3986 §2)."""
    for field, values in texts.items():
        for text in values:
            if isinstance(text, str) and not is_field_value(text):
                yield _ObjectProblem(
                    location=variable.child(field),
                    rule="contract-server",
                    level=Level.ERROR,
                    message=f"{quote_value(text)} has a control character, which no address holds",
                    advice="write it without line breaks and other control characters",
                )


def _check_link(
    value: Mapping[str, Any], location: Location, declared: _DeclaredNames
) -> Iterator[_ObjectProblem]:
    """The operation that a link leads to exists (OAS 3.1.1 §4.8.20)."""
    name = value.get("operationId")
    if isinstance(name, str) and name not in declared.operations:
        yield _ObjectProblem(
            location=location.child("operationId"),
            rule="contract-link",
            level=Level.ERROR,
            message=f"no operation has the operationId {quote_value(name)} that this link leads to",
            advice=suggest_name(name, declared.operations, "name the operationId of an operation"),
        )


def _check_header_names(
    value: Mapping[str, Any], location: Location, _: _DeclaredNames
) -> Iterator[_ObjectProblem]:
    for name in as_mapping(value.get("headers")):
        yield from _check_field_name("header", name, location.child("headers", name))


def _check_key_name(
    value: Mapping[str, Any], location: Location, _: _DeclaredNames
) -> Iterator[_ObjectProblem]:
    """A header has a name that is a token (RFC 9110 §5.1), and so has a cookie (RFC 6265 §4.1.1)."""
    carrier, name = value.get("in"), value.get("name")
    if carrier in ("header", "cookie") and isinstance(name, str):
        yield from _check_field_name(carrier, name, location.child("name"))


def _check_parameter_name(
    value: Mapping[str, Any], location: Location, names: _DeclaredNames
) -> Iterator[_ObjectProblem]:
    """As the name of a key; a parameter without a name is reported by its shape."""
    if value.get("name"):
        yield from _check_key_name(value, location, names)


def _check_field_name(kind: str, name: str, location: Location) -> Iterator[_ObjectProblem]:
    if not is_token(name):
        yield _ObjectProblem(
            location=location,
            rule="contract-header",
            level=Level.ERROR,
            message=f"HTTP allows no {kind} with the name {quote_value(name)}",
            advice="use letters, digits and '-' (RFC 9110 §5.6.2)",
        )


def _check_auth_scheme(
    value: Mapping[str, Any], location: Location, _: _DeclaredNames
) -> Iterator[_ObjectProblem]:
    """The scheme of an HTTP authentication is a token (RFC 9110 §11.1)."""
    scheme = value.get("scheme")
    if value.get("type") == "http" and isinstance(scheme, str) and not is_token(scheme):
        yield _ObjectProblem(
            location=location.child("scheme"),
            rule="contract-auth-scheme",
            level=Level.ERROR,
            message=f"HTTP allows no authentication scheme with the name {quote_value(scheme)}",
            advice="write a registered one, such as 'bearer' or 'basic' (RFC 9110 §11.1)",
        )


def _check_media_types(
    value: Mapping[str, Any], location: Location, _: _DeclaredNames
) -> Iterator[_ObjectProblem]:
    for name in as_mapping(value.get("content")):
        if not is_media_type(name):
            yield _invalid_media_type(name, location.child("content", name))


def _check_content_type(
    value: Mapping[str, Any], location: Location, _: _DeclaredNames
) -> Iterator[_ObjectProblem]:
    """A part of a body has one of the media types that its encoding lists (OAS 3.0.3 §4.7.15)."""
    media_types = value.get("contentType")
    if isinstance(media_types, str) and not is_list_of_media_types(media_types):
        yield _invalid_media_type(media_types, location.child("contentType"))


def _invalid_media_type(name: str, location: Location) -> _ObjectProblem:
    return _ObjectProblem(
        location=location,
        rule="contract-media-type",
        level=Level.ERROR,
        message=f"{quote_value(name)} is not a media type",
        advice="write one such as 'application/json' (RFC 9110 §8.3.1)",
    )


def _check_callback_url(
    value: Mapping[str, Any], location: Location, _: _DeclaredNames
) -> Iterator[_ObjectProblem]:
    """The key of a callback is the address that it is sent to (OAS 3.1.1 §4.8.18.2)."""
    for key in value:
        if key != "$ref" and not key.startswith("x-") and not _is_address(key):
            yield _ObjectProblem(
                location=location.child(key),
                rule="contract-callback",
                message=f"{quote_value(key)} is not an address that a callback can be sent to",
                advice=_callback_advice(key),
            )


def _callback_advice(key: str) -> str:
    """Return what to write in place of a key; an expression without its first character is the usual mistake."""
    for expression in _TEMPLATE_VARIABLE.findall(key):
        if expression.startswith(("request.", "response.", "url", "method", "statusCode")):
            if _RUNTIME_EXPRESSION.fullmatch(f"${expression}"):
                return f"the '$' is missing: write '{{${expression}}}'"
        elif not expression.startswith("$"):
            return f"the '$' of a runtime expression is missing: write '{{$request.body#/{expression}}}'"
    return "write an address with a runtime expression, such as '{$request.body#/url}'"


def _is_address(key: str) -> bool:
    if key.startswith("$"):
        return _RUNTIME_EXPRESSION.fullmatch(key) is not None
    expressions = _TEMPLATE_VARIABLE.findall(key)
    is_plain = not any(character in key for character in " \t\n")
    return is_plain and all(_RUNTIME_EXPRESSION.fullmatch(expression) for expression in expressions)


def _check_patterns(
    value: Mapping[str, Any], location: Location, _: _DeclaredNames
) -> Iterator[_ObjectProblem]:
    """Patterns are regular expressions (ECMA 262, which no two engines read alike)."""
    pattern = value.get("pattern")
    if isinstance(pattern, str) and not is_regex(pattern):
        yield _invalid_pattern(pattern, location.child("pattern"))
    for name in as_mapping(value.get("patternProperties")):
        if not is_regex(name):
            yield _invalid_pattern(name, location.child("patternProperties", name))


def _invalid_pattern(pattern: str, location: Location) -> _ObjectProblem:
    return _ObjectProblem(
        location=location,
        rule="contract-pattern",
        message=f"{quote_value(pattern)} cannot be read as a regular expression, so nothing is held to it",
        advice="fix it; in JSON and in YAML's double quotes each backslash is written twice",
    )


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


_CHECKS: Mapping[str, tuple[_ObjectCheck, ...]] = {
    "document": (_check_security,),
    "operation": (_check_security,),
    "sent operation": (_check_security,),
    "paths": (_check_path_template,),
    "server": (_check_server_variables,),
    "link": (_check_link,),
    "parameter": (_check_parameter_name, _check_media_types),
    "security scheme": (_check_key_name, _check_auth_scheme),
    "header": (_check_media_types,),
    "encoding": (_check_header_names, _check_content_type),
    "request body": (_check_media_types,),
    "response": (_check_header_names, _check_media_types),
    "callback": (_check_callback_url,),
    "schema": (_check_patterns,),
}
"""The rules, by the kind of object that they are for."""
