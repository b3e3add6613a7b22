"""A result as JUnit XML: a test case for each check of each operation, so that CI shows them one by one."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from devportal.conformance.reports.coverage_tallies import tallies
from devportal.conformance.reports.curl import curl
from devportal.conformance.reports.standings import uncounted_text
from devportal.conformance.reports.text import body_text, shown, status_text
from devportal.conformance.result import Failure, OperationResult, Result, failures_of

WHOLE_RUN = "whole run"


def to_junit(result: Result) -> str:
    """Return the result as JUnit XML. Failures that do not make the run red are written as skipped."""
    cases = [*_cases(result)]
    suite = Element("testsuite")
    suite.set("name", f"conformance of {result.url} to {result.contract}")
    suite.set("timestamp", result.started_at.isoformat(timespec="seconds"))
    suite.set("time", f"{result.duration_s:.3f}")
    suite.set("tests", str(len(cases)))
    suite.set("failures", str(sum(1 for case in cases if case.find("failure") is not None)))
    suite.set("skipped", str(sum(1 for case in cases if case.find("skipped") is not None)))
    suite.set("errors", "0")
    properties = SubElement(suite, "properties")
    for name, value in (
        ("seed", str(result.seed)),
        ("profile", result.profile),
        ("stability", result.gate),
        ("schemathesis", result.schemathesis),
        ("contract_sha256", result.contract_digest),
        *((f"coverage {one.name}", f"{one.exercised}/{one.of}") for one in tallies(result)),
        *(("gap", shown(f"{one.check} {one.operation}".strip() + f": {one.reason}")) for one in result.gaps),
    ):
        SubElement(properties, "property", name=name, value=value)
    suite.extend(cases)
    root = Element("testsuites")
    root.append(suite)
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _cases(result: Result) -> Iterator[Element]:
    for operation in result.operations:
        yield from _operation(operation, failures_of(result, operation))
    labels = {operation.label for operation in result.operations}
    others = [one for one in result.failures if one.operation not in labels]
    for check in dict.fromkeys(one.check for one in others):
        yield _case(WHOLE_RUN, check, [one for one in others if one.check == check])
    for warning in result.warnings:
        case = _case(WHOLE_RUN, f"warning: {warning.kind}", [])
        text = shown(f"{warning.message} ({', '.join(warning.subjects)})")
        SubElement(case, "failure" if warning.gates else "skipped", message=text)
        yield case


def _operation(operation: OperationResult, failures: tuple[Failure, ...]) -> Iterator[Element]:
    names = dict.fromkeys([*(one.check for one in operation.checks), *(one.check for one in failures)])
    for check in names:
        yield _case(operation.label, check, [one for one in failures if one.check == check])


def _case(label: str, check: str, failures: list[Failure]) -> Element:
    case = Element("testcase", classname=label, name=check)
    red = [one for one in failures if one.fails]
    for failure in red:
        SubElement(
            case, "failure", message=shown(failure.title), type=failure.code or failure.check
        ).text = failure_text(failure)
    if failures and not red:
        first = failures[0]
        SubElement(
            case, "skipped", message=shown(f"{uncounted_text(first)}: {first.title}")
        ).text = failure_text(first)
    return case


def failure_text(failure: Failure) -> str:
    """Return what there is to say of a failure, as plain text of several lines."""
    lines = [shown(failure.message, 2000)]
    if failure.promise is not None:
        lines.append(f"promised: {failure.promise}")
        lines += [shown(failure.promise_text, 1000)] if failure.promise_text else []
    if failure.exchange is not None:
        lines.append(f"came back: {status_text(failure.exchange.status)}")
        if failure.exchange.answer is not None:
            lines.append(body_text(failure.exchange.answer))
    lines += [f"reproduce: {shown(curl(one.request), 20_000)}" for one in failure.evidence]
    lines.append(f"fingerprint: {failure.fingerprint}")
    return "\n".join(lines)
