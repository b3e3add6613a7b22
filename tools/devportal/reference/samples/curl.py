"""Samples for curl, in POSIX shell."""

import json
import shlex

from devportal.contract import In
from devportal.reference.samples.request import PLACEHOLDER, SampleRequest


def write(request: SampleRequest) -> str:
    """Return the command."""
    lines = [_first_line(request)]
    credential = request.credential
    if credential is not None and credential.is_basic:
        lines.append(f'--user "${PLACEHOLDER}"')
    elif credential is not None and credential.carrier is In.HEADER:
        lines.append(f'--header "{credential.name}: {credential.prefix}${PLACEHOLDER}"')
    lines += [f"--header {shlex.quote(f'{name}: {value}')}" for name, value in request.headers]
    lines += _body(request)
    return " \\\n  ".join(lines)


def _first_line(request: SampleRequest) -> str:
    method = "" if request.method == "GET" else f" --request {request.method}"
    method = " --head" if request.method == "HEAD" else method
    credential = request.credential
    if credential is not None and credential.carrier is In.QUERY:
        joint = "&" if request.query else "?"
        return f'curl{method} {shlex.quote(request.full_url)}"{joint}{credential.name}=${PLACEHOLDER}"'
    return f"curl{method} {shlex.quote(request.full_url)}"


def _body(request: SampleRequest) -> list[str]:
    if request.has_json:
        text = json.dumps(request.json, ensure_ascii=False, indent=2)
        return [f"--header 'Content-Type: {request.media_type}'", f"--data {shlex.quote(text)}"]
    if request.form:
        return [f"--data-urlencode {shlex.quote(f'{name}={value}')}" for name, value in request.form]
    if request.parts:
        return [
            f"--form {shlex.quote(f'{name}=@{value}' if is_file else f'{name}={value}')}"
            for name, value, is_file in request.parts
        ]
    if request.media_type:
        return [f"--header 'Content-Type: {request.media_type}'", f"--data {shlex.quote(request.raw)}"]
    return []
