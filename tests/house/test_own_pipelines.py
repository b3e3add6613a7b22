"""The pipelines of this repository call targets of the Makefile, at the events they are meant for."""

import re
import shlex
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from .command_lines import faults
from .repository import ROOT
from .test_documents import makefile_targets

WORKFLOW = ".github/workflows/test.yml"
PIPELINE = ".gitlab-ci.yml"
NOT_SCHEDULED = {WORKFLOW: "github.event_name != 'schedule'", PIPELINE: '$CI_PIPELINE_SOURCE != "schedule"'}
SCHEDULED = {WORKFLOW: "github.event_name == 'schedule'", PIPELINE: '$CI_PIPELINE_SOURCE == "schedule"'}
RESERVED = {"default", "variables", "workflow"}
"""Top-level keys of a GitLab pipeline that are no jobs."""
_SHELL = re.compile(r"if \[.*\]; then|fi|\w+=\S*|git fetch .*")
"""Lines of a script that only choose what to compare with."""


def read(path: str) -> dict[Any, Any]:
    """Return a pipeline as data. YAML 1.1 reads the key `on` as true."""
    pipeline: dict[Any, Any] = yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))
    return pipeline


def jobs(path: str) -> dict[str, dict[str, Any]]:
    """Return the jobs of a pipeline of either forge."""
    pipeline = read(path)
    if path == WORKFLOW:
        return dict(pipeline["jobs"])
    return {name: job for name, job in pipeline.items() if name not in RESERVED}


def command_lines(job: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a job's scripts."""
    for script in (*job.get("script", ()), *(step.get("run", "") for step in job.get("steps", ()))):
        yield from (line.strip() for line in script.splitlines())


def conditions(path: str, job: dict[str, Any]) -> list[str]:
    """Return the conditions under which a job runs; without any it always runs."""
    if path == WORKFLOW:
        return [job["if"]] if "if" in job else []
    return [rule["if"] for rule in job.get("rules", ())]


def problems(line: str) -> list[str]:
    """Return what does not exist of the targets, variables, commands and options in a line of a script."""
    if _SHELL.fullmatch(line):
        return []
    program, *words = shlex.split(line)
    if program == "devportal":
        return faults(shlex.join(words))
    if program != "make":
        return [f"{program} is neither make nor devportal"]
    settings = re.findall(r"^([A-Z_]+) \?=", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    named = [word.partition("=")[0] for word in words]
    return [f"make has no {name}" for name in named if name not in {*makefile_targets(), *settings}]


@pytest.mark.parametrize("path", [WORKFLOW, PIPELINE])
def test_every_command_exists(path: str) -> None:
    """Each line is a target of the Makefile, a command of the toolkit, or chooses what to compare with."""
    lines = [line for job in jobs(path).values() for line in command_lines(job)]

    assert [(line, problem) for line in lines for problem in problems(line)] == []


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("make tset", "make has no tset"),
        ('make check SICNE="$SINCE"', "make has no SICNE"),
        ("devportal check --sicne main", "devportal check has no option --sicne"),
        ("pytest -q", "pytest is neither make nor devportal"),
    ],
)
def test_a_wrong_command_is_found(line: str, problem: str) -> None:
    """A target, a variable, an option or a program that is not there."""
    assert problems(line) == [problem]


@pytest.mark.parametrize("path", [WORKFLOW, PIPELINE])
def test_each_target_runs_when_it_should(path: str) -> None:
    """For every change the tests and the comparison with its base, all tests on a schedule, audits always."""
    events = {
        line.split()[1]: conditions(path, job)
        for job in jobs(path).values()
        for line in command_lines(job)
        if line.startswith("make ")
    }

    assert events == {
        "test": [NOT_SCHEDULED[path]],
        "check": [NOT_SCHEDULED[path]],
        "test-deep": [SCHEDULED[path]],
        "audit": [],
    }


def test_github_runs_for_pull_requests_for_pushes_and_weekly() -> None:
    """The schedule names one day of the week."""
    events = read(WORKFLOW)[True]
    (schedule,) = events["schedule"]

    assert set(events) == {"pull_request", "push", "schedule"}
    assert events["push"] == {"branches": ["main"]}
    assert re.fullmatch(r"\d+ \d+ \* \* [0-6]", schedule["cron"])


def test_github_gives_a_job_no_right_to_write() -> None:
    """A pull request brings its own code, so its token only reads."""
    workflow = read(WORKFLOW)

    assert workflow["permissions"] == {"contents": "read"}
    assert not any("permissions" in job for job in workflow["jobs"].values())
    assert "pull_request_target" not in workflow[True]
    assert not any("${{" in line for job in workflow["jobs"].values() for line in command_lines(job))


def test_gitlab_runs_for_merge_requests_for_pushes_and_schedules() -> None:
    """A push to a branch with an open merge request starts one pipeline, not two."""
    rules = [(rule["if"], rule.get("when")) for rule in read(PIPELINE)["workflow"]["rules"]]

    assert rules == [
        ('$CI_PIPELINE_SOURCE == "merge_request_event"', None),
        ('$CI_PIPELINE_SOURCE == "schedule"', None),
        ("$CI_COMMIT_BRANCH && $CI_OPEN_MERGE_REQUESTS", "never"),
        ("$CI_COMMIT_BRANCH", None),
    ]


@pytest.mark.parametrize(("since", "words"), [("", "check"), ("origin/main", "check --since origin/main")])
def test_make_check_compares_with_the_revision(since: str, words: str) -> None:
    """The recipe hands `SINCE` over as one word, and nothing without it."""
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\ncheck: ")[2]
    (line,) = re.findall(r"@\$\(BIN\)/devportal (check.*)", recipe.partition("\n.PHONY")[0])

    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", f"echo {line.replace('$$', '$')}"],
        env={"SINCE": since},
        check=True,
        capture_output=True,
        text=True,
    )
    assert ran.stdout.strip() == words
    assert faults(words) == []
