"""What is said about the credential before a run."""

from pathlib import Path

import pytest

from devportal.conformance.deployment import Deployment
from devportal.conformance.masking import Mask
from devportal.conformance.preflight import check_credentials
from devportal.conformance.subject import Subject
from devportal.contract import load_contract
from devportal.contract.validation import Validator
from devportal.errors import DeploymentError, InvalidSettings
from tests.apps.parcels import TOKEN, Parcels
from tests.apps.serving import closed_port, serving
from tests.conformance.running import CONTRACT


def checked(path: Path, scheme: str, url: str, token: str = TOKEN) -> None:
    """Check the credential against the contract with another security scheme."""
    text = CONTRACT.read_text()
    assert "      type: http\n      scheme: bearer\n" in text
    path.write_text(text.replace("      type: http\n      scheme: bearer\n", scheme))
    contract = load_contract(path)
    subject = Subject(
        contract=contract,
        operations=contract.api.operations,
        base_url=url,
        token=token,
        validator=Validator(contract.api),
    )
    with Deployment(timeout_s=5, mask=Mask(token)) as deployment:
        check_credentials(subject, deployment)


@pytest.mark.parametrize(
    "scheme",
    ["      type: http\n      scheme: digest\n", "      type: mutualTLS\n"],
    ids=["digest", "mutual TLS"],
)
def test_a_credential_that_is_no_single_secret_is_not_called_refused(tmp_path: Path, scheme: str) -> None:
    """Nothing was sent, so nothing was refused: the message says what kind of credential cannot be tried."""
    with pytest.raises(InvalidSettings, match="cannot be tried with one secret") as caught:
        checked(tmp_path / "parcels.yaml", scheme, f"http://127.0.0.1:{closed_port()}")

    assert "token" in str(caught.value)
    assert "401" not in str(caught.value)
    assert TOKEN not in str(caught.value)


def test_a_refused_token_is_called_refused(tmp_path: Path) -> None:
    """401 on each operation that takes the token is a refusal."""
    bearer = "      type: http\n      scheme: bearer\n"
    with serving(Parcels()) as url, pytest.raises(DeploymentError, match="refuses the token with 401"):
        checked(tmp_path / "parcels.yaml", bearer, url, token="another-secret-token")
