"""Samples for PHP 8, with its own streams: they need no extension, and can send one name several times."""

from typing import Any, assert_never
from urllib.parse import quote

from devportal.reference.samples.request import (
    CERTIFICATE,
    KEY,
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
    joined,
    pieces_of,
)

_OPTION = " " * 4
_MAX_INT = 2**63 - 1
_MADE_HERE = "$body"
"""An expression for a body whose parts are put together by the sample, with its own `$boundary`."""


def write(request: SampleRequest) -> str:
    """Return the program."""
    before, body, media_type = _body(request.body)
    options = {"method": literal(request.method)}
    headers = _headers(request, media_type, is_made_here=body == _MADE_HERE)
    if headers:
        options["header"] = _listed(headers, 1)
    if not any(name.lower() == "user-agent" for name, _ in request.headers):
        options["user_agent"] = "'PHP'"  # other clients name themselves; there are servers that insist
    if body:
        options["content"] = body
    lines = ["<?php", "", *before]
    lines += ["$context = stream_context_create(['http' => ["]
    lines += [f"{_OPTION}'{name}' => {value}," for name, value in options.items()]
    if request.has_certificate:
        lines += ["], 'ssl' => ["]
        lines += [
            f"{_OPTION}'local_cert' => {literal(CERTIFICATE)},",
            f"{_OPTION}'local_pk' => {literal(KEY)},",
        ]
    lines += ["]]);"]
    lines += [f"$response = file_get_contents({_words(request.full_url, in_address=True)}, false, $context);"]
    lines += ["if ($response === false) {", "    exit(1); // PHP has said why", "}", "echo $response;"]
    return "\n".join(lines)


def _headers(request: SampleRequest, media_type: str, *, is_made_here: bool) -> list[str]:
    headers = [_words(joined([f"{name}: ", *value])) for name, value in request.headers]
    if request.basic is not None:
        name, password = _environment(request.basic.username), _environment(request.basic.password)
        headers.insert(0, f"'Authorization: Basic ' . base64_encode({name} . ':' . {password})")
    if is_made_here:
        return [*headers, f'"Content-Type: {media_type}; boundary=$boundary"']
    return [*headers, literal(f"Content-Type: {media_type}")] if media_type else headers


def _listed(items: list[str], depth: int) -> str:
    """Return an array with one line per item, indented for what stands at a depth."""
    indent, end = "    " * (depth + 1), "    " * depth
    return "[\n" + "".join(f"{indent}{item},\n" for item in items) + f"{end}]"


def _words(words: Words, *, in_address: bool = False) -> str:
    """Return an expression for a text with the environment's values put in."""
    secret = _escaped if in_address else _environment
    return " . ".join(pieces_of(words, text=literal, secret=secret)) or "''"


def _escaped(secret: Secret) -> str:
    return f"urlencode({_environment(secret)})"


def _environment(secret: Secret) -> str:
    return f"getenv('{secret.variable}')"


def _body(body: Body | None) -> tuple[list[str], str, str]:
    """Return the lines before the call, the body, and its media type."""
    match body:
        case None:
            return [], "", ""
        case JsonBody():
            return [], _json(body), body.media_type
        case TextBody():
            return [], _lines(body.text), body.media_type
        case FormBody():
            return [], _form(body), "application/x-www-form-urlencoded"
        case MultipartBody():
            return _multipart(body), _MADE_HERE, "multipart/form-data"
        case FileBody():
            return [], _file(body.name), body.media_type
    assert_never(body)


def _json(body: JsonBody) -> str:
    """Return an expression for JSON text; a number that PHP cannot hold stands in the text as it is."""
    if body.has_number_beyond(_MAX_INT):
        return _lines(body.text)
    return f"json_encode({written(body.value, 1)})"


def _form(body: FormBody) -> str:
    """Return an expression for a form; an array of PHP has each name once."""
    names = [name for name, _ in body.pairs]
    if len(set(names)) == len(names):
        fields = [f"{literal(name)} => {literal(value)}" for name, value in body.pairs]
        return f"http_build_query({_listed(fields, 1)})"
    fields = [f"{literal(quote(name) + '=')} . urlencode({literal(value)})" for name, value in body.pairs]
    return f"implode('&', {_listed(fields, 1)})"


def _file(name: str) -> str:
    return f"file_get_contents({literal(name)})"


def _multipart(body: MultipartBody) -> list[str]:
    """Return the lines that put the parts together (RFC 7578); PHP has nothing of its own for that."""
    return [
        "$parts = [",
        *(f"    {_part(part)}," for part in body.parts),
        "];",
        "$boundary = bin2hex(random_bytes(16));",
        "$body = '';",
        "foreach ($parts as [$disposition, $type, $content]) {",
        r'    $body .= "--$boundary\r\nContent-Disposition: $disposition\r\n";',
        r"""    $body .= $type ? "Content-Type: $type\r\n" : '';""",
        r'    $body .= "\r\n$content\r\n";',
        "}",
        r'$body .= "--$boundary--\r\n";',
        "",
    ]


def _part(part: Part) -> str:
    media_type = part.media_type or ("application/octet-stream" if part.is_file else "")
    content = _file(part.value) if part.is_file else literal(part.value)
    return f"[{literal(part.disposition)}, {literal(media_type)}, {content}]"


def written(value: Any, depth: int) -> str:
    """Return a JSON value as a PHP expression, indented for what stands at a depth."""
    match value:
        case dict():
            members = [f"{literal(str(key))} => {written(one, depth + 1)}" for key, one in value.items()]
            cast = "(object) " if [*value] == [*map(str, range(len(value)))] else ""
            return f"{cast}{_listed(members, depth)}" if value else "new stdClass()"
        case list():
            return _listed([written(one, depth + 1) for one in value], depth) if value else "[]"
        case str():
            return literal(value)
        case bool():
            return "true" if value else "false"
        case None:
            return "null"
    return repr(value)


_ESCAPES = {"\\": r"\\", '"': r"\"", "$": r"\$", "\n": r"\n", "\r": r"\r", "\t": r"\t"}


def literal(text: str) -> str:
    """Return a PHP literal: in single quotes, or in double quotes where a character cannot be seen."""
    if text.isprintable():
        return "'" + text.replace("\\", r"\\").replace("'", r"\'") + "'"
    return '"' + "".join(_ESCAPES.get(one) or _seen(one) for one in text) + '"'


def _seen(character: str) -> str:
    return character if character.isprintable() else f"\\u{{{ord(character):x}}}"


def _lines(text: str) -> str:
    """Return a text of several lines as such (a nowdoc), unless it has what cannot stand there."""
    lines = text.split("\n")
    if len(lines) == 1 or not all(line.isprintable() and "TEXT" not in line for line in lines):
        return literal(text)
    return "\n".join(["<<<'TEXT'", *(f"{_OPTION}{line}" for line in lines), f"{_OPTION}TEXT"])
