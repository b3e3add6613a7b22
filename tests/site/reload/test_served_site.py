"""A build of a served site after an edit: what it leaves as it is must be what a new build would make."""

import os
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import MkDocsException
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page as SitePage

from devportal.contract import Contract
from devportal.contract.read.files import ReadDocument
from devportal.project.inputs import Inputs, load_project_contract
from devportal.site.cache.spooled_files import LARGE_BYTES
from devportal.site.commands.live_server import SiteBuilder, building
from devportal.site.project_file import plugin_of
from devportal.site.served_sandbox import SANDBOX_URL
from tests.site.building import CONTRACT, DAY, built_project, contents, write_contract, write_project
from tests.site.leaks.written import write_records

ADDRESS = "127.0.0.1:8000"
ENTRY = """\
---
id: 2026-06-15-parcels
title: Find a parcel
date: 2026-06-15
apis: [Parcels]
impact: additive
kind: added
action_required: false
audience: [rest]
---

## What changed

Parcels can be found.

## Who is affected

Nobody.

## Migration

Nothing to do.

## Timeline

Now.
"""
MODULE = '''"""A module."""


def weigh(parcel: str) -> float:
    """Return the weight of a parcel."""
    return float(len(parcel))
'''

Edit = Callable[[Path], object]


def project_in(folder: Path, **settings: Any) -> Path:
    """Write a project with some pages, a file beside them and a changelog; return its `mkdocs.yml`."""
    config = write_project(folder, plugin={"changelog": "changelog"}, **settings)
    info = {
        **CONTRACT["info"],
        "description": "Where parcels are.\n\n" * (LARGE_BYTES // 16),
    }  # such files wait on disk
    write_contract(folder / "openapi.yaml", {**CONTRACT, "info": info})
    texts = {
        "index.md": "# Welcome\n\n[Reference](reference/index.md)\n",
        "one.md": "# One\n\nText of one, and [two](two.md#more).\n\n<!-- devportal: operations Parcels -->\n",
        "two.md": "---\ndescription: The second\n---\n\n# Two\n\nText.\n\n## More\n\nMore.\n",
        "three/deep.md": "# Deep\n\nSee [one](../one.md) and https://api.example.com/v1.\n",
        "picture.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
    }
    for name, text in texts.items():
        write(folder / "docs" / name, text)
    write(folder / "changelog" / "2026-06-15-parcels.md", ENTRY)
    return config


def write(file: Path, text: str) -> None:
    """Write a file, and its folders if they are missing."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def replace(name: str, old: str, new: str) -> Edit:
    """Return an edit of a file of a project."""

    def edit(folder: Path) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        write(folder / name, text.replace(old, new, 1))

    return edit


def contract_with(change: Callable[[dict[str, Any]], object]) -> Edit:
    """Return an edit of the contract of a project."""

    def edit(folder: Path) -> None:
        document = yaml.safe_load((folder / "openapi.yaml").read_text(encoding="utf-8"))
        change(document)
        write_contract(folder / "openapi.yaml", document)

    return edit


def operation_of(document: dict[str, Any]) -> dict[str, Any]:
    """Return the one operation of the contract."""
    operation: dict[str, Any] = document["paths"]["/parcels/{id}"]["get"]
    return operation


EDITS: Mapping[str, Edit] = {
    "setting": replace("mkdocs.yml", "site_name: Parcels", "site_name: Crates"),
    "title of the contract": contract_with(lambda document: document["info"].update(title="Crate Tracking")),
    "operation": contract_with(
        lambda document: (
            document["paths"].update({"/crates/{id}": document["paths"]["/parcels/{id}"]})
            or document["paths"]["/crates/{id}"]["get"].update(operationId="getCrate", summary="Find a crate")
        )
    ),
    "text": replace("docs/one.md", "Text of one", "Another text of one"),
    "title": replace("docs/two.md", "# Two", "# Second"),
    "skill": replace(
        "docs/two.md", "description: The second", "description: The second\nskill: second-steps"
    ),
    "front matter": replace("docs/two.md", "The second", "Another second"),
    "heading": replace("docs/two.md", "## More", "## Less"),
    "new page": lambda folder: write(folder / "docs" / "four.md", "# Four\n\n[One](one.md)\n"),
    "removed page": lambda folder: (folder / "docs" / "three" / "deep.md").unlink(),
    "moved page": lambda folder: (folder / "docs" / "two.md").rename(folder / "docs" / "second.md"),
    "file": replace("docs/picture.svg", "/>", "><title>New</title></svg>"),
    "removed file": lambda folder: (folder / "docs" / "picture.svg").unlink(),
    "insert": contract_with(lambda document: operation_of(document).update(summary="Look for a parcel")),
    "description": contract_with(lambda document: operation_of(document).update(description="It is found.")),
    "entry": replace("changelog/2026-06-15-parcels.md", "Parcels can", "Crates can"),
    "nothing": lambda _: None,
}
"""Those that change all pages come first: they would put right what an earlier one had left wrong."""


def write_to(name: str, text: str) -> Edit:
    """Return an edit that writes a file of a project."""
    return lambda folder: write(folder / name, text)


def remove(name: str) -> Edit:
    """Return an edit that removes a file of a project."""
    return lambda folder: (folder / name).unlink()


def in_one_save(*edits: Edit) -> Edit:
    """Return several edits as one."""

    def edit(folder: Path) -> None:
        for each in edits:
            each(folder)

    return edit


def set_time(name: str) -> Edit:
    """Return an edit that gives a file an old time, as `cp -p` does."""
    return lambda folder: os.utime(folder / name, (1, 1))


ICON_SHEET = "docs/assets/stylesheets/own.css"
TOKENS = "docs/assets/devportal/tokens.css"
LOGO = '<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>'
IN_TWO_FILES = contract_with(
    lambda document: operation_of(document)["responses"].update({"404": {"$ref": "./missing.yaml"}})
)
SERIES: Mapping[str, tuple[Edit, ...]] = {
    "page where a file is": (write_to("docs/foo/index.html", "<p>"), write_to("docs/foo.md", "# Foo\n")),
    "file where a page is": (write_to("docs/foo.md", "# Foo\n"), write_to("docs/foo/index.html", "<p>")),
    "file is not a page any more": (
        in_one_save(write_to("docs/foo/index.html", "<p>"), write_to("docs/foo.md", "# Foo\n")),
        remove("docs/foo.md"),
    ),
    "file where a page has a folder": (
        write_to("docs/LICENSE.md", "# License\n"),
        in_one_save(remove("docs/LICENSE.md"), write_to("docs/LICENSE", "License")),
    ),
    "older file": (in_one_save(write_to("docs/picture.svg", "<svg/>"), set_time("docs/picture.svg")),),
    "file with the same size and time": (
        set_time("docs/picture.svg"),
        in_one_save(replace("docs/picture.svg", "svg", "SVG"), set_time("docs/picture.svg")),
    ),
    "file that an editor locks": (
        lambda folder: (folder / "docs" / ".#picture.svg").symlink_to("me@host.1:2"),
    ),
    "style sheet in the place of ours": (
        write_to(TOKENS, "a{color:red}"),
        write_to(TOKENS, "a{color:green}"),
        remove(TOKENS),
    ),
    "icon of a style sheet": (
        write_to(ICON_SHEET, "a{background:url('data:image/svg+xml;charset=utf-8,<svg/>')}"),
        write_to(ICON_SHEET, "a{}"),
    ),
    "other kind of logo": (
        in_one_save(
            write_to("logo.svg", LOGO),
            write_to("logo.gif", "GIF89a"),
            contract_with(lambda document: document["info"].update({"x-logo": {"url": "logo.svg"}})),
        ),
        replace("openapi.yaml", "logo.svg", "logo.gif"),
    ),
    "logo that appears": (
        contract_with(lambda document: document["info"].update({"x-logo": {"url": "logo.svg"}})),
        write_to("logo.svg", LOGO),
    ),
    "file of the contract that appears": (IN_TWO_FILES, write_to("missing.yaml", "description: Gone\n")),
    "file of the contract that goes": (
        in_one_save(write_to("missing.yaml", "description: Gone\n"), IN_TWO_FILES),
        remove("missing.yaml"),
        write_to("missing.yaml", "description: Gone\n"),
    ),
    "README.md and index.md": (
        write_to("docs/sub/README.md", "# Read\n"),
        write_to("docs/sub/index.md", "# Index\n"),
        remove("docs/sub/index.md"),
    ),
    "front matter that comes and goes": (
        replace(
            "docs/two.md", "description", "hide: [toc]\nsearch: {exclude: true}\nskill: two\ndescription"
        ),
        replace("docs/two.md", "hide: [toc]\nsearch: {exclude: true}\nskill: two\n", ""),
    ),
    "broken contract": (
        replace("openapi.yaml", "operationId: getParcel", "operationId: 5"),
        replace("openapi.yaml", "operationId: 5", "operationId: getParcel"),
    ),
}


@pytest.fixture(autouse=True)
def day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have all builds of a test on one day."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", DAY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reload:
    """The files of a served site after its last build, what that one has written, and what a new site holds."""

    served: Mapping[str, bytes]
    written: frozenset[str]
    fresh: Mapping[str, bytes]

    @property
    def differences(self) -> list[str]:
        """Return the names of the files that are not the same."""
        names = sorted({*self.served, *self.fresh})
        return [name for name in names if self.served.get(name) != self.fresh.get(name)]


def reload_after(
    config: Path, *edits: Edit, build: Callable[[SiteBuilder], None] = SiteBuilder.__call__
) -> Reload:
    """Build a site to be served, again after each edit, and once as if it were new."""
    folder = config.parent
    site, fresh = folder / "served", folder / "fresh"
    with building(config, site, address=ADDRESS) as builder:
        builder()
        for edit in edits:
            times = {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file()}
            edit(folder)
            build(builder)
        written = {
            path for path in site.rglob("*") if path.is_file() and times.get(path) != path.stat().st_mtime_ns
        }
    with building(config, fresh, address=ADDRESS) as builder:
        builder()
    return Reload(
        served=contents(site),
        written=frozenset(path.relative_to(site).as_posix() for path in written),
        fresh=contents(fresh),
    )


def test_a_served_site_is_what_a_new_one_would_be_after_all_edits(tmp_path: Path) -> None:
    """Each file is, byte for byte, and there is no other, after all of these edits, one after another."""
    assert reload_after(project_in(tmp_path), *EDITS.values()).differences == []


@pytest.mark.deep
@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_a_served_site_is_what_a_new_one_would_be(edit: Edit, tmp_path: Path) -> None:
    """So it is after each edit alone, and one more of a page."""
    again = replace("docs/index.md", "# Welcome", "# Hello")

    assert reload_after(project_in(tmp_path), edit, again).differences == []


FAST_SERIES = frozenset(
    {
        "page where a file is",
        "file of the contract that goes",
    }
)
"""The series that are tried each time: one of each kind."""


def deep_unless(fast: Set[str], series: Mapping[str, tuple[Edit, ...]]) -> list[Any]:
    """Return series of edits as parameters of a test, by their names; those that are not fast are deep."""
    return [
        pytest.param(edits, id=name, marks=() if name in fast else pytest.mark.deep)
        for name, edits in series.items()
    ]


@pytest.mark.parametrize("edits", deep_unless(FAST_SERIES, SERIES))
def test_so_it_is_after_a_series_of_edits(edits: tuple[Edit, ...], tmp_path: Path) -> None:
    """What an edit makes, the next one may take away, or put into another place; then only a text is edited."""
    text = replace("docs/index.md", "[Reference]", "See [Reference]")

    assert reload_after(project_in(tmp_path), *edits, text).differences == []


def test_pages_are_rendered_again_if_their_links_lead_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that comes or goes changes only the pages that link to it, or would if it were there."""
    rendered: list[str] = []
    render = SitePage.render

    def note(page: SitePage, config: MkDocsConfig, files: Files) -> None:
        rendered.append(page.file.src_uri)
        render(page, config, files)

    monkeypatch.setattr(SitePage, "render", note)
    by_edit = []
    with building(project_in(tmp_path), tmp_path / "served", address=ADDRESS) as builder:
        builder()
        for edit in (EDITS["new page"], remove("docs/four.md"), EDITS["moved page"]):
            rendered.clear()
            edit(tmp_path)
            builder()
            by_edit.append(
                {*rendered} & {"index.md", "one.md", "two.md", "second.md", "three/deep.md", "four.md"}
            )

    assert by_edit == [{"four.md"}, set(), {"one.md", "second.md"}]


def test_templates_of_the_project_are_filled_each_time(tmp_path: Path) -> None:
    """One that says nothing this time leaves the file as it was copied."""
    config = project_in(tmp_path, extra_templates=["titles.txt"])
    write(tmp_path / "docs" / "titles.txt", "{% if nav.pages[2].title == 'Two' %}Two{% endif %}")

    made = reload_after(config, EDITS["title"])

    assert made.differences == []
    assert b"endif" in made.served["titles.txt"]


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"strict": True, "markdown_extensions": ["footnotes"]}, marks=pytest.mark.deep),
        {"markdown_extensions": ["pymdownx.snippets", "attr_list"]},
        {"markdown_extensions": [{"toc": {"permalink": True}}, "footnotes", "pymdownx.superfences"]},
        {"hooks": ["hook.py"]},
        {"theme": {"name": "material", "custom_dir": "overrides"}},
        pytest.param({"draft_docs": "two.md"}, marks=pytest.mark.deep),
    ],
    ids=str,
)
def test_other_projects_are_served_as_they_are_built(settings: dict[str, Any], tmp_path: Path) -> None:
    """Where plug-ins, hooks, extensions or templates may read anything, every page is made again."""
    (tmp_path / "overrides").mkdir()
    write(tmp_path / "overrides" / "main.html", '{% extends "base.html" %}')
    write(tmp_path / "part.md", "A part.\n")
    write(
        tmp_path / "hook.py",
        "from pathlib import Path\n"
        "def on_page_markdown(markdown, **_):\n"
        "    return markdown + (Path(__file__).parent / 'part.md').read_text()\n",
    )
    config = project_in(tmp_path, **settings)
    write(
        tmp_path / "docs" / "one.md",
        f'# One\n\nText of one[^1].\n\n--8<-- "{tmp_path}/part.md"\n\n[^1]: Note.\n',
    )
    outside = replace("part.md", "A part", "Another part")

    assert reload_after(config, EDITS["text"], outside, EDITS["description"]).differences == []


@pytest.mark.deep
def test_slugs_of_extensions_are_familiar(tmp_path: Path) -> None:
    """Projects name a `slugify` with arguments, as the theme's documentation advises: their pages are kept too."""
    config = project_in(tmp_path)
    slugs = "!!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}"
    write(config, f"{config.read_text(encoding='utf-8')}markdown_extensions:\n- toc: {{slugify: {slugs}}}\n")

    made = reload_after(config, EDITS["text"])

    assert made.differences == []
    assert "two/index.html" not in made.written


def test_after_a_failed_build_everything_is_made_again(tmp_path: Path) -> None:
    """A build that fails leaves a folder of which nothing is known."""
    ruined = replace("openapi.yaml", "openapi:", "openapi: [")
    repaired = replace("openapi.yaml", "openapi: [", "openapi:")
    problems = []

    def build(builder: SiteBuilder) -> None:
        try:
            builder()
        except MkDocsException as error:
            problems.append(str(error))

    made = reload_after(project_in(tmp_path), EDITS["text"], ruined, EDITS["title"], repaired, build=build)

    assert len(problems) == 2
    assert made.differences == []


def project_of_modules(folder: Path, **mkdocstrings: Any) -> Path:
    """Write a project with a page of a Python module; return its `mkdocs.yml`."""
    settings = {"handlers": {"python": {"paths": ["src"]}}, **mkdocstrings}
    config = project_in(
        folder, plugins=["search", {"mkdocstrings": settings}, {"devportal": {"contract": "openapi.yaml"}}]
    )
    write(folder / "src" / "scales.py", MODULE)
    write(folder / "docs" / "modules.md", "# Modules\n\n::: scales\n")
    return config


def test_pages_of_python_modules_follow_links(tmp_path: Path) -> None:
    """What mkdocstrings has registered on a page that is kept can be linked to from any other."""
    pytest.importorskip("mkdocstrings")
    config = project_of_modules(tmp_path)
    link = replace("docs/two.md", "More.", "More, by [weighing][scales.weigh].")

    made = reload_after(config, link, EDITS["text"])

    assert made.differences == []
    assert b'href="../modules/#scales.weigh"' in made.served["two/index.html"]
    assert "modules/index.html" not in made.written


@pytest.mark.parametrize(
    "settings",
    [
        {},
        pytest.param({"handlers": {"python": {"paths": ["s*"]}}}, marks=pytest.mark.deep),
        pytest.param({"handlers": {"python": {"paths": ["docs"]}}}, marks=pytest.mark.deep),
        {"handlers": {"python": {"paths": ["src"], "options": {"extensions": ["dataclasses"]}}}},
    ],
    ids=str,
)
def test_pages_of_python_modules_follow_modules(
    settings: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever they are found: below a path or pattern of the settings, or on the path of Python."""
    pytest.importorskip("mkdocstrings")
    monkeypatch.syspath_prepend(str(tmp_path / "src"))
    config = project_of_modules(tmp_path, **settings)
    (tmp_path / "src" / ".#scales.py").symlink_to("me@host.1:2")  # as an editor locks a file
    change = replace("src/scales.py", "Return the weight", "Return how heavy it is: the weight")

    made = reload_after(config, change)

    assert made.differences == []
    assert b"how heavy" in made.served["modules/index.html"]


@pytest.mark.deep
def test_pages_of_python_modules_follow_templates(tmp_path: Path) -> None:
    """A project may have some in the place of those of mkdocstrings."""
    pytest.importorskip("mkdocstrings")
    template = "templates/python/material/docstring.html.jinja"
    write(tmp_path / template, "Before")
    config = project_of_modules(tmp_path, custom_templates="templates")

    assert reload_after(config, write_to(template, "After!")).differences == []


def test_what_is_edited_during_a_build_is_read_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The contract is saved once more when it has just been read: then it has other times than what was read."""

    def load_then_edit(inputs: Inputs, read: ReadDocument) -> Contract:
        contract = load_project_contract(inputs, read)
        if contract.api.title == "First":
            contract_with(lambda document: document["info"].update(title="Second"))(inputs.root)
        return contract

    monkeypatch.setattr("devportal.site.load_inputs.load_project_contract", load_then_edit)
    first = contract_with(lambda document: document["info"].update(title="First"))

    made = reload_after(project_in(tmp_path), first, EDITS["nothing"])

    assert made.differences == []
    assert b"Second" in made.served["llms.txt"]


@pytest.mark.deep
def test_an_address_that_is_no_longer_replaced_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the contract names another address of its sandbox, pages and files show what they say themselves."""
    monkeypatch.setenv(SANDBOX_URL, "http://127.0.0.1:9000")
    config = project_in(tmp_path)
    write(tmp_path / "docs" / "addresses.json", '["https://api.example.com/v1"]')
    write_contract(tmp_path / "openapi.yaml", {**CONTRACT, "servers": [{"url": "https://api.example.com"}]})

    made = reload_after(config, replace("openapi.yaml", "api.example.com", "api.example.org"), EDITS["text"])

    assert made.differences == []
    assert b"api.example.com" in made.served["addresses.json"]


@pytest.mark.deep
def test_only_served_pages_name_the_sandbox_beside_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build in the same process, for which MkDocs keeps the plugin, has the addresses of the contract."""
    server = {"url": "https://sandbox.example.com", "x-sandbox": True}
    config = project_in(tmp_path, site_url="https://developers.example.com/")
    write_contract(tmp_path / "openapi.yaml", {**CONTRACT, "servers": [server]})
    monkeypatch.setenv(SANDBOX_URL, "http://127.0.0.1:9000")

    made = reload_after(config, EDITS["nothing"], EDITS["text"])
    built_project(config, tmp_path / "built")

    served, built = made.served["openapi.yaml"], contents(tmp_path / "built")["openapi.yaml"]
    assert (b"127.0.0.1:9000" in served, b"sandbox.example.com" in served) == (True, False)
    assert (b"127.0.0.1:9000" in built, b"sandbox.example.com" in built) == (False, True)


def test_leaks_are_those_of_all_files(tmp_path: Path) -> None:
    """A file that a build leaves alone keeps its leaks; one that is written again is searched."""
    config = write_project(tmp_path, plugin={"records": "data"})
    write_records(tmp_path / "data")
    write(tmp_path / "docs" / "prices.md", "# Prices\n\nAsk us.\n")
    leaks: list[set[str]] = []

    with building(config, tmp_path / "served", address=ADDRESS) as builder:
        for edit in (
            EDITS["nothing"],
            replace("docs/prices.md", "Ask us", "In the United Kingdom it will be 0.03771 EUR for a segment"),
            replace("docs/index.md", "# Welcome", "# Hello"),
            replace("docs/prices.md", "0.03771 EUR", "nothing"),
        ):
            edit(tmp_path)
            builder()
            findings = plugin_of(builder.first_config).findings
            leaks.append({finding.place.file for finding in findings if finding.rule == "leak"})

    assert [("prices/index.html" in files, "index.html" in files) for files in leaks] == [
        (False, False),
        (True, False),
        (True, False),
        (False, False),
    ]


def test_a_message_about_a_page_is_logged_at_each_build(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A page of which MkDocs has something to say is not kept: it would say it only once."""
    config = project_in(tmp_path)
    write(tmp_path / "docs" / "two.md", "# Two\n\n[Nowhere](nowhere.md)\n")

    reload_after(config, EDITS["text"], replace("docs/one.md", "Another", "A third"))

    warnings = [record for record in caplog.records if "nowhere.md" in record.getMessage()]
    assert len(warnings) == 4  # three builds of the served site, and that of the new one


def test_only_what_shows_an_edit_is_written(tmp_path: Path) -> None:
    """That is the page, its twin, and the files of the site that hold all pages."""
    made = reload_after(project_in(tmp_path), EDITS["text"])

    assert made.differences == []
    assert {"one/index.html", "one.md", "llms-full.txt"} <= made.written
    assert made.written <= {
        "one/index.html",
        "one.md",
        "404.html",
        "llms-full.txt",
        "llms.txt",
        "search/search_index.json",
        "sitemap.xml",
        "sitemap.xml.gz",
        ".well-known/agent-skills/index.json",
        ".well-known/agent-skills/parcel-tracking/SKILL.md",
    }
