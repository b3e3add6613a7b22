"""Values of parameters and forms as text, by `style` and `explode` (OAS 3.0.3 §4.7.12.1)."""

import json
import math
import re
import sys
from typing import Any
from urllib.parse import quote, urlencode

from devportal.contract import Encoding, Header, Parameter, ParameterLocation
from devportal.contract.media_types import is_json, media_type_essence
from devportal.contract.validate.header_values import CONTROL_CHARACTER

Pairs = tuple[tuple[str, str], ...]

_RESERVED = "!$'()*,/:;=?@"
_DOUBLE_ENCODED = re.compile("%25([0-9A-Fa-f]{2})")
"""What was percent-encoded already, encoded again."""
_EMPTY_MATRIX_VALUE = re.compile("=(?=;|$)")
"""What a name in style `matrix` does not have where no text follows (RFC 6570 §3.2.7)."""
_DELIMITERS = {"spaceDelimited": " ", "pipeDelimited": "|"}
_PRINTABLE = "".join(map(chr, range(0x20, 0x7F)))


def scalar_text(value: Any) -> str:
    """Return one value as text: texts as they are, everything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def replace_non_finite(value: Any) -> Any:
    """Return a value that JSON can hold: `1e400` becomes the largest number, NaN becomes null."""
    match value:
        case dict():
            return {key: replace_non_finite(member) for key, member in value.items()}
        case list():
            return [replace_non_finite(item) for item in value]
        case float() if math.isinf(value):
            return math.copysign(sys.float_info.max, value)
        case float() if math.isnan(value):
            return None
    return value


def serialise_path_parameter(parameter: Parameter, value: Any) -> str:
    """Return a path parameter, percent-encoded: `5`, `3,4,5`, `.3.4`, `;id=3;id=4`."""
    if parameter.content is not None:
        return _percent_encode(value)
    name = quote(parameter.name, safe="")
    if parameter.style == "label":
        return "." + _join_items(value, explode=parameter.explode, joint="." if parameter.explode else ",")
    if parameter.style == "matrix":
        start = ";" if parameter.explode and isinstance(value, dict) else f";{name}="
        joint = start if parameter.explode else ","
        return _EMPTY_MATRIX_VALUE.sub("", start + _join_items(value, explode=parameter.explode, joint=joint))
    return _join_items(value, explode=parameter.explode, joint=",")


def _percent_encode(value: Any) -> str:
    return quote(scalar_text(value), safe=":@")


def _join_items(value: Any, *, explode: bool, joint: str) -> str:
    return joint.join(_encoded_items(value, explode=explode))


def _encoded_items(value: Any, *, explode: bool) -> list[str]:
    if isinstance(value, list):
        return [_percent_encode(item) for item in value]
    if isinstance(value, dict) and explode:
        return [f"{_percent_encode(key)}={_percent_encode(member)}" for key, member in value.items()]
    if isinstance(value, dict):
        return [_percent_encode(item) for pair in value.items() for item in pair]
    return [_percent_encode(value)]


def token_text(name: str) -> str:
    """Return the name of a header, cookie, method or scheme as the token that it has to be (RFC 9110 §5.6.2):
    what a token cannot hold is percent-encoded.
    """
    return quote(name, safe="!#$%&'*+.^_`|~-")


def field_value(text: str) -> str:
    """Return the value of a header on one line; what it cannot hold is percent-encoded (RFC 9110 §5.5)."""
    return quote(text.strip(), safe=_PRINTABLE)


def address_text(text: str) -> str:
    """Return a part of an address, its control characters percent-encoded: none holds them (RFC 3986 §2)."""
    return _without_controls(text)


def encode_address(address: str) -> str:
    """Return an address with invalid characters percent-encoded; encoded ones stay as they are."""
    return re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", quote(address, safe="%/:?#@!$&'()*+,;=~"))


def encode_cookie_value(text: str) -> str:
    """Return the value of a cookie; what would end it, or its header, is percent-encoded."""
    return quote(text, safe="!#$%&'()*+-./:<=>?@[]^_`{|}~")


def part_name(name: str) -> str:
    """Return the name of a part of a multipart body, with control characters encoded as browsers encode line
    breaks (HTML §4.10.22.8).
    """
    return _without_controls(name)


def _without_controls(text: str) -> str:
    return CONTROL_CHARACTER.sub(lambda found: quote(found[0]), text)


def serialise_header(parameter: Parameter | Header, value: Any) -> str:
    """Return a header's value (style `simple`); what a header cannot hold is percent-encoded."""
    text = scalar_text(value)
    if parameter.content is not None:
        text = value if isinstance(value, str) else json.dumps(value)
    elif isinstance(value, list):
        text = ",".join(scalar_text(item) for item in value)
    elif isinstance(value, dict):
        joint = "=" if parameter.explode else ","
        text = ",".join(f"{key}{joint}{scalar_text(member)}" for key, member in value.items())
    return field_value(text)


def query_pairs(parameter: Parameter, value: Any) -> Pairs:
    """Return a query or cookie parameter as names and values, not yet percent-encoded."""
    if parameter.content is not None:
        return ((parameter.name, scalar_text(value)),)
    return _styled_pairs(parameter.name, value, style=parameter.style, explode=parameter.explode)


def cookie_pairs(parameter: Parameter, value: Any) -> Pairs:
    """Return a cookie parameter as names and values, ready for the header.

    With style `cookie`, a value is sent as it is (OAS 3.2.0 §4.12.2.2). Otherwise what would end it, or its
    header, is percent-encoded; the commas between the items of a list are not.
    """
    if parameter.style == "cookie":
        return query_pairs(parameter, value)
    if parameter.content is None and not parameter.explode and isinstance(value, (list, dict)):
        items = [item for pair in value.items() for item in pair] if isinstance(value, dict) else value
        return ((parameter.name, ",".join(encode_cookie_value(scalar_text(item)) for item in items)),)
    return tuple((name, encode_cookie_value(text)) for name, text in query_pairs(parameter, value))


def parameter_query(parameter: Parameter, value: Any) -> str:
    """Return all that a parameter adds to a query, percent-encoded."""
    if parameter.location_in is ParameterLocation.QUERYSTRING:
        return whole_query(parameter, value)
    return encoded_query(parameter, value) or urlencode(query_pairs(parameter, value))


def whole_query(parameter: Parameter, value: Any) -> str:
    """Return the whole query that a parameter `in: querystring` is, percent-encoded (OAS 3.2.0 §4.12.1).

    A form is written as forms are, everything else in its media type.
    """
    kind = media_type_essence(parameter.content.name) if parameter.content else ""
    if isinstance(value, dict) and (not kind or kind == "application/x-www-form-urlencoded"):
        encodings = parameter.content.encodings if parameter.content else ()
        return "&".join(
            f"{quote(name, safe='')}={quote(text, safe='')}" for name, text in form_pairs(value, encodings)
        )
    if isinstance(value, str) and not is_json(kind):
        # a text that is written as a query keeps the characters that make it one
        return quote(value, safe="=&" if kind in _QUERY_TEXTS else "")
    return quote(json.dumps(value, ensure_ascii=False, separators=(",", ":")), safe="")


_QUERY_TEXTS = ("", "text/plain", "application/x-www-form-urlencoded")


def reserved_query(parameter: Parameter, value: Any) -> str:
    """Return a query parameter that keeps those reserved characters that leave the value the same.

    `&`, `+` and `#` would end or change it (OAS 3.1.1 §4.8.12.2), brackets may not stand in a query
    (RFC 3986 §3.4). What is percent-encoded already passes (RFC 6570 §3.2.3).
    """
    pairs = query_pairs(parameter, value)
    return "&".join(f"{quote(name, safe='')}={_encode_unreserved(text)}" for name, text in pairs)


def _encode_unreserved(text: str) -> str:
    return _DOUBLE_ENCODED.sub(r"%\1", quote(text, safe=_RESERVED))


def encoded_query(parameter: Parameter, value: Any) -> str:
    """Return a query parameter that a client must not encode by itself, percent-encoded; empty for others.

    That is one with reserved characters, and one with delimiters, which are not encoded as values are.
    """
    if parameter.allow_reserved:
        return reserved_query(parameter, value)
    if parameter.content is not None or parameter.explode or parameter.style == "deepObject":
        return ""
    if not isinstance(value, (list, dict)) or len(value) <= isinstance(value, list):
        return ""
    joint = quote(_DELIMITERS.get(parameter.style, ","), safe=",")
    return f"{quote(parameter.name, safe='')}={_join_items(value, explode=False, joint=joint)}"


def sample_form(parameter: Parameter, types: tuple[str, ...]) -> str:
    """Return how a list of `a` and `b`, or an object with one member, is sent in a path or a query: `status=a,b`. Empty
    for parameters of other types, and elsewhere.
    """
    if parameter.content is not None or types not in (("array",), ("object",)):
        return ""
    value: Any = ["a", "b"] if types == ("array",) else {"key": "value"}
    match parameter.location_in:
        case ParameterLocation.PATH:
            return serialise_path_parameter(parameter, value)
        case ParameterLocation.QUERY:
            pairs = query_pairs(parameter, value)
            return "&".join(f"{name}={text}" for name, text in pairs).replace(" ", "%20")
    return ""


def form_pairs(value: dict[str, Any], encodings: tuple[Encoding, ...]) -> Pairs:
    """Return a form as names and values: lists are repeated, objects are JSON unless a style is given.

    That is what OAS 3.1.1 §4.8.15.1 says where 3.0 is silent.
    """
    by_name = {encoding.property_name: encoding for encoding in encodings}
    return tuple(pair for name, item in value.items() for pair in _form_field(name, item, by_name.get(name)))


def delimiter_of(style: str) -> str:
    """Return what is between the items of a list that is one text, before it is percent-encoded."""
    return _DELIMITERS.get(style, ",")


def field_style(encoding: Encoding) -> tuple[str, bool] | None:
    """Return the style of a field of a form, and whether it explodes; None if neither is given."""
    if not encoding.style and encoding.explode is None:
        return None
    style = encoding.style or "form"
    return style, encoding.explode if encoding.explode is not None else style == "form"


def _form_field(name: str, value: Any, encoding: Encoding | None) -> Pairs:
    given = field_style(encoding) if encoding is not None else None
    if given is not None:
        style, explode = given
        return _styled_pairs(name, value, style=style, explode=explode)
    if isinstance(value, list):
        return tuple((name, scalar_text(item)) for item in value)
    return ((name, scalar_text(value)),)


def _styled_pairs(name: str, value: Any, *, style: str, explode: bool) -> Pairs:
    if style == "deepObject":
        return tuple(_deep_object_pairs(name, value))
    if isinstance(value, list):
        texts = [scalar_text(item) for item in value]
        if explode:
            return tuple((name, text) for text in texts)
        return ((name, delimiter_of(style).join(texts)),)
    if isinstance(value, dict):
        if explode:
            # OAS does not define lists in an object. Servers read a repeated name as a list.
            return tuple(
                (str(key), scalar_text(item))
                for key, member in value.items()
                for item in (member if isinstance(member, list) else [member])
            )
        return (
            (
                name,
                delimiter_of(style).join(scalar_text(item) for pair in value.items() for item in pair),
            ),
        )
    return ((name, scalar_text(value)),)


def _deep_object_pairs(name: str, value: Any) -> list[tuple[str, str]]:
    """Return `a[b]=1`; below that, where OAS is silent, `a[b][]=1` for lists and `a[0][b]=1` for objects."""
    if isinstance(value, dict):
        return [
            pair for key, member in value.items() for pair in _deep_object_pairs(f"{name}[{key}]", member)
        ]
    if isinstance(value, list):
        nested = any(isinstance(item, (dict, list)) for item in value)
        return [
            pair
            for number, member in enumerate(value)
            for pair in _deep_object_pairs(f"{name}[{number if nested else ''}]", member)
        ]
    return [(name, scalar_text(value))]
