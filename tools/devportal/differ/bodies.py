"""What differs in request bodies, media type by media type."""

from collections.abc import Iterator

from devportal.differ.gathering import Found, Site
from devportal.differ.media import media_findings
from devportal.differ.parts import OperationPair


def body_findings(pair: OperationPair, site: Site) -> Iterator[Found]:
    """Yield everything that is found in the request body of an operation."""
    old, new = pair.old.request_body, pair.new.request_body
    if old is not None and new is not None:
        yield from media_findings(old.content, new.content, pair, site.at("request"), pair.sends)
