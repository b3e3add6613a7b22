"""What settings name and the site lacks: `devportal check` reports it as the build does, with its place."""

from pathlib import Path
from typing import Any

import pytest

from devportal.findings import Finding, Level
from devportal.site.commands.build import build_project
from devportal.site.commands.check import check_audiences
from tests.site.building import write_project

_STRICT = {"nav": {"omitted_files": "warn"}}


def problems(config: Path) -> list[Finding]:
    """Return what a check of a project finds in its settings."""
    return [finding for finding in check_audiences(config).findings if finding.rule == "project-setting"]


def warnings_of(findings: list[Finding]) -> set[str]:
    """Return problems as a build prints them."""
    return {f"{finding.place}: {finding.message}\n  help: {finding.help}" for finding in findings}


@pytest.mark.parametrize(
    ("settings", "message", "help_text"),
    [
        ({"extra_css": ["brand.css"]}, "'extra_css' names 'brand.css'", "put it into docs/"),
        ({"extra_javascript": ["a.js"]}, "'extra_javascript' names 'a.js'", "put it into docs/"),
        ({"theme": {"name": "material", "logo": "logo.svg"}}, "'theme.logo' names 'logo.svg'", "put it into docs/"),
        ({"nav": ["index.md", {"FAQ": "faq.md"}]}, "'nav' names 'faq.md'", "add the page docs/faq.md"),
        ({"nav": ["index.md", {"API": [{"A": "refrence/index.md"}]}]}, "'nav' names 'refrence/index.md'",
         "did you mean 'reference/index.md'?"),
        ({"nav": ["index.md", "reference/parcels/get-parcle.md"]}, "'nav' names 'reference/parcels/get-parcle.md'",
         "did you mean 'reference/parcels/get-parcel.md'?"),
        ({"nav": ["index.md", "changelog/index.md"]}, "'nav' names 'changelog/index.md'",
         "the setting 'changelog' makes the pages of 'changelog/': set it"),
        ({"nav": ["index.md"], "validation": _STRICT}, "'nav' does not have the page 'reference/index.md'",
         "add it, as in '- Reference: reference/index.md'"),
        ({"nav": ["reference/index.md"], "validation": _STRICT}, "'nav' does not have the page 'index.md'",
         "add it, as in '- Home: index.md', or list it under not_in_nav"),
    ],
)  # fmt: skip
def test_what_the_site_lacks_is_found_by_the_check_and_by_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any], message: str, help_text: str
) -> None:
    """Both print the same, at the line that names it."""
    monkeypatch.chdir(tmp_path)
    config = write_project(tmp_path, **settings)

    (found,) = problems(config)
    built = build_project(config, site_dir=tmp_path / "site")

    assert found.message.startswith(message)
    assert found.help.startswith(help_text)
    assert found.place.file == "mkdocs.yml"
    assert found.place.line > 1
    assert {*built.warnings} == warnings_of([found])


def test_pages_and_files_that_are_there_are_no_problem(tmp_path: Path) -> None:
    """Generated ones, those of sections, links to other sites, and files of the theme included."""
    for name in ("changes", "docs", "runs"):
        (tmp_path / name).mkdir()
    (tmp_path / "docs" / "draft.md").write_text("# Draft\n", encoding="utf-8")
    nav = [
        {"Home": "index.md"},
        {"API": ["reference/index.md", {"One": "reference/parcels/get-parcel.md"}]},
        {"Changes": "changelog/index.md"},
        {"Conformance": ["conformance/index.md", "conformance/status.md"]},
        {"Elsewhere": "https://status.example.com/"},
        {"Contract": "openapi.yaml"},
    ]
    config = write_project(
        tmp_path,
        plugin={"changelog": "changes", "results": "runs"},
        site_url="https://docs.example.com/",
        nav=nav,
        not_in_nav="draft.md",
        validation=_STRICT,
        theme={"name": "material", "logo": "assets/images/favicon.png"},
    )

    assert problems(config) == []
    assert build_project(config, site_dir=tmp_path / "site").warnings == ()


def test_problems_that_a_project_ignores_are_not_reported(tmp_path: Path) -> None:
    """By `validation`, as in the build."""
    config = write_project(
        tmp_path, nav=["faq.md"], validation={"nav": {"not_found": "ignore", "omitted_files": "ignore"}}
    )

    assert problems(config) == []


def test_files_of_other_plugins_are_left_to_the_build(tmp_path: Path) -> None:
    """A hook may make them, so that only the build can know."""
    (tmp_path / "hook.py").write_text("def on_files(files, config):\n    return files\n", encoding="utf-8")

    config = write_project(tmp_path, hooks=["hook.py"], extra_css=["made.css"], nav=["made.md"])

    assert problems(config) == []


def test_feeds_without_an_address_are_a_problem_at_the_plugin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The build cannot make them; without feeds it needs none."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "changes").mkdir()

    (found,) = problems(write_project(tmp_path, plugin={"changelog": "changes"}))
    without = problems(write_project(tmp_path, plugin={"changelog": "changes", "feed": False}))

    assert (
        found.message == "'site_url' is missing, and the feeds of the changelog need the address of the site"
    )
    assert found.place.line
    assert without == []


@pytest.mark.parametrize("page", ["index.md", "README.md", "index.html"])
def test_a_site_without_a_home_page_is_a_warning(tmp_path: Path, page: str) -> None:
    """Whoever enters its address gets nothing. The reference can be the home page."""
    config = write_project(tmp_path)
    home = tmp_path / "docs" / "index.md"
    home.unlink()

    (found,) = problems(config)
    (tmp_path / "docs" / page).write_text("# Home\n", encoding="utf-8")
    written = problems(config)
    config = write_project(tmp_path, plugin={"overview": "index.md"})
    home.unlink(missing_ok=True)
    (tmp_path / "docs" / page).unlink(missing_ok=True)
    generated = problems(config)

    assert (found.level, found.place.line > 0) == ("warning", True)
    assert found.message == "the site has no home page: its address leads to nothing"
    assert found.help == "write docs/index.md, or make the reference the home page with 'overview: index.md'"
    assert (written, generated) == ([], [])


@pytest.mark.parametrize("name", ["edit_uri", "edit_uri_template"])
def test_links_to_sources_need_an_address(tmp_path: Path, name: str) -> None:
    """The build warns of them once for each page."""
    alone: dict[str, Any] = {name: "edit/main/{path}/"}
    whole: dict[str, Any] = {name: "https://git.example.com/docs/{path}"}

    (found,) = problems(write_project(tmp_path, **alone))
    right = problems(write_project(tmp_path, **whole))
    right += problems(write_project(tmp_path, repo_url="https://git.example.com/a", **alone))

    assert found.message == f"'{name}' is 'edit/main/{{path}}/', which is not an address without 'repo_url'"
    assert found.place.line
    assert right == []


@pytest.mark.parametrize(
    ("theme", "message"),
    [
        ({"logoo": "a.svg"}, "the theme has no setting 'logoo'"),
        ({"features": ["navigation.instnt"]}, "the theme has no feature 'navigation.instnt'"),
    ],
)
def test_a_misspelt_name_of_the_theme_is_a_warning(
    tmp_path: Path, theme: dict[str, object], message: str
) -> None:
    """It has no effect, and nothing else would say why."""
    (found,) = problems(write_project(tmp_path, theme={"name": "material", **theme}))

    assert (found.level, found.message) == ("warning", message)
    assert found.help.startswith("did you mean '")


def test_settings_and_features_of_own_templates_are_no_problem(tmp_path: Path) -> None:
    """Their names are like no others."""
    theme = {"name": "material", "ribbon": "beta", "features": ["acme.banner", "navigation.top"]}

    assert problems(write_project(tmp_path, theme=theme)) == []


@pytest.mark.parametrize(
    ("palette", "message", "help_text"),
    [
        ({"scheme": "dark"}, "'theme.palette' has the scheme 'dark'", "did you mean 'slate'?"),
        ([{"scheme": "slat"}], "'theme.palette' has the scheme 'slat'", "did you mean 'slate'?"),
        ({"primary": "bananna"}, "the colour 'bananna' of 'primary' in 'theme.palette' has no effect", "remove it"),
        ([{"accent": "teal"}, {"accent": "teal"}], "the colour 'teal' of 'accent'", "remove it"),
    ],
)  # fmt: skip
def test_a_palette_without_effect_is_a_warning(
    tmp_path: Path, palette: object, message: str, help_text: str
) -> None:
    """Colours come from the properties of the portal, whatever the theme calls them. Each value is named once."""
    (found,) = problems(write_project(tmp_path, theme={"name": "material", "palette": palette}))

    assert found.level == "warning"
    assert found.message.startswith(message)
    assert found.help.startswith(help_text)


def test_a_misspelt_property_of_a_style_sheet_is_a_warning(tmp_path: Path) -> None:
    """At its place. Properties that the sheet itself uses, comments, and a project with templates are none."""
    sheet = "/* --dp-a: 1 */\n:root { --dp-acent: red; --dp-gap: 1px }\np { margin: var(--dp-gap); --dp-brand: red }\n"

    config = write_project(tmp_path, extra_css=["brand.css"])
    (tmp_path / "docs" / "brand.css").write_text(sheet, encoding="utf-8")
    found, other = problems(config)

    assert (found.level, found.place.line, found.place.column) == (Level.WARNING, 2, 9)
    assert found.message == "no page uses the property '--dp-acent', so it has no effect"
    assert found.help == "did you mean '--dp-accent'?"
    assert other.help == "use one that the page Look of the manual lists"


def test_a_palette_of_a_style_sheet_or_of_templates_is_no_problem(tmp_path: Path) -> None:
    """Nor is one that the theme has."""
    (tmp_path / "templates").mkdir()
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "brand.css").write_text(
        '[data-md-color-scheme="sepia"] {} [data-md-color-primary="rust"] {}', encoding="utf-8"
    )
    own = {"scheme": "sepia", "primary": "rust"}
    themes: list[tuple[dict[str, Any], list[str]]] = [
        ({"palette": own}, ["brand.css"]),
        ({"palette": own, "custom_dir": "templates"}, []),
        ({"palette": [{"scheme": "slate", "primary": "custom", "accent": "custom"}]}, []),
    ]

    for theme, sheets in themes:
        config = write_project(tmp_path, theme={"name": "material", **theme}, extra_css=sheets)
        assert problems(config) == []
