"""What single objects of a contract say that nobody can use: the OAS asks more than its schemas hold them to.

This walks the raw document, so that each mistake is told where it was made, and once: a requirement at the
root of a document counts for all of its operations.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from devportal.contract.contents import every_operation
from devportal.contract.http_syntax import (
    TOKEN,
    is_field_value,
    is_list_of_media_types,
    is_media_type,
    is_token,
)
from devportal.contract.internal import Part, only_internal
from devportal.contract.load import Contract
from devportal.contract.quoting import cut, quoted
from devportal.contract.regex import is_regex
from devportal.contract.schemas import Location
from devportal.contract.walk import published_objects
from devportal.findings import Finding, Level

_IN_TEMPLATE = re.compile(r"\{([^{}]*)\}")
_EXPRESSION = re.compile(
    rf"\$(url|method|statusCode|(request|response)\.(header\.{TOKEN}|(query|path)\..+|body(#(/.*)?)?))",
    re.DOTALL,
)
"""A runtime expression (OAS 3.1.1 §4.8.20.4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """One mistake, at its location."""

    location: Location
    rule: str
    message: str
    advice: str
    level: Level = Level.WARNING


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """What objects may name: security schemes and operations."""

    version: str
    schemes: frozenset[str]
    operations: frozenset[str]


_Check = Callable[[Mapping[str, Any], Location, _Known], Iterator[_Said]]


def check_objects(contract: Contract) -> Iterator[Finding]:
    """Yield what is wrong with each object by itself, or with what it names."""
    objects = tuple(published_objects(contract.source.quiet()))
    known = _known(contract, objects)
    for kind, value, here in objects:
        for check in _CHECKS.get(kind, ()):
            for said in check(value, here, known):
                yield Finding(
                    rule=said.rule,
                    level=said.level,
                    place=contract.place(said.location),
                    message=said.message,
                    help=said.advice,
                )


def _known(contract: Contract, objects: Iterable[Part]) -> _Known:
    """Return what is declared anywhere, internal parts included: to name those is another matter."""
    components = contract.source.root().mapping("components")
    schemes = components.members("securitySchemes") if components is not None else ()
    read = (one.id for one in every_operation(contract.api) if one.id_is_declared)
    walked = (value.get("operationId") for kind, value, _ in objects if "operation" in kind)
    named = (one for one in walked if isinstance(one, str))
    return _Known(
        version=contract.api.openapi,
        schemes=frozenset(name for name, _ in schemes),
        operations=frozenset([*read, *named, *only_internal(contract.source.quiet()).operations.names]),
    )


def _security(value: Mapping[str, Any], here: Location, known: _Known) -> Iterator[_Said]:
    """A requirement names a declared scheme; from 3.2 on also one by its URI (OAS 3.2.0 §4.30)."""
    for number, requirement in enumerate(_list(value.get("security"))):
        for name in _mapping(requirement):
            if name in known.schemes or ("/" in name and known.version.startswith("3.2")):
                continue
            meant = get_close_matches(name, sorted(known.schemes), n=1, cutoff=0.75)
            yield _Said(
                location=here.child("security", number, name),
                rule="contract-security",
                level=Level.ERROR,
                message=f"the security scheme {quoted(name)} is not declared",
                advice=f"did you mean {meant[0]!r}?"
                if meant
                else "declare it under 'components.securitySchemes'",
            )


def _templates(value: Mapping[str, Any], here: Location, _: _Known) -> Iterator[_Said]:
    """A path names each parameter once: it has one value (OAS 3.2.0 §4.8.2)."""
    for path in value:
        names = _IN_TEMPLATE.findall(path) if path.startswith("/") else []
        for name in sorted({one for one in names if names.count(one) > 1}):
            yield _Said(
                location=here.child(path),
                rule="contract-path",
                level=Level.ERROR,
                message=f"the path {quoted(path)} names the parameter {quoted(name)} more than once",
                advice="give each place in the path a name of its own",
            )


def _variables(value: Mapping[str, Any], here: Location, known: _Known) -> Iterator[_Said]:
    """The address of a server and its variables name the same, and defaults are among the values that there
    are (OAS 3.1.1 §4.8.5, §4.8.6).
    """
    url, declared = value.get("url"), _mapping(value.get("variables"))
    named = set(_IN_TEMPLATE.findall(url)) if isinstance(url, str) else set()
    for name in sorted(named - declared.keys()):
        yield _Said(
            location=here.child("url"),
            rule="contract-server",
            level=Level.ERROR,
            message=f"the server {quoted(url)} has no variable {quoted(name)}, which its address names",
            advice=f"declare {cut(repr(name))} under its 'variables', with a 'default'",
        )
    for name, variable in declared.items():
        if named and name not in named:
            yield _Said(
                location=here.child("variables", name),
                rule="contract-server",
                message=f"the address of this server does not name its variable {quoted(name)}",
                advice=f"write {{{cut(name)}}} into the 'url', or remove the variable",
            )
        values, default = _list(_mapping(variable).get("enum")), _mapping(variable).get("default")
        yield from _control_characters(here.child("variables", name), {"default": [default], "enum": values})
        if values and isinstance(default, str) and default not in values:
            yield _Said(
                location=here.child("variables", name, "default"),
                rule="contract-server",
                level=Level.WARNING if known.version.startswith("3.0") else Level.ERROR,
                message=f"the default {quoted(default)} is none of the values under 'enum'",
                advice="add it to them, or choose one of them",
            )


def _control_characters(variable: Location, texts: Mapping[str, list[Any]]) -> Iterator[_Said]:
    """A value of an address has no control characters (RFC 3986 §2)."""
    for field, values in texts.items():
        for text in values:
            if isinstance(text, str) and not is_field_value(text):
                yield _Said(
                    location=variable.child(field),
                    rule="contract-server",
                    level=Level.ERROR,
                    message=f"{quoted(text)} has a control character, which no address holds",
                    advice="write it without line breaks and other control characters",
                )


def _link(value: Mapping[str, Any], here: Location, known: _Known) -> Iterator[_Said]:
    """The operation that a link leads to exists (OAS 3.1.1 §4.8.20)."""
    name = value.get("operationId")
    if isinstance(name, str) and name not in known.operations:
        meant = get_close_matches(name, sorted(known.operations), n=1, cutoff=0.75)
        yield _Said(
            location=here.child("operationId"),
            rule="contract-link",
            level=Level.ERROR,
            message=f"no operation has the operationId {quoted(name)} that this link leads to",
            advice=f"did you mean {meant[0]!r}?" if meant else "name the operationId of an operation",
        )


def _headers(value: Mapping[str, Any], here: Location, _: _Known) -> Iterator[_Said]:
    for name in _mapping(value.get("headers")):
        yield from _field_name("header", name, here.child("headers", name))


def _field(value: Mapping[str, Any], here: Location, _: _Known) -> Iterator[_Said]:
    """A header has a name that is a token (RFC 9110 §5.1), and so has a cookie (RFC 6265 §4.1.1)."""
    place, name = value.get("in"), value.get("name")
    if place in ("header", "cookie") and isinstance(name, str):
        yield from _field_name(place, name, here.child("name"))


def _field_name(kind: str, name: str, location: Location) -> Iterator[_Said]:
    if not is_token(name):
        yield _Said(
            location=location,
            rule="contract-header",
            level=Level.ERROR,
            message=f"HTTP allows no {kind} with the name {quoted(name)}",
            advice="use letters, digits and '-' (RFC 9110 §5.6.2)",
        )


def _auth_scheme(value: Mapping[str, Any], here: Location, _: _Known) -> Iterator[_Said]:
    """The scheme of an HTTP authentication is a token (RFC 9110 §11.1)."""
    scheme = value.get("scheme")
    if value.get("type") == "http" and isinstance(scheme, str) and not is_token(scheme):
        yield _Said(
            location=here.child("scheme"),
            rule="contract-auth-scheme",
            level=Level.ERROR,
            message=f"HTTP allows no authentication scheme with the name {quoted(scheme)}",
            advice="write a registered one, such as 'bearer' or 'basic' (RFC 9110 §11.1)",
        )


def _content(value: Mapping[str, Any], here: Location, _: _Known) -> Iterator[_Said]:
    for name in _mapping(value.get("content")):
        if not is_media_type(name):
            yield _no_media_type(name, here.child("content", name))


def _content_type(value: Mapping[str, Any], here: Location, _: _Known) -> Iterator[_Said]:
    """A part of a body has one of the media types that its encoding lists (OAS 3.0.3 §4.7.15)."""
    listed = value.get("contentType")
    if isinstance(listed, str) and not is_list_of_media_types(listed):
        yield _no_media_type(listed, here.child("contentType"))


def _no_media_type(name: str, location: Location) -> _Said:
    return _Said(
        location=location,
        rule="contract-media-type",
        level=Level.ERROR,
        message=f"{quoted(name)} is no media type",
        advice="write one such as 'application/json' (RFC 9110 §8.3.1)",
    )


def _callback(value: Mapping[str, Any], here: Location, _: _Known) -> Iterator[_Said]:
    """What a callback is called says where it is sent to (OAS 3.1.1 §4.8.18.2)."""
    for key in value:
        if key != "$ref" and not key.startswith("x-") and not _is_address(key):
            yield _Said(
                location=here.child(key),
                rule="contract-callback",
                message=f"{quoted(key)} is no address that a callback can be sent to",
                advice="write an address with a runtime expression, such as '{$request.body#/url}'",
            )


def _is_address(key: str) -> bool:
    if key.startswith("$"):
        return _EXPRESSION.fullmatch(key) is not None
    expressions = _IN_TEMPLATE.findall(key)
    is_plain = not any(mark in key for mark in " \t\n")
    return is_plain and all(_EXPRESSION.fullmatch(one) for one in expressions)


def _patterns(value: Mapping[str, Any], here: Location, _: _Known) -> Iterator[_Said]:
    """Patterns are regular expressions (ECMA 262, which no two engines read alike)."""
    pattern = value.get("pattern")
    if isinstance(pattern, str) and not is_regex(pattern):
        yield _no_regex(pattern, here.child("pattern"))
    for name in _mapping(value.get("patternProperties")):
        if not is_regex(name):
            yield _no_regex(name, here.child("patternProperties", name))


def _no_regex(pattern: str, location: Location) -> _Said:
    return _Said(
        location=location,
        rule="contract-pattern",
        message=f"{quoted(pattern)} cannot be read as a regular expression, so nothing is held to it",
        advice="mend it; in JSON and in YAML's double quotes each backslash is written twice",
    )


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


_CHECKS: Mapping[str, tuple[_Check, ...]] = {
    "document": (_security,),
    "operation": (_security,),
    "sent operation": (_security,),
    "paths": (_templates,),
    "server": (_variables,),
    "link": (_link,),
    "parameter": (_field, _content),
    "security scheme": (_field, _auth_scheme),
    "header": (_content,),
    "encoding": (_headers, _content_type),
    "request body": (_content,),
    "response": (_headers, _content),
    "callback": (_callback,),
    "schema": (_patterns,),
}
"""The rules, by the kind of object that they are for."""
