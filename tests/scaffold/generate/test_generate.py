"""`devportal generate`: a tree of plain files, of which another engine makes the same site."""

import re
import shutil
from pathlib import Path

import pytest
import yaml
from mkdocs.utils.yaml import yaml_load

from devportal.documents import to_yaml
from tests.scaffold.desk import files_of, run
from tests.site.building import DAY, environment

from .comparing import article_of, differences, pages_of
from .conftest import Desk


def test_mkdocs_makes_the_same_site_of_the_tree(desk: Desk, plain_site: Path) -> None:
    """Without our plugin: the same pages with the same words, ids and links, and the same files."""
    assert [*differences(desk.site, plain_site)] == []
    assert pages_of(plain_site) == pages_of(desk.site) > 15


def test_a_difference_would_be_found(desk: Desk, plain_site: Path, tmp_path: Path) -> None:
    """A word, an id, a link, a title, a file more or less: each is told."""
    site = tmp_path / "site"
    shutil.copytree(plain_site, site)
    page = site / "guides/parcels/index.html"
    text = page.read_text(encoding="utf-8")
    text = text.replace("They go", "They went").replace('id="where-parcels-are"', 'id="where"')
    text = text.replace("<title>", "<title>Not ").replace(
        'href="../first-request/#send-the-request"', 'href="../#send-the-request"'
    )
    page.write_text(text, encoding="utf-8")
    (site / "llms.txt").write_text("other\n", encoding="utf-8")
    (site / "guides/parcels.md").rename(site / "guides/other.md")
    (site / "guides/events/index.html").write_text("<title>x</title>", encoding="utf-8")

    assert [*differences(desk.site, site)] == [
        "guides/parcels.md: not there",
        "guides/other.md: more than was asked for",
        "guides/events/index.html: only one of them has an article",
        *(f"guides/parcels/index.html: other {part}" for part in ("title", "words", "ids", "links")),
        "llms.txt: other bytes",
    ]


def test_inserts_are_resolved(plain_site: Path) -> None:
    """Those that are drawn, and those that are Markdown."""
    page = (plain_site / "guides/parcels/index.html").read_text(encoding="utf-8")

    article = article_of(page, "https://site.example/guides/parcels/")

    assert article is not None
    assert "packed" in article.words
    assert "List [your] parcels" in article.words
    assert "{one}" in article.words
    assert "devportal:" not in page.partition("<article")[2]
    assert "<svg" in page.partition("<article")[2]


def test_the_frame_is_ours(plain_site: Path) -> None:
    """Columns, search, twins and scripts of a page are there, and the tab of its area is marked."""
    operation = next(plain_site.glob("reference/*/list-parcels/index.html")).read_text(encoding="utf-8")
    guide = (plain_site / "guides/parcels/index.html").read_text(encoding="utf-8")

    assert 'class="dp-side"' in operation
    assert 'class="dp-search"' in operation
    assert 'md-tabs__item--active">\n          <a href="../../.."' not in operation
    active = operation.partition("md-tabs__item--active")[2].partition("</li>")[0]
    assert "API reference" in active
    assert 'href="../parcels.md"' in guide
    assert 'src="../../assets/own.js"' in guide


def test_the_tree_needs_nothing_of_ours(desk: Desk) -> None:
    """No settings of our plugin, no import of the toolkit, no path of this machine."""
    settings = yaml.safe_load((desk.tree / "mkdocs.yml").read_text(encoding="utf-8"))
    programs = [path.read_text(encoding="utf-8") for path in desk.tree.glob("*.py")]

    assert settings["plugins"] == []
    assert len(programs) == 2
    assert not any("import devportal" in text or "from devportal" in text for text in programs)
    folder = str(desk.tree.parent).encode()
    assert [name for name, content in files_of(desk.tree).items() if folder in content] == []


def test_every_page_has_front_matter(desk: Desk) -> None:
    """An empty one ends Zensical; a title is always there."""
    for path in (desk.tree / "docs").rglob("*.md"):
        _, front, mark = path.read_text(encoding="utf-8").split("---\n", 2)

        assert yaml.safe_load(front)["title"]
        assert mark.startswith("\n<!-- devportal-body ")


def test_the_same_project_gives_the_same_bytes(desk: Desk, tmp_path: Path) -> None:
    """Wherever the tree lies."""
    with environment(SOURCE_DATE_EPOCH=DAY):
        made = run("generate", "-f", desk.config_file, "--output", tmp_path / "tree")

    assert made.exit_code == 0
    assert files_of(tmp_path / "tree") == files_of(desk.tree)


def test_only_what_changed_is_written_again(desk: Desk, tmp_path: Path) -> None:
    """Engines keep pages by their sources. What is no more is removed, with empty folders."""
    portal, tree = tmp_path / "portal", tmp_path / "tree"
    shutil.copytree(desk.config_file.parent, portal)
    shutil.copytree(desk.tree, tree)
    contract = yaml.safe_load((portal / "openapi/api.yaml").read_text(encoding="utf-8"))
    del contract["webhooks"]
    contract["paths"]["/parcels"]["get"]["description"] = "All of them."
    (portal / "openapi/api.yaml").write_text(to_yaml(contract), encoding="utf-8")
    (portal / "docs/guides/events.md").write_text("# Nothing\n", encoding="utf-8")
    before = {path: path.stat().st_mtime_ns for path in tree.rglob("*") if path.is_file()}

    with environment(SOURCE_DATE_EPOCH=DAY):
        made = run("generate", "-f", portal / "mkdocs.yml", "--output", tree)

    changed = {
        path.relative_to(tree).as_posix()
        for path, at in before.items()
        if path.exists() and path.stat().st_mtime_ns != at
    }
    assert made.exit_code == 1  # the changelog has to tell that
    assert "docs/guides/events.md" in changed
    assert "docs/guides/parcels.md" not in changed
    assert not (tree / "bodies/reference/events").exists()
    assert "new or changed" in made.stderr


def test_a_folder_of_somebody_else_is_refused(desk: Desk, tmp_path: Path) -> None:
    """Nothing is written into it."""
    (tmp_path / "mine.txt").write_text("mine\n", encoding="utf-8")

    refused = run("generate", "-f", desk.config_file, "--output", tmp_path)
    file = run("generate", "-f", desk.config_file, "--output", tmp_path / "mine.txt")

    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "not empty and holds no generated pages" in refused.stderr
    assert (file.exit_code, file.stdout) == (2, "")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(
    "manifest",
    [
        '{"mine.txt": "0123456789abcdef"}',
        '{"made_by": "another", "files": {"mine.txt": "x"}}',
        '{"made_by": "devportal generate", "files": ["mine.txt"]}',
        '["mine.txt"]',
        "no JSON",
    ],
)
def test_a_manifest_of_somebody_else_gives_nothing_away(manifest: str, desk: Desk, tmp_path: Path) -> None:
    """Only one that says it is ours makes a folder ours; the rest stays whole."""
    (tmp_path / "generated.json").write_text(manifest, encoding="utf-8")
    (tmp_path / "mine.txt").write_text("mine\n", encoding="utf-8")
    before = files_of(tmp_path)

    refused = run("generate", "-f", desk.config_file, "--output", tmp_path)

    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "not empty and holds no generated pages" in refused.stderr
    assert files_of(tmp_path) == before


def test_a_folder_among_the_pages_is_refused(desk: Desk) -> None:
    """The next run would take what was generated for pages."""
    inside = desk.config_file.parent / "docs" / "plain"

    refused = run("generate", "-f", desk.config_file, "--output", inside)

    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "this folder lies in docs, of which the site is made" in refused.stderr
    assert not inside.exists()


@pytest.mark.parametrize("name", ["brand/tree", "changelog/tree", "openapi/releases/tree"])
def test_a_folder_among_other_inputs_is_refused(name: str, desk: Desk, tmp_path: Path) -> None:
    """Templates of the project, entries, releases: what is generated into them would be read as one."""
    portal = _with_templates(desk, tmp_path / "portal")
    before = files_of(portal)

    refused = run("generate", "-f", portal / "mkdocs.yml", "--output", portal / name)

    assert (refused.exit_code, refused.stdout) == (2, "")
    assert f"this folder lies in {Path(name).parent.as_posix()}, of which the site is made" in refused.stderr
    assert files_of(portal) == before


def test_a_template_of_the_project_is_written_once(desk: Desk, tmp_path: Path) -> None:
    """In place of ours, so that nothing is new the second time."""
    portal = _with_templates(desk, tmp_path / "portal")
    (portal / "brand/404.html").write_text("<p>Mine</p>\n", encoding="utf-8")
    (portal / "brand/partials").mkdir()
    (portal / "brand/partials/copyright.html").write_text("<p>Mine</p>\n", encoding="utf-8")
    arguments = ("generate", "-f", portal / "mkdocs.yml", "--output", tmp_path / "tree")

    with environment(SOURCE_DATE_EPOCH=DAY):
        first, again = run(*arguments), run(*arguments)

    assert (first.exit_code, again.exit_code) == (0, 0), first.output
    pages, files, written = re.findall(r"\d+", first.stderr.splitlines()[-1])
    assert files == written
    assert again.stderr.endswith(f"{pages} pages in {files} files, 0 of them new or changed\n")
    assert (tmp_path / "tree/overrides/404.html").read_text(encoding="utf-8") == "<p>Mine</p>\n"


def test_a_template_that_changes_blocks_keeps_the_frame(desk: Desk, tmp_path: Path) -> None:
    """As in a build: `base.html` of the theme has nothing of ours."""
    portal, tree = _with_templates(desk, tmp_path / "portal"), tmp_path / "tree/overrides"
    text = '{% extends "base.html" %}{% block announce %}Hi{% endblock %}'
    (portal / "brand/main.html").write_text(text, encoding="utf-8")

    made = run("generate", "-f", portal / "mkdocs.yml", "--output", tmp_path / "tree")

    assert made.exit_code == 0, made.output
    assert (tree / "main.html").read_text(encoding="utf-8") == text.replace(
        "base.html", "devportal/main.html"
    )
    assert 'id="dp-content"' in (tree / "devportal/main.html").read_text(encoding="utf-8")


def test_a_template_that_is_not_utf_8_is_named(desk: Desk, tmp_path: Path) -> None:
    """Whether any page uses it or not; nothing is written."""
    portal = _with_templates(desk, tmp_path / "portal")
    (portal / "brand/unused.html").write_bytes(b"<p>caf\xe9</p>\n")

    refused = run("generate", "-f", portal / "mkdocs.yml", "--output", tmp_path / "tree")

    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "error: brand/unused.html:1:7: this file is not UTF-8 text: it has the byte 0xe9" in refused.stderr
    assert not (tmp_path / "tree").exists()


def _with_templates(desk: Desk, portal: Path) -> Path:
    """Copy the project, and give it a folder of templates."""
    shutil.copytree(desk.config_file.parent, portal)
    (portal / "brand").mkdir()
    settings = portal / "mkdocs.yml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace("theme:\n", "theme:\n  custom_dir: brand\n", 1), encoding="utf-8")
    return portal


def test_the_address_of_the_site_is_written_out(desk: Desk, tmp_path: Path) -> None:
    """The files have it in them. So are settings of a theme; a plugin of somebody else is told."""
    portal = tmp_path / "portal"
    shutil.copytree(desk.config_file.parent, portal)
    settings = portal / "mkdocs.yml"
    text = settings.read_text(encoding="utf-8")
    text = text.replace('site_url: "https://parcels.example/docs/"', "site_url: !ENV [PORTAL_URL, '']")
    text = text.replace("  - search\n", "  - search\n  - tags\n").replace(
        "theme:\n",
        "hooks: [h.py]\nextra_css: [assets/brand.css]\ncopyright: Parcels\ntheme:\n  language: de\n",
    )
    settings.write_text(text, encoding="utf-8")
    (portal / "h.py").write_text("", encoding="utf-8")
    (portal / "docs/assets/brand.css").write_text(":root{}\n", encoding="utf-8")

    with environment(SOURCE_DATE_EPOCH=DAY, PORTAL_URL="https://other.example/"):
        made = run("generate", "-f", settings, "--output", tmp_path / "tree")

    written = yaml.safe_load((tmp_path / "tree/mkdocs.yml").read_text(encoding="utf-8"))
    assert made.exit_code == 0, made.output
    assert [line.partition(",")[0] for line in made.stderr.splitlines() if line.startswith("left out")] == [
        "left out: tags",
        "left out: h.py",
    ]
    assert written["site_url"] == "https://other.example/"
    assert written["theme"]["language"] == "de"
    assert (written["extra_css"], written["copyright"]) == (["assets/brand.css"], "Parcels")


def test_what_the_environment_holds_is_not_written_out(desk: Desk, tmp_path: Path) -> None:
    """Settings keep the names of variables, also those that are inherited, in lists and of the theme."""
    portal = tmp_path / "portal"
    shutil.copytree(desk.config_file.parent, portal)
    (portal / "base.yml").write_text("extra:\n  inherited: !ENV KEY_OF_BASE\n", encoding="utf-8")
    settings = portal / "mkdocs.yml"
    named = (
        "INHERIT: !ENV [NOT_SET, base.yml]\ncopyright: !ENV KEY\n"
        "extra:\n  key: !ENV [NOT_SET, KEY, 'none: of']\n  list: [{a: !ENV KEY}]\n  plain: 1\n"
        "theme:\n  language: !ENV [LANGUAGE_OF_SITE, en]\n"
    )
    text = settings.read_text(encoding="utf-8").replace("theme:\n", named, 1)
    assert text.count("\nextra:") == 1
    settings.write_text(text, encoding="utf-8")
    secrets = {"KEY": "s3cr3t-value", "KEY_OF_BASE": "s3cr3t-base", "LANGUAGE_OF_SITE": "de"}

    with environment(SOURCE_DATE_EPOCH=DAY, **secrets):
        made = run("generate", "-f", settings, "--output", tmp_path / "tree")
        read = yaml_load((tmp_path / "tree/mkdocs.yml").read_text(encoding="utf-8"))

    text = (tmp_path / "tree/mkdocs.yml").read_text(encoding="utf-8")
    assert made.exit_code == 0, made.output
    assert "s3cr3t" not in text
    assert "key: !ENV [NOT_SET, KEY, 'none: of']\n" in text
    assert (read["copyright"], read["theme"]["language"]) == ("s3cr3t-value", "de")
    assert {name: read["extra"][name] for name in ("inherited", "key", "list", "plain")} == {
        "inherited": "s3cr3t-base",
        "key": "s3cr3t-value",
        "list": [{"a": "s3cr3t-value"}],
        "plain": 1,
    }


def test_a_project_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """With what to do."""
    refused = run("generate", "-f", tmp_path / "mkdocs.yml", "--output", tmp_path / "tree")

    assert refused.exit_code == 2
    assert "there is no such file" in refused.stderr


def test_what_is_wrong_with_the_project_is_told(desk: Desk, tmp_path: Path) -> None:
    """The tree is written all the same; the exit code is that of `build`."""
    portal = tmp_path / "portal"
    shutil.copytree(desk.config_file.parent, portal)
    (portal / "docs/guides/parcels.md").write_text("# Parcels\n\n[gone](gone.md)\n", encoding="utf-8")

    made = run("generate", "-f", portal / "mkdocs.yml", "--output", tmp_path / "tree")

    assert made.exit_code == 1
    assert "gone.md" in made.stderr
    assert (tmp_path / "tree/docs/index.md").is_file()


def test_a_name_in_the_manifest_leads_nowhere_else(desk: Desk, tmp_path: Path) -> None:
    """Whoever wrote another name into it has nothing outside of the tree removed."""
    tree = tmp_path / "tree"
    shutil.copytree(desk.tree, tree)
    (tmp_path / "mine.txt").write_text("mine\n", encoding="utf-8")
    noted = (tree / "generated.json").read_text(encoding="utf-8")
    told = noted.replace('"files": {', '"files": {"../mine.txt": "x",', 1)
    (tree / "generated.json").write_text(told, encoding="utf-8")

    with environment(SOURCE_DATE_EPOCH=DAY):
        made = run("generate", "-f", desk.config_file, "--output", tree)

    assert made.exit_code == 0
    assert told != noted
    assert (tmp_path / "mine.txt").exists()
    assert (tree / "generated.json").read_text(encoding="utf-8") == noted


@pytest.mark.parametrize("engine", ["jekyll", ""])
def test_an_engine_that_is_not_known_is_refused(engine: str, desk: Desk, tmp_path: Path) -> None:
    """With those there are."""
    refused = run("generate", "-f", desk.config_file, "--output", tmp_path / "tree", "--engine", engine)

    assert refused.exit_code == 2
    assert "'zensical'" in refused.stderr
