"""The action for GitHub and the job for GitLab: their scripts are run against a forge on this machine."""

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.house.command_lines import faults
from tests.house.repository import ROOT
from tests.pull_request.forge_server import Forge
from tests.pull_request.test_pull_request import NEW, checkout, forge, github, gitlab
from tests.waiting import PATIENCE_S

__all__ = ["checkout", "forge", "github", "gitlab"]

ACTION = ROOT / "actions" / "diff" / "action.yml"
JOB = ROOT / "actions" / "diff" / "gitlab-ci.yml"


def read(path: Path) -> Any:
    """Return the data of a file."""
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def run_script(script: str, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a script as CI does; the command is that of this repository."""
    python = shlex.quote(sys.executable)
    command = f'devportal() {{ {python} -P -W ignore -m devportal "$@"; }}; export -f devportal\n'
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command + script],
        env={**os.environ, "PYTHONPATH": str(ROOT / "tools"), **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )


@pytest.mark.parametrize(
    "line",
    [
        "build --quiet --contract FILE --site-dir FOLDER",
        "build --quiet --config-file FILE --site-dir FOLDER",
        "pull-request --new FILE --fail-on risky --format github --write html=a.html --policy FILE",
        "pull-request --site-before A --site-after B --pages-output C",
    ],
)
def test_the_scripts_use_options_that_there_are(line: str) -> None:
    """Each option of the scripts is one of the command."""
    script = ACTION.read_text(encoding="utf-8") + JOB.read_text(encoding="utf-8")

    assert faults(line) == []
    assert [word for word in line.split() if word.startswith("--") and word not in script] == []


def test_the_action_names_inputs_that_it_has() -> None:
    """No expression is about another one, and no script has an expression in it: values come from variables."""
    action = read(ACTION)
    text = ACTION.read_text(encoding="utf-8")
    names = {part.split("}}")[0].split()[0] for part in text.split("${{ inputs.")[1:]}

    assert names <= action["inputs"].keys()
    assert [step["name"] for step in action["runs"]["steps"] if "${{" in step.get("run", "")] == []
    assert all(input_["description"] for input_ in action["inputs"].values())


def test_the_action_comments_and_keeps_changed_pages(github: Forge, checkout: Path, tmp_path: Path) -> None:
    """Its scripts build both sites, compare, comment, and write the files of the artifact."""
    scripts = {step.get("name"): step["run"] for step in read(ACTION)["runs"]["steps"] if "run" in step}
    variables = {
        "CONTRACT": "openapi.yaml",
        "CONFIG_FILE": "",
        "POLICY": "",
        "FAIL_ON": "breaking",
        "PAGES": str(tmp_path / "pages"),
        "REPORTS": "devportal-changes",
        "GITHUB_BASE_REF": "main",
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }

    built = run_script(scripts["Build the pages before and after"], variables)
    reviewed = run_script(scripts["Comment on the pull request"], variables)

    assert built.returncode == 0, built.stderr
    assert reviewed.returncode == 1, reviewed.stderr
    assert "::error file=openapi.yaml," in reviewed.stdout
    assert "pages of the portal change" in github.comments[0]["body"]
    assert [item["state"] for _, item in github.statuses] == ["failure"]
    written = {path.name for path in (checkout / "devportal-changes").iterdir()}
    assert written == {"changes.html", "changes.sarif", "pages"}
    listed = (checkout / "devportal-changes" / "pages" / "changed-pages.txt").read_text(encoding="utf-8")
    assert "changed  " in listed


def test_the_job_of_gitlab_comments(gitlab: Forge, checkout: Path, tmp_path: Path) -> None:
    """A site that cannot be built does not stop the review."""
    job = read(JOB)[".diff"]
    (checkout / "openapi.yaml").write_text(NEW.read_text(encoding="utf-8"), encoding="utf-8")
    variables = {
        **{name: str(value) for name, value in job["variables"].items()},
        "CONFIG_FILE": "openapi.yaml",  # no mkdocs.yml: the build fails
        "TMPDIR": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }

    done = run_script("\n".join(job["script"]), variables)

    assert done.returncode == 1, done.stderr
    assert [item["state"] for _, item in gitlab.statuses] == ["failed"]
    assert "pages of the portal" not in gitlab.comments[0]["body"]
    assert (checkout / "devportal-changes" / "changes.html").exists()
