"""The request that a sample sends, as a value: chosen from the contract once, written out per language."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A credential, read from an environment variable: a sample never holds a secret."""

    variable: str = "API_KEY"


Words = tuple[str | Secret, ...]
"""A text in pieces, in order: what is written as it is, and what comes from the environment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonBody:
    """A body whose value is written as JSON."""

    media_type: str
    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class FormBody:
    """A body of type `application/x-www-form-urlencoded`: names and values, not yet encoded."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part of a multipart body; `value` is the name of a file to send where `is_file` says so."""

    name: str
    value: str
    is_file: bool = False
    media_type: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MultipartBody:
    """A body of type `multipart/form-data`."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBody:
    """A body that is written as it is."""

    media_type: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileBody:
    """A body that is the content of a file."""

    media_type: str
    name: str


Body = JsonBody | FormBody | MultipartBody | TextBody | FileBody


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleRequest:
    """A request with example values. `url` is percent-encoded and has no query; `query` is not encoded.

    `basic` holds `user:password` for HTTP basic authentication; other credentials are in `query` and
    `headers`.
    """

    method: str
    url: str
    query: tuple[tuple[str, Words], ...] = ()
    headers: tuple[tuple[str, Words], ...] = ()
    basic: Secret | None = None
    body: Body | None = None

    @property
    def full_url(self) -> Words:
        """The address with its query, percent-encoded but for what comes from the environment."""
        words: list[str | Secret] = [self.url]
        for number, (name, value) in enumerate(self.query):
            words.append(f"{'&' if number else '?'}{quote(name, safe='')}=")
            words += [one if isinstance(one, Secret) else quote(one, safe=",:@") for one in value]
        return joined(words)


def joined(words: list[str | Secret]) -> Words:
    """Return the words with neighbouring texts put together."""
    merged: list[str | Secret] = []
    for word in words:
        if merged and isinstance(word, str) and isinstance(merged[-1], str):
            merged[-1] += word
        else:
            merged.append(word)
    return tuple(merged)
