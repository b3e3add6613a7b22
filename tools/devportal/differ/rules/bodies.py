"""Rules of request bodies as a whole."""

from collections.abc import Iterator
from functools import partial

from devportal.differ.located_changes import location_or_parent
from devportal.differ.match.media_types import match_media
from devportal.differ.part_pair import BodyPair
from devportal.differ.phrase import phrase
from devportal.differ.policy import UnknownInput
from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict
from devportal.differ.rules.media import media_type_names
from devportal.differ.rules.part_changes import change_between, edited_texts, examples_of_media
from devportal.translation import gettext_noop

_B, _R, _C, _N = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE, Verdict.DOCUMENTATION


def _body_added(pair: BodyPair, *, is_required: bool) -> Iterator[FoundChange]:
    if pair.old is None and pair.new is not None and pair.new.required is is_required:
        yield FoundChange(
            new=media_type_names(pair.new),
            old_location=pair.operation.old.location,
            new_location=location_or_parent(pair.new.location, pair.operation.new.location),
            hint=phrase("send a body with every request")
            if is_required and not pair.operation.is_event
            else "",
        )


def _body_removed(pair: BodyPair) -> Iterator[FoundChange]:
    old = pair.old
    if old is None or pair.new is not None:
        return
    is_ignored = not (
        pair.operation.is_event
        or old.required
        or pair.operation.policy.unknown_input is UnknownInput.REJECTED
    )
    yield FoundChange(
        old=media_type_names(old),
        old_location=location_or_parent(old.location, pair.operation.old.location),
        new_location=pair.operation.new.location,
        verdict=_R if is_ignored else None,
        reason=phrase("it was optional, and servers may ignore bodies that they do not expect")
        if is_ignored
        else "",
        hint="" if pair.operation.is_event else phrase("stop sending a body"),
    )


def _body_became(pair: BodyPair, *, is_required: bool) -> Iterator[FoundChange]:
    old, new = pair.old, pair.new
    if old is None or new is None or old.broken or new.broken:
        return
    if old.required is not new.required is is_required:
        yield change_between(old, new)


def _text_changed(pair: BodyPair) -> Iterator[FoundChange]:
    old, new = pair.old, pair.new
    if old is None or new is None or old.broken or new.broken:
        return
    pairs = match_media(old.content, new.content).pairs
    texts = edited_texts(
        {
            phrase("description"): old.description,
            phrase("examples"): examples_of_media(first for first, _ in pairs),
        },
        {
            phrase("description"): new.description,
            phrase("examples"): examples_of_media(other for _, other in pairs),
        },
    )
    if texts:
        yield change_between(old, new, names={"texts": texts})


def _reference_unreadable(pair: BodyPair) -> Iterator[FoundChange]:
    """A reference that cannot be followed leaves open what the body may be."""
    old, new = pair.old, pair.new
    if old is not None and new is not None and old.broken != new.broken:
        yield change_between(
            old, new, old=old.broken or media_type_names(old), new=new.broken or media_type_names(new)
        )


BODY_RULES: tuple[Rule[BodyPair], ...] = (
    Rule(
        id="body.added.required",
        area=Area.BODY,
        action=Action.ADDED,
        to_provider=_B,
        to_consumer=_C,
        says=gettext_noop("a required request body is added"),
        find=partial(_body_added, is_required=True),
        mirror="body.removed",
        waiver="a body that was promised is missed on either side",
    ),
    Rule(
        id="body.added.optional",
        area=Area.BODY,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("an optional request body is added"),
        find=partial(_body_added, is_required=False),
        mirror="body.removed",
        waiver="a body that may be left out is missed by nobody who never sent one",
    ),
    Rule(
        id="body.removed",
        area=Area.BODY,
        action=Action.REMOVED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the request body %(old)s is removed"),
        find=_body_removed,
        mirror="body.added.required",
        waiver="a body that was promised is missed on either side",
    ),
    Rule(
        id="body.became-required",
        area=Area.BODY,
        action=Action.NARROWED,
        to_provider=_B,
        to_consumer=_C,
        says=gettext_noop("the request body is now required"),
        find=partial(_body_became, is_required=True),
        mirror="body.became-optional",
    ),
    Rule(
        id="body.became-optional",
        area=Area.BODY,
        action=Action.WIDENED,
        to_provider=_C,
        to_consumer=_B,
        says=gettext_noop("the request body is now optional"),
        find=partial(_body_became, is_required=False),
        mirror="body.became-required",
    ),
    Rule(
        id="body.unreadable",
        area=Area.BODY,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("the request body is %(new)s instead of %(old)s, and one of them cannot be read"),
        find=_reference_unreadable,
    ),
    Rule(
        id="body.text.changed",
        area=Area.BODY,
        action=Action.CHANGED,
        to_provider=_N,
        to_consumer=_N,
        says=gettext_noop("the documentation of the request body is changed (%(texts)s)"),
        find=_text_changed,
    ),
)
