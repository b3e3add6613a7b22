"""Samples for PHP 8, with its own streams: they need no extension, and can send one name several times."""

from typing import Any, assert_never
from urllib.parse import quote

from devportal.reference.samples.request import (
    CERTIFICATE_FILE,
    CERTIFICATE_KEY_FILE,
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
    merge_texts,
)

_INDENT = " " * 4
_MAX_INT = 2**63 - 1
_BODY_VARIABLE = "$body"
"""An expression for a body whose parts are put together by the sample, with its own `$boundary`."""


def write(request: SampleRequest) -> str:
    """Return the program."""
    before, body, media_type = _body_code(request.body)
    options = {"method": php_literal(request.method)}
    headers = _header_lines(request, media_type, is_made_here=body == _BODY_VARIABLE)
    if headers:
        options["header"] = _array_literal(headers, 1)
    if not any(name.lower() == "user-agent" for name, _ in request.headers):
        options["user_agent"] = "'PHP'"  # other clients name themselves; there are servers that insist
    if body:
        options["content"] = body
    lines = ["<?php", "", *before]
    lines += ["$context = stream_context_create(['http' => ["]
    lines += [f"{_INDENT}'{name}' => {value}," for name, value in options.items()]
    if request.has_certificate:
        lines += ["], 'ssl' => ["]
        lines += [
            f"{_INDENT}'local_cert' => {php_literal(CERTIFICATE_FILE)},",
            f"{_INDENT}'local_pk' => {php_literal(CERTIFICATE_KEY_FILE)},",
        ]
    lines += ["]]);"]
    lines += [
        f"$response = file_get_contents({_expression(request.full_url, in_address=True)}, false, $context);"
    ]
    lines += ["if ($response === false) {", "    exit(1); // PHP has said why", "}", "echo $response;"]
    return "\n".join(lines)


def _header_lines(request: SampleRequest, media_type: str, *, is_made_here: bool) -> list[str]:
    headers = [_expression(merge_texts([f"{name}: ", *value])) for name, value in request.headers]
    if request.basic is not None:
        name, password = (
            _environment_variable(request.basic.username),
            _environment_variable(request.basic.password),
        )
        headers.insert(0, f"'Authorization: Basic ' . base64_encode({name} . ':' . {password})")
    if is_made_here:
        return [*headers, f'"Content-Type: {media_type}; boundary=$boundary"']
    return [*headers, php_literal(f"Content-Type: {media_type}")] if media_type else headers


def _array_literal(items: list[str], depth: int) -> str:
    """Return an array with one line per item, indented for what stands at a depth."""
    indent, end = "    " * (depth + 1), "    " * depth
    return "[\n" + "".join(f"{indent}{item},\n" for item in items) + f"{end}]"


def _expression(words: TextOrSecrets, *, in_address: bool = False) -> str:
    """Return an expression for a text with the environment's values put in."""
    secret = _url_escaped_variable if in_address else _environment_variable
    return " . ".join(format_words(words, text=php_literal, secret=secret)) or "''"


def _url_escaped_variable(secret: Secret) -> str:
    return f"urlencode({_environment_variable(secret)})"


def _environment_variable(secret: Secret) -> str:
    return f"getenv('{secret.variable}')"


def _body_code(body: Body | None) -> tuple[list[str], str, str]:
    """Return the lines before the call, the body, and its media type."""
    match body:
        case None:
            return [], "", ""
        case JsonBody():
            return [], _json_expression(body), body.media_type
        case TextBody():
            return [], _multiline_literal(body.text), body.media_type
        case FormBody():
            return [], _form_expression(body), "application/x-www-form-urlencoded"
        case MultipartBody():
            return _multipart_lines(body), _BODY_VARIABLE, "multipart/form-data"
        case FileBody():
            return [], _read_file_call(body.name), body.media_type
    assert_never(body)


def _json_expression(body: JsonBody) -> str:
    """Return an expression for JSON text; a number that PHP cannot hold stands in the text as it is."""
    if body.has_number_beyond(_MAX_INT):
        return _multiline_literal(body.text)
    return f"json_encode({php_expression(body.value, 1)})"


def _form_expression(body: FormBody) -> str:
    """Return an expression for a form; an array of PHP has each name once."""
    names = [name for name, _ in body.pairs]
    if len(set(names)) == len(names):
        fields = [f"{php_literal(name)} => {php_literal(value)}" for name, value in body.pairs]
        return f"http_build_query({_array_literal(fields, 1)})"
    fields = [
        f"{php_literal(quote(name) + '=')} . urlencode({php_literal(value)})" for name, value in body.pairs
    ]
    return f"implode('&', {_array_literal(fields, 1)})"


def _read_file_call(name: str) -> str:
    return f"file_get_contents({php_literal(name)})"


def _multipart_lines(body: MultipartBody) -> list[str]:
    """Return the lines that put the parts together (RFC 7578); PHP has nothing of its own for that."""
    return [
        "$parts = [",
        *(f"    {_part_lines(part)}," for part in body.parts),
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


def _part_lines(part: MultipartPart) -> str:
    media_type = part.media_type or ("application/octet-stream" if part.is_file else "")
    content = _read_file_call(part.value) if part.is_file else php_literal(part.value)
    return f"[{php_literal(part.disposition)}, {php_literal(media_type)}, {content}]"


def php_expression(value: Any, depth: int) -> str:
    """Return a JSON value as a PHP expression, indented for what stands at a depth."""
    match value:
        case dict():
            members = [
                f"{php_literal(str(key))} => {php_expression(one, depth + 1)}" for key, one in value.items()
            ]
            cast = "(object) " if [*value] == [*map(str, range(len(value)))] else ""
            return f"{cast}{_array_literal(members, depth)}" if value else "new stdClass()"
        case list():
            return _array_literal([php_expression(one, depth + 1) for one in value], depth) if value else "[]"
        case str():
            return php_literal(value)
        case bool():
            return "true" if value else "false"
        case None:
            return "null"
    return repr(value)


_ESCAPES = {"\\": r"\\", '"': r"\"", "$": r"\$", "\n": r"\n", "\r": r"\r", "\t": r"\t"}


def php_literal(text: str) -> str:
    """Return a PHP literal: in single quotes, or in double quotes where a character cannot be seen."""
    if text.isprintable():
        return "'" + text.replace("\\", r"\\").replace("'", r"\'") + "'"
    return '"' + "".join(_ESCAPES.get(one) or _escape_character(one) for one in text) + '"'


def _escape_character(character: str) -> str:
    return character if character.isprintable() else f"\\u{{{ord(character):x}}}"


def _multiline_literal(text: str) -> str:
    """Return a text of several lines as such (a nowdoc), unless it has what cannot stand there."""
    lines = text.split("\n")
    if len(lines) == 1 or not all(line.isprintable() and "TEXT" not in line for line in lines):
        return php_literal(text)
    return "\n".join(["<<<'TEXT'", *(f"{_INDENT}{line}" for line in lines), f"{_INDENT}TEXT"])
