"""Sites in other scripts as a browser shows them: what assistive technology hears, the layout, the search."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page

from tests.site.commands.test_language import ARABIC, JAPANESE, TURKISH, build

from .searching import search
from .serving import serving
from .test_accessibility import violations
from .test_layout import overflow
from .views import PHONE, WIDE

pytestmark = pytest.mark.browser

OPERATION = f"arabic/reference/{quote('الطرود')}/send-parcel/"
_APART = """() => {
  const title = document.createRange();
  title.selectNodeContents(document.querySelector("h1"));
  const words = title.getBoundingClientRect();
  const menu = document.querySelector(".dp-page-actions").getBoundingClientRect();
  return words.right <= menu.left || words.left >= menu.right;
}"""
_SIDE = "(selector) => document.querySelector(selector).getBoundingClientRect().left"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a server of sites in Arabic, Japanese and Turkish, and of an Arabic contract in English."""
    folder = tmp_path_factory.mktemp("languages")
    for name, document, language in (
        ("arabic", ARABIC, ""),
        ("japanese", JAPANESE, "ja"),
        ("turkish", TURKISH, ""),
        ("arabic_in_english", ARABIC, "en"),
    ):
        made = folder / f"{name}.made"
        made.mkdir()
        build(document, made, language).rename(folder / name)
    with serving(folder) as origin:
        yield origin


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Return a page of a browser that has seen nothing yet."""
    with browser.new_context(viewport=WIDE, reduced_motion="reduce") as context:
        yield context.new_page()


def test_page_from_right_to_left_is_accessible(page: Page, address: str) -> None:
    """The languages are there and valid, and nothing else is in the way, on a screen and on a phone."""
    page.goto(f"{address}/{OPERATION}")

    assert violations(page) == []
    assert overflow(page, PHONE) == ""


def test_page_from_right_to_left_begins_at_the_right(page: Page, address: str) -> None:
    """The column stands right of the text, the samples left of it; lines of code begin at the left."""
    page.goto(f"{address}/{OPERATION}")

    column, text, samples = (page.evaluate(_SIDE, item) for item in (".dp-side", "h1", ".dp-op__samples"))
    aligned = page.evaluate("() => getComputedStyle(document.querySelector('.dp-panel pre code')).direction")

    assert samples < text < column
    assert aligned == "ltr"


@pytest.mark.parametrize("site", ["arabic", "arabic_in_english"])
def test_menu_of_a_page_does_not_cover_its_title(page: Page, address: str, site: str) -> None:
    """Also if the title has another direction than the page, so that it begins where the menu is."""
    page.goto(f"{address}/{site}/")

    assert page.evaluate(_APART)


@pytest.mark.parametrize(
    ("site", "wanted"),
    [
        ("japanese", {"停留所一覧": "list-stops", "一覧": "list-stops"}),
        (
            "turkish",
            {
                "istanbul subesi": "istanbul-şubesi",
                "ISTANBUL ŞUBESİ": "istanbul-şubesi",
                "kargolari listele": "list-kargolar",
                "KARGOLARI": "list-kargolar",
            },
        ),
        ("arabic", {"ارسال طرد": "send-parcel", "إِرسال": "send-parcel", "طـــرد": "send-parcel"}),
    ],
)
def test_search_finds_text_as_people_type_it(
    page: Page, address: str, site: str, wanted: dict[str, str]
) -> None:
    """Without blanks, without accents and vowel signs, in capitals, with dots or without."""
    page.goto(f"{address}/{site}/")

    best = {words: search(page, words)[0] for words in wanted}

    assert {words: value for words, value in best.items() if quote(wanted[words]) not in value} == {}
