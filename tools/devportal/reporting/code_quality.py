"""A report as a Code Quality report of GitLab: what a merge request shows at the lines that it changes."""

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from devportal.findings import Level
from devportal.reporting.json_text import json_document
from devportal.reporting.printable import capitalise
from devportal.reporting.report import Report, ReportedResult

_SEVERITIES = {Level.ERROR: "major", Level.WARNING: "minor", Level.NOTE: "info"}
_SURROGATES = "surrogatepass"


def to_code_quality(report: Report) -> str:
    """Return a JSON list of the results that nobody accepted (docs.gitlab.com/ci/testing/code_quality)."""
    return json_document([*_issues(report)])


def _issues(report: Report) -> Iterator[dict[str, Any]]:
    """Yield the issue of each result. GitLab keeps one of several with the same fingerprint, so they are numbered."""
    seen = Counter[str]()
    for result in report.results:
        if result.is_accepted:
            continue
        identity = "\n".join(
            (report.tool, result.rule, result.forge_place.file, result.fingerprint or _message(result))
        )
        seen[identity] += 1
        yield {
            "description": ". ".join(filter(None, (_message(result), capitalise(result.help)))),
            "check_name": result.rule,
            "fingerprint": sha256(f"{identity}\n{seen[identity]}".encode(errors=_SURROGATES)).hexdigest(),
            "severity": _SEVERITIES[result.level],
            "location": {"path": result.forge_place.file, "lines": {"begin": result.forge_place.line or 1}},
        }


def _message(result: ReportedResult) -> str:
    return ": ".join(filter(None, (result.where, result.message)))
