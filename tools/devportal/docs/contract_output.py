"""Schemas, and what is wrong with requests, for people and as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from devportal.contract.wire_format.request_check import RequestProblem
from devportal.docs.operation_output import body_lines, credentials_line
from devportal.docs.output import (
    printable,
    proof_data,
    proof_words,
    wrap_text,
)
from devportal.docs.records import DocumentedOperation, DocumentedSchema, SiteRecords
from devportal.docs.request_check import RequestCheck
from devportal.docs.schemas import SchemaDescription
from devportal.reporting.printable import count_noun

# ---- schema ----


def schema_data(records: SiteRecords, description: SchemaDescription) -> dict[str, Any]:
    """Return a shared schema with its fields."""
    schema = _schema_of(records, description)
    return {
        "name": description.name,
        **proof_data(records, schema, schema.page if schema else ""),
        "url": records.address(schema.page) if schema else None,
        "type": description.body.type,
        "description": description.body.description,
        "rules": list(description.rules),
        "values": list(description.values),
        "fields": [asdict(field) for field in description.body.fields],
        "is_cut": description.body.is_cut,
        "used_by": list(description.used_by),
    }


def schema_text(records: SiteRecords, description: SchemaDescription) -> str:
    """Return a shared schema for people."""
    schema, body = _schema_of(records, description), description.body
    lines = [f"{description.name} ({body.type})" if body.type else description.name]
    lines += [*filter(None, (proof_words(schema),))]
    lines += [records.address(schema.page)] if schema else []
    lines += ["", *wrap_text(body.description, "")] if body.description else []
    rules = (*description.rules, *([f"one of {', '.join(description.values)}"] if description.values else []))
    lines += wrap_text("; ".join(rules), "  ")
    lines += ["", "Fields", *body_lines(records, body)] if body.fields else []
    lines += ["", *wrap_text(f"Used by: {', '.join(description.used_by)}", "")] if description.used_by else []
    return printable("\n".join(lines))


def _schema_of(records: SiteRecords, description: SchemaDescription) -> DocumentedSchema | None:
    return next((schema for schema in records.schemas if schema.name == description.name), None)


# ---- request ----


def request_data(records: SiteRecords, operation: DocumentedOperation, check: RequestCheck) -> dict[str, Any]:
    """Return what is wrong with a request."""
    return {
        "operation": operation.name,
        "valid": check.is_valid,
        **proof_data(records, operation, operation.page),
        "url": records.address(operation.page) if operation.page else None,
        "problems": [_problem_data(problem) for problem in check.problems],
        "warnings": [_problem_data(warning) for warning in check.warnings],
        "content_type": check.media_type or None,
        "auth": [
            [asdict(required_credential) for required_credential in alternative]
            for alternative in check.credentials
        ],
        "scopes": list(check.scopes),
    }


def _problem_data(problem: RequestProblem) -> dict[str, str]:
    return {"place": problem.place, "message": problem.message}


def request_text(records: SiteRecords, operation: DocumentedOperation, check: RequestCheck) -> str:
    """Return what is wrong with a request for people."""
    count = count_noun(len(check.problems), "problem")
    verdict = "valid" if check.is_valid else f"not valid, {count}"
    lines = [f"{operation.name}: {verdict}"]
    lines += _problem_lines(check.problems)
    if check.warnings:
        lines += ["", "Check these too", *_problem_lines(check.warnings)]
    authorization = credentials_line(check.credentials, check.scopes)
    lines += ["", *wrap_text(authorization, "")] if authorization else []
    lines += ["", *filter(None, (proof_words(operation),))]
    lines += [records.address(operation.page)] if operation.page else []
    return printable("\n".join(lines).rstrip())


def _problem_lines(problems: Sequence[RequestProblem]) -> Iterator[str]:
    for problem in problems:
        yield from wrap_text(f"{problem.place}: {problem.message}", "  ", "    ")
