"""What is said about the credential before a run."""

from dataclasses import replace
from pathlib import Path

import pytest
from starlette.requests import Request as Asked
from starlette.responses import Response

from devportal.conformance.deployment.client import Deployment, RequestPolicy
from devportal.conformance.deployment.credentials import (
    VARIABLES,
    Credential,
    CredentialSet,
    Role,
)
from devportal.conformance.deployment.exchange import Exchange, HttpResponse, Request
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.run.options import Gate, Options, Profile, Selection
from devportal.conformance.run.preflight import check_credentials, clock_skew_s
from devportal.conformance.run.run import run_conformance
from devportal.conformance.run.run_log import RunStep
from devportal.errors import DeploymentError, InvalidSettings
from tests.apps.parcels import TOKEN, Parcels
from tests.apps.serving import closed_port, serving
from tests.conformance.credential_sets import single_credential
from tests.conformance.running import CONTRACT, NOW, subject_of
from tests.waiting import PATIENCE_S

LISTS = """
openapi: 3.0.3
info: {title: Lists, version: "1"}
servers: [{url: "https://lists.example/api/v2"}]
paths:
  /lists:
    get: {security: [{token: []}], responses: {"200": {description: ok}, "401": {description: no}}}
components: {securitySchemes: {token: {type: http, scheme: bearer}}}
"""


class Lists(Parcels):
    """Answers `/lists` to whom `guests` names, and everything else with 404."""

    def __init__(self, *guests: str, date: str = "") -> None:
        super().__init__()
        self.guests, self.date = guests, date

    async def answer(self, request: Asked) -> Response:
        """Let guests in; `*` is everybody."""
        if request.url.path != "/lists":
            return Response("", 404)
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        is_guest = token in self.guests or "*" in self.guests
        headers = {"WWW-Authenticate": "Bearer"} | ({"Date": self.date} if self.date else {})
        return Response("", 200 if is_guest else 401, headers=headers)


def preflight_notes(
    server: Lists, folder: Path, *, base: str = "", parties: CredentialSet | None = None
) -> list[str]:
    """Run against the server and return the notes of its preflight."""
    (folder / "lists.yaml").write_text(LISTS)
    notes: list[str] = []

    def note_step(step: RunStep) -> None:
        notes.extend([step.note] if step.note else [])

    with serving(server) as url:
        options = Options(
            url=url + base,
            contract=folder / "lists.yaml",
            credentials=parties or single_credential(TOKEN),
            profile=Profile(name="test", phases=("coverage",), max_examples=1),
            gate=Gate.ALL,
            policy=RequestPolicy(timeout_s=PATIENCE_S),
            selection=Selection(),
        )
        run_conformance(options, now=lambda: NOW, on_step=note_step)
    return notes


def check_token(path: Path, scheme: str, url: str, token: str = TOKEN) -> None:
    """Check the credential against the contract with another security scheme."""
    text = CONTRACT.read_text()
    assert "      type: http\n      scheme: bearer\n" in text
    path.write_text(text.replace("      type: http\n      scheme: bearer\n", scheme))
    subject = subject_of(path, url, token)
    with Deployment(RequestPolicy(timeout_s=PATIENCE_S), mask=Mask.of_secret(token)) as deployment:
        check_credentials(subject, deployment)


@pytest.mark.parametrize(
    "scheme",
    ["      type: http\n      scheme: digest\n", "      type: mutualTLS\n"],
    ids=["digest", "mutual TLS"],
)
def test_a_credential_that_is_no_single_secret_is_not_called_refused(tmp_path: Path, scheme: str) -> None:
    """Nothing was sent, so nothing was refused: the message says what kind of credential cannot be tried."""
    with pytest.raises(InvalidSettings, match="cannot be tried with one secret") as caught:
        check_token(tmp_path / "parcels.yaml", scheme, f"http://127.0.0.1:{closed_port()}")

    assert "token" in str(caught.value)
    assert "401" not in str(caught.value)
    assert TOKEN not in str(caught.value)


def test_a_refused_token_is_called_refused(tmp_path: Path) -> None:
    """401 on each operation that takes the token is a refusal."""
    bearer = "      type: http\n      scheme: bearer\n"
    with serving(Parcels()) as url, pytest.raises(DeploymentError, match="rejects the token with 401"):
        check_token(tmp_path / "parcels.yaml", bearer, url, token="another-secret-token")


@pytest.mark.conformance
def test_a_good_deployment_is_told_nothing(tmp_path: Path) -> None:
    """No note without a reason."""
    assert preflight_notes(Lists(TOKEN), tmp_path) == []


@pytest.mark.conformance
def test_a_door_that_is_open_is_told_at_once(tmp_path: Path) -> None:
    """A made-up token that gets 200 is said before anything else; the run goes on and reports it."""
    notes = preflight_notes(Lists("*"), tmp_path)

    assert notes == ["GET /lists lets anybody in: a made-up token gets 200"]


@pytest.mark.conformance
def test_a_wrong_base_url_is_suspected_at_once(tmp_path: Path) -> None:
    """Where everything is 404, the path of the contract's server is what to try."""
    notes = preflight_notes(Lists(TOKEN), tmp_path, base="/v1")

    assert len(notes) == 1
    assert "Is http://127.0.0.1" in notes[0]
    assert "/api/v2" in notes[0]


@pytest.mark.parametrize("role", [Role.OTHER_TENANT, Role.LIMITED])
def test_a_credential_of_another_role_that_is_refused_is_named(role: Role, tmp_path: Path) -> None:
    """Tests with it would prove nothing: the run ends, and says which one it is."""
    other = Credential(role=role, secret="another-secret-token", name=VARIABLES[role])
    parties = CredentialSet(everyone=(*single_credential(TOKEN).everyone, other))

    with pytest.raises(DeploymentError, match=f"rejects the credential '{role.value}'") as caught:
        preflight_notes(Lists(TOKEN), tmp_path, parties=parties)

    assert VARIABLES[role] in str(caught.value)
    assert "another-secret-token" not in str(caught.value)


@pytest.mark.parametrize(
    ("date", "skew_s"),
    [
        ("Sat, 21 Nov 2026 09:30:00 GMT", 0),
        ("Sat, 21 Nov 2026 09:20:00 GMT", -600),
        ("Sat, 21 Nov 2026 09:31:30 GMT", 90),
        ("yesterday", None),
        ("", None),
    ],
)
def test_the_clock_of_the_deployment_is_read(date: str, skew_s: float | None) -> None:
    """From Date, against the middle of the exchange; what is no date says nothing."""
    headers = (("Date", date),) if date else ()
    exchange = Exchange(
        request=Request(method="GET", url="http://127.0.0.1:1/"),
        answer=HttpResponse(status=200, headers=headers, elapsed_s=0.2),
        sent_at=NOW.timestamp() - 0.1,
    )

    assert clock_skew_s(exchange) == skew_s
    assert clock_skew_s(replace(exchange, answer=None)) is None
