"""The setting `contracts`: several APIs, each with a name, a file, and settings of its own."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from devportal.errors import InvalidSettings, UnreadableInput
from devportal.project.contracts import Contracts, settings_beside_contracts
from devportal.project.inputs import Inputs, load_project_contract
from devportal.project.setting_kinds import SettingsFile

DAY = date(2026, 12, 1)


def inputs(folder: Path, written: Any, **settings: Any) -> Inputs:
    """Return the inputs of a project with several contracts, whose file is in a folder."""
    kind = Contracts()
    at = SettingsFile(folder=folder, name="mkdocs.yml")
    return Inputs(root=folder, today=DAY, contracts=kind.value(kind.check(written), at), **settings)


def test_an_api_has_its_files_and_addresses(tmp_path: Path) -> None:
    """The order is that of the file; a text is the file of the contract."""
    project = inputs(
        tmp_path, {"orders": {"file": "a/orders.yaml", "changelog": "news"}, "stock": "b/stock.yaml"}
    )
    orders, stock = project.apis

    assert (orders.contract, orders.changelog) == (tmp_path / "a/orders.yaml", tmp_path / "news")
    assert (orders.overview, orders.reference_folder) == ("reference/orders/index.md", "reference/orders")
    assert (stock.contract, stock.contract_folder) == (tmp_path / "b/stock.yaml", "reference/stock/")
    assert not orders.contracts
    assert (project.reference_folder, project.contract_folder) == ("reference", "")


def test_what_holds_for_all_may_differ_for_one(tmp_path: Path) -> None:
    """What it does not set is that of the top level."""
    written = {"a": {"file": "a.yaml", "console": "always"}, "b": {"file": "b.yaml", "versions": ["1.0.0"]}}
    first, second = inputs(tmp_path, written, console="never", versions="all").apis

    assert (first.console, first.versions) == ("always", "all")
    assert (second.console, second.versions) == ("never", ("1.0.0",))


def test_what_lies_beside_a_contract_is_its_own_only_if_it_is_alone(tmp_path: Path) -> None:
    """Two contracts in one folder would both have it; a baseline there has the name of its API."""
    for name in ("alone", "both"):
        (tmp_path / name / "releases").mkdir(parents=True)
    (tmp_path / "both" / "two.baseline.yaml").touch()
    written = {"one": "both/one.yaml", "two": "both/two.yaml", "three": "alone/three.yaml"}
    one, two, three = inputs(tmp_path, written).apis

    assert (one.releases, two.releases, three.releases) == (None, None, tmp_path / "alone" / "releases")
    assert (one.baseline, two.baseline) == (None, tmp_path / "both" / "two.baseline.yaml")
    assert (one.shares_folder, three.shares_folder) == (True, False)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ([], "is not a mapping of contracts"),
        ({"Orders": "o.yaml"}, "'Orders' is not a name of an API"),
        ({"a--b": "o.yaml"}, "'a--b' is not a name of an API"),
        ({"a" * 61: "o.yaml"}, "is not a name of an API"),
        ({3: "o.yaml"}, "3 is not a name of an API"),
        ({"index": "o.yaml"}, "an API cannot be called 'index'"),
        ({"a": None}, "'a' names no contract"),
        ({"a": {}}, "contracts.a names no contract"),
        ({"a": {"file": 3}}, "contracts.a names no contract"),
        ({"a": "https://x.example/o.yaml"}, "contracts.a.file: 'https://x.example/o.yaml' is an address"),
        ({"a": {"file": "o.yaml", "titel": "x"}}, "no such setting of an API\n  help: did you mean 'title'?"),
        ({"a": {"contract": "o.yaml"}}, "no such setting of an API\n  help: did you mean 'file'?"),
        ("o.yaml", "or use the setting 'contract' for a single one"),
        ({"a": {"file": "o.yaml", "title": 3}}, "contracts.a.title is 3, which is not text"),
        ({"a": {"file": "o.yaml", "console": "often"}}, "contracts.a.console is 'often'"),
        ({"a": {"file": "o.yaml", "changelog": 3}}, "contracts.a.changelog is 3"),
        ({"a": {"file": "o.yaml", "allow_outside_references": "yes"}}, "contracts.a.allow_outside_references is 'yes'"),
        ({"a": {"file": "o.yaml", "versions": 3}}, "contracts.a.versions: 'versions' is 3"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused_at_its_place(tmp_path: Path, written: Any, message: str) -> None:
    """The message names the API and the setting, and quotes the value."""
    with pytest.raises(InvalidSettings) as error:
        inputs(tmp_path, written)

    assert message in str(error.value)


def test_a_contract_is_named_once(tmp_path: Path) -> None:
    """Two names for one file are a slip."""
    with pytest.raises(InvalidSettings, match=r"contracts.b.file is the contract of 'a' too"):
        inputs(tmp_path, {"a": "o.yaml", "b": "./o.yaml"})


def test_settings_of_one_contract_are_refused_beside_several() -> None:
    """Each says where it goes; without `contracts` all are right."""
    written = {
        "contract": "o.yaml",
        "releases": "r",
        "overview": "index.md",
        "name_from_contract": True,
        "audiences": {"public": {}, "partner": {"overlays": ["p.yaml"]}},
        "records": "data",
    }
    refused = dict(settings_beside_contracts({**written, "contracts": {"a": "a.yaml"}}))

    assert list(refused) == ["contract", "releases", "overview", "name_from_contract", "audiences"]
    assert "contracts.NAME.releases" in refused["releases"]
    assert not dict(settings_beside_contracts(written))
    assert not dict(settings_beside_contracts({"audiences": {"public": {}}, "contracts": {"a": "a.yaml"}}))


def test_a_command_chooses_an_api_by_its_name(tmp_path: Path) -> None:
    """Without one, and with an unknown one, it lists those that there are."""
    project = inputs(tmp_path, {"a": "a.yaml", "b": "b.yaml"})

    assert project.api("b").contract == tmp_path / "b.yaml"
    for name, message in ((None, "this project has several APIs"), ("c", "this project has no API 'c'")):
        with pytest.raises(InvalidSettings, match=message) as error:
            project.api(name)
        assert error.value.help == "choose one with --api: a, b"
    single = Inputs(root=tmp_path, today=DAY, contract=tmp_path / "o.yaml")
    assert single.api(None) is single
    with pytest.raises(InvalidSettings, match="it has one contract"):
        single.api("a")


def test_an_error_about_a_missing_file_names_its_setting(tmp_path: Path) -> None:
    """The file that the reader has to correct is `mkdocs.yml`; a file that is likely meant is named all the same."""
    alone = Inputs(root=tmp_path, today=DAY, contract=tmp_path / "api.yaml")
    (orders,) = inputs(tmp_path, {"orders": "orders.yaml"}).apis
    (tmp_path / "orders.yml").touch()

    with pytest.raises(UnreadableInput) as of_one:
        load_project_contract(alone)
    with pytest.raises(UnreadableInput) as of_several:
        load_project_contract(orders)

    assert str(of_one.value).splitlines() == [
        "api.yaml: there is no such file, which the setting 'contract' names",
        "  help: make the file, or fix or remove the setting in mkdocs.yml",
    ]
    assert str(of_several.value).splitlines() == [
        "orders.yaml: there is no such file, which the setting 'contracts.orders' names",
        "  help: did you mean 'orders.yml', in the same folder?",
    ]
