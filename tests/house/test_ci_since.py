"""Jobs for CI compare with what was published before: each event of a forge has a commit as its base."""

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.differ.output.repositories import git, repository, write
from tests.scaffold.desk import contract, init, write_contract

from .command_lines import blocks
from .repository import ROOT

RECIPES = (ROOT / "docs" / "toolkit" / "ci.md").read_text(encoding="utf-8")
ACTION = yaml.safe_load((ROOT / "actions" / "check" / "action.yml").read_text(encoding="utf-8"))
JOB = yaml.safe_load((ROOT / "actions" / "check" / "gitlab-ci.yml").read_text(encoding="utf-8"))[".check"]
OWN_WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
OWN_PIPELINE = yaml.safe_load((ROOT / ".gitlab-ci.yml").read_text(encoding="utf-8"))
NO_COMMIT = "0" * 40
STUBS = {
    "devportal": '[ "$1" != check ] || while [ $# -gt 0 ]; do [ "$1" != --since ] || echo "$2"; shift; done',
    "make": '[ "$1" != check ] || echo "${2#SINCE=}"',
}
"""Commands that print the revision that they were to compare with."""


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a portal that `init` has made."""
    folder = tmp_path_factory.mktemp("portal")
    init(folder / "portal", "--contract", write_contract(folder, contract()))
    return folder / "portal"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a clone with a branch merged into the newest `main`, as forges do it for a pull request."""
    origin = repository(tmp_path / "origin", {"a": "1"})
    git(origin, "checkout", "--quiet", "-b", "feature")
    commit(origin, "b")
    git(origin, "checkout", "--quiet", "main")
    commit(origin, "c")
    git(tmp_path, "clone", "--quiet", str(origin), "clone")
    folder = tmp_path / "clone"
    git(folder, "checkout", "--quiet", "--detach", "origin/main")
    git(folder, "merge", "--quiet", "--no-ff", "--message", "Merge", "origin/feature")
    return folder


def commit(folder: Path, name: str) -> None:
    """Commit a new file."""
    write(folder, {name: name})
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", f"Add {name}")


def commit_of(folder: Path, name: str) -> str:
    """Return the id of a commit."""
    ran = subprocess.run(["git", "rev-parse", name], cwd=folder, check=True, capture_output=True, text=True)
    return ran.stdout.strip()


def compared_revision(folder: Path, script: str, variables: Mapping[str, str]) -> str:
    """Return the revision that a script of a job has `devportal check` compare with."""
    programs = folder.parent / "programs"
    programs.mkdir()
    for name, text in STUBS.items():
        (programs / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    env = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", **variables}
    ran = subprocess.run(
        ["bash", "-e", "-c", script], cwd=folder, env=env, check=True, capture_output=True, text=True
    )
    return ran.stdout.strip()


def github_steps(portal: Path) -> dict[str, dict[str, Any]]:
    """Return the step that checks, of each template for GitHub."""
    made = yaml.safe_load((portal / ".github/workflows/portal.yml").read_text(encoding="utf-8"))
    recipes = [
        job for block in blocks(RECIPES, "yaml") for job in yaml.safe_load(block).get("jobs", {}).values()
    ]
    jobs = {
        "init": made["jobs"]["portal"]["steps"],
        "action": ACTION["runs"]["steps"],
        "recipe": next(job["steps"] for job in recipes if "check" in str(job["steps"])),
        "own": OWN_WORKFLOW["jobs"]["history"]["steps"],
    }
    return {
        name: next(step for step in steps if " check " in step.get("run", "")) for name, steps in jobs.items()
    }


def gitlab_jobs(portal: Path) -> dict[str, dict[str, Any]]:
    """Return the job of each template for GitLab."""
    recipes = [yaml.safe_load(block) for block in blocks(RECIPES, "yaml")]
    return {
        "init": yaml.safe_load((portal / ".gitlab-ci.yml").read_text(encoding="utf-8"))["portal"],
        "template": JOB,
        "recipe": next(recipe["portal"] for recipe in recipes if "portal" in recipe),
        "own": OWN_PIPELINE["history"],
    }


def evaluate(expression: str, event: Mapping[str, str]) -> str:
    """Evaluate an expression of `&&`, `||`, `==`, names and texts as GitHub does."""
    inner = expression.removeprefix("${{ ").removesuffix(" }}")
    for alternative in inner.split(" || "):
        *conditions, value = (part.strip() for part in alternative.split(" && "))
        if all(
            event.get(name, "") == text
            for name, text in (re.split(" == ", text) for text in map(_unquote, conditions))
        ):
            result = _unquote(value)
            result = event.get(result, "") if result == value else result
            if result:
                return result
    return ""


def _unquote(text: str) -> str:
    return text.replace("'", "")


@pytest.mark.parametrize("name", ["init", "action", "recipe", "own"])
@pytest.mark.parametrize(
    ("event", "base"),
    [
        ({"github.event_name": "pull_request"}, "HEAD^1"),
        ({"github.event_name": "push", "github.event.before": "main~1"}, "main~1"),
        ({"github.event_name": "push", "github.event.before": NO_COMMIT}, NO_COMMIT),
        ({"github.event_name": "schedule"}, "HEAD"),
    ],
    ids=["pull request", "push", "first push", "schedule"],
)
def test_github_compares_with_the_base(
    portal: Path, clone: Path, name: str, event: Mapping[str, str], base: str
) -> None:
    """With the branch as it is merged into, else with what was there before the push."""
    step = github_steps(portal)[name]
    asked = evaluate(step["env"]["SINCE"], event)

    assert compared_revision(clone, step["run"], {"SINCE": asked, "CONFIG_FILE": "mkdocs.yml"}) == base
    assert commit_of(clone, "HEAD^1") == commit_of(clone, "origin/main")


@pytest.mark.parametrize("name", ["init", "template", "recipe", "own"])
@pytest.mark.parametrize(
    ("variables", "base"),
    [
        ({"CI_COMMIT_BRANCH": "main", "CI_COMMIT_BEFORE_SHA": "main~1"}, "main~1"),
        ({"CI_COMMIT_BRANCH": "main", "CI_COMMIT_BEFORE_SHA": NO_COMMIT}, NO_COMMIT),
        ({"CI_COMMIT_BRANCH": "feature", "CI_COMMIT_BEFORE_SHA": NO_COMMIT}, "FETCH_HEAD"),
        ({"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_COMMIT_BEFORE_SHA": NO_COMMIT}, "FETCH_HEAD"),
    ],
    ids=["push", "first push", "branch", "merge request"],
)
def test_gitlab_compares_with_the_base(
    portal: Path, clone: Path, name: str, variables: Mapping[str, str], base: str
) -> None:
    """With what was there before the push to the default branch, else with the branch that is merged into."""
    script = [
        item for item in gitlab_jobs(portal)[name]["script"] if not re.search("devportal build|pip", item)
    ]
    given = {"CI_DEFAULT_BRANCH": "main", "CONFIG_FILE": "mkdocs.yml", **variables}

    assert compared_revision(clone, "\n".join(script), given) == base
    if base == "FETCH_HEAD":
        assert commit_of(clone, "FETCH_HEAD") == commit_of(clone, "origin/main")


def test_history_is_there_to_compare_with(portal: Path) -> None:
    """A checkout of one commit has no base."""
    made = yaml.safe_load((portal / ".github/workflows/portal.yml").read_text(encoding="utf-8"))
    jobs = (made["jobs"]["portal"], OWN_WORKFLOW["jobs"]["history"])
    checkouts = [step for job in jobs for step in job["steps"] if "checkout" in step.get("uses", "")]

    assert [checkout["with"]["fetch-depth"] for checkout in checkouts] == [0, 0]
    assert {job["variables"]["GIT_DEPTH"] for job in gitlab_jobs(portal).values()} == {"0"}


def test_no_input_of_the_action_is_pasted_into_a_script() -> None:
    """What a caller gives reaches the shell in variables, and every input goes somewhere."""
    text = (ROOT / "actions" / "check" / "action.yml").read_text(encoding="utf-8")

    assert not any("${{" in step.get("run", "") for step in ACTION["runs"]["steps"])
    assert set(re.findall(r"inputs\.([a-z-]+)", text)) == set(ACTION["inputs"])
