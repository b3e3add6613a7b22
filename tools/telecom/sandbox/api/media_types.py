"""Media types in requests: what a body is declared as, and what a client accepts (RFC 9110 §8.3, §12.5.1)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_ESCAPED = re.compile(r"\\(.)")
_PARAMETER = re.compile(rf'[ \t]*;[ \t]*(?:({_TOKEN})=({_TOKEN}|"(?:[^"\\]|\\.)*"))?')
_TYPE = re.compile(rf"[ \t]*({_TOKEN}/{_TOKEN})")
_QUALITY = re.compile(r"(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaRange:
    """A media type or range, in lower case, with its parameters."""

    name: str
    parameters: Mapping[str, str] = field(default_factory=dict)


def parse_media_range(text: str) -> MediaRange | None:
    """Return the media type of a `Content-Type` header, None where it is malformed."""
    head = _TYPE.match(text)
    if head is None:
        return None
    parameters: dict[str, str] = {}
    position = head.end()
    while position < len(text.rstrip(" \t")):
        match = _PARAMETER.match(text, position)
        if match is None:
            return None
        position = match.end()
        if match.group(1):
            parameters[match.group(1).lower()] = _unquote(match.group(2))
    return MediaRange(name=head.group(1).lower(), parameters=parameters)


def accepts(header: str, name: str) -> bool:
    """Say whether an `Accept` header allows a media type; malformed ranges are passed over.

    The most specific range that fits decides; a header without any readable range excludes nothing.
    """
    ranges = list(_ranges(header))
    if not ranges:
        return True
    kind = name.partition("/")[0]
    for candidate in (name, f"{kind}/*", "*/*"):
        qualities = [quality for range_name, quality in ranges if range_name == candidate]
        if qualities:
            return max(qualities) > 0
    return False


def accepts_any(header: str, names: Sequence[str]) -> bool:
    """Say whether an `Accept` header allows one of several media types, or there is none to allow."""
    return not names or any(accepts(header, name) for name in names)


def _ranges(header: str) -> Iterator[tuple[str, float]]:
    for part in header.split(","):
        media = parse_media_range(part)
        if media is None:
            continue
        quality = media.parameters.get("q", "1")
        yield media.name, float(quality) if _QUALITY.fullmatch(quality) else 0.0


def _unquote(value: str) -> str:
    return _ESCAPED.sub(r"\1", value[1:-1]) if value.startswith('"') else value
