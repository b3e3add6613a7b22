"""Files that settings of MkDocs name: those that the site lacks are problems of the build."""

from collections.abc import Callable
from pathlib import Path

import pytest
from mkdocs.config.defaults import MkDocsConfig

from devportal.site.rendering.theme_files import missing_theme_files
from tests.site.building import run_command, write_project


@pytest.fixture
def messages_for(tmp_path: Path) -> Callable[..., list[str]]:
    """Return what gives the messages for settings of a site that has a logo, a style sheet and a script."""
    for folder in ("docs", "site"):
        (tmp_path / folder / "assets").mkdir(parents=True)
        for name in ("our logo.svg", "brand.css", "menu.js"):
            (tmp_path / folder / "assets" / name).write_text("", encoding="utf-8")

    def messages(settings: dict[str, object]) -> list[str]:
        config = MkDocsConfig()
        theme = {"name": "material", "favicon": ""}
        config.load_dict(
            {"site_name": "Parcels", "docs_dir": str(tmp_path / "docs"), "theme": theme, **settings}
        )
        errors, _ = config.validate()
        assert not errors
        missing = missing_theme_files(config, lambda path: (tmp_path / "site" / path).is_file())
        return [f"{finding.message}: {finding.help}" for finding in missing]

    return messages


@pytest.mark.parametrize(
    "settings",
    [
        {"extra_css": ["assets/brand.css", "assets/brand.css?v=2", "https://cdn.example/a.css", "/root.css"]},
        {"extra_javascript": ["assets/menu.js", "//cdn.example/a.js"]},
        {"extra_javascript": [{"path": "assets/menu.js", "defer": True}]},
        {"theme": {"name": "material", "logo": "assets/our logo.svg", "favicon": "assets/our%20logo.svg"}},
    ],
)
def test_files_of_the_site_and_of_others_are_no_problem(
    messages_for: Callable[..., list[str]], settings: dict[str, object]
) -> None:
    """Whatever the address has besides the path; other sites are not asked."""
    assert messages_for(settings) == []


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"extra_css": ["assets/bran.css"]},
            "'extra_css' names 'assets/bran.css', but the site has no such file: write 'assets/brand.css'",
        ),
        (
            {"extra_javascript": ["x/tag.mjs"]},
            "'extra_javascript' names 'x/tag.mjs', but the site has no such file: put it into docs/, or remove it",
        ),
        (
            {"theme": {"name": "material", "logo": "our logo.svg", "favicon": ""}},
            "'theme.logo' names 'our logo.svg', but the site has no such file: write 'assets/our logo.svg'",
        ),
    ],
)
def test_a_missing_file_is_a_problem(
    messages_for: Callable[..., list[str]], settings: dict[str, object], message: str
) -> None:
    """It names the setting, the value and a file that may be meant."""
    assert messages_for(settings) == [message]


def test_a_missing_style_sheet_fails_the_build(tmp_path: Path) -> None:
    """MkDocs would publish pages without it."""
    project = write_project(tmp_path, extra_css=["brand.css"])

    failed = run_command("build", "-f", project)
    (tmp_path / "docs" / "brand.css").write_text(":root { --dp-radius: 0 }", encoding="utf-8")
    built = run_command("build", "-f", project)

    assert failed.exit_code == 1
    assert (
        "mkdocs.yml:9:3: 'extra_css' names 'brand.css', but the site has no such file\n  help: put it into docs/"
        in failed.stderr
    )
    assert built.exit_code == 0, built.stderr
