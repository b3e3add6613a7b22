"""Rules of how the parts of form and multipart bodies are written (OAS 3.0.3 §4.7.15)."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from devportal.differ.match.media_types import MediaName
from devportal.differ.pairs.encoding_pair import EncodingPair, explode_of, style_of
from devportal.differ.pairs.parameter_pair import serialise_alike
from devportal.differ.pairs.written_examples import rewritten_example, write_field
from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict
from devportal.differ.rules.part_changes import change_between
from devportal.translation import gettext_noop

_B, _C = Verdict.BREAKING, Verdict.COMPATIBLE


def _type_narrowed(pair: EncodingPair) -> Iterator[FoundChange]:
    """Yield the content types that a part can no longer have; others that it has now break whoever reads it."""
    old, new = pair.old_types, pair.new_types
    if _has_content_type(pair) and not _are_covered(old, new):
        found = _content_type_change(pair)
        yield found if _are_covered(new, old) else replace(found, verdict=_B)


def _type_widened(pair: EncodingPair) -> Iterator[FoundChange]:
    old, new = pair.old_types, pair.new_types
    if _has_content_type(pair) and _are_covered(old, new) and not _are_covered(new, old):
        yield _content_type_change(pair)


def _has_content_type(pair: EncodingPair) -> bool:
    """Return whether a contract declares media types; otherwise they follow from the schema, which has its
    own rules.
    """
    return bool(pair.old.content_type or pair.new.content_type)


def _are_covered(types: Iterable[MediaName], others: Iterable[MediaName]) -> bool:
    return all(
        any(other == type_ or other.is_same_json(type_) or other.ranges_over(type_) for other in others)
        for type_ in types
    )


def _content_type_change(pair: EncodingPair) -> FoundChange:
    return _encoding_change(
        pair, old=_format_media_types(pair.old_types), new=_format_media_types(pair.new_types)
    )


def _format_media_types(types: Iterable[MediaName]) -> str:
    return ", ".join(sorted(str(type_) for type_ in types))


def _style_changed(pair: EncodingPair) -> Iterator[FoundChange]:
    old, new = style_of(pair.old), style_of(pair.new)
    if old != new and pair.has_style and not _is_written_alike(pair):
        yield replace(_encoding_change(pair, old=old, new=new), reason=_example_of_rewriting(pair))


def _explode_changed(pair: EncodingPair) -> Iterator[FoundChange]:
    if style_of(pair.old) == style_of(pair.new) and pair.has_style and not _is_written_alike(pair):
        found = _encoding_change(pair, old=explode_of(pair.old), new=explode_of(pair.new))
        yield replace(found, reason=_example_of_rewriting(pair))


def _example_of_rewriting(pair: EncodingPair) -> str:
    name = pair.old.property_name or pair.new.property_name
    old, new = (
        replace(encoding, property_name=name, style=style_of(encoding)) for encoding in (pair.old, pair.new)
    )
    return rewritten_example(pair.kinds, partial(write_field, old), partial(write_field, new))


def _is_written_alike(pair: EncodingPair) -> bool:
    return serialise_alike(
        pair.kinds,
        style_of(pair.old),
        style_of(pair.new),
        old_explode=explode_of(pair.old),
        new_explode=explode_of(pair.new),
    )


def _allow_reserved_changed(pair: EncodingPair, *, is_on: bool) -> Iterator[FoundChange]:
    old, new = pair.old.allow_reserved, pair.new.allow_reserved
    if old is not new and new is is_on and pair.media.new_name.is_form:
        yield _encoding_change(pair, old=old, new=new)


def _encoding_change(pair: EncodingPair, *, old: object, new: object) -> FoundChange:
    return change_between(pair.media.old, pair.media.new, old=old, new=new)


ENCODING_RULES: tuple[Rule[EncodingPair], ...] = (
    Rule(
        id="body.encoding.content-type.narrowed",
        area=Area.BODY,
        action=Action.NARROWED,
        to_provider=_B,
        to_consumer=_C,
        says=gettext_noop("the content type of the part can now only be %(new)s (was %(old)s)"),
        find=_type_narrowed,
        mirror="body.encoding.content-type.widened",
    ),
    Rule(
        id="body.encoding.content-type.widened",
        area=Area.BODY,
        action=Action.WIDENED,
        to_provider=_C,
        to_consumer=_B,
        says=gettext_noop("the content type of the part can be %(new)s, not only %(old)s"),
        find=_type_widened,
        mirror="body.encoding.content-type.narrowed",
    ),
    Rule(
        id="body.encoding.style.changed",
        area=Area.BODY,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the style of the part is %(new)s instead of %(old)s"),
        find=_style_changed,
    ),
    Rule(
        id="body.encoding.explode.changed",
        area=Area.BODY,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("explode of the part is %(new)s instead of %(old)s"),
        find=_explode_changed,
    ),
    Rule(
        id="body.encoding.allow-reserved.on",
        area=Area.BODY,
        action=Action.WIDENED,
        to_provider=_C,
        to_consumer=_B,
        says=gettext_noop("the part can now contain reserved characters without encoding"),
        find=partial(_allow_reserved_changed, is_on=True),
        mirror="body.encoding.allow-reserved.off",
    ),
    Rule(
        id="body.encoding.allow-reserved.off",
        area=Area.BODY,
        action=Action.NARROWED,
        to_provider=_B,
        to_consumer=_C,
        says=gettext_noop("the part can no longer contain reserved characters without encoding"),
        find=partial(_allow_reserved_changed, is_on=False),
        mirror="body.encoding.allow-reserved.on",
    ),
)
