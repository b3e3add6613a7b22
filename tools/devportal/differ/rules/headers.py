"""Rules of headers: those of responses, and those of the parts of multipart bodies."""

from collections.abc import Iterator
from functools import partial

from devportal.contract import ABSENT, Header, Location
from devportal.differ.located_changes import location_or_parent
from devportal.differ.pairs.header_pair import HeaderPair
from devportal.differ.pairs.parameter_pair import serialise_alike
from devportal.differ.pairs.written_examples import rewritten_example, write_header
from devportal.differ.phrase import phrase
from devportal.differ.rule import Action, Area, Direction, FoundChange, Rule, Verdict, join_reasons
from devportal.differ.rules.part_changes import edited_texts
from devportal.differ.schemas.text_changes import comparable_examples
from devportal.translation import gettext_noop

_B, _R, _C, _N = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE, Verdict.DOCUMENTATION


def _header_added(pair: HeaderPair) -> Iterator[FoundChange]:
    new = pair.new
    if pair.old is None and new is not None:
        is_needed = new.required and pair.direction is Direction.TO_PROVIDER
        yield _header_change(pair, verdict=_B if is_needed else None)


def _required_header_added(pair: HeaderPair) -> Iterator[FoundChange]:
    if pair.new is not None and pair.new.required and not (pair.old is not None and pair.old.required):
        is_sent = pair.direction is Direction.TO_PROVIDER
        yield _header_change(pair, hint=phrase("send it with the part") if is_sent else "")


def _optional_header_added(pair: HeaderPair) -> Iterator[FoundChange]:
    if pair.old is None and pair.new is not None and not pair.new.required:
        yield _header_change(pair)


def _header_removed(pair: HeaderPair) -> Iterator[FoundChange]:
    if pair.old is not None and pair.new is None:
        is_missed = pair.old.required and pair.direction is Direction.TO_CONSUMER
        yield _header_change(
            pair, verdict=_B if is_missed else None, reason=phrase("it was always sent") if is_missed else ""
        )


def _header_became(pair: HeaderPair, *, is_required: bool) -> Iterator[FoundChange]:
    old, new = pair.old, pair.new
    if old is not None and new is not None and old.required is not new.required is is_required:
        yield _header_change(pair)


def _notation_changed(pair: HeaderPair) -> Iterator[FoundChange]:
    if pair.changes_notation:
        yield _header_change(pair, old=_notation_name(pair.old), new=_notation_name(pair.new))


def _notation_name(header: Header | None) -> str:
    return header.content.name if header is not None and header.content is not None else phrase("plain text")


def _explode_changed(pair: HeaderPair) -> Iterator[FoundChange]:
    old, new = pair.old, pair.new
    if old is None or new is None or not pair.is_readable or old.content is not None:
        return
    if not serialise_alike(pair.kinds, "simple", "simple", old_explode=old.explode, new_explode=new.explode):
        reason = rewritten_example(pair.kinds, partial(write_header, old), partial(write_header, new))
        yield _header_change(pair, old=old.explode, new=new.explode, reason=reason)


def _text_changed(pair: HeaderPair) -> Iterator[FoundChange]:
    texts = edited_texts(_texts(pair.old), _texts(pair.new)) if pair.old and pair.new else ""
    if texts:
        yield _header_change(pair, texts=texts)


def _texts(header: Header) -> dict[str, object]:
    content = header.content.examples if header.content is not None else ()
    return {
        phrase("description"): header.description,
        phrase("examples"): comparable_examples((*header.examples, *content)),
    }


def _header_change(
    pair: HeaderPair,
    *,
    old: object = ABSENT,
    new: object = ABSENT,
    verdict: Verdict | None = None,
    reason: str = "",
    hint: str = "",
    texts: str = "",
) -> FoundChange:
    return FoundChange(
        old=pair.old.name if old is ABSENT and pair.new is None and pair.old is not None else old,
        new=pair.new.name if new is ABSENT and pair.old is None and pair.new is not None else new,
        at=pair.step,
        old_location=_part_location(pair.old, pair.old_location, pair.new),
        new_location=_part_location(pair.new, pair.new_location, pair.old),
        verdict=verdict,
        reason=join_reasons(pair.rename.reason(is_removed=pair.new is None) if pair.rename else "", reason),
        hint=hint,
        names={"name": pair.name, "texts": texts},
    )


def _part_location(header: Header | None, parent: Location, other: Header | None) -> Location:
    """Return where a header is written; one that only this contract has belongs to what has it."""
    if header is None:
        return parent
    return header.location if other is not None else location_or_parent(header.location, parent)


_WAIVER = "a header that nobody reads harms nobody, one that is missing may"

RESPONSE_HEADER_RULES: tuple[Rule[HeaderPair], ...] = (
    Rule(
        id="response.header.added",
        area=Area.RESPONSE,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("the response header %(name)s is added"),
        find=_header_added,
        mirror="response.header.removed",
        waiver=_WAIVER,
    ),
    Rule(
        id="response.header.became-optional",
        area=Area.RESPONSE,
        action=Action.WIDENED,
        to_provider=_C,
        to_consumer=_B,
        says=gettext_noop("the response header %(name)s is now optional"),
        find=partial(_header_became, is_required=False),
        mirror="response.header.became-required",
    ),
    Rule(
        id="response.header.became-required",
        area=Area.RESPONSE,
        action=Action.NARROWED,
        to_provider=_B,
        to_consumer=_C,
        says=gettext_noop("the response header %(name)s is now always sent"),
        find=partial(_header_became, is_required=True),
        mirror="response.header.became-optional",
    ),
    Rule(
        id="response.header.schema-to-content",
        area=Area.RESPONSE,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the response header %(name)s is now serialised as %(new)s instead of %(old)s"),
        find=_notation_changed,
    ),
    Rule(
        id="response.header.explode.changed",
        area=Area.RESPONSE,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("explode of the response header %(name)s is %(new)s instead of %(old)s"),
        find=_explode_changed,
    ),
    Rule(
        id="response.header.text.changed",
        area=Area.RESPONSE,
        action=Action.CHANGED,
        to_provider=_N,
        to_consumer=_N,
        says=gettext_noop("the documentation of the response header %(name)s is changed (%(texts)s)"),
        find=_text_changed,
    ),
)

RESPONSE_HEADER_REMOVED: tuple[Rule[HeaderPair], ...] = (
    Rule(
        id="response.header.removed",
        area=Area.RESPONSE,
        action=Action.REMOVED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("the response header %(name)s is removed"),
        find=_header_removed,
        mirror="response.header.added",
        waiver=_WAIVER,
    ),
)
"""Apart from the others: a sunset may take its place."""

PART_HEADER_RULES: tuple[Rule[HeaderPair], ...] = (
    Rule(
        id="body.encoding.header.required-added",
        area=Area.BODY,
        action=Action.NARROWED,
        to_provider=_B,
        to_consumer=_C,
        says=gettext_noop("the required header %(name)s of the part is added"),
        find=_required_header_added,
        mirror="body.encoding.header.became-optional",
    ),
    Rule(
        id="body.encoding.header.optional-added",
        area=Area.BODY,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("the optional header %(name)s of the part is added"),
        find=_optional_header_added,
        mirror="body.encoding.header.removed",
        waiver=_WAIVER,
    ),
    Rule(
        id="body.encoding.header.became-optional",
        area=Area.BODY,
        action=Action.WIDENED,
        to_provider=_C,
        to_consumer=_B,
        says=gettext_noop("the header %(name)s of the part is now optional"),
        find=partial(_header_became, is_required=False),
        mirror="body.encoding.header.required-added",
    ),
    Rule(
        id="body.encoding.header.removed",
        area=Area.BODY,
        action=Action.REMOVED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("the header %(name)s of the part is removed"),
        find=_header_removed,
        mirror="body.encoding.header.optional-added",
        waiver=_WAIVER,
    ),
    Rule(
        id="body.encoding.header.text.changed",
        area=Area.BODY,
        action=Action.CHANGED,
        to_provider=_N,
        to_consumer=_N,
        says=gettext_noop("the documentation of the header %(name)s of the part is changed (%(texts)s)"),
        find=_text_changed,
    ),
)
