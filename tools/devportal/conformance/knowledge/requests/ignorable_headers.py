"""Request headers that a server may ignore, whatever their value: a contract that limits them forbids no request.

`Accept-Language: tlh` gets a default language and not a rejection, for example (RFC 9110 §12.5.4).
"""

IGNORABLE_HEADERS = frozenset(
    {
        # Negotiation (RFC 9110 §12.5) and preferences (RFC 7240 §2)
        "accept", "accept-charset", "accept-encoding", "accept-language", "prefer",
        # Ranges (RFC 9110 §14.2), and conditions of readings: a tag that no version has does not match (§13.1.2), and
        # what is not a time does not count (§13.1.3)
        "range", "if-range", "if-none-match", "if-modified-since",
        # Caching (RFC 9111 §5.2), priorities (RFC 9218 §4), the client (RFC 9110 §10.1.5)
        "cache-control", "pragma", "priority", "user-agent", "referer",
        # Tracing (W3C Trace Context §3.2.2.5)
        "traceparent", "tracestate", "baggage",
    }
)  # fmt: skip


def is_ignorable_header(location: str, name: str) -> bool:
    """Return whether a parameter, by its `in` and its name, is a header that a server may ignore."""
    return location == "header" and name.lower() in IGNORABLE_HEADERS
