"""Plug-ins: by the name of their distribution, used only if listed, and no traceback for a broken one."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from devportal.cli import cli
from devportal.conformance.check_list import conformance_checks
from devportal.conformance.families.registry import FAMILIES, all_families
from devportal.conformance.settings import parse_settings
from devportal.documents import parse_document
from devportal.errors import EnvironmentProblem, InvalidSettings
from devportal.plugins import (
    CHECKS_GROUP,
    canonical_name,
    entry_points_of,
    installed_plugins,
    require_plugins,
)
from tests.contract.inline import api
from tests.plugging import write_plugin

CHECKING = """\
import click
from devportal.conformance.families.responses.latency import FAMILY
from dataclasses import replace

def families():
    return (replace(FAMILY, name="parcel-weights"),)

def schema():
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {"heaviest_g": {"type": "integer", "minimum": 1}},
    }

@click.command()
def weigh():
    "Weigh a parcel."
    click.echo("12 g")
"""
POINTS = """\
[devportal.commands]
weigh = weighing:weigh
[devportal.conformance]
checks = weighing:families
[devportal.conformance.settings]
checks = weighing:schema
"""
BROKEN = """\
[devportal.commands]
stamp = stamping:stamp
[devportal.conformance]
checks = stamping:families
"""


@pytest.fixture(autouse=True)
def _install_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a plug-in, one that cannot be imported, one without settings, and a package that is none."""
    write_plugin(tmp_path, "Parcel_Weights", points=POINTS, modules={"weighing": CHECKING})
    write_plugin(tmp_path, "parcel-stamps", points=BROKEN, modules={"stamping": "import there_is_no_ink\n"})
    write_plugin(tmp_path, "parcel-plain", points="[devportal.inserts]\na = weighing:families\n")
    write_plugin(tmp_path, "string-and-paper", points="[console_scripts]\nwrap = wrapping:main\n")
    monkeypatch.syspath_prepend(tmp_path)


def names_of(*plugins: str) -> set[str]:
    """Return the families that a run with plug-ins has besides ours."""
    return {family.name for family in all_families(plugins)} - {family.name for family in all_families(())}


def settings_error(text: str) -> str:
    """Return why settings cannot be used."""
    with pytest.raises(InvalidSettings) as caught:
        parse_settings(parse_document(text, name="conformance.yaml"), folder=Path())
    return str(caught.value)


def test_a_name_has_one_spelling() -> None:
    """As pip compares names (PEP 503)."""
    assert canonical_name("Parcel_Weights") == canonical_name("parcel..weights") == "parcel-weights"
    assert require_plugins(["Parcel_Weights", "parcel-weights"], listed_in="mkdocs.yml") == (
        "parcel-weights",
    )


def test_a_package_without_our_entry_points_is_no_plugin() -> None:
    """The toolkit itself is none either."""
    found = set(installed_plugins())

    assert {"parcel-weights", "parcel-stamps", "parcel-plain"} <= found
    assert not {"string-and-paper", "devportal", "pytest"} & found


def test_checks_run_only_if_their_plugin_is_listed() -> None:
    """An installed plug-in adds nothing to the run of somebody else's contract."""
    assert names_of() == set()
    assert names_of("parcel-weights") == {"parcel-weights"}
    assert {family.name for family in FAMILIES} <= {family.name for family in all_families(())}
    assert [entry_point.name for entry_point in entry_points_of(CHECKS_GROUP, ("parcel-plain",))] == []


def test_the_list_of_checks_has_those_of_the_contracts_plugins() -> None:
    """The page shows what runs."""
    plain, named = api(""), api("x-devportal-plugins: [Parcel_Weights]")

    assert "parcel-weights" not in str(conformance_checks(plain, ()))
    assert "\n## Of this API\n\n### parcel-weights\n" in str(conformance_checks(named, ()))


def test_settings_of_a_plugin_are_checked_by_its_own_schema() -> None:
    """A misspelt field is found with its line; the name may be written in any spelling."""
    text = "plugins:\n  Parcel_Weights:\n    heaviest: 3\n"

    assert "conformance.yaml:3:5: the field 'heaviest' is not known here" in settings_error(text)


def test_a_plugin_without_settings_takes_none() -> None:
    """It is listed with an empty mapping."""
    listed = parse_settings(
        parse_document("plugins: {parcel-plain: {}, Parcel_Weights: {heaviest_g: 9}}", name="c.yaml"),
        folder=Path(),
    )

    assert listed.plugins == {"parcel-plain": {}, "parcel-weights": {"heaviest_g": 9}}


@pytest.mark.parametrize(
    ("plugins", "message"),
    [
        ("{parcel-plain: {a: 1}}", "the field 'a' is not known here"),
        ("{parcel-plain: 3}", "`plugins.parcel-plain` is 3, not a mapping"),
        ("{parcel-plain: }", "`plugins.parcel-plain` is empty, not a mapping"),
        ("[parcel-plain]", "`plugins` is ['parcel-plain'], not a mapping"),
        ("{'': {}}", "'' is not the name of a package"),
        ("{../parcels: {}}", "'../parcels' is not the name of a package"),
    ],
)
def test_a_list_of_another_shape_is_wrong(plugins: str, message: str) -> None:
    """The message quotes what stands there."""
    assert message in settings_error(f"plugins: {plugins}")


@pytest.mark.parametrize(
    ("name", "message", "help_text"),
    [
        ("parcel-wights", "'parcel-wights' is not installed", "did you mean 'parcel-weights'?"),
        ("weights", "'weights' is not installed", "did you mean 'parcel-weights'?"),
        ("parcel-map", "'parcel-map' is not installed", "run 'pip install parcel-map'"),
        ("string-and-paper", "'string-and-paper' is installed, but is not a plug-in", "parcel-weights"),
    ],
)
def test_a_plugin_that_is_not_there_stops_the_run(name: str, message: str, help_text: str) -> None:
    """The message says where it is listed, and what to install."""
    with pytest.raises(EnvironmentProblem) as caught:
        parse_settings(parse_document(f"plugins: {{{name}: {{}}}}", name="conformance.yaml"), folder=Path())

    assert caught.value.message.startswith("conformance.yaml: ")
    assert message in caught.value.message
    assert help_text in caught.value.help


def test_a_plugin_that_cannot_be_imported_is_named() -> None:
    """With the error that stops it."""
    with pytest.raises(EnvironmentProblem, match="'parcel-stamps' cannot be used") as caught:
        all_families(("parcel-stamps",))

    assert "ModuleNotFoundError: No module named 'there_is_no_ink'" in caught.value.message


def test_a_broken_command_leaves_the_others_alone() -> None:
    """`--help` lists it with the reason, calling it exits with 2 and no traceback."""
    helped = CliRunner().invoke(cli, ["--help"])
    called = CliRunner().invoke(cli, ["stamp", "--fast", "now"])
    weighed = CliRunner().invoke(cli, ["weigh"])

    assert (helped.exit_code, called.exit_code, weighed.output) == (0, 2, "12 g\n")
    assert "Not available: the plug-in 'parcel-stamps' cannot be used" in " ".join(helped.output.split())
    assert called.stderr.startswith("error: the plug-in 'parcel-stamps' cannot be used")
    assert "Traceback" not in called.output + called.stderr
