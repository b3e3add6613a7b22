"""Swagger 2.0 as OpenAPI 3.0.3: the same API in the form that everything else reads.

The rules are those of the Swagger 2.0 and OAS 3.0.3 specifications, which each function names. Places of findings
stay those of the file: each part of the converted document knows the part that it was made from.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import Any

from devportal.contract.validate.extensions import SCHEMA_EXTENSIONS
from devportal.contract.wording import quote_value
from devportal.documents import Document, Pointer, format_pointer, parse_pointer
from devportal.documents.document import PositionLookup
from devportal.findings import Level

OPENAPI_VERSION = "3.0.3"
_METHODS = ("get", "put", "post", "delete", "options", "head", "patch")
_JSON = "application/json"
_URLENCODED, _MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
_FORMS = (_URLENCODED, _MULTIPART)
_VALUE_KEYWORDS = (
    *("type", "format", "items", "default", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"),
    *("maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "enum", "multipleOf"),
)
"""The fields of parameters, items and headers that a schema has in OpenAPI 3 (Swagger 2.0, Parameter Object)."""
_SCHEMA_MEMBERS = (*_VALUE_KEYWORDS, *SCHEMA_EXTENSIONS)
"""Those and the extensions of schemas, such as the names of the values of an `enum`: they stand where that stands."""
_EXAMPLE = "x-example"
"""The example of a parameter by convention: Swagger 2.0 has no field for it."""
_MOVED_TO_SCHEMA = (*_SCHEMA_MEMBERS, "collectionFormat", "x-nullable")
_DISCRIMINATOR_VALUES = ("x-discriminator-value", "x-ms-discriminator-value")
"""The value that selects a schema by convention, in place of its name."""
_MOVED = ("swagger", "host", "basePath", "schemes", "consumes", "produces")
_SECTIONS = {"definitions": "schemas", "responses": "responses", "securityDefinitions": "securitySchemes"}
_FLOWS = {
    "implicit": "implicit",
    "password": "password",
    "application": "clientCredentials",
    "accessCode": "authorizationCode",
}
_FORBIDDEN_IN_NAME = re.compile(r"[^a-zA-Z0-9._-]")
"""What names of components may not have in OpenAPI 3 (OAS 3.0.3 §4.7.7)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversionProblem:
    """What OpenAPI 3.0 has no words for: where it is in the Swagger file, and what to do."""

    pointer: Pointer
    message: str
    help: str
    level: Level = Level.WARNING


def as_openapi(document: Document) -> tuple[Document, tuple[ConversionProblem, ...]]:
    """Return a Swagger 2.0 document as OpenAPI 3.0.3, with a note about it and what was lost; any other document
    as it is.
    """
    if not isinstance(document.data, dict) or str(document.data.get("swagger")) != "2.0":
        return document, ()
    conversion = _Conversion(document.data)
    data = conversion.to_openapi()
    locate = partial(_locate, document.locate, conversion.origins)
    note = ConversionProblem(
        pointer=("swagger",),
        level=Level.NOTE,
        message=f"this Swagger 2.0 document is read as OpenAPI {OPENAPI_VERSION}",
        help="nothing needs to be done; the files of the site are OpenAPI",
    )
    return replace(document, data=data, locate=locate), (note, *dict.fromkeys(conversion.problems))


def _locate(
    original: PositionLookup, origins: Mapping[Pointer, Pointer], text: str, pointer: Pointer
) -> tuple[int, int]:
    """Return the place of a part of the converted document: that of the part which it was made from."""
    for length in range(len(pointer), 0, -1):
        origin = origins.get(pointer[:length])
        if origin is not None:
            return original(text, (*origin, *pointer[length:]))
    return original(text, pointer)


@dataclass(slots=True)
class _Conversion:
    """One conversion: `origins` fills with the pointers of parts that moved, by their new pointers."""

    data: dict[str, Any]
    origins: dict[Pointer, Pointer] = field(default_factory=dict)
    problems: list[ConversionProblem] = field(default_factory=list)
    names: dict[str, Mapping[str, str]] = field(default_factory=dict)
    """The names of components by those that they have in the file, for each of its sections."""

    def __post_init__(self) -> None:
        for section in (*_SECTIONS, "parameters"):
            declared = self.data.get(section)
            self.names[section] = _component_names(declared if isinstance(declared, dict) else {})

    def to_openapi(self) -> dict[str, Any]:
        """Return the OpenAPI Object (OAS 3.0.3 §4.7.1)."""
        components = {
            new: self._section(old, new)
            for old, new in _SECTIONS.items()
            if isinstance(self.data.get(old), dict)
        }
        if isinstance(self.data.get("parameters"), dict):
            components["parameters"] = self._shared_parameters()
        kept = {
            name: value
            for name, value in self.data.items()
            if name not in _MOVED and name not in _SECTIONS and name not in ("parameters", "paths")
        }
        if "security" in kept:
            kept["security"] = self._requirements(kept["security"])
        servers = self._servers()
        return {
            "openapi": OPENAPI_VERSION,
            **kept,
            **({"servers": servers} if servers else {}),
            "paths": self._paths(),
            **({"components": components} if components else {}),
        }

    # ---- servers: Swagger 2.0, host, basePath, schemes ----

    def _servers(self, schemes: Any = None) -> list[dict[str, str]]:
        host, base = self.data.get("host"), self.data.get("basePath")
        path = base if isinstance(base, str) and base != "/" else ""
        self.origins["servers",] = ("host",) if host else ("basePath",)
        if not isinstance(host, str) or not host:
            return [{"url": path}] if path else []
        written = schemes or self.data.get("schemes")
        names = [item for item in written if isinstance(item, str)] if isinstance(written, list) else []
        names = sorted(dict.fromkeys(names or ["https"]), key=lambda name: name != "https")
        return [{"url": f"{name}://{host}{path}"} for name in names]

    # ---- components ----

    def _section(self, old: str, new: str) -> dict[str, Any]:
        convert = {"definitions": self._schema, "responses": self._shared_response}.get(old, self._security)
        section = {}
        for name, value in self.data[old].items():
            self.origins["components", new, self._name(old, name)] = (old, name)
            section[self._name(old, name)] = convert(value, (old, name))
        return section

    def _name(self, section: str, name: str) -> str:
        return self.names[section].get(name, name)

    def _shared_parameters(self) -> dict[str, Any]:
        """Return the parameters that can be shared; bodies and forms are written where they are used."""
        shared = {}
        for name, value in self.data["parameters"].items():
            if not isinstance(value, dict) or value.get("in") not in ("body", "formData"):
                at = ("parameters", name)
                self._place_value(("components", "parameters", self._name("parameters", name)), at)
                shared[self._name("parameters", name)] = self._parameter(value, at)
        return shared

    def _shared_response(self, value: Any, at: Pointer) -> Any:
        return self._response(value, at, self._types(self.data, "produces"))

    def _security(self, value: Any, at: Pointer) -> Any:
        """Return a Security Scheme Object (OAS 3.0.3 §4.7.24)."""
        if not isinstance(value, dict):
            return value
        rest = {
            name: member
            for name, member in value.items()
            if name not in ("flow", "authorizationUrl", "tokenUrl", "scopes")
        }
        if value.get("type") == "basic":
            return {**rest, "type": "http", "scheme": "basic"}
        if value.get("type") != "oauth2":
            return rest
        flow = _FLOWS.get(str(value.get("flow")))
        if flow is None:
            self._lose(
                at,
                f"{quote_value(value.get('flow'))} is not a flow of OAuth 2.0",
                "write one of " + ", ".join(_FLOWS),
            )
            return {**rest, "flows": {}}
        urls = {name: value[name] for name in ("authorizationUrl", "tokenUrl") if name in value}
        return {**rest, "flows": {flow: {**urls, "scopes": value.get("scopes", {})}}}

    def _requirements(self, value: Any) -> Any:
        """Return security requirements with the names that their schemes have now."""
        if not isinstance(value, list):
            return value
        return [
            {self._name("securityDefinitions", name): scopes for name, scopes in item.items()}
            if isinstance(item, dict)
            else item
            for item in value
        ]

    # ---- paths ----

    def _paths(self) -> Any:
        paths = self.data.get("paths")
        if not isinstance(paths, dict):
            return paths if paths is not None else {}
        return {
            path: self._path_item(item, ("paths", path)) if not path.startswith("x-") else item
            for path, item in paths.items()
        }

    def _path_item(self, item: Any, at: Pointer) -> Any:
        if not isinstance(item, dict):
            return item
        if "$ref" in item:
            self._lose(at, "path items in other files are not converted", "write the path item here")
            return {}
        shared = list(self._parameters(item, at))
        converted: dict[str, Any] = {}
        for name, value in item.items():
            if name in _METHODS and isinstance(value, dict):
                converted[name] = self._operation(value, (*at, name), shared)
            elif name == "parameters":
                own = [
                    (value, place)
                    for value, place in shared
                    if not _is_of_body(self._resolve_parameter(value))
                ]
                converted["parameters"] = self._plain_parameters(own, (*at, "parameters"))
            else:
                converted[name] = value
        return converted

    def _operation(
        self, value: dict[str, Any], at: Pointer, shared: Iterable[tuple[Any, Pointer]]
    ) -> dict[str, Any]:
        own = list(self._parameters(value, at))
        names = {self._identity(member) for member, _ in own}
        inherited = [
            (member, place)
            for member, place in shared
            if _is_of_body(self._resolve_parameter(member)) and self._identity(member) not in names
        ]
        plain = [(member, place) for member, place in own if not _is_of_body(self._resolve_parameter(member))]
        of_body = [
            (member, place)
            for member, place in (*own, *inherited)
            if _is_of_body(self._resolve_parameter(member))
        ]
        kept = {
            name: member
            for name, member in value.items()
            if name not in ("parameters", "consumes", "produces", "schemes", "responses")
        }
        converted = dict(kept)
        if "security" in converted:
            converted["security"] = self._requirements(converted["security"])
        if plain:
            converted["parameters"] = self._plain_parameters(plain, (*at, "parameters"))
        if of_body:
            converted["requestBody"] = self._request_body(value, of_body, (*at, "requestBody"))
        responses = value.get("responses")
        types = self._types(value, "produces")
        converted["responses"] = (
            {
                status: self._response(response, (*at, "responses", status), types)
                for status, response in responses.items()
            }
            if isinstance(responses, dict)
            else responses
        )
        if isinstance(value.get("schemes"), list):
            servers = self._servers(value["schemes"])
            self.origins[(*at, "servers")] = (*at, "schemes")
            if servers:
                converted["servers"] = servers
        return converted

    def _types(self, value: Mapping[str, Any], key: str) -> list[str]:
        """Return the media types of an operation, or those that hold for all (Swagger 2.0, Operation Object)."""
        written = value.get(key, self.data.get(key))
        return [item for item in written if isinstance(item, str)] if isinstance(written, list) else []

    # ---- parameters ----

    def _parameters(self, value: Mapping[str, Any], at: Pointer) -> Iterator[tuple[Any, Pointer]]:
        listed = value.get("parameters")
        for number, member in enumerate(listed if isinstance(listed, list) else ()):
            yield member, (*at, "parameters", str(number))

    def _resolve_parameter(self, value: Any) -> Any:
        """Return what a reference to a shared parameter leads to, or the parameter itself."""
        reference = value.get("$ref") if isinstance(value, dict) else None
        if not isinstance(reference, str) or not reference.startswith("#/parameters/"):
            return value
        shared = self.data.get("parameters")
        _, name, *_ = parse_pointer(reference)
        return shared.get(name, value) if isinstance(shared, dict) else value

    def _origin(self, value: Any, at: Pointer) -> Pointer:
        """Return where a parameter is described: where it stands, or where its reference leads."""
        return at if self._resolve_parameter(value) is value else parse_pointer(value["$ref"])

    def _identity(self, value: Any) -> tuple[str, str]:
        """Return what is unique in a list of parameters: the name and `in`; there is one body."""
        node = self._resolve_parameter(value)
        if not isinstance(node, dict):
            return ("", "")
        return ("body", "") if node.get("in") == "body" else (str(node.get("in")), str(node.get("name")))

    def _place_value(self, new: Pointer, at: Pointer) -> None:
        """Note where a parameter or header was, whose schema is the rest of it."""
        self.origins[new] = self.origins[(*new, "schema")] = at

    def _plain_parameters(self, listed: Iterable[tuple[Any, Pointer]], new: Pointer) -> list[Any]:
        converted: list[Any] = []
        for value, at in listed:
            self._place_value((*new, str(len(converted))), at)
            converted.append(self._parameter(value, at))
        return converted

    def _parameter(self, value: Any, at: Pointer) -> Any:
        """Return a Parameter Object (OAS 3.0.3 §4.7.12): what described its value becomes a schema."""
        if not isinstance(value, dict):
            return value
        if "$ref" in value:
            return self._convert_reference(value, at)
        kept = {
            _name_of_example(name, member, value): member
            for name, member in value.items()
            if name not in _MOVED_TO_SCHEMA
        }
        return {**kept, **self._style(value, at), "schema": self._value_schema(value, at)}

    def _value_schema(self, value: Mapping[str, Any], at: Pointer) -> dict[str, Any]:
        schema = {name: value[name] for name in _SCHEMA_MEMBERS if name in value}
        if value.get("x-nullable") is True:
            schema["nullable"] = True
        if schema.get("type") == "file":
            schema |= {"type": "string", "format": "binary"}
        if isinstance(schema.get("items"), dict):
            items = schema["items"]
            if items.get("type") == "array" and items.get("collectionFormat", "csv") != "csv":
                self._lose(
                    (*at, "items"),
                    f"the collectionFormat {quote_value(items['collectionFormat'])} of a list in a list has no form "
                    "in OpenAPI 3",
                    "describe in words how it is written",
                )
            schema["items"] = self._value_schema(items, (*at, "items"))
        return schema

    def _style(self, value: Mapping[str, Any], at: Pointer) -> dict[str, Any]:
        """Return how a list is written (OAS 3.0.3 §4.7.12.3), nothing for other values."""
        if value.get("type") != "array":
            return {}
        written, place = value.get("collectionFormat", "csv"), value.get("in")
        if place in ("path", "header"):
            if written != "csv":
                self._lose_format(written, at)
            return {"style": "simple"}
        styles = {
            "csv": {"style": "form", "explode": False},
            "ssv": {"style": "spaceDelimited", "explode": False},
            "pipes": {"style": "pipeDelimited", "explode": False},
            "multi": {"style": "form", "explode": True},
        }
        if not isinstance(written, str) or written not in styles:
            self._lose_format(written, at)
        return styles.get(str(written), styles["csv"])

    def _lose_format(self, written: Any, at: Pointer) -> None:
        self._lose(
            (*at, "collectionFormat"),
            f"the collectionFormat {quote_value(written)} has no form in OpenAPI 3 here, so it is read as 'csv'",
            "describe in words how the list is written",
        )

    # ---- bodies ----

    def _request_body(
        self, operation: Mapping[str, Any], listed: Iterable[tuple[Any, Pointer]], new: Pointer
    ) -> dict[str, Any]:
        """Return a Request Body Object (OAS 3.0.3 §4.7.13) for a body or for the fields of a form."""
        parts = [(self._resolve_parameter(value), self._origin(value, at)) for value, at in listed]
        types = self._types(operation, "consumes")
        bodies = [(value, at) for value, at in parts if value.get("in") == "body"]
        if bodies:
            body, at = bodies[0]
            self.origins[new] = at
            schema = self._schema(body.get("schema", {}), (*at, "schema"))
            names = [type_ for type_ in types if type_ not in _FORMS] or [_JSON]
            for name in names:
                self.origins[(*new, "content", name, "schema")] = (*at, "schema")
            extensions = {name: value for name, value in body.items() if name.startswith("x-")}
            return {
                **({"description": body["description"]} if "description" in body else {}),
                **({"required": True} if body.get("required") is True else {}),
                "content": {name: {"schema": schema} for name in names},
                **extensions,
            }
        return self._form(types, parts, new)

    def _form(
        self, types: list[str], parts: list[tuple[dict[str, Any], Pointer]], new: Pointer
    ) -> dict[str, Any]:
        has_file = any(item.get("type") == "file" for item, _ in parts)
        forms = [type_ for type_ in types if type_ in _FORMS and not (has_file and type_ == _URLENCODED)]
        names = forms or [_MULTIPART if has_file else _URLENCODED]
        properties, encoding, required = {}, {}, []
        for item, at in parts:
            name = str(item.get("name", ""))
            schema = self._value_schema(item, at)
            described = {
                _name_of_example(key, value, item): value
                for key, value in item.items()
                if key == "description" or key.startswith("x-")
            }
            properties[name] = {**schema, **described}
            if item.get("type") == "array":
                encoding[name] = self._style(item, at)
            if item.get("required") is True:
                required.append(name)
            for form in names:
                self.origins[(*new, "content", form, "schema", "properties", name)] = at
        self.origins[new] = parts[0][1]
        schema = {
            "type": "object",
            "properties": properties,
            **({"required": required} if required else {}),
        }
        media_type = {"schema": schema, **({"encoding": encoding} if encoding else {})}
        return {**({"required": True} if required else {}), "content": dict.fromkeys(names, media_type)}

    def _response(self, value: Any, at: Pointer, types: list[str]) -> Any:
        """Return a Response Object (OAS 3.0.3 §4.7.17): its schema and examples go below media types."""
        if not isinstance(value, dict):
            return value
        if "$ref" in value:
            return self._convert_reference(value, at)
        new = ("components", "responses", self._name("responses", at[1])) if at[0] == "responses" else at
        converted = {
            name: member for name, member in value.items() if name not in ("schema", "headers", "examples")
        }
        headers = value.get("headers")
        if isinstance(headers, dict):
            for name in headers:
                self._place_value((*new, "headers", name), (*at, "headers", name))
            converted["headers"] = {
                name: self._header(header, (*at, "headers", name)) for name, header in headers.items()
            }
        content = self._content(value, at, new, types)
        return {**converted, "content": content} if content else converted

    def _content(
        self, value: Mapping[str, Any], at: Pointer, new: Pointer, types: list[str]
    ) -> dict[str, Any]:
        examples = value["examples"] if isinstance(value.get("examples"), dict) else {}
        names = list(types or ([_JSON] if "schema" in value else [])) if "schema" in value else []
        content: dict[str, Any] = {}
        for name in dict.fromkeys((*names, *examples)):
            content[name] = {}
            if "schema" in value:
                content[name]["schema"] = self._schema(value["schema"], (*at, "schema"))
                self.origins[(*new, "content", name, "schema")] = (*at, "schema")
            if name in examples:
                content[name]["example"] = examples[name]
                self.origins[(*new, "content", name, "example")] = (*at, "examples", name)
        return content

    def _header(self, value: Any, at: Pointer) -> Any:
        if not isinstance(value, dict):
            return value
        kept = {name: member for name, member in value.items() if name not in _MOVED_TO_SCHEMA}
        if value.get("type") == "array" and value.get("collectionFormat", "csv") != "csv":
            self._lose_format(value["collectionFormat"], at)
        return {**kept, "schema": self._value_schema(value, at)}

    # ---- schemas: Swagger 2.0, Schema Object ----

    def _schema(self, value: Any, at: Pointer) -> Any:
        if not isinstance(value, dict):
            return value
        if "$ref" in value:
            return {**value, "$ref": self._reference(value["$ref"])}
        converted = {name: self._keyword(name, member, (*at, name)) for name, member in value.items()}
        if converted.get("type") == "file":
            converted |= {"type": "string", "format": "binary"}
        if isinstance(converted.get("discriminator"), str):
            mapping = self._discriminator_mapping(at)
            converted["discriminator"] = {
                "propertyName": converted["discriminator"],
                **({"mapping": mapping} if mapping else {}),
            }
        if len(at) == 2 and at[0] == "definitions":
            converted = {key: member for key, member in converted.items() if key not in _DISCRIMINATOR_VALUES}
        if converted.pop("x-nullable", None) is True:
            converted["nullable"] = True
        return converted

    def _discriminator_mapping(self, at: Pointer) -> dict[str, str]:
        """Return the values that select schemas which are not called like that: in Swagger 2.0 a value is the name
        of a definition that has the one with the discriminator in its `allOf` (Schema Object, discriminator).
        """
        if len(at) != 2 or at[0] != "definitions":
            return {}
        mapping = {}
        for name, definition in self.data["definitions"].items():
            if not isinstance(definition, dict) or not (name == at[1] or _extends(definition, at[1])):
                continue
            new = self._name("definitions", name)
            written = next(
                (definition[key] for key in _DISCRIMINATOR_VALUES if isinstance(definition.get(key), str)),
                name,
            )
            if written != new:
                mapping[written] = f"#{format_pointer(('components', 'schemas', new))}"
        return mapping

    def _keyword(self, name: str, value: Any, at: Pointer) -> Any:
        match name, value:
            case ("properties", dict()):
                return {key: self._schema(member, (*at, key)) for key, member in value.items()}
            case ("allOf" | "anyOf" | "oneOf", list()):
                return [self._schema(member, (*at, str(number))) for number, member in enumerate(value)]
            case ("items" | "additionalProperties" | "not", dict()):
                return self._schema(value, at)
            case _:
                return value

    def _reference(self, reference: Any) -> Any:
        """Return a reference to where its target is in the converted document."""
        if not isinstance(reference, str) or not reference.startswith("#/"):
            return reference
        section, *rest = parse_pointer(reference)
        new = {**_SECTIONS, "parameters": "parameters"}.get(section)
        if new is None or not rest:
            return reference
        return f"#{format_pointer(('components', new, self._name(section, rest[0]), *rest[1:]))}"

    def _convert_reference(self, value: dict[str, Any], at: Pointer) -> dict[str, Any]:
        """Return a reference in place of a parameter or a response."""
        reference = value["$ref"]
        if isinstance(reference, str) and not reference.startswith("#"):
            self._lose(
                at,
                f"{quote_value(reference)} leads to another file, whose parameters and responses are not converted",
                "write it in this file",
            )
        return {**value, "$ref": self._reference(reference)}

    def _lose(self, pointer: Pointer, message: str, advice: str) -> None:
        self.problems.append(ConversionProblem(pointer=pointer, message=message, help=advice))


_TYPES_OF_EXAMPLES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
}


def _name_of_example(key: str, value: Any, parameter: Mapping[str, Any]) -> str:
    """Return the field for a member of a parameter: `example` for an example of its type, else the name it has."""
    types = _TYPES_OF_EXAMPLES.get(str(parameter.get("type")), ())
    is_example = key == _EXAMPLE and isinstance(value, types) and isinstance(value, bool) == (bool in types)
    return "example" if is_example and "example" not in parameter else key


def _extends(schema: Mapping[str, Any], name: str) -> bool:
    """Return whether a schema has a definition in its `allOf`."""
    parts = schema.get("allOf")
    reference = f"#{format_pointer(('definitions', name))}"
    return any(
        isinstance(part, dict) and part.get("$ref") in (reference, f"#/definitions/{name}")
        for part in (parts if isinstance(parts, list) else ())
    )


def _is_of_body(parameter: Any) -> bool:
    return isinstance(parameter, dict) and parameter.get("in") in ("body", "formData")


def _component_names(declared: Iterable[str]) -> Mapping[str, str]:
    """Return names as OpenAPI 3 allows them, each once: other characters become `_`."""
    taken = {name for name in declared if not _FORBIDDEN_IN_NAME.search(name)}
    names = {name: name for name in taken}
    for name in declared:
        if name in names:
            continue
        base = plain = _FORBIDDEN_IN_NAME.sub("_", name)
        numbers = count(2)
        while plain in taken:
            plain = f"{base}_{next(numbers)}"
        taken.add(plain)
        names[name] = plain
    return names
