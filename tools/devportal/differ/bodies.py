"""What differs in request bodies, media type by media type."""

from collections.abc import Iterator
from dataclasses import replace

from devportal.differ.applying import applied
from devportal.differ.content import ContentPair
from devportal.differ.encodings import encoding_findings
from devportal.differ.media import media_findings, media_pairs, media_site
from devportal.differ.parts import BodyPair, OperationPair
from devportal.differ.rules.bodies import BODY_RULES
from devportal.differ.rules.body_media import BODY_CONTENT_RULES, BODY_MEDIA_RULES
from devportal.differ.sites import Found, Site


def body_findings(pair: OperationPair, site: Site) -> Iterator[Found]:
    """Yield everything that is found in the request body of an operation."""
    old, new = pair.old.request_body, pair.new.request_body
    body = old or new
    if body is None:
        return
    site = replace(site, direction=pair.sends).at("request", body.stability)
    yield from applied(BODY_RULES, BodyPair(old=old, new=new, operation=pair), site)
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
        yield from encoding_findings(one, media_site(site, one, content))
