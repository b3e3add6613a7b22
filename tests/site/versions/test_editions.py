"""The reference of earlier releases in a portal: where it is, what it says of itself, when it is made."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from devportal.documents import to_yaml
from devportal.errors import InvalidSettings
from devportal.site.commands.check import check_project
from devportal.site.portal import Portal
from tests.site.building import built_project, write_project

from .shelf import FOUND, LOST, PARCELS, RELEASES, Project, contract, operation


@pytest.fixture
def project(folder: Path) -> Project:
    """Return a project with the releases 1.0.0, 1.1.0 and 2.0.0, and the version 3.0.0 to come."""
    return Project(folder)


def earlier_versions(portal: Portal) -> list[str]:
    """Return the versions that pages are there of, besides the present one."""
    found = (re.match(r"reference/(\d+\.\d+\.\d+)/", head.uri) for head in portal.heads)
    return list(dict.fromkeys(match[1] for match in found if match))


def switcher_links(sidebar: str) -> dict[str, str]:
    """Return where the switcher leads, by version."""
    links = re.findall(r'<a href="([^"]*)"[^>]*><span class="dp-versions__version">([\d.]+)', sidebar)
    return {version: link for link, version in links}


def test_an_earlier_page_is_as_agreed(project: Project, golden: Callable[[str, str], None]) -> None:
    """With what it is of at its top, below the way to it, and the way to the other releases."""
    page = project.pages()["reference/1.1.0/parcels/list-lost.md"]

    golden("versions/notice.html", page.body.partition('<div class="dp-op">')[0])
    golden("versions/list-lost.md", page.markdown)
    golden("versions/switcher.html", page.sidebar.partition('<nav class="dp-side"')[0])


def test_the_newest_of_each_earlier_major_is_there(project: Project) -> None:
    """Below an address of its own, with its contract as it was published."""
    portal = project.render()

    assert earlier_versions(portal) == ["2.0.0", "1.1.0"]
    frozen = {artefact.uri: artefact.content for artefact in portal.artefacts}
    for version in ("2.0.0", "1.1.0"):
        assert (
            frozen[f"reference/{version}/openapi.yaml"]
            == (project.inputs.root / "releases" / f"{version}.yaml").read_bytes()
        )
        assert 'href="openapi.yaml">OpenAPI (YAML)' in project.pages()[f"reference/{version}/index.md"].body


def test_each_page_leads_to_itself_in_the_other_releases(project: Project) -> None:
    """By its method and path, although its operationId and with it its address is another one now."""
    pages = project.pages()

    assert switcher_links(pages["reference/parcels/find-parcels.md"].sidebar) == {
        "3.0.0": "./",
        "2.0.0": "../../2.0.0/parcels/list-parcels/",
        "1.1.0": "../../1.1.0/parcels/list-parcels/",
    }
    assert switcher_links(pages["reference/2.0.0/parcels/list-parcels.md"].sidebar) == {
        "3.0.0": "../../../parcels/find-parcels/",
        "2.0.0": "./",
        "1.1.0": "../../../1.1.0/parcels/list-parcels/",
    }


def test_what_is_not_there_leads_to_what_is_nearest(project: Project) -> None:
    """And the switcher says so before anybody follows it."""
    page = project.pages()["reference/parcels/make-new.md"]

    assert switcher_links(page.sidebar)["2.0.0"] == "../../2.0.0/parcels/"
    assert page.sidebar.count("not there: leads to Parcels") == 2


def test_every_page_of_the_reference_has_the_switcher(project: Project) -> None:
    """Each marks the release at hand."""
    pages = {uri: page for uri, page in project.pages().items() if uri.startswith("reference/")}

    assert len(pages) > 10
    for uri, page in pages.items():
        (here,) = re.findall(r'aria-current="true"><span class="dp-versions__version">([\d.]+)', page.sidebar)
        assert here == (uri.split("/")[1] if re.match(r"reference/\d+\.", uri) else "3.0.0"), uri
        assert page.styles == ("assets/devportal/switcher.css", "assets/devportal/versions.css")


def test_pages_of_earlier_releases_stand_back(project: Project) -> None:
    """Search, sitemap and `llms.txt` leave them out; search engines list the present page, if any."""
    pages = project.pages()
    there, gone = (
        pages["reference/2.0.0/parcels/list-parcels.md"],
        pages["reference/1.1.0/parcels/list-lost.md"],
    )

    assert (there.search, there.is_listed, there.canonical) == (
        (),
        False,
        "reference/parcels/find-parcels.md",
    )
    assert (gone.search, gone.is_listed, gone.canonical) == ((), False, "")
    assert there.title == "Do list-parcels (2.0.0)"
    present = pages["reference/parcels/find-parcels.md"]
    assert (present.is_listed, present.canonical) == (True, "")
    assert present.search
    assert "This is release" not in present.body


def test_when_something_went_is_told(project: Project) -> None:
    """By the first release without it, also where that has no page of its own."""
    project.set(versions=("1.0.0",))
    page = project.pages()["reference/1.0.0/parcels/list-lost.md"]

    assert "This operation is not in 3.0.0, the newest: it was removed in 2.0.0. See" in page.body
    assert "it was removed in 2.0.0. See [Parcels](../../parcels/index.md) there." in page.markdown


def test_what_goes_next_is_told(project: Project) -> None:
    """The newest release still has it, and the contract that comes after has not."""
    del project.working["paths"][FOUND]
    page = project.pages()["reference/2.0.0/parcels/list-found.md"]

    assert "it was removed, which is not released yet. See" in page.body


def test_a_successor_is_nearest(folder: Path) -> None:
    """What is deprecated and gone leads to what takes its place."""
    old = operation("list-lost", deprecated=True, **{"x-successor": "list-found"})
    project = Project(folder, releases=(contract("1.0.0", {LOST: {"get": old}, FOUND: "list-found"}),))
    page = project.pages()["reference/1.0.0/parcels/list-lost.md"]

    assert 'See <a href="../../../parcels/list-found/">Do list-found</a> there.' in page.body


def test_releases_lead_to_their_reference(project: Project) -> None:
    """Those that have one, on the page of all releases."""
    (project.inputs.root / "changelog").mkdir()
    project.set(changelog=project.inputs.root / "changelog", feed=False)
    body = project.pages()["changelog/releases.md"].body

    assert re.findall(r'href="([^"]*)">Reference of ([\d.]+)<', body) == [
        ("../../reference/2.0.0/", "2.0.0"),
        ("../../reference/1.1.0/", "1.1.0"),
    ]


def test_renames_are_followed(project: Project) -> None:
    """What the file of redirects says of names holds for releases too."""
    redirects = project.inputs.root / "redirects.yaml"
    redirects.write_text("operations: {list-lost: list-found}\n", encoding="utf-8")
    project.set(redirects=redirects, versions=("1.0.0",))
    pages = project.pages()

    assert switcher_links(pages["reference/1.0.0/parcels/list-lost.md"].sidebar)["3.0.0"] == (
        "../../../parcels/list-found/"
    )
    assert (
        switcher_links(pages["reference/parcels/list-found.md"].sidebar)["1.0.0"]
        == "../../1.0.0/parcels/list-lost/"
    )


def test_nothing_is_rendered_twice(project: Project) -> None:
    """A frozen contract is rendered once; so it stays where words of the present one change."""
    first = project.pages()
    again = project.render()
    project.working["paths"][FOUND]["get"]["description"] = "Something else is said."
    edited = project.render()

    assert again.rendered == 0
    assert 0 < edited.rendered < sum(not re.match(r"reference/\d", uri) for uri in first)
    assert {uri for uri, page in project.pages().items() if first[uri] != page} == {
        "reference/parcels/list-found.md"
    }


def test_what_others_lead_to_is_brought_up_to_date(project: Project, tmp_path: Path) -> None:
    """A build that follows another leaves the pages of a fresh one."""
    project.render()
    project.working = contract("3.1.0", {PARCELS: "seek-parcels", LOST: "list-lost"})
    again = project.pages()
    (tmp_path / "fresh").mkdir()
    fresh = Project(tmp_path / "fresh")
    fresh.working = project.working

    assert again == fresh.pages()


def test_editions_come_and_go_with_the_setting(project: Project) -> None:
    """All of them, none of them, and back."""
    found = []
    for setting in ("all", "none", "majors", ("1.0.0",)):
        project.set(versions=setting)
        found.append(earlier_versions(project.render()))

    assert found == [["2.0.0", "1.1.0", "1.0.0"], [], ["2.0.0", "1.1.0"], ["1.0.0"]]


def test_without_editions_there_is_no_switcher(project: Project) -> None:
    """No page speaks of releases that none leads to."""
    project.set(versions="none")

    assert not any("dp-versions" in page.sidebar or page.styles for page in project.pages().values())


def test_a_version_that_was_not_released_is_told(project: Project) -> None:
    """Before anything is rendered."""
    project.set(versions=("1.2.0",))

    with pytest.raises(InvalidSettings, match="which was not released: released are"):
        project.render()


def test_a_wrong_setting_is_told_where_it_is_made(folder: Path) -> None:
    """By its name, with what it says and what it may say."""
    config = write_project(folder, plugin={"versions": "newest"})

    with pytest.raises(InvalidSettings, match="'versions' is 'newest'") as caught:
        built_project(config, folder / "site")
    assert "majors, all, none" in str(caught.value)


def test_titles_are_no_markup(folder: Path) -> None:
    """What a contract calls things stands in the notice and in the switcher as it is."""
    named = "A <b>[group](x)\n# of parcels"
    old = contract("1.0.0", {LOST: {"get": {**operation("list-lost"), "tags": [named]}}})
    project = Project(folder, releases=(old,))
    project.working = contract("2.0.0", {FOUND: {"get": {**operation("list-found"), "tags": [named]}}})
    page = next(page for uri, page in project.pages().items() if uri.endswith("/list-lost.md"))

    assert ">A &lt;b&gt;[group](x) # of parcels</a> there." in page.body
    assert "<b>" not in page.sidebar
    notice = page.markdown.split("\n\n")[1]
    assert "\n" not in notice
    assert "[A &lt;b>\\[group\\](x) # of parcels](" in notice


def test_a_release_that_cannot_be_read_is_told_once(project: Project) -> None:
    """With its file; the others are there."""
    (project.inputs.root / "releases" / "2.0.0.yaml").write_text("openapi: [", encoding="utf-8")
    portal = project.render()

    told = [finding for finding in portal.material.findings if finding.rule == "release-unreadable"]
    assert [finding.place.file.rpartition("/")[2] for finding in told] == ["2.0.0.yaml"]
    assert earlier_versions(portal) == ["1.1.0"]


def test_a_check_tells_of_a_release_what_a_build_does(folder: Path) -> None:
    """Also without a changelog, and without a record of what was released."""
    config = write_project(folder)
    (folder / "releases").mkdir()
    (folder / "releases" / "1.0.0.yaml").write_text("openapi: [", encoding="utf-8")

    built, told = built_project(config, folder / "site").findings, check_project(config).all_findings()

    assert [(finding.rule, finding.place.file) for finding in told] == [
        ("release-unreadable", "releases/1.0.0.yaml")
    ]
    assert built == told


def test_a_stranger_among_releases_is_told(folder: Path) -> None:
    """By check and build alike; a folder without any release is called `releases` by chance."""
    config = write_project(folder)
    (folder / "releases").mkdir()
    (folder / "releases" / "notes.txt").write_text("x", encoding="utf-8")
    assert check_project(config).all_findings() == ()
    (folder / "releases" / "1.0.0.yaml").write_text(to_yaml(contract("1.0.0", {})), encoding="utf-8")

    built, told = built_project(config, folder / "site").findings, check_project(config).all_findings()

    assert [(finding.rule, finding.place.file) for finding in told] == [
        ("release-file", "releases/notes.txt")
    ]
    assert built == told


def test_who_cuts_an_address_short_comes_to_the_events(folder: Path) -> None:
    """The folder of events is no page, of earlier releases neither."""
    first = {**RELEASES[0], "webhooks": {"parcel.lost": {"post": operation("lost")}}}
    portal = Project(folder, releases=(first,)).render()

    assert "reference/1.0.0/events/index.html" in {artefact.uri for artefact in portal.artefacts}
