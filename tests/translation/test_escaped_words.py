"""No English word of the toolkit is on a site in another language.

Changelog, rates, coverage and runs are in `test_escaped_sections`, and words of scripts in `test_scripts.py`. What is
not covered yet, and has English words in every language, is structured data.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from devportal.changelog.pages.release_history import NEXT
from devportal.site.versions.removal_notices import PartStatus, Removal, version_notice
from devportal.translation import interface_of
from devportal.translation.catalogues import find_catalogue, load_interface
from tests.site.building import built_project, write_contract, write_project
from tests.translation.escaped_words import (
    LANGUAGE,
    escaped_from_html,
    escaped_from_markdown,
    words_outside_brackets,
    write_pseudo_catalogue,
)

_STATES = ["новая", "ушла", "пришла"]
_CALLBACK = {"responses": {"204": {"description": "Да."}}}
CONTRACT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {
        "title": "Посылки",
        "version": "2",
        "description": "О посылках.",
        "contact": {"email": "a@b.c"},
        "license": {"name": "Своя"},
    },
    "servers": [{"url": "https://п.example", "description": "Главный"}],
    "security": [{"ключ": []}],
    "paths": {
        "/п/{н}": {
            "get": {
                "summary": "Найти",
                "tags": ["Посылки"],
                "deprecated": True,
                "parameters": [
                    {
                        "name": "н",
                        "in": "path",
                        "required": True,
                        "schema": {"type": "integer", "minimum": 1},
                    },
                    {"name": "м", "in": "query", "schema": {"enum": ["а", "б"], "default": "а"}},
                    {"name": "з", "in": "header", "schema": {"type": "array", "items": {"type": "string"}}},
                ],
                "responses": {
                    "200": {
                        "description": "Нашли.",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Посылка"}}},
                    },
                    "default": {"description": "Ошибка."},
                },
            },
            "post": {
                "summary": "Послать",
                "tags": ["Посылки"],
                "security": [],
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Посылка"}}},
                },
                "responses": {"201": {"description": "Послали."}},
                "callbacks": {
                    "потом": {"{$request.body#/у}": {"post": {"responses": {"204": {"description": "Да."}}}}}
                },
            },
        }
    },
    "webhooks": {"ушла": {"post": {"summary": "Ушла", "responses": {"200": {"description": "Да."}}}}},
    "components": {
        "securitySchemes": {"ключ": {"type": "apiKey", "in": "header", "name": "К"}},
        "schemas": {
            "Посылка": {
                "type": "object",
                "required": ["вес"],
                "additionalProperties": False,
                "properties": {
                    "вес": {"type": "number", "multipleOf": 2, "description": "Вес."},
                    "имя": {"type": ["string", "null"], "minLength": 2, "maxLength": 5, "pattern": "^а"},
                    "метки": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 3}},
                    "куда": {"oneOf": [{"type": "string"}, {"$ref": "#/components/schemas/Место"}]},
                    "части": {
                        "type": "array",
                        "uniqueItems": True,
                        "items": {"$ref": "#/components/schemas/Место"},
                    },
                    "состояние": {"enum": _STATES, "readOnly": True},
                },
            },
            "Место": {"type": "object", "properties": {"дом": {"type": "integer", "examples": [3]}}},
        },
    },
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site whose words of ours are in brackets, and whose contract is in Cyrillic."""
    folder = tmp_path_factory.mktemp("escaped")
    catalogue = write_pseudo_catalogue(folder)
    config = write_project(
        folder,
        plugin={"language": LANGUAGE, "translations": [catalogue.name], "console": "always"},
        site_name="Ы",
        site_url="https://ы.example/",
    )
    write_contract(folder / "openapi.yaml", CONTRACT)
    (folder / "docs" / "index.md").write_text("# Привет\n", encoding="utf-8")
    return built_project(config, folder / "site").site_dir


def test_pages_of_the_reference(site: Path) -> None:
    """Texts and labels of generated pages, of their frame and of the page for unknown addresses."""
    found = {
        f"{path.relative_to(site)}: {text}"
        for path in (*site.rglob("reference/**/*.html"), site / "404.html")
        for text in escaped_from_html(path.read_text(encoding="utf-8"))
        if not text.startswith("https://")  # the address of the page, for paper
    }

    assert sorted(found) == []


def test_twins_of_the_reference(site: Path) -> None:
    """Markdown versions of the same pages."""
    found = {
        f"{path.relative_to(site)}: {line}"
        for path in site.rglob("reference/**/*.md")
        for line in escaped_from_markdown(path.read_text(encoding="utf-8"))
    }

    assert sorted(found) == []


def test_parts_of_pages_in_search(site: Path) -> None:
    """What search calls the parts of a page."""
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))

    assert [words for words, _ in index["parts"] if words_outside_brackets(words)[0]] == []


def test_files_for_agents(site: Path) -> None:
    """The table of contents, the whole in one file, and skills; names of files and units stay."""
    files = (site / "llms.txt", *site.rglob("SKILL.md"), *site.rglob("llms/*.txt"))
    found = {
        f"{path.relative_to(site)}: {line}"
        for path in files
        for line in escaped_from_markdown(_FRONT_MATTER.sub("", path.read_text(encoding="utf-8")))
        if line != "## Optional"  # llmstxt.org: the name of that section is part of the format
    }

    assert len(files) > 1
    assert sorted(found) == []


_FRONT_MATTER = re.compile(
    r"\A---\nname: .*\n(?:description: )?|(?<=\[)[\w.-]+\.(?:txt|yaml|json)(?=\])|\bKB\b|https:\S+"
)
"""What is no text for people: keys of front matter, names of files, units, addresses."""


def test_data_of_consoles_and_their_last_page(site: Path) -> None:
    """Labels of forms, and the window that ends a sign-in."""
    labels = {
        text
        for path in site.rglob("console.json")
        for name, text in _texts(json.loads(path.read_text(encoding="utf-8")))
        if name in ("label", "about", "missing")
    }
    page = (site / "assets" / "devportal" / "console" / "signed-in.html").read_text(encoding="utf-8")

    assert "⟦Typical⟧" in labels
    assert [label for label in labels if words_outside_brackets(label)[0]] == []
    assert escaped_from_html(page) == []
    assert f'<html lang="{LANGUAGE}">' in page
    assert "<title>⟦Signed in⟧</title>" in page


def test_structured_data(site: Path) -> None:
    """Names, headlines and descriptions in JSON-LD, which search engines show."""
    blocks = [
        (path, json.loads(block))
        for path in site.rglob("*.html")
        for block in _JSON_LD.findall(path.read_text(encoding="utf-8"))
    ]
    texts = {
        (path.relative_to(site), text)
        for path, block in blocks
        for name, text in _texts(block)
        if name in ("name", "headline", "description")
    }

    assert any("⟦" in text for _, text in texts)
    assert [(path, text) for path, text in texts if words_outside_brackets(text)[0]] == []


_JSON_LD = re.compile(r'<script type="?application/ld\+json"?>(.*?)</script>', re.DOTALL)


def test_descriptions_of_the_postman_collection(site: Path) -> None:
    """What Postman shows beside the contract's own words."""
    (collection,) = site.rglob("*postman*.json")
    texts = [
        text
        for name, text in _texts(json.loads(collection.read_text(encoding="utf-8")))
        if name == "description"
    ]

    assert any("⟦Deprecated.⟧" in text for text in texts)
    assert [text for text in texts if words_outside_brackets(text)[0]] == []


def _texts(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield each text in a value of JSON with the name of the member that it is in."""
    if isinstance(value, str):
        yield name, value
    if isinstance(value, dict | list):
        for inner, other_value in (
            value.items() if isinstance(value, dict) else ((name, item) for item in value)
        ):
            yield from _texts(other_value, inner)


def test_pages_of_several_apis(tmp_path: Path) -> None:
    """Home, the list of APIs, the switcher and the cards."""
    catalogue = write_pseudo_catalogue(tmp_path)
    for name in ("один", "два"):
        write_contract(
            tmp_path / f"{name}.yaml", {**CONTRACT, "info": {**CONTRACT["info"], "title": name.upper()}}
        )
    contracts = {"one": {"file": "один.yaml"}, "two": {"file": "два.yaml"}}
    plugin = {"contracts": contracts, "language": LANGUAGE, "translations": [catalogue.name]}
    config = write_project(tmp_path, site_name="Ы")
    settings = {"site_name": "Ы", "theme": {"name": "material"}, "plugins": ["search", {"devportal": plugin}]}
    config.write_text(yaml.safe_dump(settings, allow_unicode=True), encoding="utf-8")
    (tmp_path / "docs" / "index.md").unlink()
    made = built_project(config, tmp_path / "site").site_dir
    found = {
        f"{path.relative_to(made)}: {text}"
        for path in (made / "index.html", *made.rglob("reference/**/*.html"))
        for text in escaped_from_html(path.read_text(encoding="utf-8"))
    }
    twins = {
        f"{path.relative_to(made)}: {line}"
        for path in (made / "index.md", *made.rglob("reference/**/*.md"))
        for line in escaped_from_markdown(path.read_text(encoding="utf-8"))
    }

    assert sorted(found | twins) == []
    assert "dp-api-card" in (made / "index.html").read_text(encoding="utf-8")


def test_notices_of_earlier_releases(tmp_path: Path) -> None:
    """For each kind of part, whether it is still there, was removed, or nobody knows when."""
    catalogue = write_pseudo_catalogue(tmp_path)
    removals = (None, Removal(version="2", uri="б.md"), Removal(version=NEXT, uri=""))
    with interface_of(load_interface(find_catalogue(LANGUAGE, [catalogue]))):
        statuses = [
            PartStatus(noun=noun, present="2", uri="а.md", since="в.md", title=title, removal=removal)
            for noun in ("error", "event", "group", "operation", "page", "schema")
            for title, removal in (("", None), *(("Посылка", removal) for removal in removals))
        ]
        notices = [version_notice("1", "5. 6. 7", status) for status in statuses]
    texts = ["".join(words for words, _ in notice.parts) for notice in notices]

    assert [text for text in texts if words_outside_brackets(text)[0]] == []
    assert all("⟦⟦" not in text or text.count("⟦") == text.count("⟧") for text in texts)


def test_pages_have_the_language_and_the_same_addresses_as_in_english(site: Path, tmp_path: Path) -> None:
    """Addresses and anchors never depend on translated words."""
    config = write_project(tmp_path, site_name="Ы")
    write_contract(tmp_path / "openapi.yaml", CONTRACT)
    (tmp_path / "docs" / "index.md").write_text("# Привет\n", encoding="utf-8")
    english = built_project(config, tmp_path / "site").site_dir

    assert {path.relative_to(site) for path in site.rglob("reference/**/*.html")} == {
        path.relative_to(english) for path in english.rglob("reference/**/*.html")
    }
    page = (site / "reference" / "index.html").read_text(encoding="utf-8")
    assert f'<html lang="{LANGUAGE}"' in page
    assert 'lang="en"' not in page


def test_what_escapes_is_found() -> None:
    """A word in no brackets turns the tests above red; words in brackets, with HTML inside too, do not."""
    assert escaped_from_html("<p>⟦Part of <a>Посылки</a>.⟧ Details</p>") == [".⟧ Details"]
    assert escaped_from_html('<p title="Copy">⟦Copy⟧</p>') == ["p title: Copy"]
    assert [*escaped_from_markdown("⟦See⟧ [Да](x.md)\nRules: `maxLength`\n")] == ["Rules:"]
