"""Every locked package and every file of others is listed, under the licence that it states itself."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from email.message import Message
from fnmatch import fnmatch
from importlib.metadata import PackageMetadata, distribution, metadata
from pathlib import Path
from typing import Any

import pytest

from devportal.manual.licences import Asset, all_licences, licences
from devportal.markup.page import InsertProblem
from tests.manual.test_rules import EMPTY

from .repository import ROOT, tracked_files
from .requirements import PROJECT, required_packages

ROWS = all_licences()
PACKAGES = {**ROWS.runtime, **ROWS.development}
KNOWN = {
    *("Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT-0", "MIT-CMU", "PSF-2.0"),
    *("MPL-2.0", "OFL-1.1", "CNRI-Python", "LicenseRef-public-domain", "LicenseRef-RFC-3978"),
    *("LGPL-3.0-only", "LGPL-3.0-or-later"),
}
"""Licences that somebody has looked at: all allow what is done here, to use a package as it is, or to pass on
a file with its licence."""
PHRASES: Mapping[str, set[str]] = {
    "Apache 2.0": {"Apache-2.0"},
    "Apache Software License": {"Apache-2.0"},
    "BSD 2-Clause License": {"BSD-2-Clause"},
    "BSD License": {"BSD-2-Clause", "BSD-3-Clause"},
    "FreeBSD and LGPLv3+": {"BSD-2-Clause OR LGPL-3.0-or-later"},
    "MIT License": {"MIT"},
    "MIT license": {"MIT"},
    "Mozilla Public License 2.0 (MPL 2.0)": {"MPL-2.0"},
    "PSFL": {"PSF-2.0"},
}
"""What packages write that state no SPDX expression, and which may be meant."""
SOURCES = {
    *(
        ".py",
        ".pyi",
        ".md",
        ".po",
        ".pot",
        ".yaml",
        ".yml",
        ".toml",
        ".jinja",
        ".html",
        ".css",
        ".js",
        ".mjs",
        ".typed",
    ),
    *(".lock", ".sh", ""),
}
"""Files that are written here. One with the notice of others counts as theirs."""
OWN = (
    "LICENSE",
    "*/schemas/*.json",
    "*.schema.json",
    "changelog/*",
    "conformance/*.json",
    "data/*",
    "docs/assets/icons/*.svg",
    "docs/assets/favicon.svg",
    "docs/assets/pictures/*.svg",
    "docs/assets/screenshot.png",
    "docs/contributing/floors.svg",
    "openapi/*",
    "tests/catalog/*.csv",
    "tests/catalog/*.json",
    "tests/golden/*",
    "tests/markup/grammars/rss.rng",
    "tests/telecom/*.sql",
    "tests/telecom/vectors/*.json",
    "tools/devportal/site/theme/.icons/devportal/mark.svg",
    "tools/devportal/site/theme/assets/devportal/favicon.svg",
    "tools/devportal/site/theme/sitemap.xml",
    "tools/telecom/sandbox/pages/static/icon.svg",
)
"""Data, drawings and schemas that were made here."""
_NOTICE = re.compile(
    r"copyright (?:\(c\)|©|\d{4})|@license|spdx-license-identifier|licensed under", re.IGNORECASE
)


def locked_packages(lock: str) -> set[str]:
    """Return the names in a lock."""
    return set(re.findall(r"^([a-z0-9][a-z0-9._-]*)(?:\[[^]]*\])?==", lock, re.MULTILINE))


def runtime_packages() -> set[str]:
    """Return what the toolkit and the plug-in need with all their extras, and what that needs in turn."""
    plugin = tomllib.loads((ROOT / "tools/telecom/pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = plugin["optional-dependencies"]["postgresql"]
    return required_packages(["devportal[all]", *PROJECT["dependencies"], *plugin["dependencies"], *extras])


def stated_licences(read: PackageMetadata, text: str = "") -> set[str]:
    """Return the SPDX expressions that a package may mean by what it states; `text` is its licence file."""
    if expressions := read.get_all("License-Expression"):
        return set(expressions)
    classifiers = (item for item in read.get_all("Classifier") or () if item.startswith("License ::"))
    names = (classifier.rpartition(" :: ")[2] for classifier in classifiers)
    for words in (*(read.get_all("License") or ()), *names, text.partition("\n")[0]):
        if words in KNOWN or words in PHRASES:
            return PHRASES.get(words, {words})
    return set()


def licence_text(name: str) -> str:
    """Return the text of the licence that a package brings, if it does: old installers list files that they omit."""
    files = (file for file in distribution(name).files or () if file.name.upper().startswith("LICENSE"))
    return next((file.read_text() for file in files if Path(file.locate()).is_file()), "")


def unknown_licences(rows: Mapping[str, str]) -> dict[str, str]:
    """Return the rows with a licence that nobody has looked at."""
    return {
        name: licence
        for name, licence in rows.items()
        if not {*re.split(r" AND | OR ", licence.replace("(", "").replace(")", ""))} <= KNOWN
    }


def is_own(path: str, text: str) -> bool:
    """Say whether a file was made here: source code without a notice of others, or what is listed as ours."""
    if any(fnmatch(path, pattern) for pattern in OWN):
        return True
    is_script = path.endswith((".js", ".mjs", ".css", ".html"))
    return Path(path).suffix in SOURCES and not (is_script and _NOTICE.search(text))


def unlisted_files(files: Mapping[str, str], assets: Iterable[Asset]) -> list[str]:
    """Return the files that are not ours and match no asset."""
    patterns = [pattern for asset in assets if not asset.package for pattern in (*asset.files, asset.notice)]
    return [
        path
        for path, text in files.items()
        if not is_own(path, text) and not any(fnmatch(path, pattern) for pattern in patterns if pattern)
    ]


def repository_files() -> Iterator[tuple[str, str]]:
    """Yield the tracked files with the beginning of each."""
    for path in tracked_files():
        with path.open("rb") as file:
            yield path.relative_to(ROOT).as_posix(), file.read(4096).decode("utf-8", "replace")


def test_every_locked_package_is_listed() -> None:
    """Under what is installed with the toolkit or the plug-in, or under what they are developed with."""
    locked = locked_packages((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    runtime = runtime_packages()

    assert len(locked) > 100
    assert set(ROWS.runtime) == runtime & locked
    assert set(ROWS.development) == locked - runtime


@pytest.mark.parametrize("name", PACKAGES)
def test_package_is_under_the_licence_that_it_states(name: str) -> None:
    """In its metadata; where that has none, in the file of its licence."""
    assert PACKAGES[name] in stated_licences(metadata(name), licence_text(name)), (
        f"look at the licence of {name}"
    )


def test_every_licence_is_known() -> None:
    """One that nobody has looked at may ask for what nobody does."""
    assets = {asset.name: asset.licence for asset in ROWS.assets}

    assert unknown_licences({**PACKAGES, **assets}) == {}


def test_every_file_of_others_is_listed() -> None:
    """Fonts, pictures, data and scripts that were not made here."""
    assert unlisted_files(dict(repository_files()), ROWS.assets) == []


@pytest.mark.parametrize("asset", ROWS.assets, ids=lambda item: item.name)
def test_every_asset_is_there(asset: Asset) -> None:
    """Its files, and the text of its licence; those of a package are among its files."""
    there = distribution(asset.package).files if asset.package else tracked_files()
    names = [
        package_path.as_posix() if asset.package else Path(package_path).relative_to(ROOT).as_posix()
        for package_path in there or ()
    ]

    assert all(any(fnmatch(name, pattern) for name in names) for pattern in asset.files)
    assert bool(asset.notice) != bool(asset.package)
    assert not asset.notice or asset.notice in names
    assert not asset.package or asset.package in PACKAGES


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("tools/devportal/site/theme/assets/devportal/fonts/new.woff2", ""),
        ("docs/assets/photo.jpg", ""),
        ("tools/devportal/catalog/world/rivers.json", "{}"),
        ("docs/assets/chart.js", "/*! Chart | Copyright (c) 2026 Ada */"),
        ("docs/assets/reset.css", "/* @license MIT */"),
    ],
)
def test_a_file_of_others_would_be_found(path: str, text: str) -> None:
    """By its kind, or by its notice."""
    assert unlisted_files({path: text}, ROWS.assets) == [path]


def test_a_file_of_ours_is_none_of_others() -> None:
    """Code, words and golden files."""
    files = {
        "tools/devportal/cli.py": "",
        "docs/index.md": "",
        "tests/golden/a.svg": "",
        "docs/a.js": "// ours",
    }

    assert unlisted_files(files, ROWS.assets) == []


@pytest.mark.parametrize("licence", ["AGPL-3.0-only", "MIT AND Proprietary", "UNKNOWN", ""])
def test_an_unknown_licence_would_be_found(licence: str) -> None:
    """One part of an expression is enough."""
    assert unknown_licences({"package": licence}) == {"package": licence}


def test_a_locked_package_that_is_not_listed_would_be_found() -> None:
    """The names are those of the lock, with extras and hashes beside them."""
    lock = "new-one==1.0 \\\n    --hash=sha256:00\nwith[extra]==2 ; python_version > '3'\n"

    assert locked_packages(lock) == {"new-one", "with"}


def read(**fields: Any) -> PackageMetadata:
    """Return metadata with these fields."""
    message = Message()
    for key, value in fields.items():
        message[key.replace("_", "-")] = value
    return message  # type: ignore[return-value]  # importlib's own is one


@pytest.mark.parametrize(
    ("fields", "text", "expected"),
    [
        ({"License_Expression": "GPL-3.0-only", "License": "MIT"}, "", "GPL-3.0-only"),
        ({"License": "BSD-3-Clause"}, "", "BSD-3-Clause"),
        ({"License": "Apache 2.0"}, "", "Apache-2.0"),
        ({"Classifier": "License :: OSI Approved :: MIT License"}, "", "MIT"),
        ({}, "MIT License\n\nCopyright", "MIT"),
    ],
)
def test_a_package_states_its_licence(fields: dict[str, str], text: str, expected: str) -> None:
    """The expression counts before words, and these before the text."""
    assert expected in stated_licences(read(**fields), text)


@pytest.mark.parametrize("fields", [{}, {"License": "My own"}, {"License": "UNKNOWN"}])
def test_a_package_that_states_nothing_known_has_no_licence(fields: dict[str, str]) -> None:
    """So that its row is red, whatever it says."""
    assert not stated_licences(read(**fields), "All rights reserved") & KNOWN


def test_the_page_lists_every_row() -> None:
    """With its licence, in the order of names."""
    shown = licences(EMPTY, ())

    assert isinstance(shown, str)
    assert all(f"[{asset.name}]({asset.source})" in shown for asset in ROWS.assets)
    assert [name for name in PACKAGES if f"| `{name}` |" not in shown] == []
    assert "| public domain |" in shown
    assert isinstance(licences(EMPTY, ("some",)), InsertProblem)
