"""What differs in what callers of an operation have to show."""

from collections.abc import Iterator

from devportal.differ.applying import applied
from devportal.differ.credentials import security_of
from devportal.differ.parts import OperationPair
from devportal.differ.rules.security import SECURITY_RULES
from devportal.differ.rules.security_schemes import SCHEME_RULES
from devportal.differ.sites import Found, Site


def security_findings(pair: OperationPair, site: Site) -> Iterator[Found]:
    """Yield what is found in the security of an operation, and in the schemes that it uses."""
    place = site.at("security")
    security = security_of(pair)
    yield from applied(SECURITY_RULES, security, place)
    for scheme in () if pair.is_event else security.schemes:
        yield from applied(SCHEME_RULES, scheme, place)
