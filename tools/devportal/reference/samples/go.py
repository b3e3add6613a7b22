"""Samples for Go, with its standard library: a whole program, formatted as gofmt does."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from devportal.reference.samples.request import (
    Body,
    FileBody,
    FormBody,
    JsonBody,
    MultipartBody,
    Part,
    SampleRequest,
    Secret,
    TextBody,
    Words,
    pieces_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Content:
    """What a body needs: statements before the request, expressions, packages to import, functions."""

    statements: tuple[str, ...] = ()
    reader: str = "nil"
    media_type: str = ""
    packages: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()


def write(request: SampleRequest) -> str:
    """Return the program."""
    content = _content(request.body)
    address = _words(request.full_url, in_address=True)
    statements = [
        *content.statements,
        f"req, err := http.NewRequest({_text(request.method)}, {address}, {content.reader})",
        *_FATAL,
        *_headers(request, content.media_type),
        *(_CERTIFICATE if request.has_certificate else ()),
        *_ANSWER,
    ]
    functions = [f"func main() {{\n{_indented(statements)}\n}}", *content.functions]
    return "\n\n".join(["package main", _imports(request, content), *functions])


_FATAL = ("if err != nil {", "\tlog.Fatal(err)", "}")
_CERTIFICATE = (
    "",
    "// The server asks for a client certificate: give the client below a Transport whose",
    "// TLSClientConfig has one (tls.LoadX509KeyPair).",
)
_ANSWER = (
    "",
    "client := &http.Client{Timeout: 10 * time.Second}",
    "resp, err := client.Do(req)",
    *_FATAL,
    "content, err := io.ReadAll(resp.Body)",
    "resp.Body.Close()",
    *_FATAL,
    "if resp.StatusCode > 299 {",
    '\tlog.Fatalf("%s: %s", resp.Status, content)',
    "}",
    "fmt.Println(string(content))",
)
_ADD_PART = """\
func addPart(form *multipart.Writer, disposition, mediaType string, content []byte) {
	part, err := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {disposition},
		"Content-Type":        {mediaType},
	})
	if err != nil {
		log.Fatal(err)
	}
	part.Write(content)
}"""
_READ_FILE = """\
func readFile(name string) []byte {
	content, err := os.ReadFile(name)
	if err != nil {
		log.Fatal(err)
	}
	return content
}"""


def _indented(statements: Iterable[str]) -> str:
    """Return statements within a function; further lines of one belong to a text and stay where they are."""
    return "\n".join(f"\t{one}" if one else "" for one in statements)


def _imports(request: SampleRequest, content: _Content) -> str:
    packages = {"fmt", "io", "log", "net/http", "time", *content.packages}
    in_query = any(isinstance(one, Secret) for _, value in request.query for one in value)
    in_header = any(isinstance(one, Secret) for _, value in request.headers for one in value)
    if in_query:
        packages.add("net/url")
    if in_query or in_header or request.basic is not None:
        packages.add("os")
    return "import (\n" + "".join(f'\t"{one}"\n' for one in sorted(packages)) + ")"


def _headers(request: SampleRequest, media_type: str) -> list[str]:
    lines = [f"req.Header.Set({_text(name)}, {_words(value)})" for name, value in request.headers]
    if request.basic is not None:
        name, password = _environment(request.basic.username), _environment(request.basic.password)
        lines = [f"req.SetBasicAuth({name}, {password})", *lines]
    return [*lines, f'req.Header.Set("Content-Type", {media_type})'] if media_type else lines


def _words(words: Words, *, in_address: bool = False) -> str:
    """Return an argument, one of several, for a text with the environment's values put in."""
    secret = _escaped if in_address else _environment
    return "+".join(pieces_of(words, text=_text, secret=secret)) or '""'


def _escaped(secret: Secret) -> str:
    return f"url.QueryEscape({_environment(secret)})"


def _environment(secret: Secret) -> str:
    return f'os.Getenv("{secret.variable}")'


def _content(body: Body | None) -> _Content:
    match body:
        case None:
            return _Content()
        case JsonBody():
            return _string(_json(body), body.media_type)
        case TextBody():
            return _string(_text(body.text), body.media_type)
        case FormBody():
            return _form(body)
        case MultipartBody():
            return _multipart(body)
        case FileBody():
            return _file(body)
    assert_never(body)


def _string(text: str, media_type: str) -> _Content:
    return _Content(
        statements=(f"body := strings.NewReader({text})",),
        reader="body",
        media_type=_text(media_type),
        packages=("strings",),
    )


def _form(body: FormBody) -> _Content:
    fields = (f"form.Add({_text(name)}, {_text(value)})" for name, value in body.pairs)
    return _Content(
        statements=("form := url.Values{}", *fields),
        reader="strings.NewReader(form.Encode())",
        media_type='"application/x-www-form-urlencoded"',
        packages=("net/url", "strings"),
    )


def _multipart(body: MultipartBody) -> _Content:
    packages, functions = ["bytes", "mime/multipart"], []
    if any(part.media_type or part.is_file for part in body.parts):
        packages.append("net/textproto")
        functions.append(_ADD_PART)
    if any(part.is_file for part in body.parts):
        packages.append("os")
        functions.append(_READ_FILE)
    return _Content(
        statements=(
            "var body bytes.Buffer",
            "form := multipart.NewWriter(&body)",
            *map(_part, body.parts),
            "form.Close()",
        ),
        reader="&body",
        media_type="form.FormDataContentType()",
        packages=tuple(packages),
        functions=tuple(functions),
    )


def _part(part: Part) -> str:
    kind = part.media_type or ("application/octet-stream" if part.is_file else "")
    if not kind:
        return f"form.WriteField({_text(part.name)}, {_text(part.value)})"
    content = f"readFile({_text(part.value)})" if part.is_file else f"[]byte({_text(part.value)})"
    return f"addPart(form, {_text(part.disposition)}, {_text(kind)}, {content})"


def _file(body: FileBody) -> _Content:
    return _Content(
        statements=(f"file, err := os.ReadFile({_text(body.name)})", *_FATAL),
        reader="bytes.NewReader(file)",
        media_type=_text(body.media_type),
        packages=("bytes", "os"),
    )


def _json(body: JsonBody) -> str:
    """Return JSON as a text of several lines; what cannot stand in one is escaped as JSON does."""
    return "`" + "".join(_json_seen(one) for one in body.text) + "`"


def _json_seen(character: str) -> str:
    if character == "`":
        return r"\u0060"
    return character if character.isprintable() or character == "\n" else json.dumps(character)[1:-1]


_ESCAPES = {"\\": r"\\", '"': r"\"", "\n": r"\n", "\r": r"\r", "\t": r"\t"}


def _text(text: str) -> str:
    """Return a Go literal, raw where that spares escapes."""
    raw = "`" not in text and all(line.isprintable() for line in text.split("\n"))
    if raw and any(one in text for one in '"\\\n'):
        return f"`{text}`"
    return '"' + "".join(_ESCAPES.get(one) or _seen(one) for one in text) + '"'


def _seen(character: str) -> str:
    if character.isprintable():
        return character
    return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else f"\\U{ord(character):08x}"
