"""What settings say of answers: how late they may come, and whether they may hold what nobody documents."""

from pathlib import Path

import pytest

from devportal.conformance.settings import Settings, parse_settings
from devportal.documents import parse_document
from devportal.errors import InvalidSettings


def settings(text: str) -> Settings:
    """Return the settings of a text."""
    return parse_settings(parse_document(text, name="conformance.yaml"), folder=Path())


def test_nothing_is_late_and_nothing_fails_unless_settings_say_so() -> None:
    """Without a word there is no limit, and what is undocumented is noted."""
    silent = settings("values: {}")

    assert silent.latency.general == {}
    assert not silent.undocumented_fails


def test_settings_set_both() -> None:
    """A limit in milliseconds, and a failure instead of a note."""
    strict = settings("latency: {p95_ms: 250}\nundocumented: fail")

    assert strict.latency.general == {95: 250}
    assert strict.undocumented_fails
    assert not settings("undocumented: note").undocumented_fails


def test_another_word_is_refused() -> None:
    """There are two words for what is undocumented."""
    with pytest.raises(InvalidSettings, match="undocumented"):
        settings("undocumented: forbid")
