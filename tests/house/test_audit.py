"""The search for known vulnerabilities: in the shipped pipelines, and a target beside `make test`."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from jinja2 import Template

from .repository import ROOT

PIPELINES = (
    "actions/conformance/action.yml",
    "actions/conformance/gitlab-ci.yml",
    "tools/devportal/scaffold/templates/github.md.jinja",
    "tools/devportal/scaffold/templates/gitlab.md.jinja",
)
SCRIPT = ROOT / ".ci" / "audit"


def commands(value: object) -> Iterator[str]:
    """Yield each text in a pipeline, a continued line as one."""
    if isinstance(value, str):
        yield value.replace("\\\n", " ")
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from commands(item)


@pytest.mark.parametrize("path", [*PIPELINES, ".ci/audit"])
def test_every_pipeline_looks_for_known_vulnerabilities(path: str) -> None:
    """Strictly: a package that could not be looked up fails it as one with a vulnerability does."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if path.endswith(".jinja"):
        text = Template(text).render()
    texts = [text] if path == ".ci/audit" else list(commands(yaml.safe_load(text)))
    calls = [
        line for text in texts for line in text.replace("\\\n", " ").splitlines() if "--requirement" in line
    ]
    audits = [line for line in calls if re.search(r"pip[-_]audit\S* --", line)]

    assert len(audits) == 1
    assert {"--strict", "--disable-pip"} <= set(audits[0].split())


@pytest.mark.parametrize("path", PIPELINES)
def test_the_audit_is_of_what_was_installed(path: str) -> None:
    """Of all packages but devportal itself, and not of those of pip-audit."""
    text = (ROOT / path).read_text(encoding="utf-8")
    listing, installing = (
        text.index(item) for item in ("pip list --format=freeze --exclude devportal", "pip-audit~=")
    )

    assert listing < installing
    assert "--target" in text


def test_it_is_no_part_of_the_test_command() -> None:
    """`make test` needs no network once everything is installed."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = makefile.partition("\ntest: ")[2].partition("\n.PHONY")[0]

    assert "\naudit: " in makefile
    assert "audit" not in recipe


def test_without_pip_audit_it_fails(tmp_path: Path) -> None:
    """What could not be looked for was not found to be absent."""
    done = subprocess.run(
        [SCRIPT, sys.executable],
        env={"PIP_AUDIT": str(tmp_path / "no-such.whl"), "PATH": "/usr/bin:/bin", "TMPDIR": str(tmp_path)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode != 0
    assert "no-such.whl" in done.stderr
    assert list(tmp_path.iterdir()) == []
