"""Every command line of `devportal` in the documents names commands, options and choices that there are."""

import json
import re

import pytest
import yaml

from devportal.errors import Place
from devportal.findings import Finding, Level

from .command_lines import blocks, command_lines, faults
from .repository import ROOT

PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (
        *(ROOT / "README.md", ROOT / "CONTRIBUTING.md"),
        *(ROOT / "tools" / "devportal").glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
    )
)
RECIPES = (ROOT / "docs" / "toolkit" / "ci.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_command_lines_can_be_typed(page: str) -> None:
    """In shell scripts, in pipelines, and in sentences."""
    text = (ROOT / page).read_text(encoding="utf-8")

    assert [(line, fault) for line in command_lines(text) for fault in faults(line)] == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("build --strict", "devportal build has no option --strict"),
        ("rates publish x@1", "devportal rates has no command publish"),
        ("bild", "devportal has no command bild"),
        ("diff a.yaml b.yaml --format=xml", "--format has no choice 'xml'"),
        ("serve --with 'sandbox --prot 8080'", "devportal sandbox has no option --prot"),
        ("conformance merge a.json --seed 2", "devportal conformance URL merge has no option --seed"),
        ("conformance https://x.example --profile slow", "--profile has no choice 'slow'"),
    ],
)
def test_a_wrong_command_line_is_found(line: str, fault: str) -> None:
    """A command, an option or a choice that is not there."""
    assert faults(line) == [fault]


@pytest.mark.parametrize(
    "text",
    [
        "```bash\nset -e; devportal build --strict\n```",
        "```bash\nX=1 .venv/bin/devportal build \\\n  --strict\n```",
        '=== "Tab"\n\n    ```yaml\n    script:\n      - devportal build --strict\n    ```\n',
        "```yaml\nrun: >\n  devportal build\n  --strict\n```",
        "Run `devportal build --strict`.",
    ],
)
def test_command_lines_are_found(text: str) -> None:
    """Wherever documents have them."""
    assert [fault for line in command_lines(text) for fault in faults(line)] == [
        "devportal build has no option --strict"
    ]


def test_recipes_are_told_for_both_forges_and_the_shell() -> None:
    """Each of the four jobs and that of integrators, three times, with a command of ours or our action, and
    the search for known vulnerabilities; all of it is YAML.
    """
    pipelines = [yaml.safe_load(block) for block in blocks(RECIPES, "yaml")]
    lines = [line.split()[0] for line in command_lines(RECIPES)]

    assert [type(pipeline) for pipeline in pipelines] == [dict] * 13
    assert len(list(blocks(RECIPES, "bash"))) == 8
    assert {name: lines.count(name) >= 3 for name in ("check", "build", "diff", "affected")} == dict.fromkeys(
        ("check", "build", "diff", "affected"), True
    )
    assert lines.count("pull-request") >= 2
    assert lines.count("conformance") == 2


@pytest.mark.parametrize("name", ["conformance", "diff"])
def test_inputs_of_the_action_are_those_that_it_has(name: str) -> None:
    """The recipe hands over nothing that the action does not know."""
    action = yaml.safe_load((ROOT / f"actions/{name}/action.yml").read_text(encoding="utf-8"))
    steps = [
        step
        for block in blocks(RECIPES, "yaml")
        for job in yaml.safe_load(block).get("jobs", {}).values()
        for step in job["steps"]
        if f"actions/{name}" in step.get("uses", "")
    ]

    assert steps
    assert all(step["with"].keys() <= action["inputs"].keys() for step in steps)


def test_the_problem_matcher_reads_findings() -> None:
    """What a check prints is an annotation: file, line, column, level, message and rule."""
    (block,) = blocks(RECIPES, "json")
    ((pattern,),) = ([item["pattern"][0]] for item in json.loads(block)["problemMatcher"])
    finding = Finding(
        rule="contract-enum",
        level=Level.WARNING,
        place=Place(file="api/openapi.yaml", line=12, column=7),
        message="the value 'a: [b]' is there twice",
        help="remove one",
    )
    found = re.match(pattern["regexp"], str(finding).splitlines()[0])

    assert found is not None
    assert [found[pattern[key]] for key in ("file", "line", "column", "severity", "code")] == [
        "api/openapi.yaml", "12", "7", "warning", "contract-enum",
    ]  # fmt: skip


def test_a_workflow_that_waits_for_another_names_one_of_the_recipes() -> None:
    """By its `name`: GitHub calls one without it by its path."""
    notify = (ROOT / "docs" / "toolkit" / "commands" / "notify.md").read_text(encoding="utf-8")
    names = {yaml.safe_load(block).get("name") for block in blocks(RECIPES, "yaml")}
    waited_for = [
        name
        for block in blocks(notify, "yaml")
        for name in (yaml.safe_load(block) or {}).get(True, {}).get("workflow_run", {}).get("workflows", ())
    ]  # `on` is true in YAML 1.1

    assert waited_for == ["publish"]
    assert names.issuperset(waited_for)
