"""Tests of hand-written pages whose Markdown other processes render."""

import logging
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from mkdocs.structure.pages import Page as SitePage

from devportal.errors import PortalError
from devportal.forked_task import ForkedTask, start_forked_task
from devportal.site.commands.build import build_project
from devportal.site.commands.live_server import building
from devportal.site.hand_written import background
from devportal.site.hand_written.background import MIN_PAGES
from devportal.site.project_file import plugin_of
from tests.site.building import contents, write_project

pytestmark = [
    pytest.mark.usefixtures("one_thread"),
    pytest.mark.skipif(sys.platform != "linux", reason="other systems render in one process"),
]

PAGES = 3 * MIN_PAGES
MODULE = '''
"""Weighs parcels."""

def weigh(parcel: str) -> float:
    """Return the weight of a parcel in grams."""
    return 1.0


class Scales:
    """A pair of scales."""

    def weigh(self) -> float:
        """Return the weight of what lies on them."""
        return 2.0
'''


@pytest.fixture
def rendered_here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the uris of the pages whose Markdown this process has rendered, filled by each build."""
    uris: list[str] = []
    render = SitePage.render

    def note(page: SitePage, *arguments: Any) -> None:
        uris.append(page.file.src_uri)
        render(page, *arguments)

    monkeypatch.setattr(SitePage, "render", note)
    return uris


def write_pages(folder: Path, **settings: Any) -> Path:
    """Write a project of many pages, some of Python modules; return its `mkdocs.yml`."""
    python = {"handlers": {"python": {"paths": ["src"]}}}
    plugins = ["search", {"mkdocstrings": python}, {"devportal": {"contract": "openapi.yaml"}}]
    config = write_project(
        folder, **{"plugins": plugins, "markdown_extensions": ["footnotes", "toc"], **settings}
    )
    (folder / "src").mkdir()
    (folder / "src" / "scales.py").write_text(MODULE, encoding="utf-8")
    for number in range(PAGES):
        text = f"# Page {number}\n\nNote.[^1] [Next](p{(number + 1) % PAGES}.md#more)\n\n## More\n\n[^1]: Of {number}."
        (folder / "docs" / f"p{number}.md").write_text(
            f"{text}\n\n<!-- devportal: operation getParcel -->\n", encoding="utf-8"
        )
    (folder / "docs" / "a.md").write_text(
        "# A\n\n::: scales.weigh\n\n[The scales][scales.Scales]\n", encoding="utf-8"
    )
    (folder / "docs" / "z.md").write_text("# Z\n\n::: scales\n", encoding="utf-8")
    return config


def test_site_is_the_same_with_any_number_of_processes(tmp_path: Path, rendered_here: list[str]) -> None:
    """Links between pages, to Python objects and in the inventory of these included."""
    pytest.importorskip("mkdocstrings")
    config = write_pages(tmp_path)
    sites, shares = [], []
    for processes in (1, 3):
        rendered_here.clear()
        build_project(config, site_dir=tmp_path / f"site{processes}", processes=processes)
        sites.append(contents(tmp_path / f"site{processes}"))
        shares.append(len(rendered_here))

    assert b"scales.Scales.weigh" in sites[0]["z/index.html"]
    assert sites[0] == sites[1]
    others = PAGES + 1  # with the home page
    assert shares == [others + 2, others // 2]


@pytest.mark.deep
def test_a_served_site_starts_no_process_for_pages_that_it_has(
    tmp_path: Path, rendered_here: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few of them have changed with an edit; another process would first have to be made."""
    pytest.importorskip("mkdocstrings")
    config = write_pages(tmp_path)
    shares: list[int] = []

    def start(task: partial[Any]) -> ForkedTask[Any] | None:
        shares.append(len(task.args[0]))
        return start_forked_task(task)

    monkeypatch.setattr(background, "start_forked_task", start)
    with building(config, tmp_path / "site", address="127.0.0.1:8000") as builder:
        plugin_of(builder.first_config).processes = 3
        builder()
        assert shares == [2, (PAGES + 1) // 2 + 1]  # of Python modules, and half of the others

        rendered_here.clear()
        page = tmp_path / "docs" / "p3.md"
        page.write_text(f"{page.read_text(encoding='utf-8')}\nMore.\n", encoding="utf-8")
        plugin_of(builder.first_config).wait()
        builder()

    assert len(shares) == 2
    assert rendered_here == ["p3.md"]


@pytest.mark.deep
def test_a_message_is_logged_once_and_in_its_turn(
    tmp_path: Path, rendered_here: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    """A page about which there is something to say is rendered again where that is heard."""
    config = write_pages(tmp_path, plugins=["search", {"devportal": {"contract": "openapi.yaml"}}])
    for name in ("p0", "p59", "p7"):
        page = tmp_path / "docs" / f"{name}.md"
        page.write_text(f"{page.read_text(encoding='utf-8')}\n[Nowhere](no-{name}.md)\n", encoding="utf-8")
    warnings, shares = [], []
    for processes in (1, 2):
        caplog.clear()
        rendered_here.clear()
        with caplog.at_level(logging.WARNING, logger="mkdocs"):
            built = build_project(config, site_dir=tmp_path / "site", processes=processes)
        warnings.append(built.warnings)
        shares.append(len(rendered_here))

    assert MIN_PAGES < shares[1] < shares[0] - MIN_PAGES
    assert [f"no-{name}.md" in text for name, text in zip(("p0", "p59", "p7"), warnings[0], strict=True)] == [
        True
    ] * 3
    assert warnings[0] == warnings[1]


def test_a_page_that_cannot_be_rendered_ends_the_build_as_always(tmp_path: Path) -> None:
    """With the same words."""
    pytest.importorskip("mkdocstrings")
    config = write_pages(tmp_path)
    (tmp_path / "docs" / "z.md").write_text("# Z\n\n::: no.such.module\n", encoding="utf-8")
    told = []
    for processes in (1, 2):
        with pytest.raises(PortalError) as stopped:
            build_project(config, site_dir=tmp_path / "site", processes=processes)
        told.append(str(stopped.value))

    assert "no.such.module" in told[0]
    assert told[0] == told[1]


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"hooks": ["hook.py"]}, id="hook"),
        pytest.param({"markdown_extensions": ["pymdownx.snippets"]}, id="extension", marks=pytest.mark.deep),
    ],
)
def test_pages_of_other_projects_are_rendered_here(
    settings: dict[str, Any], tmp_path: Path, rendered_here: list[str]
) -> None:
    """A hook or an extension that is not known may count pages, or remember what it has seen."""
    (tmp_path / "hook.py").write_text(
        "def on_page_markdown(markdown, **_):\n    return markdown\n", encoding="utf-8"
    )
    config = write_pages(
        tmp_path, plugins=["search", {"devportal": {"contract": "openapi.yaml"}}], **settings
    )

    build_project(config, site_dir=tmp_path / "site", processes=3)

    assert len(rendered_here) == PAGES + 3
