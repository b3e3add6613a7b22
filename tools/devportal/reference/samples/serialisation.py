"""Values of parameters and forms as text, by `style` and `explode` (OAS 3.0.3 §4.7.12.1)."""

import json
import math
import re
import sys
from typing import Any
from urllib.parse import quote

from devportal.contract import Encoding, Parameter
from devportal.contract.http_syntax import CONTROL_CHARACTER

Pairs = tuple[tuple[str, str], ...]

_RESERVED = "!$'()*,/:;=?@"
_TRIPLE = re.compile("%25([0-9A-Fa-f]{2})")
"""What was percent-encoded already, encoded again."""
_WITHOUT_TEXT = re.compile("=(?=;|$)")
"""What a name in style `matrix` does not have where no text follows (RFC 6570 §3.2.7)."""
_JOINTS = {"spaceDelimited": " ", "pipeDelimited": "|"}
_PRINTABLE = "".join(map(chr, range(0x20, 0x7F)))


def scalar(value: Any) -> str:
    """Return one value as text: texts as they are, everything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def finite(value: Any) -> Any:
    """Return a value as JSON can hold it: `1e400` is the largest number there is, what is none is null."""
    match value:
        case dict():
            return {key: finite(one) for key, one in value.items()}
        case list():
            return [finite(one) for one in value]
        case float() if math.isinf(value):
            return math.copysign(sys.float_info.max, value)
        case float() if math.isnan(value):
            return None
    return value


def path_text(parameter: Parameter, value: Any) -> str:
    """Return a path parameter, percent-encoded: `5`, `3,4,5`, `.3.4`, `;id=3;id=4`."""
    if parameter.content is not None:
        return _encoded(value)
    name = quote(parameter.name, safe="")
    if parameter.style == "label":
        return "." + _flat(value, explode=parameter.explode, joint="." if parameter.explode else ",")
    if parameter.style == "matrix":
        start = ";" if parameter.explode and isinstance(value, dict) else f";{name}="
        joint = start if parameter.explode else ","
        return _WITHOUT_TEXT.sub("", start + _flat(value, explode=parameter.explode, joint=joint))
    return _flat(value, explode=parameter.explode, joint=",")


def _encoded(value: Any) -> str:
    return quote(scalar(value), safe=":@")


def _flat(value: Any, *, explode: bool, joint: str) -> str:
    return joint.join(_encoded_items(value, explode=explode))


def _encoded_items(value: Any, *, explode: bool) -> list[str]:
    if isinstance(value, list):
        return [_encoded(one) for one in value]
    if isinstance(value, dict) and explode:
        return [f"{_encoded(key)}={_encoded(one)}" for key, one in value.items()]
    if isinstance(value, dict):
        return [_encoded(one) for pair in value.items() for one in pair]
    return [_encoded(value)]


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


def cookie_text(text: str) -> str:
    """Return the value of a cookie; what would end it, or its header, is percent-encoded."""
    return quote(text, safe="!#$%&'()*+-./:<=>?@[]^_`{|}~")


def part_name(name: str) -> str:
    """Return the name of a part of a multipart body, with control characters encoded as browsers encode line
    breaks (HTML §4.10.22.8).
    """
    return _without_controls(name)


def _without_controls(text: str) -> str:
    return CONTROL_CHARACTER.sub(lambda found: quote(found[0]), text)


def header_text(parameter: Parameter, value: Any) -> str:
    """Return a header's value (style `simple`); what a header cannot hold is percent-encoded."""
    text = scalar(value)
    if parameter.content is not None:
        text = value if isinstance(value, str) else json.dumps(value)
    elif isinstance(value, list):
        text = ",".join(scalar(one) for one in value)
    elif isinstance(value, dict):
        joint = "=" if parameter.explode else ","
        text = ",".join(f"{key}{joint}{scalar(one)}" for key, one in value.items())
    return field_value(text)


def query_pairs(parameter: Parameter, value: Any) -> Pairs:
    """Return a query or cookie parameter as names and values, not yet percent-encoded."""
    if parameter.content is not None:
        return ((parameter.name, scalar(value)),)
    return _styled(parameter.name, value, style=parameter.style, explode=parameter.explode)


def reserved_query(parameter: Parameter, value: Any) -> str:
    """Return a query parameter that keeps its reserved characters, as far as the value stays the same.

    `&`, `+` and `#` would end or change it (OAS 3.1.1 §4.8.12.2), brackets may not stand in a query
    (RFC 3986 §3.4). What is percent-encoded already passes (RFC 6570 §3.2.3).
    """
    pairs = query_pairs(parameter, value)
    return "&".join(f"{quote(name, safe='')}={_reserved(text)}" for name, text in pairs)


def _reserved(text: str) -> str:
    return _TRIPLE.sub(r"%\1", quote(text, safe=_RESERVED))


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
    joint = quote(_JOINTS.get(parameter.style, ","), safe=",")
    return f"{quote(parameter.name, safe='')}={_flat(value, explode=False, joint=joint)}"


def form_pairs(value: dict[str, Any], encodings: tuple[Encoding, ...]) -> Pairs:
    """Return a form as names and values: lists are repeated, objects are JSON unless a style is given.

    That is what OAS 3.1.1 §4.8.15.1 says where 3.0 is silent.
    """
    by_name = {encoding.property_name: encoding for encoding in encodings}
    return tuple(pair for name, item in value.items() for pair in _form_field(name, item, by_name.get(name)))


def _form_field(name: str, value: Any, encoding: Encoding | None) -> Pairs:
    if encoding is not None and (encoding.style or encoding.explode is not None):
        style = encoding.style or "form"
        explode = encoding.explode if encoding.explode is not None else style == "form"
        return _styled(name, value, style=style, explode=explode)
    if isinstance(value, list):
        return tuple((name, scalar(one)) for one in value)
    return ((name, scalar(value)),)


def _styled(name: str, value: Any, *, style: str, explode: bool) -> Pairs:
    if style == "deepObject":
        return tuple(_deep(name, value))
    if isinstance(value, list):
        texts = [scalar(one) for one in value]
        if explode:
            return tuple((name, text) for text in texts)
        return ((name, _JOINTS.get(style, ",").join(texts)),)
    if isinstance(value, dict):
        if explode:
            return tuple((str(key), scalar(one)) for key, one in value.items())
        return ((name, _JOINTS.get(style, ",").join(scalar(one) for pair in value.items() for one in pair)),)
    return ((name, scalar(value)),)


def _deep(name: str, value: Any) -> list[tuple[str, str]]:
    """Return `a[b]=1`; below that, where OAS is silent, `a[b][]=1` for lists and `a[0][b]=1` for objects."""
    if isinstance(value, dict):
        return [pair for key, one in value.items() for pair in _deep(f"{name}[{key}]", one)]
    if isinstance(value, list):
        nested = any(isinstance(one, (dict, list)) for one in value)
        return [
            pair
            for number, one in enumerate(value)
            for pair in _deep(f"{name}[{number if nested else ''}]", one)
        ]
    return [(name, scalar(value))]
