"""The segment calculator of the guide: it counts as Python does, finds what needs UCS-2, and replaces it."""

from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from telecom.segments import GSM7_UNITS, split_into_segments
from tests.telecom.test_segments import VECTORS

from .calculator import blocks, choose, number, text_of

pytestmark = pytest.mark.browser


def test_vectors_are_counted_in_a_browser_too(page: Page) -> None:
    """Each published vector, by the module that the page has loaded."""
    counted = page.evaluate(
        """async (texts) => {
          const script = document.querySelector("script[src$='calculator.js']").src;
          const { segment } = await import(new URL("segments.js", script));
          return texts.map((text) => segment(text));
        }""",
        [vector["text"] for vector in VECTORS],
    )

    for vector, result in zip(VECTORS, counted, strict=True):
        units = [segment["units"] for segment in result["segments"]]
        assert (result["encoding"], result["units"], units) == (
            vector["encoding"], vector["units"], vector["segment_units"]
        ), vector["name"]  # fmt: skip


def test_what_is_typed_is_counted_at_once(page: Page) -> None:
    """Key by key: one more character than a segment holds, and then one that GSM-7 lacks."""
    text_of(page).fill("a" * 160)
    before = number(page, "Segments"), number(page, "Room left")
    text_of(page).press_sequentially("b")
    after = (
        number(page, "Encoding"),
        number(page, "Segments"),
        number(page, "Length"),
        number(page, "Room left"),
    )
    text_of(page).press_sequentially("я")

    assert before == ("1", "0")
    assert after == ("GSM-7", "2", "161", "145")
    assert (number(page, "Encoding"), number(page, "Segments"), number(page, "Length")) == (
        "UCS-2",
        "3",
        "162",
    )


def test_each_segment_is_shown_with_its_text(page: Page) -> None:
    """The blocks hold what Python cuts the text into, with a word where one ends early."""
    text = "a" * 152 + "€ and\na line"
    text_of(page).fill(text)

    assert blocks(page) == [segment.text for segment in split_into_segments(text).segments]
    expect(page.locator(".segments__length").first).to_have_text("152 of 153: the next character needs 2")
    expect(page.locator(".segments__double", has_text="€")).to_be_visible()
    expect(page.get_by_text("Marked characters count twice.")).to_be_visible()


def test_characters_that_need_ucs2_are_listed(page: Page) -> None:
    """With code point, name, first place and what to write instead; the button finds each of them in turn."""
    text_of(page).fill("😀 It’s Zoë’s")
    rows = page.locator(".segments__table tbody tr")

    assert [" ".join(row.split()) for row in rows.all_inner_texts()] == [
        "😀 U+1F600 emoji 1 no replacement",
        "’ U+2019 right single quotation mark 5 and 1 more '",
        "ë U+00EB Latin letter 10 e",
    ]
    selected = []
    for _ in range(3):
        page.get_by_role("button", name="Find right single quotation mark U+2019").click()
        selected.append(text_of(page).evaluate("(one) => [one.selectionStart, one.selectionEnd]"))
    assert selected == [[5, 6], [11, 12], [5, 6]]
    expect(text_of(page)).to_be_focused()


def test_character_is_found_among_thousands(page: Page) -> None:
    """The next behind the cursor and, behind the last, the first; the browser looks for it, twice at most."""
    text = "😀я" + "жзик" * 6000
    text_of(page).fill(text)
    cursors = [0, 13, len(text) + 1, 2]

    found = page.evaluate(
        """(cursors) => {
          const text = document.querySelector(".segments__text");
          const find = document.querySelector("[aria-label^='Find'][aria-label*='U+0436']");
          const { indexOf, [Symbol.iterator]: walk } = String.prototype;
          const counts = { looks: 0, walks: 0 };
          String.prototype.indexOf = function (...asked) {
            counts.looks += 1;
            return indexOf.apply(this, asked);
          };
          String.prototype[Symbol.iterator] = function () {
            counts.walks += 1;
            return walk.call(this);
          };
          const places = cursors.map((cursor) => {
            text.setSelectionRange(cursor, cursor);
            find.click();
            return text.value.slice(0, text.selectionStart).length;
          });
          return { places, ...counts, selected: text.selectionEnd };
        }""",
        cursors,
    )

    assert found["places"] == [3, 15, 3, 3]
    assert found["selected"] == 4
    assert 0 < found["looks"] <= 2 * len(cursors)
    assert found["walks"] == 0


def test_all_is_replaced_with_one_button_and_brought_back_with_another(page: Page) -> None:
    """What it will save is said before; afterwards nothing needs UCS-2."""
    choose(page, "Curly quotes")
    before = text_of(page).input_value()
    expect(page.get_by_text("the text becomes GSM-7: 1 segment instead of 2.")).to_be_visible()

    page.get_by_role("button", name="Replace all").click()
    replaced = text_of(page).input_value()
    expect(page.get_by_role("button", name="Replace all")).to_be_hidden()
    expect(text_of(page)).to_be_focused()
    page.get_by_role("button", name="Undo").click()

    assert set(replaced) <= GSM7_UNITS.keys()
    assert text_of(page).input_value() == before
    assert number(page, "Encoding") == "UCS-2"


def test_replacing_is_not_offered_where_nothing_fits(page: Page) -> None:
    """Cyrillic is listed, and stays as it is."""
    choose(page, "Cyrillic")

    expect(page.get_by_role("table", name="Characters that need UCS-2")).to_be_visible()
    expect(page.get_by_role("button", name="Replace all")).to_be_hidden()


def test_presets_are_one_click_away(page: Page) -> None:
    """Each shows another thing; the text that was there before comes back with Undo."""
    for preset, encoding, segments in (
        ("Short", "GSM-7", "1"),
        ("Euro sign", "GSM-7", "2"),
        ("Curly quotes", "UCS-2", "2"),
        ("Emoji", "UCS-2", "2"),
        ("Cyrillic", "UCS-2", "2"),
        ("Long", "GSM-7", "3"),
    ):
        own = f"my own text, before {preset}"
        text_of(page).fill(own)

        choose(page, preset)
        shown = number(page, "Encoding"), number(page, "Segments")
        page.get_by_role("button", name="Undo").click()

        assert shown == (encoding, segments), preset
        expect(text_of(page), preset).to_have_value(own)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The API rejects an empty text."),
        ("a" * 1531, "The API rejects this text: it takes 11 segments, and the limit is 10."),
        ("я" * 671, "The API rejects this text: it takes 11 segments, and the limit is 10."),
    ],
)
def test_texts_that_the_api_refuses_are_told(text: str, said: str, page: Page) -> None:
    """None at all, and more than ten segments; the longest that are let through are not complained of."""
    text_of(page).fill(text[1:])
    kept = page.locator(".segments__refusal").is_hidden() if text else True

    text_of(page).fill(text)

    assert kept
    expect(page.locator(".segments__refusal")).to_have_text(said)


def test_what_is_too_much_to_show_is_counted(page: Page) -> None:
    """Ten segments and a hundred characters are shown, and how many more there are."""
    text_of(page).fill("".join(chr(0x4E00 + item) for item in range(671)))

    assert len(blocks(page)) == 10
    expect(page.get_by_text("and 1 more segment", exact=True)).to_be_visible()
    expect(page.locator(".segments__table tbody tr")).to_have_count(101)
    expect(page.get_by_text("and 571 more characters", exact=True)).to_be_attached()


def test_half_a_character_is_told(page: Page) -> None:
    """A lone surrogate, which only programs can put into a text, is named, and no number is shown."""
    text_of(page).evaluate("(one) => { one.value = 'ok \\ud83d'; one.dispatchEvent(new Event('input')); }")

    expect(page.locator(".segments__refusal")).to_contain_text("lone surrogate U+D83D")
    assert number(page, "Segments") == "–"
    assert blocks(page) == []


def test_texts_are_never_read_as_html(page: Page) -> None:
    """Tags that somebody types, or puts into a link, are text."""
    text = "<img src=x onerror=alert(1)> “</p><b>"
    page.goto(f"{page.url}#text={quote(text)}")

    expect(text_of(page)).to_have_value(text)
    assert blocks(page) == [text]
    assert page.locator(".segments :is(img, b)").count() == 0
