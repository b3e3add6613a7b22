"""What differs in one operation: its body and responses, media type by media type, and its security."""

from collections.abc import Iterator
from dataclasses import replace

from devportal.contract import Response
from devportal.differ import change
from devportal.differ.located_changes import ChangeLocation, LocatedChange, apply_rules
from devportal.differ.match.credentials import security_pair
from devportal.differ.rule import Rule
from devportal.differ.rules.bodies import BODY_RULES
from devportal.differ.rules.body_media import BODY_CONTENT_RULES, BODY_MEDIA_RULES
from devportal.differ.rules.lifecycle import LIFE_RULES
from devportal.differ.rules.links import LINK_RULES
from devportal.differ.rules.operations import OPERATION_RULES
from devportal.differ.rules.response_media import RESPONSE_CONTENT_RULES, RESPONSE_MEDIA_RULES
from devportal.differ.rules.responses import RESPONSE_RULES
from devportal.differ.rules.security import SECURITY_RULES
from devportal.differ.rules.security_schemes import SCHEME_RULES
from devportal.differ.rules.statuses import STATUS_RULES
from devportal.differ.schemas.pair import Position
from devportal.differ.walk.content import ContentPair, MediaPair, ResponsesPair
from devportal.differ.walk.encodings import encoding_findings
from devportal.differ.walk.events import callback_findings
from devportal.differ.walk.headers import response_header_findings
from devportal.differ.walk.lifecycle import LifecyclePair, operation_lifecycle
from devportal.differ.walk.parameters import parameter_findings
from devportal.differ.walk.part_pair import BodyPair, OperationPair, ResponsePair


def security_findings(pair: OperationPair, site: ChangeLocation) -> Iterator[LocatedChange]:
    """Yield what is found in the security of an operation, and in the schemes that it uses."""
    place = site.at("security")
    security = security_pair(pair)
    yield from apply_rules(SECURITY_RULES, security, place)
    for scheme in () if pair.is_event else security.schemes:
        yield from apply_rules(SCHEME_RULES, scheme, place)


def media_findings(
    pair: ContentPair,
    site: ChangeLocation,
    rules: tuple[Rule[ContentPair], ...],
    each: tuple[Rule[MediaPair], ...],
    *,
    is_required: bool = True,
) -> Iterator[LocatedChange]:
    """Yield everything that is found in a body, given the rules of all its media types and of each."""
    yield from apply_rules(rules, pair, site)
    for one in media_pairs(pair):
        place = media_type_location(site, one, pair)
        yield from apply_rules(each, one, place)
        is_respelled = one.is_free and (one.old.schema is None or one.new.schema is None)
        if not (one.gets_schema or one.loses_schema or is_respelled):
            yield from _schema_findings(one, place, is_required=is_required)


def media_pairs(pair: ContentPair) -> Iterator[MediaPair]:
    """Yield the media types that both contracts have."""
    for old, new in pair.matching.pairs:
        yield MediaPair(old=old, new=new, direction=pair.direction, operation=pair.operation)


def media_type_location(site: ChangeLocation, one: MediaPair, pair: ContentPair) -> ChangeLocation:
    """Return the place of one media type: named where the body has several in one contract at least."""
    is_one_of_several = len(pair.old) > 1 or len(pair.new) > 1
    return site.at(f"({one.new.name})" if is_one_of_several else "", one.old.stability)


def _schema_findings(one: MediaPair, site: ChangeLocation, *, is_required: bool) -> Iterator[LocatedChange]:
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
        (change.ITEMS_STEP, one.old.item_schema, one.new.item_schema),
    ):
        compared = contracts.compare_schemas(old, new, position)
        if compared is not None:
            yield LocatedChange(site=site.at(step), compared=compared)


def body_findings(pair: OperationPair, site: ChangeLocation) -> Iterator[LocatedChange]:
    """Yield everything that is found in the request body of an operation."""
    old, new = pair.old.request_body, pair.new.request_body
    body = old or new
    if body is None:
        return
    site = replace(site, direction=pair.sends).at("request", body.stability)
    yield from apply_rules(BODY_RULES, BodyPair(old=old, new=new, operation=pair), site)
    if old is None or new is None or old.broken or new.broken:
        return
    content = ContentPair(
        old=old.content,
        new=new.content,
        old_location=old.location,
        new_location=new.location,
        direction=pair.sends,
        operation=pair,
    )
    is_required = old.required and new.required
    yield from media_findings(content, site, BODY_CONTENT_RULES, BODY_MEDIA_RULES, is_required=is_required)
    for one in media_pairs(content):
        yield from encoding_findings(one, media_type_location(site, one, content))


def response_findings(pair: OperationPair, site: ChangeLocation) -> Iterator[LocatedChange]:
    """Yield everything that is found in the responses of an operation."""
    site = replace(site, direction=pair.sends.opposite)
    statuses = ResponsesPair(operation=pair)
    yield from apply_rules(STATUS_RULES, statuses, site)
    for old, new in statuses.matching.kept:
        yield from _status_findings(
            old, new, pair, site.at(f"response.{_narrower_status(old, new)}", old.stability)
        )


def _narrower_status(old: Response, new: Response) -> str:
    """Return the status of a response, the narrower one where a range stands for it."""
    return old.status if old.status.isdecimal() else new.status


def _status_findings(
    old: Response, new: Response, pair: OperationPair, site: ChangeLocation
) -> Iterator[LocatedChange]:
    response = ResponsePair(old=old, new=new, operation=pair)
    yield from apply_rules(RESPONSE_RULES, response, site)
    if old.broken or new.broken:
        return
    yield from response_header_findings(old, new, pair, site)
    yield from apply_rules(LINK_RULES, response, site)
    if old.content and new.content:
        content = ContentPair(
            old=old.content,
            new=new.content,
            old_location=old.location,
            new_location=new.location,
            direction=pair.sends.opposite,
            operation=pair,
        )
        yield from media_findings(content, site, RESPONSE_CONTENT_RULES, RESPONSE_MEDIA_RULES)


def operation_findings(pair: OperationPair, site: ChangeLocation) -> Iterator[LocatedChange]:
    """Yield everything that is found in an operation."""
    yield from apply_rules(OPERATION_RULES, pair, site)
    life = LifecyclePair(
        old=operation_lifecycle(pair.old), new=operation_lifecycle(pair.new), policy=pair.policy
    )
    yield from apply_rules(LIFE_RULES, life, site)
    yield from parameter_findings(pair, site)
    yield from body_findings(pair, site)
    yield from response_findings(pair, site)
    yield from security_findings(pair, site)
    yield from callback_findings(pair, site, operation_findings)
