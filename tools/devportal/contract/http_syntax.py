"""What HTTP allows as the name or value of a header, as a media type, a method and an authentication scheme.

A contract is untrusted: what breaks this grammar can end a header early and begin another (RFC 9110 §5.5).
"""

import re

TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
"""The pattern of names of headers, methods and authentication schemes (RFC 9110 §5.6.2, §9.1, §11.1)."""
_QUOTED_STRING = r'"(?:[\t !#-\[\]-~\x80-\U0010ffff]|\\[\t -~\x80-\U0010ffff])*"'
_PARAMETERS = rf"(?:[ \t]*;(?:[ \t]*{TOKEN}=(?:{TOKEN}|{_QUOTED_STRING}))?)*"
_MEDIA_TYPE = rf"[ \t]*{TOKEN}/{TOKEN}{_PARAMETERS}[ \t]*"
"""A media type or range with its parameters (RFC 9110 §5.6.6, §8.3.1, §12.5.1)."""
_is_token = re.compile(TOKEN).fullmatch
_is_media_type = re.compile(_MEDIA_TYPE).fullmatch
_is_list_of_media_types = re.compile(rf"{_MEDIA_TYPE}(?:,{_MEDIA_TYPE})*").fullmatch
CONTROL_CHARACTER = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
"""What neither the value of a header nor an address may hold (RFC 9110 §5.5, RFC 3986 §2)."""


def is_token(text: str) -> bool:
    """Say whether a text can be the name of a header, a method or an authentication scheme."""
    return _is_token(text) is not None


def is_media_type(text: str) -> bool:
    """Say whether a text is a media type or a range of them, such as `text/*; q=0.5`."""
    return _is_media_type(text) is not None


def is_list_of_media_types(text: str) -> bool:
    """Say whether a text is one or more media types with commas between them (OAS 3.0.3 §4.7.15)."""
    return _is_list_of_media_types(text) is not None


def is_field_value(text: str) -> bool:
    """Say whether a text can be the value of a header: without CR, LF, NUL and other control characters."""
    return CONTROL_CHARACTER.search(text) is None
