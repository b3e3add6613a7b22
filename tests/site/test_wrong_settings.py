"""Wrong settings of a project: where they are written, what is wrong with the value, and what to do."""

from pathlib import Path

import pytest

from devportal.errors import InvalidSettings, Place, PortalError, UnreadableInput
from devportal.site.project_file import load_project
from devportal.site.wrong_settings import settings_error, wrong_settings
from tests.contract.inline import HEAD, PATHS

_SETTINGS = """\
site_name: Parcels
theme: {name: material}
plugins:
  - search
  - devportal:
      contract: openapi.yaml
"""


def write_settings(folder: Path, text: str, *, encoding: str = "utf-8") -> Path:
    """Write a project with these settings."""
    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text("# Welcome\n", encoding="utf-8")
    (folder / "openapi.yaml").write_text(HEAD.format(version="3.1.0") + PATHS, encoding="utf-8")
    path = folder / "mkdocs.yml"
    path.write_text(text, encoding=encoding)
    return path


def error_of(config_file: Path) -> PortalError:
    """Return the error that ends every command of a project."""
    with pytest.raises(PortalError) as caught:
        load_project(config_file)
    return caught.value


@pytest.mark.parametrize(
    ("line", "place", "message", "help_text"),
    [
        ("      feed: maybe", "7:7", "it must be true or false, found maybe", "write true or false"),
        ("      changelog: [a]", "7:7", "it must be text, found a list", "write text"),
        (
            "      console: alway",
            "7:7",
            "it must be one of auto, always, never, found 'alway'",
            "did you mean 'always'?",
        ),
        (
            "      sample_languages: [pyton]",
            "7:7",
            "'pyton' is not a language of code samples",
            "list one or more of these: curl, python, node, php, go, ruby, java, csharp",
        ),
        (
            "      consol: auto",
            "7:7",
            "the plugin 'devportal' has no setting 'consol'",
            "did you mean 'console'?",
        ),
        ("      zzz: auto", "7:7", "the plugin 'devportal' has no setting 'zzz'", "remove it"),
        (
            "      changelog: https://me:secret@x.example/a",
            "7:7",
            "'https://…@x.example/a' is an address, and nothing is read from the network",
            "download the file, and write its path",
        ),
        (
            "      overlays: [http://x.example/o.yaml]",
            "7:7",
            "'http://x.example/o.yaml' is an address",
            "download",
        ),
        ("site_url: 5", "7:1", "it must be text, found 5", "write text"),
        ("docs_dir: pages", "7:1", "The path 'pages' isn't an existing directory.", "correct this setting"),
        ("use_directory_urls: false", "7:1", "'use_directory_urls' is false", "remove it from mkdocs.yml"),
        (
            "      footer: [Nope]\nnav: [Home: index.md]",
            "7:7",
            "'footer' names 'Nope'",
            "name some of 'Home'",
        ),
        (
            "  - serach",
            "7:5",
            "the plugin 'serach' is not installed",
            "did you mean 'search'? Otherwise, install",
        ),
        (
            "markdown_extensions: [tabels]",
            "7:23",
            "extension 'tabels' is not installed",
            "did you mean 'tables'?",
        ),
        (
            "markdown_extensions: [pymdownx.superfence]",
            "7:23",
            "extension 'pymdownx.superfence' is not installed",
            "did you mean 'pymdownx.superfences'?",
        ),
        (
            "validation: {nav: {not_found: wran}}",
            "7:20",
            "the setting 'validation.nav.not_found'",
            "correct this",
        ),
        ("\tnav: []", "7:1", "YAML cannot be indented with tabs", "indent with spaces"),
    ],
)
def test_a_wrong_setting_has_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, place: str, message: str, help_text: str
) -> None:
    """With the value as it is written, and no name of Python."""
    monkeypatch.chdir(tmp_path)

    error = error_of(write_settings(tmp_path, f"{_SETTINGS}{line}\n"))

    assert isinstance(error, InvalidSettings | UnreadableInput)
    assert str(error.place) == f"mkdocs.yml:{place}"
    assert message in error.message
    assert error.help.startswith(help_text)
    assert "class" not in str(error)


def test_each_of_several_wrong_settings_has_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many as MkDocs reports at once."""
    monkeypatch.chdir(tmp_path)

    error = error_of(write_settings(tmp_path, f"{_SETTINGS}      feed: 5\n      consol: auto\n"))

    lines = f"error: {error}".splitlines()
    assert [line.partition(": the ")[0] for line in lines[::2]] == [
        "error: mkdocs.yml:7:7",
        "error: mkdocs.yml:8:7",
    ]
    assert all(line.startswith("  help: ") for line in lines[1::2])


def test_a_theme_of_another_name_is_refused_before_the_build(tmp_path: Path) -> None:
    """`check` would pass else, and the build fail."""
    error = error_of(write_settings(tmp_path, _SETTINGS.replace("material", "readthedocs")))

    assert "'theme' is 'readthedocs'" in error.message


@pytest.mark.parametrize(
    ("theme", "message", "help_text"),
    [
        ("features: toc.follow", "'theme.features' is 'toc.follow', which is not a list", "write a list"),
        ("language: 5", "'theme.language' is 5, which is not text", "write a language"),
        ("language: [de]", "'theme.language' is ['de'], which is not text", "write a language"),
        ('language: ""', "'theme.language' is empty", "write a language, such as de, or remove it"),
        ("logo: [a.svg]", "'theme.logo' is ['a.svg'], which is not text", "write the path of a file"),
        ("icon: true", "'theme.icon' is True, which is not a mapping", "write a mapping"),
        (
            "palette: [a]",
            "'theme.palette' is ['a'], which is not a mapping or a list of mappings",
            "write a mapping",
        ),
        ("custom_dir: 5", "'theme.custom_dir' is not a path", "write the path"),
        ('custom_dir: ""', "'theme.custom_dir' is not a path", "write the path"),
        ("custom_dir: null", "'theme.custom_dir' is not a path", "write the path"),
        (
            "custom_dir: nowhere",
            "'theme.custom_dir' is 'nowhere', and there is no such folder",
            "write the path",
        ),
        (
            "palette: [{toggle: {icon: material/lightbulp}}]",
            "'theme.palette.toggle.icon' is 'material/lightbulp', and the theme has no such icon",
            "did you mean 'material/lightbulb'?",
        ),
        (
            "palette: [{toggle: {name: Dark}}]",
            "'theme.palette.toggle' is {'name': 'Dark'}",
            "write a mapping",
        ),
        ("language: deutsch", "'theme.language' is 'deutsch'", "did you mean 'de'?"),
        ("language: de-AT", "'theme.language' is 'de-AT'", "did you mean 'de'?"),
        (
            "icon: {logo: material/rokcet}",
            "'theme.icon.logo' is 'material/rokcet'",
            "did you mean 'material/rocket'?",
        ),
        (
            "icon: {admonition: {note: nothing}}",
            "'theme.icon.admonition.note' is 'nothing'",
            "write the name",
        ),
    ],
)
def test_a_value_that_the_theme_has_nothing_for_is_refused_at_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, theme: str, message: str, help_text: str
) -> None:
    """The build would fail with the name of a template."""
    monkeypatch.chdir(tmp_path)

    error = error_of(
        write_settings(tmp_path, _SETTINGS.replace("{name: material}", f"{{name: material, {theme}}}"))
    )

    assert error.message.startswith(message)
    assert error.help.startswith(help_text)
    assert error.place is not None
    assert error.place.line == _SETTINGS.splitlines().index("theme: {name: material}") + 1


def test_a_misspelt_setting_is_named_in_place_of_the_missing_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MkDocs reports only that the right one is missing."""
    monkeypatch.chdir(tmp_path)

    error = error_of(write_settings(tmp_path, _SETTINGS.replace("site_name", "site_nmae")))

    assert str(error) == (
        "mkdocs.yml:1:1: there is no setting 'site_nmae', and 'site_name' is missing\n  help: rename it to 'site_name'"
    )


def test_a_setting_of_an_api_has_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not only the setting that lists all APIs."""
    monkeypatch.chdir(tmp_path)
    text = _SETTINGS.replace(
        "contract: openapi.yaml", "contracts:\n        orders:\n          contract: a.yaml"
    )

    error = error_of(write_settings(tmp_path, text))

    assert str(error.place) == "mkdocs.yml:8:11"
    assert error.help.startswith("did you mean 'file'?")


def test_a_setting_of_an_inherited_file_has_its_place_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The project's own file does not have it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "base.yml").write_text(f"{_SETTINGS}site_url: 5\n", encoding="utf-8")

    error = error_of(write_settings(tmp_path, "INHERIT: base.yml\n"))

    assert str(error.place) == "base.yml:7:1"


@pytest.mark.parametrize(
    ("text", "encoding", "place", "message"),
    [
        (_SETTINGS, "utf-16", Place(file="mkdocs.yml"), "UTF-16 text"),
        ("site_name: Paquets été\n", "latin-1", Place(file="mkdocs.yml", line=1, column=20), "byte 0xe9"),
        ("- site_name\n", "utf-8", Place(file="mkdocs.yml", line=1, column=1), "the top level is a list"),
        ("site_name\n", "utf-8", Place(file="mkdocs.yml", line=1, column=1), "the top level is text"),
    ],
)
def test_what_is_not_a_file_of_settings_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, encoding: str, place: Place, message: str
) -> None:
    """Also if the library that reads YAML takes it."""
    monkeypatch.chdir(tmp_path)

    error = error_of(write_settings(tmp_path, text, encoding=encoding))

    assert error.place == place
    assert message in error.message


def test_a_missing_setting_of_a_plugin_names_the_plugin_and_its_place(tmp_path: Path) -> None:
    """A plugin that somebody added without reading what it needs."""
    settings = write_settings(tmp_path, _SETTINGS.replace("  - search\n", "  - gen-files\n"))
    problems = [
        *wrong_settings(
            "plugins", "Plugin 'gen-files' option 'scripts': Required configuration not provided."
        )
    ]

    error = settings_error(problems, [settings])

    assert error.message == "the plugin 'gen-files' needs the setting 'scripts'"
    assert error.place is not None
    assert error.place.line == _SETTINGS.splitlines().index("  - search") + 1
    assert error.help == "write 'scripts: …' under 'gen-files', or remove the plugin"


def test_a_folder_of_the_command_line_is_no_setting_of_the_file(tmp_path: Path) -> None:
    """The error names the option."""
    problems = [*wrong_settings("site_dir", "The 'docs_dir' should not be within the 'site_dir'.")]

    error = settings_error(problems, [write_settings(tmp_path, _SETTINGS)])

    assert error.place is None
    assert "--site-dir" in error.help


@pytest.mark.parametrize(
    ("site_dir", "message"),
    [
        (
            "docs",
            "'docs' is the folder of the pages you write, and a build replaces all that is in its folder",
        ),
        (
            ".",
            "'.' contains the folder of the pages you write, 'docs', and a build replaces all of it",
        ),
        (
            "docs/site",
            "'docs/site' is in the folder of the pages you write, 'docs', so each build would publish the one before",
        ),
    ],
)
def test_a_site_in_or_around_the_pages_is_refused_in_plain_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, site_dir: str, message: str
) -> None:
    """Without the names of settings that nobody wrote, and with folders as the user names them."""
    monkeypatch.chdir(tmp_path)

    error = error_of(write_settings(tmp_path, f"{_SETTINGS}site_dir: {site_dir}\n"))

    assert error.message == f"the setting 'site_dir' cannot be used: {message}"
    assert str(error.place) == "mkdocs.yml:7:1"


def test_a_plugin_for_sites_read_as_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It changes addresses when a build begins, after `check` has looked at them; switched off, it does not."""
    monkeypatch.chdir(tmp_path)
    settings = _SETTINGS.replace("plugins:\n", "plugins:\n  - offline\n")

    error = error_of(write_settings(tmp_path, settings))

    assert str(error.place) == f"mkdocs.yml:{settings.splitlines().index('  - offline') + 1}:5"
    assert error.message.startswith("the plugin 'offline' makes addresses that end in .html")
