"""What is told of a page where a link to it is shared: title, description, address, preview image."""

import io
from pathlib import Path
from urllib.parse import unquote

import pytest
from PIL import Image

from devportal.markup import Artefact, Page
from tests.own_site import OwnSite

from .building import Tags, contents
from .generated import site_of

SITE_URL = "https://portal.example/a%20b/"
OWN_SITE = "https://devportal.example.com/"
COUNTRIES = ("no", "se", "dk", "fi")
TOLD = {"description", "og:title", "og:description", "og:url", "og:site_name", "og:image", "twitter:card"}


def page_of(uri: str, *, preview: str = "", preview_alt: str = "") -> Page:
    """Return a page with a title that has to be escaped."""
    return Page(
        uri=uri,
        title=f'<b>"{uri}" & more',
        description=f"What <{uri}> costs & where.",
        preview=preview,
        preview_alt=preview_alt,
        body=f"<h1>{uri}</h1>",
        markdown=f"# {uri}\n",
    )


def meta_tags(page: bytes) -> dict[str, str]:
    """Return the meta elements of a page by name or property; none occurs twice."""
    metas = [values for tag, values in Tags(page.decode()).tags if tag == "meta" and "content" in values]
    pairs = [(values.get("property") or values.get("name", ""), values["content"]) for values in metas]
    named = [(name, content) for name, content in pairs if name]
    assert len(dict(named)) == len(named)
    return dict(named)


def canonical(page: bytes) -> list[str]:
    """Return the addresses that a page calls its own."""
    links = [values for tag, values in Tags(page.decode()).tags if tag == "link"]
    return [values["href"] for values in links if values.get("rel") == "canonical"]


def build_previews(folder: Path, **settings: object) -> dict[str, bytes]:
    """Build a site: an area, more pages with an image than are rendered to prove a frame, and one without."""
    countries = [
        page_of(f"coverage/{code}/index.md", preview=f"coverage/{code}/preview.png") for code in COUNTRIES
    ]
    return site_of(
        page_of("coverage/index.md", preview="coverage/preview & more.png"),
        *countries,
        page_of("coverage/is/index.md"),
        Artefact(uri="coverage/no/preview.png", content=b"PNG"),
        folder=folder,
        **settings,
    )


def test_a_page_names_its_image_by_its_whole_address(folder: Path) -> None:
    """The first page of an area as well as pages in frames, each its own, with size and words for it."""
    files = build_previews(folder, site_url=SITE_URL)

    places = {"": "coverage/preview%20%26%20more.png"}
    places |= {f"{code}/": f"coverage/{code}/preview.png" for code in COUNTRIES}
    for place, image in places.items():
        head = meta_tags(files[f"coverage/{place}index.html"])
        assert head["og:image"] == SITE_URL + image
        assert (head["og:image:width"], head["og:image:height"]) == ("1200", "630")
        assert head["og:image:type"] == "image/png"
        assert head["og:image:alt"] == head["og:title"] == f'<b>"coverage/{place}index.md" & more'
        assert head["og:url"] == f"{SITE_URL}coverage/{place}"
        assert head["twitter:card"] == "summary_large_image"
    assert files["coverage/no/preview.png"] == b"PNG"


def test_words_for_an_image_are_its_own(folder: Path) -> None:
    """In frames too, and escaped; a page that has none uses its title."""
    pages = [
        page_of(
            f"coverage/{code}/index.md", preview="coverage/preview.png", preview_alt=f'"{code}" <b> & more'
        )
        for code in COUNTRIES
    ]
    files = site_of(page_of("coverage/index.md"), *pages, folder=folder, site_url=SITE_URL)

    for code in COUNTRIES:
        assert meta_tags(files[f"coverage/{code}/index.html"])["og:image:alt"] == f'"{code}" <b> & more'


def test_a_page_without_image_has_a_small_card(folder: Path) -> None:
    """Generated ones, which stand beside others in a frame with an image, and hand-written ones."""
    files = build_previews(folder, site_url=SITE_URL)

    for page in (files["coverage/is/index.html"], files["index.html"]):
        head = meta_tags(page)
        assert [name for name in head if name.startswith("og:image")] == []
        assert head["twitter:card"] == "summary"


def test_without_site_url_no_address_is_made_up(folder: Path) -> None:
    """A relative one would lead nowhere: who previews a link starts from no page."""
    files = build_previews(folder)

    for place in ("", "no/", "fi/"):
        page = files[f"coverage/{place}index.html"]
        head = meta_tags(page)
        assert {"og:image", "og:url"} & set(head) == set()
        assert head["twitter:card"] == "summary"
        assert canonical(page) == []
        assert head["og:title"] == f'<b>"coverage/{place}index.md" & more'


@pytest.fixture(scope="module")
def files(own_site: OwnSite) -> dict[str, bytes]:
    """Return every file of this project's site."""
    return contents(own_site.site_dir)


@pytest.fixture(scope="module")
def catalog(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the pages of rates and coverage, by their address below the site."""
    return {
        name.removesuffix("index.html"): data
        for name, data in files.items()
        if name.startswith(("rates/", "coverage/")) and name.endswith("/index.html")
    }


def test_every_page_of_rates_and_coverage_can_be_shared(catalog: dict[str, bytes]) -> None:
    """With title, description, image and one address of its own; what comes in may have no image."""
    assert {"rates/", "rates/sms/", "coverage/", "coverage/no/"} <= set(catalog)
    for place, page in catalog.items():
        head = meta_tags(page)
        missing = TOLD - {name for name in TOLD if head.get(name)}
        assert missing <= ({"og:image"} if place.endswith("/inbound/") else set()), place
        assert canonical(page) == [head["og:url"]] == [OWN_SITE + place]
        assert head["description"] == head["og:description"]
        assert 20 <= len(head["description"]) <= 300, place
        assert head["twitter:card"] == ("summary" if missing else "summary_large_image")


def test_no_two_pages_have_one_title(catalog: dict[str, bytes]) -> None:
    """Nor one description: shared links could not be told apart."""
    heads = [meta_tags(page) for page in catalog.values()]

    for name in ("og:title", "og:description"):
        assert len({head[name] for head in heads}) == len(heads)


def test_every_image_is_there(catalog: dict[str, bytes], files: dict[str, bytes]) -> None:
    """In the size that is told, and each is of some page."""
    heads = [meta_tags(page) for page in catalog.values()]
    named = {head["og:image"].removeprefix(OWN_SITE) for head in heads if "og:image" in head}

    assert named == {name for name in files if name.endswith("preview.png")}
    for name in named:
        with Image.open(io.BytesIO(files[unquote(name)])) as image:
            assert (image.format, image.size) == ("PNG", (1200, 630))
