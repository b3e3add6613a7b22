"""Parameters whose values are valid once: sent again, an example is rejected or changes the response."""

import re

from devportal.contract import Parameter, ParameterLocation
from devportal.contract.wording import split_camel_case

_ALONE = frozenset(
    {
        *("nonce", "csrf", "xsrf", "otp", "captcha", "recaptcha"),
        *("cursor", "traceparent", "tracestate", "traceid", "spanid"),
    }
)
"""Words that say so wherever they are in a name."""
_PAIRS: tuple[tuple[frozenset[str], frozenset[str]], ...] = (
    (
        frozenset({"request", "correlation", "trace", "transaction", "client", "dedup", "deduplication"}),
        frozenset({"token", "uuid", "guid"}),
    ),
    (frozenset({"page", "next", "continuation", "pagination", "scroll", "sync"}), frozenset({"token"})),
    (frozenset({"starting"}), frozenset({"after"})),
    (frozenset({"ending"}), frozenset({"before"})),
)
"""Words that say so together."""
_HEADER_PAIRS: tuple[tuple[frozenset[str], frozenset[str]], ...] = (
    (
        frozenset({"request", "correlation", "trace", "transaction", "event", "dedup", "deduplication"}),
        frozenset({"id", "key"}),
    ),
)
"""Words that say so in the name of a header; a query may filter by them."""
_HEADER_WORDS = frozenset({"signature", "timestamp"})


def is_single_use(parameter: Parameter) -> bool:
    """Say whether a value of a parameter comes from an earlier response, or is new for each request."""
    words = [*filter(None, re.split(r"[\W_]+", split_camel_case(parameter.name, " ").lower()))]
    names = {*words, "".join(words)}
    is_header = parameter.location_in is ParameterLocation.HEADER
    pairs = (*_PAIRS, *_HEADER_PAIRS) if is_header else _PAIRS
    return (
        bool(names & _ALONE)
        or any(names & first and names & second for first, second in pairs)
        or any(name.startswith("idempot") for name in names)
        or (is_header and (words[:1] == ["if"] or bool(names & _HEADER_WORDS)))
    )
