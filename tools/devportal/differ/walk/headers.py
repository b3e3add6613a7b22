"""What differs in the headers of responses, and of the parts of multipart bodies."""

from collections.abc import Iterator
from dataclasses import replace

from devportal.contract import Header, Location, Response, Stability
from devportal.differ.located_changes import ChangeLocation, LocatedChange, apply_rules, location_or_parent
from devportal.differ.match.parameters import schema_of
from devportal.differ.pairs.encoding_pair import EncodingPair
from devportal.differ.pairs.header_pair import HeaderPair, header_renames, pair_headers
from devportal.differ.pairs.lifecycle import Lifecycle, LifecyclePair, Removal
from devportal.differ.part_pair import OperationPair
from devportal.differ.rule import Rule
from devportal.differ.rules.headers import (
    PART_HEADER_RULES,
    RESPONSE_HEADER_REMOVED,
    RESPONSE_HEADER_RULES,
)
from devportal.differ.rules.lifecycle import LIFECYCLE_RULES
from devportal.differ.rules.removals import REMOVAL_RULES


def response_header_findings(
    old: Response, new: Response, pair: OperationPair, location: ChangeLocation
) -> Iterator[LocatedChange]:
    """Yield everything that is found in the headers of a response."""
    renames = header_renames(old.headers, new.headers, pair)
    for before, after in pair_headers(old.headers, new.headers):
        header = HeaderPair(
            old=before,
            new=after,
            old_location=old.location,
            new_location=new.location,
            direction=pair.sends.opposite,
            rename=renames.of_names(before.name if before else "", after.name if after else ""),
            operation=pair,
        )
        header_location = _header_location(location, header)
        removal = _header_removal(header, location.stability)
        if removal is not None and removal.has_known_sunset:
            yield from apply_rules(REMOVAL_RULES, removal, header_location)
        else:
            yield from apply_rules(RESPONSE_HEADER_REMOVED, header, header_location)
        yield from _header_findings(header, RESPONSE_HEADER_RULES, header_location)


def part_header_findings(encoding: EncodingPair, location: ChangeLocation) -> Iterator[LocatedChange]:
    """Yield everything that is found in the headers of a part."""
    media = encoding.media
    renames = header_renames(encoding.old.headers, encoding.new.headers, media.operation)
    for before, after in pair_headers(encoding.old.headers, encoding.new.headers):
        header = HeaderPair(
            old=before,
            new=after,
            old_location=media.old.location,
            new_location=media.new.location,
            direction=media.direction,
            rename=renames.of_names(before.name if before else "", after.name if after else ""),
            operation=media.operation,
        )
        yield from _header_findings(header, PART_HEADER_RULES, _header_location(location, header))


def _header_findings(
    header: HeaderPair, rules: tuple[Rule[HeaderPair], ...], location: ChangeLocation
) -> Iterator[LocatedChange]:
    yield from apply_rules(rules, header, location)
    old, new = header.old, header.new
    if old is None or new is None or not header.is_readable:
        return
    location = location.at(header.step).written_at(old.location, new.location, "headers", new.name)
    lives = LifecyclePair(
        old=_header_lifecycle(old, old.location, location.stability),
        new=_header_lifecycle(new, new.location, location.stability),
        policy=header.operation.policy,
    )
    yield from apply_rules(LIFECYCLE_RULES, lives, location)
    schemas = header.operation.contracts.compare_schemas(schema_of(old), schema_of(new), header.position)
    if schemas is not None and not header.changes_notation:
        yield LocatedChange(location=location, schemas=schemas)


def _header_removal(header: HeaderPair, stability: Stability) -> Removal | None:
    if header.old is None or header.new is not None:
        return None
    life = _header_lifecycle(
        header.old, location_or_parent(header.old.location, header.old_location), stability
    )
    return Removal(lifecycle=life, name=header.name, at=header.step, policy=header.operation.policy)


def _header_lifecycle(header: Header, location: Location, stability: Stability) -> Lifecycle:
    return Lifecycle(
        is_deprecated=header.deprecated,
        sunset=header.sunset,
        stability=header.stability or stability,
        unknown_stability=header.unknown_stability,
        location=location,
    )


def _header_location(location: ChangeLocation, header: HeaderPair) -> ChangeLocation:
    """Return the location of a header without the step to it: found changes add it, since the parent of a
    removed header may be shared.
    """
    original = header.old or header.new
    header_location = location.at("", original.stability if original is not None else None)
    header_location = header_location.within(lambda part: part.of_header(header.old, header.new))
    return replace(header_location, direction=header.direction)
