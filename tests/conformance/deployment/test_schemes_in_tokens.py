"""Tokens that are given with their scheme, as in `Token 5f2a`, and what to do if one lacks it."""

import base64
import json
from pathlib import Path

import pytest

from devportal.conformance.deployment.credentials import (
    Carrier,
    CredentialSlot,
    basic_pair,
    scheme_of,
    without_scheme,
)
from devportal.conformance.deployment.exchange import HttpResponse, Request
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.families.security.wrong_credentials import WRONG_SECRET, wrong_credential_attempts
from devportal.conformance.run.credential_advice import GENERAL_ADVICE, rejected_token_advice
from devportal.reporting import Format
from tests.apps.parcels import TOKEN, Parcels
from tests.apps.serving import serving
from tests.conformance.running import describe_result, run, subject_of
from tests.conformance.values import write_result

BARE = Request(method="GET", url="http://127.0.0.1:1/books")
PAIR = base64.b64encode(b"ann:secret").decode()
BEARER = "{type: http, scheme: bearer}"
BOOKS = """\
openapi: 3.0.3
info: {{title: Books, version: '1'}}
paths:
  /books:
    get: {{security: [{{key: []}}], responses: {{'200': {{description: Books}}, '401': {{description: No}}}}}}
components:
  securitySchemes:
    key: {scheme}
"""


def key(description: str) -> str:
    """Return a scheme with a key in `Authorization`."""
    return f"{{type: apiKey, in: header, name: Authorization, description: {json.dumps(description)}}}"


def authorization_header(carrier: Carrier, secret: str) -> str:
    """Return the value of Authorization with a secret."""
    slot = CredentialSlot(scheme="key", carrier=carrier, name="Authorization")
    return dict(slot.fill(BARE, secret).headers)["Authorization"]


@pytest.mark.parametrize(
    ("carrier", "secret", "value"),
    [
        (Carrier.BEARER, "5f2a", "Bearer 5f2a"),
        (Carrier.BEARER, "Bearer 5f2a", "Bearer 5f2a"),
        (Carrier.BEARER, "bearer 5f2a", "bearer 5f2a"),
        (Carrier.BASIC, "ann:secret", f"Basic {PAIR}"),
        (Carrier.BASIC, f"Basic {PAIR}", f"Basic {PAIR}"),
        (Carrier.HEADER, "Token 5f2a", "Token 5f2a"),
        (Carrier.HEADER, "Bearer 5f2a", "Bearer 5f2a"),
        (Carrier.HEADER, "5f2a", "5f2a"),
    ],
)
def test_a_scheme_is_sent_once(carrier: Carrier, secret: str, value: str) -> None:
    """However the token was copied."""
    assert authorization_header(carrier, secret) == value


@pytest.mark.parametrize("secret", ["", "5f2a", "ann:two words", "Bearer ", " 5f2a", "clé 5f2a", "a1 5f2a"])
def test_other_secrets_have_no_scheme(secret: str) -> None:
    """A password may have spaces: only a word of letters before a credential is a scheme."""
    assert scheme_of(secret) == ""
    assert without_scheme(secret, "Bearer") == secret
    assert without_scheme(secret, scheme_of(secret)) == secret


@pytest.mark.parametrize("secret", ["ann:secret", f"Basic {PAIR}", f"basic {PAIR}"])
def test_a_pair_is_read_from_both_forms(secret: str) -> None:
    """Schemathesis takes the name and the password apart."""
    assert basic_pair(secret) == ("ann", "secret")


def test_a_pair_that_cannot_be_read_is_taken_as_it_is() -> None:
    """The deployment rejects it."""
    assert basic_pair("Basic !!") == ("!!", "")


@pytest.mark.conformance
def test_a_run_sends_the_scheme_once() -> None:
    """Our requests and those of Schemathesis; no report shows the token."""
    with serving(Parcels()) as url:
        result = run(url, token=f"Bearer {TOKEN}", phases=("coverage",), max_examples=1)

    assert result.is_clean, describe_result(result)
    assert TOKEN not in write_result(result, Format.JSON)


def test_a_token_is_masked_without_its_scheme_too() -> None:
    """A response may repeat the token alone; the replacement is what a shell makes of the variable."""
    mask = Mask.of_secret("Token 5f2a5f2a5f2a")
    request = Request(
        method="GET",
        url="http://127.0.0.1:1/?key=5f2a5f2a5f2a",
        headers=(("Authorization", "Token 5f2a5f2a5f2a"), ("X-Key", "5f2a5f2a5f2a")),
    )

    assert mask.text("5f2a5f2a5f2a is Token 5f2a5f2a5f2a") == "${DEVPORTAL_TOKEN#* } is $DEVPORTAL_TOKEN"
    masked = Request(
        method="GET", url=mask.text(request.url), headers=tuple((n, mask.text(v)) for n, v in request.headers)
    )
    assert mask.reveal(masked) == request


def test_wrong_credentials_keep_the_scheme(tmp_path: Path) -> None:
    """A server that expects `Token …` looks at nothing else: the attempt would prove nothing."""
    file = tmp_path / "books.yaml"
    file.write_text(BOOKS.format(scheme=key("")), encoding="utf-8")
    subject = subject_of(file, token="Token 5f2a5f2a")

    attempts = wrong_credential_attempts(subject.api, subject.operations[0], BARE, subject.secret)

    assert f"Token {WRONG_SECRET}" in [
        dict(attempt.request.headers).get("Authorization") for attempt in attempts
    ]


def advice(folder: Path, scheme: str, *, token: str = "5f2a", challenge: str = "") -> str:  # noqa: S107
    """Return what to do about a token that gets 401."""
    file = folder / "books.yaml"
    file.write_text(BOOKS.format(scheme=scheme), encoding="utf-8")
    headers = (("WWW-Authenticate", challenge),) if challenge else ()
    response = HttpResponse(status=401, headers=headers, body=b"")
    return rejected_token_advice(subject_of(file, token=token), [response])


@pytest.mark.parametrize(
    ("description", "scheme"),
    [
        ('Token-based authentication with required prefix "Token"', "Token"),
        ("JWT. Enter 'Bearer' [space] and then your token. Example: \"Bearer 12345abcdef\"", "Bearer"),
        ("Use `Bearer {token}`", "Bearer"),
        ("Format: Bearer <token>", "Bearer"),
        ("Send `GenieKey 5f2a-11aa`.", "GenieKey"),
    ],
)
def test_the_description_names_the_scheme(description: str, scheme: str, tmp_path: Path) -> None:
    """As drf-spectacular, Swashbuckle and hand-written contracts put it."""
    found = advice(tmp_path, key(description))

    assert found.startswith(f"write '{scheme}' before the token, as in --token '{scheme} …'")


def test_the_challenge_names_the_scheme(tmp_path: Path) -> None:
    """If the description does not."""
    found = advice(tmp_path, key("Your key."), challenge='Token realm="api"')

    assert found.startswith("write 'Token' before the token")


@pytest.mark.parametrize(
    ("scheme", "token", "challenge"),
    [
        (key("Your key, without a prefix."), "5f2a", ""),
        (key('with required prefix "Token"'), "Token 5f2a", "Token"),
        (BEARER, "5f2a", "Bearer"),
        (BEARER, "5f2a", ""),
    ],
)
def test_a_token_with_the_right_scheme_is_wrong_itself(
    scheme: str, token: str, challenge: str, tmp_path: Path
) -> None:
    """Nothing is said about schemes."""
    assert advice(tmp_path, scheme, token=token, challenge=challenge) == GENERAL_ADVICE


def test_a_contract_with_another_scheme_than_the_deployment_is_named(tmp_path: Path) -> None:
    """Then the token may be right."""
    found = advice(tmp_path, BEARER, challenge="Token")

    assert "asks for the scheme 'Token'" in found
    assert "had 'Bearer'" in found
