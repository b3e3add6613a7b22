"""Rules of media types: the same for request bodies and responses, but for ids and verdicts."""

from collections.abc import Iterator

from devportal.contract import MediaType
from devportal.differ.content import ContentPair, MediaPair
from devportal.differ.media_types import media_name
from devportal.differ.rule import Action, Area, Hit, Rule
from devportal.differ.rules.hits import between
from devportal.differ.verdict import Direction, Verdict

_B, _R, _C, _N = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE, Verdict.DOCUMENTATION
_VERSIONS = frozenset({"version", "v", "ver", "api-version"})


def _removed(pair: ContentPair) -> Iterator[Hit]:
    for one in pair.matching.removed:
        yield Hit(
            old=one.name,
            old_location=one.location,
            new_location=pair.new_location,
            hint=_instead(pair.new),
            stability=one.stability,
        )


def _instead(left: tuple[MediaType, ...]) -> str:
    return f"use {' or '.join(one.name for one in left)}" if left else ""


def _body_added(pair: ContentPair) -> Iterator[Hit]:
    for one in pair.matching.added:
        yield _added_hit(pair, one)


def _response_added(pair: ContentPair) -> Iterator[Hit]:
    is_sent_back = pair.direction is Direction.TO_CONSUMER
    for one in pair.matching.added:
        if is_sent_back and pair.is_first(one):
            reason = "it is listed first, and so what a caller without Accept may get"
            yield _added_hit(pair, one, verdict=_R, reason=reason)
        else:
            yield _added_hit(pair, one)


def _added_hit(
    pair: ContentPair, added: MediaType, *, verdict: Verdict | None = None, reason: str = ""
) -> Hit:
    return Hit(
        new=added.name,
        old_location=pair.old_location,
        new_location=added.location,
        verdict=verdict,
        reason=reason,
    )


def _widened(pair: ContentPair) -> Iterator[Hit]:
    for old, new in pair.matching.widened:
        yield _changed_hit(old, new)


def _narrowed(pair: ContentPair) -> Iterator[Hit]:
    for old, new in pair.matching.narrowed:
        yield _changed_hit(old, new)


def _body_parameter_changed(pair: ContentPair) -> Iterator[Hit]:
    for old, new in pair.matching.respelled:
        is_version = bool(_differing(old, new) & _VERSIONS)
        yield _changed_hit(old, new, verdict=_B if is_version else None)


def _response_parameter_changed(pair: ContentPair) -> Iterator[Hit]:
    for old, new in pair.matching.respelled:
        yield _changed_hit(old, new, verdict=_N if _differing(old, new) == {"charset"} else None)


def _differing(old: MediaType, new: MediaType) -> set[str]:
    """Return the names of the parameters that differ."""
    return {name for name, _ in media_name(old.name).parameters ^ media_name(new.name).parameters}


def _changed_hit(old: MediaType, new: MediaType, *, verdict: Verdict | None = None) -> Hit:
    return between(old, new, old=old.name, new=new.name, verdict=verdict, stability=old.stability)


def _schema_added(pair: MediaPair) -> Iterator[Hit]:
    if pair.gets_schema:
        yield _changed_hit(pair.old, pair.new)


def _schema_removed(pair: MediaPair) -> Iterator[Hit]:
    if pair.loses_schema:
        yield _changed_hit(pair.old, pair.new)


_ASKED_FOR = "a media type is chosen by the caller, who loses one that goes and ignores one that comes"
_UNTYPED = "what is no longer described may still be what it was"

BODY_CONTENT_RULES: tuple[Rule[ContentPair], ...] = (
    Rule(
        id="body.media.removed",
        area=Area.BODY,
        action=Action.REMOVED,
        to_provider=_B,
        to_consumer=_B,
        says="the body may no longer be {old}",
        find=_removed,
        mirror="body.media.added",
        waiver=_ASKED_FOR,
    ),
    Rule(
        id="body.media.added",
        area=Area.BODY,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_R,
        says="the body may be {new} as well",
        find=_body_added,
        mirror="body.media.removed",
        waiver=_ASKED_FOR,
    ),
    Rule(
        id="body.media.widened",
        area=Area.BODY,
        action=Action.WIDENED,
        to_provider=_C,
        to_consumer=_B,
        says="the body may be {new}, not only {old}",
        find=_widened,
        mirror="body.media.narrowed",
    ),
    Rule(
        id="body.media.narrowed",
        area=Area.BODY,
        action=Action.NARROWED,
        to_provider=_B,
        to_consumer=_C,
        says="the body may be {new} only, no longer {old}",
        find=_narrowed,
        mirror="body.media.widened",
    ),
    Rule(
        id="body.media.param.changed",
        area=Area.BODY,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says="the media type of the body is {new} instead of {old}",
        find=_body_parameter_changed,
    ),
)

BODY_MEDIA_RULES: tuple[Rule[MediaPair], ...] = (
    Rule(
        id="body.media.schema.added",
        area=Area.BODY,
        action=Action.ADDED,
        to_provider=_B,
        to_consumer=_C,
        says="the body as {new} has to keep a schema, where anything was accepted",
        find=_schema_added,
        mirror="body.media.schema.removed",
        waiver=_UNTYPED,
    ),
    Rule(
        id="body.media.schema.removed",
        area=Area.BODY,
        action=Action.REMOVED,
        to_provider=_C,
        to_consumer=_R,
        says="the body as {new} may be anything, where it had to keep a schema",
        find=_schema_removed,
        mirror="body.media.schema.added",
        waiver=_UNTYPED,
    ),
)

RESPONSE_CONTENT_RULES: tuple[Rule[ContentPair], ...] = (
    Rule(
        id="response.media.removed",
        area=Area.RESPONSE,
        action=Action.REMOVED,
        to_provider=_B,
        to_consumer=_B,
        says="the response no longer comes as {old}",
        find=_removed,
        mirror="response.media.added",
        waiver=_ASKED_FOR,
    ),
    Rule(
        id="response.media.added",
        area=Area.RESPONSE,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says="the response may come as {new}",
        find=_response_added,
        mirror="response.media.removed",
        waiver=_ASKED_FOR,
    ),
    Rule(
        id="response.media.widened",
        area=Area.RESPONSE,
        action=Action.WIDENED,
        to_provider=_C,
        to_consumer=_B,
        says="the response may come as {new}, not only as {old}",
        find=_widened,
        mirror="response.media.narrowed",
    ),
    Rule(
        id="response.media.narrowed",
        area=Area.RESPONSE,
        action=Action.NARROWED,
        to_provider=_B,
        to_consumer=_C,
        says="the response comes as {new}, no longer as {old} of other kinds",
        find=_narrowed,
        mirror="response.media.widened",
    ),
    Rule(
        id="response.media.param.changed",
        area=Area.RESPONSE,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says="the media type of the response is {new} instead of {old}",
        find=_response_parameter_changed,
    ),
)

RESPONSE_MEDIA_RULES: tuple[Rule[MediaPair], ...] = (
    Rule(
        id="response.media.schema.added",
        area=Area.RESPONSE,
        action=Action.ADDED,
        to_provider=_B,
        to_consumer=_C,
        says="the response as {new} keeps a schema, where it could be anything",
        find=_schema_added,
        mirror="response.media.schema.removed",
        waiver=_UNTYPED,
    ),
    Rule(
        id="response.media.schema.removed",
        area=Area.RESPONSE,
        action=Action.REMOVED,
        to_provider=_C,
        to_consumer=_R,
        says="the response as {new} may be anything, where it kept a schema",
        find=_schema_removed,
        mirror="response.media.schema.added",
        waiver=_UNTYPED,
    ),
)
