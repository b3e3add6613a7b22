"""Texts at the limits of schemas: as long as allowed and longer, outside a pattern, of another format."""

from collections.abc import Iterator, Mapping

from devportal.contract.regex import matches_pattern, sample_for_pattern
from devportal.contract.values.scalars import EXAMPLES_BY_FORMAT
from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.patterns.pattern_relations import text_outside
from devportal.differ.witnesses.numbers import counts_near

_MAX_LENGTH = 1_100_000
_PLAIN = ("string", "", "a", "A", "0", "1", "-", "_", " ", "!", "é", "a b", "ab12", "\n", "abc", "2026-01-31")
_STRETCHED = {
    "uri": ("https://example.com/", ""),
    "url": ("https://example.com/", ""),
    "uri-reference": ("/", ""),
    "email": ("", "@example.com"),
}
"""What texts of a format begin and end with, so that the rest can be of any length."""

_BEYOND_ASCII = {
    "idn-email": "jörg@example.com",
    "idn-hostname": "bücher.example",
    "iri": "https://example.com/ü",
    "iri-reference": "/ü",
}
"""Texts of formats that go beyond those of the format for ASCII alone (RFC 3987 §1.3, RFC 6531 §3.3)."""


_EMAILS = ("o'neil+tag_1@mail.example.org", "USER-2@EXAMPLE.NET", "user@localhost")
_UNUSUAL: Mapping[str, tuple[str, ...]] = {
    "ipv4": ("255.255.255.255",),
    "ipv6": ("2001:0db8:85a3:0000:0000:8a2e:0370:7334", "2001:DB8::A"),
    "date-time": ("2026-01-31T12:00:00.123456+00:00",),
    "time": ("12:00:00.123456+00:00",),
    "duration": ("P1Y2M3DT4H5M6S",),
    "hostname": (f"{'a' * 60}.example.com",),
    "email": _EMAILS,
    "idn-email": _EMAILS,
}
"""Texts of formats that a `maxLength` or a `pattern` beside the format may refuse: long ones, and other forms of it
(RFC 3339 §5.6, RFC 4291 §2.2, RFC 5321 §4.1.2).
"""


def texts_near(allowed: NormalSchema, refused: NormalSchema) -> Iterator[str]:
    """Yield texts near the limits of both forms."""
    yield from _outside_patterns(allowed, refused)
    limits = counts_near((allowed, refused), ("minLength", "maxLength"), at_most=_MAX_LENGTH)
    lengths = sorted({0, 1, *limits})
    for length in lengths:
        yield from _texts_of_length(allowed, length)
    for pattern in sorted(allowed.patterns):
        yield from filter(None, (sample_for_pattern(pattern, at_least=length) for length in lengths))
    for form in (allowed, refused):
        if form.format in EXAMPLES_BY_FORMAT:
            yield EXAMPLES_BY_FORMAT[form.format]
        yield from filter(None, (_BEYOND_ASCII.get(form.format), *_UNUSUAL.get(form.format, ())))
    yield from _PLAIN
    yield from (text for text in EXAMPLES_BY_FORMAT.values() if isinstance(text, str))


def _outside_patterns(allowed: NormalSchema, refused: NormalSchema) -> Iterator[str]:
    """Yield texts that a pattern of the one form matches and one of the other does not."""
    for pattern in sorted(refused.patterns - allowed.patterns):
        for narrow in (*sorted(allowed.patterns), ""):
            text = text_outside(narrow, pattern, at_least=allowed.min_count("minLength"))
            if text is not None and not matches_pattern(pattern, text):
                yield text


def _texts_of_length(form: NormalSchema, length: int) -> Iterator[str]:
    for pattern in sorted(form.patterns):
        text = sample_for_pattern(pattern, at_least=length) or sample_for_pattern(pattern)
        if len(text) != length and text:
            text = (text + text[-1] * length)[:length]
        yield text
    start, end = _STRETCHED.get(form.format, ("", ""))
    if length >= len(start) + len(end):
        yield f"{start}{'a' * (length - len(start) - len(end))}{end}"
    yield "a" * length
    yield "0" * length


def unusual_names(allowed: NormalSchema | None, refused: NormalSchema | None) -> Iterator[str]:
    """Yield names of members that one form may allow and the other refuse."""
    given = [form for form in (allowed, refused) if form is not None]
    for form in given:
        yield from (value for value in form.values or () if isinstance(value, str))
    if given:
        yield from texts_near(allowed or given[0], refused or given[0])
