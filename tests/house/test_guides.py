"""Every page with steps is walked as a reader would walk it: its own code, against a sandbox."""

import json
import os
import shlex
import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from devportal.contract import load_contract
from devportal.reference.samples import LANGUAGES
from devportal.reference.samples.sample_requests import sample_requests
from tests.walks.guide import Run, Skip, read_guide
from tests.walks.walk import walk

from .repository import ROOT

DOCS = ROOT / "docs"
PAGES = sorted(
    path.relative_to(DOCS).as_posix()
    for path in (DOCS / "index.md", *DOCS.glob("guides/*.md"), *DOCS.glob("products/*.md"))
)
IN_A_ROW = tuple(
    f"guides/{name}.md" for name in ("get-started", "messages", "webhooks", "receipts", "event-log")
)
"""Those that send or receive events."""
INTERPRETERS = ("go", "node", "php")
ONLY_DEEP = ("go",)
"""Those that are installed for the deep tier alone."""


def source(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def interpreters(page: str) -> tuple[str, ...]:
    """Return the interpreters that the commands of a page need."""
    commands = "\n".join(step.commands for step in read_guide(source(page)) if isinstance(step, Run))
    return tuple(name for name in INTERPRETERS if f"{name} " in commands)


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.deep] if set(ONLY_DEEP) & set(interpreters(page)) else [])
        for page in PAGES
    ],
)
def test_the_page_does_what_it_says(page: str, tmp_path: Path) -> None:
    """Each command runs, and prints what the page shows."""
    need_interpreters(page)

    walk(f"docs/{page}", source(page), tmp_path)


def test_home_sends_what_the_reference_shows() -> None:
    """The first request of a reader is the first sample of the operation: address, headers and body."""
    api = load_contract(ROOT / "openapi/openapi.yaml").api
    (operation,) = (operation for operation in api.operations if operation.id == "sendMessage")
    sample = sample_requests(api, operation)[0].request

    (shown,) = (step.commands for step in read_guide(source("index.md")) if isinstance(step, Run))

    assert request_of(shown) == request_of(LANGUAGES[0].write(sample))


def request_of(command: str) -> tuple[str, set[str], object]:
    """Return address, headers and JSON body of a curl command."""
    words = shlex.split(command)
    values = {option: value for option, value in pairwise(words) if option.startswith("--data")}
    headers = {value for option, value in pairwise(words) if option == "--header"}
    (address,) = (word for word in words if word.startswith("http"))
    return address, headers, json.loads(*values.values())


def test_skills_are_guides_whose_steps_are_walked() -> None:
    """An agent runs what a skill says, so each of its commands has run here."""
    skills = {
        path.relative_to(DOCS).as_posix()
        for path in DOCS.rglob("*.md")
        if path.read_text(encoding="utf-8").startswith("---\nskill: ")
    }

    assert len(skills) >= 4
    assert skills <= set(PAGES)
    assert all(any(isinstance(step, Run) for step in read_guide(source(page))) for page in skills)


@pytest.mark.deep
def test_guides_can_be_followed_one_after_the_other(tmp_path: Path) -> None:
    """One start of the sandbox and one terminal serve all guides that need no sandbox of their own.

    So no guide leaves a program at a port, an endpoint or a setting that the next one stumbles over.
    """
    for page in IN_A_ROW:
        need_interpreters(page)

    walk("guides in a row", "\n".join(map(source, IN_A_ROW)), tmp_path)


def test_the_index_leads_to_every_guide() -> None:
    """A guide that nobody can find is not read."""
    index = source("guides/index.md")
    guides = {path.name for path in DOCS.glob("guides/*.md")} - {"index.md"}

    assert {name for name in guides if f"]({name})" not in index} == set()


def need_interpreters(page: str) -> None:
    """Skip where a language of the page is not installed; fail where a verdict is wanted."""
    missing = [name for name in interpreters(page) if shutil.which(name) is None]
    if missing and os.environ.get("CI"):
        pytest.fail(f"not installed: {missing}")
    if missing:
        pytest.skip(f"not installed: {missing}")


def test_what_is_not_run_is_known(golden: Callable[[str, str], None]) -> None:
    """The blocks that no test runs are few, and each has a reason."""
    lines = [
        f"{page}: {step.text.splitlines()[0]}\n  {step.reason}\n"
        for page in PAGES
        for step in read_guide(source(page))
        if isinstance(step, Skip)
    ]

    golden("guides/not-run.txt", "".join(lines) or "Every block is run.\n")
