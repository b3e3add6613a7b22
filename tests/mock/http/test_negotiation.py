"""Which media type a client gets, and what it prefers."""

import pytest

from devportal.contract import Location, MediaType
from devportal.mock.http.negotiation import Preferences, choose_media_type, read_preferences

AT = Location("", ())


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, "application/json"),
        ("", "application/json"),
        ("*/*", "application/json"),
        ("text/csv", "text/csv"),
        ("TEXT/CSV", "text/csv"),
        ("text/*;q=0.9, application/json;q=0.1", "text/csv"),
        ("application/json;q=0, */*", "text/csv"),
        ("application/*, text/csv;q=0.5", "application/json"),
        ("image/png", None),
        ("application/json;q=0", None),
        (";;;", "application/json"),
        ("text/csv;q=2", "text/csv"),
        ("\x00, text/csv", "text/csv"),
    ],
)
def test_the_media_type_that_a_client_likes_best(accept: str | None, chosen: str | None) -> None:
    """By weight and precision (RFC 9110 §12.5.1); what cannot be read is left out."""
    content = (MediaType(name="text/csv", location=AT), MediaType(name="application/json", location=AT))
    found = choose_media_type(content, accept)

    assert (found.name if found is not None else None) == chosen


@pytest.mark.parametrize(
    ("header", "code", "example"),
    [
        (None, None, ""),
        ("code=404", 404, ""),
        ('example="two words", code=201', 201, "two words"),
        ("respond-async, wait=10", None, ""),
        ("code=999", None, ""),
        ("code=", None, ""),
        ("CODE=404", 404, ""),
    ],
)
def test_preferences(header: str | None, code: int | None, example: str) -> None:
    """Those that are not known are ignored (RFC 7240 §2)."""
    assert read_preferences(header) == Preferences(code=code, example=example)
