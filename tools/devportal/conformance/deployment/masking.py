"""Removes credentials from everything that is kept or shown: each known secret becomes the name of its
variable.
"""

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from urllib.parse import quote, quote_plus

from devportal.conformance.deployment.credentials import (
    TOKEN_NAME,
    CredentialSet,
    basic_pair,
    scheme_of,
    without_scheme,
)
from devportal.conformance.deployment.exchange import Exchange, HttpResponse, Request

SHORTEST_CUT = 7
"""A secret must be longer for its beginning, or itself inside a word, to be distinguished from other text."""
SHORTEST_PART = 4
"""How long a password, or a key that is sent as a user name, must be to be distinguished from other text."""
LONGEST_WORD = 8
"""A secret, or a part of one, of letters alone is a word that other text has too, such as `password`, unless it is
longer.
"""
_END_OF_NAME = re.compile(r'"\s*:')
FILTERED = "[Filtered]"
SENSITIVE_RESPONSE_HEADERS = frozenset({"set-cookie", "authorization", "proxy-authorization", "x-api-key"})


@dataclass(frozen=True, kw_only=True)
class Placeholder:
    """A secret and the names that replace it, as a shell writes them."""

    secret: str = field(repr=False)
    name: str

    @property
    def whole(self) -> str:
        """The replacement of the secret."""
        return f"${self.name}"

    @property
    def truncated(self) -> str:
        """The replacement of the secret without its last character, which the authentication checks send."""
        return f"${{{self.name}%?}}"

    @property
    def credential(self) -> str:
        """The replacement of the secret without the scheme before it, as in `Token 5f2a`."""
        return f"${{{self.name}#* }}"

    @property
    def base64_forms(self) -> tuple[tuple[str, str], ...]:
        """What is sent in Base64, with its replacements: the secret, and the two like it that the authentication
        checks send, without its last character and with one more.
        """
        whole = (_base64(self.secret), f"${self.name}_BASE64")
        if len(self.secret) <= SHORTEST_CUT:
            return (whole,)
        cut = (_base64(self.secret[:-1]), f"{self.truncated}_BASE64")
        return (cut, (_base64(f"{self.secret}x"), f"${{{self.name}}}x_BASE64"), whole)

    @property
    def part(self) -> tuple[str, str]:
        """The part of `user:password` that is secret, with its replacement: the password, or the user if that is
        the key and the password is a filler. Both are empty if there is none.
        """
        user, password = basic_pair(self.secret)
        if len(password) >= SHORTEST_PART:
            part, replacement = password, f"${{{self.name}#*:}}"
        else:
            part, replacement = user, f"${{{self.name}%%:*}}"
        is_pair = part != self.secret and len(part) >= SHORTEST_PART
        return (part, replacement) if is_pair and not is_word(part) else ("", "")

    def forms(self) -> Iterator[tuple[str, str]]:
        """Yield the forms of the secret, each with its replacement."""
        yield from self.base64_forms
        for form in _plain_forms(self.secret):
            yield form, self.whole
        part, part_replacement = self.part
        if part:
            yield from ((form, part_replacement) for form in _plain_forms(part))
        if len(part) > SHORTEST_CUT:
            yield part[:-1], FILTERED
        if scheme := scheme_of(self.secret):
            yield without_scheme(self.secret, scheme), self.credential
        if len(self.secret) > SHORTEST_CUT:
            yield self.secret[:-1], self.truncated
            yield quote(self.secret[:-1], safe=""), self.truncated

    def reveal_secret(self, text: str) -> str:
        """Return a text with the secret put back."""
        for encoded, replacement in self.base64_forms:
            text = text.replace(replacement, encoded)
        text = text.replace(self.truncated, self.secret[:-1])
        text = text.replace(self.credential, without_scheme(self.secret, scheme_of(self.secret)))
        part, replacement = self.part
        text = text.replace(replacement, part) if part else text
        return text.replace(self.whole, self.secret)

    def reveal_secret_in_url(self, url: str) -> str:
        """Return an address with the secret put back, percent-encoded."""
        url = url.replace(self.truncated, quote(self.secret[:-1], safe=""))
        url = url.replace(
            self.credential, quote(without_scheme(self.secret, scheme_of(self.secret)), safe="")
        )
        part, replacement = self.part
        url = url.replace(replacement, quote(part, safe="")) if part else url
        return url.replace(self.whole, quote(self.secret, safe=""))


@dataclass(frozen=True)
class Mask:
    """Replaces secrets in every form in which they can be sent. Without secrets it masks nothing."""

    placeholders: tuple[Placeholder, ...] = ()

    @classmethod
    def of(cls, credentials: CredentialSet) -> "Mask":
        """Return the mask of all credentials of a run."""
        placeholders = (
            Placeholder(secret=credential.secret, name=credential.name)
            for credential in credentials.everyone
            if credential.secret
        )
        return cls(tuple(placeholders))

    @classmethod
    def of_secret(cls, secret: str) -> "Mask":
        """Return the mask of the main secret alone; an empty one masks nothing."""
        return cls((Placeholder(secret=secret, name=TOKEN_NAME),) if secret else ())

    def text(self, text: str, *, keeps_names: bool = False) -> str:
        """Return the text without the secrets. With `keeps_names`, members of JSON keep names that a secret is too, if
        it is a word such as `token` or `demo`.
        """
        for pattern, placeholder in self._patterns:

            def placeholder_of(found: re.Match[str], placeholder: str = placeholder) -> str:
                is_name = keeps_names and is_word(found[0]) and _END_OF_NAME.match(found.string, found.end())
                return found[0] if is_name else placeholder

            text = pattern.sub(placeholder_of, text)
        return text

    def data(self, data: bytes, *, keeps_names: bool = False) -> bytes:
        """Return the bytes without the secrets, as `text` does."""
        text = data.decode("utf-8", "surrogateescape")
        masked = self.text(text, keeps_names=keeps_names)
        return data if masked == text else masked.encode("utf-8", "surrogateescape")

    def exchange(self, exchange: Exchange) -> Exchange:
        """Return the exchange without the secrets and without credentials that the response sets."""
        return replace(
            exchange,
            request=self._mask_request(exchange.request),
            answer=self._mask_response(exchange.answer) if exchange.answer is not None else None,
        )

    def reveal(self, request: Request) -> Request:
        """Return a masked request with the secrets put back, to be sent once more."""
        for placeholder in self.placeholders:
            body = request.body
            if body is not None and b"$" in body:
                body = placeholder.reveal_secret(body.decode("latin-1")).encode("latin-1", "replace")
            request = replace(
                request,
                url=placeholder.reveal_secret_in_url(request.url),
                headers=tuple((name, placeholder.reveal_secret(value)) for name, value in request.headers),
                body=body,
            )
        return request

    def _mask_request(self, request: Request) -> Request:
        return replace(
            request,
            url=self.text(request.url),
            headers=tuple((name, self.text(value)) for name, value in request.headers),
            body=None if request.body is None else self.data(request.body),
        )

    def _mask_response(self, response: HttpResponse) -> HttpResponse:
        return replace(
            response,
            headers=tuple(
                (name, FILTERED if name.lower() in SENSITIVE_RESPONSE_HEADERS else self.text(value))
                for name, value in response.headers
            ),
            body=self.data(response.body, keeps_names=True),  # without them it would break its schema
        )

    @cached_property
    def _patterns(self) -> tuple[tuple[re.Pattern[str], str], ...]:
        """The forms of all secrets, the longest first. A short one is replaced only as a whole word: other
        text could contain it by chance.
        """
        forms = {
            form: placeholder_text
            for placeholder in self.placeholders
            for form, placeholder_text in reversed([*placeholder.forms()])
        }
        return tuple(
            (re.compile(_as_pattern(form)), forms[form]) for form in sorted(forms, key=len, reverse=True)
        )


def is_word(secret: str) -> bool:
    """Return whether a secret is a word that other text has too."""
    return secret.isalpha() and len(secret) <= LONGEST_WORD


def _as_pattern(form: str) -> str:
    if len(form) > SHORTEST_CUT:
        return re.escape(form)
    return rf"(?<![A-Za-z0-9]){re.escape(form)}(?![A-Za-z0-9])"


def _plain_forms(secret: str) -> set[str]:
    """Return a secret as it is written in texts, addresses, forms and JSON."""
    return {
        secret,
        quote(secret, safe=""),
        quote_plus(secret),
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
    }


def _base64(secret: str) -> str:
    return base64.b64encode(secret.encode()).decode()
