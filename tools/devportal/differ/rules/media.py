"""What rules of media types find, the same in request bodies and in responses."""

from collections.abc import Iterator

from devportal.contract import MediaType, RequestBody, Response
from devportal.differ.match.media_types import parse_media_name
from devportal.differ.pairs.content import ContentPair, MediaPair
from devportal.differ.phrase import or_phrase, phrase
from devportal.differ.rule import Direction, FoundChange, Verdict
from devportal.differ.rules.part_changes import change_between

MEDIA_TYPE_WAIVER = "a media type is chosen by the caller, who loses one that goes and ignores one that comes"
SCHEMA_WAIVER = "what is no longer described may still be what it was"


def media_type_removed(pair: ContentPair) -> Iterator[FoundChange]:
    """Yield a change for each removed media type, with those that are left in its hint."""
    for media_type in pair.matching.removed:
        yield FoundChange(
            old=media_type.name,
            old_location=media_type.location,
            new_location=pair.new_location,
            hint=_replacement_hint(pair.new, pair.direction),
            stability=media_type.stability,
        )


def _replacement_hint(media_types: tuple[MediaType, ...], direction: Direction) -> str:
    types = or_phrase(media_type.name for media_type in media_types)
    if not types:
        return ""
    if direction is Direction.TO_PROVIDER:
        return phrase("use %(types)s", types=types)
    return phrase("accept %(types)s", types=types)


def added_media_type(
    pair: ContentPair, added: MediaType, *, verdict: Verdict | None = None, reason: str = ""
) -> FoundChange:
    """Return the change for an added media type."""
    return FoundChange(
        new=added.name,
        old_location=pair.old_location,
        new_location=added.location,
        verdict=verdict,
        reason=reason,
    )


def media_type_widened(pair: ContentPair) -> Iterator[FoundChange]:
    """Yield the media types that a wider one replaces."""
    for old, new in pair.matching.widened:
        yield changed_media_type(old, new)


def media_type_narrowed(pair: ContentPair) -> Iterator[FoundChange]:
    """Yield the media types that a narrower one replaces."""
    for old, new in pair.matching.narrowed:
        yield changed_media_type(old, new)


def differing_parameters(old: MediaType, new: MediaType) -> set[str]:
    """Return the names of the parameters that differ."""
    return {name for name, _ in parse_media_name(old.name).parameters ^ parse_media_name(new.name).parameters}


def charset_verdict(old: MediaType, new: MediaType, direction: Direction) -> Verdict | None:
    """Return the verdict on a changed charset, None for that of the rule: a provider that no longer asks for
    one still reads the old one. JSON is UTF-8, and a charset beside it has no effect (RFC 8259 §8.1, §11).
    """
    names = parse_media_name(old.name), parse_media_name(new.name)
    charsets = {dict(name.parameters).get("charset", "utf-8") for name in names}
    if differing_parameters(old, new) != {"charset"}:
        return None
    if names[1].is_json and charsets == {"utf-8"}:
        return Verdict.DOCUMENTATION
    is_gone = "charset" not in dict(names[1].parameters)
    return Verdict.COMPATIBLE if is_gone and direction is Direction.TO_PROVIDER else None


def changed_media_type(old: MediaType, new: MediaType, *, verdict: Verdict | None = None) -> FoundChange:
    """Return the change for a media type that is written differently."""
    return change_between(old, new, old=old.name, new=new.name, verdict=verdict, stability=old.stability)


def schema_added(pair: MediaPair) -> Iterator[FoundChange]:
    """Yield the media type that has a schema now."""
    if pair.gets_schema:
        yield changed_media_type(pair.old, pair.new)


def schema_removed(pair: MediaPair) -> Iterator[FoundChange]:
    """Yield the media type that has lost its schema."""
    if pair.loses_schema:
        yield changed_media_type(pair.old, pair.new)


def media_type_names(part: RequestBody | Response) -> str:
    """Return the names of the media types of a body or response, as a list in words."""
    return ", ".join(media_type.name for media_type in part.content)
