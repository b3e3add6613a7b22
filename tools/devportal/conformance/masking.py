"""Credentials out of everything that is kept or shown: each known secret becomes the name of its variable."""

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import quote, quote_plus

from devportal.conformance.exchange import Answer, Exchange, Request

PLACEHOLDER = "$DEVPORTAL_TOKEN"
CUT_PLACEHOLDER = "${DEVPORTAL_TOKEN%?}"
"""The secret without its last character, as a shell writes it: the authentication checks send it."""
BASIC_PLACEHOLDER = "$DEVPORTAL_TOKEN_BASE64"
SHORTEST_CUT = 7
"""A secret must be longer than this for its beginning to be told from ordinary text."""
FILTERED = "[Filtered]"
SENSITIVE_ANSWER_HEADERS = frozenset({"set-cookie", "authorization", "proxy-authorization", "x-api-key"})


@dataclass(frozen=True, slots=True)
class Mask:
    """Replaces a secret, in every form in which it can travel. An empty secret masks nothing."""

    secret: str

    def text(self, text: str) -> str:
        """Return the text without the secret."""
        for form, placeholder in self._forms():
            text = text.replace(form, placeholder)
        return text

    def data(self, data: bytes) -> bytes:
        """Return the bytes without the secret."""
        for form, placeholder in self._forms():
            data = data.replace(form.encode("utf-8", "surrogatepass"), placeholder.encode())
        return data

    def exchange(self, exchange: Exchange) -> Exchange:
        """Return the exchange without the secret and without credentials that the answer sets."""
        return replace(
            exchange,
            request=self._request(exchange.request),
            answer=self._answer(exchange.answer) if exchange.answer is not None else None,
        )

    def reveal(self, request: Request) -> Request:
        """Return a masked request with the secret put back, to be sent once more."""
        if not self.secret:
            return request
        body = request.body
        if body is not None:
            body = self._revealed(body.decode("latin-1")).encode("latin-1", "replace")
        return replace(
            request,
            url=request.url.replace(CUT_PLACEHOLDER, quote(self.secret[:-1], safe="")).replace(
                PLACEHOLDER, quote(self.secret, safe="")
            ),
            headers=tuple((name, self._revealed(value)) for name, value in request.headers),
            body=body,
        )

    def _request(self, request: Request) -> Request:
        return replace(
            request,
            url=self.text(request.url),
            headers=tuple((name, self.text(value)) for name, value in request.headers),
            body=None if request.body is None else self.data(request.body),
        )

    def _answer(self, answer: Answer) -> Answer:
        return replace(
            answer,
            headers=tuple(
                (name, FILTERED if name.lower() in SENSITIVE_ANSWER_HEADERS else self.text(value))
                for name, value in answer.headers
            ),
            body=self.data(answer.body),
        )

    def _revealed(self, text: str) -> str:
        text = text.replace(BASIC_PLACEHOLDER, _base64(self.secret)).replace(
            CUT_PLACEHOLDER, self.secret[:-1]
        )
        return text.replace(PLACEHOLDER, self.secret)

    def _forms(self) -> Iterator[tuple[str, str]]:
        """Yield the forms of the secret, the longest first, each with what stands for it."""
        if not self.secret:
            return
        plain = {
            self.secret,
            quote(self.secret, safe=""),
            quote_plus(self.secret),
            json.dumps(self.secret)[1:-1],
            json.dumps(self.secret, ensure_ascii=False)[1:-1],
        }
        yield _base64(self.secret), BASIC_PLACEHOLDER
        for form in sorted(plain, key=len, reverse=True):
            yield form, PLACEHOLDER
        if len(self.secret) > SHORTEST_CUT:
            yield self.secret[:-1], CUT_PLACEHOLDER
            yield quote(self.secret[:-1], safe=""), CUT_PLACEHOLDER


def _base64(secret: str) -> str:
    return base64.b64encode(secret.encode()).decode()
