"""What differs in how the parts of form and multipart bodies are written."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from devportal.contract import Encoding, MediaType
from devportal.differ import change
from devportal.differ.contract_sources import schemas_of
from devportal.differ.located_changes import ChangeLocation, LocatedChange, apply_rules
from devportal.differ.match.media_types import parse_media_name
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.pairs.content import MediaPair
from devportal.differ.pairs.encoding_pair import EncodingPair
from devportal.differ.phrase import phrase
from devportal.differ.rule import Verdict
from devportal.differ.rules.encodings import ENCODING_RULES
from devportal.differ.schemas.position import Schemas, Side
from devportal.differ.walk.headers import part_header_findings


def encoding_findings(
    media: MediaPair, location: ChangeLocation, *, is_request: bool = True
) -> Iterator[LocatedChange]:
    """Yield everything that is found in the encodings of a body in one media type. They have an effect on the
    parts of forms and multipart bodies alone, before OAS 3.2 on those of requests (OAS 3.1.0 §4.8.14.1, OAS 3.2.0
    §4.14).
    """
    reason = _idle_reason(media, is_request=is_request)
    for item in _encoding_changes(media, location):
        if reason:
            yield from _without_effect(item, reason)
        else:
            yield item


def encoded_parts(media: MediaPair, *, is_request: bool) -> frozenset[str]:
    """Return the steps to the parts of a body whose media types an encoding declares in a contract: the rules of
    encodings compare them.
    """
    steps = frozenset(
        step
        for body in (media.old, media.new)
        for step, encoding in _encodings_with_steps(body)
        if encoding.content_type
    )
    if not steps or _idle_reason(media, is_request=is_request):
        return frozenset()
    includes = media.operation.contracts.includes
    old = _part_schemas(includes.forms(Side.OLD), schemas_of(media.old.schema))
    new = _part_schemas(includes.forms(Side.NEW), schemas_of(media.new.schema))
    return frozenset(step for step in steps if step in old and step in new)


def whole_parts(media: MediaPair) -> frozenset[str]:
    """Return the steps to the fields of a form whose lists an encoding may write in another way than each item as a
    separate field: as JSON, or in another style.
    """
    return frozenset(
        change.property_step(encoding.property_name)
        for body in (media.old, media.new)
        for encoding in body.encodings
        if encoding.style or encoding.explode is not None or _is_json(encoding)
    )


def _is_json(encoding: Encoding) -> bool:
    return any(parse_media_name(name).is_json for name in encoding.content_type.split(","))


def _idle_reason(media: MediaPair, *, is_request: bool) -> str:
    """Return why encodings have no effect on a body, empty if they have one."""
    if not (media.old_name.has_parts or media.new_name.has_parts):
        return _NO_PARTS
    version = media.operation.contracts.new.openapi
    return "" if is_request or not version.startswith(("3.0", "3.1")) else _ONLY_OF_REQUESTS


def _without_effect(item: LocatedChange, reason: str) -> Iterator[LocatedChange]:
    """Yield a change, unless only its parts count, as one that changes no message."""
    if item.rule is not None:
        yield replace(item, change=replace(item.change, verdict=Verdict.DOCUMENTATION, reason=reason))


_NO_PARTS = phrase("only forms and multipart bodies have parts")
_ONLY_OF_REQUESTS = phrase("before OpenAPI 3.2, only the parts of request bodies have an encoding")
_NO_PROPERTY = phrase("the body has no property of this name")


def _encoding_changes(media: MediaPair, location: ChangeLocation) -> Iterator[LocatedChange]:
    return _changes_within(
        media, location, (media.old, media.new), (schemas_of(media.old.schema), schemas_of(media.new.schema))
    )


def _changes_within(
    media: MediaPair,
    location: ChangeLocation,
    wholes: tuple[MediaType | Encoding, MediaType | Encoding],
    schemas: tuple[Schemas, Schemas],
) -> Iterator[LocatedChange]:
    """Yield the changes in the encodings of the parts of a body, or of a part with parts itself (OAS 3.2.0 §4.15)."""
    before, after = dict(_encodings_with_steps(wholes[0])), dict(_encodings_with_steps(wholes[1]))
    if not before and not after:
        return
    includes = media.operation.contracts.includes
    old_parts = _part_schemas(includes.forms(Side.OLD), schemas[0])
    new_parts = _part_schemas(includes.forms(Side.NEW), schemas[1])
    has_other_parts = any(
        _has_unlisted_parts(includes.forms(side), of_side)
        for side, of_side in zip((Side.OLD, Side.NEW), schemas, strict=True)
    )
    for step in before | after:
        if (step in old_parts) is not (step in new_parts):
            continue  # a part that was added or removed with its encoding
        pair = EncodingPair(
            old=before.get(step, Encoding()),
            new=after.get(step, Encoding()),
            old_schemas=old_parts.get(step, ()),
            new_schemas=new_parts.get(step, ()),
            media=media,
        )
        part_location = location.at(step)
        found = (
            *apply_rules(ENCODING_RULES, pair, part_location),
            *part_header_findings(pair, part_location),
            *_changes_within(
                media, part_location, (pair.old, pair.new), (pair.old_schemas, pair.new_schemas)
            ),
        )
        if step in old_parts or has_other_parts:
            yield from found
        else:
            for item in found:
                yield from _without_effect(item, _NO_PROPERTY)


def _encodings_with_steps(whole: MediaType | Encoding) -> Iterator[tuple[str, Encoding]]:
    """Yield encodings with the step to what they are for."""
    yield from ((change.property_step(encoding.property_name), encoding) for encoding in whole.encodings)
    yield from (
        (change.item_step(number), prefix_encoding)
        for number, prefix_encoding in enumerate(whole.prefix_encodings)
    )
    if whole.item_encoding is not None:
        yield change.ITEMS_STEP, whole.item_encoding


def _has_unlisted_parts(forms: SchemaNormaliser, schemas: Schemas) -> bool:
    """Say whether a body may have parts that its schema describes without their names (OAS 3.1.0 §4.8.15), or may
    describe in branches.
    """
    if not schemas:
        return True
    form = forms.of(*schemas)
    return bool(
        form.additional or form.pattern_members or form.unions or form.conditions or form.others
    ) or not (form.members)


def _part_schemas(forms: SchemaNormaliser, whole: Schemas) -> Mapping[str, Schemas]:
    """Return the schemas of the parts of a body, by the step to each."""
    if not whole:
        return {}
    form = forms.of(*whole)
    schemas = {change.property_step(name): member.schemas for name, member in form.members.items()}
    schemas |= {change.item_step(number): (subschema,) for number, subschema in enumerate(form.prefix_items)}
    return schemas | ({change.ITEMS_STEP: form.items} if form.items else {})
