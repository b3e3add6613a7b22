"""What differs in the headers of responses, and of the parts of multipart bodies."""

from collections.abc import Iterator
from dataclasses import replace

from devportal.contract import Header, Location, Response, Stability
from devportal.differ.applying import applied
from devportal.differ.encoding_pair import EncodingPair
from devportal.differ.header_pair import HeaderPair, paired, schema_of
from devportal.differ.lifecycle import Life, LifePair, Removal
from devportal.differ.parts import OperationPair
from devportal.differ.places import within
from devportal.differ.rule import Rule
from devportal.differ.rules.headers import (
    PART_HEADER_RULES,
    RESPONSE_HEADER_REMOVED,
    RESPONSE_HEADER_RULES,
)
from devportal.differ.rules.lifecycle import LIFE_RULES
from devportal.differ.rules.removals import REMOVAL_RULES
from devportal.differ.sites import Found, Site


def response_header_findings(
    old: Response, new: Response, pair: OperationPair, site: Site
) -> Iterator[Found]:
    """Yield everything that is found in the headers of a response."""
    for before, after in paired(old.headers, new.headers):
        header = HeaderPair(
            old=before,
            new=after,
            old_location=old.location,
            new_location=new.location,
            direction=pair.sends.opposite,
            operation=pair,
        )
        place = _at(site, header)
        removal = _removal(header, site.stability)
        if removal is not None and removal.is_told:
            yield from applied(REMOVAL_RULES, removal, place)
        else:
            yield from applied(RESPONSE_HEADER_REMOVED, header, place)
        yield from _compared(header, RESPONSE_HEADER_RULES, place)


def part_header_findings(encoding: EncodingPair, site: Site) -> Iterator[Found]:
    """Yield everything that is found in the headers of a part."""
    media = encoding.media
    for before, after in paired(encoding.old.headers, encoding.new.headers):
        header = HeaderPair(
            old=before,
            new=after,
            old_location=media.old.location,
            new_location=media.new.location,
            direction=media.direction,
            operation=media.operation,
        )
        yield from _compared(header, PART_HEADER_RULES, _at(site, header))


def _compared(header: HeaderPair, rules: tuple[Rule[HeaderPair], ...], site: Site) -> Iterator[Found]:
    yield from applied(rules, header, site)
    old, new = header.old, header.new
    if old is None or new is None or not header.is_readable:
        return
    site = site.at(header.step)
    lives = LifePair(
        old=_life(old, old.location, site.stability),
        new=_life(new, new.location, site.stability),
        policy=header.operation.policy,
    )
    yield from applied(LIFE_RULES, lives, site)
    judged = header.operation.contracts.judged(schema_of(old), schema_of(new), header.position)
    if judged is not None and not header.changes_notation:
        yield Found(site=site, judged=judged)


def _removal(header: HeaderPair, stability: Stability) -> Removal | None:
    if header.old is None or header.new is not None:
        return None
    life = _life(header.old, within(header.old.location, header.old_location), stability)
    return Removal(life=life, name=header.name, at=header.step, policy=header.operation.policy)


def _life(header: Header, location: Location, stability: Stability) -> Life:
    return Life(
        is_deprecated=header.deprecated,
        sunset=header.sunset,
        stability=header.stability or stability,
        location=location,
    )


def _at(site: Site, header: HeaderPair) -> Site:
    """Return the place of a header, but for the step to it: hits bring it, since what a header is gone from
    may be shared.
    """
    told = header.old or header.new
    place = site.at("", told.stability if told is not None else None)
    return replace(place, direction=header.direction)
