"""The schema of settings for editors, and the checks that each line wakes."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from devportal.conformance.check_list import checks_by_group
from devportal.conformance.command import conformance
from devportal.conformance.settings import editor_schema_text, settings_schema, settings_schema_of
from devportal.conformance.settings_checks import CHECKS_KEYWORD, settings_lines
from devportal.documents import parse_document
from devportal.plugins import installed_plugins

SETTINGS = """\
credentials:
  expired: {env: OLD}
site: https://a.example/
latency: {p95_ms: 800, operations: {listOrders: {p99_ms: 1200}}}
webhooks:
  triggers:
    - operation: createOrder
      subject: /id
      events:
        order.paid: {subject: /data/id, state: /data/status}
  promises: {retried: [500], redirects: failure}
"""
WITHOUT_CHECKS = ("site", "plugins")
"""Settings that are not for checks, or whose fields the plug-ins describe."""


def run_command(*arguments: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(conformance, [*arguments])


def checks_by_field(text: str) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Return line and checks of each field of settings."""
    document = parse_document(text, name="conformance.yaml")
    lines = settings_lines(document, settings_schema_of(document))
    return {line.name: (line.place.line, line.checks) for line in lines}


def nodes(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield every object within a schema."""
    if isinstance(schema, dict):
        yield schema
        for item in schema.values():
            yield from nodes(item)
    elif isinstance(schema, list):
        for item in schema:
            yield from nodes(item)


def test_each_line_says_which_checks_it_wakes() -> None:
    """A section stands for its fields where they wake the same."""
    assert checks_by_field(SETTINGS) == {
        "credentials.expired": (2, ("expired-credentials",)),
        "site": (3, ()),
        "latency": (4, ("latency",)),
        "webhooks.triggers.0.operation": (
            7,
            ("webhook-arrival", "webhook-payloads", "webhook-repetitions"),
        ),
        "webhooks.triggers.0.subject": (8, ("webhook-arrival", "webhook-payloads", "webhook-repetitions")),
        "webhooks.triggers.0.events.order.paid.subject": (
            10,
            ("webhook-arrival", "webhook-payloads", "webhook-repetitions"),
        ),
        "webhooks.triggers.0.events.order.paid.state": (10, ("webhook-states", "webhook-readings")),
        "webhooks.promises.retried": (11, ("webhook-retries",)),
        "webhooks.promises.redirects": (11, ("webhook-refusals",)),
    }


def test_every_setting_names_checks_that_exist() -> None:
    """A check that is renamed, and a setting that nobody has described, turn this red."""
    plugins = installed_plugins()
    known = {check.name for _, checks in checks_by_group(plugins) for check in checks}
    named = {
        name for node in nodes(json.loads(editor_schema_text())) for name in node.get(CHECKS_KEYWORD, ())
    }
    properties = settings_schema({})["properties"]

    assert named <= known, named - known
    for name, node in properties.items():
        described = [node, *node.get("properties", {}).values()]
        is_described = any(CHECKS_KEYWORD in item for item in described)
        assert is_described or name in WITHOUT_CHECKS, name


def test_the_command_explains_a_file(tmp_path: Path) -> None:
    """A line for each field: its place, its name and its checks."""
    (tmp_path / "run.yaml").write_text(SETTINGS)

    done = run_command("explain", str(tmp_path / "run.yaml"))

    assert done.exit_code == 0
    assert done.stdout.splitlines()[0].endswith("run.yaml:2:3: credentials.expired: expired-credentials")
    assert "site: no check" in done.stdout


@pytest.mark.parametrize("command", ["explain"])
def test_a_wrong_file_is_explained_with_its_place(command: str, tmp_path: Path) -> None:
    """The nearest known name, and no traceback."""
    (tmp_path / "run.yaml").write_text("latency: {p95: 1}\n")

    done = run_command(command, str(tmp_path / "run.yaml"))

    assert done.exit_code == 2
    assert "run.yaml:1:11: the field 'p95' is not known here" in done.stderr
    assert "did you mean `p95_ms`?" in done.stderr


def test_the_schema_is_printed_or_written_for_editors(tmp_path: Path) -> None:
    """It has the settings of plug-ins, and a comment names the file where it is written."""
    text = run_command("schema").stdout
    printed = json.loads(text)
    written = run_command("schema", "--output", str(tmp_path / "settings.json"))

    assert text == editor_schema_text() == (tmp_path / "settings.json").read_text()
    assert set(printed["properties"]["plugins"]["properties"]) == set(installed_plugins())
    assert written.stdout == "# yaml-language-server: $schema=settings.json\n"
