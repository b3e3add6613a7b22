"""Segments against the vectors, and the laws of segmentation."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecom.segments import GSM7_UNITS, Encoding, split_into_segments

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "vectors" / "segments.json").read_text(encoding="utf-8")
)["vectors"]

gsm7_texts = st.text(st.sampled_from(sorted(GSM7_UNITS)), max_size=700)
any_texts = st.one_of(
    gsm7_texts,
    st.text(st.sampled_from("aя😀€"), max_size=300),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=200),
)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_vector_is_counted_as_the_standard_says(vector: dict[str, Any]) -> None:
    """Encoding, units and the units of each segment agree with the published vectors."""
    result = split_into_segments(vector["text"])

    assert result.encoding == vector["encoding"]
    assert result.units == vector["units"]
    assert [part.units for part in result.segments] == vector["segment_units"]
    assert len(result.segments) == vector["segments"]


def test_vectors_are_all_there() -> None:
    """The file holds as many vectors as it was published with."""
    assert len(VECTORS) == len({vector["name"] for vector in VECTORS}) > 50


@given(any_texts)
def test_segments_join_back_to_the_text(text: str) -> None:
    """Nothing is lost, added or moved by cutting."""
    result = split_into_segments(text)

    assert "".join(part.text for part in result.segments) == text
    assert sum(part.units for part in result.segments) == result.units


@given(any_texts)
def test_each_segment_fits_and_is_filled(text: str) -> None:
    """No segment is over its limit, and none but the last has room for the next character."""
    result = split_into_segments(text)

    limit = result.encoding.single if len(result.segments) < 2 else result.encoding.multi
    assert all(0 < part.units <= limit for part in result.segments)
    assert all(part.units >= limit - 1 for part in result.segments[:-1])


@given(any_texts)
def test_several_segments_only_where_one_does_not_hold_the_text(text: str) -> None:
    """A text of at most `single` units has one segment, and the empty text none."""
    result = split_into_segments(text)

    if not text:
        assert result.segments == ()
    else:
        assert (len(result.segments) == 1) == (result.units <= result.encoding.single)


@given(any_texts)
def test_ucs2_units_are_utf16_code_units(text: str) -> None:
    """In UCS-2 the units are those of the text's UTF-16 form."""
    result = split_into_segments(text)

    if result.encoding is Encoding.UCS_2:
        assert result.units == len(text.encode("utf-16-le")) // 2


@given(gsm7_texts)
def test_gsm7_is_used_wherever_it_can_be(text: str) -> None:
    """Text of the default alphabet is never sent as UCS-2."""
    assert split_into_segments(text).encoding is Encoding.GSM_7


def test_alphabet_has_the_size_of_the_standard() -> None:
    """127 basic characters (128 codes less the escape) and 10 of the extension table."""
    units = list(GSM7_UNITS.values())

    assert (units.count(1), units.count(2)) == (127, 10)
    assert "\x1b" not in GSM7_UNITS


def test_lone_surrogate_is_refused() -> None:
    """A text that no encoding can carry is an error, not a count."""
    with pytest.raises(ValueError, match=r"U\+D83D"):
        split_into_segments("ok \ud83d")
