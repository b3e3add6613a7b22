"""What to do about a field that its object does not have, or whose value has the wrong type: what its author meant."""

import re

from devportal.contract.http_methods import PATH_ITEM_METHODS
from devportal.contract.keywords import KEYWORD_BY_NAME
from devportal.contract.validate.oas_objects import fixed_fields_of
from devportal.contract.wording import END_OF_TEXT, quote_value, type_advice
from devportal.suggestions import suggest_name

_BELOW_SCHEMA = ("schema", "'schema'")
_IN_CONTENT = ("media type", "a media type of 'content', such as 'application/json'")
_HOLDERS = {
    "document": (("components", "'components'"), ("info", "'info'")),
    "path item": (("operation", "a method, such as 'get'"),),
    "event": (("operation", "a method, such as 'post'"),),
    "operation": (("request body", "'requestBody'"),),
    "sent operation": (("request body", "'requestBody'"),),
    "parameter": (_BELOW_SCHEMA,),
    "header": (_BELOW_SCHEMA,),
    "media type": (_BELOW_SCHEMA,),
    "request body": (_IN_CONTENT,),
    "response": (_IN_CONTENT,),
    "security scheme": (("flow", "a flow of 'flows'"),),
}
"""The kinds of objects whose fields are often written in the object around them, and where those objects are."""
_STATUS = re.compile(r"[1-5](?:[0-9]{2}|[xX]{2})|default")
_STATUS_RANGE = re.compile(r"[1-5][xX]{2}")
_MEDIA_TYPE = re.compile(r"[a-z]+/[^/\s]+")


def unknown_field_advice(name: str, value: object, kind: str, version: str) -> str:
    """Return what to do about a field that no object of this kind has: another name, another place, or removal."""
    if value is None and " " in name:
        return END_OF_TEXT
    fields = fixed_fields_of(kind, version)
    similar = suggest_name(name, fields.in_version) if fields is not None else ""
    if place := _meant_place(name, value, kind, version, has_similar=bool(similar)):
        return place
    removal = END_OF_TEXT if value is None else "remove it, or give it a name with 'x-'"
    return similar or removal


def _meant_place(name: str, value: object, kind: str, version: str, *, has_similar: bool) -> str:
    """Return where the field belongs, empty if that is unknown; `has_similar` says whether a field of the object has a
    name like it.
    """
    match kind:
        case "operation" | "sent operation" if _STATUS.fullmatch(name):
            return "move it below 'responses'"
        case "request body" | "response" if _MEDIA_TYPE.fullmatch(name):
            return "move it below 'content'"
        case "schema" if isinstance(value, dict) and not has_similar:
            return (
                "if it is a property, move it below 'properties'; else remove it, or give it a name with 'x-'"
            )
    for holder, place in _HOLDERS.get(kind, ()):
        fields = fixed_fields_of(holder, version)
        if fields is not None and name in fields.in_version:
            return f"move it below {place}"
    return ""


def foreign_version_advice(name: str, kind: str) -> str:
    """Return what to write for a field that only another version of OpenAPI has."""
    advice = KEYWORD_BY_NAME[name].version_advice if kind == "schema" and name in KEYWORD_BY_NAME else ""
    return advice or "remove it, or change the version under 'openapi'"


def member_name_advice(name: str, kind: str, otherwise: str) -> str:
    """Return what to do about a key of `paths` or `responses` that is none."""
    if kind == "paths" and name.lower() in PATH_ITEM_METHODS:
        return "indent it, below its path"
    if kind == "paths" and not name.startswith("x-"):
        return f"a path starts with '/': {quote_value(f'/{name}')}"
    if kind == "responses" and _STATUS_RANGE.fullmatch(name):
        return f"write {name.upper()!r}"
    return otherwise


def missing_field_advice(name: str, kind: str) -> str:
    """Return what to do about a required field that is missing."""
    if (kind, name) == ("parameter", "required"):
        return "add 'required: true': no request can leave out a part of its path"
    return "add it"


def field_type_advice(name: str, kind: str, expected: str, value: object) -> str:
    """Return what to do about a field whose value has another type than is expected, in words."""
    match kind, name, value:
        case "schema", "type", list() if expected == "text":
            types = [item for item in value if item != "null" and isinstance(item, str)]
            if len(types) == 1 and "null" in value:
                return f"write 'type: {types[0]}' and 'nullable: true': lists of types came with OAS 3.1"
            return "write an 'anyOf' of schemas with one type each: lists of types came with OAS 3.1"
        case "schema", "exclusiveMinimum" | "exclusiveMaximum", True:
            bound = f"{name[9].lower()}{name[10:]}"
            return f"write its bound here, in place of {bound!r}: '{name}: 10'"
    return type_advice(expected, value)
