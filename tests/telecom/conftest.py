"""The contract, read once."""

from pathlib import Path

import pytest

from devportal.contract import Api, Contract, load_contract

CONTRACT = Path(__file__).parents[2] / "openapi" / "openapi.yaml"


@pytest.fixture(scope="session")
def contract_path() -> Path:
    """Return where the contract lies."""
    return CONTRACT


@pytest.fixture(scope="session")
def contract() -> Contract:
    """Return our contract."""
    return load_contract(CONTRACT, name="openapi/openapi.yaml")


@pytest.fixture(scope="session")
def api(contract: Contract) -> Api:
    """Return the model of our contract."""
    return contract.api
