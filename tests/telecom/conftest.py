"""The contract, read once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.contracts import contract_at, own_contract

from devportal.contract import Api, Contract, load_contract

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


@pytest.fixture(scope="session", autouse=True)
def _commands_share_our_contract() -> Iterator[None]:
    """Have commands that run in this process share what was read of our contract: none of them changes it."""

    def load(path: Path) -> Contract:
        return contract_at(path) if path == CONTRACT else load_contract(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("telecom.sandbox.sources.load_contract", load)
        yield
