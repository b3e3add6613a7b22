"""The digest of what renders pages: it names the installed libraries, and needs none that is missing."""

import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, DistributionFinder, MetadataPathFinder, version
from pathlib import Path

import pytest

from devportal.project.caches import installed_versions, toolkit_digest
from tests.site.building import CONTRACT, built_from

PREVIEWS = ("devportal.catalog.preview", "PIL")


@pytest.fixture
def without_pillow(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hide Pillow: its metadata is not found, and neither it nor what draws with it can be imported."""
    find_distributions = MetadataPathFinder.find_distributions

    def find_others(
        context: DistributionFinder.Context = DistributionFinder.Context(),  # noqa: B008 - as in the original
    ) -> Iterable[Distribution]:
        return (
            distribution
            for distribution in find_distributions(context)
            if distribution.metadata["Name"].lower() != "pillow"
        )

    monkeypatch.setattr(MetadataPathFinder, "find_distributions", find_others)
    for name in [module for module in sys.modules if module.startswith(PREVIEWS)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "PIL", None)
    toolkit_digest.cache_clear()
    yield
    toolkit_digest.cache_clear()


def test_a_version_is_none_for_what_is_not_installed() -> None:
    """A library that is missing is part of the digest too: installing it later changes the digest."""
    versions = installed_versions(("mkdocs", "no-such-library"))

    assert dict(versions) == {"mkdocs": version("mkdocs"), "no-such-library": None}


def test_installing_a_library_changes_the_digest(request: pytest.FixtureRequest) -> None:
    """Pages rendered without a library are not used again once it is installed."""
    with_all = toolkit_digest()
    request.getfixturevalue("without_pillow")

    assert toolkit_digest() != with_all


@pytest.mark.usefixtures("without_pillow")
def test_a_site_without_records_is_built_without_pillow(tmp_path: Path) -> None:
    """Only previews of records are drawn, so a plain build asks for no library that draws."""
    built = built_from(CONTRACT, tmp_path)

    assert built.findings == ()
    assert "Parcel Tracking" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
