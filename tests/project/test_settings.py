"""Settings: each is declared once, and whoever reads settings reads that."""

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from devportal.errors import InvalidSettings
from devportal.project.inputs import Inputs
from devportal.project.setting_kinds import SAMPLE_LANGUAGES, SettingsFile
from devportal.project.settings import (
    generated_folders,
    path_settings,
    setting_docstrings,
    setting_kinds,
    setting_values,
)
from devportal.site.settings import MkDocsSettings

DAY = date(2026, 12, 1)
DEFAULTS = {name: kind.default for name, kind in setting_kinds().items()}


def values(root: Path, **written: Any) -> dict[str, Any]:
    """Return the values of settings that a file below a folder has."""
    return setting_values({**DEFAULTS, **written}, SettingsFile(folder=root, name="mkdocs.yml"))


def test_mkdocs_reads_what_is_declared() -> None:
    """The same names in the same order, with the same defaults."""
    read = {name: option.default for name, option in MkDocsSettings._schema}

    assert list(read) == list(setting_kinds())
    assert {**read, "plugins": tuple(read["plugins"])} == DEFAULTS


def test_each_setting_is_documented() -> None:
    """The manual has nothing else to say of it."""
    assert setting_docstrings().keys() == setting_kinds().keys()
    assert all(setting_docstrings().values())


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    """An empty one turns a part off."""
    found = values(tmp_path, contract="api/openapi.yaml", changelog="news", records="")

    assert found["contract"] == tmp_path / "api" / "openapi.yaml"
    assert (found["changelog"], found["records"]) == (tmp_path / "news", None)


def test_what_lies_beside_the_contract_is_found(tmp_path: Path) -> None:
    """Releases are a folder and redirects a file: what has the name and is the other is neither."""
    beside = tmp_path / "openapi"
    (beside / "releases").mkdir(parents=True)
    (beside / "redirects.yaml").mkdir()

    found = values(tmp_path)

    assert (found["releases"], found["redirects"]) == (beside / "releases", None)


def test_a_contract_of_that_name_is_not_beside_itself(tmp_path: Path) -> None:
    """A file cannot be both."""
    (tmp_path / "redirects.yaml").touch()

    assert values(tmp_path, contract="redirects.yaml")["redirects"] is None


def test_without_a_contract_nothing_is_beside_it(tmp_path: Path) -> None:
    """Not even in the folder of the settings."""
    (tmp_path / "releases").mkdir()

    assert values(tmp_path, contract="")["releases"] is None


def test_values_make_the_inputs_of_a_project(tmp_path: Path) -> None:
    """All of them, by their names."""
    inputs = Inputs(root=tmp_path, today=DAY, **values(tmp_path, feed=False))

    assert (inputs.feed, inputs.paths) == (False, (tmp_path / "openapi" / "openapi.yaml",))


@pytest.mark.parametrize("folder", sorted(generated_folders()))
def test_the_overview_is_not_among_other_generated_pages(folder: str) -> None:
    """Each section declares with its setting where its pages are."""
    with pytest.raises(InvalidSettings, match="lies where other pages are made"):
        setting_kinds()["overview"].check(f"{folder}/index.md")


@pytest.mark.parametrize("written", ["/index.md", "../index.md", "reference", "a\\b.md", "./index.md", 3])
def test_an_overview_that_is_no_page_is_refused(written: Any) -> None:
    """The value is quoted."""
    with pytest.raises(InvalidSettings, match="is not a page below the site"):
        setting_kinds()["overview"].check(written)


def test_paths_are_told_from_choices(tmp_path: Path) -> None:
    """What pages are rendered from is their content: where it lies makes no other pages."""
    one, other = (Inputs(root=tmp_path, today=DAY, contract=tmp_path / name) for name in ("a", "b"))

    assert one.choices == other.choices
    assert len(one.choices) == len(setting_kinds()) - len(path_settings())


@pytest.mark.parametrize("written", [["parcel", "package"], [["parcel"]], [[1, 2]], "parcel", [3]])
def test_synonyms_that_are_no_groups_are_refused(written: Any) -> None:
    """The value is quoted; no synonyms are none."""
    with pytest.raises(InvalidSettings, match="search_synonyms"):
        setting_kinds()["search_synonyms"].check(written)

    assert setting_kinds()["search_synonyms"].check(None) == ()


def test_folders_of_the_site_end_with_a_slash() -> None:
    """However they are written; what is no list is refused."""
    kind = setting_kinds()["search_secondary"]

    assert kind.check(["toolkit", "/a/b/", ""]) == ("toolkit/", "a/b/")
    with pytest.raises(InvalidSettings, match="'toolkit' is not a list of folders"):
        kind.check("toolkit")


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("guides/tokens.md#get-one", "guides/tokens/#get-one"),
        ("https://example.com/tokens.md", "https://example.com/tokens.md"),
        ("", ""),
    ],
)
def test_a_page_about_tokens_becomes_an_address(written: str, address: str, tmp_path: Path) -> None:
    """From the root of the site, or as it is elsewhere."""
    assert setting_kinds()["token_page"].check(written) == written
    assert values(tmp_path, token_page=written)["token_page"] == address


@pytest.mark.parametrize("written", ["tokens", "../tokens.md", "/tokens.md", "javascript:alert(1)", 3])
def test_a_page_about_tokens_that_is_none_is_refused(written: Any) -> None:
    """The value is quoted."""
    with pytest.raises(InvalidSettings, match="neither a page nor an address"):
        setting_kinds()["token_page"].check(written)


def test_sample_languages_keep_their_order() -> None:
    """However their names are written; without the setting there are all."""
    kind = setting_kinds()["sample_languages"]

    assert kind.check(["Java", "curl "]) == ("java", "curl")
    assert kind.check("python") == ("python",)
    assert kind.check(None) == kind.default == SAMPLE_LANGUAGES


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        (["curl", "rust"], r"'rust' is not a language of code samples\n.*: curl, python, node"),
        ([3], "3 is not a language of code samples"),
        ([["curl"]], r"\['curl'\] is not a language of code samples"),
        ([], "the list is empty"),
        (["curl", "cURL"], "'curl' is in the list more than once"),
    ],
)
def test_sample_languages_that_are_none_are_refused(written: Any, problem: str) -> None:
    """The value is quoted, with the names that are known."""
    with pytest.raises(InvalidSettings) as refused:
        setting_kinds()["sample_languages"].check(written)

    assert re.search(problem, str(refused.value))


def test_a_site_of_links_has_no_slash_at_its_end() -> None:
    """`auto` takes it from the contract; what no path can follow is refused."""
    kind = setting_kinds()["contract_links"]

    assert kind.check("https://docs.example.com/") == "https://docs.example.com"
    assert (kind.check("auto"), kind.check(None)) == ("auto", "")
    for wrong in ("docs.example.com", "https://example.com/?a", 3):
        with pytest.raises(InvalidSettings, match=re.escape(f"{wrong!r} is not an address")):
            kind.check(wrong)


def test_notifications_are_asked_for_by_email_or_on_a_page() -> None:
    """The value is where a link leads; what is neither address is refused."""
    kind = setting_kinds()["notifications"]

    assert kind.check("api@example.com") == "mailto:api@example.com"
    assert kind.check("https://example.com/subscribe?to=api") == "https://example.com/subscribe?to=api"
    assert (kind.check(""), kind.check(None)) == ("", "")
    for wrong in ("javascript:alert(1)", "api", "a b@example.com", "api@example.com?bcc=b@example.com", 3):
        with pytest.raises(InvalidSettings, match=re.escape(f"{wrong!r} is neither an email address")):
            kind.check(wrong)
