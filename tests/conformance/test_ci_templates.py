"""The action for GitHub and the template for GitLab: their commands are ones that the command line takes."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from devportal.conformance.command import conformance
from tests.apps.serving import closed_port
from tests.conformance.running import CONTRACT

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "actions" / "conformance"
ACTION: dict[str, Any] = yaml.safe_load((FOLDER / "action.yml").read_text())
JOB: dict[str, Any] = yaml.safe_load((FOLDER / "gitlab-ci.yml").read_text())[".conformance"]
STEP = next(step for step in ACTION["runs"]["steps"] if "devportal conformance" in step.get("run", ""))
GITLAB_SCRIPT = "\n".join(JOB["script"])


@pytest.mark.parametrize("script", [STEP["run"], GITLAB_SCRIPT], ids=["GitHub", "GitLab"])
def test_every_option_exists(script: str) -> None:
    """An option that the command does not have would fail each pipeline."""
    known = {name for parameter in conformance.params for name in parameter.opts}

    used = set(re.findall(r"--[a-z][a-z-]*", script))

    assert used
    assert used <= known


def test_inputs_are_used_and_only_those_that_exist() -> None:
    """Each input of the action goes somewhere, and nothing asks for one that is not there."""
    text = (FOLDER / "action.yml").read_text()

    assert set(re.findall(r"inputs\.([a-z-]+)", text)) == set(ACTION["inputs"])


def test_no_input_is_pasted_into_a_script() -> None:
    """What a caller gives reaches the shell in variables: nobody can write commands into it."""
    assert not any("${{" in step.get("run", "") for step in ACTION["runs"]["steps"])


@pytest.mark.parametrize("forge", ["GitHub", "GitLab"])
def test_the_script_runs(forge: str, tmp_path: Path) -> None:
    """The shell puts a whole command together: it comes as far as asking the deployment."""
    given = {"URL": f"http://127.0.0.1:{closed_port()}", "CONTRACT": str(CONTRACT), "PROFILE": "quick"}
    given |= {"STABILITY": "all", "MAX_TIME": "60", "REPORTS": "reports", "DEVPORTAL_TOKEN": "a-token"}
    if forge == "GitHub":
        script = STEP["run"]
        given |= {"SHARD": "1/2", "SETTINGS": "", "BASELINE": "", "MIN_COVERAGE": "", "READ_ONLY": "false"}
    else:
        script = GITLAB_SCRIPT
        given |= {"CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "2"}
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"

    done = subprocess.run(
        ["bash", "-e", "-c", script],
        env={**os.environ, **given, "PATH": path},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2, done.stderr
    assert "does not respond" in done.stderr
