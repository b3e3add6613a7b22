"""Which releases the setting `versions` means."""

from pathlib import Path
from typing import Any

import pytest

from devportal.changelog import Release
from devportal.errors import InvalidSettings
from devportal.project.setting_kinds import Versions, VersionsSetting
from devportal.site.versions.version_switcher import choose_releases

VERSIONS = ("0.1.0", "0.2.0", "0.2.1", "1.0.0", "1.4.0", "2.0.0", "2.1.0", "3.0.0")
RELEASES = tuple(
    Release(version=version, name=version, sha256="", path=Path(f"{version}.yaml"), content=b"")
    for version in VERSIONS
)


def versions(setting: VersionsSetting, current: str) -> list[str]:
    """Return the versions that are meant."""
    return [choose_release.version for choose_release in choose_releases(setting, RELEASES, current=current)]


@pytest.mark.parametrize(
    ("setting", "current", "expected"),
    [
        ("majors", "3.0.0", ["2.1.0", "1.4.0", "0.2.1", "0.1.0"]),
        ("majors", "4.0.0", ["3.0.0", "2.1.0", "1.4.0", "0.2.1", "0.1.0"]),
        ("majors", "3.1.0", ["2.1.0", "1.4.0", "0.2.1", "0.1.0"]),
        ("majors", "2026-01-01", ["3.0.0", "2.1.0", "1.4.0", "0.2.1", "0.1.0"]),
        ("all", "3.0.0", list(reversed(VERSIONS[:-1]))),
        ("none", "3.0.0", []),
        (("1.0.0", "2.0.0", "1.0.0"), "3.0.0", ["2.0.0", "1.0.0"]),
        (("3.0.0",), "3.1.0", ["3.0.0"]),
    ],
)
def test_releases_are_chosen(setting: VersionsSetting, current: str, expected: list[str]) -> None:
    """The newest of each earlier line in which nothing breaks; all; none; or those that are listed."""
    assert versions(setting, current) == expected


@pytest.mark.parametrize(
    ("listed", "told"),
    [
        ("9.9.9", "'versions' lists '9.9.9', which was not released: released are 0.1.0, 0.2.0"),
        ("3.0.0", "'versions' lists '3.0.0', which is the present version"),
    ],
)
def test_what_cannot_be_meant_is_told(listed: str, told: str) -> None:
    """The value is quoted, and there is something to choose from."""
    with pytest.raises(InvalidSettings, match=told) as caught:
        versions((listed,), "3.0.0")
    assert caught.value.help


def test_a_release_after_the_present_version_is_told() -> None:
    """It is no earlier release: more likely the version of the contract is wrong."""
    with pytest.raises(InvalidSettings, match=r"'3\.0\.0', which comes after the present version '2\.5\.0'"):
        versions(("3.0.0",), "2.5.0")


def test_without_releases_only_a_list_is_wrong() -> None:
    """A project that has published nothing needs no setting."""
    assert choose_releases("majors", (), current="1.0.0") == ()
    with pytest.raises(InvalidSettings, match="nothing was released yet"):
        choose_releases(("1.0.0",), (), current="1.1.0")


@pytest.mark.parametrize(
    ("value", "expected"),
    [("", "none"), (None, "none"), ("all", "all"), ([], "none"), (["1.0.0"], ("1.0.0",))],
)
def test_the_setting_is_read(value: Any, expected: VersionsSetting) -> None:
    """An empty one turns it off."""
    assert Versions().check(value) == expected


@pytest.mark.parametrize("value", ["newest", 3, False, True, [2.0], {"a": "b"}])
def test_no_other_value_is_a_setting(value: Any) -> None:
    """`versions: 2.0` is a number for YAML, and `no` is false."""
    with pytest.raises(InvalidSettings, match="'versions' ") as caught:
        Versions().check(value)
    assert "majors, all, none" in caught.value.help
