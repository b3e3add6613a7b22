"""No English word of the toolkit is on a site in another language.

Changelog, rates, coverage and runs are in `test_escaped_sections`. What is not covered yet, and has English words in
every language: `site/versions`, `site/output` (llms.txt, skills, structured data), `reference/exports`,
`reference/console` and all scripts of the theme. Each joins the site below when its words go through the catalogues.
"""

import json
from pathlib import Path
from typing import Any

import pytest

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
        folder, plugin={"language": LANGUAGE, "translations": [catalogue.name]}, site_name="Ы"
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
