"""A report as JSON: in the shape that its command has published, else in the one that all share."""

import json
import re
from dataclasses import asdict
from importlib import resources
from typing import Any

from devportal.documents import to_json
from devportal.errors import Place
from devportal.findings import Level
from devportal.reporting.report import Report, ReportedResult

FORMAT = 1
"""The number of the shared shape: a higher one is another shape, more keys are the same one."""
_SURROGATE = re.compile("[\ud800-\udfff]")


def to_json_text(report: Report) -> str:
    """Return the report as JSON text with a final newline."""
    data = report.data() if report.data is not None else _report_data(report)
    return json_document(data, is_ascii=report.is_ascii)


def json_document(data: Any, *, is_ascii: bool = False) -> str:
    """Return data as JSON of several lines.

    What JSON has not becomes null, half a surrogate pair an escape (RFC 8259 §6, §8.2).
    """
    try:
        text = json.dumps(data, ensure_ascii=is_ascii, indent=2, allow_nan=False)
    except ValueError:
        text = json.dumps(json.loads(to_json(data)), ensure_ascii=is_ascii, indent=2)
    return _SURROGATE.sub(lambda half: f"\\u{ord(half.group()):04x}", text) + "\n"


def report_schema() -> dict[str, Any]:
    """Return the JSON Schema of the shape that commands share that have no separate one."""
    file = resources.files("devportal.reporting") / "schemas" / "report.schema.json"
    schema: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return schema


def _report_data(report: Report) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "tool": report.tool,
        "fails": report.fails,
        "summary": {level: sum(result.level is level for result in report.results) for level in Level},
        "results": [_result_data(result) for result in report.results],
        **report.more_data,
    }


def place_data(place: Place) -> dict[str, Any]:
    """Return a place as reports write it: `within` only where it says something."""
    return {name: value for name, value in asdict(place).items() if name != "within" or value}


def _result_data(result: ReportedResult) -> dict[str, Any]:
    return {
        "rule": result.rule,
        "level": result.level,
        "place": place_data(result.place),
        "message": result.message,
        "help": result.help,
    }
