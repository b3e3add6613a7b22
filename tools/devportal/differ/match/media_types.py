"""Media types as differs see them: which are the same, which cover others, and which belong together."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from devportal.contract import MediaType

_FORM_MEDIA_TYPES = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaName:
    """The name of a media type, in small letters, with its parameters (RFC 9110 §8.3.1)."""

    kind: str
    parameters: frozenset[tuple[str, str]] = frozenset()

    def __str__(self) -> str:
        """Return the media type as it is written."""
        return "; ".join((self.kind, *(f"{name}={value}" for name, value in sorted(self.parameters))))

    @property
    def is_range(self) -> bool:
        """Return whether it is a range of media types: `*/*`, `text/*`."""
        return self.kind.endswith("/*") or self.kind == "*"

    @property
    def is_form(self) -> bool:
        """Say whether bodies of it are fields that are written as text."""
        return self.kind in _FORM_MEDIA_TYPES

    @property
    def has_parts(self) -> bool:
        """Say whether bodies of it may have parts, which encodings describe: forms, multipart, and ranges."""
        return self.is_form or self.is_range or self.kind.startswith("multipart/")

    @property
    def is_text(self) -> bool:
        """Say whether values in it are written as text without types."""
        return self.is_form or (self.kind.startswith("text/") and not self.is_xml and not self.is_json)

    @property
    def is_plain(self) -> bool:
        """Say whether bodies of it are plain text: it has no notation for objects and lists, so that they are JSON."""
        return self.kind == "text/plain"

    @property
    def may_be_bytes(self) -> bool:
        """Say whether bodies of it may be just bytes, not made of values that schemas describe."""
        return not (self.is_form or self.is_json or self.is_xml)

    @property
    def is_json(self) -> bool:
        """Say whether bodies of it are JSON (RFC 6839 §3.1)."""
        return self.kind.endswith(("/json", "+json"))

    @property
    def is_xml(self) -> bool:
        """Say whether bodies of it are XML (RFC 7303 §4)."""
        return self.kind.endswith(("/xml", "+xml"))

    def is_same_json(self, other: "MediaName") -> bool:
        """Say whether both are one type of JSON, which is UTF-8 with and without a charset (RFC 8259 §8.1)."""
        charset = {("charset", "utf-8")}
        return self.is_json and self.kind == other.kind and self.parameters ^ other.parameters <= charset

    def ranges_over(self, other: "MediaName") -> bool:
        """Say whether it is a range that the other is in (RFC 9110 §12.5.1)."""
        if not self.is_range or self.kind == other.kind:
            return False
        return self.kind in ("*", "*/*") or other.kind.startswith(self.kind.removesuffix("*"))

    def covers(self, other: "MediaName") -> bool:
        """Say whether bodies of the other are bodies of this one too: ranges, and JSON over `vnd.x+json`, except for
        patches: `merge-patch+json` is how a resource changes, not what it is (RFC 5789 §2).
        """
        return self.ranges_over(other) or (
            "patch+" not in other.kind
            and other.kind.endswith(f"+{self.kind.partition('/')[2]}")
            and other.kind.partition("/")[0] == self.kind.partition("/")[0]
        )


@lru_cache(maxsize=1024)
def parse_media_name(written: str) -> MediaName:
    """Return a media type as written, read."""
    kind, *rest = written.split(";")
    pairs = (part.partition("=") for part in rest if part.strip())
    return MediaName(
        kind=kind.strip().lower(),
        parameters=frozenset(_normalise_parameter(name, value) for name, _, value in pairs),
    )


def _normalise_parameter(name: str, value: str) -> tuple[str, str]:
    name, value = name.strip().lower(), value.strip().strip('"')
    return name, value.lower() if name == "charset" else value


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaMatching:
    """The matched media types of a body.

    `respelled` differ in their parameters. In `widened` the new one covers the old, in `narrowed` the old one
    covers the new. `absorbed` were removed but match a range that is kept or took the place of another one, or are a
    kept one in other words; `listed` were added and matched one.
    """

    kept: tuple[tuple[MediaType, MediaType], ...]
    respelled: tuple[tuple[MediaType, MediaType], ...]
    widened: tuple[tuple[MediaType, MediaType], ...]
    narrowed: tuple[tuple[MediaType, MediaType], ...]
    absorbed: tuple[tuple[MediaType, MediaType], ...]
    listed: tuple[tuple[MediaType, MediaType], ...]
    removed: tuple[MediaType, ...]
    added: tuple[MediaType, ...]

    @property
    def pairs(self) -> tuple[tuple[MediaType, MediaType], ...]:
        """Return the media types whose schemas are to be compared."""
        return (
            *self.kept,
            *self.respelled,
            *self.widened,
            *self.narrowed,
            *self.absorbed,
            *self.listed,
        )


def match_media(old: Sequence[MediaType], new: Sequence[MediaType]) -> MediaMatching:
    """Return which media types belong together."""
    left, right = list(old), list(new)
    kept = _take_pairs_by_key(left, right, lambda media_type: parse_media_name(media_type.name))
    respelled = _take_pairs_by_key(left, right, lambda media_type: parse_media_name(media_type.name).kind)
    widened = _take_related_pairs(left, right, lambda first, other: _covers(other, first))
    narrowed = _take_related_pairs(left, right, _covers)
    kept_new = [other for _, other in (*kept, *respelled)]
    kept_old = [media_type for media_type, _ in (*kept, *respelled)]
    wider_new = [*kept_new, *(other for _, other in widened)]
    wider_old = [*kept_old, *(media_type for media_type, _ in narrowed)]
    absorbed = tuple(
        (media_type, two)
        for media_type in left
        if (two := _narrowest_range(media_type, wider_new)) is not None
    )
    listed = tuple(
        (two, media_type)
        for media_type in right
        if (two := _narrowest_range(media_type, wider_old)) is not None
    )
    broadened = tuple(
        (two, media_type)
        for media_type in right
        if (two := _first_in_range(media_type, kept_old)) is not None
    )
    limited = tuple(
        (media_type, two) for media_type in left if (two := _first_in_range(media_type, kept_new)) is not None
    )
    paired_old = [id(media_type) for media_type, _ in (*absorbed, *limited)]
    paired_new = [id(media_type) for _, media_type in (*listed, *broadened)]
    return MediaMatching(
        kept=tuple(kept),
        respelled=tuple(respelled),
        widened=(*widened, *broadened),
        narrowed=(*narrowed, *limited),
        absorbed=absorbed,
        listed=listed,
        removed=tuple(media_type for media_type in left if id(media_type) not in paired_old),
        added=tuple(media_type for media_type in right if id(media_type) not in paired_new),
    )


def _take_pairs_by_key(
    left: list[MediaType], right: list[MediaType], key: Callable[[MediaType], Hashable]
) -> list[tuple[MediaType, MediaType]]:
    """Return the pairs with the same key, and take them out of both lists."""
    return _take_related_pairs(left, right, lambda first, other: key(first) == key(other))


def _take_related_pairs(
    left: list[MediaType], right: list[MediaType], belongs: Callable[[MediaType, MediaType], bool]
) -> list[tuple[MediaType, MediaType]]:
    """Return the pairs that belong together, each used once, and take them out of both lists."""
    pairs = []
    for media_type in tuple(left):
        other = next((other for other in right if belongs(media_type, other)), None)
        if other is not None:
            pairs.append((media_type, other))
            left.remove(media_type)
            right.remove(other)
    return pairs


def _covers(first: MediaType, other: MediaType) -> bool:
    return parse_media_name(first.name).covers(parse_media_name(other.name))


def _narrowest_range(media_type: MediaType, others: Sequence[MediaType]) -> MediaType | None:
    """Return the narrowest of the ranges that a media type is in, or one that only names the charset of JSON."""
    name = parse_media_name(media_type.name)
    same = next((other for other in others if parse_media_name(other.name).is_same_json(name)), None)
    if same is not None:
        return same
    ranges = [other for other in others if parse_media_name(other.name).ranges_over(name)]
    return max(ranges, key=lambda other: len(parse_media_name(other.name).kind), default=None)


def _first_in_range(media_type: MediaType, others: Sequence[MediaType]) -> MediaType | None:
    """Return the first media type that a range holds."""
    name = parse_media_name(media_type.name)
    return next((other for other in others if name.ranges_over(parse_media_name(other.name))), None)
