"""What differs in responses, status by status."""

from collections.abc import Iterator
from dataclasses import replace

from devportal.contract import Response
from devportal.differ.applying import applied
from devportal.differ.content import ContentPair
from devportal.differ.headers import response_header_findings
from devportal.differ.media import media_findings
from devportal.differ.parts import OperationPair, ResponsePair
from devportal.differ.response_pair import ResponsesPair
from devportal.differ.rules.links import LINK_RULES
from devportal.differ.rules.response_media import RESPONSE_CONTENT_RULES, RESPONSE_MEDIA_RULES
from devportal.differ.rules.responses import RESPONSE_RULES
from devportal.differ.rules.statuses import STATUS_RULES
from devportal.differ.sites import Found, Site


def response_findings(pair: OperationPair, site: Site) -> Iterator[Found]:
    """Yield everything that is found in the responses of an operation."""
    site = replace(site, direction=pair.sends.opposite)
    statuses = ResponsesPair(operation=pair)
    yield from applied(STATUS_RULES, statuses, site)
    for old, new in statuses.matching.kept:
        yield from _compared(old, new, pair, site.at(f"response.{_listed(old, new)}", old.stability))


def _listed(old: Response, new: Response) -> str:
    """Return the status of a response, the narrower one where a range stands for it."""
    return old.status if old.status.isdecimal() else new.status


def _compared(old: Response, new: Response, pair: OperationPair, site: Site) -> Iterator[Found]:
    response = ResponsePair(old=old, new=new, operation=pair)
    yield from applied(RESPONSE_RULES, response, site)
    if old.broken or new.broken:
        return
    yield from response_header_findings(old, new, pair, site)
    yield from applied(LINK_RULES, response, site)
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
