"""Members of a resource that describe its file, by their names and descriptions: the number of its bytes, and its
digest, such as `size_bytes` and `sha256`.
"""

import hashlib
import re
from collections.abc import Iterator
from typing import Any

from devportal.contract import Property, Schema

_SIZE = re.compile(
    r"(?:file|content|asset|document|upload)?_?(?:size|length)(?:_?(?:in_?)?bytes)?$|bytes?$|byte_?size$",
    re.IGNORECASE,
)
_SIZE_WORDS = re.compile(
    r"\bsize of (?:the|its|this) (?:\w+ )?(?:file|content|upload)\b|\bnumber of bytes\b|\bsize in bytes\b",
    re.IGNORECASE,
)
_OTHER_UNIT = re.compile(r"\b(?:kilo|mega|giga|[km]i?b\b|compressed|encoded)", re.IGNORECASE)
_DIGESTS = {"sha256": 64, "sha1": 40, "sha512": 128, "md5": 32}
_HEX = re.compile(r"[0-9a-fA-F]+")


def wrong_content_member(
    properties: dict[str, tuple[Property, Schema]], shown: dict[str, Any], sent: bytes
) -> str:
    """Return what is wrong with the first member that describes a file of these bytes, empty if nothing surely is."""
    return next(_wrong_members(properties, shown, sent), "")


def _wrong_members(
    properties: dict[str, tuple[Property, Schema]], shown: dict[str, Any], sent: bytes
) -> Iterator[str]:
    for name, (property_, meaning) in properties.items():
        text, value = f"{property_.schema.description} {meaning.description}", shown.get(name)
        is_size = "integer" in meaning.types and _SIZE.fullmatch(name) and _SIZE_WORDS.search(text)
        if (
            is_size
            and isinstance(value, int)
            and not _OTHER_UNIT.search(f"{name} {text}")
            and value != len(sent)
        ):
            yield f"{name!r} is {value}; the file has {len(sent)} bytes"
        algorithm = _algorithm(f"{name} {text}")
        if not algorithm or "string" not in meaning.types or not isinstance(value, str):
            continue
        is_digest = len(value) == _DIGESTS[algorithm] and _HEX.fullmatch(value) is not None
        digest = hashlib.new(algorithm, sent, usedforsecurity=False).hexdigest()
        if is_digest and value.lower() != digest:
            yield f"{name!r} is {value}; the {algorithm.upper()} of the file is {digest}"


def _algorithm(text: str) -> str:
    """Return the digest that a text names, empty if it names none or several."""
    plain = re.sub(r"[-_ ]", "", text.lower())
    named = [name for name in _DIGESTS if name in plain]
    return named[0] if len(named) == 1 else ""
