"""What differs in one operation, and in all that belongs to it."""

from collections.abc import Iterator

from devportal.differ.applying import applied
from devportal.differ.bodies import body_findings
from devportal.differ.events import callback_findings
from devportal.differ.lifecycle import LifePair, operation_life
from devportal.differ.parameters import parameter_findings
from devportal.differ.parts import OperationPair
from devportal.differ.responses import response_findings
from devportal.differ.rules.lifecycle import LIFE_RULES
from devportal.differ.rules.operations import OPERATION_RULES
from devportal.differ.security import security_findings
from devportal.differ.sites import Found, Site


def operation_findings(pair: OperationPair, site: Site) -> Iterator[Found]:
    """Yield everything that is found in an operation."""
    yield from applied(OPERATION_RULES, pair, site)
    life = LifePair(old=operation_life(pair.old), new=operation_life(pair.new), policy=pair.policy)
    yield from applied(LIFE_RULES, life, site)
    yield from parameter_findings(pair, site)
    yield from body_findings(pair, site)
    yield from response_findings(pair, site)
    yield from security_findings(pair, site)
    yield from callback_findings(pair, site, operation_findings)
