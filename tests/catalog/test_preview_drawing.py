"""How preview images are drawn."""

import io
import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from devportal.catalog.preview import HEIGHT, WIDTH, Card, preview_png
from devportal.catalog.preview.cards import Fact
from devportal.catalog.preview.drawing import Colour
from devportal.catalog.preview.lettering import Weight, drawable_text, face, fit_text, length_of
from devportal.catalog.records.codes import country_names

TOKENS = Path(__file__).parents[2] / "tools/devportal/site/theme/assets/devportal/tokens.css"
PRICE = Fact(label="Phone numbers from", value="1234.567890 EUR", note="per message")
FULL = Card(
    service="Allgemeine Gesellschaft für internationale Nachrichtenübermittlung mbH & Co. KG",
    title="South Georgia & South Sandwich Islands",
    subtitle="Coverage and rates",
    facts=(PRICE,) * 5,
    chips=("SMS: full", "MMS: limited", "RCS: limited", "Voice: full"),
    on=date(2026, 11, 22),
    address="developers.a-company-with-a-long-name.example/documentation/coverage/gs/",
    is_sample=True,
)
WORDS = st.text(alphabet="abc WÅ.é-", max_size=120)


def pixels(card: Card) -> Image.Image:
    """Return the image of a card, in red, green and blue."""
    with Image.open(io.BytesIO(preview_png(card))) as image:
        return image.convert("RGB")


def chunks(data: bytes) -> list[bytes]:
    """Return the types of the chunks of a PNG file, in order, each once."""
    found, place = [], 8
    while place < len(data):
        length, kind = int.from_bytes(data[place : place + 4], "big"), data[place + 4 : place + 8]
        found.append(kind)
        place += length + 12
    return list(dict.fromkeys(found))


def test_an_image_is_a_png_of_the_size_that_is_previewed_large() -> None:
    """With a palette, and nothing that says when or how it was made."""
    data = preview_png(FULL)

    with Image.open(io.BytesIO(data)) as image:
        assert (image.format, image.size, image.mode) == ("PNG", (1200, 630), "P")
    assert (WIDTH, HEIGHT) == (1200, 630)
    assert chunks(data) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]


def test_an_image_is_the_same_each_time_and_small() -> None:
    """Under 26 kB where all there can be is on it."""
    assert preview_png(FULL) == preview_png(replace(FULL))
    assert len(preview_png(FULL)) < 26_000


@pytest.mark.parametrize(
    "change",
    [
        {"service": "Other"},
        {"title": "Norway"},
        {"subtitle": "Rates"},
        {"facts": (PRICE,) * 4},
        {"facts": (replace(PRICE, label="x"),) * 5},
        {"facts": (replace(PRICE, value="x"),) * 5},
        {"facts": (replace(PRICE, note="x"),) * 5},
        {"chips": ()},
        {"on": date(2026, 11, 23)},
        {"address": "portal.example"},
        {"is_sample": False},
    ],
    ids=str,
)
def test_everything_that_a_card_says_is_drawn(change: dict[str, object]) -> None:
    """Another text is another image."""
    assert preview_png(replace(FULL, **change)) != preview_png(FULL)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [1, 20, 80, 400])
@pytest.mark.parametrize("letters", ["W", "W ", "İg", "M-"])
def test_long_texts_stay_within_the_margins(size: int, letters: str) -> None:
    """Left and right of all texts, and below, nothing but the ground is seen."""
    text = (letters * size)[:size]
    fact = Fact(label=text, value=text, note=text)
    long = replace(
        FULL, service=text, title=text, subtitle=text, chips=(text,) * 9, facts=(fact,) * 9, address=text
    )
    image = pixels(long)

    ground = Colour.BG.rgb
    margins = [(0, 16, 56, HEIGHT), (WIDTH - 56, 16, WIDTH, HEIGHT), (0, 610, WIDTH, HEIGHT)]
    assert [image.crop(box).getcolors() for box in margins] == [
        [((right - left) * (bottom - top), ground)] for left, top, right, bottom in margins
    ]


def test_every_country_can_be_written() -> None:
    """In both weights, accents and all, in at most two lines."""
    for name in country_names().values():
        assert drawable_text(name) == name
        assert len(fit_text(name, Weight.BOLD, width=1056, sizes=((100, 1), (54, 2))).lines) <= 2
    letters = set("".join(country_names().values())) - {" "}
    assert {"ô", "ü", "Å", "ã", "ç"} < letters
    assert [letter for letter in letters for weight in Weight if not face(weight, 32).has(letter)] == []


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("a\u202eb\u2066c\u200bd\ufeff", "abcd"),
        ("a\x00b\x1b[0m\nc\td", "ab[0m c d"),
        ("e\u0301t\u0065\u0301", "été"),
        ("ﬁne Ｎorway", "fine Norway"),
        ("Москва Αθήνα Việt", "Москва Αθήνα Việt"),
        ("微信 Pay 💬", "Pay"),
        ("\ud800x\ue000", "x"),
    ],
)
def test_texts_are_only_text(text: str, drawn: str) -> None:
    """Markup is letters; what shows nothing, reorders others or has no letter in the font is left out."""
    assert drawable_text(text) == drawn


@given(text=WORDS, width=st.integers(40, 900))
def test_texts_fit(text: str, width: int) -> None:
    """In the width and number of lines that a size allows; only what fits in no size is cut, and says so."""
    sizes = ((60, 1), (40, 2), (24, 2))
    made = fit_text(text, Weight.BOLD, width=width, sizes=sizes)

    assert len(made.lines) <= dict(sizes)[made.size]
    assert length_of(made) <= width
    joined, whole = "".join(made.lines).replace(" ", ""), drawable_text(text).replace(" ", "")
    assert joined == whole or (made.size == 24 and joined[-1] == "…" and whole.startswith(joined[:-1]))


@given(text=WORDS)
def test_letters_are_as_wide_as_they_say(text: str) -> None:
    """No ink is beyond the width of the text, but for what a letter overhangs."""
    letters = face(Weight.BOLD, 40).letters(text)

    box = letters.getbbox()
    assert box is None or (box[0] >= 0 and box[2] <= 5 + face(Weight.BOLD, 40).length(text) + 5)


def test_pairs_move_closer_together() -> None:
    """As the font wants it: letters set one by one would leave a gap."""
    bold = face(Weight.BOLD, 100)

    assert bold.length("To") == pytest.approx(bold.length("T") + bold.length("o") - 12.3, abs=0.2)
    assert bold.length("HH") == 2 * bold.length("H")


def test_colours_are_those_of_the_portal() -> None:
    """The light ones of its style sheet."""
    sheet = TOKENS.read_text(encoding="utf-8")
    tokens = dict(re.findall(r"--dp-([\w-]+): light-dark\((#[0-9a-f]{6}),", sheet))

    assert {
        colour.name.lower().replace("_", "-"): colour.value for colour in Colour
    }.items() <= tokens.items()
