"""Text without a browser: how wide it is, and where its lines end."""

import pytest

from devportal.reference.states.drawing import mono_width, sans_width, wrap_text


@pytest.mark.parametrize(("narrow", "wide"), [("ill", "www"), ("abc", "ABC"), ("ab", "日本"), ("e", "ee")])
def test_wider_text_is_known_to_be_wider(narrow: str, wide: str) -> None:
    """By the kind of its characters; ideographs take a whole em."""
    assert sans_width(narrow, 13) < sans_width(wide, 13)


def test_signs_over_a_letter_take_no_room() -> None:
    """However `é` is written."""
    assert mono_width("e\N{COMBINING ACUTE ACCENT}", 14) == mono_width("e", 14)


def test_lines_are_about_the_same_length() -> None:
    """No line of one word below a full one."""
    assert wrap_text("no receipt comes within 72 hours", 13, 136) == ("no receipt comes", "within 72 hours")


@pytest.mark.parametrize("text", ["", "one", "a carrier accepts it and says so at once", "Eisenbahnen " * 3])
def test_no_word_is_lost(text: str) -> None:
    """A word that is too long has a line of its own."""
    lines = wrap_text(text, 13, 100)

    assert " ".join(lines) == " ".join(text.split())
    assert all(sans_width(line, 13) <= 100 or " " not in line for line in lines)
