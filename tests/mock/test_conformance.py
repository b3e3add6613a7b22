"""The measure of a mock: our own conformance run finds nothing in it."""

from pathlib import Path

import pytest

from tests.conformance.running import describe_result, run
from tests.mock.contracts import FOLDER, TOKEN
from tests.mock.serving import listening_mock

APPS = Path(__file__).parent.parent / "apps"
WEBHOOKS = Path(__file__).parent.parent / "conformance" / "webhooks"
CONTRACTS = (
    *(FOLDER / f"{name}.yaml" for name in ("orders", "fastapi", "shop")),
    APPS / "parcels.yaml",
    *(APPS / "plain" / f"{name}.yaml" for name in ("booking", "chat", "messages", "todo", "transcripts")),
    *(APPS / "frameworks" / f"{name}.yaml" for name in ("aspnet", "django", "spring")),
    *(WEBHOOKS / f"{name}.yaml" for name in ("bookings", "jobs", "orders", "renders", "shipments")),
    APPS / "webhooks" / "orders.yaml",
    WEBHOOKS.parent / "families" / "creations" / "contents.yaml",
)
pytestmark = pytest.mark.conformance


@pytest.mark.parametrize(
    "name", ["journal", *(pytest.param(name, marks=pytest.mark.deep) for name in ("ledger", "archive"))]
)
def test_a_mock_conforms_to_its_contract(name: str) -> None:
    """Creations by PUT, cursors, `has_more`, a stream; header parameters that mean nothing or belong to each request,
    two schemes in one header, an empty example, required members that nothing describes, a declared HEAD; members that
    are computed from others, and have an order: and state is tested, not skipped.
    """
    contract = FOLDER / f"{name}.yaml"
    with listening_mock(contract) as url:
        result = run(url, contract=contract, token=TOKEN, max_examples=3)

    assert result.is_clean, describe_result(result)
    untested = {gap.check for gap in result.gaps if not gap.operation}
    assert "created-things" not in untested
    assert name != "ledger" or not {"consistent-members", "deleted-things"} & untested


@pytest.mark.deep
@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_mocks_of_many_styles_conform(contract: Path) -> None:
    """Frameworks, webhooks, jobs, states, forms, nested resources, 3.0 to 3.2."""
    with listening_mock(contract) as url:
        result = run(url, contract=contract, token=TOKEN)

    assert result.is_clean, describe_result(result)
