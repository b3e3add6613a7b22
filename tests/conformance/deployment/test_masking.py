"""No secret stays in what is kept, and a masked request can be sent again."""

import base64
import json
from collections.abc import Callable
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.conformance.deployment.exchange import (
    Exchange,
    HttpResponse,
    Request,
    exchange_from_json,
    exchange_to_json,
)
from devportal.conformance.deployment.masking import FILTERED, Mask

SECRETS = st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="$"), min_size=9)


@given(SECRETS)
def test_a_secret_is_masked_in_every_form(secret: str) -> None:
    """Plain, percent-encoded, Base64, inside JSON: none of them is left."""
    forms = [secret, quote(secret, safe=""), base64.b64encode(secret.encode()).decode(), json.dumps(secret)]
    exchange = Exchange(
        request=Request(
            method="POST",
            url=f"http://127.0.0.1/?key={forms[1]}",
            headers=(("Authorization", f"Bearer {secret}"), ("Cookie", f"Basic {forms[2]}")),
            body=forms[3].encode(),
        ),
        answer=HttpResponse(status=200, headers=(("X-Echo", secret),), body=secret.encode()),
    )

    kept = json.dumps(exchange_to_json(Mask.of_secret(secret).exchange(exchange)))
    masked = Mask.of_secret(secret).exchange(exchange)

    assert secret not in kept
    assert masked.answer is not None
    assert secret.encode() not in (masked.request.body or b"") + masked.answer.body
    assert forms[2] not in kept


@pytest.mark.parametrize(
    ("secret", "part"),
    [
        ("alice:Pa55 w+rd", "Pa55 w+rd"),
        ("alice:Pa55", "Pa55"),
        ("sk_test_5f2a:", "sk_test_5f2a"),
        ("sk_test_5f2a:X", "sk_test_5f2a"),
        (f"Basic {base64.b64encode(b'alice:Pa55 w+rd').decode()}", "Pa55 w+rd"),
    ],
)
def test_the_secret_part_of_a_pair_is_masked_alone(secret: str, part: str) -> None:
    """A server can show the password that it decoded, or the key that is sent as the user."""
    text = f"{part}, {quote(part, safe='')} and {json.dumps({'of': part})}"

    masked = Mask.of_secret(secret).text(text)

    assert part not in masked
    assert quote(part, safe="") not in masked
    assert "${DEVPORTAL_TOKEN" in masked


@pytest.mark.parametrize("secret", ["admin:password", "admin:abc", "alice", "a:"])
def test_words_that_other_texts_have_stay(secret: str) -> None:
    """A password that is the name of a member cannot be told from it."""
    text = '{"password": "abc", "user": "admin", "a": 1}'

    assert Mask.of_secret(secret).text(text) == text


@pytest.mark.parametrize("secret", ["alice:Pa55word", "alice:Pa55wor", "alice:Pa55wordZ"])
@pytest.mark.parametrize("change", [lambda secret: secret[:-1], lambda secret: f"{secret}x"])
def test_altered_credentials_are_masked_in_base64(secret: str, change: Callable[[str], str]) -> None:
    """The authentication checks send nearly the secret, of which Base64 shows all but the end."""
    request = Request(
        method="GET",
        url="http://127.0.0.1/",
        headers=(("Authorization", f"Basic {base64.b64encode(change(secret).encode()).decode()}"),),
    )
    mask = Mask.of_secret(secret)
    masked = mask.exchange(Exchange(request=request, answer=None)).request

    assert base64.b64encode(secret.encode()).decode()[:8] not in masked.headers[0][1]
    assert mask.reveal(masked) == request


@given(SECRETS)
def test_a_masked_request_can_be_sent_again(secret: str) -> None:
    """Revealing gives the request that was masked."""
    request = Request(
        method="GET",
        url=f"http://127.0.0.1/?key={quote(secret, safe='')}",
        headers=(
            ("Authorization", f"Bearer {secret}"),
            ("X-Key", base64.b64encode(secret.encode()).decode()),
        ),
    )
    mask = Mask.of_secret(secret)

    assert mask.reveal(mask.exchange(Exchange(request=request, answer=None)).request) == request


@pytest.mark.parametrize(("secret", "is_masked"), [("token", False), ("s3cret", True), ("tokentoken", True)])
def test_names_in_responses_stay(secret: str, *, is_masked: bool) -> None:
    """A response has members with the name of a short secret: masked, they would break their schema. Values go."""
    request = Request(method="GET", url="http://x/", headers=(("Authorization", f"Bearer {secret}"),))
    answer = HttpResponse(status=200, body=f'{{"{secret}" : "{secret}"}}'.encode())

    masked = Mask.of_secret(secret).exchange(Exchange(request=request, answer=answer))

    assert masked.answer is not None
    (name,), (value,) = zip(*json.loads(masked.answer.body).items(), strict=True)
    assert (name != secret) is is_masked
    assert value == "$DEVPORTAL_TOKEN"
    assert secret not in str(masked.request)


def test_cookies_that_an_answer_sets_are_filtered() -> None:
    """A credential that we did not give is a credential nevertheless."""
    answer = HttpResponse(status=200, headers=(("Set-Cookie", "session=abc"),))
    masked = Mask().exchange(Exchange(request=Request(method="GET", url="http://x/"), answer=answer))

    assert masked.answer is not None
    assert masked.answer.header("set-cookie") == FILTERED


@given(st.binary(), st.text(), st.booleans())
def test_an_exchange_survives_json(body: bytes, value: str, is_valid: bool) -> None:  # noqa: FBT001 - drawn
    """What is written as JSON is read back the same."""
    exchange = Exchange(
        request=Request(method="PUT", url="http://x/", headers=(("X", value),), body=body),
        answer=HttpResponse(status=204, body=body, elapsed_s=0.5),
        operation="PUT /",
        is_valid=is_valid,
    )

    assert exchange_from_json(json.loads(json.dumps(exchange_to_json(exchange)))) == exchange
