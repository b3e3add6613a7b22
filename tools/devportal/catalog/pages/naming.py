"""What a record is called where it stands alone: in examples, histories and feeds."""

from devportal.catalog.codes import country_names
from devportal.catalog.coverage import CoverageTerms
from devportal.catalog.pages.labels import attribute, label
from devportal.catalog.rate import RateTerms

_NAMED_PREFIXES = 3


def record_name(terms: RateTerms | CoverageTerms) -> str:
    """Return what tells a record from others of its country."""
    match terms:
        case RateTerms():
            return rate_name(terms)
        case CoverageTerms():
            return f"{label(terms.channel)} coverage"


def rate_name(terms: RateTerms) -> str:
    """Return what tells a rate from others of its country: `SMS outbound, Fjord (242-010)`."""
    network = terms.network
    parts = [
        f"{attribute(terms.product)} {label(terms.direction).lower()}",
        f"{' '.join(network.name.split())} ({network.mcc}-{network.mnc})" if network else "",
        _prefixes(terms.prefixes),
        f"{label(terms.number_type).lower()} numbers" if terms.number_type else "",
    ]
    return ", ".join(part for part in parts if part)


def _prefixes(prefixes: tuple[str, ...]) -> str:
    named = " ".join(f"+{prefix}" for prefix in prefixes[:_NAMED_PREFIXES])
    more = len(prefixes) - _NAMED_PREFIXES
    return f"{named} and {more} more" if more > 0 else named


def rate_name_with_country(terms: RateTerms) -> str:
    """Return what tells a rate from all others: `Norway, SMS outbound, Fjord (242-010)`."""
    return f"{country_names()[terms.country]}, {rate_name(terms)}"


def price_words(terms: RateTerms) -> str:
    """Return a price with what it pays for: `0.10 EUR per segment`."""
    return f"{terms.price:f} {terms.currency} {label(terms.unit)}"
