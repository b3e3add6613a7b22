"""What pages load: few files, whose names have digests of what they hold."""

import hashlib
import posixpath
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from devportal.markup import Page
from devportal.site.commands.build import build_project
from tests.site.building import Tags, built_project, contents, write_project
from tests.site.generated import site_of

OPERATION = "reference/parcels/get-parcel/index.html"
FOLDER = "assets/devportal/immutable/"


def loaded_files(files: dict[str, bytes], name: str) -> list[str]:
    """Return the style sheets, fonts and scripts that a page names, in order, from the root of the site."""
    links = [
        values.get("src") or values.get("href", "")
        for tag, values in Tags(files[name].decode()).tags
        if tag == "script" or (tag == "link" and values.get("rel") in {"stylesheet", "preload"})
    ]
    links = [link for link in links if link]
    return [posixpath.normpath(posixpath.join(posixpath.dirname(name), link)).lstrip("/") for link in links]


def kinds(names: list[str]) -> list[str]:
    """Return the names of files without folders and digests."""
    return [re.sub(r"\.[0-9a-f]{12}(?=\.)", "", posixpath.basename(name)) for name in names]


def build_files(folder: Path, **settings: Any) -> dict[str, bytes]:
    """Return the files of a project's site."""
    return contents(built_project(write_project(folder, **settings), folder / "site").site_dir)


def test_pages_load_few_files(folder: Path) -> None:
    """One style sheet, two scripts and two fonts; a guide has a sheet of its own on top."""
    files = build_files(folder)

    fonts = ["inter.woff2", "jetbrains-mono.woff2"]
    assert kinds(loaded_files(files, OPERATION)) == [*fonts, "portal.css", "start.js", "portal.js"]
    assert kinds(loaded_files(files, "index.html")) == [
        *fonts,
        "portal.css",
        "guides.css",
        "start.js",
        "portal.js",
    ]
    assert kinds(loaded_files(files, "404.html")) == [
        *fonts,
        "portal.css",
        "start.js",
        "missing.js",
        "portal.js",
    ]
    assert set(loaded_files(files, OPERATION)) < set(loaded_files(files, "index.html"))
    drawings = [values for tag, values in Tags(files["404.html"].decode()).tags if tag == "svg"]
    assert {(values.get("width"), values.get("height")) for values in drawings} == {("24", "24")}, (
        "the page for errors must be readable in a subfolder, where it cannot find its style sheet"
    )


def test_names_have_digests_of_what_files_hold(folder: Path) -> None:
    """All files of the folder, so that they may be kept for ever; no file is there twice."""
    files = build_files(folder)

    immutable = {name: data for name, data in files.items() if name.startswith(FOLDER)}
    assert {name.split(".")[-2] for name in immutable} == {
        hashlib.sha256(chunk).hexdigest()[:12] for chunk in immutable.values()
    }
    assert set(loaded_files(files, OPERATION)) <= set(immutable)
    parts = {
        "portal.css",
        "tokens.css",
        "print.css",
        "portal.js",
        "start.js",
        "early.js",
        "fonts/inter.woff2",
    }
    assert parts.isdisjoint(name.removeprefix("assets/devportal/") for name in files)
    assert not [name for name in files if re.match(r"assets/stylesheets/(main|palette)\.", name)]


def test_what_operations_load_is_in_the_bundle_of_all_pages(folder: Path) -> None:
    """Others load more on top of it, and what they share stands once."""
    plain = Page(uri="x/operation.md", title="A", description="", body="<h1>A</h1>", markdown="# A\n")
    pages = (
        replace(
            plain, layout="samples", styles=(_own_asset("versions.css"),), scripts=(_own_asset("server.js"),)
        ),
        replace(plain, uri="x/other.md", styles=(_own_asset("versions.css"), _own_asset("history.css"))),
        replace(
            plain, uri="x/third.md", scripts=("own.js", _own_asset("server.js"), _own_asset("hand-out.js"))
        ),
    )
    files = site_of(*pages, folder=folder)

    common = loaded_files(files, "x/operation/index.html")
    assert kinds(common)[2:] == ["portal.css", "start.js", "portal.js"]
    assert b".dp-versions" in files[common[2]]
    assert b"devportal.server" in files[common[4]]
    assert kinds(loaded_files(files, "x/other/index.html"))[2:] == [
        "portal.css",
        "history.css",
        "start.js",
        "portal.js",
    ]
    assert kinds(loaded_files(files, "x/third/index.html"))[2:] == [
        "portal.css", "start.js", "own.js", "hand-out.js", "portal.js",
    ]  # fmt: skip


def _own_asset(name: str) -> str:
    return f"assets/devportal/{name}"


def test_a_file_of_the_project_in_the_place_of_ours_counts(folder: Path) -> None:
    """A style sheet is joined in its place; a script, whoever wrote it, is loaded by itself."""
    docs = folder / "docs" / "assets" / "devportal"
    docs.mkdir(parents=True)
    (docs / "tokens.css").write_text(":root { --dp-radius: 7px }\n", encoding="utf-8")
    (docs / "copy.js").write_text('export default "mine";\n', encoding="utf-8")

    files = build_files(folder)

    names = loaded_files(files, OPERATION)
    assert kinds(names)[2:] == ["portal.css", "start.js", "portal.js", "copy.js"]
    assert b"--dp-radius: 7px" in files[names[2]]
    assert files[names[-1]] == b'export default "mine";\n'


def test_scripts_and_sheets_of_a_project_come_after_ours(folder: Path) -> None:
    """In the order in which the project lists them, as before."""
    docs = folder / "docs"
    docs.mkdir()
    for name in ("b.css", "a.css", "b.js", "a.js"):
        (docs / name).write_text("\n", encoding="utf-8")

    files = build_files(folder, extra_css=["b.css", "a.css"], extra_javascript=["b.js", "a.js"])

    assert kinds(loaded_files(files, OPERATION))[2:] == [
        "portal.css", "b.css", "a.css", "start.js", "b.js", "a.js", "portal.js",
    ]  # fmt: skip


def test_templates_of_a_project_may_name_any_file_of_the_theme(folder: Path) -> None:
    """A site with templates of its own keeps what is joined, too."""
    (folder / "mine").mkdir()

    files = build_files(folder, theme={"name": "material", "custom_dir": str(folder / "mine")})

    assert {
        "assets/devportal/portal.css",
        "assets/devportal/chrome.js",
        "assets/devportal/fonts/inter.woff2",
    } <= set(files)
    assert kinds(loaded_files(files, OPERATION))[2:] == ["portal.css", "start.js", "portal.js"]


@pytest.mark.parametrize(
    "base", ['{% extends "base.html" %}', "{%- extends 'base.html' -%}", '{% extends "main.html" %}']
)
def test_templates_of_a_project_change_blocks_and_keep_the_rest(base: str, folder: Path) -> None:
    """A `main.html` as the theme's manual shows it, and a template of one page: both have our styles and layout."""
    (folder / "mine").mkdir()
    head = "{% block extrahead %}{{ super() }}<meta name='x'>{% endblock %}"
    text = f"{base}{{% block announce %}}We moved.{{% endblock %}}{head}"
    for name in ("own.html",) if "main.html" in base else ("main.html", "own.html"):
        (folder / "mine" / name).write_text(text, encoding="utf-8")
    config_file = write_project(folder, theme={"name": "material", "custom_dir": str(folder / "mine")})
    (config_file.parent / "docs" / "own.md").write_text(
        "---\ntemplate: own.html\n---\n# Own\n", encoding="utf-8"
    )

    files = contents(build_project(config_file).site_dir)

    assert b'id="dp-content"' in files[OPERATION]
    changed = ["own/index.html"] if "main.html" in base else ["own/index.html", OPERATION]
    for name in (OPERATION, "own/index.html"):
        assert {"portal.css", "start.js", "portal.js"} <= {*kinds(loaded_files(files, name))}
        assert (b"We moved." in files[name]) is (name in changed)
        assert (b"<meta name='x'>" in files[name]) is (name in changed)


def test_licences_of_what_is_joined_are_named(folder: Path) -> None:
    """The theme's, which is another project's work."""
    files = build_files(folder)

    (sheet,) = [name for name in loaded_files(files, OPERATION) if name.endswith(".css")]
    assert b"/*! Material for MkDocs, Copyright (c) 2016-2025 Martin Donath, MIT License: " in files[sheet]


def test_a_site_without_search_loads_no_script_for_it(folder: Path) -> None:
    """Its pages have no dialog, and the script would fail."""
    with_search = build_files(folder)
    (folder / "other").mkdir()
    without = build_files(folder / "other", plugins=[{"devportal": {"contract": "openapi.yaml"}}])

    found = [b'".dp-find"' in files[loaded_files(files, OPERATION)[-1]] for files in (with_search, without)]
    assert found == [True, False]
    assert b'".dp-menu"' in without[loaded_files(without, OPERATION)[-1]]


def test_a_site_without_our_fonts_loads_none(folder: Path) -> None:
    """Neither on its pages nor in its bundle."""
    files = build_files(folder, plugin={"fonts": False})

    assert kinds(loaded_files(files, OPERATION)) == ["portal.css", "start.js", "portal.js"]
    assert b"@font-face" not in files[loaded_files(files, OPERATION)[0]]
    assert not [name for name in files if name.startswith(FOLDER) and name.endswith(".woff2")]


def test_a_build_that_follows_another_leaves_no_old_bundle(folder: Path) -> None:
    """Where a change of the contract changes what pages load, the bundle that was has gone."""
    config = write_project(folder)
    contract = folder / "openapi.yaml"
    before = contents(built_project(config, folder / "site").site_dir)
    contract.write_text(
        contract.read_text(encoding="utf-8")
        + "servers: [{url: https://a.example}, {url: https://b.example}]\n",
        encoding="utf-8",
    )

    after = contents(built_project(config, folder / "site").site_dir)

    scripts = [
        {name for name in files if name.startswith(f"{FOLDER}portal.") and name.endswith(".js")}
        for files in (before, after)
    ]
    assert [len(script) for script in scripts] == [1, 1]
    assert scripts[0] != scripts[1]
    assert scripts[1] <= set(loaded_files(after, OPERATION))
