"""The hooks for pre-commit call commands that exist, when files change that these commands read."""

import re
import shlex
from typing import Any

import pytest
import yaml

from .command_lines import blocks, faults
from .repository import ROOT

HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
BY_ID = {hook["id"]: hook for hook in HOOKS}
PAGE = (ROOT / "docs" / "toolkit" / "ci.md").read_text(encoding="utf-8")


def recipe() -> dict[str, dict[str, Any]]:
    """Return the hooks as the page of CI configures them."""
    (configuration,) = [item for item in map(yaml.safe_load, blocks(PAGE, "yaml")) if "repos" in item]
    return {hook["id"]: hook for repository in configuration["repos"] for hook in repository["hooks"]}


def command_problems(hook: dict[str, Any]) -> list[str]:
    """Return what is wrong in the command line of a hook."""
    program, *words = shlex.split(hook["entry"]) + hook.get("args", [])
    return faults(shlex.join(words)) if program == "devportal" else [f"the entry is {program}"]


def test_there_is_a_hook_for_check_and_one_for_diff() -> None:
    """Installed as Python packages; both read whole projects, so they are given no file names."""
    shapes = {name: (hook["language"], hook["pass_filenames"]) for name, hook in BY_ID.items()}

    assert shapes == {"devportal-check": ("python", False), "devportal-diff": ("python", False)}


@pytest.mark.parametrize("name", BY_ID)
def test_its_command_line_exists(name: str) -> None:
    """As it is, and with the arguments that the page of CI gives it."""
    assert command_problems(BY_ID[name]) == []
    assert command_problems({**BY_ID[name], **recipe()[name]}) == []


def test_a_wrong_command_line_is_found() -> None:
    """An option that is gone, or another program."""
    assert command_problems({"entry": "devportal check", "args": ["--sicne", "main"]})
    assert command_problems({"entry": "pytest"})


@pytest.mark.parametrize(
    ("name", "path", "runs"),
    [
        ("devportal-check", "openapi/parcels.yaml", True),
        ("devportal-check", "openapi/parcels.json", True),
        ("devportal-check", "changelog/2026-01-01-opened.md", True),
        ("devportal-check", "data/audit.jsonl", True),
        ("devportal-check", "mkdocs.yml", True),
        ("devportal-check", "docs/assets/own.css", False),
        ("devportal-diff", "openapi.yaml", True),
        ("devportal-diff", "old/openapi.yaml", False),
        ("devportal-diff", "docs/index.md", False),
    ],
)
def test_it_runs_for_files_that_its_command_reads(name: str, path: str, *, runs: bool) -> None:
    """pre-commit searches the pattern in each changed path."""
    assert bool(re.search(BY_ID[name]["files"], path)) == runs


def test_the_recipe_of_diff_runs_for_the_contract_that_it_compares() -> None:
    """Who overrides the contract overrides the pattern, too."""
    hook = recipe()["devportal-diff"]

    assert re.search(hook["files"], hook["args"][1])
    assert hook["args"][0] == f"HEAD:{hook['args'][1]}"
