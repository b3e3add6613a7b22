"""Which documented media type a client accepts (RFC 9110 §12.5.1), and what it prefers (RFC 7240)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from devportal.contract import MediaType
from devportal.contract.media_types import is_json, media_type_essence

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_RANGE = re.compile(rf"\s*({_TOKEN}/{_TOKEN})\s*((?:;[^,;]*)*)")
_WEIGHT = re.compile(r";\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*$", re.IGNORECASE)
_PREFERENCE = re.compile(rf"({_TOKEN})(?:\s*=\s*(?:\"([^\"]*)\"|([^\s;,\"]*)))?")
_QUERY_PREFERENCES = ("__code", "__example")
_CONCRETE = {
    "*/*": "application/json",
    "application/*": "application/json",
    "text/*": "text/plain",
    "image/*": "image/png",
    "audio/*": "audio/mpeg",
    "video/*": "video/mp4",
}
"""What is sent for a range of media types that a contract documents."""


def choose_media_type(content: Sequence[MediaType], accept: str | None) -> MediaType | None:
    """Return the media type that a client likes best, JSON if it likes several alike; None if it accepts none."""
    ordered = sorted(
        content, key=lambda item: not (is_json(item.name) or media_type_essence(item.name) == "*/*")
    )
    ranges = _accepted_ranges(accept)
    if not ranges:
        return ordered[0] if ordered else None
    weighted = [
        (_weight(concrete_name(media_type.name), ranges, media_type.name), media_type)
        for media_type in ordered
    ]
    best = max((weight for weight, _ in weighted), default=0.0)
    return next((media_type for weight, media_type in weighted if weight == best), None) if best > 0 else None


def concrete_name(name: str) -> str:
    """Return a documented media type as a response has it: a range such as `*/*` is replaced by one of its types."""
    return _CONCRETE.get(media_type_essence(name), name)


def _accepted_ranges(accept: str | None) -> list[tuple[str, float]]:
    """Return the ranges of an Accept header with their weights; what is none is left out."""
    ranges = []
    for part in (accept or "").split(","):
        found = _RANGE.fullmatch(part)
        if found is not None:
            weight = _WEIGHT.search(found[2])
            ranges.append((found[1].lower(), min(float(weight[1]), 1.0) if weight is not None else 1.0))
    return ranges


def _weight(name: str, ranges: Sequence[tuple[str, float]], documented: str) -> float:
    """Return the weight of the most specific range that a media type is in."""
    essence = media_type_essence(name)
    kind = essence.partition("/")[0]
    by_range = dict(ranges)
    for text in (essence, f"{kind}/*", "*/*"):
        if text in by_range:
            return by_range[text]
    is_any = media_type_essence(documented) in ("*/*", f"{kind}/*") and any(
        text.startswith(f"{kind}/") for text in by_range
    )
    return 0.5 if is_any else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """What a client asks a mock for: a status, and an example of the contract by its name."""

    code: int | None = None
    example: str = ""

    @property
    def applied(self) -> str:
        """The preferences as `Preference-Applied` lists them (RFC 7240 §3)."""
        parts = [f"code={self.code}"] if self.code is not None else []
        parts += [f'example="{self.example}"'] if self.example else []
        return ", ".join(parts)


def read_preferences(header: str | None, query: Iterable[tuple[str, str]] = ()) -> Preferences:
    """Read a Prefer header, and `__code` and `__example` of a query, as Prism has them; what it does not know, it
    ignores (RFC 7240 §2).
    """
    values = {name.lower(): quoted or plain for name, quoted, plain in _PREFERENCE.findall(header or "")}
    values |= {name.removeprefix("__"): value for name, value in query if name in _QUERY_PREFERENCES}
    code = values.get("code", "")
    is_status = code.isascii() and code.isdigit() and 200 <= int(code[:4]) <= 599
    return Preferences(code=int(code) if is_status else None, example=values.get("example", ""))
