"""The request that samples send, and the operation it is a sample of."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from urllib.parse import quote

from devportal.contract import Example, MediaType, Operation, Schema
from devportal.contract.media_types import is_json, is_xml, media_type_essence
from devportal.contract.wire_format.serialisation import scalar_text
from devportal.documents.writing import to_indented_json
from devportal.reference.samples.json_patch import is_json_patch, patched_schema
from devportal.reference.schema.examples import body_value


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A credential, read from an environment variable: a sample never holds a secret."""

    variable: str = "API_KEY"


@dataclass(frozen=True, slots=True, kw_only=True)
class Basic:
    """What HTTP basic authentication asks for; a key alone is the name, with an empty password."""

    username: Secret = Secret(variable="API_USERNAME")
    password: Secret = Secret(variable="API_PASSWORD")


TextOrSecrets = tuple[str | Secret, ...]
"""A text in parts, in order: literal text, and secrets from the environment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonBody:
    """A body whose value is written as JSON."""

    kind: ClassVar = "json"
    media_type: str
    value: Any

    @property
    def text(self) -> str:
        """The value as JSON text of several lines."""
        return to_indented_json(self.value)

    def has_number_beyond(self, largest: float) -> bool:
        """Say whether there is a number that a language with this largest integer cannot send exactly."""
        return any(abs(whole_number) > largest for whole_number in _whole_numbers(self.value))


def _whole_numbers(value: Any) -> Iterator[int]:
    match value:
        case dict():
            for item in value.values():
                yield from _whole_numbers(item)
        case list():
            for item in value:
                yield from _whole_numbers(item)
        case int():
            yield value


@dataclass(frozen=True, slots=True, kw_only=True)
class FormBody:
    """A body of type `application/x-www-form-urlencoded`: names and values, not yet encoded."""

    kind: ClassVar = "form"
    pairs: tuple[tuple[str, str], ...]

    @property
    def has_unique_names(self) -> bool:
        """Whether all names are unique."""
        return len(dict(self.pairs)) == len(self.pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class MultipartPart:
    """One part of a multipart body; `value` is the name of a file to send if `is_file`."""

    name: str
    value: str
    is_file: bool = False
    media_type: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    """Headers of the part beside those that every part has."""

    @property
    def content_type(self) -> str:
        """The media type that the part has, whether or not it is sent (RFC 7578 §4.4)."""
        return self.media_type or ("application/octet-stream" if self.is_file else "text/plain")

    @property
    def all_headers(self) -> tuple[tuple[str, str], ...]:
        """All headers that are sent: names are quoted as browsers do (HTML §4.10.22.8), every file has a media
        type.
        """
        file = f'; filename="{_escape_disposition(self.value)}"' if self.is_file else ""
        disposition = f'form-data; name="{_escape_disposition(self.name)}"{file}'
        typed = (("Content-Type", self.content_type),) if self.media_type or self.is_file else ()
        return (("Content-Disposition", disposition), *typed, *self.headers)

    @property
    def head(self) -> str:
        """All headers as they stand before the content."""
        return "\r\n".join(f"{name}: {value}" for name, value in self.all_headers)


def _escape_disposition(name: str) -> str:
    return name.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")


@dataclass(frozen=True, slots=True, kw_only=True)
class MultipartBody:
    """A body of type `multipart/form-data`."""

    kind: ClassVar = "multipart"
    parts: tuple[MultipartPart, ...]

    @property
    def has_files(self) -> bool:
        """Whether a part is a file."""
        return any(part.is_file for part in self.parts)

    @property
    def has_further_headers(self) -> bool:
        """Whether a part has headers that `FormData` does not write: a media type without a file, or others."""
        return any(part.headers or (part.media_type and not part.is_file) for part in self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBody:
    """A body that is written as it is."""

    kind: ClassVar = "text"
    media_type: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileBody:
    """A body that is the content of a file. `content` says what the file has to hold, in a sentence on one line, if
    it is made for this request.
    """

    kind: ClassVar = "file"
    media_type: str
    name: str
    content: str = ""


Body = JsonBody | FormBody | MultipartBody | TextBody | FileBody


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleRequest:
    """A request with example values. `url` is percent-encoded; `query` is not.

    A part of the query may stand in `url`: what keeps its reserved characters. Credentials other than
    `basic` are in `query` and `headers`.
    """

    method: str
    url: str
    query: tuple[tuple[str, TextOrSecrets], ...] = ()
    headers: tuple[tuple[str, TextOrSecrets], ...] = ()
    basic: Basic | None = None
    has_certificate: bool = False
    """Whether the client shows a certificate (mutual TLS)."""
    missing_credential: str = ""
    """Which credential is missing, and why, in a sentence on one line; empty if none is."""
    body: Body | None = None
    is_stream: bool = False
    """Whether the response is a stream: samples print what has arrived, and wait for more."""
    notes: tuple[str, ...] = ()
    """What readers have to know before they send it, such as values to replace; each is a comment."""

    @property
    def full_url(self) -> TextOrSecrets:
        """The address with its query, percent-encoded but for what comes from the environment."""
        return self._address(self.query)

    @property
    def plain_url(self) -> TextOrSecrets:
        """The address with that part of its query that does not come from the environment."""
        return self._address(pair for pair in self.query if not _has_secret(pair[1]))

    @property
    def secret_query(self) -> tuple[tuple[str, TextOrSecrets], ...]:
        """The part of the query that comes from the environment."""
        return tuple(pair for pair in self.query if _has_secret(pair[1]))

    @property
    def has_secret(self) -> bool:
        """Whether anything comes from the environment."""
        return self.basic is not None or any(_has_secret(item) for _, item in (*self.query, *self.headers))

    @property
    def header_names(self) -> tuple[str, ...]:
        """The names of the headers in lower case."""
        return tuple(name.lower() for name, _ in self.headers)

    def _address(self, query: Iterable[tuple[str, TextOrSecrets]]) -> TextOrSecrets:
        words: list[str | Secret] = [self.url]
        joint = "&" if "?" in self.url else "?"
        for name, value in query:
            words.append(f"{joint}{quote(name, safe='')}=")
            joint = "&"
            words += [text if isinstance(text, Secret) else quote(text, safe=",:@") for text in value]
        return merge_texts(words)


def _has_secret(words: TextOrSecrets) -> bool:
    return any(isinstance(word, Secret) for word in words)


def merge_texts(words: Sequence[str | Secret]) -> TextOrSecrets:
    """Return the words with neighbouring texts put together."""
    merged: list[str | Secret] = []
    for word in words:
        if merged and isinstance(word, str) and isinstance(merged[-1], str):
            merged[-1] += word
        else:
            merged.append(word)
    return tuple(merged)


MAX_MEDIA_TYPES = 3
MAX_EXAMPLES = 6
MAX_LENGTH = 20_000
"""How many media types of a body have samples; how many examples of the first, and how many characters these
bodies have in all; also how many a body has that is made from a schema, which may hold an example of any
length.

Each stands on the page once per language, and a command line takes no more than 128 KiB. What is longer is
sent from a file; the page shows it with the fields.
"""
_FURTHER_EXAMPLES = 2
_FURTHER_LENGTH = 5_000
"""The same for each further media type: there it is to be seen how a body is written, and less what."""
_METHODS_WITHOUT_BODY = frozenset({"GET", "HEAD", "TRACE"})
"""Methods whose body has no meaning (RFC 9110 §9.3); clients refuse to send one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledMediaType:
    """A media type that has samples, with the examples that have a separate one.

    `room` is how many characters a body has at most that is made for it. `patched` is the schema of what the body
    changes, if it is a JSON Patch.
    """

    media_type: MediaType
    examples: tuple[Example, ...]
    room: int
    patched: Schema | None = None


def sampled_media_types(operation: Operation) -> tuple[SampledMediaType, ...]:
    """Return the media types of the samples: JSON first, then forms, multipart, XML, and others."""
    selected = (
        _select_examples(request_media_type, MAX_EXAMPLES, MAX_LENGTH)
        if number == 0
        else _select_examples(request_media_type, _FURTHER_EXAMPLES, _FURTHER_LENGTH)
        for number, request_media_type in enumerate(_request_media_types(operation))
    )
    return tuple(
        replace(sampled, patched=patched_schema(operation)) if is_json_patch(sampled.media_type) else sampled
        for sampled in selected
    )


def embedded_examples(media_type: MediaType) -> tuple[Example, ...]:
    """Return the examples whose values are in the contract."""
    return tuple(example for example in media_type.examples if example.has_value)


def _request_media_types(operation: Operation) -> tuple[MediaType, ...]:
    if operation.request_body is None or operation.method in _METHODS_WITHOUT_BODY:
        return ()
    return tuple(_distinct_media_types(sorted(operation.request_body.content, key=_media_type_rank)))[
        :MAX_MEDIA_TYPES
    ]


def _distinct_media_types(content: list[MediaType]) -> Iterator[MediaType]:
    """Yield media types without ranges and without those that are another name for one before; a first one
    is there in any case.
    """
    seen = set()
    for number, media_type in enumerate(content):
        shared = (
            (_media_type_rank(media_type), media_type.schema.ref)
            if media_type.schema is not None and media_type.schema.ref
            else None
        )
        is_another_name = shared in seen and not embedded_examples(media_type)
        if number == 0 or not (is_another_name or "*" in media_type.name):
            yield media_type
        if shared is not None:
            seen.add(shared)


def _media_type_rank(media_type: MediaType) -> int:
    name = media_type_essence(media_type.name)
    kinds = (
        is_json(name),
        name == "application/x-www-form-urlencoded",
        name.startswith("multipart/"),
        is_xml(name),
        True,
    )
    return kinds.index(True)


def _select_examples(media_type: MediaType, most: int, room: int) -> SampledMediaType:
    left, shown = room, []
    for embedded_example in embedded_examples(media_type)[:most]:
        length = len(scalar_text(body_value(embedded_example, media_type.name)))
        if length <= left:
            left -= length
            shown.append(embedded_example)
    return SampledMediaType(media_type=media_type, examples=tuple(shown), room=room)
