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
    MultipartPart,
    SampleRequest,
    Secret,
    TextBody,
    TextOrSecrets,
    format_words,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _BodyCode:
    """What a body needs: statements before the request, expressions, packages to import, functions."""

    statements: tuple[str, ...] = ()
    reader: str = "nil"
    media_type: str = ""
    packages: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()


def write(request: SampleRequest) -> str:
    """Return the program."""
    content = _body_code(request.body)
    address = _argument(request.full_url, in_address=True)
    statements = [
        *content.statements,
        f"req, err := http.NewRequest({_string_literal(request.method)}, {address}, {content.reader})",
        *_EXIT_ON_ERROR,
        *_header_statements(request, content.media_type),
        *(_CERTIFICATE if request.has_certificate else ()),
        *_PRINT_RESPONSE,
    ]
    functions = [f"func main() {{\n{_indent_statements(statements)}\n}}", *content.functions]
    return "\n\n".join(["package main", _import_block(request, content), *functions])


_EXIT_ON_ERROR = ("if err != nil {", "\tlog.Fatal(err)", "}")
_CERTIFICATE = (
    "",
    "// The server asks for a client certificate: give the client below a Transport whose",
    "// TLSClientConfig has one (tls.LoadX509KeyPair).",
)
_PRINT_RESPONSE = (
    "",
    "client := &http.Client{Timeout: 10 * time.Second}",
    "resp, err := client.Do(req)",
    *_EXIT_ON_ERROR,
    "content, err := io.ReadAll(resp.Body)",
    "resp.Body.Close()",
    *_EXIT_ON_ERROR,
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


def _indent_statements(statements: Iterable[str]) -> str:
    """Return statements within a function; further lines of one belong to a text and stay where they are."""
    return "\n".join(f"\t{one}" if one else "" for one in statements)


def _import_block(request: SampleRequest, content: _BodyCode) -> str:
    packages = {"fmt", "io", "log", "net/http", "time", *content.packages}
    in_query = any(isinstance(one, Secret) for _, value in request.query for one in value)
    in_header = any(isinstance(one, Secret) for _, value in request.headers for one in value)
    if in_query:
        packages.add("net/url")
    if in_query or in_header or request.basic is not None:
        packages.add("os")
    return "import (\n" + "".join(f'\t"{one}"\n' for one in sorted(packages)) + ")"


def _header_statements(request: SampleRequest, media_type: str) -> list[str]:
    lines = [
        f"req.Header.Set({_string_literal(name)}, {_argument(value)})" for name, value in request.headers
    ]
    if request.basic is not None:
        name, password = (
            _environment_variable(request.basic.username),
            _environment_variable(request.basic.password),
        )
        lines = [f"req.SetBasicAuth({name}, {password})", *lines]
    return [*lines, f'req.Header.Set("Content-Type", {media_type})'] if media_type else lines


def _argument(words: TextOrSecrets, *, in_address: bool = False) -> str:
    """Return an argument, one of several, for a text with the environment's values put in."""
    secret = _url_escaped_variable if in_address else _environment_variable
    return "+".join(format_words(words, text=_string_literal, secret=secret)) or '""'


def _url_escaped_variable(secret: Secret) -> str:
    return f"url.QueryEscape({_environment_variable(secret)})"


def _environment_variable(secret: Secret) -> str:
    return f'os.Getenv("{secret.variable}")'


def _body_code(body: Body | None) -> _BodyCode:
    match body:
        case None:
            return _BodyCode()
        case JsonBody():
            return _string_body(_json_literal(body), body.media_type)
        case TextBody():
            return _string_body(_string_literal(body.text), body.media_type)
        case FormBody():
            return _form_body(body)
        case MultipartBody():
            return _multipart_body(body)
        case FileBody():
            return _file_body(body)
    assert_never(body)


def _string_body(text: str, media_type: str) -> _BodyCode:
    return _BodyCode(
        statements=(f"body := strings.NewReader({text})",),
        reader="body",
        media_type=_string_literal(media_type),
        packages=("strings",),
    )


def _form_body(body: FormBody) -> _BodyCode:
    fields = (f"form.Add({_string_literal(name)}, {_string_literal(value)})" for name, value in body.pairs)
    return _BodyCode(
        statements=("form := url.Values{}", *fields),
        reader="strings.NewReader(form.Encode())",
        media_type='"application/x-www-form-urlencoded"',
        packages=("net/url", "strings"),
    )


def _multipart_body(body: MultipartBody) -> _BodyCode:
    packages, functions = ["bytes", "mime/multipart"], []
    if any(part.media_type or part.is_file for part in body.parts):
        packages.append("net/textproto")
        functions.append(_ADD_PART)
    if any(part.is_file for part in body.parts):
        packages.append("os")
        functions.append(_READ_FILE)
    return _BodyCode(
        statements=(
            "var body bytes.Buffer",
            "form := multipart.NewWriter(&body)",
            *map(_add_part_call, body.parts),
            "form.Close()",
        ),
        reader="&body",
        media_type="form.FormDataContentType()",
        packages=tuple(packages),
        functions=tuple(functions),
    )


def _add_part_call(part: MultipartPart) -> str:
    kind = part.media_type or ("application/octet-stream" if part.is_file else "")
    if not kind:
        return f"form.WriteField({_string_literal(part.name)}, {_string_literal(part.value)})"
    content = (
        f"readFile({_string_literal(part.value)})"
        if part.is_file
        else f"[]byte({_string_literal(part.value)})"
    )
    return f"addPart(form, {_string_literal(part.disposition)}, {_string_literal(kind)}, {content})"


def _file_body(body: FileBody) -> _BodyCode:
    return _BodyCode(
        statements=(f"file, err := os.ReadFile({_string_literal(body.name)})", *_EXIT_ON_ERROR),
        reader="bytes.NewReader(file)",
        media_type=_string_literal(body.media_type),
        packages=("bytes", "os"),
    )


def _json_literal(body: JsonBody) -> str:
    """Return JSON as a text of several lines; what cannot stand in one is escaped as JSON does."""
    return "`" + "".join(_escape_json_character(one) for one in body.text) + "`"


def _escape_json_character(character: str) -> str:
    if character == "`":
        return r"\u0060"
    return character if character.isprintable() or character == "\n" else json.dumps(character)[1:-1]


_ESCAPES = {"\\": r"\\", '"': r"\"", "\n": r"\n", "\r": r"\r", "\t": r"\t"}


def _string_literal(text: str) -> str:
    """Return a Go literal, raw where that spares escapes."""
    raw = "`" not in text and all(line.isprintable() for line in text.split("\n"))
    if raw and any(one in text for one in '"\\\n'):
        return f"`{text}`"
    return '"' + "".join(_ESCAPES.get(one) or _escape_character(one) for one in text) + '"'


def _escape_character(character: str) -> str:
    if character.isprintable():
        return character
    return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else f"\\U{ord(character):08x}"
