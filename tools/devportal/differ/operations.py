"""What differs in one operation, and in all that belongs to it."""

from collections.abc import Iterator

from devportal.differ.bodies import body_findings
from devportal.differ.gathering import Found, Site
from devportal.differ.parts import OperationPair
from devportal.differ.responses import response_findings


def operation_findings(pair: OperationPair, site: Site) -> Iterator[Found]:
    """Yield everything that is found in an operation."""
    yield from body_findings(pair, site)
    yield from response_findings(pair, site)
