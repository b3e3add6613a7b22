"""What differs in a body, one media type after the other: the same for requests, responses and events."""

from collections.abc import Iterator

from devportal.differ import fields
from devportal.differ.applying import applied
from devportal.differ.content import ContentPair, MediaPair
from devportal.differ.pair import Position
from devportal.differ.rule import Rule
from devportal.differ.sites import Found, Site


def media_findings(
    pair: ContentPair,
    site: Site,
    rules: tuple[Rule[ContentPair], ...],
    each: tuple[Rule[MediaPair], ...],
    *,
    is_required: bool = True,
) -> Iterator[Found]:
    """Yield everything that is found in a body, given the rules of all its media types and of each."""
    yield from applied(rules, pair, site)
    for one in media_pairs(pair):
        place = media_site(site, one, pair)
        yield from applied(each, one, place)
        is_respelled = one.is_free and (one.old.schema is None or one.new.schema is None)
        if not (one.gets_schema or one.loses_schema or is_respelled):
            yield from _judged(one, place, is_required=is_required)


def media_pairs(pair: ContentPair) -> Iterator[MediaPair]:
    """Yield the media types that both contracts have."""
    for old, new in pair.matching.pairs:
        yield MediaPair(old=old, new=new, direction=pair.direction, operation=pair.operation)


def media_site(site: Site, one: MediaPair, pair: ContentPair) -> Site:
    """Return the place of one media type: named where the body has several in one contract at least."""
    is_one_of_several = len(pair.old) > 1 or len(pair.new) > 1
    return site.at(f"({one.new.name})" if is_one_of_several else "", one.old.stability)


def _judged(one: MediaPair, site: Site, *, is_required: bool) -> Iterator[Found]:
    contracts = one.operation.contracts
    position = Position(
        one.direction,
        is_text=one.old_name.is_text and one.new_name.is_text,
        is_xml=one.old_name.is_xml or one.new_name.is_xml,
        is_form=one.old_name.is_form and one.new_name.is_form,
        is_required=is_required,
    )
    for step, old, new in (
        ("", one.old.schema, one.new.schema),
        (fields.ITEMS, one.old.item_schema, one.new.item_schema),
    ):
        judged = contracts.judged(old, new, position)
        if judged is not None:
            yield Found(site=site.at(step), judged=judged)
