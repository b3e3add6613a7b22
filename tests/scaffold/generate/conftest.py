"""A portal with a page of every kind, generated once, and the sites that are built of it."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from devportal.site.commands.build import build_project
from tests.scaffold.desk import contract, init, run, write_contract
from tests.site.building import DAY, environment

GUIDE = """\
---
description: Where parcels are.
scripts: assets/own.js
---

# Where parcels are

They go through these states, see [the first request](first-request.md#send-the-request):

<!-- devportal: state-machine ParcelStatus -->

| {one} | two |
|---|---|
| a | `b` |

<!-- devportal: operations "Parcels & bags" -->
"""
STATES = {
    "type": "string",
    "enum": ["packed", "sent"],
    "x-state-machine": {
        "initial": ["packed"],
        "transitions": [{"from": "packed", "to": "sent", "on": "a van"}],
    },
}
TITLE = "Parcels & bags"


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """A project, its site as MkDocs and the plugin build it, and its tree."""

    config_file: Path
    site: Path
    tree: Path


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Return a portal with guides, inserts, scripts, events, a changelog and an address."""
    folder = tmp_path_factory.mktemp("generating")
    with environment(SOURCE_DATE_EPOCH=DAY, XDG_CACHE_HOME=str(folder / "cache")):
        config_file = _project(folder)
        build_project(config_file, site_dir=folder / "site")
        made = run("generate", "-f", config_file, "--output", folder / "tree")
    assert made.exit_code == 0, made.output
    return Desk(config_file=config_file, site=folder / "site", tree=folder / "tree")


def _project(folder: Path) -> Path:
    data = contract(title=TITLE)
    data["components"]["schemas"] = {"ParcelStatus": STATES}
    portal = folder / "portal"
    init(portal, "--contract", write_contract(folder, data), "--site-url", "https://parcels.example/docs/")
    (portal / "docs/guides/parcels.md").write_text(GUIDE, encoding="utf-8")
    (portal / "docs/guides/more.markdown").write_text(
        "# More\n\nOf [parcels](parcels.md).\n", encoding="utf-8"
    )
    (portal / "docs/assets").mkdir()
    (portal / "docs/assets/own.js").write_text("export {};\n", encoding="utf-8")
    settings = portal / "mkdocs.yml"
    text = settings.read_text(encoding="utf-8")
    line = "      - Receive events: guides/events.md\n"
    settings.write_text(
        text.replace(line, f"{line}      - guides/parcels.md\n      - guides/more.markdown\n"),
        encoding="utf-8",
    )
    return settings


@pytest.fixture(scope="session")
def plain_site(desk: Desk) -> Path:
    """Return the site that MkDocs builds of the tree, without any plugin of ours, and that is finished."""
    site = desk.tree.parent / "plain"
    with environment(SOURCE_DATE_EPOCH=DAY, NO_MKDOCS_2_WARNING="1"):
        for command in (["-m", "mkdocs", "build", "--strict", "-q", "-d", site], ["finish.py", site]):
            done = subprocess.run(
                [sys.executable, *map(str, command)],
                cwd=desk.tree,
                capture_output=True,
                text=True,
                check=False,
            )
            assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return site
