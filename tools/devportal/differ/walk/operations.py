"""What differs in one operation: its body and responses, media type by media type, and its security."""

from collections.abc import Iterator
from dataclasses import replace

from devportal.contract import MediaType, RequestBody, Schema
from devportal.differ import change
from devportal.differ.located_changes import ChangeLocation, LocatedChange, apply_rules
from devportal.differ.match.credentials import security_pair
from devportal.differ.message_part import MessagePart
from devportal.differ.pairs.content import ContentPair, MediaPair, ResponsesPair
from devportal.differ.pairs.lifecycle import LifecyclePair, operation_lifecycle, scheme_lifecycle
from devportal.differ.part_pair import BodyPair, OperationPair, ResponsePair
from devportal.differ.rule import Rule
from devportal.differ.rules.bodies import BODY_RULES
from devportal.differ.rules.body_media import BODY_CONTENT_RULES, BODY_MEDIA_RULES
from devportal.differ.rules.lifecycle import LIFECYCLE_RULES
from devportal.differ.rules.links import LINK_RULES
from devportal.differ.rules.operations import OPERATION_RULES
from devportal.differ.rules.response_media import RESPONSE_CONTENT_RULES, RESPONSE_MEDIA_RULES
from devportal.differ.rules.responses import RESPONSE_RULES
from devportal.differ.rules.security import SECURITY_RULES
from devportal.differ.rules.security_schemes import SCHEME_RULES
from devportal.differ.rules.statuses import STATUS_RULES
from devportal.differ.schemas.position import Position
from devportal.differ.schemas.xml_forms import root_place
from devportal.differ.walk.encodings import encoded_parts, encoding_findings, whole_parts
from devportal.differ.walk.events import callback_findings
from devportal.differ.walk.headers import response_header_findings
from devportal.differ.walk.parameters import parameter_findings


def security_findings(pair: OperationPair, location: ChangeLocation) -> Iterator[LocatedChange]:
    """Yield the changes in the security of an operation, and in the schemes that it uses."""
    security_location = location.at("security")
    security = security_pair(pair)
    yield from apply_rules(SECURITY_RULES, security, security_location)
    for scheme in () if pair.is_event else security.schemes:
        yield from apply_rules(SCHEME_RULES, scheme, security_location)
        life = LifecyclePair(
            old=scheme_lifecycle(scheme.old), new=scheme_lifecycle(scheme.new), policy=pair.policy
        )
        scheme_location = security_location.at(f".{scheme.new.name}", scheme.old.stability)
        yield from apply_rules(
            LIFECYCLE_RULES, life, scheme_location.written_at(scheme.old.location, scheme.new.location)
        )


def media_findings(
    pair: ContentPair,
    location: ChangeLocation,
    rules: tuple[Rule[ContentPair], ...],
    media_rules: tuple[Rule[MediaPair], ...],
    *,
    body: tuple[RequestBody, RequestBody] | None = None,
) -> Iterator[LocatedChange]:
    """Yield everything that is found in a body, given the rules of all its media types and of each, and the request
    bodies if it is one.
    """
    yield from apply_rules(rules, pair, location)
    for media in media_pairs(pair):
        media_location = media_type_location(location, media, pair)
        yield from apply_rules(media_rules, media, media_location)
        if not (media.gets_schema or media.loses_schema or media.is_respelled):
            yield from _schema_findings(media, media_location, body)


def media_pairs(pair: ContentPair) -> Iterator[MediaPair]:
    """Yield the media types that both contracts have."""
    for old, new in pair.matching.pairs:
        yield MediaPair(old=old, new=new, direction=pair.direction, operation=pair.operation)


def media_type_location(location: ChangeLocation, media: MediaPair, pair: ContentPair) -> ChangeLocation:
    """Return the location of one media type, with its name if the body has several in either contract."""
    is_one_of_several = len(pair.old) > 1 or len(pair.new) > 1
    step = f"({media.new.name})" if is_one_of_several else ""
    media_location = location.at(step, media.old.stability).within(
        lambda part: part.of_media(media.old, media.new)
    )
    return media_location.written_at(media.old.location, media.new.location)


def _schema_findings(
    media: MediaPair, location: ChangeLocation, body: tuple[RequestBody, RequestBody] | None
) -> Iterator[LocatedChange]:
    contracts = media.operation.contracts
    is_form = media.old_name.is_form and media.new_name.is_form
    position = Position(
        media.direction,
        is_text=media.old_name.is_text and media.new_name.is_text,
        is_form=is_form,
        is_plain=media.old_name.is_plain and media.new_name.is_plain,
        is_repeated=is_form,
        is_required=body is None or body[1].required,
        was_required=body is not None and body[0].required and not body[1].required,
        encoded_parts=encoded_parts(media, is_request=body is not None),
        whole_parts=whole_parts(media) if is_form else frozenset(),
    )
    is_xml = media.old_name.is_xml or media.new_name.is_xml
    for step, old, new in _compared_schemas(media):
        place = root_place(old, new) if is_xml else None
        schemas = contracts.compare_schemas(old, new, position._replace(xml=place))
        if schemas is not None:
            yield LocatedChange(location=_item_location(location, step), schemas=schemas)


def _compared_schemas(media: MediaPair) -> Iterator[tuple[str, Schema | None, Schema | None]]:
    """Yield the schemas of a body in both contracts with the step to each.

    The items of a sequence are those of an array (OAS 3.2.0 §4.14.1), so that one contract may describe the items
    (`itemSchema`) and the other one the whole, or both.
    """
    old, new = media.old, media.new
    is_item_new = (old.item_schema is None) is not (new.item_schema is None)
    is_whole_new = (old.schema is None) is not (new.schema is None)
    is_sequence = old.item_schema is not None or new.item_schema is not None
    is_described = all(body.schema or body.item_schema for body in (old, new))
    if is_sequence and is_described and (is_item_new or is_whole_new):
        yield "", _schema_of_whole(old), _schema_of_whole(new)
        return
    yield "", old.schema, new.schema
    yield change.ITEMS_STEP, old.item_schema, new.item_schema


def _schema_of_whole(media: MediaType) -> Schema | None:
    if media.item_schema is None:
        return media.schema
    return Schema(
        location=media.item_schema.location,
        types=("array",),
        items=media.item_schema,
        all_of=() if media.schema is None else (media.schema,),
    )


def _item_location(location: ChangeLocation, step: str) -> ChangeLocation:
    """Return the location of a body, or of the items of one that is a sequence."""
    if not step:
        return location
    return location.at(step).within(lambda part: replace(part, is_item=True))


def body_findings(pair: OperationPair, location: ChangeLocation) -> Iterator[LocatedChange]:
    """Yield everything that is found in the request body of an operation."""
    old, new = pair.old.request_body, pair.new.request_body
    body = old or new
    if body is None or pair.contracts.schemas.are_parts_equal(old, new):
        return
    location = replace(location, direction=pair.sends).at("request", body.stability)
    yield from apply_rules(BODY_RULES, BodyPair(old=old, new=new, operation=pair), location)
    if old is None or new is None or old.broken or new.broken:
        return
    location = location.written_at(old.location, new.location, "requestBody")
    content = ContentPair(
        old=old.content,
        new=new.content,
        old_location=old.location,
        new_location=new.location,
        direction=pair.sends,
        operation=pair,
    )
    yield from media_findings(content, location, BODY_CONTENT_RULES, BODY_MEDIA_RULES, body=(old, new))
    for media in media_pairs(content):
        yield from encoding_findings(media, media_type_location(location, media, content))


def response_findings(pair: OperationPair, location: ChangeLocation) -> Iterator[LocatedChange]:
    """Yield everything that is found in the responses of an operation."""
    location = replace(location, direction=pair.sends.opposite)
    statuses = ResponsesPair(operation=pair)
    yield from apply_rules(STATUS_RULES, statuses, location)
    replaced = ((old, new) for old, new in statuses.matching.replaced if old.content and new.content)
    for old, new in (*statuses.matching.kept, *replaced):
        response = ResponsePair(old=old, new=new, operation=pair)
        yield from _status_findings(response, _status_location(location, response))


def _status_location(location: ChangeLocation, response: ResponsePair) -> ChangeLocation:
    """Return the location of the responses with one status."""
    old, new = response.old, response.new
    status_location = location.at(f"response.{response.narrower_status}", old.stability)
    status_location = status_location.within(lambda part: part.of_response(old, new))
    return status_location.written_at(old.location, new.location, "responses", new.status)


def _status_findings(response: ResponsePair, location: ChangeLocation) -> Iterator[LocatedChange]:
    old, new, pair = response.old, response.new, response.operation
    if pair.contracts.schemas.are_parts_equal(old, new):
        return
    yield from apply_rules(RESPONSE_RULES, response, location)
    if old.broken or new.broken:
        return
    yield from response_header_findings(old, new, pair, location)
    yield from apply_rules(LINK_RULES, response, location)
    if old.content and new.content:
        content = ContentPair(
            old=old.content,
            new=new.content,
            old_location=old.location,
            new_location=new.location,
            direction=pair.sends.opposite,
            operation=pair,
        )
        yield from media_findings(content, location, RESPONSE_CONTENT_RULES, RESPONSE_MEDIA_RULES)
        for media in media_pairs(content):
            yield from encoding_findings(
                media, media_type_location(location, media, content), is_request=False
            )


def operation_findings(pair: OperationPair, location: ChangeLocation) -> Iterator[LocatedChange]:
    """Yield everything that is found in an operation."""
    part = MessagePart(old=pair.old, new=pair.new, sends=pair.sends, new_event=pair.new_event)
    location = replace(location, part=part)
    location = location.written_at(pair.old.location, pair.new.location)
    yield from apply_rules(OPERATION_RULES, pair, location)
    life = LifecyclePair(
        old=operation_lifecycle(pair.old), new=operation_lifecycle(pair.new), policy=pair.policy
    )
    yield from apply_rules(LIFECYCLE_RULES, life, location)
    yield from parameter_findings(pair, location)
    yield from body_findings(pair, location)
    yield from response_findings(pair, location)
    yield from security_findings(pair, location)
    yield from callback_findings(pair, location, operation_findings)
