"""What differs in responses, status by status."""

from collections.abc import Iterator

from devportal.differ.gathering import Found, Site
from devportal.differ.media import media_findings
from devportal.differ.parts import OperationPair


def response_findings(pair: OperationPair, site: Site) -> Iterator[Found]:
    """Yield everything that is found in the responses of an operation."""
    new = {one.status: one for one in pair.new.responses}
    for old in pair.old.responses:
        other = new.get(old.status)
        if other is not None:
            place = site.at(f"response.{old.status}")
            yield from media_findings(old.content, other.content, pair, place, pair.sends.opposite)
