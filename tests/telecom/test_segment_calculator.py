"""The calculator of the guides counts as Python does, and proposes only what GSM-7 has."""

import random
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from telecom.segments import GSM7_UNITS, MAX_SEGMENTS, Encoding, Segmentation, split_into_segments

from .calling import Calls, calls_of
from .test_segments import VECTORS

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "segments.md"
FUZZED = 2000


calls = calls_of("segments")


def as_counted(result: Segmentation) -> dict[str, Any]:
    """Return a result of Python as the calculator says it."""
    encoding = result.encoding
    return {
        "encoding": encoding,
        "units": result.units,
        "capacity": encoding.single if result.units <= encoding.single else encoding.multi,
        "segments": [{"text": segment.text, "units": segment.units} for segment in result.segments],
    }


def expected_result(text: str) -> dict[str, Any]:
    """Return what the calculator is to answer for a text, a refusal included."""
    try:
        return {"value": as_counted(split_into_segments(text))}
    except ValueError as error:
        return {"error": f"RangeError: {error}"}


def random_texts() -> list[str]:
    """Return texts of all kinds of characters, many of them as long as a segment or two."""
    source = random.Random(23038)  # noqa: S311 - the same texts in each run
    gsm7 = "".join(GSM7_UNITS)
    pools = (gsm7, "ab€{", "aя😀", "a€я😀\ud83d", gsm7 + "ç’…\u00a0\U0001f468\u200d\u0301", "\r\n\t €")
    lengths = (5, 40, 67, 70, 71, 134, 153, 160, 161, 306, 700)
    return [
        "".join(source.choices(source.choice(pools), k=source.randint(0, source.choice(lengths))))
        for _ in range(FUZZED)
    ]


def test_vectors_are_counted_as_the_standard_says(calls: Calls) -> None:
    """Encoding, units and the units of each segment agree with the published vectors."""
    found = calls(*(["segments", "segment", vector["text"]] for vector in VECTORS))

    for vector, answer in zip(VECTORS, found, strict=True):
        value = answer["value"]
        units = [segment["units"] for segment in value["segments"]]
        assert (value["encoding"], value["units"], units) == (
            vector["encoding"], vector["units"], vector["segment_units"]
        ), vector["name"]  # fmt: skip


def test_random_texts_are_counted_as_python_counts_them(calls: Calls) -> None:
    """Each segment with its text, and lone surrogates refused in the same words."""
    texts = random_texts()
    found = calls(*(["segments", "segment", text] for text in texts))

    wanted = [expected_result(text) for text in texts]
    assert [item for item in zip(texts, found, wanted, strict=True) if item[1] != item[2]] == []
    assert {len(item["value"]["segments"]) > 1 for item in wanted if "value" in item} == {True, False}
    assert {item["value"]["encoding"] for item in wanted if "value" in item} == {*Encoding}
    assert sum("error" in item for item in wanted) > 100


def test_names_are_those_of_unicode(calls: Calls) -> None:
    """The names in the table, in lower case; only the tab has none in Unicode."""
    (answer,) = calls(["characters", "KNOWN"])
    names = {character: name for character, (name, _) in answer["value"]}

    assert names.pop("\t") == "tab"
    assert {value: name.lower() for value, name in names.items()} == {
        name: unicodedata.name(name).lower() for name in names
    }


def test_only_gsm7_is_proposed(calls: Calls) -> None:
    """No replacement of any character has one that needs UCS-2, and none is made of what needs nothing."""
    characters = [chr(code) for code in range(0x2FFFF) if not 0xD800 <= code <= 0xDFFF]
    foreign = [character for character in characters if character not in GSM7_UNITS]
    found = calls(*(["characters", "replacementOf", text] for text in foreign))

    proposed = {
        text: answer["value"] for text, answer in zip(foreign, found, strict=True) if "value" in answer
    }
    assert [value for value, text in proposed.items() if not set(text) <= GSM7_UNITS.keys()] == []
    assert len(proposed) > 1000
    assert not {"я", "😀", "漢", "ا", "°", "\u200d"} & proposed.keys()


@pytest.mark.parametrize(
    ("text", "replaced"),
    [
        ("“Zoë” – it’s 5 o’clock…", "\"Zoe\" - it's 5 o'clock..."),
        ("façade\u00a0ŁÓDŹ, Kraków", "facade LODZ, Krakow"),
        ("cafe\u0301 q\u0303", "café q"),
        ("`a`\tb\u200bc\ufeff\u00ad", "'a' bc"),
        ("ΑΒΓ ΚΑΛΗΜΕΡΑ", "ABΓ KAΛHMEPA"),
        ("ﬁne ２ 𝐛𝐨𝐥𝐝 №", "fine 2 bold No"),
        ("one\u2028two", "one\ntwo"),
        ("£9.90 € ñ Ç [ok]", "£9.90 € ñ Ç [ok]"),
        ("я “😀” 5 °C", 'я "😀" 5 °C'),
    ],
)
def test_all_is_replaced_that_can_be(text: str, replaced: str, calls: Calls) -> None:
    """Signs by signs that look like them, letters without their accents; what has no substitute stays."""
    assert calls(["characters", "replaceAll", text]) == [{"value": replaced}]


def test_characters_are_found_with_their_places(calls: Calls) -> None:
    """Each once, in the order of the text, with all positions in code points from 1."""
    (answer,) = calls(["characters", "foreignIn", "a😀’b’ç€😀"])

    assert answer["value"] == [
        {"character": "😀", "positions": [2, 8]},
        {"character": "’", "positions": [3, 5], "replacement": "'"},
        {"character": "ç", "positions": [6], "replacement": "c"},
    ]


@pytest.mark.parametrize(
    ("character", "name"),
    [
        ("’", "right single quotation mark"),
        ("я", "Cyrillic letter"),
        ("ê", "Latin letter"),
        ("漢", "Chinese character"),
        ("😀", "emoji"),
        ("❤", "emoji"),
        ("\u20e3", "combining mark"),
        ("\u2003", "space"),
        ("\x00", "control character"),
        ("₹", "symbol"),
        ("‽", "punctuation mark"),
        ("\ue000", "character"),
    ],
)
def test_every_character_is_called_something(character: str, name: str, calls: Calls) -> None:
    """By its own name where it often occurs, by its kind where not."""
    assert calls(["characters", "nameOf", character]) == [{"value": name}]


def test_presets_show_what_they_are_there_for(calls: Calls) -> None:
    """Encoding, segments, and how many characters each text has."""
    (answer,) = calls(["presets", "PRESETS"])
    results = {name: split_into_segments(text) for name, text in answer["value"]}

    assert {
        name: (result.encoding, [part.units for part in result.segments]) for name, result in results.items()
    } == {
        "Short": ("GSM-7", [48]),
        "Euro sign": ("GSM-7", [153, 8]),  # 160 characters
        "Curly quotes": ("UCS-2", [67, 35]),
        "Emoji": ("UCS-2", [67, 26]),
        "Cyrillic": ("UCS-2", [67, 11]),
        "Long": ("GSM-7", [152, 153, 32]),  # a brace that does not fit into the first
    }
    assert len(dict(answer["value"])["Euro sign"]) == 160


def test_examples_of_the_guide_are_right() -> None:
    """Each row of the table: what its text is, and what Python makes of it."""
    rows = re.findall(
        r"^\| (`.*) \| (\S+) \| (\d+) \| (\d+)(?: \((.*)\))? \|$",
        GUIDE.read_text(encoding="utf-8"),
        re.MULTILINE,
    )

    assert len(rows) > 10
    for text, encoding, units, number, parts in rows:
        result = split_into_segments(as_text(text))
        lengths = [part.units for part in result.segments]
        assert (encoding, int(units), int(number)) == (result.encoding, result.units, len(lengths)), text
        assert parts == (" + ".join(map(str, lengths)) if len(lengths) > 1 else ""), text


def as_text(cell: str) -> str:
    """Return the text that a cell such as "`a` × 152, `€`" describes."""
    terms = re.findall(r"`([^`]+)`(?: × (\d+))?", cell)
    assert ", ".join(f"`{text}` × {times}" if times else f"`{text}`" for text, times in terms) == cell
    return "".join(text * int(times or 1) for text, times in terms)


def test_limits_of_the_guide_are_right() -> None:
    """The table of what a segment holds."""
    rows = re.findall(
        r"^\| (GSM-7|UCS-2) \| (\d+) \w+ \| (\d+) \w+ \|$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE
    )

    assert rows == [(encoding.value, str(encoding.single), str(encoding.multi)) for encoding in Encoding]


def test_estimator_hears_of_the_most_segments(calls: Calls) -> None:
    """The module that `counter.js` asks says what the contract's `maxLength` comes from."""
    assert calls(["segments", "MOST_SEGMENTS"]) == [{"value": MAX_SEGMENTS}]
