"""Samples for Node.js 18 and later, with its own fetch, as an ES module."""

import json

from devportal.contract import In
from devportal.reference.samples.request import PLACEHOLDER, SampleRequest


def write(request: SampleRequest) -> str:
    """Return the program."""
    before, body, extra = _body(request)
    headers = [*_credential_header(request), *extra]
    headers += [f"{_key(name)}: {_text(value)}" for name, value in request.headers]
    options = [] if request.method == "GET" else [f"method: {_text(request.method)}"]
    if headers:
        options.append("headers: {\n" + "".join(f"    {header},\n" for header in headers) + "  }")
    if body:
        options.append(f"body: {body}")
    call = f"const response = await fetch({_url(request)}"
    if options:
        call += ", {\n" + "".join(f"  {option},\n" for option in options) + "}"
    check = "if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);"
    return "\n".join([*before, f"{call});", check, "console.log(await response.text());"])


def _url(request: SampleRequest) -> str:
    credential = request.credential
    if credential is not None and credential.carrier is In.QUERY:
        joint = "&" if request.query else "?"
        return f"`{request.full_url}{joint}{credential.name}=${{process.env.{PLACEHOLDER}}}`"
    return _text(request.full_url)


def _credential_header(request: SampleRequest) -> list[str]:
    credential = request.credential
    if credential is None or credential.carrier is not In.HEADER:
        return []
    if credential.is_basic:
        return [f"Authorization: `Basic ${{btoa(process.env.{PLACEHOLDER})}}`"]
    if credential.prefix:
        return [f"{_key(credential.name)}: `{credential.prefix}${{process.env.{PLACEHOLDER}}}`"]
    return [f"{_key(credential.name)}: process.env.{PLACEHOLDER}"]


def _body(request: SampleRequest) -> tuple[list[str], str, list[str]]:
    """Return the lines before the call, the body, and the headers that it needs."""
    content_type = f'"Content-Type": {_text(request.media_type)}'
    if request.has_json:
        value = json.dumps(request.json, ensure_ascii=False, indent=2).replace("\n", "\n  ")
        return [], f"JSON.stringify({value})", [content_type]
    if request.form:
        pairs = "".join(f"    [{_text(name)}, {_text(value)}],\n" for name, value in request.form)
        return [], f"new URLSearchParams([\n{pairs}  ])", []
    if request.parts:
        return _multipart(request), "form", []
    if request.media_type:
        return [], _text(request.raw), [content_type]
    return [], "", []


def _multipart(request: SampleRequest) -> list[str]:
    lines = ["const form = new FormData();"]
    for name, value, is_file in request.parts:
        content = f"await openAsBlob({_text(value)})" if is_file else _text(value)
        lines.append(f"form.append({_text(name)}, {content});")
    has_file = any(is_file for _, _, is_file in request.parts)
    return ['import { openAsBlob } from "node:fs";', "", *lines, ""] if has_file else [*lines, ""]


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _key(name: str) -> str:
    return name if name.isidentifier() and name.isascii() else _text(name)
