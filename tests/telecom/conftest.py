"""The contract, read once."""

from pathlib import Path

import pytest
from tests.contracts import own_contract

from devportal.contract import Api, Contract

CONTRACT = Path(__file__).parents[2] / "openapi" / "openapi.yaml"


@pytest.fixture(scope="session")
def contract_path() -> Path:
    """Return where the contract lies."""
    return CONTRACT


@pytest.fixture(scope="session")
def contract() -> Contract:
    """Return our contract."""
    return own_contract()


@pytest.fixture(scope="session")
def api(contract: Contract) -> Api:
    """Return the model of our contract."""
    return contract.api
