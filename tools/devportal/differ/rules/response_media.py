"""Rules of the media types of responses."""

from collections.abc import Iterator

from devportal.differ.pairs.content import ContentPair, MediaPair
from devportal.differ.phrase import phrase
from devportal.differ.rule import Action, Area, Direction, FoundChange, Rule, Verdict
from devportal.differ.rules.media import (
    MEDIA_TYPE_WAIVER,
    SCHEMA_WAIVER,
    added_media_type,
    changed_media_type,
    charset_verdict,
    media_type_narrowed,
    media_type_removed,
    media_type_widened,
    schema_added,
    schema_removed,
)
from devportal.translation import gettext_noop

_B, _R, _C = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE


def _media_type_added(pair: ContentPair) -> Iterator[FoundChange]:
    is_sent_back = pair.direction is Direction.TO_CONSUMER
    for media_type in pair.matching.added:
        if is_sent_back and pair.is_first(media_type):
            reason = phrase("it is listed first, and so what a caller without Accept may get")
            yield added_media_type(pair, media_type, verdict=_R, reason=reason)
        else:
            yield added_media_type(pair, media_type)


def _parameter_changed(pair: ContentPair) -> Iterator[FoundChange]:
    for old, new in pair.matching.respelled:
        yield changed_media_type(old, new, verdict=charset_verdict(old, new, pair.direction))


RESPONSE_CONTENT_RULES: tuple[Rule[ContentPair], ...] = (
    Rule(
        id="response.media.removed",
        area=Area.RESPONSE,
        action=Action.REMOVED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the response is no longer sent as %(old)s"),
        find=media_type_removed,
        mirror="response.media.added",
        waiver=MEDIA_TYPE_WAIVER,
    ),
    Rule(
        id="response.media.added",
        area=Area.RESPONSE,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("the response can also be sent as %(new)s"),
        find=_media_type_added,
        mirror="response.media.removed",
        waiver=MEDIA_TYPE_WAIVER,
    ),
    Rule(
        id="response.media.widened",
        area=Area.RESPONSE,
        action=Action.WIDENED,
        to_provider=_C,
        to_consumer=_B,
        says=gettext_noop("the response can be sent as %(new)s, not only as %(old)s"),
        find=media_type_widened,
        mirror="response.media.narrowed",
    ),
    Rule(
        id="response.media.narrowed",
        area=Area.RESPONSE,
        action=Action.NARROWED,
        to_provider=_B,
        to_consumer=_C,
        says=gettext_noop("the response is now only sent as %(new)s (was %(old)s)"),
        find=media_type_narrowed,
        mirror="response.media.widened",
    ),
    Rule(
        id="response.media.param.changed",
        area=Area.RESPONSE,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("the media type of the response is %(new)s instead of %(old)s"),
        find=_parameter_changed,
    ),
)

RESPONSE_MEDIA_RULES: tuple[Rule[MediaPair], ...] = (
    Rule(
        id="response.media.schema.added",
        area=Area.RESPONSE,
        action=Action.ADDED,
        to_provider=_B,
        to_consumer=_C,
        says=gettext_noop("the response as %(new)s now matches a schema; it could be anything before"),
        find=schema_added,
        mirror="response.media.schema.removed",
        waiver=SCHEMA_WAIVER,
    ),
    Rule(
        id="response.media.schema.removed",
        area=Area.RESPONSE,
        action=Action.REMOVED,
        to_provider=_C,
        to_consumer=_R,
        says=gettext_noop("the response as %(new)s can now be anything; it matched a schema before"),
        find=schema_removed,
        mirror="response.media.schema.added",
        waiver=SCHEMA_WAIVER,
    ),
)
