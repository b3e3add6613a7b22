"""Samples for Node.js 18 and later, with its own fetch, as an ES module."""

import json
import re
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
)


def write(request: SampleRequest) -> str:
    """Return the program."""
    before, body, media_type = _body_code(request.body)
    headers = [f"{_object_key(name)}: {_expression(value)}" for name, value in request.headers]
    if request.basic is not None:
        name, password = (
            _environment_variable(request.basic.username),
            _environment_variable(request.basic.password),
        )
        both = f'Buffer.from({name} + ":" + {password})'
        headers.insert(0, f'Authorization: "Basic " + {both}.toString("base64")')
    if media_type:
        headers.append(
            f'"Content-Type": {media_type if media_type == _MANUAL_MULTIPART_TYPE else _string_literal(media_type)}'
        )
    options = [] if request.method == "GET" else [f"method: {_string_literal(request.method)}"]
    if headers:
        options.append("headers: {\n" + "".join(f"    {header},\n" for header in headers) + "  }")
    if body:
        options.append(f"body: {body}")
    call = f"const response = await fetch({_expression(request.full_url, in_address=True)}"
    if options:
        call += ", {\n" + "".join(f"  {option},\n" for option in options) + "}"
    if request.has_certificate:
        before = [
            *before,
            "// The server asks for a client certificate: give fetch a dispatcher with one (undici).",
        ]
    check = "if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);"
    return "\n".join([*before, f"{call});", check, "console.log(await response.text());"])


_MAX_INT = 2**53 - 1


def _expression(words: TextOrSecrets, *, in_address: bool = False) -> str:
    """Return an expression for a text with the environment's values put in."""
    match words:
        case ():
            return '""'
        case (str() as text,):
            return _string_literal(text)
        case (Secret() as secret,):
            return _environment_variable(secret)
    pieces = [
        _escape_template(one)
        if isinstance(one, str)
        else "${"
        + (f"encodeURIComponent({_environment_variable(one)})" if in_address else _environment_variable(one))
        + "}"
        for one in words
    ]
    return f"`{''.join(pieces)}`"


def _environment_variable(secret: Secret) -> str:
    return f"process.env.{secret.variable}"


def _body_code(body: Body | None) -> tuple[list[str], str, str]:
    """Return the lines before the call, the body, and the media type to name in a header."""
    match body:
        case None:
            return [], "", ""
        case JsonBody() if body.has_number_beyond(_MAX_INT):
            return [], _multiline_literal(body.text), body.media_type
        case JsonBody():
            return [], f"JSON.stringify({_json_expression(body)})", body.media_type
        case TextBody():
            return [], _multiline_literal(body.text), body.media_type
        case FormBody():
            pairs = "".join(
                f"    [{_string_literal(name)}, {_string_literal(value)}],\n" for name, value in body.pairs
            )
            return [], f"new URLSearchParams([\n{pairs}  ])", ""
        case MultipartBody() if any(part.media_type and not part.is_file for part in body.parts):
            return _manual_multipart_lines(body), "body", _MANUAL_MULTIPART_TYPE
        case MultipartBody():
            return _form_data_lines(body), "form", ""
        case FileBody():
            return [_READ_FILE, ""], f"await readFile({_string_literal(body.name)})", body.media_type
    assert_never(body)


_READ_FILE = 'import { readFile } from "node:fs/promises";'


def _json_expression(body: JsonBody) -> str:
    """Return a JSON value as an expression; `__proto__` is a plain name only in brackets."""
    text = json.dumps(body.value, ensure_ascii=False, indent=2).replace("\n", "\n  ")
    return re.sub(r'^(\s*)"__proto__":', r'\1["__proto__"]:', text, flags=re.MULTILINE)


def _form_data_lines(body: MultipartBody) -> list[str]:
    lines = ["const form = new FormData();", *(_append_call(part) for part in body.parts), ""]
    return [_READ_FILE, "", *lines] if any(part.is_file for part in body.parts) else lines


def _append_call(part: MultipartPart) -> str:
    name, kind = (
        _string_literal(part.name),
        f", {{ type: {_string_literal(part.media_type)} }}" if part.media_type else "",
    )
    if part.is_file:
        file = _string_literal(part.value)
        return f"form.append({name}, new Blob([await readFile({file})]{kind}), {file});"
    return f"form.append({name}, {_string_literal(part.value)});"


_MANUAL_MULTIPART_TYPE = "`multipart/form-data; boundary=${boundary}`"
"""An expression for the media type of a body whose parts are put together by the sample."""


def _manual_multipart_lines(body: MultipartBody) -> list[str]:
    """Return the lines that put the parts together (RFC 7578).

    A `FormData` takes a media type only with the name of a file, and a server takes such a part for a file.
    """
    imports = ['import { randomUUID } from "node:crypto";']
    imports += [_READ_FILE] if any(part.is_file for part in body.parts) else []
    return [
        *imports,
        "",
        "const parts = [",
        *(f"  {_part_tuple(part)}," for part in body.parts),
        "];",
        "const boundary = randomUUID();",
        "const body = new Blob([",
        "  ...parts.flatMap(([disposition, type, content]) => [",
        r"    `--${boundary}\r\nContent-Disposition: ${disposition}\r\n`,",
        r'    type ? `Content-Type: ${type}\r\n` : "",',
        r'    "\r\n", content, "\r\n",',
        "  ]),",
        r"  `--${boundary}--\r\n`,",
        "]);",
        "",
    ]


def _part_tuple(part: MultipartPart) -> str:
    media_type = part.media_type or ("application/octet-stream" if part.is_file else "")
    content = (
        f"await readFile({_string_literal(part.value)})" if part.is_file else _string_literal(part.value)
    )
    return f"[{_string_literal(part.disposition)}, {_string_literal(media_type)}, {content}]"


def _string_literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _multiline_literal(text: str) -> str:
    """Return a text of several lines as such, unless it has what cannot be seen."""
    lines = text.split("\n")
    if len(lines) == 1 or not all(line.isprintable() for line in lines):
        return _string_literal(text)
    return f"`{_escape_template(text)}`"


def _escape_template(text: str) -> str:
    return re.sub(r"[\\`]|\$(?=\{)", r"\\\g<0>", text)


def _object_key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_$][\w$]*", name, re.ASCII) else _string_literal(name)
