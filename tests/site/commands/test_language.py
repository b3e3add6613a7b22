"""Contracts in other languages and scripts: the language and the direction of what a site shows."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from devportal.cli import cli
from devportal.errors import InvalidSettings
from devportal.language import has_other_scripts
from devportal.site.cache.last_build import ContractBuild
from devportal.site.commands.build import build_contract, build_project
from devportal.site.language import heading_id
from tests.site.building import write_contract, write_project
from tests.site.reading_search import entries

ARABIC: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {
        "title": "بريد المدينة",
        "version": "1.0.0",
        "x-language": "ar",
        "description": "أرسل الطرد بالطلب `POST /parcels` ثم اقرأ `parcel_id`.",
    },
    "tags": [{"name": "الطرود", "description": "كل الطرود."}],
    "servers": [{"url": "https://api.example.com", "description": "الخادم الرئيسي"}],
    "paths": {
        "/parcels": {
            "post": {
                "operationId": "sendParcel",
                "tags": ["الطرود"],
                "summary": "إرسال طرد (v2)",
                "description": "يلزم الحقل `weight_g`.",
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": {"$ref": "#/components/schemas/Parcel"},
                            "examples": {
                                "one": {"summary": "طرد صغير", "value": {"weight_g": 500}},
                                "two": {"summary": "طرد كبير", "value": {"weight_g": 900}},
                            },
                        }
                    }
                },
                "responses": {"201": {"description": "تم الإرسال."}},
            }
        }
    },
    "components": {
        "schemas": {
            "Parcel": {
                "type": "object",
                "description": "طرد واحد.",
                "properties": {
                    "weight_g": {"type": "integer", "description": "الوزن بالغرام."},
                    "state": {
                        "type": "string",
                        "enum": ["new"],
                        "x-enumDescriptions": {"new": "جديد"},
                    },
                },
            }
        }
    },
}
JAPANESE: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "市電の時刻", "version": "1.0.0", "description": "停留所と時刻を調べる。"},
    "paths": {
        "/stops": {
            "get": {
                "operationId": "listStops",
                "tags": ["停留所"],
                "summary": "停留所の一覧",
                "responses": {"200": {"description": "見つかった停留所"}},
            }
        }
    },
}
TURKISH: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": "İstanbul Kargo", "version": "1.0.0", "x-language": "tr"},
    "paths": {
        "/kargolar": {
            "get": {
                "operationId": "listKargolar",
                "tags": ["İstanbul Şubesi"],
                "summary": "Kargoları listele",
                "responses": {"200": {"description": "Tamam"}},
            }
        }
    },
}


def page_of(site: Path, operation: str) -> str:
    """Return the HTML of the page of an operation."""
    (page,) = site.glob(f"reference/*/{operation}/index.html")
    return page.read_text(encoding="utf-8")


def build(document: dict[str, Any], folder: Path, language: str = "") -> Path:
    """Build a site of a contract alone and return where it is."""
    contract = write_contract(folder / "openapi.yaml", document)
    return build_contract(
        ContractBuild(contract=contract, site_dir=folder / "site", language=language)
    ).site_dir


@pytest.fixture(scope="module")
def arabic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a site in Arabic, as the contract says."""
    return build(ARABIC, tmp_path_factory.mktemp("arabic"))


@pytest.fixture(scope="module")
def japanese(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a site in Japanese, as who builds it says."""
    return build(JAPANESE, tmp_path_factory.mktemp("japanese"), "ja")


@pytest.fixture(scope="module")
def turkish(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a site in Turkish, as the contract says."""
    return build(TURKISH, tmp_path_factory.mktemp("turkish"))


@pytest.fixture(scope="module")
def arabic_in_english(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a portal in English around the contract in Arabic, with a changelog in English."""
    folder = tmp_path_factory.mktemp("english")
    config_file = write_project(folder, plugin={"language": "en"})
    write_contract(folder / "openapi.yaml", ARABIC)
    return build_project(config_file, site_dir=folder / "site").site_dir


@pytest.mark.parametrize("site", ["arabic", "japanese", "turkish"])
def test_every_page_has_the_language(site: str, request: pytest.FixtureRequest) -> None:
    """Overview, group, operation, schema and the page for errors: all but those that have moved."""
    folder: Path = request.getfixturevalue(site)
    language = {"arabic": "ar", "japanese": "ja", "turkish": "tr"}[site]
    pages = [path.read_text(encoding="utf-8") for path in folder.rglob("*.html")]
    tags = {re.search("<html[^>]*>", page).group() for page in pages if 'http-equiv="refresh"' not in page}  # type: ignore[union-attr]

    assert tags == {f'<html lang="{language}" class="no-js">'}


def test_own_words_are_english_where_nobody_translated_them(turkish: Path) -> None:
    """The body is English; title, texts and entries of the column in it are Turkish."""
    page = page_of(turkish, "list-kargolar")

    assert re.search(r'<article [^>]*lang="en">', page)
    assert re.search(r'<h1 [^>]*lang="tr" dir="auto">Kargoları listele</h1>', page)
    assert '<span class="dp-response__words" lang="tr" dir="auto">Tamam</span>' in page
    assert '<div lang="en"><nav class="dp-side"' in page
    assert '<span class="dp-side__title" lang="tr" dir="auto">Kargoları listele' in page
    assert re.search(r'<dialog class="dp-find"[^>]* lang="en">', page)


def test_own_words_are_in_the_language_of_the_contract(japanese: Path) -> None:
    """Words of both kinds are Japanese, so nothing in the body has a mark."""
    page = page_of(japanese, "list-stops")
    (twin,) = japanese.glob("reference/*/list-stops.md")

    assert 'lang="en"' not in page.partition("<body")[2]
    assert 'lang="ja"' not in page.partition("<body")[2]
    assert re.search(r'<h1 [^>]*dir="auto">停留所の一覧</h1>', page)
    assert re.search(r"<h2 [^>]*>レスポンス ?<", page)
    assert "## レスポンス\n" in twin.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "marked",
    [
        'dir="auto">إرسال طرد (v2)</h1>',
        '<div class="dp-text" lang="ar" dir="auto"><p>يلزم',
        '<div class="dp-field__text" lang="ar" dir="auto">\n<p>الوزن',
        '<dd lang="ar" dir="auto"><p>جديد',
        'lang="ar" dir="auto">طرد صغير</option>',
        '<bdi lang="ar" dir="auto">الطرود</bdi></summary>',
        'lang="ar" dir="auto">تم الإرسال.</span>',
        '<a href="../" lang="ar" dir="auto">الطرود</a>',
    ],
)
def test_text_is_marked_wherever_it_stands(arabic: Path, marked: str) -> None:
    """In headings, texts, fields, values, examples, responses, the column and the way to the page."""
    assert marked in page_of(arabic, "send-parcel")


def test_page_from_right_to_left(arabic: Path) -> None:
    """The theme follows the language; code does not."""
    page = page_of(arabic, "send-parcel")

    assert '<body dir="rtl"' in page
    assert page.count("<pre ") == len(re.findall(r'<pre [^>]*dir="ltr">', page))


def test_text_in_another_language_than_the_site(arabic_in_english: Path) -> None:
    """A portal in English around a contract in Arabic: only the texts are Arabic."""
    page = page_of(arabic_in_english, "send-parcel")

    assert '<html lang="en"' in page
    assert '<body dir="ltr"' in page
    assert 'lang="en"' not in page.partition("<body")[2]
    assert 'lang="ar" dir="auto">إرسال طرد (v2)</h1>' in page


def test_what_links_and_programs_see(arabic: Path, turkish: Path) -> None:
    """The language stands in the head of a page, in its twin and in the table of contents for models."""
    (twin,) = turkish.glob("reference/*/list-kargolar.md")

    assert '<meta property="og:locale" content="ar">' in page_of(arabic, "send-parcel")
    title, _, _, _, language, *_ = twin.read_text(encoding="utf-8").split("\n")
    assert (title, language) == ("# Kargoları listele", "Language: tr")
    assert "\nLanguage: tr; " in (turkish / "llms.txt").read_text(encoding="utf-8")


def test_english_page_is_as_light_as_it_was(tmp_path: Path) -> None:
    """Text that is English and reads from left to right has no mark at all."""
    page = page_of(build_project(write_project(tmp_path), site_dir=tmp_path / "s").site_dir, "get-parcel")

    assert not re.search(r'<bdi|dir="auto"|lang="en">|og:locale', page.partition("<body")[2])


def test_override_reaches_nothing_else(tmp_path: Path) -> None:
    """A character that reverses what follows it is isolated on the page, and left out of the title."""
    title = "Parcels \u202egnp.exe"
    page = page_of(build({**JAPANESE, "info": {"title": title, "version": "1"}}, tmp_path), "list-stops")
    head, _, body = page.partition("<body")

    assert "\u202e" not in head
    assert "\u202e" not in body


def test_one_text_in_another_script_is_marked(tmp_path: Path) -> None:
    """A contract that names no language: the direction of its texts is theirs all the same."""
    site = build({**ARABIC, "info": {**ARABIC["info"], "x-language": ""}}, tmp_path)

    assert 'dir="auto">إرسال طرد (v2)</h1>' in page_of(site, "send-parcel")


@pytest.mark.parametrize("language", ["jp", "english", "pt_BR", 7, "e"])
def test_wrong_setting(tmp_path: Path, language: object) -> None:
    """What is no language tag ends the build and is quoted."""
    config_file = write_project(tmp_path, plugin={"language": language})

    with pytest.raises(InvalidSettings, match=re.escape(f"{language!r} is not a language tag")):
        build_project(config_file, site_dir=tmp_path / "site")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--language", "jp"], "did you mean 'ja'?"),
        (["--language", "ja"], "--language goes with --contract"),
    ],
)
def test_wrong_option(tmp_path: Path, words: list[str], said: str) -> None:
    """A tag that is none, and the option beside a project, which has a setting."""
    given = ["--contract", str(write_contract(tmp_path / "a.yaml"))] if "jp" in words else []
    ended = CliRunner().invoke(cli, ["build", *given, *words])

    assert ended.exit_code == 2
    assert said in ended.output


def test_language_of_the_theme(tmp_path: Path) -> None:
    """A project that has chosen the theme's words has chosen the language, if nothing else says one."""
    config_file = write_project(tmp_path, theme={"name": "material", "language": "pt-BR"})
    page = page_of(build_project(config_file, site_dir=tmp_path / "site").site_dir, "get-parcel")

    assert '<html lang="pt-BR"' in page
    assert '<meta property="og:locale" content="pt_BR">' in page


@pytest.mark.parametrize(
    ("site", "addresses"),
    [
        ("japanese", {"reference/停留所/", "reference/停留所/list-stops/"}),
        ("turkish", {"reference/istanbul-şubesi/", "reference/istanbul-şubesi/list-kargolar/"}),
    ],
)
def test_addresses_keep_their_letters(site: str, addresses: set[str], request: pytest.FixtureRequest) -> None:
    """Addresses are readable in any script, and no letter brings a mark that nobody types."""
    folder: Path = request.getfixturevalue(site)
    found = {f"{path.parent.relative_to(folder).as_posix()}/" for path in folder.rglob("index.html")}

    assert addresses <= found


def test_index_of_search_has_every_script(japanese: Path) -> None:
    """Titles and texts are in the index as they are written."""
    text = (japanese / "search" / "search_index.json").read_text(encoding="utf-8")
    titles = {entry.title for entry in entries(text)}

    assert {"市電の時刻", "停留所", "停留所の一覧"} <= titles
    assert json.loads(text)


def test_headings_of_guides_have_readable_ids(tmp_path: Path) -> None:
    """In a guide in Japanese, each its own."""
    config_file = write_project(tmp_path, markdown_extensions=[{"toc": {"permalink": "#"}}])
    guide = tmp_path / "docs" / "index.md"
    guide.write_text("# 案内\n\n## 送る\n\n## 送る\n\n[へ](#送る_1)\n", encoding="utf-8")
    built = build_project(config_file, site_dir=tmp_path / "site")

    ids = re.findall('<h2 id="([^"]*)"', (built.site_dir / "index.html").read_text(encoding="utf-8"))

    assert ids == ["送る", "送る_1"]
    assert built.warnings == ()


@pytest.mark.parametrize(
    ("heading", "id_"),
    [
        ("Über uns", "uber-uns"),
        ("Send it", "send-it"),
        ("荷物を送る", "荷物を送る"),
        ("API の一覧", "api-の一覧"),
        ("पार्सल भेजें", "पार्सल-भेजें"),
        ("إرسال طرد", "إرسال-طرد"),
        ("İade koşulları", "iade-koşulları"),
        ("a_b  c!", "a_b-c"),
        ("Αποστολή", "αποστολή"),
    ],
)
def test_id_of_a_heading(heading: str, id_: str) -> None:
    """Readable in every script, and for Latin letters what it was."""
    assert heading_id(heading, "-") == id_


@pytest.mark.parametrize(
    ("text", "is_other"),
    [("plain", False), ("naïve – 5 µm … 📦 Ṽ", False), ("荷物", True), ("שלום", True), ("a\u202eb", True)],
)
def test_other_scripts(text: str, is_other: bool) -> None:  # noqa: FBT001 - a case
    """Letters that are not Latin and controls of direction; no accents, symbols or emoji."""
    assert has_other_scripts(text) is is_other
