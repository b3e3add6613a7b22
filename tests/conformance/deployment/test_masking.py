"""No secret stays in what is kept, and a masked request can be sent again."""

import base64
import json
from urllib.parse import quote

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
