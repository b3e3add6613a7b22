"""Served pages that name the sandbox beside them."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from devportal.contract import Contract, load_contract
from devportal.site.served_sandbox import replace_addresses, sandbox_address

from .building import CONTRACT, write_contract

OLD, NEW = "http://127.0.0.1:8080", "http://127.0.0.1:9191"


def contract_with(folder: Path, *servers: dict[str, Any]) -> Contract:
    """Return a contract with these servers."""
    document: dict[str, Any] = yaml.safe_load(yaml.safe_dump(CONTRACT)) | {"servers": [*servers]}
    return load_contract(write_contract(folder / "openapi.yaml", document))


@pytest.mark.parametrize(
    ("written", "served"),
    [
        (f"curl {OLD}/v1/parcels", f"curl {NEW}/v1/parcels"),
        (f'"{OLD}"', f'"{NEW}"'),
        (f"Open {OLD}.", f"Open {NEW}."),
        (f"{OLD}0/v1", f"{OLD}0/v1"),
        (f"{OLD}.example", f"{OLD}.example"),
    ],
)
def test_only_the_whole_address_is_replaced(written: str, served: str, tmp_path: Path) -> None:
    """A longer port or host is another address."""
    page = tmp_path / "guides" / "index.html"
    page.parent.mkdir()
    page.write_text(written)

    replace_addresses(tmp_path.rglob("*"), {OLD: NEW})

    assert page.read_text() == served


def test_files_that_are_no_text_are_left_alone(tmp_path: Path) -> None:
    """Nor is anything written if the address is the same, or the contract names none."""
    image = tmp_path / "a.png"
    image.write_bytes(OLD.encode())

    replace_addresses(tmp_path.rglob("*"), {OLD: NEW, "": NEW})

    assert image.read_bytes() == OLD.encode()


def test_the_sandbox_is_the_first_server_that_is_one(tmp_path: Path) -> None:
    """By its own word or its address; a contract without one names none."""
    live, local = {"url": "https://api.parcels.example"}, {"url": OLD}

    assert sandbox_address(contract_with(tmp_path, live, local)) == OLD
    assert sandbox_address(contract_with(tmp_path, live)) == ""
    assert sandbox_address(None) == ""


def test_a_mock_stands_for_the_first_server_of_a_contract_without_a_sandbox(tmp_path: Path) -> None:
    """A sandbox comes first; an address without a host is that of no server."""
    live, local = {"url": "https://api.example.com"}, {"url": OLD}

    assert sandbox_address(contract_with(tmp_path, live), is_mock=True) == "https://api.example.com"
    assert sandbox_address(contract_with(tmp_path, live, local), is_mock=True) == OLD
    assert sandbox_address(contract_with(tmp_path, {"url": "/v1"}), is_mock=True) == ""
