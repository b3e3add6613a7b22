"""A report as SARIF 2.1.0 (OASIS): what code scanning of GitHub, GitLab and editors read."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from devportal import __version__
from devportal.errors import Place
from devportal.markup import code_block, escape_markdown
from devportal.reporting.json_text import json_document
from devportal.reporting.printable import capitalise
from devportal.reporting.report import Report, ReportedResult, ReportedRule

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_PLACEHOLDER = re.compile(r"\{(\d+)\}")


def to_sarif(report: Report) -> str:
    """Return the report as a log with one run."""
    rules = report.rules or tuple(
        ReportedRule(id=text, title=text.replace("-", " "))
        for text in sorted({result.rule for result in report.results})
    )
    index = {rule.id: number for number, rule in enumerate(rules)}
    driver = {
        "name": report.tool,
        "semanticVersion": __version__,
        "rules": [_rule_descriptor(rule) for rule in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(result, report, index) for result in report.results],
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json_document(log, is_ascii=report.is_ascii)


def _rule_descriptor(rule: ReportedRule) -> dict[str, Any]:
    """Return the descriptor of a rule (SARIF 2.1.0 §3.49)."""
    found: dict[str, Any] = {"id": rule.id, "shortDescription": {"text": rule.title}}
    if rule.description:
        found["fullDescription"] = {"text": rule.description}
    if rule.help:
        found["help"] = {"text": rule.help}
    if rule.level is not None:
        found["defaultConfiguration"] = {"level": rule.level}
    if rule.tags:
        found["properties"] = {"tags": list(rule.tags)}
    if rule.page:
        found["helpUri"] = rule.page
    return found


def _result(result: ReportedResult, report: Report, index: Mapping[str, int]) -> dict[str, Any]:
    message = ": ".join(filter(None, (result.where, result.message)))
    evidence = map(capitalise, result.evidence.lines()) if result.evidence is not None else ()
    text = result.text or " ".join(
        f"{item}." for item in (message, *evidence, capitalise(result.help)) if item
    )
    found: dict[str, Any] = {
        "ruleId": result.rule,
        "ruleIndex": index[result.rule],
        "level": result.level,
        "message": {"text": escape_message(text), **_markdown_message(result, message)},
        "locations": [sarif_location(result.forge_place, f"{result.subject} {result.part}".strip())],
    }
    if result.fingerprint:
        found["partialFingerprints"] = {report.fingerprint_key: result.fingerprint}
    if result.properties:
        found["properties"] = dict(result.properties)
    if result.related:
        found["relatedLocations"] = [
            {"id": number, **sarif_location(place), "message": {"text": escape_message(text)}}
            for number, (text, place) in enumerate(result.related, start=1)
        ]
    if result.waiver is not None and result.is_accepted:
        why = str(result.waiver)
        found["suppressions"] = [{"kind": "external", "status": "accepted", "justification": why}]
    return found


def _markdown_message(result: ReportedResult, message: str) -> dict[str, str]:
    """Return the message with what proves it in a block of code, if there is any (SARIF 2.1.0 §3.11.4)."""
    if result.evidence is None or not result.evidence.message:
        return {}
    (allowed, _), (refused, reason) = result.evidence.facts
    sentences = (f"{text}." for text in (capitalise(f"{refused}: {reason}"), capitalise(result.help)) if text)
    text = "\n\n".join(
        (
            f"{escape_markdown(message)}.",
            f"{escape_markdown(capitalise(allowed))}:",
            code_block(result.evidence.message, language="http"),
            *map(escape_markdown, sentences),
        )
    )
    return {"markdown": _PLACEHOLDER.sub(r"{{\1}}", text)}


def escape_message(text: str) -> str:
    """Return text in which nothing is a link or a placeholder (SARIF 2.1.0 §3.11.5, §3.11.6).

    Braces around anything but a number stay single, as in `/parcels/{id}`: readers show them as they are.
    """
    return _PLACEHOLDER.sub(r"{{\1}}", text.replace("](", "\\]("))


def sarif_location(place: Place, logical: str = "") -> dict[str, Any]:
    """Return a location; a place that is the whole file has no region (SARIF 2.1.0 §3.29.4)."""
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri_reference(place.file)}}
    if place.line:
        physical["region"] = {"startLine": place.line, "startColumn": place.column}
    found: dict[str, Any] = {"physicalLocation": physical}
    if logical:
        found["logicalLocations"] = [{"fullyQualifiedName": logical}]
    return found


def _uri_reference(file: str) -> str:
    """Return a path as the URI reference that it has to be (SARIF 2.1.0 §3.4.3, RFC 3986 §4.2)."""
    path = quote(file.encode("utf-8", "surrogateescape"), safe="/~")
    return f"file://{path}" if path.startswith("/") else path
