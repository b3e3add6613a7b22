"""A build that follows another leaves what a fresh build would leave, and writes only what has changed."""

import json
import sqlite3
from collections.abc import Callable
from importlib import import_module, reload
from pathlib import Path
from typing import Any

import pytest
from mkdocs.config import load_config
from mkdocs.exceptions import PluginError

from devportal.site.cache.last_build import ContractBuild
from devportal.site.cache.output import build_digest
from devportal.site.cache.store import UnusableStore
from devportal.site.commands.build import BuildResult, build_contract, build_project, mkdocs_build
from devportal.site.mkdocs_messages import MkDocsMessages
from tests.site.building import CONTRACT, DAY, contents, environment, write_contract, write_project


class Site:
    """A contract, the site that is built of it again and again, and a cache."""

    def __init__(self, folder: Path) -> None:
        """Take where."""
        self.document: dict[str, Any] = json.loads(json.dumps(CONTRACT))
        self.get = self.document["paths"]["/parcels/{id}"]["get"]
        self.folder = folder / "site"
        self.redirects = folder / "redirects.yaml"
        self._contract = folder / "openapi.yaml"
        self._cache = folder / "cache"

    def build(self, *, afresh: bool = False, site_url: str = "") -> BuildResult:
        """Build, as `devportal build` does twice a day; afresh: into another folder, without a cache."""
        write_contract(self._contract, self.document)
        site = self.folder.with_name("fresh") if afresh else self.folder
        with environment(SOURCE_DATE_EPOCH=DAY):
            return build_contract(
                ContractBuild(contract=self._contract, site_dir=site, site_url=site_url),
                cache=None if afresh else self._cache,
            )

    def times(self) -> dict[str, int]:
        """Return when each page was written."""
        pages = self.folder.rglob("*.html")
        return {path.relative_to(self.folder).as_posix(): path.stat().st_mtime_ns for path in pages}


@pytest.fixture
def site(folder: Path) -> Site:
    made = Site(folder)
    made.get["description"] = "Where a parcel is."
    sizes = {"operationId": "listGrößen", "tags": ["Größen"], "responses": {"204": {"description": "."}}}
    made.document["paths"]["/größen"] = {"get": sizes}
    made.build()
    return made


def rename(site: Site) -> None:
    """Give the operation, and so its page, another name."""
    site.get["operationId"] = "findParcel"


def describe(site: Site) -> None:
    """Change a description."""
    site.get["description"] = "Where a parcel is now."


def add(site: Site) -> None:
    """Add an operation in a group of its own."""
    site.document["paths"]["/vans"] = {"get": {"tags": ["Vans"], "responses": {"204": {"description": "."}}}}


def change_title(site: Site) -> None:
    """Change what stands on every page."""
    site.document["info"]["title"] = "Parcels and more"


def change_nothing(_: Site) -> None:
    """Change nothing."""


def remove(site: Site) -> None:
    """Take an operation out that is named with other letters than ASCII has."""
    del site.document["paths"]["/größen"]


def hide(site: Site) -> None:
    """Mark that operation as internal."""
    site.document["paths"]["/größen"]["get"]["x-internal"] = True


def redirect(site: Site) -> None:
    """Rename an operation, and redirect from the page it had."""
    rename(site)
    site.redirects.write_text("operations:\n  getParcel: findParcel\n", encoding="utf-8")


@pytest.mark.parametrize(
    "change",
    [change_nothing, describe, rename, add, remove, hide, redirect, change_title],
    ids=lambda item: item.__name__,
)
def test_the_next_build_leaves_what_a_fresh_one_leaves(site: Site, change: Callable[[Site], None]) -> None:
    """To the byte, with no page or folder of before."""
    change(site)
    site.build()
    fresh = site.build(afresh=True)

    assert contents(site.folder) == contents(fresh.site_dir)
    assert folders(site.folder) == folders(fresh.site_dir)


def folders(site: Path) -> set[Path]:
    """Return the folders of a site."""
    return {path.relative_to(site) for path in site.rglob("*") if path.is_dir()}


def test_files_of_a_console_that_is_gone_are_removed(site: Site) -> None:
    """They are files of the theme, and only some sites have them."""
    site.document["servers"] = [{"url": "https://sandbox.example", "description": "Sandbox"}]
    site.build()
    had_console = (site.folder / "assets" / "devportal" / "console").is_dir()
    del site.document["servers"]
    site.build()
    fresh = site.build(afresh=True)

    assert had_console
    assert contents(site.folder).keys() == contents(fresh.site_dir).keys()
    assert folders(site.folder) == folders(fresh.site_dir)


def test_hidden_files_are_made_anew_too(site: Site) -> None:
    """A catalogue of APIs, and skills for agents, are for sites with an address."""
    site.build(site_url="https://example.org/")
    had_skills = (site.folder / ".well-known" / "agent-skills").is_dir()
    site.build()

    assert had_skills
    assert contents(site.folder) == contents(site.build(afresh=True).site_dir)


def test_a_page_comes_back_where_a_redirect_stood(site: Site) -> None:
    """The page of an operation that has its old name again takes the place of the redirect, and stays."""
    redirect(site)
    site.build()
    site.get["operationId"] = "getParcel"
    site.redirects.unlink()
    site.build()
    site.build()
    fresh = site.build(afresh=True)

    assert contents(site.folder) == contents(fresh.site_dir)


def test_only_pages_that_changed_are_written(site: Site) -> None:
    """Here that of the operation; the home page, the page for errors and old addresses are always made."""
    before = site.times()
    describe(site)
    site.build()

    changed = {name for name, time in site.times().items() if before[name] != time}
    always = {"index.html", "404.html", "reference/index.html"}
    assert changed == {"reference/parcels/get-parcel/index.html", *always}


def test_a_file_that_somebody_has_touched_is_made_anew(site: Site) -> None:
    """A page that was edited by hand, one that was removed, and what does not belong there."""
    page = site.folder / "reference" / "parcels" / "get-parcel" / "index.html"
    page.write_text("edited", encoding="utf-8")
    site.build()
    assert page.read_text(encoding="utf-8") != "edited"
    page.unlink()
    (site.folder / "stray.html").write_text("stray", encoding="utf-8")
    site.build()

    assert contents(site.folder) == contents(site.build(afresh=True).site_dir)


def test_a_damaged_cache_is_made_anew(site: Site) -> None:
    """By the build that finds the damage: the site is that of a fresh one, and the next build has a cache again."""
    (store,) = (site.folder.parent / "cache").glob("*.sqlite3")
    with sqlite3.connect(store) as database:
        database.execute("UPDATE pages SET body = ''")
    database.close()
    (site.folder / "index.html").unlink()  # so that all pages are written
    site.redirects.write_text("operations: {}\n", encoding="utf-8")
    again = site.build()
    describe(site)
    following = site.build()

    assert contents(site.folder) == contents(site.build(afresh=True).site_dir)
    assert again.rendered == again.pages
    assert 0 < following.rendered < following.pages


def test_a_disk_without_room_is_the_reason_given(folder: Path) -> None:
    """Pages wait on disk: SQLite says what is wrong with it, and the command what to do."""
    config = write_project(folder)

    with (
        pytest.raises(UnusableStore, match="cannot be stored: database or disk is full") as caught,
        mkdocs_build(lambda: load_config(str(config)), MkDocsMessages()),
    ):
        raise sqlite3.OperationalError("database or disk is full")

    assert "make room" in caught.value.help


def test_a_server_reports_a_disk_without_room_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pages show what SQLite says, where they asked for a report of an error in devportal."""
    config = load_config(str(write_project(folder)))
    config.plugins.on_startup(command="serve", dirty=False)

    def fail(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("devportal.site.portal_reader.render_portal", fail)
    with pytest.raises(PluginError, match="make room on the disk"):
        config.plugins.on_config(config)


def test_another_toolkit_writes_everything(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another version has rendered is not used."""
    before = site.times()
    monkeypatch.setattr("devportal.site.cache.output.toolkit_digest", lambda: "another")
    site.build()

    assert [name for name, time in site.times().items() if before[name] == time] == []


def test_a_project_follows_too(folder: Path) -> None:
    """Also with pages written by hand, of which one links to what one may have edited."""
    config = write_project(folder)
    guide = folder / "docs" / "guide.md"
    guide.write_text("# Guide\n\nFirst.\n", encoding="utf-8")
    with environment(SOURCE_DATE_EPOCH=DAY):
        build_project(config, site_dir=folder / "site", cache=folder / "cache")
        guide.write_text("# Manual\n\nSecond.\n", encoding="utf-8")
        build_project(config, site_dir=folder / "site", cache=folder / "cache")
        fresh = build_project(config, site_dir=folder / "fresh")

    assert contents(folder / "site") == contents(fresh.site_dir)


_PLUGINS = "plugins: [search, {devportal: {contract: openapi.yaml}}]"


def test_a_strict_project_follows_too(folder: Path) -> None:
    """MkDocs warns of builds that write only what has changed, and a warning would end a strict build."""
    config = write_project(folder, strict=True)
    build_project(config, cache=folder / "cache")
    write_contract(folder / "openapi.yaml", {**CONTRACT, "info": {"title": "Parcels", "version": "3"}})

    assert build_project(config, cache=folder / "cache").warnings == ()


_HOOK = """\
from pathlib import Path

def on_post_page(output, page, config):
    return output + Path(config.config_file_path).with_name("banner.txt").read_text()

def on_post_build(config):
    for page in Path(config.site_dir).rglob("*.html"):
        page.write_text(page.read_text() + "<!-- built -->")
"""


def test_nothing_is_left_that_a_hook_may_change(folder: Path) -> None:
    """It may read any file and change any page: one that was left would have its changes of before, or twice."""
    config = write_project(folder, hooks=["hook.py"])
    (folder / "hook.py").write_text(_HOOK, encoding="utf-8")
    banner = folder / "banner.txt"
    with environment(SOURCE_DATE_EPOCH=DAY):
        banner.write_text("First.", encoding="utf-8")
        build_project(config, site_dir=folder / "site", cache=folder / "cache")
        banner.write_text("Second.", encoding="utf-8")
        again = build_project(config, site_dir=folder / "site", cache=folder / "cache")
        fresh = build_project(config, site_dir=folder / "fresh")

    assert contents(folder / "site") == contents(fresh.site_dir)
    assert again.rendered == 0


def test_what_a_configuration_inherits_is_part_of_it(folder: Path) -> None:
    """A change of the file that it inherits from has everything written anew."""
    config = _inheriting(folder)
    before = build_digest(load_config(str(config)))
    (folder / "base.yml").write_text(_PLUGINS.replace("search, ", ""), encoding="utf-8")

    assert build_digest(load_config(str(config))) != before


def test_what_a_configuration_takes_from_the_environment_is_part_of_it(folder: Path) -> None:
    """Wherever in it that stands."""
    config = _inheriting(folder)
    with environment(SITE_SPEED="slow"):
        before = build_digest(load_config(str(config)))
    with environment(SITE_SPEED="fast"):
        after = build_digest(load_config(str(config)))

    assert after != before


def test_functions_that_a_configuration_names_are_no_change(folder: Path) -> None:
    """They lie elsewhere in memory in each run, and are the same."""
    config = _inheriting(folder)
    before = load_config(str(config))
    reload(import_module("material.extensions.emoji"))
    after = load_config(str(config))

    assert after.mdx_configs != before.mdx_configs
    assert build_digest(after) == build_digest(before)


def _inheriting(folder: Path) -> Path:
    """Write a project that inherits its plugins and names a function; return its `mkdocs.yml`."""
    config = write_project(folder)
    (folder / "base.yml").write_text(_PLUGINS, encoding="utf-8")
    config.write_text(
        "INHERIT: base.yml\nsite_name: Parcels\ntheme: {name: material}\n"
        "extra: {speed: !ENV SITE_SPEED}\n"
        "markdown_extensions:\n"
        "  - pymdownx.emoji: {emoji_index: !!python/name:material.extensions.emoji.twemoji }\n",
        encoding="utf-8",
    )
    return config
