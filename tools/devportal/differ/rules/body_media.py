"""Rules of the media types of request bodies."""

from collections.abc import Iterator

from devportal.differ.pairs.content import ContentPair, MediaPair
from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict
from devportal.differ.rules.media import (
    MEDIA_TYPE_WAIVER,
    SCHEMA_WAIVER,
    added_media_type,
    changed_media_type,
    charset_verdict,
    differing_parameters,
    media_type_narrowed,
    media_type_removed,
    media_type_widened,
    schema_added,
    schema_removed,
)
from devportal.translation import gettext_noop

_B, _R, _C, _N = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE, Verdict.DOCUMENTATION
_VERSION_PARAMETERS = frozenset({"version", "v", "ver", "api-version"})


def _media_type_added(pair: ContentPair) -> Iterator[FoundChange]:
    for media_type in pair.matching.added:
        yield added_media_type(pair, media_type)


def _parameter_changed(pair: ContentPair) -> Iterator[FoundChange]:
    for old, new in pair.matching.respelled:
        is_version = bool(differing_parameters(old, new) & _VERSION_PARAMETERS)
        verdict = _B if is_version else charset_verdict(old, new, pair.direction)
        yield changed_media_type(old, new, verdict=verdict)


BODY_CONTENT_RULES: tuple[Rule[ContentPair], ...] = (
    Rule(
        id="body.media.removed",
        area=Area.BODY,
        action=Action.REMOVED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the request body can no longer be %(old)s"),
        find=media_type_removed,
        mirror="body.media.added",
        waiver=MEDIA_TYPE_WAIVER,
    ),
    Rule(
        id="body.media.added",
        area=Area.BODY,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_R,
        says=gettext_noop("the request body can also be %(new)s"),
        find=_media_type_added,
        mirror="body.media.removed",
        waiver=MEDIA_TYPE_WAIVER,
    ),
    Rule(
        id="body.media.widened",
        area=Area.BODY,
        action=Action.WIDENED,
        to_provider=_C,
        to_consumer=_B,
        says=gettext_noop("the request body can be %(new)s, not only %(old)s"),
        find=media_type_widened,
        mirror="body.media.narrowed",
    ),
    Rule(
        id="body.media.narrowed",
        area=Area.BODY,
        action=Action.NARROWED,
        to_provider=_B,
        to_consumer=_C,
        says=gettext_noop("the request body can now only be %(new)s (was %(old)s)"),
        find=media_type_narrowed,
        mirror="body.media.widened",
    ),
    Rule(
        id="body.media.param.changed",
        area=Area.BODY,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("the media type of the request body is %(new)s instead of %(old)s"),
        find=_parameter_changed,
    ),
)

BODY_MEDIA_RULES: tuple[Rule[MediaPair], ...] = (
    Rule(
        id="body.media.schema.added",
        area=Area.BODY,
        action=Action.ADDED,
        to_provider=_B,
        to_consumer=_C,
        says=gettext_noop("the request body as %(new)s must now match a schema; anything was allowed before"),
        find=schema_added,
        mirror="body.media.schema.removed",
        waiver=SCHEMA_WAIVER,
    ),
    Rule(
        id="body.media.schema.removed",
        area=Area.BODY,
        action=Action.REMOVED,
        to_provider=_C,
        to_consumer=_R,
        says=gettext_noop("the request body as %(new)s can now be anything; it had to match a schema before"),
        find=schema_removed,
        mirror="body.media.schema.added",
        waiver=SCHEMA_WAIVER,
    ),
)
